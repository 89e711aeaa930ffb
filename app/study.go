package app

import (
	"context"
	"encoding/json"
	"path/filepath"

	"plumbline/backend/desk"
	"plumbline/backend/fault"
	"plumbline/backend/report"
	"plumbline/backend/review"
)

// Rules are the protocol of the study as text, as a file holds it: what the page edits, loads and saves is one thing.
type Rules struct {
	Protocol string              `json:"protocol"` // JSON, indented
	Set      bool                `json:"set"`      // false: the default protocol
	Rubrics  []review.RubricName `json:"rubrics"`  // that the protocol can name
}

// Checked is what is wrong in a protocol or a rubric; nothing where it can be followed.
type Checked struct {
	Text     string           `json:"text"` // as it would be set, indented
	Problems []review.Problem `json:"problems"`
}

// TextFile is a file that the reader chose.
type TextFile struct {
	Name string `json:"name"` // without its folder; "": none was chosen
	Text string `json:"text"`
}

// Rules gives the protocol and the rubrics of the study.
func (a *App) Rules() (Rules, error) { return bound(a, rulesOf) }

// CheckProtocol lists what is wrong in a protocol, changing nothing.
func (a *App) CheckProtocol(text string) (Checked, error) {
	return bound(a, func(ctx context.Context, d acts) (Checked, error) {
		p, problems, err := d.CheckProtocol(ctx, []byte(text))
		return checked(p, problems, err)
	})
}

// SetProtocol makes a protocol the rules from now on.
func (a *App) SetProtocol(text string) (Rules, error) {
	return bound(a, func(ctx context.Context, d acts) (Rules, error) {
		if _, err := d.SetProtocol(ctx, []byte(text)); err != nil {
			return Rules{}, err
		}
		return rulesOf(ctx, d)
	})
}

// CheckRubric lists what is wrong in a rubric, changing nothing.
func (a *App) CheckRubric(text string) (Checked, error) {
	return bound(a, func(ctx context.Context, d acts) (Checked, error) {
		r, problems, err := d.CheckRubric(ctx, []byte(text))
		return checked(r, problems, err)
	})
}

// AddRubric adds a rubric to those that a protocol can name.
func (a *App) AddRubric(text string) (review.RubricName, error) {
	return bound(a, func(ctx context.Context, d acts) (review.RubricName, error) {
		r, err := d.AddRubric(ctx, []byte(text))
		return r.Called(), err
	})
}

// Assign makes the assignments that the protocol asks for and that are not there yet.
func (a *App) Assign() (desk.Standing, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Standing, error) { return d.Assign(ctx) })
}

// Progress tells how far the readers are.
func (a *App) Progress() (desk.Standing, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Standing, error) { return d.Progress(ctx) })
}

// Agreement computes how far the readers agree.
func (a *App) Agreement() ([]report.Agreement, error) {
	return bound(a, func(ctx context.Context, d acts) ([]report.Agreement, error) { return d.Agreement(ctx) })
}

// LoadText asks for a JSON file by the system's dialog and gives what it holds; nothing when the reader cancels.
func (a *App) LoadText(title string) (TextFile, error) {
	return bound(a, func(context.Context, acts) (TextFile, error) {
		path, err := a.face.window.chooseFile(a.face.ctx, title)
		if err != nil || path == "" {
			return TextFile{}, err
		}
		b, err := desk.LoadText(path)
		return TextFile{Name: filepath.Base(path), Text: string(b)}, err
	})
}

// SaveText asks for a name by the system's dialog, writes a JSON file and gives its path; "" when the reader cancels.
func (a *App) SaveText(title, name, text string) (string, error) {
	return bound(a, func(context.Context, acts) (string, error) {
		path, err := a.face.window.nameFile(a.face.ctx, title, name)
		if err != nil || path == "" {
			return "", err
		}
		return path, desk.SaveText(path, []byte(text))
	})
}

// rulesOf gathers the rules.
func rulesOf(ctx context.Context, d acts) (Rules, error) {
	p, set, err := d.Protocol(ctx)
	if err != nil {
		return Rules{}, err
	}
	text, err := indented(p)
	if err != nil {
		return Rules{}, err
	}
	rules := Rules{Protocol: text, Set: set, Rubrics: []review.RubricName{}}
	all, err := d.Rubrics(ctx)
	for _, r := range all {
		rules.Rubrics = append(rules.Rubrics, r.Called())
	}
	return rules, err
}

// checked answers a check. What cannot be read at all is one problem of the whole.
func checked(of any, problems []review.Problem, err error) (Checked, error) {
	if fault.KindOf(err) == fault.Invalid {
		return Checked{Problems: []review.Problem{{Text: err.Error()}}}, nil
	}
	if err != nil {
		return Checked{}, err
	}
	text, err := indented(of)
	return Checked{Text: text, Problems: append([]review.Problem{}, problems...)}, err
}

func indented(v any) (string, error) {
	b, err := json.MarshalIndent(v, "", "  ")
	return string(b) + "\n", err
}
