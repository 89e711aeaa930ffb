package desk

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// act is one thing that a reader says: what it makes of the reading is added to the ledger, on the disk, before it answers. say gives the
// event without what every event has; an event that says what holds already is not added again.
func (d *Desk) act(ctx context.Context, name, assignment string, say func(*room, *reading) (review.Event, error)) (saved Saved, err error) {
	began := time.Now()
	err = d.within(name, func(r *room) error {
		r.acting.Lock()
		defer r.acting.Unlock()
		list, err := r.agenda(name)
		if err != nil {
			return err
		}
		i, ok := list.ids[review.AssignmentID(assignment)]
		if !ok {
			return fault.New(fault.NotFound, "open assignment", assignment, "reader %s has no such assignment", r.w.Seat.Reader)
		}
		if err := r.mayOpen(name, list, i); err != nil {
			return err
		}
		before, err := r.reading(ctx, list.duties[i])
		if err != nil {
			return err
		}
		said, err := say(r, before)
		if err != nil {
			return err
		}
		e, revision, err := r.add(before, said)
		if err != nil {
			return err
		}
		if i < list.training {
			if err := r.judgeTraining(ctx); err != nil {
				return err
			}
		}
		after, err := r.reading(ctx, list.duties[i])
		if err != nil {
			return err
		}
		saved, err = r.saved(ctx, before, after, e, revision)
		return err
	})
	if err != nil {
		return Saved{}, err
	}
	d.logged(name, assignment, saved.Event, began)
	return saved, nil
}

// add completes an event and appends it, unless it says what holds already. acting is held.
func (r *room) add(rd *reading, said review.Event) (review.Event, int, error) {
	now, revisions, err := r.ledger.Current(said.Key)
	if err != nil {
		return said, 0, err
	}
	if revisions > 0 && said.Kind != review.KindSeen && same(now.Body, said.Body) {
		return now, revisions, nil
	}
	e := r.draft(said.Kind, rd.assignment.ID)
	e.Session, e.Key, e.Body, e.Reason, e.Case, e.CaseDigest = rd.assignment.Session, said.Key, said.Body, said.Reason, rd.of.ID, review.CaseDigest(rd.of)
	e.PixelsDigest, e.Rubric = r.shown.digest(rd.of.ID), rd.rubric.Ref()
	if c, ok := rd.chain(said.Chain); ok {
		e.Chain, e.ChainDigest = c.ID, c.Digest
	}
	e, err = r.ledger.Append(e)
	return e, revisions + 1, err
}

func same(a, b review.Body) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// saved answers an act. acting is held.
func (r *room) saved(ctx context.Context, before, after *reading, e review.Event, revision int) (Saved, error) {
	s := Saved{Event: string(e.ID), At: e.At, Revision: revision, Phase: after.phase(), Missing: after.missing(), Chains: []ChainView{}}
	s.Done, s.Required = after.count()
	if before.phase() == phaseLook && s.Phase != phaseLook {
		s.Chains = after.shownChains()
	}
	if err := r.learnSigned(ctx); err != nil {
		return s, err
	}
	r.noteRow(after)
	var err error
	s.Signed, err = r.countSigned(ctx)
	return s, err
}

