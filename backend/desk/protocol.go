package desk

import (
	"context"
	"fmt"
	"slices"
	"time"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// rules are the protocol as this seat has it.
type rules struct {
	protocol review.Protocol
	digest   review.Digest   // of the coordinator's protocol, whatever of it this seat has
	set      bool            // false: the default protocol
	rubric   rubric          // that readers are asked by
	rubrics  []review.Rubric // that this seat has, GRD first
}

// protocolDigest is the hash of the default protocol's rules in words.
var protocolDigest = review.DigestOf([]byte("plumbline default protocol 1: every reader reads every case once; all chains, order random by reader and case"))

// The coordinator's acts towards one reader, that is the reader's copy of the protocol and the assignments, are a hash chain of their own:
// it is handed out whole, and verifies at the reader's as it does here. No reader code holds a colon.
func addressed(to review.ReaderID) review.ReaderID {
	return review.ReaderID(Coordinator + ":" + string(to))
}

// protocolKey is the key of the protocol as a seat has it: "" is the coordinator's own.
func protocolKey(reader review.ReaderID) string {
	return review.EventKey("", review.KindProtocol, "", string(reader))
}

// learnRules takes protocol and assignments from the ledger. acting is held, or the room is not yet in use.
//
// Both lie under no assignment, so that they are found without walking the ledger and nothing seems begun.
func (r *room) learnRules() error {
	r.rules, r.dealt = rules{protocol: review.DefaultProtocol(), digest: protocolDigest, rubrics: []review.Rubric{review.GRD()}}, nil
	r.training = map[review.ReaderID]review.Training{}
	own := review.ReaderID("")
	if r.w.Seat.Role != Coordinator {
		own = r.w.Seat.Reader
	}
	key := protocolKey(own)
	given := map[review.AssignmentID]review.Assignment{}
	said, err := r.ledger.Assignment("", review.KindAdjudication) // of which there may be many
	for _, e := range said.Current {
		switch {
		case e.Key == key && e.Body.Protocol != nil:
			r.rules.protocol, r.rules.digest, r.rules.set = *e.Body.Protocol, e.ProtocolDigest, true
		case e.Kind == review.KindTraining && e.Body.Training != nil:
			r.training[e.Reader] = *e.Body.Training
		case e.Kind == review.KindAssign && e.Body.Assign != nil && e.Key == givenKey(e.Body.Assign.ID) && own == "":
			given[e.Body.Assign.ID] = *e.Body.Assign
		case e.Kind == review.KindAssign && e.Body.Assign != nil:
			r.dealt = append(r.dealt, *e.Body.Assign)
		case e.Body.Rubric != nil && e.Key == rubricKey(own, e.Body.Rubric.Called()):
			r.rules.rubrics = append(r.rules.rubrics, *e.Body.Rubric)
		}
	}
	asked, known := r.rules.known(r.rules.protocol.Rubric)
	if !known {
		asked = review.GRD()
	}
	r.rules.rubric = rubric{asked}
	if own == "" {
		r.aliases.learn(r.handedOut(given))
	}
	r.adjudicating.Store(r.isAdjudicator())
	return err
}

// coordinates refuses what is the coordinator's alone.
func (r *room) coordinates(op string) error {
	if r.adjudicating.Load() {
		return fault.New(fault.Refused, op, "", "an adjudicator sits here, %s: take the coordinator's own code first", r.w.Seat.Reader)
	}
	if r.w.Seat.Role != Coordinator {
		return fault.New(fault.Refused, op, "", "this workspace is the seat of reader %s; the protocol is the coordinator's", r.w.Seat.Reader)
	}
	return nil
}

// Protocol gives the rules of the study: all of them to the coordinator, to a reader those that concern that reader. Where none were set it
// gives the default protocol and false.
func (d *Desk) Protocol(context.Context) (p review.Protocol, set bool, err error) {
	err = d.within("show protocol", func(r *room) error {
		r.acting.Lock()
		defer r.acting.Unlock()
		p, set = r.rules.protocol, r.rules.set
		if r.adjudicating.Load() {
			p = p.For(r.w.Seat.Reader)
		}
		return nil
	})
	return p, set, err
}

// CheckProtocol reads a protocol file and lists by line and field why it cannot be followed with the open dataset. The error says that it
// is no protocol at all: fault Invalid; Refused in a reader's seat.
func (d *Desk) CheckProtocol(ctx context.Context, file []byte) (p review.Protocol, problems []review.Problem, err error) {
	const op = "check protocol"
	err = d.within(op, func(r *room) error {
		if err := r.coordinates(op); err != nil {
			return err
		}
		if p, err = review.RestoreProtocol(file); err != nil {
			return fault.New(fault.Invalid, op, "", "%w", err)
		}
		problems = p.Problems()
		if problem, missing := r.rubricProblem(p.Rubric); missing {
			problems = append(problems, problem)
		}
		for i, id := range p.Training {
			if _, here := r.outline[id]; r.set != nil && !here {
				problems = append(problems, review.Problem{Field: fmt.Sprintf("training[%d]", i), Text: fmt.Sprintf("the dataset has no case %q", id)})
			}
		}
		if p.TrainingPass > 0 && len(p.Training) > 0 && r.set != nil {
			nothing, err := r.expectsNothing(ctx, p.Training)
			if err != nil {
				return err
			}
			if nothing {
				problems = append(problems, review.Problem{Field: "training_pass", Text: "nothing is known of what is expected of the training cases: the dataset has no gold of them, and no training key is set"})
			}
		}
		for i := range problems {
			problems[i].Line = review.FieldLine(file, problems[i].Field)
		}
		return nil
	})
	return p, problems, err
}

// SetProtocol makes a protocol file the rules of the study from now on. What was said before keeps the protocol under which it was said.
// Faults: Invalid where CheckProtocol finds anything, naming it; Refused in a reader's seat.
func (d *Desk) SetProtocol(ctx context.Context, file []byte) (review.Protocol, error) {
	const op = "set protocol"
	p, problems, err := d.CheckProtocol(ctx, file)
	if err != nil {
		return p, err
	}
	if len(problems) > 0 {
		first := problems[0]
		return p, fault.New(fault.Invalid, op, "", "line %d, %s: %s", first.Line, first.Field, first.Text)
	}
	err = d.within(op, func(r *room) error {
		r.acting.Lock()
		defer r.acting.Unlock()
		if p.Seed == 0 {
			p.Seed = r.w.Seed
		}
		digest := review.ProtocolDigest(p)
		if r.rules.set && r.rules.digest == digest {
			return nil
		}
		say := func(author, key review.ReaderID, body review.Protocol) review.Event {
			e := r.draft(review.KindProtocol, "")
			e.Reader, e.Session, e.Key, e.ProtocolDigest, e.Body.Protocol = author, "", protocolKey(key), digest, &body
			return e
		}
		events := []review.Event{say(Coordinator, "", p)}
		for _, reader := range p.Readers {
			theirs := p.For(reader.Code)
			theirs.Training = r.practiceCodes(p, reader.Code)
			events = append(events, say(addressed(reader.Code), reader.Code, theirs))
			given, err := r.handRubric(reader.Code, p.Rubric)
			if err != nil {
				return err
			}
			events = append(events, given...)
		}
		if err := r.ledger.AppendAll(events); err != nil {
			return err
		}
		r.forget()
		return r.learnRules()
	})
	return p, err
}

// openNow refuses an answer that the protocol does not take now: after the study closed, before the first session, or before the washout
// is over. acting is held.
func (r *room) openNow(op string, rd *reading) error {
	p := r.rules.protocol
	if p.Closed {
		return fault.New(fault.Refused, op, string(rd.of.ID), "the study is closed: it takes no more answers")
	}
	if s := rd.assignment.Session; s == session || s == review.TrainingSession || rd.last.ID != "" || len(r.dealt) == 0 {
		return nil
	}
	a, err := r.agenda(op)
	if err != nil {
		return err
	}
	var last time.Time
	for _, d := range a.duties[a.training:] {
		if inReadingOrder(review.Assignment{Session: d.Session}, review.Assignment{Session: rd.assignment.Session}) >= 0 {
			break
		}
		e, said, err := r.ledger.Current(review.EventKey(d.ID, review.KindSign, "", ""))
		if err != nil {
			return err
		}
		if said == 0 {
			return fault.New(fault.Refused, op, d.name, "session %s begins when all of session %s is signed", rd.assignment.Session, d.Session)
		}
		if at, err := time.Parse(time.RFC3339, e.At); err == nil && at.After(last) {
			last = at
		}
	}
	if from := last.AddDate(0, 0, p.WashoutDays); r.now().Before(from) {
		return fault.New(fault.Refused, op, "", "session %s begins after %d days of washout, on %s", rd.assignment.Session, p.WashoutDays, from.UTC().Format(time.RFC3339))
	}
	return nil
}

// hiddenNow tells whether what the protocol hides is still hidden from this seat's reader in a signed case. acting is held.
func (r *room) hiddenNow(ctx context.Context, rd *reading) (bool, error) {
	switch {
	case r.rules.protocol.Closed:
		return false, nil
	case r.rules.protocol.HiddenUntil == review.StudyClosed:
		return true, nil
	}
	signed, err := r.patientSigned(ctx, rd)
	return !signed, err
}

// questionsBefore gives the questions that the protocol asks before the chains are seen.
func questionsBefore(inOrder []review.Question, rule review.LookRule) []review.Question {
	return slices.Clone(inOrder[len(inOrder)-asked(len(inOrder), rule):])
}
