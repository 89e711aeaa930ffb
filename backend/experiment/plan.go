package experiment

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// PlanSchema is that of a plan.
const PlanSchema = "plumbline/run/1"

// A Plan is what a run does: every model answers every case under every condition.
type Plan struct {
	Schema     string          `json:"schema"`
	Run        string          `json:"run"` // its id
	Begun      string          `json:"begun"`
	Seed       int64           `json:"seed"`
	Models     []string        `json:"models"`
	Cases      []review.CaseID `json:"cases"`
	Conditions []string        `json:"conditions"`
	Wording    *Wording        `json:"wording,omitempty"`   // of cues and mitigations; it stays as it was when the run began
	Emphasis   []Emphasis      `json:"emphasis,omitempty"`  // of the conditions with words or places that a reader points to
	Corrected  []Corrected     `json:"corrected,omitempty"` // of the conditions with answers of an expert
	Done       bool            `json:"done"`                // nothing of it is left to ask
}

// An Estimate says what a plan will come to, before anything is asked. Conditions that make no sense for a case are not yet left out.
type Estimate struct {
	Chains   int      `json:"chains"`
	Requests int      `json:"requests"`
	Images   int      `json:"images"`  // that are sent, counted each time
	Added    []string `json:"added"`   // conditions that others need
	Bytes    int64    `json:"bytes"`   // of those images, as they go over a wire
	Seconds  float64  `json:"seconds"` // at the pace at which the same models were asked before; 0: not known
	Unpaced  []string `json:"unpaced"` // models that were not asked here before
}

// ordered reads the names of conditions, adds the runs that given:… names and puts each after what it needs. No name stands twice.
func ordered(names []string) (list []review.Condition, added []string, err error) {
	added = []string{}
	have := map[string]bool{}
	var add func(name string, needed bool) error
	add = func(name string, needed bool) error {
		c, err := review.ParseCondition(name)
		if err != nil {
			return fault.New(fault.Usage, "read condition", name, "%w", err)
		}
		if have[c.Name()] {
			return nil
		}
		for _, from := range needs(c) {
			if err := add(from, !slices.Contains(names, from)); err != nil {
				return err
			}
		}
		have[c.Name()] = true
		if needed {
			added = append(added, c.Name())
		}
		list = append(list, c)
		return nil
	}
	for _, n := range names {
		if err := add(n, false); err != nil {
			return nil, nil, err
		}
	}
	return list, slices.DeleteFunc(added, func(a string) bool { return slices.Contains(names, a) }), nil
}

// needs names the conditions whose answers a condition is told: those that earlier answers are held at, and that whose reasoning is given
// back.
func needs(c review.Condition) []string {
	var out []string
	if c.GivenFrom != "" {
		if from, err := review.ParseCondition(c.GivenFrom); err == nil {
			out = append(out, from.Name())
		}
	}
	if b, gives := base(c); gives {
		out = append(out, b.Name())
	}
	return out
}

// EstimateOf says what a plan over these cases comes to. Faults: Usage for a condition that cannot be read.
func EstimateOf(p Plan, cases []review.Case) (Estimate, error) {
	list, added, err := ordered(p.Conditions)
	if err != nil {
		return Estimate{}, err
	}
	e := Estimate{Added: added, Unpaced: []string{}}
	for _, c := range cases {
		n := len(p.Models) * len(list)
		e.Chains += n
		for _, cond := range list {
			requests := len(p.Models) * len(c.Questions)
			if _, stops := sureness(cond); stops {
				requests *= mostRounds
			}
			e.Requests += requests
			if cond.Image != "none" {
				e.Images += requests * len(c.Images)
			}
		}
	}
	return e, nil
}

// SizeOf says how many pictures of a case are sent with a question, and how large they are on a wire: grey or colour of 8 bits, in base64.
func SizeOf(stacks []review.Stack) (images int, bytes int64) {
	for _, s := range stacks {
		n, each := 0, 0
		for _, f := range s.Frames {
			if f.Problem == "" {
				n, each = n+1, f.Rows*f.Columns*max(1, f.Samples)
			}
		}
		n = min(n, mostSent)
		images, bytes = images+n, bytes+int64(n)*int64(each)*4/3
	}
	return images, bytes
}

// unit is one chain to be made.
type unit struct {
	model     int
	of        review.CaseID
	condition review.Condition
}

func (u unit) key(models []Asked) string {
	return unitKey(models[u.model].Info, u.of, u.condition.Name())
}

func unitKey(m review.ModelInfo, of review.CaseID, condition string) string {
	return fmt.Sprintf("%s\x00%s\x00%s\x00%s", m.Name, m.Revision, of, condition)
}

// chainID names a chain so that the name tells nothing of what made it. The same unit of the same run has the same name.
func chainID(run, key string) review.ChainID {
	d := review.DigestOf([]byte("chain\x00" + run + "\x00" + key))
	return review.ChainID("ch-" + string(d)[len("sha256:"):][:16])
}

// requestID names a request of a run in a batch: the same each time, and telling nothing.
func requestID(run, note string) string {
	d := review.DigestOf([]byte("request\x00" + run + "\x00" + note))
	return "rq-" + string(d)[len("sha256:"):][:32]
}

// NewPlan makes a plan with an id that no other has.
func NewPlan(models []string, cases []review.CaseID, conditions []string, seed int64, begun time.Time) (Plan, error) {
	if _, _, err := ordered(conditions); err != nil {
		return Plan{}, err
	}
	var random [12]byte
	if _, err := rand.Read(random[:]); err != nil {
		return Plan{}, fault.In("begin run", "", err)
	}
	return Plan{
		Schema: PlanSchema, Run: "run-" + hex.EncodeToString(random[:]), Begun: begun.UTC().Format(time.RFC3339), Seed: seed,
		Models: models, Cases: cases, Conditions: conditions,
	}, nil
}