// Look locks the reader's own answer to the next question of the case. Faults: Refused for a question that is locked already or not yet
// open, Invalid with the field and what it allows, NotFound.
func (d *Desk) Look(ctx context.Context, assignment string, look review.Look) (Saved, error) {
	return d.act(ctx, "look", assignment, func(r *room, rd *reading) (review.Event, error) {
		i := slices.IndexFunc(rd.questions, func(q review.Question) bool { return q.ID == look.Question })
		if i < 0 {
			return review.Event{}, fault.New(fault.NotFound, "look", string(look.Question), "the case has no such question")
		}
		key := review.EventKey(rd.assignment.ID, review.KindLook, "", string(look.Question))
		event := review.Event{Kind: review.KindLook, Key: key, Body: review.Body{Look: &look}}
		var err error
		if look.Evidence, err = rd.regions("evidence", look.Evidence); err != nil {
			return event, err
		}
		if locked, said := rd.looks[look.Question]; said {
			if same(locked.Body, event.Body) {
				return event, nil
			}
			return event, fault.New(fault.Refused, "look", string(look.Question), "the answer is locked since %s", locked.At)
		}
		if next := rd.nextQuestion(); next.ID != look.Question {
			return event, fault.New(fault.Refused, "look", string(look.Question), "question %s comes first", next.ID)
		}
		if err := r.openNow("look", rd); err != nil {
			return event, err
		}
		return event, checkLook(rd.questions[i], look)
	})
}

// checkLook refuses an answer that the question does not offer.
func checkLook(q review.Question, look review.Look) error {
	letters := []string{}
	for _, o := range q.Options {
		letters = append(letters, o.Letter)
	}
	switch {
	case len(letters) > 0 && !slices.Contains(letters, look.Answer):
		return invalid("answer", "one of the letters %s expected, found %q", strings.Join(letters, ", "), look.Answer)
	case strings.TrimSpace(look.Answer) == "" || len(look.Answer) > maxNote:
		return invalid("answer", "a text of 1 to %d bytes expected", maxNote)
	case look.Confidence < 1 || look.Confidence > 3:
		return invalid("confidence", "one of 1, 2, 3 expected, found %d", look.Confidence)
	}
	return nil
}

// Rate saves everything the reader says of one step: the full state, which may still be partial. After signing it needs a reason. Faults:
// Refused before every question is locked and for a change without a reason, Invalid with the field and what it allows, NotFound.
func (d *Desk) Rate(ctx context.Context, assignment, chain string, rating review.Rating, reason string) (Saved, error) {
	return d.act(ctx, "rate", assignment, func(r *room, rd *reading) (review.Event, error) {
		c, err := rd.open("rate", chain)
		if err != nil {
			return review.Event{}, err
		}
		parts := steps(c)
		i := slices.IndexFunc(parts, func(s review.Step) bool { return s.ID == rating.Step })
		if i < 0 {
			return review.Event{}, fault.New(fault.NotFound, "rate", string(rating.Step), "the chain has no such step")
		}
		if rating.Evidence, err = rd.regions("evidence", rating.Evidence); err != nil {
			return review.Event{}, err
		}
		rating.Error = list(rating.Error)
		if err := rd.rubric.checkRating(rating, rd.subject(c, parts, i)); err != nil {
			return review.Event{}, err
		}
		e := review.Event{
			Kind: review.KindRating, Chain: c.ID, Key: review.EventKey(rd.assignment.ID, review.KindRating, c.ID, string(rating.Step)),
			Reason: reason, Body: review.Body{Rating: &rating},
		}
		acknowledged := rd.rating(c.ID, rating.Step)
		first := acknowledged.CueAck == "" && rd.cueRun[c.ID]
		acknowledged.CueAck = rating.CueAck
		if first && same(review.Body{Rating: &acknowledged}, e.Body) {
			return e, nil // the second pass adds an answer and corrects none
		}
		if err := r.openNow("rate", rd); err != nil {
			return e, err
		}
		return e, rd.needsReason(e)
	})
}

