package desk_test

import (
	"slices"
	"strings"
	"testing"

	"plumbline/backend/bundle"
	"plumbline/backend/desk"
	"plumbline/backend/desktest"
	"plumbline/backend/fault"
	"plumbline/backend/report"
	"plumbline/backend/review"
)

func TestProtocolIsChecked(t *testing.T) {
	study := desktest.Many(t, 4)
	boss, ann := study.Coordinator(), study.As("ann")
	if p, set, err := boss.Desk.Protocol(t.Context()); err != nil || set || p.Design != review.Crossed || !p.Look.First {
		t.Errorf("at first: %+v, %v, %v", p, set, err)
	}
	good := `{"readers":[{"code":"R1","role":"reader"}],` + "\n"
	for _, c := range []struct{ name, file, want string }{
		{"no protocol", `{"readers":7}`, "a list expected"},
		{"a newer one", `{"schema":"plumbline/protocol/9"}`, "newer Plumbline"},
		{"nobody", "{}", "line 1, readers: at least one"},
		{"more reads than readers", good + `"design":"split","reads_per_case":2}`, "line 2, reads_per_case: 1 to the number of readers (1)"},
		{"unknown case", good + `"training":["case-001",` + "\n" + `"case-099"]}`, `line 3, training[1]: the dataset has no case "case-099"`},
		{"nothing to pass by", good + `"training":["case-001"],` + "\n" + `"training_pass":0.8}`, "line 3, training_pass: nothing is known of what is expected"},
		{"unknown rubric", good + `"rubric":{"name":"GRD","version":"2"}}`, "line 2, rubric: the study has no rubric GRD version 2; it has GRD version 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := boss.Desk.SetProtocol(t.Context(), []byte(c.file))
			refused(t, err, fault.Invalid, c.want)
		})
	}
	_, err := boss.Desk.Assign(t.Context())
	refused(t, err, fault.Refused, "no protocol is set")
	_, err = ann.Desk.SetProtocol(t.Context(), []byte(good+`"name":"x"}`))
	refused(t, err, fault.Refused, "coordinator's")
	_, err = ann.Desk.Assign(t.Context())
	refused(t, err, fault.Refused, "coordinator's")
	_, err = ann.Desk.MakeWork(t.Context(), "ann", "x", bundle.Lock{})
	refused(t, err, fault.Refused, "coordinator's")
	if v, err := boss.Desk.Verify(t.Context()); err != nil || v.Events != 0 {
		t.Errorf("nothing was said: %+v, %v", v, err)
	}
	boss.Set(desktest.Rules("R1", "R2"))
	_, err = boss.Desk.SetReader(t.Context(), "R9")
	refused(t, err, fault.Refused, "the protocol has no reader R9")
	if s, err := boss.Desk.SetReader(t.Context(), "R2"); err != nil || s.Reader != "R2" {
		t.Errorf("%+v, %v", s, err)
	}
}

// What was said keeps the protocol under which it was said.
func TestChangedProtocol(t *testing.T) {
	study := desktest.Many(t, 4)
	rules := desktest.Rules("R1")
	boss := study.Coordinator()
	free := boss.Open("case-001").Look("q1", "A") // before anything was assigned
	boss.Set(rules)
	boss.Set(rules) // the same again says nothing new
	boss.Assign()
	row := boss.Worklist()[slices.IndexFunc(boss.Worklist(), func(r desk.CaseRow) bool { return r.ID == "case-001" })]
	if row.Assignment != free.View.Assignment || row.State != "look" || row.Done != 1 {
		t.Errorf("a read that was begun goes on: %+v", row)
	}
	before := boss.Worklist()
	boss.Open("case-001").Sign()
	rules.Name, rules.Seed, rules.ChainsPerCase = "later", 8, 1
	boss.Set(rules)
	if s := boss.Assign(); s.Added != 0 {
		t.Errorf("another seed assigns nothing twice: %+v", s)
	}
	boss.Open("case-002").LookAll()
	if after := boss.Worklist(); after[0].ID != before[0].ID || after[3].ID != before[3].ID {
		t.Errorf("the order changed: %+v", after)
	}
	digests := map[review.Digest][]review.CaseID{}
	protocols := 0
	err := boss.Desk.EachReading(t.Context(), "", func(e review.Event, _ []byte) error {
		if e.Kind == review.KindLook && !slices.Contains(digests[e.ProtocolDigest], e.Case) {
			digests[e.ProtocolDigest] = append(digests[e.ProtocolDigest], e.Case)
		}
		if e.Kind == review.KindProtocol {
			protocols++
		}
		return nil
	})
	if err != nil || len(digests) != 3 || protocols != 4 {
		t.Errorf("looks by protocol: %v; %d protocol events, %v", digests, protocols, err)
	}
}

