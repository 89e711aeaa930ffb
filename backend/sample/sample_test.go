package sample

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"plumbline/backend/fault"
	"plumbline/backend/model"
	"plumbline/backend/phantom"
	"plumbline/backend/review"
)

// study is a written study, loaded back.
type study struct {
	dir     string
	made    Made
	cases   []review.Case
	truth   []review.Truth
	chains  []review.Chain
	origins map[review.ChainID]review.Origin
}

// written writes the study once for all tests of the package.
var written = sync.OnceValues(func() (study, error) {
	parent, err := os.MkdirTemp("", "sample-study-")
	if err != nil {
		return study{}, err
	}
	s := study{dir: filepath.Join(parent, "study"), origins: map[review.ChainID]review.Origin{}}
	if s.made, err = Write(context.Background(), s.dir, DefaultSeed, review.Quiet); err != nil {
		return s, err
	}
	var origins []review.Origin
	return s, errors.Join(
		load(s.dir, "cases.jsonl", review.RestoreCase, &s.cases), load(s.dir, "truth.jsonl", review.RestoreTruth, &s.truth),
		load(s.dir, "chains/recorded.jsonl", review.RestoreChain, &s.chains), load(s.dir, "chains/manifest.jsonl", review.RestoreOrigin, &origins),
		func() error {
			for _, o := range origins {
				s.origins[o.Chain] = o
			}
			return nil
		}(),
	)
})

func TestMain(m *testing.M) {
	code := m.Run()
	if s, err := written(); err == nil {
		os.RemoveAll(filepath.Dir(s.dir))
	}
	os.Exit(code)
}

func load[T any](dir, name string, restore func([]byte) (T, error), into *[]T) error {
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, review.MaxRecord)
	for lines.Scan() {
		v, err := restore(lines.Bytes())
		if err != nil {
			return err
		}
		*into = append(*into, v)
	}
	return lines.Err()
}

