package desk

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"plumbline/backend/review"
)

// The kinds of disagreement. The adjudication triggers of measurement.md give all but origin, which only goes with another: readers who
// differ in builds_on_error and in nothing else need no adjudicator.
const (
	onSupport      = "support"      // grades of support two or more apart on the ordinal view
	onSignificance = "significance" // one reader alone gave a significance b, to a step or to a missed finding
	onPlace        = "place"        // one reader alone found the model's region on the wrong side
	onOrigin       = "origin"       // readers also differ in whether an error is new or builds on an earlier one
	onAnswer       = "answer"       // the chain's answer was labelled differently
	onOmission     = "omission"     // one reader alone found that the chain misses something
	onOwnAnswer    = "own_answer"   // readers answered the question differently before they saw a chain
)

// disagreementKinds lists the kinds in the order in which they are shown.
var disagreementKinds = []string{onSupport, onSignificance, onPlace, onOrigin, onAnswer, onOmission, onOwnAnswer}

// kindsOf gives the kinds of disagreement among the first reads of an item, or none.
func kindsOf(on review.Kind, reads []review.Event) []string {
	if len(reads) < 2 {
		return []string{}
	}
	alone := func(said func(review.Body) bool) bool {
		n := 0
		for _, e := range reads {
			if said(e.Body) {
				n++
			}
		}
		return n == 1
	}
	is := map[string]bool{}
	switch on {
	case review.KindLook:
		is[onOwnAnswer] = differ(reads, func(b review.Body) string { return b.Look.Answer })
	case review.KindRating:
		is[onSupport] = spread(reads) >= 2
		is[onSignificance] = alone(func(b review.Body) bool { return b.Rating.Significance == "b" })
		is[onPlace] = alone(func(b review.Body) bool { return b.Rating.ModelPlace == "wrong_side" })
		is[onOrigin] = (is[onSupport] || is[onSignificance] || is[onPlace]) && differ(reads, func(b review.Body) string { return b.Rating.BuildsOnError })
	case review.KindChainRating:
		is[onAnswer] = differ(reads, func(b review.Body) string { return b.ChainRating.Answer })
		is[onOmission] = alone(func(b review.Body) bool { return len(b.ChainRating.Missed) > 0 })
		is[onSignificance] = alone(func(b review.Body) bool {
			return slices.ContainsFunc(b.ChainRating.Missed, func(m review.Missed) bool { return m.Significance == "b" })
		})
	}
	return slices.DeleteFunc(slices.Clone(disagreementKinds), func(kind string) bool { return !is[kind] })
}

// differ tells whether two reads both answered, and not the same.
func differ(reads []review.Event, of func(review.Body) string) bool {
	first := ""
	for _, e := range reads {
		switch answer := of(e.Body); {
		case answer == "":
		case first == "":
			first = answer
		case answer != first:
			return true
		}
	}
	return false
}

// spread is how far apart grades of support are on the ordinal view (measurement.md, "Numeric views"); what cannot be judged is missing.
func spread(reads []review.Event) int {
	ordinal := map[review.Support]int{review.Contradicted: 0, review.Unsupported: 1, review.Partly: 2, review.Supported: 3}
	low, high := 3, 0
	for _, e := range reads {
		if v, judged := ordinal[e.Body.Rating.Support]; judged {
			low, high = min(low, v), max(high, v)
		}
	}
	return high - low
}

// answersOf gives what is compared of a read, by field: its choices as sets, and missed findings word for word. Regions, notes and the
// reader's own certainty are nobody else's to share.
func answersOf(b review.Body, rubric review.Rubric) map[string]string {
	out := map[string]string{}
	if b.Look != nil {
		out["answer"] = b.Look.Answer
		return out
	}
	fields, answers := rubric.Step, map[string][]string{}
	if b.Rating != nil {
		answers = b.Rating.Answers()
	} else if b.ChainRating != nil {
		fields, answers = rubric.Chain, b.ChainRating.Answers()
	}
	for _, f := range fields {
		switch {
		case !compares(f):
		case f.Kind == review.KindMissed:
			words := []string{}
			for _, m := range b.ChainRating.Missed {
				words = append(words, m.Significance+" "+m.Text)
			}
			out[f.Name] = asSet(words)
		default:
			out[f.Name] = asSet(answers[f.Name])
		}
	}
	return out
}

// compares tells whether an item's reads are compared in a field. A cue is the second pass's: whether there was one is hidden.
func compares(f review.Field) bool {
	return f.Kind != review.KindRegions && f.Kind != review.KindText && f.Name != "confidence" && !f.Asked.CueRun
}

// asSet writes choices so that their order says nothing.
func asSet(values []string) string {
	if len(values) == 0 {
		return ""
	}
	sorted := slices.Sorted(slices.Values(values))
	b, err := json.Marshal(sorted)
	if err != nil {
		panic(err) // strings
	}
	return string(b)
}

