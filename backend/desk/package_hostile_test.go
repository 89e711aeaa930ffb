package desk_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plumbline/backend/bundle"
	"plumbline/backend/desktest"
	"plumbline/backend/fault"
	"plumbline/backend/review"
	"plumbline/backend/store"
)

// forger makes packages of words by hand: with the keys of one of R2's machines, for the coordinator.
type forger struct {
	t        *testing.T
	study    *desktest.Study
	boss     *desktest.Person
	keys     bundle.Keys
	lock     bundle.Lock
	manifest bundle.Manifest
	events   []review.Event // what R2 said
}

func keysOf(t *testing.T, study *desktest.Study, home string) (k bundle.Keys) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(filepath.Dir(study.Data), home, "keys.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &k); err != nil {
		t.Fatal(err)
	}
	return k
}

func newForger(t *testing.T) *forger {
	t.Helper()
	study, boss := crossed(t, "R1", "R2")
	two := boss.HandTo(study.Away("R2"))
	two.Open("case-01").LookAll().Rate("s2", review.Partly).Sign()
	path := two.HandBack()
	f := &forger{t: t, study: study, boss: boss, keys: keysOf(t, study, "home of R2")}
	mine, err := boss.Desk.Keys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f.lock.Recipients = []string{mine.Recipient}
	b, err := bundle.Open(path, keysOf(t, study, "home"), "")
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	f.manifest = b.Manifest
	err = b.Each(func(_ bundle.File, data []byte) error {
		for line := range bytes.Lines(data) {
			e, err := review.RestoreEvent(bytes.TrimSpace(line))
			if err != nil {
				return err
			}
			f.events = append(f.events, e)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// lines writes events as hash chains that hold.
func lines(t *testing.T, events []review.Event) (raw []byte, heads []store.HashChain) {
	t.Helper()
	at := map[review.MachineID]int{}
	for _, e := range events {
		i, known := at[e.Machine]
		if !known {
			i = len(heads)
			at[e.Machine] = i
			heads = append(heads, store.HashChain{Reader: e.Reader, Machine: e.Machine})
		}
		h := &heads[i]
		e.Seq, e.Prev = h.Seq+1, h.Head
		b, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		h.Count, h.Seq, h.Head = h.Count+1, e.Seq, review.DigestOf(b)
		raw = append(append(raw, b...), '\n')
	}
	return raw, heads
}

// forge makes a package after change; raw stands in for the lines of its events.
func (f *forger) forge(change func(m *bundle.Manifest, events []review.Event) []review.Event, raw func([]byte) []byte) string {
	f.t.Helper()
	m := f.manifest
	events := slices.Clone(f.events)
	if change != nil {
		events = change(&m, events)
	}
	b, heads := lines(f.t, events)
	if m.Heads != nil {
		m.Heads = heads
	}
	if raw != nil {
		b = raw(b)
	}
	return f.write(m, f.keys, map[string][]byte{"events.jsonl": b})
}

func (f *forger) write(m bundle.Manifest, keys bundle.Keys, files map[string][]byte) string {
	f.t.Helper()
	w, err := bundle.NewWriter(f.t.TempDir())
	if err != nil {
		f.t.Fatal(err)
	}
	defer w.Close()
	for name, b := range files {
		if err := w.Add(name, b); err != nil {
			f.t.Fatal(err)
		}
	}
	path := f.study.NewFile("forged.plumb")
	if _, err := w.Finish(path, m, keys, f.lock); err != nil {
		f.t.Fatal(err)
	}
	return path
}

// Whatever is wrong with what comes back: it is refused in words, and the workspace is as it was.
func TestMergeRefuses(t *testing.T) {
	f := newForger(t)
	type edit = func(m *bundle.Manifest, events []review.Event) []review.Event
	each := func(change func(*review.Event)) edit {
		return func(_ *bundle.Manifest, events []review.Event) []review.Event {
			change(&events[2])
			return events
		}
	}
	others := ""
	for id := range assignedTo(t, f.boss, "R1") {
		others = id
	}
	before := everything(t, f.study.Folder("coordinator"))
	for _, c := range []struct {
		name   string
		change edit
		raw    func([]byte) []byte
		kind   fault.Kind
		words  string
	}{
		{"another study", func(m *bundle.Manifest, e []review.Event) []review.Event { m.Study = "study-x"; return e }, nil, fault.Refused, "another study"},
		{"events of another study", each(func(e *review.Event) { e.Study = "study-x" }), nil, fault.Damaged, "another study"},
		{"an unknown reader", func(m *bundle.Manifest, e []review.Event) []review.Event { m.From = "R9"; return e }, nil, fault.Refused, "no reader R9"},
		{"words of another", each(func(e *review.Event) { e.Reader, e.Machine = "R1", "m-x" }), nil, fault.Refused, "said by R1"},
		{"under another's assignment", each(func(e *review.Event) {
			e.Key = others + e.Key[strings.Index(e.Key, "/"):]
			e.Assignment = review.AssignmentID(others)
		}), nil, fault.Refused, "not one of reader R2"},
		{"a protocol of one's own", each(func(e *review.Event) {
			e.Kind, e.Assignment, e.Key, e.Body = review.KindProtocol, "", "/protocol//", review.Body{Protocol: &review.Protocol{}}
		}), nil, fault.Refused, "does not say"},
		{"another's consent", each(func(e *review.Event) {
			e.Kind, e.Assignment, e.Key, e.Body = review.KindConsent, "", "/consent//R1", review.Body{Note: "x"}
		}), nil, fault.Refused, "does not say"},
		{"a verdict", each(func(e *review.Event) {
			e.Kind, e.Key = review.KindAdjudication, string(e.Assignment)+"/adjudication//"
		}), nil, fault.Refused, "does not say adjudication"},
		{"training that is none", each(func(e *review.Event) { e.Session = review.TrainingSession }), nil, fault.Refused, "no training case"},
		{"an event twice", nil, func(b []byte) []byte { return append(b, b...) }, fault.Damaged, "there twice"},
		{"a cut tail", nil, func(b []byte) []byte { return b[:bytes.LastIndexByte(b[:len(b)-1], '\n')+1] }, fault.Damaged, "some are missing"},
		{"a gap", nil, func(b []byte) []byte {
			all := bytes.SplitAfter(b, []byte("\n"))
			return bytes.Join(append(all[:2:2], all[3:]...), nil)
		}, fault.Damaged, "does not follow"},
		{"another order of bytes", nil, func(b []byte) []byte { return bytes.Replace(b, []byte(`"partly"`), []byte(`"supported"`), 1) }, fault.Damaged, "does not follow"},
		{"no events", nil, func([]byte) []byte { return []byte("{}\n") }, fault.Damaged, "event 1"},
		{"half an event", nil, func(b []byte) []byte { return b[:len(b)-9] }, fault.Damaged, "event "},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := f.boss.Desk.Merge(t.Context(), f.forge(c.change, c.raw), "", "")
			refused(t, err, c.kind, c.words)
			if !bytes.Equal(before, everything(t, f.study.Folder("coordinator"))) {
				t.Error("the workspace changed")
			}
		})
	}
	_, err := f.boss.Desk.Merge(t.Context(), f.write(f.manifest, f.keys, map[string][]byte{"gold.json": nil}), "", "")
	refused(t, err, fault.Invalid, "nothing else")
	_, err = f.boss.Desk.Merge(t.Context(), f.boss.Pack(f.study.Away("R2")), "some passphrase", "")
	refused(t, err, fault.Refused, "another machine's key")
	two := f.study.Away("R2")
	_, err = two.Desk.Merge(t.Context(), two.HandBack(), "", "")
	refused(t, err, fault.Refused, "coordinator's")
	_, err = two.Desk.Conflicts(t.Context())
	refused(t, err, fault.Refused, "coordinator's")
	if m, err := f.boss.Desk.Merge(t.Context(), f.forge(nil, nil), "", ""); err != nil || m.EventsNew != len(f.events) {
		t.Errorf("unchanged it is taken: %+v, %v", m, err)
	}
}

// A key is trusted on first use, for one machine of one reader; another one later is refused until the coordinator names it.
func TestAnotherKeyLater(t *testing.T) {
	f := newForger(t)
	if m, err := f.boss.Desk.Merge(t.Context(), f.forge(nil, nil), "", ""); err != nil || !m.First || m.Fingerprint != bundle.Fingerprint(f.keys.Public()) {
		t.Fatalf("%+v, %v", m, err)
	}
	k, err := bundle.NewKeys()
	if err != nil {
		t.Fatal(err)
	}
	f.keys = k
	path := f.forge(nil, nil)
	_, err = f.boss.Desk.Merge(t.Context(), path, "", "")
	refused(t, err, fault.Refused, bundle.Fingerprint(k.Public()))
	if _, err := f.boss.Desk.Merge(t.Context(), path, "", bundle.Fingerprint(k.Public())); err != nil {
		t.Errorf("named by the coordinator: %v", err)
	}
	if _, err := f.boss.Desk.Merge(t.Context(), path, "", ""); err != nil {
		t.Errorf("accepted from then on: %v", err)
	}
}

// What a machine said is compared with what came before: an end that is gone is noticed, a past that is another one is refused.
func TestCutTailAndFork(t *testing.T) {
	f := newForger(t)
	if _, err := f.boss.Desk.Merge(t.Context(), f.forge(nil, nil), "", ""); err != nil {
		t.Fatal(err)
	}
	shorter := func(m *bundle.Manifest, e []review.Event) []review.Event {
		m.Created = "2999-01-01T00:00:00Z"
		return e[:3]
	}
	m, err := f.boss.Desk.Merge(t.Context(), f.forge(shorter, nil), "", "")
	if err != nil || m.EventsNew != 0 || len(m.Notices) != 1 || !strings.Contains(m.Notices[0], "cut off") {
		t.Errorf("%+v, %v", m, err)
	}
	before := everything(t, f.study.Folder("coordinator"))
	forked := func(_ *bundle.Manifest, e []review.Event) []review.Event {
		e[len(e)-1].ID = "01990000-0000-7000-8000-000000000000"
		return e
	}
	_, err = f.boss.Desk.Merge(t.Context(), f.forge(forked, nil), "", "")
	refused(t, err, fault.Damaged, "set back to an earlier state")
	other := func(_ *bundle.Manifest, e []review.Event) []review.Event {
		e[len(e)-1].Reason = "other bytes"
		return e
	}
	_, err = f.boss.Desk.Merge(t.Context(), f.forge(other, nil), "", "")
	refused(t, err, fault.Damaged, "other bytes")
	if !bytes.Equal(before, everything(t, f.study.Folder("coordinator"))) {
		t.Error("the workspace changed")
	}
}

// Whatever is wrong with a package of work, a reader's workspace is as it was, and no new one is left behind.
func TestOpenWorkRefuses(t *testing.T) {
	f := newForger(t)
	two, elsewhere := f.study.Away("R2"), desktest.Many(t, 2)
	other := elsewhere.Coordinator().Set(desktest.Rules("R2", "R3"))
	other.Assign()
	work := f.boss.Pack(two)
	locked := func(boss *desktest.Person, reader string, p *desktest.Person) string {
		t.Helper()
		keys, err := p.Desk.Keys(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		path := f.study.NewFile("work.plumb")
		if _, err := boss.Desk.MakeWork(t.Context(), reader, path, bundle.Lock{Recipients: []string{keys.Recipient}}); err != nil {
			t.Fatal(err)
		}
		return path
	}
	strange := func(change func(*bundle.Manifest, map[string][]byte)) string {
		t.Helper()
		b, err := bundle.Open(work, keysOf(t, f.study, "home of R2"), "")
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		files := map[string][]byte{}
		if err := b.Each(func(file bundle.File, data []byte) error { files[file.Name] = data; return nil }); err != nil {
			t.Fatal(err)
		}
		m := b.Manifest
		change(&m, files)
		mine, err := two.Desk.Keys(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		f.lock.Recipients = []string{mine.Recipient}
		return f.write(m, keysOf(t, f.study, "home"), files)
	}
	before := everything(t, two.Folder())
	for _, c := range []struct {
		name, path string
		kind       fault.Kind
		words      string
	}{
		{"of another study", locked(other, "R2", two), fault.Refused, "another study"},
		{"for another reader", locked(f.boss, "R1", two), fault.Refused, "for reader R1"},
		{"of words", two.HandBack(), fault.Refused, "another machine's key"},
		{"another file in it", strange(func(_ *bundle.Manifest, files map[string][]byte) { files["gold.json"] = nil }), fault.Invalid, "no such file"},
		{"no cases", strange(func(_ *bundle.Manifest, files map[string][]byte) { delete(files, "data/cases.jsonl") }), fault.Invalid, "missing"},
		{"broken cases", strange(func(_ *bundle.Manifest, files map[string][]byte) { files["data/cases.jsonl"] = []byte("{\n") }), fault.Invalid, "line 1"},
		{"a case that climbs", strange(func(_ *bundle.Manifest, files map[string][]byte) {
			files["data/cases.jsonl"] = []byte(`{"id":"../../x"}` + "\n")
		}), fault.Invalid, "none of a package"},
		{"events cut", strange(func(_ *bundle.Manifest, files map[string][]byte) {
			b := files["events.jsonl"]
			files["events.jsonl"] = b[:bytes.LastIndexByte(b[:len(b)-1], '\n')+1]
		}), fault.Damaged, "some are missing"},
		{"no dataset", strange(func(_ *bundle.Manifest, files map[string][]byte) { files["data/dataset.json"] = []byte("[]") }), fault.Invalid, "dataset.json"},
		{"a newer training key", strange(func(_ *bundle.Manifest, files map[string][]byte) {
			files["training.json"] = []byte(`{"schema":"plumbline/training/9"}`)
		}), fault.Invalid, "newer"},
		{"no package", filepath.Join(f.study.Data, "dataset.json"), fault.Invalid, "no package"},
		{"nothing", filepath.Join(f.study.Data, "none"), fault.NotFound, "no such file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := two.Desk.OpenWork(t.Context(), c.path, two.Folder(), "")
			refused(t, err, c.kind, c.words)
			if !bytes.Equal(before, everything(t, two.Folder())) {
				t.Error("the workspace changed")
			}
			if c.kind == fault.Refused && c.words != "another machine's key" {
				return // into a folder of its own it may go
			}
			fresh := filepath.Join(t.TempDir(), "fresh")
			if _, err := two.Desk.OpenWork(t.Context(), c.path, fresh, ""); err == nil {
				t.Error("taken into a folder of its own")
			}
			if _, err := os.Stat(fresh); err == nil {
				t.Errorf("%s is left behind: %s", fresh, everything(t, fresh))
			}
			if two.State().Workspace != two.Folder() {
				t.Error("another workspace is open")
			}
		})
	}
	_, err := f.boss.Desk.OpenWork(t.Context(), locked(f.boss, "R2", f.boss), f.study.Folder("coordinator"), "")
	refused(t, err, fault.Refused, "the seat of coordinator")
	for _, reader := range []string{"R9", "A1"} {
		_, err := f.boss.Desk.MakeWork(t.Context(), reader, f.study.NewFile("x"), bundle.Lock{Passphrase: "long enough it is"})
		refused(t, err, fault.NotFound, "no such reader")
	}
	_, err = f.boss.Desk.MakeWork(t.Context(), "R2", f.study.NewFile("x"), bundle.Lock{Passphrase: "short"})
	refused(t, err, fault.Invalid, "passphrase")
	_, err = f.boss.Desk.MakeWords(t.Context(), f.study.NewFile("x"), bundle.Lock{})
	refused(t, err, fault.Refused, "coordinator's")
}

// A passphrase does as well as a key, both ways.
func TestPackagesByPassphrase(t *testing.T) {
	study, boss := crossed(t, "R1", "R2")
	two := study.Away("R2")
	lock := bundle.Lock{Passphrase: "told on the telephone"}
	work, words := study.NewFile("work.plumb"), study.NewFile("words.plumb")
	p, err := boss.Desk.MakeWork(t.Context(), "R2", work, lock)
	if err != nil || p.Reads != 4 || p.Images != 4 || p.Frames != 4 || p.Training != 0 || len(p.Problems) != 0 {
		t.Fatalf("%+v, %v", p, err)
	}
	_, err = two.Desk.OpenWork(t.Context(), work, two.Folder(), "told on the telefone")
	refused(t, err, fault.Refused, "passphrase is not the one")
	if o, err := two.Desk.OpenWork(t.Context(), work, two.Folder(), lock.Passphrase); err != nil || !o.First || o.New != 4 {
		t.Fatalf("%+v, %v", o, err)
	}
	if o, err := two.Desk.OpenWork(t.Context(), work, "", lock.Passphrase); err != nil || o.First || o.Kept != 4 || o.Workspace != two.Folder() {
		t.Fatalf("without a folder it finds the one that has this work: %+v, %v", o, err)
	}
	two.Open(two.Worklist()[0].ID).Sign()
	if _, err := two.Desk.MakeWords(t.Context(), words, lock); err != nil {
		t.Fatal(err)
	}
	if m, err := boss.Desk.Merge(t.Context(), words, lock.Passphrase, ""); err != nil || m.EventsNew == 0 {
		t.Errorf("%+v, %v", m, err)
	}
	if s, err := boss.Desk.Progress(t.Context()); err != nil || s.Readers[1].Done != 1 || s.Readers[1].Extra != 0 {
		t.Errorf("%+v, %v", s, err)
	}
}