func TestSessions(t *testing.T) {
	study := desktest.Many(t, 2)
	rules := desktest.Rules("R1")
	rules.Sessions, rules.WashoutDays = 2, 28
	boss := study.Coordinator().Set(rules)
	if s := boss.Assign(); s.Added != 4 {
		t.Fatalf("%+v", s)
	}
	rows := boss.Worklist()
	look := func(i int) error {
		_, err := boss.Desk.Look(t.Context(), rows[i].Assignment, review.Look{Question: "q1", Answer: "A", Confidence: 1})
		return err
	}
	refused(t, look(2), fault.Refused, "session 2 begins when all of session 1 is signed")
	boss.Open(rows[0].ID).Sign()
	boss.Open(rows[1].ID).Sign()
	refused(t, look(2), fault.Refused, "session 2 begins after 28 days of washout")
	rules.WashoutDays = 0
	boss.Set(rules)
	boss.Open(rows[2].ID).Sign()
	sessions := map[string]int{}
	err := boss.Desk.EachReading(t.Context(), "", func(e review.Event, _ []byte) error {
		if e.Kind == review.KindSign {
			sessions[e.Session]++
		}
		return nil
	})
	if err != nil || sessions["1"] != 2 || sessions["2"] != 1 {
		t.Errorf("signatures by session: %v, %v", sessions, err)
	}
}

func TestLookRulesAndChains(t *testing.T) {
	for _, c := range []struct {
		name     string
		look     review.LookRule
		chains   review.ChainCount
		required int
		open     string
	}{
		{"all", review.LookRule{First: true, Questions: review.AllQuestions}, 0, 10, "q1"},
		{"last question only", review.LookRule{First: true, Questions: review.LastQuestion}, 0, 9, "q2"},
		{"no look", review.LookRule{Questions: review.AllQuestions}, 0, 8, ""},
		{"one chain", review.LookRule{First: true, Questions: review.AllQuestions}, 1, 6, "q1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rules := desktest.Rules("R1", "R2")
			rules.Look, rules.ChainsPerCase, rules.Training = c.look, c.chains, []review.CaseID{"case-003"}
			study := desktest.Many(t, 3)
			boss := study.Coordinator().Set(rules)
			boss.Assign()
			bob := boss.HandTo(study.Away("R2"))
			for _, p := range []*desktest.Person{boss, bob} {
				p.Open("case-003").Sign() // for practice, before the worklist
			}
			rows := bob.Worklist()[1:]
			if len(rows) != 2 || rows[0].Required != c.required {
				t.Fatalf("%+v", rows)
			}
			r := bob.Open("case-001")
			named := func(name string) bool { return strings.Contains(r.View.Case.Questions[0].Text, "("+name+")") }
			if c.open == "" && r.View.Phase != "judge" || c.open != "" && (r.View.Phase != "look" || r.View.Place.Step != string(r.View.Case.Questions[0].ID) || !named(c.open)) {
				t.Errorf("opens with %+v", r.View.Place)
			}
			r.Sign()
			if r.View.Required != c.required || r.View.Done != c.required || len(r.View.Case.Questions) != 2 || c.chains > 0 && len(r.View.Chains) != int(c.chains) {
				t.Errorf("signed: %+v", r.View)
			}
			if mine := boss.Open("case-001").Sign().View; c.chains > 0 {
				boss.TakeBack(bob.HandBack())
				a, err := boss.Desk.Agreement(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				// Three steps of the one chain, each rated by both under whatever name, of the same version.
				i := slices.IndexFunc(a, func(r report.Agreement) bool {
					return r.Dimension == "support" && r.K == 0 && r.Reader == ""
				})
				if i < 0 || a[i].Pairable != 3 || a[i].LeftOut != 0 || len(mine.Chains) != 1 {
					t.Errorf("two readers read other chains: %+v", a)
				}
			}
			rules.Closed = true
			boss.Set(rules)
			_, err := boss.Desk.Assign(t.Context())
			refused(t, err, fault.Refused, "closed")
			boss.HandTo(bob)
			row := rows[slices.IndexFunc(rows, func(row desk.CaseRow) bool { return row.ID != string(r.View.Case.ID) })]
			if c.open != "" {
				_, err = bob.Desk.Look(t.Context(), row.Assignment, review.Look{Question: review.QuestionID(bob.Open(row.ID).View.Place.Step), Answer: "A", Confidence: 1})
				refused(t, err, fault.Refused, "the study is closed")
			}
			v := r.View
			full, _ := desktest.Full(v, v.Chains[0].ID, "s2", review.Contradicted)
			_, err = bob.Desk.Rate(t.Context(), v.Assignment, v.Chains[0].ID, full, "after the end")
			refused(t, err, fault.Refused, "the study is closed")
		})
	}
}

