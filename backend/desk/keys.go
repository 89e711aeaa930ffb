package desk

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"plumbline/backend/bundle"
	"plumbline/backend/fault"
)

// MachineKeys are the public parts of the keys of this person's machine.
type MachineKeys struct {
	Fingerprint string `json:"fingerprint"` // of the key that signs, to be compared by telephone
	Recipient   string `json:"recipient"`   // for whom a package can be locked without a passphrase
}

// Keys gives the public keys of this machine, and makes them at first need.
func (d *Desk) Keys(context.Context) (MachineKeys, error) {
	k, err := d.options.Folders.keys()
	if err != nil {
		return MachineKeys{}, err
	}
	return MachineKeys{Fingerprint: bundle.Fingerprint(k.Public()), Recipient: k.Recipient()}, nil
}

// keys gives the keys of this person on this machine. The secrets lie in the person's own configuration, never in a workspace.
func (f Folders) keys() (k bundle.Keys, err error) {
	const op = "load the keys of this machine"
	path := filepath.Join(f.Config, "keys.json")
	b, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		if k, err = bundle.NewKeys(); err != nil {
			return k, fault.In(op, path, err)
		}
		if b, err = json.Marshal(k); err != nil {
			return k, fault.In(op, path, err)
		}
		b, err = keepFirst(op, path, b)
	}
	if err != nil {
		return k, fault.New(fault.IO, op, path, "%w", err)
	}
	if err := json.Unmarshal(b, &k); err != nil {
		return k, fault.New(fault.Damaged, op, path, "%w", err)
	}
	return k, nil
}

// sender is who sent the work that is done in a reader's workspace: what is pinned at the first package, and held against every later one.
type sender struct {
	Key     string `json:"key"`      // the public key that signs
	ReplyTo string `json:"reply_to"` // for whom what is handed back is locked
}