// RateChain saves everything the reader says of a chain as a whole; as Rate.
func (d *Desk) RateChain(ctx context.Context, assignment, chain string, rating review.ChainRating, reason string) (Saved, error) {
	return d.act(ctx, "rate chain", assignment, func(r *room, rd *reading) (review.Event, error) {
		c, err := rd.open("rate chain", chain)
		if err != nil {
			return review.Event{}, err
		}
		rating.NeedsMore, rating.Missed = list(rating.NeedsMore), slices.Clone(list(rating.Missed))
		for i := range rating.Missed {
			if m := &rating.Missed[i]; m.Region != nil {
				regions, err := rd.regions("missed", []review.Region{*m.Region})
				if err != nil {
					return review.Event{}, err
				}
				m.Region = &regions[0]
			}
		}
		if err := rd.rubric.checkChainRating(rating, c); err != nil {
			return review.Event{}, err
		}
		e := review.Event{
			Kind: review.KindChainRating, Chain: c.ID, Key: review.EventKey(rd.assignment.ID, review.KindChainRating, c.ID, ""),
			Reason: reason, Body: review.Body{ChainRating: &rating},
		}
		if err := r.openNow("rate chain", rd); err != nil {
			return e, err
		}
		return e, rd.needsReason(e)
	})
}

// Sign closes the reading of a case. Fault Refused while an answer is missing, naming what.
func (d *Desk) Sign(ctx context.Context, assignment string) (Saved, error) {
	return d.act(ctx, "sign", assignment, func(r *room, rd *reading) (review.Event, error) {
		e := review.Event{Kind: review.KindSign, Key: review.EventKey(rd.assignment.ID, review.KindSign, "", "")}
		if rd.nothingToRead() {
			return e, fault.New(fault.Refused, "sign", string(rd.of.ID), "the case has no questions and no chains: there is nothing to sign")
		}
		missing := rd.missing()
		if len(missing) == 0 {
			return e, r.openNow("sign", rd)
		}
		texts := []string{}
		for _, m := range missing[:min(len(missing), 5)] {
			texts = append(texts, m.Text)
		}
		if more := len(missing) - len(texts); more > 0 {
			texts = append(texts, fmt.Sprintf("and %d more", more))
		}
		return e, fault.New(fault.Refused, "sign", string(rd.of.ID), "missing: %s", strings.Join(texts, "; "))
	})
}

// Seen adds to the record of what was on the screen while a step (or, with chain and step empty, the case) was looked at. Times and frames
// add up over calls, so that closing the program between two of them loses none. The place in the reader's order is filled in.
func (d *Desk) Seen(ctx context.Context, assignment, chain string, seen review.Seen) (Saved, error) {
	return d.act(ctx, "seen", assignment, func(r *room, rd *reading) (review.Event, error) {
		if seen.DwellMS < 0 || seen.IdleMS < 0 || seen.Breaks < 0 {
			return review.Event{}, invalid("dwell_ms", "times from 0 expected")
		}
		if at, err := time.Parse(time.RFC3339, seen.FirstAt); seen.FirstAt != "" && (err != nil || at.Location() != time.UTC) {
			return review.Event{}, invalid("first_at", "a time of the form 2026-01-31T12:00:00Z expected, found %q", seen.FirstAt)
		}
		for _, m := range seen.Images {
			if !slices.ContainsFunc(rd.of.Images, func(i review.Image) bool { return i.ID == m.Image }) {
				return review.Event{}, invalid("images", "an image of the case expected, found %q", m.Image)
			}
		}
		if seen.Order = r.list.ids[rd.assignment.ID] + 1; seen.Order > r.list.training {
			seen.Order -= r.list.training
		}
		var id review.ChainID
		if chain != "" {
			c, err := rd.open("seen", chain)
			if err != nil {
				return review.Event{}, err
			}
			id = c.ID
		}
		e := review.Event{Kind: review.KindSeen, Chain: id, Key: review.EventKey(rd.assignment.ID, review.KindSeen, id, string(seen.Step))}
		before, _, err := r.ledger.Current(e.Key)
		if err != nil {
			return e, err
		}
		if b := before.Body.Seen; b != nil {
			seen = together(*b, seen)
		}
		seen.Frames, seen.Windows = list(seen.Frames), list(seen.Windows)
		e.Body.Seen = &seen
		return e, nil
	})
}

