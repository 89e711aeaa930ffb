package store

import (
	"bytes"
	"encoding/json"

	"go.etcd.io/bbolt"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// armsBucket lists chains by model, 0, condition, 0 and chain, each with its run, 0 and the chain that it goes on from: what a list of arms needs of
// an origin, without reading it.
var armsBucket = []byte("arms")

// Arm is one model under one condition, by its name.
type Arm struct{ Model, Condition string }

// ArmChain is a chain of an arm.
type ArmChain struct {
	Chain  review.ChainID
	Run    string         // that made it; "": it was imported
	Parent review.ChainID // that it goes on from; "": none
}

func (a Arm) prefix() []byte { return joined(a.Model, string(joined(a.Condition, ""))) }

func armOf(o review.Origin) Arm { return Arm{o.Model.Name, o.Condition.Name()} }

// keepOrigin keeps what made a chain, in place of what was kept of it before.
func keepOrigin(tx *bbolt.Tx, o review.Origin) error {
	if raw := tx.Bucket(originsBucket).Get([]byte(o.Chain)); raw != nil {
		if before, err := review.RestoreOrigin(raw); err == nil { // one that cannot be read is in no arm
			if err := tx.Bucket(armsBucket).Delete(append(armOf(before).prefix(), o.Chain...)); err != nil {
				return err
			}
		}
	}
	if err := putJSON(tx.Bucket(originsBucket), []byte(o.Chain), o); err != nil {
		return err
	}
	return listInArm(tx, o)
}

func listInArm(tx *bbolt.Tx, o review.Origin) error {
	return tx.Bucket(armsBucket).Put(append(armOf(o).prefix(), o.Chain...), joined(o.Run, string(o.Parent)))
}

// listArms is the step from a layout without arms.
func listArms(tx *bbolt.Tx) error {
	return tx.Bucket(originsBucket).ForEach(func(_, raw []byte) error {
		o, err := review.RestoreOrigin(raw)
		if err != nil {
			return nil // whoever reads it says what is wrong with it
		}
		return listInArm(tx, o)
	})
}

// Arms counts the chains of every arm, in order of model and condition.
func (r *Runs) Arms(fn func(a Arm, chains int) error) error {
	return r.view("list arms", func(tx *bbolt.Tx) error {
		var at Arm
		n := 0
		end := func() error {
			if n == 0 {
				return nil
			}
			return fn(at, n)
		}
		err := tx.Bucket(armsBucket).ForEach(func(k, _ []byte) error {
			parts := bytes.SplitN(k, []byte{0}, 3)
			if len(parts) != 3 {
				return fault.New(fault.Damaged, "list arms", r.path, "a model, a condition and a chain expected, found %q", k)
			}
			if string(parts[0]) != at.Model || string(parts[1]) != at.Condition {
				if err := end(); err != nil {
					return err
				}
				at, n = Arm{string(parts[0]), string(parts[1])}, 0
			}
			n++
			return nil
		})
		if err != nil {
			return err
		}
		return end()
	})
}

// Arm gives the chains of an arm, in order of chain.
func (r *Runs) Arm(a Arm) (all []ArmChain, err error) {
	err = r.view("look up arm", func(tx *bbolt.Tx) error {
		prefix := a.prefix()
		c := tx.Bucket(armsBucket).Cursor()
		for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, v = c.Next() {
			run, parent, _ := bytes.Cut(v, []byte{0})
			all = append(all, ArmChain{review.ChainID(k[len(prefix):]), string(run), review.ChainID(parent)})
		}
		return nil
	})
	return all, err
}

// MadeOf hands the case of every chain that a run made to fn, in order of case and chain.
func (r *Runs) MadeOf(fn func(of review.CaseID, chain review.ChainID)) error {
	return r.view("look up chains of runs", func(tx *bbolt.Tx) error {
		return tx.Bucket(madeBucket).ForEach(func(k, _ []byte) error {
			of, chain, _ := bytes.Cut(k, []byte{0})
			fn(review.CaseID(of), review.ChainID(chain))
			return nil
		})
	})
}

// said is a chain without the steps and the tokens of its answers: most of its bytes, which are then passed over.
type said struct {
	Answers []struct {
		Question    review.QuestionID
		Answer      *string
		Parse       review.Parse
		Probs       map[string]float64
		MissingMass *float64 `json:"missing_mass"`
		Entropy     *float64
	}
}

// Said gives the answers of a chain that a run made of a case, without their steps; false where there is no such chain.
func (r *Runs) Said(of review.CaseID, id review.ChainID) (answers []review.Answer, known bool, err error) {
	const op = "look up answers of a run"
	err = r.view(op, func(tx *bbolt.Tx) error {
		raw := tx.Bucket(madeBucket).Get(joined(string(of), string(id)))
		if raw == nil {
			return nil
		}
		var s said
		if err := json.Unmarshal(raw, &s); err != nil {
			return fault.New(fault.Damaged, op, r.path, "chain %s: %w", id, err)
		}
		for _, a := range s.Answers {
			answers = append(answers, review.Answer{Question: a.Question, Answer: a.Answer, Parse: a.Parse, Probs: a.Probs, MissingMass: a.MissingMass, Entropy: a.Entropy})
		}
		known = true
		return nil
	})
	return answers, known, err
}
