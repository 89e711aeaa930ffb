package experiment

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"plumbline/backend/fault"
	"plumbline/backend/model"
	"plumbline/backend/review"
)

// texts is a study of cases without images: two questions each, the second resting on the first.
type texts struct{ n int }

func (s texts) Case(id review.CaseID) (review.Case, error) {
	options := []review.Option{{Letter: "A", Text: "Right"}, {Letter: "B", Text: "Left"}, {Letter: "C", Text: "Neither side"}}
	c := review.Case{ID: id, Images: []review.Image{}, Context: review.Context{Age: "60", Sex: "female", History: "Cough."}, Questions: []review.Question{
		{ID: "q1", K: 2, Stage: "S2 Anatomy", Text: "Which side?", Options: options, Parents: []review.QuestionID{}},
		{ID: "q2", K: 4, Stage: "S4 Impression", Text: "Impression?", Options: options, Parents: []review.QuestionID{"q1"}},
	}}
	return c, nil
}

func (texts) Stacks(context.Context, review.CaseID) ([]review.Stack, []review.Problem, error) {
	return nil, nil, nil
}

func (texts) Samples(context.Context, review.CaseID, review.ImageID, int) (review.Frame, review.Samples, error) {
	return review.Frame{}, review.Samples{}, fault.New(fault.NotFound, "open frame", "", "there is none")
}

func (s texts) ids() []review.CaseID {
	var out []review.CaseID
	for i := range s.n {
		out = append(out, review.CaseID(fmt.Sprintf("case-%02d", i+1)))
	}
	return out
}

func (s texts) study() Study {
	out := Study{Source: s}
	a, yes := "A", true
	for _, id := range s.ids() {
		out.Truth = append(out.Truth,
			review.Truth{Case: id, Question: "q1", Gold: &a, Present: &yes},
			review.Truth{Case: id, Question: "q2", Gold: &a, Present: &yes, Implies: []review.Implication{{IfQuestion: "q1", IfAnswer: "B", Answer: "B"}, {IfQuestion: "q1", IfAnswer: "C", Answer: "C"}}})
	}
	return out
}

// shelf is a Book in memory.
type shelf struct {
	mu     sync.Mutex
	notes  map[string][]byte
	plan   Plan
	chains map[review.ChainID]review.Chain
	made   map[review.ChainID]review.Origin
	full   bool
}

func newShelf() *shelf {
	return &shelf{notes: map[string][]byte{}, chains: map[review.ChainID]review.Chain{}, made: map[review.ChainID]review.Origin{}}
}

func (b *shelf) SavePlan(_ string, plan []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return json.Unmarshal(plan, &b.plan)
}

func (b *shelf) Note(_ string, notes map[string][]byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.full {
		return fault.New(fault.IO, "note", "", "the disk is full")
	}
	for k, v := range notes {
		b.notes[k] = v
	}
	return nil
}

func (b *shelf) Noted(string) (map[string][]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := map[string][]byte{}
	for k, v := range b.notes {
		out[k] = v
	}
	return out, nil
}

func (b *shelf) Finish(_, key string, note []byte, c review.Chain, o review.Origin) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, twice := b.chains[c.ID]; twice {
		return fmt.Errorf("chain %s is made twice", c.ID)
	}
	b.notes[key], b.chains[c.ID], b.made[c.ID] = note, c, o
	return nil
}

// scripted answers by a function and notes every prompt.
type scripted struct {
	mu     sync.Mutex
	asked  []string
	answer func(n int, r model.Request) (model.Reply, error)
}

func (*scripted) Name() string { return "scripted" }

func (m *scripted) Ask(ctx context.Context, r model.Request) (model.Reply, error) {
	m.mu.Lock()
	m.asked = append(m.asked, r.Prompt)
	n := len(m.asked)
	m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return model.Reply{}, err
	}
	return m.answer(n, r)
}

func says(letter string) model.Reply {
	return model.Reply{Text: `{"steps":[],"answer":"` + letter + `"}`}
}

func (m *scripted) models(concurrency int) []Asked {
	return []Asked{{Model: m, Info: review.ModelInfo{Name: "scripted"}, Concurrency: concurrency}}
}

