package desk

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"plumbline/backend/bundle"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// Merged says what a package of words brought.
type Merged struct {
	Reader      string     `json:"reader"`
	Machine     string     `json:"machine"`
	Created     string     `json:"created"`
	Fingerprint string     `json:"fingerprint"` // of the key that signed it
	First       bool       `json:"first"`       // the first package of this machine: from now on only this key is accepted for it
	EventsNew   int        `json:"events_new"`
	EventsKnown int        `json:"events_known"`
	Conflicts   []Conflict `json:"conflicts"` // of this reader, all that stand
	Notices     []string   `json:"notices"`   // what is odd, in words
}

// Merge takes back what a reader handed back: the union of what is here and what is in the package, in any order and however often. All of it
// is checked before anything is added, and added in one transaction. trust, when not "", is the fingerprint of a key that is accepted from
// now on for a machine whose packages were signed by another key.
//
// Faults: as bundle.Open; Refused in a reader's seat, for a package of work, for another study, an unknown reader, another key than before,
// words that are not this reader's to say; Damaged where hash chains do not hold or contradict what is here. Then nothing has changed.
func (d *Desk) Merge(ctx context.Context, path, passphrase, trust string) (m Merged, err error) {
	const op = "merge package"
	err = d.within(op, func(r *room) error {
		if err := r.coordinates(op); err != nil {
			return err
		}
		keys, err := d.options.Folders.keys()
		if err != nil {
			return err
		}
		b, err := bundle.Open(path, keys, passphrase)
		if err != nil {
			return err
		}
		defer b.Close()
		r.acting.Lock()
		defer r.acting.Unlock()
		m, err = r.merge(ctx, b, trust)
		return fault.In(op, path, err)
	})
	return m, err
}

// merge takes over an open package. acting is held.
func (r *room) merge(ctx context.Context, b *bundle.Bundle, trust string) (Merged, error) {
	const op = "take back"
	m := b.Manifest
	out := Merged{
		Reader: m.From, Machine: string(m.Machine), Created: m.Created, Fingerprint: bundle.Fingerprint(m.Key), Conflicts: []Conflict{}, Notices: []string{},
	}
	reader := review.ReaderID(m.From)
	person, known := r.rules.protocol.Reader(reader)
	switch {
	case m.Kind != bundle.Words:
		return out, fault.New(fault.Refused, op, "", "it holds work for reader %s: open it at that reader's workstation", m.To)
	case m.Study != r.w.Study:
		return out, fault.New(fault.Refused, op, "", "it is of another study (%s) than this workspace (%s)", m.Study, r.w.Study)
	case !known || person.Role != review.RoleReader:
		return out, fault.New(fault.Refused, op, "", "the protocol has no reader %s", m.From)
	}
	before, err := r.takenBefore(reader, m.Machine)
	if err != nil {
		return out, err
	}
	out.First = before == nil
	if before != nil && before.Key != m.Key && bundle.Fingerprint(m.Key) != strings.TrimSpace(trust) {
		return out, fault.New(fault.Refused, op, "", "reader %s on %s signed with key %s before, and this package is signed with %s: ask the reader, and name the new key if it is theirs",
			m.From, m.Machine, bundle.Fingerprint(before.Key), bundle.Fingerprint(m.Key))
	}
	lines, err := onlyEvents(b)
	if err != nil {
		return out, err
	}
	words, err := carry(lines, m)
	if err != nil {
		return out, &fault.Error{Op: op, Of: eventsFile, Kind: fault.Damaged, Err: err}
	}
	theirs := map[review.AssignmentID]bool{}
	for _, a := range r.dealt {
		theirs[a.ID] = a.Reader == reader
	}
	for _, e := range words.events {
		if err := r.mayReturn(e, reader, theirs); err != nil {
			return out, err
		}
	}
	if _, err := words.continues(r.ledger); err != nil {
		return out, err
	}
	if out.Notices, err = r.cutTails(words, m, before); err != nil {
		return out, err
	}
	err = r.takeBack(ctx, words, m, before, &out)
	return out, err
}

