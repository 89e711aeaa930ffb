package dataset_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"plumbline/backend/dataset"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

func TestOwnFormat(t *testing.T) {
	s, problems := open(t, own(t, 3), nil)
	expect(t, problems)
	want := dataset.Counts{Cases: 3, Chains: 3, Patients: 3, Images: 3, Frames: 3, Clusters: 3}
	if s.Counts() != want || s.Format() != dataset.Plumbline || s.Info().Name != "Trial" {
		t.Errorf("counts %+v, want %+v; format %s; name %s", s.Counts(), want, s.Format(), s.Info().Name)
	}
	if ids := s.IDs(); !reflect.DeepEqual(ids, []review.CaseID{"c1", "c2", "c3"}) {
		t.Errorf("order %v", ids)
	}
	c, err := s.Case("c2")
	if err != nil || c.Patient != "p2" || len(c.Questions) != 2 {
		t.Errorf("case %+v, %v", c, err)
	}
	chains, err := s.Chains("c2")
	if err != nil || len(chains) != 1 || chains[0].ID != "k2" || len(chains[0].Answers) != 2 {
		t.Errorf("chains %+v, %v", chains, err)
	}
	stacks, _, err := s.Stacks(context.Background(), "c2")
	if err != nil || len(stacks) != 1 || stacks[0].Image != "i" || len(stacks[0].Frames) != 1 || stacks[0].Frames[0].Columns != 24 {
		t.Errorf("stacks %+v, %v", stacks, err)
	}
	f, samples, err := s.Samples(context.Background(), "c2", "i", 0)
	if err != nil || f.Rows != 20 || len(samples.Data) != 24*20 {
		t.Errorf("frame %+v, %d bytes, %v", f, len(samples.Data), err)
	}
}

func TestWhatIsNotThere(t *testing.T) {
	s, _ := open(t, own(t, 1), nil)
	ctx := context.Background()
	_, errCase := s.Case("no")
	_, errChains := s.Chains("no")
	_, _, errStacks := s.Stacks(ctx, "no")
	_, _, errOf := s.Samples(ctx, "no", "i", 0)
	_, _, errImage := s.Samples(ctx, "c1", "no", 0)
	_, _, errFrame := s.Samples(ctx, "c1", "i", 1)
	for i, err := range []error{errCase, errChains, errStacks, errOf, errImage, errFrame} {
		if fault.KindOf(err) != fault.NotFound {
			t.Errorf("%d: %v, want not found", i, err)
		}
	}
	if s.Cluster("no") != "" || len(s.CaseProblems("no")) != 0 {
		t.Error("an unknown case has a cluster or problems")
	}
}

