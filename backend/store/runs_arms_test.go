package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"go.etcd.io/bbolt"

	"plumbline/backend/review"
)

// madeUnder is what made a chain: a model under a condition in a run.
func madeUnder(t *testing.T, chain review.ChainID, model, condition, run string) review.Origin {
	t.Helper()
	c, err := review.ParseCondition(condition)
	if err != nil {
		t.Fatal(err)
	}
	return review.Origin{Schema: review.OriginSchema, Chain: chain, Model: review.ModelInfo{Name: model}, Condition: c, Run: run}
}

// listedArms writes the arms of a file in short.
func listedArms(t *testing.T, r *Runs) (all []string) {
	t.Helper()
	err := r.Arms(func(a Arm, chains int) error {
		got, err := r.Arm(a)
		if len(got) != chains {
			return fmt.Errorf("%v: %d chains, told %d", a, len(got), chains)
		}
		all = append(all, fmt.Sprint(a.Model, " ", a.Condition, " ", got))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Chains are listed by model and condition, imported and made; one that is imported anew under another condition leaves the old arm; a file
// without arms gets them when it is opened.
func TestArms(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs.db")
	r, err := OpenRuns(path)
	if err != nil {
		t.Fatal(err)
	}
	child := madeUnder(t, "c3", "m", "occ", "run-1")
	child.Parent = "c2"
	answer, entropy, text := "B", .5, "A step."
	said := review.Answer{Question: "q1", Answer: &answer, Parse: review.ParseOK, Probs: map[string]float64{"B": .8}, Entropy: &entropy, Steps: []review.Step{{ID: "s1", Text: &text, Regions: []review.Region{}}}}
	err = errors.Join(
		r.Put([]review.Origin{madeUnder(t, "c1", "m", "original", ""), madeUnder(t, "c4", "m", "noop", "")}, nil),
		r.Finish("run-1", "k2", []byte("c2"), review.Chain{Schema: review.ChainSchema, ID: "c2", Case: "case-1"}, madeUnder(t, "c2", "m", "original", "run-1")),
		r.Finish("run-1", "k3", []byte("c3"), review.Chain{Schema: review.ChainSchema, ID: "c3", Case: "case-2", Answers: []review.Answer{said}}, child),
		r.Put([]review.Origin{madeUnder(t, "c4", "other", "noop", "")}, nil),
	)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"m occ [{c3 run-1 c2}]", "m original [{c1  } {c2 run-1 }]", "other noop [{c4  }]"}
	if got := listedArms(t, r); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	cases := map[review.ChainID]review.CaseID{}
	if err := r.MadeOf(func(of review.CaseID, c review.ChainID) { cases[c] = of }); err != nil || len(cases) != 2 || cases["c3"] != "case-2" {
		t.Errorf("%v, %v", cases, err)
	}
	if said, known, err := r.Said("case-2", "c3"); err != nil || !known || len(said) != 1 || *said[0].Answer != "B" || *said[0].Entropy != .5 || said[0].Parse != review.ParseOK || said[0].Probs["B"] != .8 || len(said[0].Steps) > 0 {
		t.Errorf("%+v, %v, %v", said, known, err)
	}
	if _, known, err := r.Said("case-1", "c3"); err != nil || known {
		t.Errorf("a chain of another case: %v, %v", known, err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	older(t, path)
	if r, err = OpenRuns(path); err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if got := listedArms(t, r); !slices.Equal(got, want) {
		t.Errorf("of an older file: %q", got)
	}
}

// older makes a file of runs what it was before arms were listed.
func older(t *testing.T, path string) {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		return errors.Join(tx.DeleteBucket(armsBucket), tx.Bucket(metaBucket).Put(schemaKey, []byte("plumbline/runs/2")))
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}