// together adds what was seen later to what was seen before.
func together(a, b review.Seen) review.Seen {
	b.Frames, b.Windows = both(a.Frames, b.Frames), both(a.Windows, b.Windows)
	slices.Sort(b.Frames)
	images := slices.Clone(a.Images)
	for _, m := range b.Images {
		i := slices.IndexFunc(images, func(o review.SeenImage) bool { return o.Image == m.Image })
		if i < 0 {
			images = append(images, m)
			continue
		}
		o := &images[i]
		o.Frames, o.Windows, o.Zoom = both(o.Frames, m.Frames), both(o.Windows, m.Windows), max(o.Zoom, m.Zoom)
		slices.Sort(o.Frames)
	}
	b.Images = images
	b.RegionOnScreen, b.RegionFitting = b.RegionOnScreen || a.RegionOnScreen, b.RegionFitting || a.RegionFitting
	b.Zoom = max(a.Zoom, b.Zoom)
	b.DwellMS += a.DwellMS
	b.IdleMS += a.IdleMS
	b.Breaks += a.Breaks
	if a.FirstAt != "" && (b.FirstAt == "" || a.FirstAt < b.FirstAt) {
		b.FirstAt = a.FirstAt
	}
	if a.Order != 0 {
		b.Order = a.Order
	}
	return b
}

// both gives everything that is in either list, once.
func both[T comparable](a, b []T) []T {
	out := slices.Clone(b)
	for _, x := range a {
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

// open finds a chain of the assignment that the reader may see now.
func (rd *reading) open(op, chain string) (review.Chain, error) {
	if q := rd.nextQuestion(); q != nil {
		return review.Chain{}, fault.New(fault.Refused, op, string(rd.of.ID), "the chains open when every question is answered; %s is not", q.ID)
	}
	c, ok := rd.chain(review.ChainID(chain))
	if !ok {
		return c, fault.New(fault.NotFound, op, chain, "the assignment has no such chain")
	}
	return c, nil
}

// needsReason refuses a change after signing that does not say why.
func (rd *reading) needsReason(e review.Event) error {
	if rd.signedOnce && rd.assignment.Session == review.TrainingSession {
		return fault.New(fault.Refused, "change after signing", string(rd.of.ID), "what was expected is seen already: the answers of a signed training case stay as they are")
	}
	if !rd.signedOnce || strings.TrimSpace(e.Reason) != "" {
		return nil
	}
	if r := e.Body.Rating; r != nil {
		if now, said := rd.ratings[e.Chain][r.Step]; said && same(review.Body{Rating: &now}, e.Body) {
			return nil
		}
	}
	if o := e.Body.OwnAnswer; o != nil {
		if now, said := rd.own[e.Chain][o.Step]; said && same(review.Body{OwnAnswer: &now}, e.Body) {
			return nil
		}
	}
	if r := e.Body.ChainRating; r != nil {
		if now, said := rd.verdicts[e.Chain]; said && same(review.Body{ChainRating: &now}, e.Body) {
			return nil
		}
	}
	return fault.New(fault.Refused, "change after signing", string(rd.of.ID), "a correction needs a reason")
}

// regions checks regions that a reader drew, and names those that have no id yet.
func (rd *reading) regions(field string, drawn []review.Region) ([]review.Region, error) {
	drawn = slices.Clone(list(drawn))
	used := map[review.RegionID]bool{}
	for i := range drawn {
		g := &drawn[i]
		g.Coords = list(g.Coords)
		frames, known := rd.frames(g.Image)
		if !known {
			return nil, invalid(field, "region %d: the case has no image %q", i+1, g.Image)
		}
		if text := g.Fault(frames); text != "" {
			return nil, invalid(field, "region %d: %s", i+1, text)
		}
		if g.ID == "" {
			g.ID = review.RegionID(fmt.Sprintf("r%d", i+1))
		}
		if used[g.ID] {
			return nil, invalid(field, "region %d: id %q is there twice", i+1, g.ID)
		}
		used[g.ID] = true
	}
	return drawn, nil
}