// takeBack adds what was checked, with a note of the package.
func (r *room) takeBack(ctx context.Context, words carried, m bundle.Manifest, before *review.Handover, out *Merged) (err error) {
	note := review.Handover{
		Way: review.Taken, Reader: review.ReaderID(m.From), Machine: m.Machine, Key: m.Key, Created: m.Created, Count: uint64(len(words.events)), Heads: []review.Head{},
	}
	for _, h := range m.Heads {
		note.Heads = append(note.Heads, review.Head{Machine: h.Machine, Seq: h.Seq, Digest: h.Head})
	}
	nothingElse := before != nil && before.Key == m.Key
	if out.EventsNew, err = r.ledger.Merge(words.raw, []review.Event{r.handover(note)}, nothingElse); err != nil {
		return err
	}
	out.EventsKnown = len(words.events) - out.EventsNew
	r.forget()
	if err := r.learnRules(); err != nil {
		return err
	}
	all, err := r.conflicts(ctx)
	for _, c := range all {
		if c.Reader == m.From {
			out.Conflicts = append(out.Conflicts, c)
		}
	}
	return err
}

// onlyEvents reads a package of words, which holds one file.
func onlyEvents(b *bundle.Bundle) (lines []byte, err error) {
	if f := b.Manifest.Files; len(f) != 1 || f[0].Name != eventsFile {
		return nil, fault.New(fault.Invalid, "take back", "", "a package of words holds %s and nothing else", eventsFile)
	}
	err = b.Each(func(_ bundle.File, data []byte) error {
		lines = data
		return nil
	})
	return lines, err
}

// takenBefore gives the last package that came from a machine, nil where there is none. acting is held.
func (r *room) takenBefore(reader review.ReaderID, machine review.MachineID) (*review.Handover, error) {
	e, n, err := r.ledger.Current(r.handover(review.Handover{Way: review.Taken, Reader: reader, Machine: machine}).Key)
	if err != nil || n == 0 {
		return nil, err
	}
	return e.Body.Handover, nil
}

// cutTails says of every hash chain that ends before where an earlier package ended, though this one was made later, that its end is gone.
func (r *room) cutTails(words carried, m bundle.Manifest, before *review.Handover) ([]string, error) {
	notices := []string{}
	if before == nil || before.Created >= m.Created {
		return notices, nil
	}
	order := words.order()
	for _, h := range before.Heads {
		at := order[chainID{review.ReaderID(m.From), h.Machine}]
		if uint64(len(at)) < h.Seq {
			notices = append(notices, fmt.Sprintf("reader %s on %s: the package ends with event %d, an earlier one with event %d: the end was cut off there. It is still here; what that workstation shows is older.",
				m.From, h.Machine, len(at), h.Seq))
		}
	}
	return notices, nil
}

// mayReturn refuses an event that is not this reader's to say: of somebody else, under somebody else's assignment, or a rule of the study.
// acting is held.
func (r *room) mayReturn(e review.Event, reader review.ReaderID, theirs map[review.AssignmentID]bool) error {
	refuse := func(format string, args ...any) error {
		return fault.New(fault.Refused, "take back", string(e.ID), format, args...)
	}
	if e.Reader != reader {
		return refuse("it is said by %s, not by reader %s", e.Reader, reader)
	}
	if e.Assignment == "" {
		kinds := []review.Kind{review.KindConsent, review.KindDisplay, review.KindTraining, review.KindUnblinded}
		if !slices.Contains(kinds, e.Kind) || e.Key != review.EventKey("", e.Kind, "", string(reader)) {
			return refuse("a reader does not say %s", e.Key)
		}
		return nil
	}
	kinds := []review.Kind{review.KindLook, review.KindRating, review.KindChainRating, review.KindOwnAnswer, review.KindSign, review.KindSeen, review.KindNote}
	if !slices.Contains(kinds, e.Kind) {
		return refuse("a reader does not say %s", e.Kind)
	}
	if e.Session == review.TrainingSession {
		rd, known := r.aliases.find(e.Case)
		if !known || rd.Reader != reader || r.attemptOf(rd, e.Assignment) == 0 {
			return refuse("reader %s has no training case %s", reader, e.Case)
		}
		return nil
	}
	if !theirs[e.Assignment] {
		return refuse("assignment %s is not one of reader %s", e.Assignment, reader)
	}
	return nil
}

