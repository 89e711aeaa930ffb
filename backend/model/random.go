package model

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// Random answers by a hash of the seed, the request and the number of times that it was asked. It understands nothing.
type Random struct{}

// Name is "random".
func (Random) Name() string { return "random" }

// Ask draws an option, all alike.
func (Random) Ask(_ context.Context, r Request) (Reply, error) {
	a, err := understand(r.Prompt)
	if err != nil {
		return Reply{}, err
	}
	h := sha256.New()
	fmt.Fprintln(h, r.Seed, r.Repeat, len(r.Prompt), len(r.Images))
	fmt.Fprintln(h, r.Prompt)
	for _, i := range r.Images {
		d := sha256.Sum256(i.Bytes)
		h.Write(d[:])
	}
	var sum [sha256.Size]byte
	h.Sum(sum[:0])
	o := a.options[binary.LittleEndian.Uint64(sum[:8])%uint64(len(a.options))]
	step := Claim{Text: "Drawn by lot: " + lowerFirst(o.Text) + ".", Type: "no_claim", Places: []Place{}}
	return Said{Steps: []Claim{step}, Answer: o.Letter}.reply(), nil
}
