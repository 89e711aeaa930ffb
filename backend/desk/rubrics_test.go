package desk_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"plumbline/backend/desk"
	"plumbline/backend/desktest"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// withoutPartly is GRD without the grade that L05 takes away.
const withoutPartly = `{"schema": "plumbline/rubric/1", "name": "GRD", "version": "1-strict",
  "step": [{"name": "support", "options": ["supported", "unsupported", "contradicted", "not_visual", "cannot_assess"]},
    {"name": "reason"}, {"name": "evidence", "required": ["supported"]}, {"name": "model_place"}, {"name": "error"}, {"name": "builds_on_error", "required": ["unsupported", "contradicted"]},
    {"name": "significance"}, {"name": "confidence"}, {"name": "note"}],
  "chain": [{"name": "answer"}, {"name": "missed"}, {"name": "first_bad_step"}, {"name": "radpeer"}, {"name": "follows"}, {"name": "image_alone"}, {"name": "needs_more"}]}`

// asked makes the study ask by a rubric file.
func asked(t *testing.T, boss *desktest.Person, file string, readers ...review.ReaderID) {
	t.Helper()
	r, err := boss.Desk.AddRubric(t.Context(), []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	rules := desktest.Rules(readers...)
	rules.Rubric = r.Called()
	boss.Set(rules)
}

// K01: a key that is the program's own is refused when the rubric is loaded, naming both owners.
func TestRubricKeyThatIsGlobal(t *testing.T) {
	boss := desktest.New(t).Coordinator()
	file := `{"name": "X", "version": "1", "step": [{"name": "support", "keys": {
  "supported": ";",
  "partly": "a"}}], "chain": [{"name": "radpeer", "keys": {"1": "1"}}]}`
	_, problems, err := boss.Desk.CheckRubric(t.Context(), []byte(file))
	if err != nil || len(problems) != 2 {
		t.Fatalf("%+v, %v", problems, err)
	}
	first := problems[0]
	if first.Field != "step[0].keys.partly" || first.Line != 3 || !strings.Contains(first.Text, `"Adopt the model’s region as evidence" (adopt)`) || !strings.Contains(first.Text, "support partly") {
		t.Errorf("%+v", first)
	}
	if !strings.Contains(problems[1].Text, "(answer-1)") || !strings.Contains(problems[1].Text, "radpeer 1") {
		t.Errorf("%+v", problems[1])
	}
	_, err = boss.Desk.AddRubric(t.Context(), []byte(file))
	refused(t, err, fault.Invalid, "line 3, step[0].keys.partly: key a is that of")
}

// K01: a key that nobody chose is the digit of the option's place; while the steps have the focus a digit is nobody else's.
func TestKeysOfThemselvesAreDigitsOfTheirOwn(t *testing.T) {
	for _, k := range desk.GlobalKeys() {
		digit := strings.TrimPrefix(strings.TrimPrefix(k.Key, "Digit"), "Numpad")
		if len(digit) != 1 || digit < "1" || digit > "9" || k.Scope == "image" || k.Scope == "library" {
			continue
		}
		if k.Action != "answer-"+digit || k.Scope != "steps" {
			t.Errorf("%s in %s is that of %s", k.Key, k.Scope, k.Action)
		}
	}
}

// L05: an option is taken away while a reader has a case open with it chosen: the answer stays under its rubric and the case is finished
// under it; the next case is asked by the new one; agreement counts one version and says how many answers it leaves out.
func TestOptionTakenAwayWhileACaseIsOpen(t *testing.T) {
	boss := desktest.Many(t, 2).Coordinator()
	boss.Set(desktest.Rules("R1", "R2"))
	r := boss.Open("case-001").LookAll()
	if r.View.Rubric.Version != "1" {
		t.Fatalf("asked by %s", r.View.Rubric.Version)
	}
	regrade(t, boss, r, "x001/s1", review.Partly, "")
	asked(t, boss, withoutPartly, "R1", "R2")
	r = boss.Open("case-001")
	if r.View.Rubric.Version != "1" || boss.Desk.Rubric().Version != "1-strict" {
		t.Fatalf("the open case is asked by %s, the study by %s", r.View.Rubric.Version, boss.Desk.Rubric().Version)
	}
	regrade(t, boss, r, "x001/s2", review.Partly, "") // the page still offers it
	boss.Open("case-001").LookAll().Sign()
	other := boss.Open("case-002").LookAll()
	if other.View.Rubric.Version != "1-strict" {
		t.Errorf("a new case is asked by %s", other.View.Rubric.Version)
	}
	rating, _ := desktest.Full(other.View, "x002", "s1", review.Partly)
	_, err := boss.Desk.Rate(t.Context(), other.View.Assignment, "x002", rating, "")
	refused(t, err, fault.Invalid, "one of supported, unsupported")
	said := map[string]int{}
	if err := boss.Desk.EachReading(t.Context(), "", func(e review.Event, _ []byte) error {
		if e.Body.Rating != nil {
			said[e.Rubric.Version+" "+string(e.Body.Rating.Support)]++
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if said["1 partly"] < 2 || said["1-strict partly"] != 0 {
		t.Errorf("said %v", said)
	}
	if a := agreement(t, boss, "support")["/"]; a.LeftOut != 6 || a.Ratings > 6 {
		t.Errorf("left out %d, counted %d", a.LeftOut, a.Ratings)
	}
}

// A reader's workspace gets the rubric with the protocol, and keeps it over a restart.
func TestRubricIsHandedOut(t *testing.T) {
	study := desktest.Many(t, 2)
	boss, ann := study.Coordinator(), study.Away("ann")
	asked(t, boss, withoutPartly, "ann")
	boss.Assign()
	boss.HandTo(ann)
	if got := ann.Desk.Rubric(); got.Version != "1-strict" || got.Digest != boss.Desk.Rubric().Digest {
		t.Errorf("ann is asked by %s", got.Version)
	}
	if got := ann.Restart().Open(ann.Worklist()[0].ID).View.Rubric; got.Version != "1-strict" {
		t.Errorf("after a restart by %s", got.Version)
	}
	// L05, at the reader's: another version arrives while a case is open.
	first := ann.Worklist()[0].ID
	r := ann.Open(first).LookAll()
	rating, _ := desktest.Full(r.View, r.View.Chains[0].ID, "s1", review.Unsupported)
	if _, err := ann.Desk.Rate(t.Context(), r.View.Assignment, r.View.Chains[0].ID, rating, ""); err != nil {
		t.Fatal(err)
	}
	asked(t, boss, strings.NewReplacer("1-strict", "1-stricter", `"supported", "unsupported", "contradicted", "not_visual"`, `"supported", "contradicted", "not_visual"`, `"required": ["unsupported", "contradicted"]`, `"required": ["contradicted"]`).Replace(withoutPartly), "ann")
	boss.HandTo(ann)
	if open, next := ann.Open(first), ann.Open(ann.Worklist()[1].ID).LookAll(); open.View.Rubric.Version != "1-strict" || next.View.Rubric.Version != "1-stricter" {
		t.Errorf("the open case is asked by %s, the next by %s", open.View.Rubric.Version, next.View.Rubric.Version)
	}
	ann.Open(first).Sign()
	_, err := ann.Desk.AddRubric(t.Context(), []byte(withoutPartly))
	refused(t, err, fault.Refused, "coordinator's")
}

func TestRubricsOfAStudy(t *testing.T) {
	boss := desktest.New(t).Coordinator()
	for range 2 { // the second time changes nothing
		if _, err := boss.Desk.AddRubric(t.Context(), []byte(withoutPartly)); err != nil {
			t.Fatal(err)
		}
	}
	all, err := boss.Restart().Desk.Rubrics(t.Context())
	versions := []string{}
	for _, r := range all {
		versions = append(versions, r.Version)
	}
	if err != nil || !slices.Equal(versions, []string{"1", "1-strict"}) || boss.Desk.Rubric().Version != "1" {
		t.Errorf("%v, %v; asked by %s", versions, err, boss.Desk.Rubric().Version)
	}
	_, err = boss.Desk.AddRubric(t.Context(), []byte(strings.Replace(withoutPartly, `["supported"]`, `[]`, 1)))
	refused(t, err, fault.Invalid, "a version of its own")
	rules := desktest.Rules("R1")
	rules.Rubric = review.RubricName{Name: "GRD", Version: "7"}
	b, err := json.Marshal(rules)
	if err != nil {
		t.Fatal(err)
	}
	_, problems, err := boss.Desk.CheckProtocol(t.Context(), b)
	if err != nil || len(problems) != 1 || problems[0].Field != "rubric" || !strings.Contains(problems[0].Text, "GRD version 1-strict") {
		t.Errorf("%+v, %v", problems, err)
	}
}