// Conflict is one thing that a reader said in two ways on two machines, neither knowing of the other. All of it is kept; until the reader
// says it anew the later one counts.
type Conflict struct {
	Reader     string   `json:"reader"`
	Assignment string   `json:"assignment"`
	Case       string   `json:"case"`
	Kind       string   `json:"kind"`
	Chain      string   `json:"chain"`
	Part       string   `json:"part"` // question or step
	Versions   []Saying `json:"versions"`
}

// Saying is one of the ways.
type Saying struct {
	Event   string      `json:"event"`
	Machine string      `json:"machine"`
	At      string      `json:"at"`
	Counts  bool        `json:"counts"` // until it is said anew
	Body    review.Body `json:"body"`
}

// Conflicts lists what readers said differently on two machines of theirs. Fault Refused in a reader's seat.
func (d *Desk) Conflicts(ctx context.Context) (all []Conflict, err error) {
	const op = "list conflicts"
	err = d.within(op, func(r *room) error {
		if err := r.coordinates(op); err != nil {
			return err
		}
		r.acting.Lock()
		defer r.acting.Unlock()
		all, err = r.conflicts(ctx)
		return err
	})
	return all, err
}

// conflicts compares the last words of each machine. What one of them supersedes, by way of others or not, was known when it was said and is
// no conflict. acting is held.
func (r *room) conflicts(ctx context.Context) ([]Conflict, error) {
	several, err := r.onSeveralMachines()
	if err != nil || len(several) == 0 {
		return []Conflict{}, err
	}
	type subject struct {
		reader review.ReaderID
		key    string
	}
	last := map[subject]map[review.MachineID]review.Event{}
	supersedes := map[review.EventID]review.EventID{}
	order := []subject{}
	err = r.events(ctx, func(e review.Event) {
		if b := e.Body; !several[e.Reader] || e.Assignment == "" || b.Look == nil && b.Rating == nil && b.ChainRating == nil && b.OwnAnswer == nil {
			return
		}
		supersedes[e.ID] = e.Supersedes
		of := subject{e.Reader, e.Key}
		if last[of] == nil {
			last[of] = map[review.MachineID]review.Event{}
			order = append(order, of)
		}
		if e.ID > last[of][e.Machine].ID {
			last[of][e.Machine] = e
		}
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(order, func(a, b subject) int {
		return strings.Compare(string(a.reader)+"\x00"+a.key, string(b.reader)+"\x00"+b.key)
	})
	all := []Conflict{}
	for _, of := range order {
		if c, is := conflictOf(last[of], supersedes); is {
			all = append(all, c)
		}
	}
	return all, nil
}

// onSeveralMachines tells who said anything on more than one machine: mostly nobody, and then the ledger need not be walked.
func (r *room) onSeveralMachines() (map[review.ReaderID]bool, error) {
	heads, err := r.ledger.Heads()
	machines, several := map[review.ReaderID]int{}, map[review.ReaderID]bool{}
	for _, h := range heads {
		if machines[h.Reader]++; machines[h.Reader] > 1 {
			several[h.Reader] = true
		}
	}
	return several, err
}

// conflictOf tells whether the last words of several machines differ.
func conflictOf(last map[review.MachineID]review.Event, supersedes map[review.EventID]review.EventID) (c Conflict, is bool) {
	if len(last) < 2 {
		return c, false
	}
	known := map[review.EventID]bool{}
	for _, e := range last {
		for id := supersedes[e.ID]; id != "" && !known[id]; id = supersedes[id] {
			known[id] = true
		}
	}
	said := []review.Event{}
	for _, e := range last {
		if !known[e.ID] {
			said = append(said, e)
		}
	}
	slices.SortFunc(said, func(a, b review.Event) int { return strings.Compare(string(a.ID), string(b.ID)) })
	for i, e := range said {
		is = is || !same(e.Body, said[0].Body)
		c.Versions = append(c.Versions, Saying{Event: string(e.ID), Machine: string(e.Machine), At: e.At, Counts: i == len(said)-1, Body: e.Body})
	}
	first := said[0]
	c.Reader, c.Assignment, c.Case, c.Kind, c.Chain = string(first.Reader), string(first.Assignment), string(first.Case), string(first.Kind), string(first.Chain)
	if parts := strings.Split(first.Key, "/"); len(parts) == 4 {
		c.Part, _ = url.PathUnescape(parts[3]) // as it was written
	}
	return c, is
}