// Each row breaks one file of a dataset of eight cases: the others stay good.
func TestBadInput(t *testing.T) {
	lines := func(bad any, at int) func(t *testing.T) []byte {
		return func(t *testing.T) []byte {
			var out []any
			for i := 1; i <= 8; i++ {
				if i == at {
					out = append(out, bad)
				} else {
					out = append(out, sheet(i))
				}
			}
			return jsonl(t, out...)
		}
	}
	with := func(n int, change func(*review.Case)) review.Case { c := sheet(n); change(&c); return c }
	for _, c := range []struct {
		name  string
		cases func(t *testing.T) []byte
		good  int
		want  []want
	}{
		{"broken JSON in line 7", lines(`{"id":"c7","questions":[`, 7), 7, []want{
			{File: "cases.jsonl", Line: 7, Text: "not valid JSON"},
			{File: "chains/a.jsonl", Line: 7, Field: "case", Text: "case c7 is not in this dataset"}}},
		{"a field of the wrong type", lines(`{"id":"c7","images":"one"}`, 7), 7, []want{
			{File: "cases.jsonl", Line: 7, Field: "images", Text: "expected"},
			{File: "chains/a.jsonl", Line: 7, Field: "case", Text: "case c7 is not in this dataset"}}},
		{"from a newer program", lines(`{"schema":"plumbline/case/9","id":"c7"}`, 7), 7, []want{
			{File: "cases.jsonl", Line: 7, Text: "newer Plumbline"},
			{File: "chains/a.jsonl", Line: 7, Field: "case", Text: "case c7 is not in this dataset"}}},
		{"no id", lines(with(7, func(c *review.Case) { c.ID = "" }), 7), 7, []want{
			{File: "cases.jsonl", Line: 7, Field: "id", Text: "missing"},
			{File: "chains/a.jsonl", Line: 7, Field: "case", Text: "case c7 is not in this dataset"}}},
		{"an id twice", lines(with(7, func(c *review.Case) { c.ID = "c2" }), 7), 7, []want{
			{File: "cases.jsonl", Line: 7, Field: "id", Text: "in line 2"},
			{File: "chains/a.jsonl", Line: 7, Field: "case", Text: "case c7 is not in this dataset"}}},
		{"no patient", lines(with(7, func(c *review.Case) { c.Patient = "" }), 7), 8, []want{
			{File: "cases.jsonl", Line: 7, Field: "patient", Text: "case c7: no patient"}}},
		{"a missing image", lines(with(7, func(c *review.Case) { c.Images[0].Path = "images/none.png" }), 7), 8, []want{
			{File: "cases.jsonl", Line: 7, Field: "images[0].path", Text: "images/none.png: file not found"}}},
		{"an image with neither path nor series", lines(with(7, func(c *review.Case) { c.Images[0].Path = "" }), 7), 8, []want{
			{File: "cases.jsonl", Line: 7, Field: "images[0]", Text: "neither path nor series"}}},
		{"an unknown kind", lines(with(7, func(c *review.Case) { c.Images[0].Kind = "film" }), 7), 8, []want{
			{File: "cases.jsonl", Line: 7, Field: "images[0].kind", Text: "image, frames or volume expected"}}},
		{"a series that is not there", lines(with(7, func(c *review.Case) { c.Images[0].Path, c.Images[0].Series = "", "1.2.3" }), 7), 8, []want{
			{File: "cases.jsonl", Line: 7, Field: "images[0].path", Text: "no file of this series"}}},
		{"a frame shown that is not there", lines(with(7, func(c *review.Case) { c.FramesShown = []int{0, 1} }), 7), 8, []want{
			{File: "cases.jsonl", Line: 7, Field: "frames_shown", Text: "frames 0 to 0"}}},
		{"an image twice", lines(with(7, func(c *review.Case) { c.Images = append(c.Images, c.Images[0]) }), 7), 8, []want{
			{File: "cases.jsonl", Line: 7, Field: "images[1].id", Text: "stands twice"}}},
		{"derived from nothing", lines(with(7, func(c *review.Case) { c.Images[0].DerivedFrom = "x" }), 7), 8, []want{
			{File: "cases.jsonl", Line: 7, Field: "images[0].derived_from", Text: "no other image"}}},
		{"a stage outside the pack", lines(with(7, func(c *review.Case) { c.Questions[0].K = 5 }), 7), 8, []want{
			{File: "cases.jsonl", Line: 7, Field: "questions[0].k", Text: "stage 5 is not in the stage pack"}}},
		{"an unknown parent", lines(with(7, func(c *review.Case) { c.Questions[1].Parents[0] = "q9" }), 7), 8, []want{
			{File: "cases.jsonl", Line: 7, Field: "questions[1].parents[0]", Text: `"q9" is no other question`}}},
		{"an option twice", lines(with(7, func(c *review.Case) { c.Questions[0].Options[1].Letter = "A" }), 7), 8, []want{
			{File: "cases.jsonl", Line: 7, Field: "questions[0].options[1].letter", Text: "letter A stands twice"}}},
		{"one option", lines(with(7, func(c *review.Case) { c.Questions[1].Options = c.Questions[1].Options[1:] }), 7), 8, []want{
			{File: "cases.jsonl", Line: 7, Field: "questions[1].options", Text: "one option is no choice"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := own(t, 8)
			put(t, dir, "cases.jsonl", c.cases(t))
			s, problems := open(t, dir, nil)
			expect(t, problems, c.want...)
			if s.Counts().Cases != c.good {
				t.Errorf("%d cases, want %d", s.Counts().Cases, c.good)
			}
			if _, _, err := s.Samples(context.Background(), "c8", "i", 0); err != nil {
				t.Errorf("a good case does not open: %v", err)
			}
			if len(c.want) > 0 && strings.Contains(c.want[0].Text, "c7") && len(s.CaseProblems("c7")) == 0 {
				t.Error("the case does not know its problem")
			}
		})
	}
}

func TestBadChains(t *testing.T) {
	with := func(change func(*review.Chain)) review.Chain { c := chainOf("k2", 1); change(&c); return c }
	frame := with(func(c *review.Chain) { c.Answers[0].Steps[0].Regions[0].Frame = ptr(3) })
	for _, c := range []struct {
		name   string
		chain  any
		chains int
		want   want
	}{
		{"of an unknown case", with(func(c *review.Chain) { c.Case = "c-99" }), 1, want{Field: "case", Text: "case c-99 is not in this dataset"}},
		{"an id twice", with(func(c *review.Chain) { c.ID = "k1" }), 1, want{Field: "id", Text: "chain k1 stands twice"}},
		{"broken", `{"id":`, 1, want{Text: "not valid JSON"}},
		{"an unknown question", with(func(c *review.Chain) { c.Answers[0].Question = "q7" }), 2, want{Field: "answers[0].question", Text: "question q7 is not asked"}},
		{"a question twice", with(func(c *review.Chain) { c.Answers[1].Question = "q1"; c.Answers[1].Answer = ptr("A") }), 2, want{Field: "answers[1].question", Text: "answered twice"}},
		{"no option", with(func(c *review.Chain) { c.Answers[0].Answer = ptr("C") }), 2, want{Field: "answers[0].answer", Text: `"C" is neither letter nor text`}},
		{"no answer", with(func(c *review.Chain) { c.Answers[0].Answer = nil }), 2, want{Field: "answers[0].answer", Text: "missing although parse is ok"}},
		{"an unknown parse", with(func(c *review.Chain) { c.Answers[0].Parse = "fine" }), 2, want{Field: "answers[0].parse", Text: "abstained"}},
		{"a step twice", with(func(c *review.Chain) { c.Answers[1].Steps[0].ID = "s1" }), 2, want{Field: "answers[1].steps[0].id", Text: "step s1 stands twice"}},
		{"evidence on a frame that is not there", frame, 2, want{Field: "answers[0].steps[0].regions[0]", Text: "image i has frames 0 to 0"}},
		{"evidence in no image", with(func(c *review.Chain) { c.Answers[0].Steps[0].Regions[0].Image = "x" }), 2, want{Field: "answers[0].steps[0].regions[0]", Text: `image "x" is not in this case`}},
		{"evidence outside", with(func(c *review.Chain) { c.Answers[0].Steps[0].Regions[0].Coords[2] = 64 }), 2, want{Field: "answers[0].steps[0].regions[0]", Text: "fractions"}},
		{"a digest of something else", with(func(c *review.Chain) { c.Digest = "sha256:00" }), 2, want{Field: "digest", Text: "does not belong"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := own(t, 1)
			put(t, dir, "chains/a.jsonl", jsonl(t, chainOf("k1", 1), c.chain))
			c.want.File, c.want.Line = "chains/a.jsonl", 2
			s, problems := open(t, dir, nil)
			expect(t, problems, c.want)
			chains, err := s.Chains("c1")
			if err != nil || len(chains) != c.chains || s.Counts().Chains != c.chains {
				t.Fatalf("%d chains (%d counted), want %d: %v", len(chains), s.Counts().Chains, c.chains, err)
			}
			if !reflect.DeepEqual(chains[0].Answers, chainOf("k1", 1).Answers) {
				t.Error("the good chain is not as it was written")
			}
			for _, chain := range chains[1:] {
				for _, a := range chain.Answers {
					for _, step := range a.Steps {
						if strings.Contains(c.name, "evidence") && len(step.Regions) > 0 && step.ID == "s1" {
							t.Error("a region in no image was not left out")
						}
					}
				}
			}
		})
	}
}

func TestStepIDsMayRepeatBetweenChains(t *testing.T) {
	dir := own(t, 1)
	put(t, dir, "chains/b.jsonl", jsonl(t, chainOf("other", 1)))
	s, problems := open(t, dir, nil)
	expect(t, problems)
	if s.Counts().Chains != 2 {
		t.Errorf("%d chains, want 2", s.Counts().Chains)
	}
}

func TestTruthAgainstCases(t *testing.T) {
	row := func(change func(*review.Truth)) review.Truth {
		v := review.Truth{Case: "c1", Question: "q2", Gold: ptr("A"), Evidence: []review.Region{{ID: "r", Image: "i", Frame: ptr(0), Shape: review.Box, Coords: []float64{0, 0, 1, 1}}},
			Implies: []review.Implication{{IfQuestion: "q1", IfAnswer: "B", Answer: "B"}}}
		change(&v)
		return v
	}
	for _, c := range []struct {
		name string
		row  any
		kept int
		want []want
	}{
		{"good", row(func(*review.Truth) {}), 1, nil},
		{"gold by text", row(func(v *review.Truth) { v.Gold = ptr("Nodule") }), 1, nil},
		{"gold that is no option", row(func(v *review.Truth) { v.Gold = ptr("E") }), 1, []want{{Field: "gold", Text: `"E" is no option of question q2 in case c1; one of A, B expected`}}},
		{"evidence on a frame that is not there", row(func(v *review.Truth) { v.Evidence[0].Frame = ptr(9) }), 1, []want{{Field: "evidence[0]", Text: "frames 0 to 0"}}},
		{"an unknown case", row(func(v *review.Truth) { v.Case = "C-99" }), 0, []want{{Field: "case", Text: "case C-99 is not in this dataset"}}},
		{"an unknown question", row(func(v *review.Truth) { v.Question = "q5" }), 0, []want{{Field: "question", Text: "question q5 is not asked in case c1"}}},
		{"an unknown side", row(func(v *review.Truth) { v.Side = "up" }), 1, []want{{Field: "side", Text: "left, right or both"}}},
		{"implied by nothing", row(func(v *review.Truth) { v.Implies[0].IfQuestion = "q2" }), 1, []want{{Field: "implies[0].if_question", Text: "no other question"}}},
		{"implied by no option", row(func(v *review.Truth) { v.Implies[0].IfAnswer = "Z" }), 1, []want{{Field: "implies[0].if_answer", Text: "no option"}}},
		{"implies no option", row(func(v *review.Truth) { v.Implies[0].Answer = "Z" }), 1, []want{{Field: "implies[0].answer", Text: "no option"}}},
		{"broken", "{", 0, []want{{Text: "not valid JSON"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := own(t, 1)
			put(t, dir, "truth.jsonl", jsonl(t, c.row))
			for i := range c.want {
				c.want[i].File, c.want[i].Line = "truth.jsonl", 1
			}
			s, none := open(t, dir, nil)
			expect(t, none) // truth is no part of what a reader's seat opens
			got, problems, err := s.Truth(context.Background())
			if err != nil || len(got) != c.kept {
				t.Fatalf("%d kept, want %d: %v", len(got), c.kept, err)
			}
			expect(t, problems, c.want...)
			if c.kept == 1 && strings.HasPrefix(c.name, "gold that") && got[0].Gold != nil {
				t.Error("gold that is no option counts as known")
			}
		})
	}
}

func TestTruthTwice(t *testing.T) {
	dir := own(t, 1)
	put(t, dir, "truth.jsonl", jsonl(t, review.Truth{Case: "c1", Question: "q1", Gold: ptr("A")}, review.Truth{Case: "c1", Question: "q1", Gold: ptr("B")}))
	s, _ := open(t, dir, nil)
	got, problems, err := s.Truth(context.Background())
	if err != nil || len(got) != 1 || *got[0].Gold != "A" {
		t.Errorf("%+v, %v", got, err)
	}
	expect(t, problems, want{File: "truth.jsonl", Line: 2, Field: "question", Text: "stands twice"})
}

func TestLoadTruthAndOriginsByFolder(t *testing.T) {
	dir := own(t, 2)
	truth, problems, err := dataset.LoadTruth(dir)
	expect(t, problems)
	if err != nil || len(truth) != 4 {
		t.Errorf("%d truths, %v", len(truth), err)
	}
	origins, problems, err := dataset.LoadOrigins(dir)
	expect(t, problems)
	if err != nil || len(origins) != 2 {
		t.Errorf("%d origins, %v", len(origins), err)
	}
	empty := t.TempDir()
	truth, _, err = dataset.LoadTruth(empty)
	if err != nil || truth == nil || len(truth) != 0 {
		t.Errorf("no truth: %v, %v", truth, err)
	}
	if origins, _, err = dataset.LoadOrigins(empty); err != nil || origins == nil || len(origins) != 0 {
		t.Errorf("no origins: %v, %v", origins, err)
	}
}

func TestOriginsAgainstChains(t *testing.T) {
	dir := own(t, 3)
	put(t, dir, "chains/manifest.jsonl", jsonl(t, review.Origin{Chain: "k1"}, review.Origin{Chain: "k1"}, review.Origin{Chain: "k9"}))
	s, _ := open(t, dir, nil)
	got, problems, err := s.Origins(context.Background())
	if err != nil || len(got) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	const file = "chains/manifest.jsonl"
	expect(t, problems, want{File: file, Line: 2, Field: "chain", Text: "stands twice"}, want{File: file, Line: 3, Field: "chain", Text: "chain k9 is not in this dataset"},
		want{File: file, Field: "chain", Text: "2 of 3 chains have no line"})
}

func TestFilesThatAreMissing(t *testing.T) {
	for _, c := range []struct {
		name, file string
		kind       fault.Kind
		want       []want
	}{
		{"no dataset.json", "dataset.json", "", []want{{File: "dataset.json", Text: "file not found"}}},
		{"no cases.jsonl", "cases.jsonl", fault.NotFound, nil},
		{"no chains", "chains/a.jsonl", "", nil},
		{"no truth", "truth.jsonl", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := own(t, 1)
			if err := os.Remove(filepath.Join(dir, c.file)); err != nil {
				t.Fatal(err)
			}
			_, problems, err := dataset.Open(context.Background(), dir, nil, review.Quiet)
			if fault.KindOf(err) != c.kind {
				t.Fatalf("err %v, want %q", err, c.kind)
			}
			expect(t, problems, c.want...)
		})
	}
}

func TestNoCaseCanBeUsed(t *testing.T) {
	dir := own(t, 1)
	put(t, dir, "cases.jsonl", []byte("not json\n"))
	_, problems, err := dataset.Open(context.Background(), dir, nil, review.Quiet)
	if fault.KindOf(err) != fault.Invalid {
		t.Errorf("err %v, want invalid", err)
	}
	expect(t, problems, want{File: "cases.jsonl", Line: 1, Text: "not valid JSON"})
	put(t, dir, "cases.jsonl", nil)
	if _, _, err = dataset.Open(context.Background(), dir, nil, review.Quiet); fault.KindOf(err) != fault.NotFound {
		t.Errorf("err %v, want not found", err)
	}
}

func TestAFileOfNoiseIsCutShort(t *testing.T) {
	dir := own(t, 1)
	b := append(jsonl(t, sheet(1)), []byte(strings.Repeat("x\n", 1500))...)
	put(t, dir, "cases.jsonl", b)
	_, problems := open(t, dir, nil)
	if len(problems) != 1001 || !strings.Contains(problems[1000].Text, "and 500 more") {
		t.Errorf("%d problems, the last %+v", len(problems), problems[len(problems)-1])
	}
}

// Paths that a hostile dataset may name.
func TestPathsStayInTheDataset(t *testing.T) {
	dir := own(t, 2)
	beside := filepath.Join(filepath.Dir(dir), "beside-"+filepath.Base(dir)+".png")
	put(t, filepath.Dir(dir), filepath.Base(beside), picture(t, 77))
	t.Cleanup(func() { os.Remove(beside) })
	outside := t.TempDir()
	put(t, outside, "secret.png", picture(t, 78))
	for link, to := range map[string]string{"images/link.png": filepath.Join(outside, "secret.png"), "images/away": outside, "images/inside.png": filepath.Join(dir, "images/2.png")} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skip("links cannot be made here:", err)
		}
	}
	for _, c := range []struct{ path, text string }{
		{filepath.Join(outside, "secret.png"), "absolute path"},
		{"/etc/passwd", "absolute path"},
		{"images/link.png", "through a link"},
		{"images/away/secret.png", "through a link"},
		{"images/away", "through a link"},
		{"..", "leaves the dataset"},
		{"../..", "leaves the dataset"},
		{"../no-such-file.png", "file not found"},
		{`images\1.png`, "forward slashes"},
		{"images/1.png\x00.txt", "special characters"},
		{"images/inside.png", ""},
		{"images/../images/1.png", ""},
	} {
		t.Run(strings.ReplaceAll(c.path, "/", "|"), func(t *testing.T) {
			bad := sheet(2)
			bad.Images[0].Path = c.path
			put(t, dir, "cases.jsonl", jsonl(t, sheet(1), bad))
			_, problems := open(t, dir, nil)
			if c.text == "" {
				expect(t, problems)
				return
			}
			expect(t, problems, want{File: "cases.jsonl", Line: 2, Field: "images[0].path", Text: c.text})
		})
	}
	named := sheet(2)
	named.Images[0].Path = "../" + filepath.Base(beside)
	put(t, dir, "cases.jsonl", jsonl(t, sheet(1), named))
	s, problems := open(t, dir, nil)
	expect(t, problems, want{File: "cases.jsonl", Field: "images", Text: "1 image files lie beside the dataset folder"})
	if _, _, err := s.Samples(context.Background(), "c2", "i", 0); err != nil {
		t.Errorf("a file beside the dataset: %v", err)
	}
}

