package sample

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"plumbline/backend/phantom"
)

// Sizes of the study.
const (
	Patients = 12
	Cases    = 24
	Films    = 2
)

// exam is one examination of a patient: a CT volume, or a film.
type exam struct {
	patient, number int // both from 1; number counts a patient's exams
	film            bool
	scene           *phantom.Scene // with one finding or none
	age             int
	sex             string // M or F
	hint            hint
	earlier         *exam // the same patient's exam before this one
}

// finding gives the exam's finding; ok is false where there is none.
func (e *exam) finding() (phantom.Finding, bool) {
	if len(e.scene.Findings) == 0 {
		return phantom.Finding{}, false
	}
	return e.scene.Findings[0], true
}

// hint is what the history on the card points to; an empty kind points to nothing abnormal.
type hint struct {
	kind phantom.Kind
	side phantom.Side
}

// planned is one case: questions of one wording about one exam.
type planned struct {
	id   string
	exam *exam
	pack pack
}

// plan is the whole study before anything is rendered.
type plan struct {
	seed  int64
	exams []*exam
	cases []planned // in the order of the study
}

// slot says what a patient has: one exam asked about twice, or two exams.
type slot struct {
	kinds []phantom.Kind // of each exam; "" is none
	film  bool           // the first exam is a film
}

// slots gives 17 positive and 7 negative cases. Half of the patients share one volume between two cases, the others have an earlier exam.
var slots = [Patients]slot{
	{kinds: []phantom.Kind{phantom.Nodule}},
	{kinds: []phantom.Kind{phantom.Nodule}},
	{kinds: []phantom.Kind{phantom.Effusion}},
	{kinds: []phantom.Kind{phantom.Pneumothorax}},
	{kinds: []phantom.Kind{phantom.Pneumothorax}},
	{kinds: []phantom.Kind{""}},
	{kinds: []phantom.Kind{"", phantom.Nodule}},
	{kinds: []phantom.Kind{phantom.Nodule, phantom.Nodule}},
	{kinds: []phantom.Kind{phantom.Effusion, ""}},
	{kinds: []phantom.Kind{phantom.Pneumothorax, ""}},
	{kinds: []phantom.Kind{phantom.Effusion, ""}, film: true},
	{kinds: []phantom.Kind{phantom.Pneumothorax, ""}, film: true},
}

// newPlan draws a study from a seed. Patient numbers, the order of cases, sides, sizes and contrast come from the seed; the counts do not.
func newPlan(seed int64) *plan {
	p := &plan{seed: seed}
	r := rand.New(rand.NewPCG(number(seed, "plan"), 0))
	numbers := r.Perm(Patients)
	sides := []phantom.Side{}
	for i := range Patients {
		sides = append(sides, []phantom.Side{phantom.Right, phantom.Left}[i%2])
	}
	r.Shuffle(len(sides), func(i, j int) { sides[i], sides[j] = sides[j], sides[i] })
	lobe, deep, contrast := r.IntN(2), r.IntN(2), r.IntN(2)
	for i, s := range slots {
		patient := numbers[i] + 1
		body := phantom.NewBody(number(seed, "body", patient))
		age, sex := 38+r.IntN(45), []string{"F", "M"}[r.IntN(2)]
		var before *exam
		for k, kind := range s.kinds {
			e := &exam{patient: patient, number: k + 1, film: s.film && k == 0, age: age + k, sex: sex, earlier: before}
			e.scene = &phantom.Scene{Body: body, Noise: number(seed, "noise", patient, k), Upright: e.film}
			if !e.film {
				contrast++
				e.scene.Contrast = contrast%2 == 0
			}
			if kind == phantom.Nodule {
				lobe++
			}
			if kind != "" {
				deep++
				salt := number(seed, "finding", patient)
				e.scene.Findings = []phantom.Finding{draw(r, kind, e, sides[i], []phantom.Lobe{phantom.UpperLobe, phantom.LowerLobe}[lobe%2], deep%2 == 0, salt)}
			}
			p.exams = append(p.exams, e)
			before = e
		}
		if len(s.kinds) == 2 && s.kinds[0] == phantom.Nodule && s.kinds[1] == phantom.Nodule {
			grown(p.exams[len(p.exams)-2], p.exams[len(p.exams)-1])
		}
	}
	p.hints(r)
	p.order(r)
	return p
}

