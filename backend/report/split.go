package report

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"plumbline/backend/review"
)

// mostSplit is as many lines as a split is believed to have.
const mostSplit = 10_000_000

// ReadSplit reads a held-out split: CSV (RFC 4180) with a head that names the columns case and split, others are not looked at. A case may stand
// in one part only. Errors name the line.
func ReadSplit(r io.Reader) (map[review.CaseID]string, error) {
	lines := csv.NewReader(r)
	lines.FieldsPerRecord = -1
	head, err := lines.Read()
	if err != nil {
		return nil, fmt.Errorf("line 1: a head with the columns case and split expected: %w", err)
	}
	for i := range head {
		head[i] = strings.ToLower(strings.TrimSpace(strings.TrimPrefix(head[i], "\ufeff")))
	}
	of, part := slices.Index(head, "case"), slices.Index(head, "split")
	if of < 0 || part < 0 {
		return nil, fmt.Errorf("line 1: the columns case and split expected, found %q", head)
	}
	out := map[review.CaseID]string{}
	for n := 2; ; n++ {
		row, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		switch {
		case err != nil:
			return nil, err
		case n > mostSplit:
			return nil, fmt.Errorf("more than %d lines", mostSplit)
		case len(row) <= max(of, part):
			return nil, fmt.Errorf("line %d: %d columns, at least %d expected", n, len(row), max(of, part)+1)
		}
		id, name := review.CaseID(strings.TrimSpace(row[of])), strings.TrimSpace(row[part])
		if id == "" || name == "" {
			return nil, fmt.Errorf("line %d: a case and the name of its part expected", n)
		}
		if before, twice := out[id]; twice && before != name {
			return nil, fmt.Errorf("line %d: %s is in %s already, and cannot be in %s too", n, id, before, name)
		}
		out[id] = name
	}
}
