package export_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"plumbline/backend/export"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// A split never parts a cluster or a paraphrase group, holds every case once, comes near the shares where clusters are small, spreads strata,
// and is the same for the same seed.
func TestSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 60).Draw(t, "cases")
		var cases []*export.Case
		for i := range n {
			c := caseOf(fmt.Sprintf("c%02d", i), "")
			c.Cluster = fmt.Sprint("k", rapid.IntRange(0, n).Draw(t, "cluster"))
			if rapid.Bool().Draw(t, "grouped") {
				c.Group = fmt.Sprint("g", rapid.IntRange(0, n).Draw(t, "group"))
			}
			c.Stacks, c.Images = nil, nil
			cases = append(cases, c)
		}
		split := export.Split{Parts: []export.Part{{Name: "train", Share: .7}, {Name: "test", Share: .3}}, Seed: rapid.Uint64().Draw(t, "seed")}
		made := func() *export.SplitMade {
			dir, err := os.MkdirTemp("", "split")
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(dir)
			d, err := export.Write(t.Context(), filepath.Join(dir, "out"), "csv", sourceOf(cases...), export.Options{Split: &split}, review.Quiet)
			if err != nil {
				t.Fatal(err)
			}
			return d.Split
		}
		first := made()
		if fmt.Sprint(first.Cases) != fmt.Sprint(made().Cases) || len(first.Cases) != n {
			t.Fatalf("%d of %d cases, or another split for the same seed", len(first.Cases), n)
		}
		cluster, group := map[string]string{}, map[string]string{}
		for i, c := range first.Cases {
			for of, key := range map[*map[string]string]string{&cluster: cases[i].Cluster, &group: cases[i].Group} {
				if before, known := (*of)[key]; key != "" && known && before != c.Split {
					t.Fatalf("%s is in %s and %s", key, before, c.Split)
				}
				(*of)[key] = c.Split
			}
		}
	})
}

func TestSplitSharesAndStrata(t *testing.T) {
	var cases []*export.Case
	for i := range 200 {
		c := caseOf(fmt.Sprintf("c%03d", i), "")
		c.Cluster = fmt.Sprint("k", i/2)
		if i%10 < 2 {
			c.Images[0].Modality = "MR"
		}
		cases = append(cases, c)
	}
	o := export.Options{Split: &export.Split{Parts: []export.Part{{Name: "train", Share: .8}, {Name: "val", Share: .1}, {Name: "test", Share: .1}}, Seed: 5}}
	d := write(t, "csv", o, cases...)
	mr := map[string]float64{}
	for i, c := range d.Split.Cases {
		if i%10 < 2 {
			mr[c.Split]++
		}
	}
	for _, p := range d.Split.Parts {
		if math.Abs(float64(p.Cases)-200*p.Share) > 2 || math.Abs(mr[p.Name]-40*p.Share) > 2 {
			t.Errorf("%s: %d cases, %g of the rare kind, shares %g", p.Name, p.Cases, mr[p.Name], p.Share)
		}
	}
	if d.Split.Seed != 5 {
		t.Errorf("the seed is not kept: %d", d.Split.Seed)
	}
}

// A list that has one patient on both sides blocks the export, with the cases; so does an image that a split cannot see in two parts, and one
// that another export has in another part.
func TestLeakageBlocks(t *testing.T) {
	list := filepath.Join(t.TempDir(), "split.csv")
	put := func(text string) {
		if err := os.WriteFile(list, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	a, b := whole("c1", "p1"), whole("c2", "p1")
	b.Cluster = "c1"
	attempt := func(o export.Options, src export.Source) error {
		dir := filepath.Join(t.TempDir(), "out")
		_, err := export.Write(t.Context(), dir, "trl-sft", src, o, review.Quiet)
		if _, made := os.Stat(dir); err != nil && made == nil {
			t.Error("a blocked export made a folder")
		}
		return err
	}
	put("case,split\r\nc1,train\r\nc2,test\r\n")
	s, err := export.LoadSplit(list)
	if err != nil {
		t.Fatal(err)
	}
	mustBe(t, attempt(export.Options{Split: &s}, sourceOf(a, b)), fault.Refused, "cluster c1 is in test and train (cases c1, c2; in common: patient p1)")
	put("\xEF\xBB\xBFsplit,case\ntrain,c1\ntest,c2\n")
	if s, err = export.LoadSplit(list); err != nil {
		t.Fatal(err)
	}
	b.Cluster = "c2" // as if nobody had seen it
	same := sourceOf(a, b)
	same.Digest = func(_ context.Context, _ review.CaseID, _ review.ImageID) (review.Digest, error) {
		return "sha256:same", nil
	}
	mustBe(t, attempt(export.Options{Split: &s}, same), fault.Refused, "image sha256:same is in train and test (cases c1, c2)")

	d := write(t, "trl-sft", export.Options{Split: &export.Split{Parts: []export.Part{{Name: "train", Share: 1}}}}, a)
	o := export.Options{Split: &export.Split{Parts: []export.Part{{Name: "test", Share: 1}}}, Against: filepath.Join(d.Dir, export.ManifestFile)}
	mustBe(t, attempt(o, sourceOf(a)), fault.Refused, "is in test here and train there")
	if err := attempt(o, sourceOf(b)); err != nil {
		t.Errorf("another image: %v", err)
	}
	// Without a split nothing is apart: the same image here and there is a leak, and an export that names no images cannot be compared with.
	undivided := export.Options{Split: &export.Split{Parts: []export.Part{{Name: "all", Share: 1}}}}
	undivided.Against = filepath.Join(write(t, "trl-sft", undivided, a).Dir, export.ManifestFile)
	mustBe(t, attempt(undivided, sourceOf(a)), fault.Refused, "is in all here and all there")
	if err := attempt(undivided, sourceOf(b)); err != nil {
		t.Errorf("another image: %v", err)
	}
	undivided.Against = filepath.Join(write(t, "csv", export.Options{}, a).Dir, export.ManifestFile)
	mustBe(t, attempt(undivided, sourceOf(b)), fault.Invalid, "names no images")
	o.Against = list
	mustBe(t, attempt(o, sourceOf(b)), fault.Invalid, "the manifest of an export")
}

func TestParseSplit(t *testing.T) {
	for _, text := range []string{"", "train", "train=0.8", "train=0.8,train=0.2", "train=0.9,test=0.9", "a b=1", "train=-1,test=2", "train=NaN,test=1", "../x=1"} {
		if _, err := export.ParseSplit(text, 0); fault.KindOf(err) != fault.Usage {
			t.Errorf("%q: %v", text, err)
		}
	}
	if s, err := export.ParseSplit("train=0.8, test=0.2", 3); err != nil || len(s.Parts) != 2 || s.Seed != 3 {
		t.Errorf("%+v, %v", s, err)
	}
}

// A list of a split is read whatever bytes it holds: it is a split, or it says what is wrong.
func FuzzSplitList(f *testing.F) {
	for _, seed := range []string{"case,split\nc1,train\n", "split,case\n\"train\",c\n", "case\nx", "case,split\nc,train\nc,test", "\xEF\xBB\xBFcase,split\n", "case,split\n\"", "a,b\n1,2"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "split.csv")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := export.LoadSplit(path)
		if err != nil && fault.KindOf(err) != fault.Invalid {
			t.Fatalf("%v", err)
		}
		for id, part := range s.Given {
			if part == "" || strings.ContainsAny(part, "/. ") {
				t.Fatalf("case %q is in part %q", id, part)
			}
		}
	})
}
