package desk

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"plumbline/backend/bundle"
	"plumbline/backend/fault"
	"plumbline/backend/review"
	"plumbline/backend/store"
)

// carried are the events of a package, checked as far as they stand for themselves.
type carried struct {
	raw    [][]byte
	events []review.Event
}

// maxCarried bounds the events of a package.
const maxCarried = 5_000_000

// carry reads the events of a package. Every hash chain in it must be whole from its first event on and end where the manifest says, so that
// a tail that was cut off, or an event that was changed or left out, is seen.
func carry(lines []byte, m bundle.Manifest) (carried, error) {
	c := carried{}
	seen := map[review.EventID]bool{}
	for line := range bytes.Lines(lines) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		e, err := store.Decode(line)
		n := len(c.events) + 1
		switch {
		case err != nil:
			return c, fmt.Errorf("event %d: %w", n, err)
		case seen[e.ID]:
			return c, fmt.Errorf("event %d: %s is there twice", n, e.ID)
		case e.Study != m.Study:
			return c, fmt.Errorf("event %d: of another study", n)
		case n > maxCarried:
			return c, fmt.Errorf("more than %d events", maxCarried)
		}
		seen[e.ID] = true
		c.raw, c.events = append(c.raw, bytes.Clone(line)), append(c.events, e)
	}
	heads, err := c.heads()
	if err != nil {
		return c, err
	}
	said := slices.Clone(m.Heads)
	slices.SortFunc(said, byChain)
	if !slices.Equal(heads, said) {
		return c, fmt.Errorf("the events end elsewhere than the package says: some are missing")
	}
	return c, nil
}

func byChain(a, b store.HashChain) int {
	return cmp.Or(cmp.Compare(a.Reader, b.Reader), cmp.Compare(a.Machine, b.Machine))
}

// order gives the events of each hash chain by seq.
func (c carried) order() map[chainID][]int {
	chains := map[chainID][]int{}
	for i, e := range c.events {
		id := chainID{e.Reader, e.Machine}
		chains[id] = append(chains[id], i)
	}
	for _, at := range chains {
		slices.SortFunc(at, func(x, y int) int { return cmp.Compare(c.events[x].Seq, c.events[y].Seq) })
	}
	return chains
}

// chainID names a hash chain.
type chainID struct {
	reader  review.ReaderID
	machine review.MachineID
}

// heads walks the hash chains and gives where they end.
func (c carried) heads() ([]store.HashChain, error) {
	heads := []store.HashChain{}
	for id, at := range c.order() {
		h := store.HashChain{Reader: id.reader, Machine: id.machine}
		for _, i := range at {
			e := c.events[i]
			if e.Seq != h.Seq+1 || e.Prev != h.Head {
				return nil, fmt.Errorf("reader %s on %s: event %d does not follow event %d: something is missing or was changed", id.reader, id.machine, e.Seq, h.Seq)
			}
			h.Count, h.Seq, h.Head = h.Count+1, e.Seq, review.DigestOf(c.raw[i])
		}
		heads = append(heads, h)
	}
	slices.SortFunc(heads, byChain)
	return heads, nil
}

// continues compares hash chains with those that are here: where both have an event it must be the same one. shorter tells by how many events
// a chain ends before the one that is here.
func (c carried) continues(l *store.Ledger) (shorter map[chainID]int, err error) {
	shorter = map[chainID]int{}
	for id, at := range c.order() {
		here, err := l.Chain(id.reader, id.machine)
		if err != nil {
			return nil, err
		}
		for n := range min(len(at), len(here)) {
			if e := c.events[at[n]]; e.ID != here[n] {
				return nil, fault.New(fault.Damaged, "merge", string(e.ID), "reader %s on %s: event %d is another one than the one that came before: "+
					"that workspace was set back to an earlier state, and went on from there", id.reader, id.machine, e.Seq)
			}
			raw, err := l.Event(here[n])
			if err != nil {
				return nil, err
			}
			if !bytes.Equal(raw, c.raw[at[n]]) {
				return nil, fault.New(fault.Damaged, "merge", string(here[n]), "event %s is here already with other bytes", here[n])
			}
		}
		if less := len(here) - len(at); less > 0 {
			shorter[id] = less
		}
	}
	return shorter, nil
}
