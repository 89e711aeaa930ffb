package dataset

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"plumbline/backend/dcm"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// Digest names the exact samples of a whole image, in whatever files they lie; "" for an image with fewer than 16 distinct values, whose
// being equal to another means nothing, and for one that cannot be decoded. Every frame is decoded. Faults: NotFound, Damaged (the index), IO,
// Cancelled.
func (s *Set) Digest(ctx context.Context, id review.CaseID, image review.ImageID) (review.Digest, error) {
	row, err := s.rowOf("hash image", id, image)
	if err != nil || len(row.Stack.Frames) == 0 {
		return "", err
	}
	sum, seen, distinct := sha256.New(), map[string]bool{}, 0
	for n := range row.Stack.Frames {
		_, got, err := s.Samples(ctx, id, image, n)
		switch kind := fault.KindOf(err); {
		case err == nil:
		case kind == fault.Invalid || kind == fault.Damaged || kind == fault.NotFound:
			return "", nil
		default:
			return "", err
		}
		sum.Write([]byte(dcm.Digest(got)))
		distinct = distinctValues(got, seen)
	}
	if distinct < fewValues {
		return "", nil
	}
	return review.Digest("sha256:" + hex.EncodeToString(sum.Sum(nil))), nil
}

// Headers gives what the files of an image say of themselves, in the order of its frames, each file once. Faults: as Digest, and those of
// dcm.Load.
func (s *Set) Headers(ctx context.Context, id review.CaseID, image review.ImageID) ([]dcm.Header, error) {
	const op = "read headers"
	row, err := s.rowOf(op, id, image)
	if err != nil {
		return nil, err
	}
	var out []dcm.Header
	seen := map[string]bool{}
	for _, f := range row.Stack.Frames {
		if seen[f.Path] {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, fault.In(op, string(id), err)
		}
		seen[f.Path] = true
		file, err := dcm.LoadFrom(f.Path, s.files.open)
		if err != nil {
			return nil, fault.In(op, string(id), err)
		}
		out = append(out, file.Header())
		if err := file.Close(); err != nil {
			return nil, fault.In(op, string(id), err)
		}
	}
	return out, nil
}

// keyOf names the stack of an image; "" where there is none.
func (s *Set) keyOf(id review.CaseID, image review.ImageID) string {
	if e := s.cases[id]; e != nil {
		for _, m := range e.Images {
			if m.ID == image {
				return m.Stack
			}
		}
	}
	return ""
}

// rowOf gives the stack of an image; an empty one where it cannot be shown.
func (s *Set) rowOf(op string, id review.CaseID, image review.ImageID) (stackRow, error) {
	if s.cases[id] == nil {
		return stackRow{}, fault.New(fault.NotFound, op, string(id), "no such case in the dataset")
	}
	key := s.keyOf(id, image)
	if key == "" {
		return stackRow{}, nil
	}
	row, err := s.stackOf(key)
	return row, fault.In(op, string(id), err)
}
