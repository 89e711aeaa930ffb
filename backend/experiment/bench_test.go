package experiment

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"
	"time"

	"plumbline/backend/model"
	"plumbline/backend/review"
)

// blank is a Book that keeps nothing: what is measured is the run itself.
type blank struct{}

func (blank) SavePlan(string, []byte) error                                    { return nil }
func (blank) Note(string, map[string][]byte) error                             { return nil }
func (blank) Noted(string) (map[string][]byte, error)                          { return map[string][]byte{}, nil }
func (blank) Finish(string, string, []byte, review.Chain, review.Origin) error { return nil }

// BenchmarkRun asks an echo server 1,000, 10,000 and 100,000 requests at a concurrency of 8 through the whole engine, and tells the time for
// each and how much more is held while the run is under way than before it: both stay flat (performance.md, "Growth").
func BenchmarkRun(b *testing.B) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, `{"choices":[{"message":{"content":"{\"steps\":[{\"text\":\"Seen.\"}],\"answer\":\"A\"}"},"finish_reason":"stop"}]}`)
	}))
	defer server.Close()
	p := model.Profile{Schema: model.ProfileSchema, Name: "echo", BaseURL: server.URL + "/v1", Model: "m", Concurrency: 8, Whole: true}
	for _, n := range []int{1000, 10000, 100000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			e, err := model.NewEndpoint(p, "")
			if err != nil {
				b.Fatal(err)
			}
			defer e.Close()
			s := texts{n / 4} // two questions, two conditions
			about := s.study()
			models := []Asked{{Model: e, Info: review.ModelInfo{Name: "m"}, Concurrency: 8}}
			for b.Loop() {
				plan, err := NewPlan([]string{"echo"}, s.ids(), []string{"none", "none+given:none"}, 1, time.Unix(0, 0))
				if err != nil {
					b.Fatal(err)
				}
				most, before := 0., held()
				status, err := Runner{Study: about, Models: models, Book: blank{}, Now: time.Now, Tell: func(s Status) {
					if s.Units%(s.Of/4) == 0 {
						most = max(most, held()-before)
					}
				}}.Do(context.Background(), plan)
				if err != nil || status.Requests != n {
					b.Fatalf("%+v, %v", status, err)
				}
				b.ReportMetric(status.Seconds/float64(n)*1e6, "µs/request")
				b.ReportMetric(most, "MB-held")
			}
		})
	}
}

// held is how much memory is in use, in MB.
func held() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / (1 << 20)
}
