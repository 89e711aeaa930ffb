package experiment

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plumbline/backend/fault"
	"plumbline/backend/model"
	"plumbline/backend/review"
)

// A question that is left out is in no batch and is not waited for: the chain is complete without it.
func TestBatchWithoutAQuestionThatIsLeftOut(t *testing.T) {
	yes, a := true, "A"
	s := one{questions: []review.Question{{ID: "q1", K: 2, Text: "Where?", Options: options("AB")}, {ID: "q2", K: 3, Text: "What?", Options: options("AB")}}}
	for q, evidence := range map[review.QuestionID]review.Region{"q1": box(.1, .1, .9, .9), "q2": box(.3, .3, .4, .4)} {
		s.truth = append(s.truth, review.Truth{Case: "case-1", Question: q, Gold: &a, Present: &yes, Evidence: []review.Region{evidence}})
	}
	profile := model.Profile{Schema: model.ProfileSchema, Name: "far", BaseURL: "http://127.0.0.1:1/v1", Model: "m"}
	plan, err := NewPlan([]string{"far"}, []review.CaseID{"case-1"}, []string{"original", "occ/mean+given:original"}, 1, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	book := newShelf()
	runner := func() Runner {
		e, err := model.NewEndpoint(profile, "")
		if err != nil {
			t.Fatal(err)
		}
		return Runner{Study: Study{Source: s, Truth: s.truth}, Models: []Asked{{Model: e, Info: review.ModelInfo{Name: "m"}, Concurrency: 1}}, Book: book, Now: time.Now}
	}
	for round := range 4 {
		w, err := model.NewBatchWriter(filepath.Join(t.TempDir(), "batch"), profile, model.BatchOptions{Style: model.VLLMBatch, Run: plan.Run})
		if err != nil {
			t.Fatal(err)
		}
		b, _, err := runner().WriteBatch(t.Context(), plan, w)
		if fault.KindOf(err) == fault.NotFound {
			if round < 2 {
				t.Errorf("only %d rounds", round)
			}
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		var lines strings.Builder
		for _, r := range b.Requests {
			fmt.Fprintf(&lines, `{"custom_id":%q,"response":{"status_code":200,"body":{"choices":[{"message":{"content":"{\"steps\":[],\"answer\":\"A\"}"},"finish_reason":"stop"}]}},"error":null}`+"\n", r.ID)
		}
		if _, _, err := runner().ReadBatch(t.Context(), plan, b, []io.Reader{strings.NewReader(lines.String())}); err != nil {
			t.Fatal(err)
		}
	}
	if len(book.chains) != 2 {
		t.Fatalf("%d chains", len(book.chains))
	}
	for id, o := range book.made {
		if occluded := o.Condition.Image == "occ"; occluded != (o.LeftOut["q1"] != "") || occluded != (len(book.chains[id].Answers) == 1) {
			t.Errorf("%s: %d answers, left out %v", o.Condition.Name(), len(book.chains[id].Answers), o.LeftOut)
		}
	}
}