func planOf(t *testing.T, s texts, conditions ...string) Plan {
	t.Helper()
	p, err := NewPlan([]string{"scripted"}, s.ids(), conditions, 1, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A run that is cut off goes on where it was: nothing is asked twice, nothing is missing.
func TestRunGoesOnWhereItWas(t *testing.T) {
	s, book := texts{8}, newShelf()
	plan := planOf(t, s, "none", "none+given:none")
	ctx, cut := context.WithCancel(context.Background())
	m := &scripted{answer: func(n int, r model.Request) (model.Reply, error) {
		if n == 11 {
			cut()
			return model.Reply{}, context.Canceled
		}
		return says("A"), nil
	}}
	run := func(ctx context.Context) (Status, error) {
		return Runner{Study: s.study(), Models: m.models(1), Book: book, Now: time.Now}.Do(ctx, plan)
	}
	if _, err := run(ctx); fault.KindOf(err) != fault.Cancelled {
		t.Fatalf("cut off: %v", err)
	}
	if book.plan.Done {
		t.Error("a run that was cut off counts as done")
	}
	first := len(m.asked) - 1 // the last one was not answered
	status, err := run(context.Background())
	if err != nil || len(status.Failed) > 0 {
		t.Fatalf("%+v, %v", status, err)
	}
	if want := 8 * 2 * 2; len(m.asked)-1 != want || status.Answered != want || status.Kept != first || len(book.chains) != 16 || !book.plan.Done {
		t.Errorf("asked %d, answered %d of which %d were kept, %d chains; want %d, %d kept, 16 chains", len(m.asked)-1, status.Answered, status.Kept, len(book.chains), want, first)
	}
	again := len(m.asked)
	if status, err = run(context.Background()); err != nil || len(m.asked) != again || status.Chains != 16 {
		t.Errorf("a third time: %d more requests, %d chains, %v", len(m.asked)-again, status.Chains, err)
	}
	other := plan
	other.Run = "run-other"
	fresh := newShelf()
	if _, err := (Runner{Study: s.study(), Models: m.models(4), Book: fresh, Now: time.Now}).Do(context.Background(), other); err != nil {
		t.Fatal(err)
	}
	for id := range fresh.chains {
		if _, known := book.chains[id]; known {
			t.Errorf("a run begun anew makes chain %s again", id)
		}
	}
}

// Failures are told by kind, the rest goes on; what cannot be helped by going on stops the model.
func TestRunTellsFailuresByKind(t *testing.T) {
	for _, c := range []struct {
		name   string
		kind   model.FailureKind
		failed []Count
		chains int
	}{
		{"a request that the server does not take", model.BadRequest, []Count{{"request", 1}}, 3},
		{"no quota left", model.OutOfQuota, []Count{{"not asked after quota", 3}, {"quota", 1}}, 0},
	} {
		s, book := texts{4}, newShelf()
		m := &scripted{answer: func(n int, r model.Request) (model.Reply, error) {
			if n == 1 {
				return model.Reply{}, &fault.Error{Kind: fault.Endpoint, Op: "ask model", Err: &model.Failure{Kind: c.kind}}
			}
			return says("A"), nil
		}}
		status, err := Runner{Study: s.study(), Models: m.models(1), Book: book, Now: time.Now}.Do(context.Background(), planOf(t, s, "none"))
		if err != nil || !slices.Equal(status.Failed, c.failed) || status.Chains != c.chains || book.plan.Done {
			t.Errorf("%s: %+v, %v", c.name, status, err)
		}
	}
}

func TestRunEndsWhereNothingCanBeKept(t *testing.T) {
	s, book := texts{4}, newShelf()
	book.full = true
	m := &scripted{answer: func(int, model.Request) (model.Reply, error) { return says("A"), nil }}
	_, err := Runner{Study: s.study(), Models: m.models(2), Book: book, Now: time.Now}.Do(context.Background(), planOf(t, s, "none"))
	if fault.KindOf(err) != fault.IO || len(m.asked) > 4 {
		t.Errorf("%d requests, %v", len(m.asked), err)
	}
}

// What a condition tells of earlier answers, of the card and of a cue is in the prompt, and nothing of case, gold or condition is.
func TestPromptsOfConditions(t *testing.T) {
	s := texts{1}
	for _, c := range []struct {
		condition string
		second    []string // what the prompt of the second question holds
		not       []string
		target    string
	}{
		{"none", []string{"Which side? — B. Left", "Cough."}, []string{"Hint:"}, ""},
		{"none+gold", []string{"Which side? — A. Right"}, []string{"B. Left\n-"}, ""},
		{"none+corrupt-side", []string{"Which side? — B. Left"}, []string{"— A."}, "B"},
		{"none+corrupt-negate", []string{"Which side? — C. Neither side"}, nil, "C"},
		{"none+given-none", nil, []string{"Earlier answers"}, ""},
		{"none+contradict", []string{"Which side? — A. Right", "wrong"}, nil, ""},
		{"none+gold:1", []string{"Which side? — B. Left"}, nil, ""},
		{"none+suggest-right", []string{"Hint: a colleague has looked already and thinks it is (A) Right."}, nil, "A"},
		{"none+suggest-right@S2", nil, []string{"Hint:"}, ""},
		{"none+suggest-wrong", []string{"(B) Left"}, nil, "B"},
		{"none+history-wrong", []string{"Referred from elsewhere for this (Left)."}, []string{"Cough."}, "B"},
		{"none+no-context", nil, []string{"Patient:"}, ""},
		{"none+context:age=20", []string{"20 years"}, []string{"60 years"}, ""},
		{"none+leak+mitigate:plain", []string{"on file is (A)", "disregard the opinions"}, nil, "A"},
	} {
		book := newShelf()
		m := &scripted{answer: func(int, model.Request) (model.Reply, error) { return says("B"), nil }}
		status, err := Runner{Study: s.study(), Models: m.models(1), Book: book, Now: time.Now}.Do(context.Background(), planOf(t, s, c.condition))
		if err != nil || status.Chains != 1 || len(m.asked) != 2 {
			t.Errorf("%s: %+v, %v", c.condition, status, err)
			continue
		}
		for _, want := range c.second {
			if !strings.Contains(m.asked[1], want) {
				t.Errorf("%s: no %q in\n%s", c.condition, want, m.asked[1])
			}
		}
		for _, not := range append(c.not, "case-01", c.condition, "gold") {
			if strings.Contains(m.asked[1], not) {
				t.Errorf("%s: %q in\n%s", c.condition, not, m.asked[1])
			}
		}
		for _, o := range book.made {
			if o.Targets["q2"] != c.target || o.Condition.Name() != c.condition {
				t.Errorf("%s: target %q, want %q; written %s", c.condition, o.Targets["q2"], c.target, o.Condition.Name())
			}
		}
	}
}

// What makes no sense for a case is counted and is no failure.
func TestNotApplicableIsNoFailure(t *testing.T) {
	s := texts{2}
	conditions := []string{"original", "occ", "swap", "expert", "none+corrupt-grade", "none+word:9", "none+lang:de", "insert", "none+given:occ"}
	m := &scripted{answer: func(int, model.Request) (model.Reply, error) { return says("A"), nil }}
	status, err := Runner{Study: s.study(), Models: m.models(3), Book: newShelf(), Now: time.Now}.Do(context.Background(), planOf(t, s, conditions...))
	n := 0
	for _, c := range status.NotApplicable {
		n += c.Count
	}
	if err != nil || len(status.Failed) > 0 || n != 2*len(conditions) || status.Chains != 0 || len(m.asked) != 0 {
		t.Errorf("%+v, %v", status, err)
	}
}

func TestAnswersAreRead(t *testing.T) {
	q := review.Question{ID: "q1", Options: []review.Option{{Letter: "A", Text: "x"}, {Letter: "B", Text: "y"}}}
	for _, c := range []struct {
		text string
		want review.Parse
	}{
		{`{"steps":[],"answer":"A"}`, review.ParseOK}, {`{"steps":[],"answer":""}`, review.Abstained}, {"A cat.", review.Unparsed}, {" \n", review.Empty},
	} {
		if a := read(q, model.Reply{Text: c.text}, sentFrames(0)); a.Parse != c.want || (a.Answer != nil) != (c.want == review.ParseOK) {
			t.Errorf("%q: %+v, want %s", c.text, a, c.want)
		}
	}
	places := `{"steps":[{"text":"here","places":[{"from":2,"to":3,"box":[0,0,0.5,0.5]},{"from":0,"to":99,"box":[0,0,0.5,0.5]},{"from":0,"to":0,"box":[0,0,7,7]}]}],"answer":"A"}`
	if a := read(q, model.Reply{Text: places}, sentFrames(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)); len(a.Steps) != 1 || len(a.Steps[0].Regions) != 1 || *a.Steps[0].Regions[0].To != 3 {
		t.Errorf("places that are in the image: %+v", a.Steps)
	}
	// Only some frames were sent, and out of order: the places are those of the frames that they are in.
	for _, c := range []struct {
		sent []int
		want [][2]int
	}{{[]int{10, 11, 20, 30, 40}, [][2]int{{20, 30}}}, {[]int{3, 9, 7, 1, 5}, [][2]int{{7, 7}, {1, 1}}}, {[]int{9, 7, 1, 3, 5}, [][2]int{{1, 3}}}} {
		var got [][2]int
		for _, r := range read(q, model.Reply{Text: places}, sentFrames(c.sent...)).Steps[0].Regions {
			got = append(got, [2]int{*r.From, *r.To})
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("frames %v sent: places in frames %v, want %v", c.sent, got, c.want)
		}
	}
	turned := sentFrames(0)
	turned[0].Turned = 3 // by half a turn
	corner := `{"steps":[{"text":"here","places":[{"box":[0,0,0.25,0.5]}]}],"answer":"A"}`
	if a := read(q, model.Reply{Text: corner}, turned); !slices.Equal(a.Steps[0].Regions[0].Coords, []float64{.75, .5, 1, 1}) {
		t.Errorf("a place in a picture sent turned: %v", a.Steps[0].Regions)
	}
}

// sentFrames are frames of one image as they were sent; of an image of one picture where there is only one.
func sentFrames(numbers ...int) []model.Sent {
	out := []model.Sent{}
	for _, n := range numbers {
		s := model.Sent{Image: "image-1", Frame: &n, Columns: 40, Rows: 40}
		if len(numbers) == 1 {
			s.Whole, s.Frame = true, nil
		}
		out = append(out, s)
	}
	return out
}

func TestPlans(t *testing.T) {
	list, added, err := ordered([]string{"occ+given:orig", "original", "gold"})
	if err != nil || len(added) != 0 || len(list) != 3 || list[0].Name() != "original" {
		t.Errorf("%v, added %v, %v", list, added, err)
	}
	if _, added, _ = ordered([]string{"given:occ"}); !slices.Equal(added, []string{"occ"}) {
		t.Errorf("added %v, want occ", added)
	}
	if _, err := NewPlan(nil, nil, []string{"pink"}, 1, time.Now()); fault.KindOf(err) != fault.Usage {
		t.Errorf("an unknown condition: %v", err)
	}
	c, _ := texts{1}.Case("case-01")
	e, err := EstimateOf(Plan{Models: []string{"a", "b"}, Conditions: []string{"given:occ"}}, []review.Case{c, c})
	if err != nil || e.Chains != 8 || e.Requests != 16 || !slices.Equal(e.Added, []string{"occ"}) {
		t.Errorf("%+v, %v", e, err)
	}
	e, err = EstimateOf(Plan{Models: []string{"a"}, Conditions: []string{"none+confident:90"}}, []review.Case{c})
	if err != nil || e.Chains != 2 || e.Requests != 2+2*mostRounds || e.Images != 0 || !slices.Equal(e.Added, []string{"none"}) {
		t.Errorf("until the model is sure: %+v, %v", e, err)
	}
}

func TestGateHoldsRequestsBack(t *testing.T) {
	g := &Gate{}
	if err := g.wait(context.Background()); err != nil || g.Closed() {
		t.Fatal("a new gate is open", err)
	}
	g.Close()
	g.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := g.wait(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("at a closed gate: %v", err)
	}
	through := make(chan error)
	go func() { through <- g.wait(context.Background()) }()
	g.Open()
	if err := <-through; err != nil || g.Closed() {
		t.Errorf("after it was opened: %v", err)
	}
}
