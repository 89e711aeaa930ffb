package report_test

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"plumbline/backend/report"
	"plumbline/backend/review"
)

// grown is a study of so many cases of four questions that two models answered, and hands over each chain as it would come from a disk.
func grown(cases int) (in report.Input, each func(take func(*review.Chain, *review.Origin) error) error) {
	in = report.Input{Dataset: review.Dataset{Name: "grown", ClusterKey: "patient"}, Clusters: map[review.CaseID]string{}, Seed: 7}
	options := []review.Option{{Letter: "A", Text: "left"}, {Letter: "B", Text: "right"}, {Letter: "C", Text: "none"}}
	a := "A"
	for k := range 4 {
		in.Dataset.StagePack.Stages = append(in.Dataset.StagePack.Stages, review.Stage{K: k + 1, Name: fmt.Sprint("S", k+1)})
	}
	for i := range cases {
		c := review.Case{ID: review.CaseID(fmt.Sprintf("c%07d", i)), Patient: review.PatientID(fmt.Sprint("p", i/2)), Images: []review.Image{{ID: "i", Path: fmt.Sprint(i, ".png")}}}
		for k := range 4 {
			q := review.QuestionID(fmt.Sprint("q", k+1))
			c.Questions = append(c.Questions, review.Question{ID: q, K: k + 1, Options: options})
			in.Truth = append(in.Truth, review.Truth{Case: c.ID, Question: q, Gold: &a, Evidence: []review.Region{{Image: "i", Shape: review.Box, Coords: []float64{.1, .1, .3, .3}}}})
		}
		in.Cases = append(in.Cases, c)
		in.Clusters[c.ID] = fmt.Sprint(i / 2)
	}
	text := "The left lower lobe shows a rounded opacity with a smooth margin."
	return in, func(take func(*review.Chain, *review.Origin) error) error {
		for i := range cases {
			for m, name := range []string{"one", "two"} {
				chain := review.Chain{Schema: review.ChainSchema, ID: review.ChainID(fmt.Sprintf("ch-%07d-%s", i, name)), Case: in.Cases[i].ID, Digest: review.Digest(fmt.Sprintf("sha256:%064d", i))}
				origin := review.Origin{Schema: review.OriginSchema, Chain: chain.ID, Model: review.ModelInfo{Name: name}, Run: "run-1"}
				for k, q := range in.Cases[i].Questions {
					answer := "AAB"[(i*7+k*k+m*i/3)%3:][:1]
					step := review.Step{ID: review.StepID(q.ID), Text: &text, Regions: []review.Region{{ID: "r", Image: "i", Shape: review.Box, Coords: []float64{.1, .1, .2, .2}}}}
					chain.Answers = append(chain.Answers, review.Answer{Question: q.ID, Answer: &answer, Parse: review.ParseOK, Steps: []review.Step{step}})
					origin.Recipes = append(origin.Recipes, review.Recipe{Questions: []review.QuestionID{q.ID}, Image: "original", Sent: 1})
				}
				var c review.Chain
				var o review.Origin
				if err := through(chain, &c); err != nil {
					return err
				}
				if err := through(origin, &o); err != nil {
					return err
				}
				if err := take(&c, &o); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// through puts a record into JSON and back.
func through(from, to any) error {
	b, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, to)
}

// Time and memory of a report for each answer, from a thousand answers to a million; memory is the most that was in use beyond cases and truth.
func BenchmarkReportGrowth(b *testing.B) {
	for _, answers := range []int{1000, 10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(answers), func(b *testing.B) {
			in, each := grown(answers / 8)
			for b.Loop() {
				most := peak(func() {
					if err := made(in, each); err != nil {
						b.Fatal(err)
					}
				})
				b.ReportMetric(float64(most)/float64(answers), "B/answer")
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(answers), "ns/answer")
		})
	}
}

// peak gives the most memory in use while something is done, beyond that before.
func peak(do func()) uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	before := m.HeapAlloc
	var most atomic.Uint64
	done := make(chan struct{})
	go func() {
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most.Store(max(most.Load(), m.HeapAlloc))
			select {
			case <-done:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	do()
	close(done)
	return most.Load() - min(before, most.Load())
}

func made(in report.Input, each func(take func(*review.Chain, *review.Origin) error) error) error {
	in.Each = each
	_, err := report.Make(context.Background(), in)
	return err
}
