package dataset

import (
	"context"
	"maps"
	"path/filepath"
	"slices"

	"plumbline/backend/review"
)

// mostChanged is how many changed files are named; the rest is counted.
const mostChanged = 100

// Changed compares the files with how they were when the Set was opened, and names those that changed, are gone, or came; all says how many
// they are. Nothing is read of a file but its size and time. Faults: IO where the folder cannot be listed, Cancelled.
func (s *Set) Changed(ctx context.Context) (named []review.Problem, all int, err error) {
	tell := func(file, text string) {
		if all++; len(named) < mostChanged {
			named = append(named, review.Problem{File: file, Text: text})
		}
	}
	named = []review.Problem{}
	walked := s.format == Images && s.only == ""
	now := map[string]stamp{}
	if walked {
		found, err := walk(ctx, s.root.dir)
		if err != nil {
			return named, 0, err
		}
		for _, f := range found {
			now[f.rel] = f.stamp
		}
	}
	for _, rel := range slices.Sorted(maps.Keys(s.sources)) {
		if err := ctx.Err(); err != nil {
			return named, all, err
		}
		was, is := s.sources[rel], now[rel]
		switch {
		case walked && rel == ".":
			continue
		case !walked:
			is = look(filepath.Join(s.root.dir, filepath.FromSlash(rel)))
		case is == stamp{}:
			is.Size = -1
		}
		switch {
		case is == was:
		case is.Size < 0:
			tell(rel, "gone since the data were opened")
		case was.Size < 0:
			tell(rel, "came since the data were opened")
		default:
			tell(rel, "changed since the data were opened")
		}
	}
	for _, rel := range slices.Sorted(maps.Keys(now)) {
		if _, known := s.sources[rel]; !known {
			tell(rel, "came since the data were opened")
		}
	}
	return named, all, nil
}
