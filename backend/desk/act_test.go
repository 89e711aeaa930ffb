package desk_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"plumbline/backend/desk"
	"plumbline/backend/desktest"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// refused checks that an act failed with this kind, and says so with these words.
func refused(t *testing.T, err error, kind fault.Kind, words string) {
	t.Helper()
	if fault.KindOf(err) != kind || !strings.Contains(fmt.Sprint(err), words) {
		t.Errorf("want %s with %q, got %v", kind, words, err)
	}
}

func TestLookComesFirstAndIsLocked(t *testing.T) {
	ann := desktest.New(t).As("ann")
	v := ann.Open("case-01").View
	if v.Phase != "look" || len(v.Chains) != 0 || v.Required != 10 || v.Done != 0 || len(v.Missing) != 2 || v.Place.Step != "q1" {
		t.Fatalf("at first: %+v", v)
	}
	if v.Case.Questions[0].ID != "q1" {
		t.Errorf("questions stand in stage order, found %s first", v.Case.Questions[0].ID)
	}
	look := func(question review.QuestionID, answer string, confidence int) error {
		_, err := ann.Desk.Look(t.Context(), v.Assignment, review.Look{Question: question, Answer: answer, Confidence: confidence})
		return err
	}
	_, err := ann.Desk.Rate(t.Context(), v.Assignment, "x11", review.Rating{Step: "s1"}, "")
	refused(t, err, fault.Refused, "q1 is not")
	refused(t, look("q2", "A", 1), fault.Refused, "question q1 comes first")
	refused(t, look("q1", "C", 1), fault.Invalid, "one of the letters A, B expected")
	refused(t, look("q1", "", 1), fault.Invalid, "letters")
	refused(t, look("q1", "A", 4), fault.Invalid, "confidence")
	refused(t, look("q9", "A", 1), fault.NotFound, "no such question")
	if err := look("q1", "A", 1); err != nil {
		t.Fatal(err)
	}
	refused(t, look("q1", "B", 1), fault.Refused, "locked")
	if err := look("q1", "A", 1); err != nil {
		t.Errorf("the same answer again is the same answer: %v", err)
	}
	r := ann.Open("case-01").Look("q2", "B")
	if r.Saved.Phase != "judge" || len(r.Saved.Chains) != 2 || r.Saved.Chains[0].Name != "A" {
		t.Errorf("the last look opens the chains: %+v", r.Saved)
	}
	_, err = ann.Desk.Sign(t.Context(), v.Assignment)
	refused(t, err, fault.Refused, "support of step 1 of chain A")
	_, err = ann.Desk.Sign(t.Context(), "a-none")
	refused(t, err, fault.NotFound, "no such assignment")
}

func TestCorrectionAfterSigning(t *testing.T) {
	ann := desktest.New(t).As("ann")
	r := ann.Open("case-01").Sign()
	if r.View.Phase != "signed" || r.Saved.Signed != 1 || len(r.View.Missing) != 0 {
		t.Fatalf("signed: %+v", r.Saved)
	}
	chain := r.View.Chains[0].ID
	full, _ := desktest.Full(r.View, chain, "s2", review.Contradicted)
	_, err := ann.Desk.Rate(t.Context(), r.View.Assignment, chain, full, " ")
	refused(t, err, fault.Refused, "needs a reason")
	r.Correct("s2", review.Contradicted, "wrong side")
	if r.Saved.Revision != 2 || r.Saved.Phase != "signed" || r.View.Chains[0].FirstBadStep != "s2" {
		t.Errorf("a whole correction keeps the case signed: %+v", r.Saved)
	}
	saved, err := ann.Desk.Rate(t.Context(), r.View.Assignment, chain, review.Rating{Step: "s2", Support: review.Partly}, "in part")
	if err != nil || saved.Phase != "judge" || saved.Signed != 0 {
		t.Errorf("a correction that leaves answers open opens the case: %+v, %v", saved, err)
	}
	verdict := desktest.FullChain()
	verdict.Answer = "incorrect"
	_, err = ann.Desk.RateChain(t.Context(), r.View.Assignment, chain, verdict, "")
	refused(t, err, fault.Refused, "needs a reason")
}

