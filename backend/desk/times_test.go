package desk_test

import (
	"testing"
	"time"

	"plumbline/backend/desk"
	"plumbline/backend/desktest"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// timesOf gives the times of one reading.
func timesOf(t *testing.T, p *desktest.Person, assignment string) desk.Times {
	t.Helper()
	var found desk.Times
	err := p.Desk.EachTimes(t.Context(), func(x desk.Times) error {
		if x.Assignment == assignment {
			found = x
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// S11, S12: active and idle time add up over restarts and steps, apart; the span on the clock is apart from both.
func TestTimesAddUp(t *testing.T) {
	study := desktest.New(t)
	clock := study.Clock(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
	ann := study.As("ann")
	v := ann.Open("case-02").LookAll().View
	seen := func(chain string, s review.Seen) {
		t.Helper()
		if _, err := ann.Desk.Seen(t.Context(), v.Assignment, chain, s); err != nil {
			t.Fatal(err)
		}
	}
	seen("x12", review.Seen{Step: "s2", DwellMS: 30_000, FirstAt: "2026-03-02T09:00:00Z"})
	ann.Restart()
	clock.Advance(2 * time.Hour)
	seen("x12", review.Seen{Step: "s2", DwellMS: 20_000, RegionOnScreen: true, FirstAt: "2026-03-02T11:00:00Z"})
	if got := timesOf(t, ann, v.Assignment); got.ActiveMS != 50_000 || got.IdleMS != 0 || got.SpanMS != 2*3600*1000 || got.Order != 2 || got.Signed != "" {
		t.Errorf("30 s, closed, 20 s: %+v", got)
	}
	seen("x12", review.Seen{Step: "s3", DwellMS: 40_000, Breaks: 1, IdleMS: 600_000})
	seen("x12", review.Seen{Step: "s3", DwellMS: 20_000})
	clock.Advance(time.Minute)
	ann.Open("case-02").Rate("s2", review.Partly).Sign()
	got := timesOf(t, ann, v.Assignment)
	if got.ActiveMS != 110_000 || got.IdleMS != 600_000 || got.Breaks != 1 || got.Signed == "" {
		t.Errorf("with a break: %+v", got)
	}
	var s2, s3 desk.StepTimes
	for _, s := range got.Steps {
		switch s.Step {
		case "s2":
			if s.Chain == "x12" {
				s2 = s
			}
		case "s3":
			if s.Chain == "x12" {
				s3 = s
			}
		}
	}
	if s2.FirstSeen != "2026-03-02T09:00:00Z" || s2.FirstAnswer != "2026-03-02T11:01:00.000Z" || s2.ActiveMS != 50_000 || !s2.RegionOnScreen || s2.RegionFitting {
		t.Errorf("step 2: %+v", s2)
	}
	if s3.ActiveMS != 60_000 || s3.IdleMS != 600_000 {
		t.Errorf("step 3: 40 s work, 10 min away, 20 s work: %+v", s3)
	}
	_, err := ann.Desk.Seen(t.Context(), v.Assignment, "x12", review.Seen{Step: "s2", FirstAt: "yesterday"})
	refused(t, err, fault.Invalid, "first_at")
}

// S14: a session that begins before the washout is over is refused; later the days since session 1 are known of each case.
func TestDaysSinceSessionOne(t *testing.T) {
	study := desktest.New(t)
	clock := study.Clock(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
	rules := desktest.Rules("R1")
	rules.Sessions, rules.WashoutDays = 2, 28
	ann := study.Coordinator().Set(rules)
	ann.Assign()
	rows := ann.Worklist()
	for _, row := range rows[:3] {
		ann.Open(row.ID).Sign()
	}
	clock.Advance(20 * 24 * time.Hour)
	v := ann.Open(rows[3].ID).View
	look := review.Look{Question: "q1", Answer: "A", Confidence: 2}
	_, err := ann.Desk.Look(t.Context(), v.Assignment, look)
	refused(t, err, fault.Refused, "28 days of washout, on 2026-03-30")
	rules.WashoutDays = 14
	ann.Set(rules)
	if _, err := ann.Desk.Look(t.Context(), v.Assignment, look); err != nil {
		t.Fatal(err)
	}
	if got := timesOf(t, ann, v.Assignment); got.DaysSince == nil || *got.DaysSince != 20 || got.Session != "2" {
		t.Errorf("session 2: %+v", got)
	}
	if got := timesOf(t, ann, rows[0].Assignment); got.DaysSince != nil || got.SpanMS != 0 {
		t.Errorf("session 1: %+v", got)
	}
}

// S03: the coordinator may read; what is said after the report was seen is known for it, and gold is nobody's read.
func TestUnblinded(t *testing.T) {
	study := desktest.New(t)
	boss := study.Coordinator()
	before := boss.Open("case-01").Sign().View
	if _, err := boss.Desk.Report(t.Context()); err != nil {
		t.Fatal(err)
	}
	after := boss.Restart().Open("case-02").Sign().View
	if timesOf(t, boss, before.Assignment).Unblinded || !timesOf(t, boss, after.Assignment).Unblinded {
		t.Error("only what was said after the report is unblinded")
	}
	s, err := boss.Desk.Progress(t.Context())
	if err != nil || s.Readers[0].Unblinded != 1 || s.Readers[0].Done != 2 {
		t.Errorf("%+v, %v", s, err)
	}
	noted := 0
	for range 2 {
		if err := boss.Desk.EachChain(t.Context(), "", func(desk.ListedChain) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	err = boss.Desk.EachReading(t.Context(), "R1", func(e review.Event, _ []byte) error {
		if e.Kind == review.KindUnblinded {
			noted++
		}
		return nil
	})
	if err != nil || noted != 1 {
		t.Errorf("noted %d times, %v", noted, err)
	}
	// Who is no reader of the protocol reads nothing that could be unblinded.
	other := desktest.Many(t, 2).Coordinator().Set(desktest.Rules("R7"))
	if _, err := other.Desk.Report(t.Context()); err != nil {
		t.Fatal(err)
	}
	err = other.Desk.EachReading(t.Context(), "", func(e review.Event, _ []byte) error {
		if e.Kind == review.KindUnblinded {
			t.Errorf("%s is noted", e.Reader)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// S15: what was said while the frame was still loading is known for it.
func TestNotShownYet(t *testing.T) {
	ann := desktest.New(t).As("ann")
	v := ann.Open("case-01").LookAll().View
	rate := func(r review.Rating) {
		t.Helper()
		if _, err := ann.Desk.Rate(t.Context(), v.Assignment, "x11", r, ""); err != nil {
			t.Fatal(err)
		}
	}
	rate(review.Rating{Step: "s1", Support: review.Supported, NotShown: true})
	rate(review.Rating{Step: "s2", Support: review.Partly, NotShown: true})
	rate(review.Rating{Step: "s2", Support: review.Partly})
	if got := timesOf(t, ann, v.Assignment); got.NotShown != 1 {
		t.Errorf("%+v", got)
	}
	for _, c := range ann.Restart().Open("case-01").View.Chains {
		for _, r := range c.Ratings {
			if r.NotShown != (r.Step == "s1") {
				t.Errorf("step %s: %v", r.Step, r.NotShown)
			}
		}
	}
}

func TestDisplayCheck(t *testing.T) {
	ann := desktest.New(t).As("ann")
	_, err := ann.Desk.CheckDisplay(t.Context(), review.Display{Columns: 1920, Rows: 1080, Depth: 24})
	refused(t, err, fault.Invalid, "pixel ratio")
	if ann.State().Displayed {
		t.Error("nothing was said yet")
	}
	s, err := ann.Desk.CheckDisplay(t.Context(), review.Display{Columns: 1920, Rows: 1080, Ratio: 1.5, Depth: 24, Dark: true})
	if err != nil || !s.Displayed {
		t.Fatalf("%+v, %v", s, err)
	}
	if ann.Restart().State().Displayed {
		t.Error("another session asks again")
	}
	found := 0
	err = ann.Desk.EachReading(t.Context(), "ann", func(e review.Event, _ []byte) error {
		if d := e.Body.Display; d != nil && d.Ratio == 1.5 && d.Dark && !d.Bright {
			found++
		}
		return nil
	})
	if err != nil || found != 1 {
		t.Errorf("found %d, %v", found, err)
	}
}

// S08: two reads are wanted and three readers have the case open: the third read is kept, never an error, and marked extra.
func TestThirdOfTwoReads(t *testing.T) {
	study := desktest.Many(t, 1)
	rules := desktest.Rules("R2", "R3", "R4")
	rules.Design, rules.ReadsPerCase = review.Split, 2
	boss := study.Coordinator().Set(rules)
	for _, code := range []string{"R2", "R3", "R4"} { // at one desk, before anything is assigned
		if _, err := boss.Desk.SetReader(t.Context(), code); err != nil {
			t.Fatal(err)
		}
		boss.Open("case-001").Sign()
	}
	boss.Assign()
	s, err := boss.Desk.Progress(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	done, extra, said := 0, 0, 0
	for _, r := range s.Readers {
		done, extra = done+r.Done, extra+r.Extra
	}
	err = boss.Desk.EachReading(t.Context(), "", func(e review.Event, _ []byte) error {
		if e.Kind == review.KindLook && e.Case == "case-001" {
			said++
		}
		return nil
	})
	if err != nil || done != 2 || extra != 1 || said != 6 {
		t.Errorf("%d done, %d extra, %d looks kept: %+v, %v", done, extra, said, s.Readers, err)
	}
}
