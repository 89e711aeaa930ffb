package desk

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"plumbline/backend/fault"
	"plumbline/backend/model"
	"plumbline/backend/review"
)

// Models are what a run can ask.
type Models struct {
	Models   []ModelRow       `json:"models"`   // controls first, then profiles by name
	Problems []review.Problem `json:"problems"` // profiles that cannot be used
}

// ModelRow is a model that can be asked.
type ModelRow struct {
	Name    string           `json:"name"`
	Control bool             `json:"control"` // built in; nothing leaves the program
	Does    string           `json:"does"`    // what a control does, honestly
	Profile string           `json:"profile"` // as JSON; "" for a control
	Host    string           `json:"host"`
	Reach   model.Reach      `json:"reach"`   // "" where it is not known now
	Sends   string           `json:"sends"`   // what goes to the host, in words
	Consent *model.Consent   `json:"consent"` // null: none was given
	Can     *model.Abilities `json:"can"`     // as probed; null: never
	Why     string           `json:"why"`     // why it cannot be asked now, in words; ""
}

const modelsOp = "list models"

// Models lists the built-in controls and the profiles of the workspace. Nothing is sent anywhere; names of hosts are looked up. Fault Refused
// outside of the coordinator's seat.
func (d *Desk) Models(ctx context.Context) (out Models, err error) {
	err = d.within(modelsOp, func(r *room) error {
		if err := r.experimenter(modelsOp); err != nil {
			return err
		}
		out, err = r.models(ctx)
		return err
	})
	return out, err
}

func (r *room) models(ctx context.Context) (Models, error) {
	out := Models{Models: []ModelRow{}, Problems: []review.Problem{}}
	for _, m := range model.Controls() {
		out.Models = append(out.Models, ModelRow{Name: m.Name(), Control: true, Does: m.Does})
	}
	profiles, problems, err := model.LoadProfiles(ProfilesDir(r.dir))
	if err != nil {
		return out, err
	}
	for _, p := range profiles {
		row, err := rowOf(ctx, p)
		if err != nil {
			return out, err
		}
		out.Models = append(out.Models, row)
	}
	for _, p := range problems {
		problem := review.Problem{Text: p.Error()}
		var f *fault.Error
		if errors.As(p, &f) {
			problem.File = f.Of
		}
		out.Problems = append(out.Problems, problem)
	}
	return out, nil
}

// rowOf tells of a profile what is to be known before it is asked.
func rowOf(ctx context.Context, p model.Profile) (ModelRow, error) {
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return ModelRow{}, err
	}
	row := ModelRow{Name: p.Name, Profile: string(text), Host: hostOf(p), Consent: p.Consent, Can: p.Abilities}
	if a := p.Abilities; a == nil || a.Images {
		row.Sends = "questions, options, the patient’s card, earlier answers, and the images"
	} else {
		row.Sends = "questions, options, the patient’s card and earlier answers"
	}
	ctx, stop := context.WithTimeout(ctx, 3*time.Second)
	defer stop()
	if reach, err := p.Reach(ctx); err != nil {
		row.Why = err.Error()
	} else {
		row.Reach = reach
		if err := p.Allowed(reach, true); err != nil {
			row.Why = err.Error()
		}
	}
	if _, err := p.Key.Secret(); err != nil && row.Why == "" {
		row.Why = err.Error()
	}
	return row, nil
}

// hostOf is the host of a profile with its port.
func hostOf(p model.Profile) string {
	u, err := url.Parse(p.BaseURL)
	if err != nil {
		return p.Host()
	}
	return u.Host
}

// SaveModel checks a profile, given as JSON, and keeps it in the workspace in place of one of the same name. A consent is never taken from it:
// the one that was given stays as long as the host does, and what was probed as long as host and model do. Faults: Invalid with the field,
// Refused for the name of a control.
func (d *Desk) SaveModel(ctx context.Context, profile string) (Models, error) {
	return d.withModels(ctx, "save model", func(r *room) error {
		p, err := model.ReadProfile([]byte(profile))
		if err != nil {
			return err
		}
		return AddProfile(r.dir, p)
	})
}

// RemoveModel takes a profile out of the workspace. What the model was asked stays. Fault NotFound.
func (d *Desk) RemoveModel(ctx context.Context, name string) (Models, error) {
	return d.withModels(ctx, "remove model", func(r *room) error {
		p, err := FindProfile(r.dir, name)
		if err != nil {
			return err
		}
		return fault.In("remove model", name, os.Remove(filepath.Join(ProfilesDir(r.dir), p.Name+".json")))
	})
}

// ProbeModel asks the server of a profile what it can, with short requests and a grey square as the picture, and keeps the answer in the
// profile. Faults: NotFound, Refused for a public host without a consent, Endpoint.
func (d *Desk) ProbeModel(ctx context.Context, name string) (Models, error) {
	return d.withModels(ctx, "probe model", func(r *room) error {
		_, err := ProbeProfile(ctx, r.dir, name)
		return err
	})
}

