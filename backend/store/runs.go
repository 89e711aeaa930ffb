package store

import (
	"encoding/binary"
	"encoding/json"

	"go.etcd.io/bbolt"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// Runs holds what made each chain, model and condition, and the runs of experiments with the chains that they made. It is the coordinator's file (runs.db) and never lies in a reader's workspace.
type Runs struct{ *file }

var (
	originsBucket  = []byte("origins")
	problemsBucket = []byte("problems") // of the files that only the coordinator may know, in order
)

// OpenRuns opens or makes the runs at path; faults as OpenLedger.
func OpenRuns(path string) (*Runs, error) {
	f, err := openFile(path, layout{
		noun: "runs", buckets: []string{"origins", "problems", "plans", "notes", "made", "arms"}, steps: []func(*bbolt.Tx) error{roomForWork, listArms},
	})
	if err != nil {
		return nil, err
	}
	return &Runs{f}, nil
}

// Put keeps the origins of an import by their chain, and the problems of the files that hold them and the gold in place of those before, all
// in one transaction.
func (r *Runs) Put(origins []review.Origin, problems []review.Problem) error {
	return r.update("keep origins", func(tx *bbolt.Tx) error {
		for _, o := range origins {
			if err := keepOrigin(tx, o); err != nil {
				return err
			}
		}
		if err := tx.DeleteBucket(problemsBucket); err != nil {
			return err
		}
		b, err := tx.CreateBucket(problemsBucket)
		if err != nil {
			return err
		}
		for i, p := range problems {
			if err := putJSON(b, binary.BigEndian.AppendUint64(nil, uint64(i)), p); err != nil {
				return err
			}
		}
		return nil
	})
}

func putJSON(b *bbolt.Bucket, key []byte, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return b.Put(key, raw)
}

// Problems gives the problems that the last import found in what only the coordinator may know.
func (r *Runs) Problems() ([]review.Problem, error) {
	all := []review.Problem{}
	err := r.view("look up problems", func(tx *bbolt.Tx) error {
		return tx.Bucket(problemsBucket).ForEach(func(_, raw []byte) error {
			var p review.Problem
			if err := json.Unmarshal(raw, &p); err != nil {
				return fault.New(fault.Damaged, "look up problems", r.path, "%w", err)
			}
			all = append(all, p)
			return nil
		})
	})
	return all, err
}

// Origin gives what made a chain; false where that is not known.
func (r *Runs) Origin(chain review.ChainID) (o review.Origin, known bool, err error) {
	err = r.view("look up origin", func(tx *bbolt.Tx) error {
		raw := tx.Bucket(originsBucket).Get([]byte(chain))
		if raw == nil {
			return nil
		}
		if o, err = review.RestoreOrigin(raw); err != nil {
			return fault.New(fault.Damaged, "look up origin", r.path, "%w", err)
		}
		known = true
		return nil
	})
	return o, known, err
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