// L02: ratings do not wait for the place where the pictures lie.
func TestRatingWhileTheShareIsAway(t *testing.T) {
	study := desktest.New(t)
	ann := study.As("ann")
	r := ann.Open("case-01").LookAll()
	if err := os.Rename(study.Data, study.Data+"-away"); err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		support := []review.Support{review.Supported, review.NotVisual}[i%2]
		full, _ := desktest.Full(r.View, "x11", "s1", support)
		if saved, err := ann.Desk.Rate(t.Context(), r.View.Assignment, "x11", full, ""); err != nil || saved.Revision != i+1 {
			t.Fatalf("rating %d: %+v, %v", i, saved, err)
		}
	}
	ann.Restart()
	s := ann.State()
	if !s.Open || s.Cases != 0 || s.Problems != 1 {
		t.Errorf("without its dataset a workspace opens and says what is wrong: %+v", s)
	}
	_, err := ann.Desk.OpenCase(t.Context(), "case-01")
	refused(t, err, fault.IO, "cannot be opened")
	if err := os.Rename(study.Data+"-away", study.Data); err != nil {
		t.Fatal(err)
	}
	if v := ann.Restart().Open("case-01").View; v.Revisions != 19 {
		t.Errorf("%d of 19 revisions kept", v.Revisions)
	}
}

// S01, L01: partial work is not done, and the program opens again where it was left.
func TestResume(t *testing.T) {
	ann := desktest.New(t).As("ann")
	if s := ann.State(); s.Resume != (desk.Place{}) {
		t.Errorf("nothing said yet: %+v", s.Resume)
	}
	ann.Open("case-02").Look("q1", "A")
	if s := ann.Restart().State(); s.Resume != (desk.Place{Case: "case-02", Phase: "look", Step: "q2"}) || s.Signed != 0 {
		t.Errorf("in the look phase: %+v", s.Resume)
	}
	r := ann.Open("case-02").LookAll()
	first := r.View.Chains[0].ID
	r.Rate("s1", review.Supported).Rate("s2", review.Partly)
	if s := ann.Restart().State(); s.Resume != (desk.Place{Case: "case-02", Phase: "judge", Chain: first, Step: "s2"}) {
		t.Errorf("in the judge phase: %+v", s.Resume)
	}
	rows, err := ann.Desk.Cases(t.Context())
	if err != nil || rows[1].State != "judge" || rows[1].Done != 4 || rows[1].Required != 10 || rows[0].State != "new" || rows[3].Required != 0 {
		t.Errorf("rows: %+v, %v", rows, err)
	}
	ann.Open("case-02").Sign()
	if s := ann.Restart().State(); s.Resume.Case != "case-03" || s.Resume.Phase != "look" || s.Signed != 1 {
		t.Errorf("after signing, the next case: %+v", s.Resume)
	}
	for _, id := range []string{"case-03", "case-01"} {
		ann.Open(id).Sign()
	}
	if s := ann.Restart().State(); s.Resume != (desk.Place{Case: "case-01", Phase: "signed"}) || s.Signed != 3 {
		t.Errorf("all read: %+v", s)
	}
}

// S02: progress counts cases with all required answers, not the number of answers given.
func TestProgressIgnoresOptionalAnswers(t *testing.T) {
	study := desktest.New(t)
	ann, bob := study.As("ann"), study.As("bob")
	a, b := ann.Open("case-01").RateRest(), bob.Open("case-01").RateRest()
	full, _ := desktest.Full(a.View, "x11", "s1", review.Supported)
	for _, note := range []string{"one", "two", "three"} {
		full.Note = note
		if _, err := ann.Desk.Rate(t.Context(), a.View.Assignment, "x11", full, ""); err != nil {
			t.Fatal(err)
		}
	}
	a, b = ann.Open("case-01").Sign(), b.Sign()
	if a.Saved.Done != b.Saved.Done || a.Saved.Done != a.Saved.Required || a.Saved.Signed != 1 || b.Saved.Signed != 1 {
		t.Errorf("ann %+v, bob %+v", a.Saved, b.Saved)
	}
}

// L04, L07: what was drawn is there again; what was not touched is not an answer.
func TestNothingIsFilledIn(t *testing.T) {
	ann := desktest.New(t).As("ann")
	r := ann.Open("case-01").LookAll()
	drawn := []review.Region{{Image: "xr", Shape: review.Box, Coords: []float64{.1, .2, .3, .4}}, {ID: "mine", Image: "xr", Shape: review.Point, Coords: []float64{.5, .5}, Adopted: true}}
	if _, err := ann.Desk.Rate(t.Context(), r.View.Assignment, "x11", review.Rating{Step: "s1", Evidence: drawn}, ""); err != nil {
		t.Fatal(err)
	}
	v := ann.Restart().Open("case-01").View
	got := v.Chains[slices.IndexFunc(v.Chains, func(c desk.ChainView) bool { return c.ID == "x11" })].Ratings[0]
	if len(got.Evidence) != 2 || got.Evidence[0].ID != "r1" || got.Evidence[1].ID != "mine" || !got.Evidence[1].Adopted || got.Evidence[0].Coords[3] != .4 {
		t.Errorf("evidence: %+v", got.Evidence)
	}
	if got.Support != review.Unrated || got.Confidence != 0 || v.Done != 2 {
		t.Errorf("a step with evidence alone is not rated: %+v, %d done", got, v.Done)
	}
	missing := 0
	for _, m := range v.Missing {
		if m.Chain == "x11" && m.Part == "s1" {
			missing++
		}
	}
	if missing != 2 { // support, confidence
		t.Errorf("missing: %+v", v.Missing)
	}
}

