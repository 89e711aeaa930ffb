package store

import (
	"encoding/json"

	"go.etcd.io/bbolt"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// Runs holds what made each chain: model and condition. It is the coordinator's file (runs.db) and never lies in a reader's workspace.
type Runs struct{ *file }

var originsBucket = []byte("origins")

// OpenRuns opens or makes the runs at path; faults as OpenLedger.
func OpenRuns(path string) (*Runs, error) {
	f, err := openFile(path, layout{noun: "runs", buckets: []string{"origins"}})
	if err != nil {
		return nil, err
	}
	return &Runs{f}, nil
}

// Put keeps origins by their chain, all in one transaction.
func (r *Runs) Put(origins []review.Origin) error {
	return r.update("keep origins", func(tx *bbolt.Tx) error {
		b := tx.Bucket(originsBucket)
		for _, o := range origins {
			raw, err := json.Marshal(o)
			if err != nil {
				return err
			}
			if err := b.Put([]byte(o.Chain), raw); err != nil {
				return err
			}
		}
		return nil
	})
}

// Origins gives every origin, in order of chain.
func (r *Runs) Origins() ([]review.Origin, error) {
	all := []review.Origin{}
	err := r.view("look up origins", func(tx *bbolt.Tx) error {
		return tx.Bucket(originsBucket).ForEach(func(_, raw []byte) error {
			o, err := review.RestoreOrigin(raw)
			if err != nil {
				return fault.New(fault.Damaged, "look up origins", r.path, "%w", err)
			}
			all = append(all, o)
			return nil
		})
	})
	return all, err
}
