package desk_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"plumbline/backend/desk"
	"plumbline/backend/desktest"
	"plumbline/backend/fault"
	"plumbline/backend/review"
	"plumbline/backend/store"
)

// BenchmarkArms measures the lists of the compare screen in a study whose runs made 20,000 chains: 2,000 cases under ten conditions.
func BenchmarkArms(b *testing.B) {
	const cases = 2000
	conditions := []string{"original", "noop", "occ/tissue", "ctl/tissue", "none", "swap", "suggest-right", "suggest-wrong", "none+suggest-right", "no-context"}
	boss := afterRuns(b, cases, conditions)
	b.Run("arms", func(b *testing.B) {
		for b.Loop() {
			if all, err := boss.Desk.Arms(b.Context()); err != nil || len(all) < len(conditions) {
				b.Fatalf("%d arms, %v", len(all), err)
			}
		}
	})
	b.Run("queue", func(b *testing.B) {
		for b.Loop() {
			if q, err := boss.Desk.Queue(b.Context()); err != nil || len(q.Cases) != cases {
				b.Fatalf("%d cases, %v", len(q.Cases), err)
			}
		}
	})
	b.Run("pairs", func(b *testing.B) {
		for b.Loop() {
			got, err := boss.Desk.PairsOf(b.Context(), desk.PairName{Model: "made", Before: "original", After: "occ/tissue"})
			if err != nil || len(got.Pairs) != cases {
				b.Fatalf("%d pairs, %v", len(got.Pairs), err)
			}
		}
	})
}

// BenchmarkArmsOfManyCases measures what is listed and looked for over 100,000 cases of which a run made 200,000 chains. A route ends where no
// right answer is known, after the words of every case were compared.
func BenchmarkArmsOfManyCases(b *testing.B) {
	const cases = 100000
	boss := afterRuns(b, cases, []string{"original", "occ/tissue"})
	b.Run("queue", func(b *testing.B) {
		for b.Loop() {
			if _, err := boss.Desk.Queue(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("pairs", func(b *testing.B) {
		for b.Loop() {
			got, err := boss.Desk.PairsOf(b.Context(), desk.PairName{Model: "made", Before: "original", After: "occ/tissue"})
			if err != nil || len(got.Pairs) != cases {
				b.Fatalf("%d pairs, %v", len(got.Pairs), err)
			}
		}
	})
	b.Run("route", func(b *testing.B) {
		for b.Loop() {
			if _, err := boss.Desk.RouteCase(b.Context(), "case-007"); fault.KindOf(err) != fault.NotFound {
				b.Fatal(err)
			}
		}
	})
}

// afterRuns gives the coordinator of a study whose runs asked every case under every condition.
func afterRuns(b *testing.B, cases int, conditions []string) *desktest.Person {
	b.Helper()
	study := desktest.Many(b, cases)
	boss := study.Coordinator()
	if err := boss.Desk.Close(); err != nil {
		b.Fatal(err)
	}
	keepMade(b, filepath.Join(study.Folder("coordinator"), "runs.db"), cases, conditions)
	boss.Restart()
	return boss
}

// keepMade keeps a chain of every case under every condition, as one run would.
func keepMade(b *testing.B, path string, cases int, conditions []string) {
	b.Helper()
	runs, err := store.OpenRuns(path)
	if err != nil {
		b.Fatal(err)
	}
	defer runs.Close()
	text := "The left lower lobe shows a rounded opacity with a smooth margin."
	for n := range cases {
		for k, name := range conditions {
			c, err := review.ParseCondition(name)
			if err != nil {
				b.Fatal(err)
			}
			chain := review.Chain{Schema: review.ChainSchema, ID: review.ChainID(fmt.Sprintf("ch-%05d-%02d", n, k)), Case: review.CaseID(fmt.Sprintf("case-%03d", n+1)), ImageDigests: []review.Digest{}}
			origin := review.Origin{Schema: review.OriginSchema, Chain: chain.ID, Model: review.ModelInfo{Name: "made"}, Condition: c, Run: "run-1"}
			for _, q := range []review.QuestionID{"q1", "q2"} {
				answer := "AB"[(n+k)%2 : (n+k)%2+1]
				step := review.Step{ID: review.StepID(q), Text: &text, Regions: []review.Region{{ID: "r", Image: "xr", Shape: review.Box, Coords: []float64{.1, .1, .2, .2}}}}
				chain.Answers = append(chain.Answers, review.Answer{Question: q, Answer: &answer, Parse: review.ParseOK, Steps: []review.Step{step, step, step}})
				origin.Recipes = append(origin.Recipes, review.Recipe{Questions: []review.QuestionID{q}, Image: c.Image, Regions: step.Regions, Frames: []int{0}, Sent: 1})
			}
			if err := runs.Finish("run-1", fmt.Sprint("unit\x00", n, "\x00", k), []byte(chain.ID), chain, origin); err != nil {
				b.Fatal(err)
			}
		}
	}
}