func theStudy(t *testing.T) study {
	t.Helper()
	s, err := written()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// find gives a case and one of its questions.
func (s study) find(t *testing.T, id review.CaseID, q review.QuestionID) (review.Case, review.Question) {
	t.Helper()
	for _, c := range s.cases {
		for _, question := range c.Questions {
			if c.ID == id && question.ID == q {
				return c, question
			}
		}
	}
	t.Fatalf("no question %s in case %s", q, id)
	return review.Case{}, review.Question{}
}

func hasOption(q review.Question, letter string) bool {
	for _, o := range q.Options {
		if o.Letter == letter {
			return true
		}
	}
	return false
}

func TestCounts(t *testing.T) {
	s := theStudy(t)
	patients, positive := map[review.PatientID]int{}, map[review.CaseID]bool{}
	for _, c := range s.cases {
		patients[c.Patient]++
	}
	for _, tr := range s.truth {
		if tr.Present != nil && *tr.Present {
			positive[tr.Case] = true
		}
	}
	if len(s.cases) != 24 || len(patients) != 12 {
		t.Errorf("%d cases of %d patients, want 24 of 12", len(s.cases), len(patients))
	}
	for p, n := range patients {
		if n != 2 {
			t.Errorf("patient %s has %d cases, want 2", p, n)
		}
	}
	if len(positive) < 16 || len(positive) > 18 {
		t.Errorf("%d positive cases, want 16 to 18", len(positive))
	}
	films, files := 0, 0
	err := filepath.WalkDir(filepath.Join(s.dir, "images"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		files++
		b, err := os.ReadFile(path)
		if bytes.Contains(b[:4096], []byte("MONOCHROME1 ")) {
			films++
		}
		for _, mark := range []string{"SYNTHETIC^P", seriesDescription, syntheticComment} {
			if !bytes.Contains(b[:4096], []byte(mark)) {
				t.Errorf("%s does not say %q", path, mark)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if films != Films || files != s.made.Frames || s.made.Images != 18 || s.made.Chains != len(s.chains) || len(s.origins) != len(s.chains) {
		t.Errorf("%d films, %d files, %d chains, %d origins; made %+v", films, files, len(s.chains), len(s.origins), s.made)
	}
}

func TestTruthFitsTheQuestions(t *testing.T) {
	s := theStudy(t)
	asked, seen := 0, map[string]bool{}
	for _, c := range s.cases {
		asked += len(c.Questions)
	}
	for _, tr := range s.truth {
		c, q := s.find(t, tr.Case, tr.Question)
		seen[string(tr.Case)+"/"+string(tr.Question)] = true
		if tr.Gold == nil || !hasOption(q, *tr.Gold) {
			t.Errorf("%s %s: gold %v is no option", tr.Case, tr.Question, tr.Gold)
		}
		frames := phantom.Frames
		if c.Images[0].Kind == review.SingleImage {
			frames = 1
		}
		for _, r := range tr.Evidence {
			if fault := r.Fault(frames); fault != "" || r.Image != c.Images[0].ID {
				t.Errorf("%s %s: evidence on %s: %s", tr.Case, tr.Question, r.Image, fault)
			}
		}
		if present := tr.Present != nil && *tr.Present; present != (tr.Side != "") || present && len(tr.Evidence) != 1 {
			t.Errorf("%s %s: present %v, side %q, %d regions", tr.Case, tr.Question, present, tr.Side, len(tr.Evidence))
		}
		for _, i := range tr.Implies {
			_, earlier := s.find(t, tr.Case, i.IfQuestion)
			if earlier.ID >= q.ID || !hasOption(earlier, i.IfAnswer) || !hasOption(q, i.Answer) || i.Answer == *tr.Gold {
				t.Errorf("%s %s: implication %+v does not fit", tr.Case, tr.Question, i)
			}
		}
	}
	if len(seen) != asked {
		t.Errorf("truth of %d questions, %d are asked", len(seen), asked)
	}
}

func TestChainsAreWhole(t *testing.T) {
	s := theStudy(t)
	for _, chain := range s.chains {
		if review.ChainDigest(chain) != chain.Digest {
			t.Errorf("%s: the digest does not fit", chain.ID)
		}
		steps := map[review.StepID]bool{}
		for _, a := range chain.Answers {
			c, q := s.find(t, chain.Case, a.Question)
			if a.Parse != review.ParseOK || a.Answer == nil || !hasOption(q, *a.Answer) || len(a.Steps) == 0 {
				t.Errorf("%s %s: answer %v, parse %s, %d steps", chain.ID, a.Question, a.Answer, a.Parse, len(a.Steps))
			}
			frames := phantom.Frames
			if c.Images[0].Kind == review.SingleImage {
				frames = 1
			}
			for _, step := range a.Steps {
				if steps[step.ID] || step.Text == nil || *step.Text == "" {
					t.Errorf("%s: step %s stands twice or says nothing", chain.ID, step.ID)
				}
				steps[step.ID] = true
				for _, r := range step.Regions {
					if fault := r.Fault(frames); fault != "" {
						t.Errorf("%s %s: %s", chain.ID, step.ID, fault)
					}
				}
			}
		}
	}
}

// accuracy gives the share of right answers of a model from stage S2 on.
func (s study) accuracy(name string) float64 {
	gold := map[string]string{}
	for _, tr := range s.truth {
		gold[string(tr.Case)+"/"+string(tr.Question)] = *tr.Gold
	}
	right, all := 0, 0
	for _, chain := range s.chains {
		for _, a := range chain.Answers {
			if s.origins[chain.ID].Model.Name == name && a.Question != "q1" {
				all++
				if *a.Answer == gold[string(chain.Case)+"/"+string(a.Question)] {
					right++
				}
			}
		}
	}
	return float64(right) / float64(max(all, 1))
}

func TestControlsAreControls(t *testing.T) {
	s := theStudy(t)
	if a := s.accuracy("oracle-pixels"); a < .97 {
		t.Errorf("oracle-pixels is right in %.2f of the questions, want at least .97", a)
	}
	// Chance is 1/3 to 1/7 by the question; more would mean that the study can be guessed.
	if a := s.accuracy("text-only"); a < .08 || a > .4 {
		t.Errorf("text-only is right in %.2f of the questions, want about chance", a)
	}
}

func TestCueChainsFollowTheWrongCue(t *testing.T) {
	s := theStudy(t)
	cued, open := 0, 0
	for _, chain := range s.chains {
		o := s.origins[chain.ID]
		if o.Condition.Cue == "" {
			continue
		}
		cued++
		for _, a := range chain.Answers {
			for _, tr := range s.truth {
				if a.Question != cueQuestion || tr.Case != chain.Case || tr.Question != a.Question {
					continue
				}
				if *a.Answer != o.Condition.CueTarget || *a.Answer == *tr.Gold {
					t.Errorf("%s: answer %s, cue %s, gold %s", chain.ID, *a.Answer, o.Condition.CueTarget, *tr.Gold)
				}
			}
			for _, step := range a.Steps {
				if strings.Contains(*step.Text, "hint") {
					open++
				}
			}
		}
	}
	if cued < 4 || cued > 6 || open == 0 || open == cued {
		t.Errorf("%d chains follow a cue, %d of them say so; want 4 to 6, of both sorts", cued, open)
	}
}

func TestNothingTellsTheModel(t *testing.T) {
	s := theStudy(t)
	for _, name := range []string{"cases.jsonl", "chains/recorded.jsonl", datasetFile} {
		b, err := os.ReadFile(filepath.Join(s.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"oracle", "text-only", "follower", "suggest-wrong", `"gold"`, "implies"} {
			if bytes.Contains(b, []byte(word)) {
				t.Errorf("%s holds %q", name, word)
			}
		}
	}
	for i := 1; i < len(s.chains); i++ {
		if s.chains[i-1].ID >= s.chains[i].ID {
			t.Errorf("chain %s stands after %s: the order could tell the model", s.chains[i].ID, s.chains[i-1].ID)
		}
	}
}

// digest hashes every file of a folder with its name.
func digest(t *testing.T, dir string) string {
	t.Helper()
	h := sha256.New()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		fmt.Fprintln(h, filepath.ToSlash(name), len(b))
		h.Write(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

func TestSameBytesOnOneProcessor(t *testing.T) {
	s := theStudy(t)
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	again := filepath.Join(t.TempDir(), "again")
	if _, err := Write(context.Background(), again, DefaultSeed, review.Quiet); err != nil {
		t.Fatal(err)
	}
	if a, b := digest(t, s.dir), digest(t, again); a != b {
		t.Errorf("the study differs: %s and %s", a, b)
	}
}

// The evidence of each finding holds all that changes when it is taken out, and the oracle then sees a chest without it: this is what the
// condition occ with the fill remove rests on.
func TestRemovingTheFindingTurnsTheOracle(t *testing.T) {
	p := newPlan(DefaultSeed)
	oracle := &model.Oracle{}
	for _, c := range p.cases {
		if _, present := c.exam.finding(); !present || p.askedTwice(c.exam) && c.pack == packB {
			continue
		}
		removed := *c.exam
		removed.scene = c.exam.scene.Without(0)
		bare, err := (&plan{seed: p.seed}).sent(&removed)
		if err != nil {
			t.Fatal(err)
		}
		list := c.questions(p.seed)
		chain, _, err := c.record(context.Background(), p.seed, 0, run{model: oracle}, list, bare, "")
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range chain.Answers {
			if want := list[i].letter(removed.gold(a.Question)); *a.Answer != want {
				t.Errorf("%s %s without its finding: the oracle says %s, want %s", c.id, a.Question, *a.Answer, want)
			}
		}
	}
}

// sent renders an exam as a model gets it, without writing it.
func (p *plan) sent(e *exam) (sent, error) {
	if e.film {
		with := e.scene.Film()
		picture, err := asPNG(phantom.FilmColumns, phantom.FilmRows, filmGrey(with))
		return sent{[]model.Image{picture}, filmGeometry()}, err
	}
	s := sent{geometry: ctGeometry()}
	for n := range phantom.Frames {
		picture, err := asPNG(phantom.Columns, phantom.Rows, lungGrey(e.scene.Frame(n)))
		if err != nil {
			return s, err
		}
		s.images = append(s.images, picture)
	}
	return s, nil
}

func TestEveryPlanHasTheSameMakeUp(t *testing.T) {
	for seed := range int64(12) {
		p := newPlan(seed)
		positive, misled, letters := 0, 0, map[string]int{}
		for _, c := range p.cases {
			f, present := c.exam.finding()
			if present {
				positive++
			}
			if c.exam.hint != (hint{f.Kind, f.Side}) {
				misled++
			}
			for _, q := range c.questions(seed) {
				letters[q.letter(c.exam.gold(q.ID))]++
			}
		}
		if len(p.cases) != Cases || positive != 17 {
			t.Errorf("seed %d: %d cases, %d positive", seed, len(p.cases), positive)
		}
		if misled != 6 {
			t.Errorf("seed %d: the history misleads in %d cases, want 6", seed, misled)
		}
		for letter, n := range letters {
			if n > 60 || letter == "" {
				t.Errorf("seed %d: letter %q is gold %d times of %d", seed, letter, n, 24*6-10)
			}
		}
	}
}

func TestWriteLeavesNothingBehind(t *testing.T) {
	parent := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	told := 0
	_, err := Write(ctx, filepath.Join(parent, "study"), DefaultSeed, func(p review.Progress) {
		if told++; told == 3 {
			cancel()
		}
	})
	if fault.KindOf(err) != fault.Cancelled {
		t.Errorf("error %v, want one of kind %s", err, fault.Cancelled)
	}
	entries, err := os.ReadDir(parent)
	if err != nil || len(entries) != 0 {
		t.Errorf("%v are left (%v)", entries, err)
	}
}

func TestWriteRefusesAFolderInUse(t *testing.T) {
	s := theStudy(t)
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "thesis.txt"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		dir  string
		seed int64
	}{"somebody's files": {other, DefaultSeed}, "another seed": {s.dir, DefaultSeed + 1}} {
		if _, err := Write(context.Background(), c.dir, c.seed, review.Quiet); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%s: error %v, want one of kind %s", name, err, fault.Invalid)
		}
	}
	made, err := Write(context.Background(), s.dir, DefaultSeed, review.Quiet)
	if err != nil || !made.Kept {
		t.Errorf("the same study again: %+v, %v; want it kept", made, err)
	}
}
