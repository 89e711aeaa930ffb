package experiment

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"plumbline/backend/model"
	"plumbline/backend/review"
)

// growing is a server that reasons in three steps, and is surer of its answer with each of them that it is given back: of B at first, of A from
// the second on. With probabilities left out it tells none.
func growing(t *testing.T, probabilities bool, asked *atomic.Int64) *model.Endpoint {
	t.Helper()
	sure := []float64{.6, .7, .95}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if !strings.Contains(string(body), "Answer with the letter of one option only.") {
			fmt.Fprint(w, `{"choices":[{"message":{"content":"{\"steps\":[{\"text\":\"One.\"},{\"text\":\"Two.\"},{\"text\":\"Three.\"}],\"answer\":\"A\"}"},"finish_reason":"stop"}]}`)
			return
		}
		given := strings.Count(string(body), `\u003e `) + strings.Count(string(body), "> ")
		letter, other := "B", "A"
		if given > 0 {
			letter, other = "A", "B"
		}
		choice := map[string]any{"message": map[string]string{"content": letter}, "finish_reason": "stop"}
		if probabilities {
			p := sure[given]
			token := func(s string, p float64) map[string]any {
				return map[string]any{"token": s, "logprob": math.Log(p), "bytes": []int{int(s[0])}}
			}
			first := token(letter, p)
			first["top_logprobs"] = []any{token(letter, p), token(other, 1-p)}
			choice["logprobs"] = map[string]any{"content": []any{first}}
		}
		if err := json.NewEncoder(w).Encode(map[string]any{"choices": []any{choice}}); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(server.Close)
	e, err := model.NewEndpoint(model.Profile{Schema: model.ProfileSchema, Name: "growing", BaseURL: server.URL + "/v1", Model: "m", Whole: true, Logprobs: 5}, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// Reasoning ends after the first step at which the model is sure enough; where it never is, nothing of it is left out.
func TestReasoningEndsWhereTheModelIsSure(t *testing.T) {
	for condition, want := range map[string]struct {
		answer   string
		steps    int // that are left of three
		requests int // of a question, beside that of the original
	}{
		"confident:50": {"B", 0, 1}, "confident:65": {"A", 1, 2}, "confident:90": {"A", 2, 3}, "confident:99": {"A", 3, 3},
	} {
		t.Run(condition, func(t *testing.T) {
			var asked atomic.Int64
			s, book := texts{1}, newShelf()
			models := []Asked{{Model: growing(t, true, &asked), Info: review.ModelInfo{Name: "growing"}, Concurrency: 2}}
			plan, err := NewPlan([]string{"growing"}, s.ids(), []string{"none", "none+" + condition}, 1, time.Unix(0, 0))
			if err != nil {
				t.Fatal(err)
			}
			status, err := Runner{Study: s.study(), Models: models, Book: book, Now: time.Now}.Do(t.Context(), plan)
			if err != nil || len(status.Failed) > 0 || status.Chains != 2 {
				t.Fatalf("%+v, %v", status, err)
			}
			if n := int(asked.Load()); n != 2+2*want.requests || n != status.Requests {
				t.Errorf("%d requests, the status says %d", n, status.Requests)
			}
			for id, c := range book.chains {
				if book.made[id].Condition.Text == "" {
					continue
				}
				for _, a := range c.Answers {
					if a.Answer == nil || *a.Answer != want.answer || len(a.Steps) != want.steps {
						t.Errorf("%s: %v with %d steps", a.Question, a.Answer, len(a.Steps))
					}
				}
			}
			// The same run again, from its notes: nothing is asked twice.
			before := asked.Load()
			book.chains = map[review.ChainID]review.Chain{}
			for key := range book.notes {
				if strings.HasPrefix(key, UnitNote) {
					delete(book.notes, key)
				}
			}
			if _, err := (Runner{Study: s.study(), Models: models, Book: book, Now: time.Now}).Do(t.Context(), plan); err != nil || asked.Load() != before || len(book.chains) != 2 {
				t.Errorf("%d asked again, %d chains, %v", asked.Load()-before, len(book.chains), err)
			}
		})
	}
}

// A reply without an answer comes without probabilities too: the model is not sure then, and is asked on.
func TestRefusalIsNotSure(t *testing.T) {
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if strings.Contains(string(body), "Answer with JSON only") {
			fmt.Fprint(w, `{"choices":[{"message":{"content":"{\"steps\":[{\"text\":\"One.\"},{\"text\":\"Two.\"}],\"answer\":\"A\"}"},"finish_reason":"stop"}]}`)
			return
		}
		fmt.Fprint(w, `{"choices":[{"message":{"content":null,"refusal":"I cannot help."},"finish_reason":"stop"}]}`)
	}))
	defer server.Close()
	e, err := model.NewEndpoint(model.Profile{Schema: model.ProfileSchema, Name: "refusing", BaseURL: server.URL + "/v1", Model: "m", Whole: true, Logprobs: 5}, "")
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s, book := texts{1}, newShelf()
	plan, err := NewPlan([]string{"refusing"}, s.ids(), []string{"none+confident:90"}, 1, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	status, err := Runner{Study: s.study(), Models: []Asked{{Model: e, Info: review.ModelInfo{Name: "refusing"}}}, Book: book, Now: time.Now}.Do(t.Context(), plan)
	if err != nil || status.Chains != 2 || len(status.NotApplicable) != 0 || asked.Load() != 2+2*2 {
		t.Fatalf("%d asked, %+v, %v", asked.Load(), status, err)
	}
	for _, c := range book.chains {
		for _, a := range c.Answers {
			if a.Answer == nil || *a.Answer != "A" || len(a.Steps) != 2 {
				t.Errorf("%+v", a)
			}
		}
	}
}

func TestNobodyKnowsHowSureAModelIsThatDoesNotTell(t *testing.T) {
	var asked atomic.Int64
	s := texts{1}
	for name, m := range map[string]model.Model{"tells none": growing(t, false, &asked), "built in": model.TextOnly{}} {
		models := []Asked{{Model: m, Info: review.ModelInfo{Name: m.Name()}, Concurrency: 1}}
		plan, err := NewPlan([]string{m.Name()}, s.ids(), []string{"none+confident:90"}, 1, time.Unix(0, 0))
		if err != nil {
			t.Fatal(err)
		}
		status, err := Runner{Study: s.study(), Models: models, Book: newShelf(), Now: time.Now}.Do(t.Context(), plan)
		if err != nil || len(status.NotApplicable) != 1 || status.NotApplicable[0].Kind != errNeverSure.why {
			t.Errorf("%s: %+v, %v", name, status, err)
		}
	}
}

func TestConfidentTakesAPercentage(t *testing.T) {
	for value, ok := range map[string]bool{"90": true, "99.5": true, "100": true, "0": false, "101": false, "-1": false, "x": false, "NaN": false, "": false} {
		if _, err := review.ParseCondition("confident:" + value); (err == nil) != ok {
			t.Errorf("confident:%s: %v", value, err)
		}
	}
}
