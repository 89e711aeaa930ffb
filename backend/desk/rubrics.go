package desk

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// keysJSON lists the keys of the program as the page binds them: its test writes the list (npx vitest -u).
//
//go:embed keys.json
var keysJSON []byte

// GlobalKey is a key that the program itself listens to.
type GlobalKey struct {
	Action string `json:"action"`
	Label  string `json:"label"`
	Scope  string `json:"scope"` // everywhere, library, reading, steps, image: where the focus must be
	Key    string `json:"key"`   // as "Control+Enter", "Digit1", "a"
}

// heardInSteps tells whether the key is live while the steps have the focus, as those of a rubric are.
func (k GlobalKey) heardInSteps() bool {
	return k.Scope == "everywhere" || k.Scope == "reading" || k.Scope == "steps"
}

// prints gives the character that the key prints, "" where it prints none.
func (k GlobalKey) prints() string {
	name := strings.TrimPrefix(k.Key, "[Shift]+")
	for _, digit := range []string{"Digit", "Numpad"} {
		if rest, is := strings.CutPrefix(name, digit); is {
			name = rest
		}
	}
	if len([]rune(name)) != 1 {
		return ""
	}
	return strings.ToLower(name)
}

// GlobalKeys lists the keys of the program.
func GlobalKeys() []GlobalKey {
	keys := []GlobalKey{}
	if err := json.Unmarshal(keysJSON, &keys); err != nil {
		panic(err) // a part of the program
	}
	return keys
}

// keyProblems lists the keys of a rubric that the program listens to already, naming both owners.
func keyProblems(r review.Rubric) []review.Problem {
	owners := map[string]GlobalKey{}
	for _, k := range GlobalKeys() {
		if c := k.prints(); c != "" && k.heardInSteps() {
			owners[c] = k
		}
	}
	problems := []review.Problem{}
	look := func(card string, fields []review.Field) {
		for i, f := range fields {
			for _, o := range f.Options {
				key := f.Keys[o]
				if owner, taken := owners[key]; key != "" && taken {
					problems = append(problems, review.Problem{
						Field: fmt.Sprintf("%s[%d].keys.%s", card, i, o),
						Text:  fmt.Sprintf("key %s is that of %q (%s) in the whole program and cannot be that of %s %s", key, owner.Label, owner.Action, f.Name, o),
					})
				}
			}
		}
	}
	look("step", r.Step)
	look("chain", r.Chain)
	return problems
}

// rubricKey is the key of a rubric as a seat has it: "" is the coordinator's own.
func rubricKey(reader review.ReaderID, named review.RubricName) string {
	return review.EventKey("", review.KindRubric, review.ChainID(reader), named.Name+"/"+named.Version)
}

// known finds a rubric that this seat has.
func (s rules) known(named review.RubricName) (review.Rubric, bool) {
	i := slices.IndexFunc(s.rubrics, func(r review.Rubric) bool { return r.Called() == named })
	if i < 0 {
		return review.Rubric{}, false
	}
	return s.rubrics[i], true
}

// rubricOf gives the rubric under which an assignment is read: the one under which its first step or chain was rated, so that a rubric that
// changes meanwhile drops no answer and reinterprets none; else the protocol's.
func (r *room) rubricOf(current []review.Event) rubric {
	var first review.Event
	for _, e := range current {
		if (e.Body.Rating != nil || e.Body.ChainRating != nil) && (first.ID == "" || e.ID < first.ID) {
			first = e
		}
	}
	for _, k := range r.rules.rubrics {
		if first.ID != "" && k.Digest == first.Rubric.Digest {
			return rubric{k}
		}
	}
	return r.rules.rubric
}