func TestVolumeFolderAndSeries(t *testing.T) {
	dir := own(t, 1)
	for n := range 5 {
		put(t, dir, fmt.Sprintf("images/ct/%c.dcm", 'a'+(n*3)%5), slice(t, "P1", "one", n, 5))
		put(t, dir, fmt.Sprintf("images/mixed/%d.dcm", n), slice(t, "P1", "one", n, 5))
	}
	for n := range 3 {
		put(t, dir, fmt.Sprintf("images/mixed/x%d.dcm", n), slice(t, "P1", "two", n, 6))
	}
	c := sheet(1)
	uid := func(path string) string {
		s, _ := open(t, filepath.Join(dir, path), nil)
		c, err := s.Case(s.IDs()[0])
		if err != nil {
			t.Fatal(err)
		}
		return c.Images[0].Series
	}
	c.Images = []review.Image{
		{ID: "folder", Path: "images/ct", Kind: review.Volume},
		{ID: "narrowed", Path: "images/mixed", Series: uid("images/mixed/x1.dcm"), Kind: review.Volume},
		{ID: "vague", Path: "images/mixed", Kind: review.Volume},
		{ID: "alone", Series: uid("images/mixed/x1.dcm"), Kind: review.Volume},
		{ID: "one", Path: "images/ct", Kind: review.SingleImage},
	}
	put(t, dir, "cases.jsonl", jsonl(t, c))
	put(t, dir, "chains/a.jsonl", nil)
	s, problems := open(t, dir, nil)
	expect(t, problems, want{File: "cases.jsonl", Line: 1, Field: "images[4].kind", Text: "has 5 frames"},
		want{File: "cases.jsonl", Line: 1, Field: "images[2]", Text: "2 series or stacks (5 frames, 3 frames)"})
	stacks, _, err := s.Stacks(context.Background(), "c1")
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range []int{5, 3, 5, 3, 5} {
		if len(stacks[i].Frames) != n || stacks[i].Kind != review.Volume {
			t.Errorf("%s: %d frames of kind %s, want %d", stacks[i].Image, len(stacks[i].Frames), stacks[i].Kind, n)
		}
	}
	for n := range 5 { // in order of place, whatever the names
		f, samples, err := s.Samples(context.Background(), "c1", "folder", n)
		if err != nil || f.Position[2] != float64(3*n) || len(samples.Data) != 16*16*2 {
			t.Errorf("frame %d at %v: %v", n, f.Position, err)
		}
	}
}
