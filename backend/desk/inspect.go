package desk

import (
	"context"
	"slices"

	"plumbline/backend/bundle"
	"plumbline/backend/fault"
	"plumbline/backend/store"
)

// Inspected is what a package says of itself, once all of it was read and holds.
type Inspected struct {
	Kind        string `json:"kind"` // work, words
	From        string `json:"from"`
	To          string `json:"to"`
	Study       string `json:"study"`
	Machine     string `json:"machine"`
	Created     string `json:"created"`
	Fingerprint string `json:"fingerprint"` // of the key that signed it
	Files       int    `json:"files"`
	Bytes       int64  `json:"bytes"` // of all files
	store.Verification
}

// Inspect reads a package to its end, changing nothing: signature, every file, every hash chain. It needs no workspace. Faults: as
// bundle.Open; Damaged where something does not hold.
func (d *Desk) Inspect(ctx context.Context, path, passphrase string) (Inspected, error) {
	const op = "verify package"
	keys, err := d.options.Folders.keys()
	if err != nil {
		return Inspected{}, err
	}
	b, err := bundle.Open(path, keys, passphrase)
	if err != nil {
		return Inspected{}, err
	}
	defer b.Close()
	m := b.Manifest
	out := Inspected{
		Kind: string(m.Kind), From: m.From, To: m.To, Study: m.Study, Machine: string(m.Machine), Created: m.Created,
		Fingerprint: bundle.Fingerprint(m.Key), Files: len(m.Files), Verification: store.Verification{Chains: []store.HashChain{}},
	}
	err = b.Each(func(f bundle.File, data []byte) error {
		out.Bytes += f.Size
		if f.Name != eventsFile {
			return ctx.Err()
		}
		events, err := carry(data, m)
		if err != nil {
			return &fault.Error{Op: op, Of: path, Kind: fault.Damaged, Err: err}
		}
		out.Events, out.Chains = len(events.events), slices.Clone(m.Heads)
		return nil
	})
	return out, err
}