// draw makes a finding whose size keeps clear of the borders that the size question has (15 and 30 mm).
func draw(r *rand.Rand, kind phantom.Kind, e *exam, side phantom.Side, lobe phantom.Lobe, large bool, salt uint64) phantom.Finding {
	between := func(low, high int) float64 { return float64(low) + float64(r.IntN(4*(high-low)+1))/4 }
	switch {
	case kind == phantom.Nodule && large:
		return e.scene.Body.NewNodule(side, lobe, between(19, 25), r.IntN(3) > 0, salt)
	case kind == phantom.Nodule:
		return e.scene.Body.NewNodule(side, lobe, between(10, 12), false, salt)
	case e.film && kind == phantom.Effusion:
		return phantom.Finding{Kind: kind, Side: side, SizeMM: between(62, 74)}
	case e.film:
		return phantom.Finding{Kind: kind, Side: side, SizeMM: between(42, 54)}
	case large:
		return phantom.Finding{Kind: kind, Side: side, SizeMM: between(38, 46)}
	}
	return phantom.Finding{Kind: kind, Side: side, SizeMM: between(20, 25)}
}

// grown makes the later nodule the earlier one, grown: the same place and shape.
func grown(before, after *exam) {
	f := after.scene.Body.NewNodule(before.scene.Findings[0].Side, before.scene.Findings[0].Lobe, 22, true, before.scene.Findings[0].Salt)
	after.scene.Findings[0] = f
	f.SizeMM, f.Spiculate = 11, false
	before.scene.Findings[0] = f
}

// hints gives each exam a history that points to its finding, except a few that mislead: of the exams asked about twice one, of the
// others two with a finding and two without.
func (p *plan) hints(r *rand.Rand) {
	left := map[string]int{"twice": 1, "finding": 2, "none": 2}
	for _, i := range r.Perm(len(p.exams)) {
		e := p.exams[i]
		f, present := e.finding()
		group := "none"
		switch {
		case present && p.askedTwice(e):
			group = "twice"
		case present:
			group = "finding"
		case p.askedTwice(e):
			group = ""
		}
		mislead := left[group] > 0
		left[group]--
		switch {
		case !mislead:
			e.hint = hint{f.Kind, f.Side}
		case !present:
			e.hint = hint{[]phantom.Kind{phantom.Nodule, phantom.Effusion, phantom.Pneumothorax}[r.IntN(3)], []phantom.Side{phantom.Right, phantom.Left}[r.IntN(2)]}
		case r.IntN(2) == 0:
			e.hint = hint{f.Kind, f.Side.Opposite()}
		default:
			e.hint = hint{other(f.Kind), f.Side}
		}
	}
}

func other(k phantom.Kind) phantom.Kind {
	if k == phantom.Effusion {
		return phantom.Pneumothorax
	}
	return phantom.Effusion
}

// askedTwice says whether two cases share the exam.
func (p *plan) askedTwice(e *exam) bool {
	n := 0
	for _, x := range p.exams {
		if x.patient == e.patient {
			n++
		}
	}
	return n == 1
}

// order makes the cases and shuffles them.
func (p *plan) order(r *rand.Rand) {
	for i, e := range p.exams {
		switch {
		case p.askedTwice(e):
			p.cases = append(p.cases, planned{exam: e, pack: packA}, planned{exam: e, pack: packB})
		case e.film:
			p.cases = append(p.cases, planned{exam: e, pack: packB})
		default:
			p.cases = append(p.cases, planned{exam: e, pack: []pack{packA, packB}[i%2]})
		}
	}
	r.Shuffle(len(p.cases), func(i, j int) { p.cases[i], p.cases[j] = p.cases[j], p.cases[i] })
	for i := range p.cases {
		p.cases[i].id = fmt.Sprintf("case-%02d", i+1)
	}
}

// number makes a seed for one purpose from the study's seed.
func number(seed int64, parts ...any) uint64 {
	h := sha256.Sum256(fmt.Append(nil, append([]any{"plumbline sample", seed}, parts...)...))
	return binary.LittleEndian.Uint64(h[:8])
}
