package desk_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plumbline/backend/bundle"
	"plumbline/backend/desk"
	"plumbline/backend/desktest"
	"plumbline/backend/review"
)

// everything reads the files of a folder, names included.
func everything(t *testing.T, dir string) []byte {
	t.Helper()
	var all bytes.Buffer
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		all.WriteString(rel + "\n")
		all.Write(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.Bytes()
}

// unlocked gives what is in a package, as another program would see it: names and bytes of every file, and the manifest.
func unlocked(t *testing.T, path string, keys desk.MachineKeys, config string) []byte {
	t.Helper()
	var k bundle.Keys
	b, err := os.ReadFile(filepath.Join(config, "keys.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &k); err != nil || k.Recipient() != keys.Recipient {
		t.Fatalf("keys of another machine: %v", err)
	}
	opened, err := bundle.Open(path, k, "")
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	all, err := json.Marshal(opened.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	err = opened.Each(func(f bundle.File, data []byte) error {
		all = append(append(append(all, f.Name...), '\n'), data...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// crossed gives the small study, fully crossed among readers, with one read of four twice.
func crossed(t *testing.T, readers ...review.ReaderID) (*desktest.Study, *desktest.Person) {
	t.Helper()
	study := desktest.New(t)
	rules := desktest.Rules(readers...)
	rules.Repeats = &review.Repeats{Share: .25, MinDistance: 1}
	boss := study.Coordinator().Set(rules)
	boss.Assign()
	return study, boss
}

// S06, X09 and trust.md promise 5: what one reader said, gold, models, conditions, names of files, the other readers and which reads are of
// one case are nowhere in another reader's package or workspace, whatever program opens them.
func TestPackageTellsNothing(t *testing.T) {
	// Codes that no hash or key happens to hold.
	study, boss := crossed(t, "reader-one", "R2", "reader-three")
	if _, err := boss.Desk.SetReader(t.Context(), "reader-one"); err != nil {
		t.Fatal(err)
	}
	boss.Open("case-01").Look("q1", "B").Look("q2", "A").Rate("s2", review.Contradicted).Sign()
	three := boss.HandTo(study.Away("reader-three"))
	three.Open("case-01").LookAll().Rate("s2", review.Unsupported).Sign()
	boss.TakeBack(three.HandBack())
	two := study.Away("R2")
	keys, err := two.Desk.Keys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	path := boss.Pack(two)
	packed := unlocked(t, path, keys, filepath.Join(filepath.Dir(study.Data), "home of R2"))
	boss.HandTo(two)
	two.Open("case-02").LookAll()
	if err := two.Desk.Close(); err != nil {
		t.Fatal(err)
	}
	hidden := []string{
		desktest.Canary, "repeat", "Repeat", `"seed"`, "reader-one", "reader-three", `"R1"`, "case-0", "contradicted\"", "unsupported\"", "truth", "model-", "condition", "chains/manifest",
		`"x11"`, `"x12"`, `"x13"`, `"x21"`, `"x22"`, `"x23"`, `"p1"`, `"p2"`, `"p3"`, `"xr"`, `"q1"`, `"q2"`, `"s1"`, `"s2"`, `"m1"`,
	}
	for id := range assignedTo(t, boss, "reader-one", "reader-three") {
		hidden = append(hidden, id)
	}
	files := everything(t, study.Folder("R2"))
	// A reader's own workspace has a seed of its own, from which nothing of the study was drawn; GRD names the grades.
	for name, all := range map[string][]byte{"package": packed, "workspace": files} {
		if len(all) < 5000 {
			t.Fatalf("the %s is too small to tell: %d bytes", name, len(all))
		}
		for _, word := range hidden {
			if name == "workspace" && word == `"seed"` {
				continue
			}
			if i := bytes.Index(all, []byte(word)); i >= 0 {
				t.Errorf("the %s has %q: %q", name, word, all[max(0, i-80):min(len(all), i+80)])
			}
		}
	}
	two.Restart()
}

// assignedTo lists the assignments of readers.
func assignedTo(t *testing.T, boss *desktest.Person, readers ...review.ReaderID) map[string]review.Assignment {
	t.Helper()
	all := map[string]review.Assignment{}
	err := boss.Desk.EachReading(t.Context(), "", func(e review.Event, _ []byte) error {
		if a := e.Body.Assign; a != nil && e.Reader == desk.Coordinator && slices.Contains(readers, a.Reader) {
			all[string(a.ID)] = *a
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// What comes back under aliases is the same as what is said at the coordinator's desk: the same answers to the same things, of the same
// versions, on the same pixels.
func TestWordsComeBackInOurWords(t *testing.T) {
	study, boss := crossed(t, "R1", "R2")
	two := boss.HandTo(study.Away("R2"))
	see := func(p *desktest.Person, r *desktest.Reading) {
		t.Helper()
		if _, _, err := p.Desk.Frame(t.Context(), string(r.View.Case.ID), string(r.View.Case.Images[0].ID), 0); err != nil {
			t.Fatal(err)
		}
	}
	r := two.Open("case-01")
	see(two, r)
	r.Look("q1", "B").Look("q2", "A").Rate("s2", review.Contradicted)
	bad := desktest.FullChain()
	bad.FirstBadStep = string(r.View.Chains[0].Answers[0].Steps[1].ID)
	bad.Missed = []review.Missed{{Text: "an effusion", Significance: "a", Region: &review.Region{Image: r.View.Case.Images[0].ID, Shape: review.Point, Coords: []float64{.5, .5}}}}
	if _, err := two.Desk.RateChain(t.Context(), r.View.Assignment, r.View.Chains[0].ID, bad, ""); err != nil {
		t.Fatal(err)
	}
	two.Open("case-01").Sign()
	path := two.HandBack()
	if m := boss.TakeBack(path)[0]; m.EventsNew == 0 || m.EventsKnown != 0 || len(m.Conflicts) != 0 || len(m.Notices) != 0 || !m.First {
		t.Errorf("%+v", m)
	}
	if m := boss.TakeBack(path)[0]; m.EventsNew != 0 || m.EventsKnown == 0 || m.First {
		t.Errorf("the same again changes nothing: %+v", m)
	}
	if _, err := boss.Desk.SetReader(t.Context(), "R2"); err != nil {
		t.Fatal(err)
	}
	ours := boss.Open("case-01").View
	if ours.Phase != "signed" || ours.Done != ours.Required || ours.Looks[0].Question != "q1" || ours.Looks[0].Answer != "B" {
		t.Fatalf("%+v", ours)
	}
	i := slices.IndexFunc(ours.Chains, func(c desk.ChainView) bool {
		return len(c.Ratings) == 3 && c.Ratings[1].Support == review.Contradicted
	})
	if i < 0 || ours.Chains[i].Rating == nil || ours.Chains[i].Rating.FirstBadStep != "s2" || ours.Chains[i].Rating.Missed[0].Region.Image != "xr" {
		t.Fatalf("%+v", ours.Chains)
	}
	err := boss.Desk.EachReading(t.Context(), "R2", func(e review.Event, raw []byte) error {
		if e.Assignment != "" && (e.Case != "case-01" || e.Chain != "" && !strings.HasPrefix(string(e.Chain), "x") || bytes.Contains(raw, []byte("case-01"))) {
			t.Errorf("%+v is stored as %s", e, raw)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	agreed, err := boss.Desk.Agreement(t.Context())
	if err != nil || len(agreed) == 0 {
		t.Fatal(err)
	}
	for _, row := range agreed {
		if row.LeftOut != 0 {
			t.Errorf("said of other versions: %+v", row)
		}
	}
}

// The pixels that an answer rests on are the same there and here, and bear the same digest.
func TestSamePixelsInAPackage(t *testing.T) {
	study, boss := crossed(t, "R1", "R2")
	two := boss.HandTo(study.Away("R2"))
	digest := func(p *desktest.Person) (d review.Digest) {
		t.Helper()
		r := p.Open("case-01")
		if _, _, err := p.Desk.Frame(t.Context(), string(r.View.Case.ID), string(r.View.Case.Images[0].ID), 0); err != nil {
			t.Fatal(err)
		}
		r.Look("q1", "A")
		err := p.Desk.EachReading(t.Context(), "", func(e review.Event, _ []byte) error {
			if e.Body.Look != nil {
				d = e.PixelsDigest
			}
			return nil
		})
		if err != nil || d == "" {
			t.Fatalf("no digest, %v", err)
		}
		return d
	}
	if here, there := digest(boss), digest(two); here != there {
		t.Errorf("here %s, there %s", here, there)
	}
}

// L11: two laptops of one reader, without a network, each with the same case. Both packages come back, in either order and again: all that
// was said is kept, what differs is listed with who, when, where and both values, and either order ends in the same state.
func TestTwoLaptopsInEitherOrder(t *testing.T) {
	study, boss, words := twoLaptops(t)
	if err := boss.Desk.Close(); err != nil {
		t.Fatal(err)
	}
	states := []string{}
	for _, order := range [][]string{{words[0], words[1]}, {words[1], words[0]}, {words[1], words[1], words[0], words[1]}} {
		dir := study.NewFile("coordinator") // beside the dataset
		if err := os.CopyFS(dir, os.DirFS(study.Folder("coordinator"))); err != nil {
			t.Fatal(err)
		}
		d := desk.New(study.Options(desk.Seat{Role: desk.Coordinator, Reader: "R1"}))
		if _, err := d.OpenExisting(t.Context(), dir); err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, path := range order {
			m, err := d.Merge(t.Context(), path, "", "")
			if err != nil || m.First == seen[path] || (m.EventsNew > 0) == seen[path] || m.EventsNew+m.EventsKnown == 0 {
				t.Errorf("%+v, %v", m, err)
			}
			seen[path] = true
		}
		states = append(states, stateOf(t, d))
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if states[0] != states[1] || states[0] != states[2] {
		t.Errorf("the orders end differently:\n%s\n%s\n%s", states[0], states[1], states[2])
	}
	boss.Restart().TakeBack(words...)
	resolves(t, study, boss)
}

// stateOf tells everything that depends on what R2 said, and looks at the one conflict.
func stateOf(t *testing.T, d *desk.Desk) string {
	t.Helper()
	conflicts, err := d.Conflicts(t.Context())
	if err != nil || len(conflicts) != 1 {
		t.Fatalf("%+v, %v", conflicts, err)
	}
	c := conflicts[0]
	if c.Reader != "R2" || c.Case != "case-01" || c.Kind != "rating" || c.Part != "s2" || len(c.Versions) != 2 || c.Versions[0].Machine == c.Versions[1].Machine {
		t.Errorf("%+v", c)
	}
	one, other := c.Versions[0], c.Versions[1]
	if one.Body.Rating.Support != review.Partly || other.Body.Rating.Support != review.Contradicted || one.Counts || !other.Counts || one.At > other.At {
		t.Errorf("%+v", c.Versions)
	}
	events := []string{}
	err = d.EachReading(t.Context(), "R2", func(_ review.Event, raw []byte) error {
		events = append(events, string(raw))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(events)
	agreed, err := d.Agreement(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	progress, err := d.Progress(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	v, err := d.Verify(t.Context())
	if err != nil || v.FirstBreak != nil {
		t.Errorf("%+v, %v", v, err)
	}
	b, err := json.Marshal([]any{conflicts, events, agreed, progress})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// twoLaptops gives the words of two laptops of R2: both answered case-01, and differ in one step.
func twoLaptops(t *testing.T) (*desktest.Study, *desktest.Person, []string) {
	t.Helper()
	study, boss := crossed(t, "R1", "R2")
	sofa, train := boss.HandTo(study.Laptop("R2", "sofa")), boss.HandTo(study.Laptop("R2", "train"))
	sofa.Open("case-01").LookAll().Rate("s2", review.Partly).Sign()
	train.Open("case-01").LookAll().Rate("s2", review.Contradicted).Sign()
	return study, boss, []string{sofa.HandBack(), train.HandBack()}
}

// resolves says the step anew on both laptops, in the same way: then nothing differs any more.
func resolves(t *testing.T, study *desktest.Study, boss *desktest.Person) {
	t.Helper()
	for _, laptop := range []string{"sofa", "train"} {
		p := study.Laptop("R2", laptop)
		p.Open("case-01").Correct("s2", review.Unsupported, "looked at both")
		boss.TakeBack(p.HandBack())
	}
	if left, err := boss.Desk.Conflicts(t.Context()); err != nil || len(left) != 0 {
		t.Errorf("%+v, %v", left, err)
	}
}

// A later package adds what was assigned since, and keeps what was said and where the reader is.
func TestLaterPackage(t *testing.T) {
	study := desktest.Many(t, 4)
	boss := study.Coordinator().Set(desktest.Rules("R1", "R2"))
	boss.Assign()
	two := boss.HandTo(study.Away("R2"))
	old := boss.Pack(two)
	done := two.Worklist()[1].ID
	two.Open(done).Sign()
	study.Grow(9)
	boss.Restart().Assign()
	o, err := two.Desk.OpenWork(t.Context(), boss.Pack(two), two.Folder(), "")
	if err != nil || o.New != 5 || o.Kept != 4 || o.First || o.EventsNew != 5 || o.Reader != "R2" || len(o.Fingerprint) != 29 {
		t.Fatalf("%+v, %v", o, err)
	}
	if s := two.State(); s.Signed != 1 || s.Assigned != 9 || s.Cases != 9 {
		t.Errorf("%+v", s)
	}
	// The older one again, and on a desk that was closed meanwhile.
	if o, err := two.Restart().Desk.OpenWork(t.Context(), old, two.Folder(), ""); err != nil || o.New != 0 || o.EventsNew != 0 || two.State().Assigned != 9 {
		t.Errorf("%+v, %v", o, err)
	}
	if two.Open(done).View.Phase != "signed" {
		t.Error("what was said is gone")
	}
	left, err := filepath.Glob(filepath.Join(two.Folder(), ".*"))
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// Training travels with what is expected of it, under aliases: it opens the worklist there, tells what was expected once a case is signed,
// and comes back. The gold of the study itself stays.
func TestTrainingInAPackage(t *testing.T) {
	study := desktest.New(t)
	rules := desktest.Rules("R1", "R2")
	rules.Training, rules.TrainingPass = []review.CaseID{"case-02"}, 1
	boss := study.Coordinator().Set(rules)
	boss.Assign()
	key, err := boss.Desk.TrainingKey(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	key.Cases[0].Steps = []review.ExpectedSupport{{Chain: "x12", Step: "s1", Supports: []review.Support{review.Supported}, Words: "sharp"}}
	b, err := json.Marshal(key)
	if err != nil {
		t.Fatal(err)
	}
	if err := boss.Desk.SetTrainingKey(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	two := boss.HandTo(study.Away("R2"))
	if s := two.State(); s.Training == nil || s.Training.Cases != 1 || s.Assigned != 2 {
		t.Fatalf("%+v", s)
	}
	if rows := two.Worklist(); len(rows) != 3 || !rows[0].Training || rows[1].Locked == "" {
		t.Fatalf("%+v", rows)
	}
	r := two.Open("case-02").Look("q1", "A").Look("q2", "B").Sign()
	if f := r.View.Training.Feedback; len(f) != 3 || !f[0].Right || f[1].Right || f[1].Expected[0] != "A" || !f[2].Right || f[2].Words != "sharp" || len(f[0].Evidence) != 1 {
		t.Fatalf("%+v", f)
	}
	if s := two.State(); s.Training.Passed || !s.Training.Done {
		t.Errorf("%+v", s.Training)
	}
	if _, err := two.Desk.RetryTraining(t.Context()); err != nil {
		t.Fatal(err)
	}
	two.Open("case-02").Sign()
	if s := two.State(); !s.Training.Passed {
		t.Fatalf("%+v", s.Training)
	}
	two.Open("case-01").Sign()
	if m := boss.TakeBack(two.HandBack())[0]; m.EventsNew == 0 {
		t.Errorf("%+v", m)
	}
	s, err := boss.Desk.Progress(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if r := s.Readers[1]; r.Done != 1 || r.Extra != 0 || r.Training == nil || !r.Training.Passed || r.Training.Attempt != 2 {
		t.Errorf("%+v, %+v", r, r.Training)
	}
	err = boss.Desk.EachReading(t.Context(), "R2", func(e review.Event, _ []byte) error {
		if e.Session == review.TrainingSession && e.Assignment != "" && e.Case != "case-02" {
			t.Errorf("%+v", e)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(filepath.Join(two.Folder(), "training.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"case-0", `"q1"`, "x12", `"xr"`} {
		if bytes.Contains(kept, []byte(word)) {
			t.Errorf("the key speaks of %s", word)
		}
	}
}

// What came back travels with later work: on a new machine the reader goes on where the old one left off, and nothing is in conflict.
func TestGoesOnAtAnotherMachine(t *testing.T) {
	study, boss := crossed(t, "R1", "R2")
	old := boss.HandTo(study.Laptop("R2", "old"))
	signed := old.Open("case-01").Sign().View.Case.ID
	old.Open("case-02").Look("q1", "B")
	boss.TakeBack(old.HandBack())
	fresh := boss.HandTo(study.Laptop("R2", "fresh"))
	if s := fresh.State(); s.Signed != 1 || s.Resume.Case == "" || fresh.Open(string(signed)).View.Phase != "signed" {
		t.Fatalf("%+v", s)
	}
	if v := fresh.Open("case-02").View; len(v.Looks) != 1 || v.Looks[0].Answer != "B" {
		t.Errorf("%+v", v.Looks)
	}
	fresh.Open("case-02").Look("q2", "A").Sign()
	old.Open("case-03").Look("q1", "A")
	m := boss.TakeBack(fresh.HandBack(), old.HandBack())
	if m[0].EventsNew == 0 || m[0].EventsKnown == 0 || m[1].EventsNew != 1 || len(m[1].Conflicts)+len(m[1].Notices)+len(m[0].Notices) != 0 {
		t.Errorf("%+v", m)
	}
	// The old machine hears of it too, and keeps its own words.
	o, err := old.Desk.OpenWork(t.Context(), boss.Pack(old), old.Folder(), "")
	if err != nil || o.EventsNew == 0 || old.State().Signed != 2 || len(old.Open("case-03").View.Looks) != 1 {
		t.Errorf("%+v, %v", o, err)
	}
}