// KeepModelKey puts the key of a profile into the system's keyring; an empty one takes it out. Faults: NotFound, IO.
func (d *Desk) KeepModelKey(ctx context.Context, name, secret string) (Models, error) {
	return d.withModels(ctx, "keep key", func(r *room) error { return KeepProfileKey(r.dir, name, secret) })
}

// AllowModel writes down who agrees that the public host of a profile is sent questions and cards, and images too; without a name a consent is
// taken back. Faults: NotFound, Refused where the address is not https.
func (d *Desk) AllowModel(ctx context.Context, name, host, by string, images bool) (Models, error) {
	return d.withModels(ctx, "allow model", func(r *room) error {
		if strings.TrimSpace(by) == "" {
			return ForbidProfile(r.dir, name)
		}
		_, err := AllowProfile(r.dir, name, host, strings.TrimSpace(by), images, r.now())
		return err
	})
}

// withModels changes profiles and lists them anew.
func (d *Desk) withModels(ctx context.Context, op string, change func(*room) error) (out Models, err error) {
	err = d.within(op, func(r *room) error {
		if err := r.experimenter(op); err != nil {
			return err
		}
		if err := change(r); err != nil {
			return err
		}
		out, err = r.models(ctx)
		return err
	})
	return out, err
}

// FindProfile finds a profile of a workspace. Faults: NotFound, Invalid where its file cannot be used.
func FindProfile(workspace, name string) (model.Profile, error) {
	profiles, problems, err := model.LoadProfiles(ProfilesDir(workspace))
	if err != nil {
		return model.Profile{}, err
	}
	if at := slices.IndexFunc(profiles, func(p model.Profile) bool { return p.Name == name }); at >= 0 {
		return profiles[at], nil
	}
	for _, p := range problems {
		var f *fault.Error
		if errors.As(p, &f) && f.Of == name+".json" {
			return model.Profile{}, p
		}
	}
	return model.Profile{}, fault.New(fault.NotFound, "find model", name, "no model of this name; plumb models lists them")
}

// AddProfile keeps a profile in a workspace in place of one of the same name; as SaveModel.
func AddProfile(workspace string, p model.Profile) error {
	for _, m := range model.Controls() {
		if m.Name() == p.Name {
			return fault.New(fault.Refused, "add model", p.Name, "a built-in control model has this name")
		}
	}
	before, err := FindProfile(workspace, p.Name)
	p.Consent, p.Abilities = nil, nil
	if err == nil && before.BaseURL == p.BaseURL {
		p.Consent = before.Consent
		if before.Model == p.Model {
			p.Abilities = before.Abilities
		}
	}
	return model.SaveProfile(ProfilesDir(workspace), p)
}

// ProbeProfile asks the server of a profile what it can and keeps the answer in the profile; as ProbeModel.
func ProbeProfile(ctx context.Context, workspace, name string) (model.Profile, error) {
	p, err := FindProfile(workspace, name)
	if err != nil {
		return p, err
	}
	secret, err := p.Key.Secret()
	if err != nil {
		return p, err
	}
	e, err := model.NewEndpoint(p, secret)
	if err != nil {
		return p, err
	}
	defer e.Close()
	a, err := e.Probe(ctx)
	if err != nil {
		return p, err
	}
	p = p.Probed(a)
	return p, model.SaveProfile(ProfilesDir(workspace), p)
}

// KeepProfileKey puts the key of a profile into the system's keyring, under the profile's name where it names no other; "" takes it out.
func KeepProfileKey(workspace, name, secret string) error {
	p, err := FindProfile(workspace, name)
	if err != nil {
		return err
	}
	if p.Key.Keyring == "" {
		p.Key = model.Key{Keyring: p.Name}
	}
	if err := p.Key.Keep(strings.TrimSpace(secret)); err != nil {
		return err
	}
	if secret = strings.TrimSpace(secret); secret == "" {
		p.Key.Keyring = ""
	}
	return model.SaveProfile(ProfilesDir(workspace), p)
}

// AllowProfile writes down a consent in a profile; as AllowModel.
func AllowProfile(workspace, name, host, by string, images bool, at time.Time) (model.Profile, error) {
	p, err := FindProfile(workspace, name)
	if err != nil {
		return p, err
	}
	if by == "" || host == "" {
		return p, fault.New(fault.Usage, "allow model", p.Name, "name the host with --host and who consents with --by")
	}
	p.Consent = &model.Consent{Host: host, Sends: []string{model.SendsText}, By: by, At: at.UTC().Format(time.RFC3339)}
	if images {
		p.Consent.Sends = append(p.Consent.Sends, model.SendsImages)
	}
	if err := p.Allowed(model.Public, images); err != nil {
		return p, err
	}
	return p, model.SaveProfile(ProfilesDir(workspace), p)
}

// ForbidProfile takes a consent back.
func ForbidProfile(workspace, name string) error {
	p, err := FindProfile(workspace, name)
	if err != nil {
		return err
	}
	p.Consent = nil
	return model.SaveProfile(ProfilesDir(workspace), p)
}
