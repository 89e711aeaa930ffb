package desk_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plumbline/backend/desk"
	"plumbline/backend/desktest"
	"plumbline/backend/review"
)

// longList is as many questions as the largest public benchmark that is to be imported has.
const longList = 110_406

// longDataset writes a dataset of longList cases of one question each, without images.
func longDataset(b *testing.B) string {
	dir := b.TempDir()
	var cases strings.Builder
	for i := range longList {
		fmt.Fprintf(&cases, `{"schema":"plumbline/case/1","id":"case-%06d","patient":"p%d","images":[],"questions":[{"id":"q1","k":1,"stage":"Findings","text":"Is there an effusion?","options":[{"letter":"A","text":"yes"},{"letter":"B","text":"no"}]}]}`+"\n", i, i/3)
	}
	for name, text := range map[string]string{"dataset.json": `{"schema":"plumbline/dataset/1","name":"long","cluster_key":"patient"}`, "cases.jsonl": cases.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	return dir
}

// BenchmarkLongWorklist measures the case table of 110,406 cases: first after a start, again, and an answer given while it is open.
func BenchmarkLongWorklist(b *testing.B) {
	home := b.TempDir()
	o := desk.Options{Folders: desk.Folders{Data: home, Config: home, State: home}}
	data := longDataset(b)
	ws := filepath.Join(home, "ws")
	start := func(b *testing.B) *desk.Desk {
		d := desk.New(o)
		if _, err := d.OpenWorkspace(b.Context(), ws); err != nil {
			b.Fatal(err)
		}
		return d
	}
	list := func(b *testing.B, d *desk.Desk) {
		if rows, err := d.Cases(b.Context()); err != nil || len(rows) != longList {
			b.Fatal(len(rows), err)
		}
	}
	b.Run("import", func(b *testing.B) {
		for b.Loop() {
			d := desk.New(o)
			if err := os.RemoveAll(ws); err != nil {
				b.Fatal(err)
			}
			if _, err := d.OpenWorkspace(b.Context(), ws); err != nil {
				b.Fatal(err)
			}
			if _, err := d.Import(b.Context(), data); err != nil {
				b.Fatal(err)
			}
			d.Close()
		}
	})
	b.Run("open workspace", func(b *testing.B) {
		for b.Loop() {
			start(b).Close()
		}
	})
	d := start(b)
	defer d.Close()
	b.Run("first list", func(b *testing.B) {
		for b.Loop() {
			if _, err := d.SetReader(b.Context(), "R2"); err != nil { // forgets what was worked out
				b.Fatal(err)
			}
			if _, err := d.SetReader(b.Context(), "R1"); err != nil {
				b.Fatal(err)
			}
			list(b, d)
		}
	})
	b.Run("list again", func(b *testing.B) {
		for b.Loop() {
			list(b, d)
		}
	})
	b.Run("look", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			v, err := d.OpenCase(b.Context(), fmt.Sprintf("case-%06d", i%longList))
			if err != nil {
				b.Fatal(err)
			}
			if _, err := d.Look(b.Context(), v.Assignment, review.Look{Question: "q1", Answer: "A", Confidence: 1}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkRate is a click in the judge phase: everything that happens between the key and "saved".
func BenchmarkRate(b *testing.B) {
	r := desktest.New(b).As("ann").Open("case-01").LookAll()
	supports := []review.Support{review.Supported, review.NotVisual}
	for i := 0; b.Loop(); i++ {
		full, _ := desktest.Full(r.View, "x11", "s1", supports[i%2])
		if _, err := r.Desk().Rate(b.Context(), r.View.Assignment, "x11", full, ""); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMerge takes back packages of 5,000 ratings; its measure is BenchmarkReadAndHash, of the same bytes as they come out of the lock.
func BenchmarkMerge(b *testing.B) {
	study, boss, words := longWords(b, 5000)
	for n := 0; b.Loop(); n++ {
		b.StopTimer()
		copied := study.CopyOf(boss, fmt.Sprint("copy-", n))
		b.StartTimer()
		if m := copied.TakeBack(words); m[0].EventsNew < 5000 {
			b.Fatalf("%+v", m)
		}
	}
}

// BenchmarkReadAndHash is the physical limit of BenchmarkMerge: every byte of the package read and hashed once.
func BenchmarkReadAndHash(b *testing.B) {
	_, _, words := longWords(b, 5000)
	for b.Loop() {
		data, err := os.ReadFile(words)
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(data)))
		sha256.Sum256(data)
	}
}

// longWords gives a package of n ratings that a reader hands back.
func longWords(b *testing.B, n int) (*desktest.Study, *desktest.Person, string) {
	study := desktest.Many(b, 4)
	boss := study.Coordinator().Set(desktest.Rules("R1", "R2"))
	boss.Assign()
	reader := boss.HandTo(study.Away("R2"))
	r := reader.Open("case-001").LookAll()
	chain := r.View.Chains[0].ID
	full, ok := desktest.Full(r.View, chain, r.View.Chains[0].Answers[0].Steps[0].ID, review.Supported)
	if !ok {
		b.Fatal("no such step")
	}
	for i := range n {
		full.Note = fmt.Sprint("looked at it for the ", i, "th time")
		if _, err := r.Desk().Rate(b.Context(), r.View.Assignment, chain, full, ""); err != nil {
			b.Fatal(err)
		}
	}
	return study, boss, reader.HandBack()
}