// S01, S02: a case counts once all required answers are given and it is signed, however often something optional was said.
func TestProgress(t *testing.T) {
	study := desktest.Many(t, 3)
	boss := study.Coordinator()
	progress := func() desk.Standing {
		t.Helper()
		s, err := boss.Desk.Progress(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if s := progress(); len(s.Readers) != 1 || s.Readers[0].Assigned != 3 || s.Readers[0].Required != 30 {
		t.Errorf("without a protocol: %+v", s)
	}
	rules := desktest.Rules("R1", "R2")
	rules.Design, rules.ReadsPerCase = review.Split, 1
	boss.Set(rules)
	if s := progress(); len(s.Readers) != 2 || s.Readers[0].Assigned != 0 {
		t.Errorf("nothing assigned yet: %+v", s)
	}
	_, err := boss.Desk.SetReader(t.Context(), "R2")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"case-001", "case-002", "case-003"} { // S08: before anything was assigned, so some will be extra
		boss.Open(id).Look("q1", "A").Look("q2", "B").Rate("s1", review.NotVisual)
	}
	if _, err := boss.Desk.SetReader(t.Context(), "R1"); err != nil {
		t.Fatal(err)
	}
	s := boss.Assign()
	one, two := s.Readers[0], s.Readers[1]
	if one.Assigned+two.Assigned != 3 || two.Started != two.Assigned || two.Done != 0 || two.Answers != 3*two.Assigned || two.Extra != one.Assigned || one.Started != 0 {
		t.Errorf("%+v", s)
	}
	mine := boss.Worklist()[0].ID
	boss.Open(mine).RateRest()
	if r := progress().Readers[0]; r.Done != 0 || r.Started != 1 || r.Answers != 10 {
		t.Errorf("all answered, not signed: %+v", r)
	}
	boss.Open(mine).Sign()
	full, _ := desktest.Full(boss.Open(mine).View, boss.Open(mine).View.Chains[0].ID, "s1", review.Supported)
	full.Note = "by the way"
	if _, err := boss.Desk.Rate(t.Context(), boss.Worklist()[0].Assignment, boss.Open(mine).View.Chains[0].ID, full, "a note"); err != nil {
		t.Fatal(err)
	}
	if r := progress().Readers[0]; r.Done != 1 || r.Started != 0 || r.Answers != 10 || r.Last == "" {
		t.Errorf("signed: %+v", r)
	}
	if left := 3 - one.Assigned; left > 0 {
		other := slices.IndexFunc([]string{"case-001", "case-002", "case-003"}, func(id string) bool {
			return !slices.ContainsFunc(boss.Worklist(), func(r desk.CaseRow) bool { return r.ID == id })
		})
		_, err := boss.Desk.OpenCase(t.Context(), []string{"case-001", "case-002", "case-003"}[other])
		refused(t, err, fault.NotFound, "not assigned to reader R1")
	}
}

// What the protocol hides until the study closes stays hidden after the patient is signed; the second pass over cues comes after closing.
func TestHiddenUntilTheStudyCloses(t *testing.T) {
	boss := desktest.New(t).Coordinator()
	rules := desktest.Rules("R1")
	rules.HiddenUntil = review.StudyClosed
	boss.Set(rules)
	boss.Assign()
	for _, row := range boss.Worklist() {
		boss.Open(row.ID).Sign()
	}
	cued := func() (desk.CaseView, int) {
		v := boss.Open("case-01").View
		return v, slices.IndexFunc(v.Chains, func(c desk.ChainView) bool { return c.CueAck })
	}
	if _, i := cued(); i >= 0 {
		t.Error("a cue shows before the study is closed")
	}
	rules.Closed = true
	boss.Set(rules)
	v, i := cued()
	if i < 0 || v.Chains[i].ID != "x21" {
		t.Fatalf("the cue of x21 shows after closing: %+v", v.Chains)
	}
	full := v.Chains[i].Ratings[0]
	full.CueAck = "mentioned"
	if _, err := boss.Desk.Rate(t.Context(), v.Assignment, "x21", full, ""); err != nil {
		t.Errorf("the second pass after closing: %v", err)
	}
	full.Support = review.NotVisual
	_, err := boss.Desk.Rate(t.Context(), v.Assignment, "x21", full, "changed my mind")
	refused(t, err, fault.Refused, "the study is closed")
}
