package desk

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"plumbline/backend/fault"
	"plumbline/backend/review"
	"plumbline/backend/store"
)

// trainingFile holds what is expected of the training cases, in the workspace folder. It is the only gold that a reader's workspace may
// hold; whoever packs one for a reader writes there what TrainingKey gives.
const trainingFile = "training.json"

// TrainingKey gives what is expected of the training cases: what SetTrainingKey was given and, in the coordinator's seat, the gold of the
// other training cases. Fault Refused in a reader's seat: a reader sees of it what belongs to a case that is signed.
func (d *Desk) TrainingKey(ctx context.Context) (key review.TrainingKey, err error) {
	const op = "show training key"
	err = d.within(op, func(r *room) error {
		if err := r.coordinates(op); err != nil {
			return err
		}
		r.acting.Lock()
		defer r.acting.Unlock()
		key, err = r.trainingKey(ctx)
		return err
	})
	return key, err
}

// SetTrainingKey keeps what is expected of the training cases in this workspace, in place of what was kept before. Faults: Invalid for
// anything but a key of training cases of the protocol, with grades that the rubric has.
func (d *Desk) SetTrainingKey(_ context.Context, file []byte) error {
	const op = "set training key"
	return d.within(op, func(r *room) error {
		key, err := review.RestoreTrainingKey(file)
		if err != nil {
			return fault.New(fault.Invalid, op, "", "%w", err)
		}
		r.acting.Lock()
		defer r.acting.Unlock()
		for i, c := range key.Cases {
			switch {
			case !slices.Contains(r.rules.protocol.Training, c.Case):
				return fault.New(fault.Invalid, op, string(c.Case), "no training case of the protocol")
			case slices.ContainsFunc(key.Cases[:i], func(b review.TrainingCase) bool { return b.Case == c.Case }):
				return fault.New(fault.Invalid, op, string(c.Case), "stands here twice")
			}
			for _, s := range c.Steps {
				if len(s.Supports) == 0 || slices.ContainsFunc(s.Supports, unknownSupport) {
					return fault.New(fault.Invalid, op, string(c.Case), "step %s of chain %s: grades of support expected, found %q", s.Step, s.Chain, s.Supports)
				}
			}
		}
		key.Schema = review.TrainingSchema
		b, err := json.MarshalIndent(key, "", "  ")
		if err != nil {
			return err
		}
		return store.Replace(filepath.Join(r.dir, trainingFile), append(b, '\n'))
	})
}

func unknownSupport(s review.Support) bool {
	return !slices.Contains([]review.Support{review.Supported, review.Partly, review.Unsupported, review.Contradicted, review.NotVisual, review.CannotAssess}, s)
}

// trainingKey gathers what is expected. acting is held.
func (r *room) trainingKey(ctx context.Context) (review.TrainingKey, error) {
	return r.trainingKeyOf(ctx, r.rules.protocol.Training)
}

// expectsNothing tells whether no answer to these training cases could be as expected, because nothing is expected.
func (r *room) expectsNothing(ctx context.Context, training []review.CaseID) (bool, error) {
	key, err := r.trainingKeyOf(ctx, training)
	for _, c := range key.Cases {
		if slices.Contains(training, c.Case) && (len(c.Steps) > 0 || slices.ContainsFunc(c.Looks, func(t review.Truth) bool { return t.Gold != nil })) {
			return false, err
		}
	}
	return true, err
}

func (r *room) trainingKeyOf(ctx context.Context, training []review.CaseID) (review.TrainingKey, error) {
	key := review.TrainingKey{Schema: review.TrainingSchema, Cases: []review.TrainingCase{}}
	path := filepath.Join(r.dir, trainingFile)
	b, err := os.ReadFile(path)
	switch {
	case err == nil:
		if key, err = review.RestoreTrainingKey(bytes.TrimSpace(b)); err != nil {
			return key, fault.New(fault.Damaged, "load training key", path, "%w", err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return key, fault.New(fault.IO, "load training key", path, "%w", err)
	}
	if r.w.Seat.Role != Coordinator || r.set == nil {
		return key, nil
	}
	lack := []review.CaseID{}
	for _, id := range training {
		if !slices.ContainsFunc(key.Cases, func(c review.TrainingCase) bool { return c.Case == id && len(c.Looks) > 0 }) {
			lack = append(lack, id)
		}
	}
	if len(lack) == 0 {
		return key, nil
	}
	truth, _, err := r.set.Truth(ctx)
	for _, id := range lack {
		at := slices.IndexFunc(key.Cases, func(c review.TrainingCase) bool { return c.Case == id })
		if at < 0 {
			at = len(key.Cases)
			key.Cases = append(key.Cases, review.TrainingCase{Case: id, Looks: []review.Truth{}})
		}
		for _, t := range truth {
			if t.Case == id {
				t.Implies = []review.Implication{}
				key.Cases[at].Looks = append(key.Cases[at].Looks, t)
			}
		}
	}
	return key, err
}
