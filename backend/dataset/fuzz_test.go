package dataset_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"plumbline/backend/dataset"
	"plumbline/backend/review"
)

// Whatever the files of a dataset hold: Open answers with a Set whose every case opens, or with a fault; and the index gives the same again.
func FuzzOwnFormat(f *testing.F) {
	f.Add(string(jsonl(f, sheet(1), sheet(2))), string(jsonl(f, chainOf("k", 1))), string(jsonl(f, review.Truth{Case: "c1", Question: "q1", Gold: ptr("A")})))
	f.Add(`{"id":"c1","images":null,"questions":[{"id":"q","k":1,"options":null}]}`, `{"id":"k","case":"c1","answers":[{"question":"q","parse":"ok"}]}`, `{"case":"c1","question":"q"}`)
	f.Add("{}\n[]\n\"\"\nnull\n{\"id\":7}", "{\"id\":\"\"}\nnull", "null\n{}")
	f.Add(`{"id":"../x","images":[{"id":"..","path":"../../etc","kind":"volume"},{"path":"images"},{"series":"1"}]}`, "", "")
	f.Fuzz(func(t *testing.T, cases, chains, truth string) {
		dir := t.TempDir()
		for name, content := range map[string]string{"cases.jsonl": cases, "chains/a.jsonl": chains, "chains/manifest.jsonl": truth, "truth.jsonl": truth} {
			put(t, dir, name, []byte(content))
		}
		put(t, dir, "images/1.png", onePicture)
		s, _, err := dataset.Open(context.Background(), dir, nil, review.Quiet)
		if err != nil {
			return
		}
		if s.Counts().Cases != len(s.IDs()) || len(s.IDs()) == 0 {
			t.Fatalf("counts %+v for %d cases", s.Counts(), len(s.IDs()))
		}
		for _, id := range s.IDs() {
			c, err := s.Case(id)
			if err != nil || c.ID != id || s.Cluster(id) == "" {
				t.Fatalf("case %q: %v", id, err)
			}
			stacks, _, err := s.Stacks(context.Background(), id)
			if err != nil || len(stacks) != len(c.Images) {
				t.Fatalf("%d stacks for %d images of %q: %v", len(stacks), len(c.Images), id, err)
			}
			if _, err := s.Chains(id); err != nil {
				t.Fatalf("chains of %q: %v", id, err)
			}
		}
		if _, _, err := s.Truth(context.Background()); err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.Origins(context.Background()); err != nil {
			t.Fatal(err)
		}
	})
}

// onePicture is a PNG of one pixel.
var onePicture = []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00:~\x9bU\x00\x00\x00\nIDATx\x9cc\xf8\x0f\x00\x01\x01\x01\x00\x1b\xb6\xeeV\x00\x00\x00\x00IEND\xaeB`\x82")

// Any bytes as a file among images: the good one still opens.
func FuzzFolder(f *testing.F) {
	f.Add([]byte("noise"), "a.dcm")
	f.Add(onePicture[:40], "cut.png")
	f.Add([]byte("\xff\xd8\xff\xe0"), "x")
	f.Add(onePicture[:33], "\xd2.M\xbe\x89\xa1\x10") // its ending in small letters is longer than the name
	f.Fuzz(func(t *testing.T, content []byte, name string) {
		dir := t.TempDir()
		name = filepath.Base(filepath.FromSlash(name))
		if os.WriteFile(filepath.Join(dir, name), content, 0o644) != nil {
			return // no file can have this name
		}
		put(t, dir, "good.png", onePicture)
		s, _, err := dataset.Open(context.Background(), dir, nil, review.Quiet)
		if err != nil {
			t.Fatal(err)
		}
		if s.Cluster("good") == "" {
			t.Fatalf("cases %v", s.IDs())
		}
	})
}