// rubricProblem says that the study has no rubric of this name and version.
func (r *room) rubricProblem(named review.RubricName) (review.Problem, bool) {
	r.acting.Lock()
	defer r.acting.Unlock()
	if _, known := r.rules.known(named); known {
		return review.Problem{}, false
	}
	have := []string{}
	for _, k := range r.rules.rubrics {
		have = append(have, fmt.Sprintf("%s version %s", k.Name, k.Version))
	}
	return review.Problem{Field: "rubric", Text: fmt.Sprintf("the study has no rubric %s version %s; it has %s", named.Name, named.Version, strings.Join(have, ", "))}, true
}

// handRubric gives the event that brings a rubric to a reader who does not have it yet; GRD v1 everybody has.
func (r *room) handRubric(to review.ReaderID, named review.RubricName) ([]review.Event, error) {
	rubric, known := r.rules.known(named)
	if !known || rubric.Digest == review.GRD().Digest {
		return nil, nil
	}
	if _, said, err := r.ledger.Current(rubricKey(to, named)); err != nil || said > 0 {
		return nil, err
	}
	return []review.Event{r.rubricEvent(addressed(to), to, rubric)}, nil
}

// Rubrics lists the rubrics that this seat has: GRD v1, and those that were added to the study, in order of time.
func (d *Desk) Rubrics(context.Context) (all []review.Rubric, err error) {
	err = d.within("list rubrics", func(r *room) error {
		r.acting.Lock()
		defer r.acting.Unlock()
		all = slices.Clone(r.rules.rubrics)
		return nil
	})
	return list(all), err
}

// CheckRubric reads a rubric file and lists by line and field why readers cannot be asked by it. The error says that it is no rubric at
// all: fault Invalid; Refused in a reader's seat.
func (d *Desk) CheckRubric(_ context.Context, file []byte) (rubric review.Rubric, problems []review.Problem, err error) {
	const op = "check rubric"
	err = d.within(op, func(r *room) error {
		if err := r.coordinates(op); err != nil {
			return err
		}
		if rubric, err = review.RestoreRubric(file); err != nil {
			return fault.New(fault.Invalid, op, "", "%w", err)
		}
		r.acting.Lock()
		have, known := r.rules.known(rubric.Called())
		r.acting.Unlock()
		problems = append(rubric.Problems(), keyProblems(rubric)...)
		if known && have.Digest != rubric.Digest && rubric.Called() != review.GRD().Called() {
			problems = append(problems, review.Problem{Field: "version", Text: fmt.Sprintf("the study has another %s version %s: a changed rubric needs a version of its own", rubric.Name, rubric.Version)})
		}
		for i := range problems {
			problems[i].Line = review.FieldLine(file, problems[i].Field)
		}
		return nil
	})
	return rubric, problems, err
}

// AddRubric adds a rubric file to the study, where a protocol can name it; what was said under another version stays as it was said. The
// same rubric again changes nothing. Faults: Invalid where CheckRubric finds anything, naming it; Refused in a reader's seat.
func (d *Desk) AddRubric(ctx context.Context, file []byte) (review.Rubric, error) {
	const op = "add rubric"
	added, problems, err := d.CheckRubric(ctx, file)
	if err != nil {
		return added, err
	}
	if len(problems) > 0 {
		first := problems[0]
		return added, fault.New(fault.Invalid, op, "", "line %d, %s: %s", first.Line, first.Field, first.Text)
	}
	err = d.within(op, func(r *room) error {
		r.acting.Lock()
		defer r.acting.Unlock()
		if _, known := r.rules.known(added.Called()); known {
			return nil
		}
		if err := r.ledger.AppendAll([]review.Event{r.rubricEvent(Coordinator, "", added)}); err != nil {
			return err
		}
		return r.learnRules()
	})
	return added, err
}

// rubricEvent says a rubric: "" to the coordinator, else to a reader.
func (r *room) rubricEvent(author, to review.ReaderID, of review.Rubric) review.Event {
	e := r.draft(review.KindRubric, "")
	e.Reader, e.Session, e.Key, e.Body.Rubric = author, "", rubricKey(to, of.Called()), &of
	return e
}