// fieldsOf lists the fields in which reads differ, in the rubric's order; a field that only some were asked differs.
func fieldsOf(reads []review.Event, rubric review.Rubric) []string {
	all := make([]map[string]string, len(reads))
	for i, e := range reads {
		all[i] = answersOf(e.Body, rubric)
	}
	names := []string{}
	for _, fields := range [][]review.Field{rubric.Step, rubric.Chain} {
		for _, f := range fields {
			names = append(names, f.Name)
		}
	}
	names = append(names, "answer") // of a question: also a field of the rubric, unless somebody's rubric does without
	out := []string{}
	for _, name := range names {
		for _, answers := range all {
			if answers[name] != all[0][name] && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// dispute is one item that several readers read.
type dispute struct {
	place
	id        string
	kinds     []string
	fields    []string       // in which the reads differ
	reads     []review.Event // the first of each reader, by reader
	decision  *review.Event  // that holds, or nil
	revisions int            // of the decision
	line      *Disagreement  // as it is listed, but for its state; nil: not worked out yet
}

// unanimous tells an item of which all readers said the same.
func (d *dispute) unanimous() bool { return len(d.fields) == 0 }

// decided tells whether the item has its final value. What was taken over because all agreed holds only while they do.
func (d *dispute) decided() bool {
	return d.decision != nil && (!d.decision.Body.Adjudication.Unanimous || d.unanimous())
}

// disputes is what there is to adjudicate, as the ledger stood at one event.
type disputes struct {
	asOf       review.EventID // that came in last
	items      []*dispute     // with a disagreement, or decided by a person; in dataset order
	ids        map[string]*dispute
	agreed     []*dispute                          // unanimous items
	seed       uint64                              // of every random order
	dimensions []dimension                         // that are compared
	spoke      map[review.CaseID][]review.ReaderID // who said anything in a reading of the case
	unsigned   map[review.CaseID]int               // assigned reads that are not signed
}

// disputes gives what there is to adjudicate, as it was worked out before where nothing was said since. acting is not held.
func (r *room) disputes(ctx context.Context, op string) (*disputes, error) {
	r.acting.Lock()
	last, err := r.lastEvent()
	found := r.toDecide
	if found != nil && found.asOf != last {
		found = nil
	}
	r.acting.Unlock()
	if err != nil || found != nil {
		return found, err
	}
	all, err := r.workOut(ctx, op)
	if err != nil {
		return nil, err
	}
	r.acting.Lock()
	defer r.acting.Unlock()
	r.toDecide = all.lean()
	return all, nil
}

// lean lets go of what was said of unanimous items: most are such, and only adopting them needs it.
func (all *disputes) lean() *disputes {
	for _, d := range all.agreed {
		d.reads = nil
	}
	return all
}

// lastEvent gives the event that came in last, or "".
func (r *room) lastEvent() (review.EventID, error) {
	e, err := r.ledger.Last(func(review.Event) bool { return true })
	return e.ID, err
}

// workOut finds the items of which several readers said something. acting is not held.
//
// Only what was signed counts, of each reader the first read of an item, in its last revision before the chain was adjudicated; training
// cases and answers to another version of the chain or the rubric do not. That is the panel from which agreement is computed.
func (r *room) workOut(ctx context.Context, op string) (*disputes, error) {
	r.acting.Lock()
	last, err := r.lastEvent()
	dealt, study, seed := slices.Clone(r.dealt), r.w.Study, r.w.Seed
	r.acting.Unlock()
	if err != nil {
		return nil, err
	}
	p, rubric, events, err := r.panel(ctx, op)
	if err != nil {
		return nil, err
	}
	all := &disputes{asOf: last, ids: map[string]*dispute{}, dimensions: p.dimensions(rubric), seed: seed}
	all.count(events, dealt)
	decisions := decisionsOf(events)
	for _, at := range p.places {
		d := &dispute{place: at, reads: p.firstReads(at.item)}
		if made := decisions[at.item]; len(made) > 0 {
			d.decision, d.revisions = &made[len(made)-1], len(made)
		}
		if len(d.reads) < 2 && d.decision == nil {
			continue
		}
		d.id = "d-" + hashOf(study, string(at.kind), string(at.of), string(at.chain), at.part)[:16]
		d.kinds, d.fields = kindsOf(at.kind, d.reads), fieldsOf(d.reads, rubric)
		switch person := d.decision != nil && !d.decision.Body.Adjudication.Unanimous; {
		case person || len(d.kinds) > 0:
			all.items = append(all.items, d)
			all.ids[d.id] = d
		case d.unanimous():
			all.agreed = append(all.agreed, d)
		}
	}
	return all, nil
}

// firstReads gives the first read of each reader, by reader.
func (p *panel) firstReads(of item) []review.Event {
	out := []review.Event{}
	for _, reads := range p.labels[of] {
		out = append(out, reads[0])
	}
	slices.SortFunc(out, func(a, b review.Event) int { return strings.Compare(string(a.Reader), string(b.Reader)) })
	return out
}

// decisionsOf gives the adjudications of each item, the one that holds last.
func decisionsOf(events []review.Event) map[item][]review.Event {
	out := map[item][]review.Event{}
	for _, e := range events {
		if a := e.Body.Adjudication; e.Kind == review.KindAdjudication && a != nil && a.On == a.FinalValue.On() {
			of := item{a.On, e.Case, e.Chain, a.Part}
			out[of] = append(out[of], e)
		}
	}
	for _, made := range out {
		slices.SortFunc(made, func(a, b review.Event) int { return cmp.Compare(a.ID, b.ID) })
	}
	return out
}

// count notes who read which case, and which reads are not signed: of those that were assigned or, where nothing was, that were begun.
func (all *disputes) count(events []review.Event, dealt []review.Assignment) {
	all.spoke, all.unsigned = map[review.CaseID][]review.ReaderID{}, map[review.CaseID]int{}
	reads, signed := map[review.AssignmentID]review.CaseID{}, map[review.AssignmentID]bool{}
	for _, a := range dealt {
		reads[a.ID] = a.Case
	}
	for _, e := range events {
		if e.Assignment == "" {
			continue
		}
		if !slices.Contains(all.spoke[e.Case], e.Reader) {
			all.spoke[e.Case] = append(all.spoke[e.Case], e.Reader)
		}
		if len(dealt) == 0 {
			reads[e.Assignment] = e.Case
		}
		signed[e.Assignment] = signed[e.Assignment] || e.Kind == review.KindSign
	}
	for id, of := range reads {
		if !signed[id] {
			all.unsigned[of]++
		}
	}
}