// L05: every answer names the rubric under which it was given.
func TestEventsNameWhatTheyRestOn(t *testing.T) {
	ann := desktest.New(t).As("ann")
	ann.Open("case-01").Sign()
	n := 0
	err := ann.Desk.EachReading(t.Context(), "", func(e review.Event, _ []byte) error {
		n++
		chained := e.Kind == review.KindRating || e.Kind == review.KindChainRating
		if e.Rubric.Name != "GRD" || e.Rubric.Version != "1" || e.Rubric.Digest != review.GRD().Digest {
			t.Errorf("rubric: %+v", e.Rubric)
		}
		if e.CaseDigest == "" || e.ProtocolDigest == "" || e.AppVersion != desk.Version || (e.ChainDigest != "") != chained {
			t.Errorf("%s: case %q, chain %q, protocol %q", e.Kind, e.CaseDigest, e.ChainDigest, e.ProtocolDigest)
		}
		return nil
	})
	if err != nil || n != 11 {
		t.Errorf("%d events, %v", n, err)
	}
}

// An answer says on which pixels it rests: those that were handed out for showing.
func TestEventsNameThePixels(t *testing.T) {
	ann := desktest.New(t).As("ann")
	digests := map[review.Digest]int{}
	pixels := func(r *desktest.Reading) review.Digest {
		t.Helper()
		raw, err := ann.Desk.Event(t.Context(), r.Saved.Event)
		if err != nil {
			t.Fatal(err)
		}
		e, err := review.RestoreEvent(raw)
		if err != nil {
			t.Fatal(err)
		}
		digests[e.PixelsDigest]++
		return e.PixelsDigest
	}
	if d := pixels(ann.Open("case-01").Look("q1", "A")); d != "" {
		t.Errorf("nothing was shown, yet pixels %s", d)
	}
	for _, id := range []string{"case-01", "case-02"} {
		for range 2 {
			if _, _, err := ann.Desk.Frame(t.Context(), id, "xr", 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	first := pixels(ann.Open("case-01").Look("q2", "A"))
	pixels(ann.Open("case-02").Look("q1", "A"))
	if again := pixels(ann.Open("case-01").Rate("s1", review.Supported)); again != first {
		t.Errorf("the same pixels, %s and %s", first, again)
	}
	if len(digests) != 3 {
		t.Errorf("other pixels have another digest: %v", digests)
	}
}

// S11, S12: active and idle time add up over closing and opening again, and stay apart.
func TestSeenAddsUp(t *testing.T) {
	ann := desktest.New(t).As("ann")
	r := ann.Open("case-01").LookAll()
	see := func(dwell, idle int64, frames ...int) review.Seen {
		t.Helper()
		saved, err := ann.Desk.Seen(t.Context(), r.View.Assignment, "x11", review.Seen{Step: "s1", DwellMS: dwell, IdleMS: idle, Frames: frames, Windows: []review.Window{{Center: 40, Width: 400}}})
		if err != nil {
			t.Fatal(err)
		}
		raw, err := ann.Desk.Event(t.Context(), saved.Event)
		if err != nil {
			t.Fatal(err)
		}
		e, err := review.RestoreEvent(raw)
		if err != nil {
			t.Fatal(err)
		}
		return *e.Body.Seen
	}
	see(30_000, 0, 3, 1)
	ann.Restart()
	if s := see(20_000, 0, 2, 3); s.DwellMS != 50_000 || fmt.Sprint(s.Frames) != "[1 2 3]" || len(s.Windows) != 1 {
		t.Errorf("30 s, closed, 20 s: %+v", s)
	}
	if s := see(10_000, 600_000); s.DwellMS != 60_000 || s.IdleMS != 600_000 {
		t.Errorf("60 s active, 600 s idle: %+v", s)
	}
	_, err := ann.Desk.Seen(t.Context(), r.View.Assignment, "x11", review.Seen{DwellMS: -1})
	refused(t, err, fault.Invalid, "dwell_ms")
	_, err = ann.Desk.Seen(t.Context(), r.View.Assignment, "x11", review.Seen{Images: []review.SeenImage{{Image: "elsewhere"}}})
	refused(t, err, fault.Invalid, "images")
}

// What was seen is told for each image, in what comes later and in what came before there was such a record.
func TestSeenByImage(t *testing.T) {
	ann := desktest.New(t).As("ann")
	r := ann.Open("case-01").LookAll()
	image := r.View.Case.Images[0].ID
	wide, narrow := review.Window{Center: 40, Width: 400}, review.Window{Center: 40, Width: 80}
	see := func(s review.Seen) review.Seen {
		t.Helper()
		s.Step = "s1"
		saved, err := ann.Desk.Seen(t.Context(), r.View.Assignment, "x11", s)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := ann.Desk.Event(t.Context(), saved.Event)
		if err != nil {
			t.Fatal(err)
		}
		e, err := review.RestoreEvent(raw)
		if err != nil {
			t.Fatal(err)
		}
		return *e.Body.Seen
	}
	if s := see(review.Seen{Frames: []int{7}, Windows: []review.Window{wide}}); s.Images != nil {
		t.Errorf("of an older program: %+v", s.Images)
	}
	see(review.Seen{Frames: []int{4, 2}, Images: []review.SeenImage{{Image: image, Frames: []int{4, 2}, Windows: []review.Window{wide}, Zoom: 2}}})
	s := see(review.Seen{Frames: []int{3}, Images: []review.SeenImage{{Image: image, Frames: []int{3, 2}, Windows: []review.Window{wide, narrow}, Zoom: 1}}})
	if fmt.Sprint(s.Frames) != "[2 3 4 7]" || len(s.Images) != 1 {
		t.Fatalf("%+v", s)
	}
	if m := s.Images[0]; m.Image != image || fmt.Sprint(m.Frames) != "[2 3 4]" || len(m.Windows) != 2 || m.Zoom != 2 {
		t.Errorf("%+v", m)
	}
}

// The second pass asks whether a cue was acknowledged, of the coordinator only, once every case of the patient is signed.
func TestCueAcknowledgement(t *testing.T) {
	study := desktest.New(t)
	for _, p := range []*desktest.Person{study.Coordinator(), study.As("ann")} {
		r := p.Open("case-01").Sign()
		asked := func() string {
			out := ""
			for _, c := range p.Open("case-01").View.Chains {
				if c.CueAck {
					out += c.ID
				}
			}
			return out
		}
		if got := asked(); got != "" {
			t.Errorf("asked of %q while case-02 of the same patient is open", got)
		}
		p.Open("case-02").Sign()
		want := ""
		if p.State().Role == desk.Coordinator {
			want = "x21"
		}
		if got := asked(); got != want {
			t.Errorf("%s is asked of %q, want %q", p.State().Reader, got, want)
		}
		full, _ := desktest.Full(r.View, "x21", "s1", review.Supported)
		full.CueAck = "mentioned"
		saved, err := p.Desk.Rate(t.Context(), r.View.Assignment, "x21", full, "")
		if want == "" {
			refused(t, err, fault.Invalid, "cue_ack: asked only in the second pass")
			continue
		}
		if err != nil || saved.Phase != "signed" {
			t.Errorf("an acknowledgement needs no reason and keeps the signature: %+v, %v", saved, err)
		}
		full.CueAck = "none"
		_, err = p.Desk.Rate(t.Context(), r.View.Assignment, "x21", full, "")
		refused(t, err, fault.Refused, "needs a reason")
	}
}

func TestPictureAlone(t *testing.T) {
	ann := desktest.New(t).As("ann")
	v := ann.Open("case-04").View
	if v.Phase != "look" || v.Required != 0 || len(v.Stacks) != 1 || len(v.Stacks[0].Frames) != 1 {
		t.Errorf("%+v", v)
	}
	_, err := ann.Desk.Sign(t.Context(), v.Assignment)
	refused(t, err, fault.Refused, "nothing to sign")
	f, s, err := ann.Desk.Frame(t.Context(), "case-04", "xr", 0)
	if err != nil || f.Columns != 16 || len(s.Data) != 16*12 || s.Data[1]-s.Data[0] != 8 {
		t.Errorf("frame: %+v, %d bytes, %v", f, len(s.Data), err)
	}
	png, err := ann.Desk.Thumb(t.Context(), "case-04", "xr", 0, 128)
	if err != nil || !strings.HasPrefix(string(png), "\x89PNG") {
		t.Errorf("thumb: %d bytes, %v", len(png), err)
	}
	_, _, err = ann.Desk.Frame(t.Context(), "case-04", "xr", 1)
	refused(t, err, fault.NotFound, "frame 1")
}
