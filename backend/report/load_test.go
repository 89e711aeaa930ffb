package report_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"plumbline/backend/report"
	"plumbline/backend/review"
)

// Chains that are handed over one by one give the report that the same chains in a list give; what made one may not be known, and one may be of a
// case that is not in the study.
func TestChainsOneByOne(t *testing.T) {
	s := causalStudy(4)
	for i := range 4 {
		s.arm(t, "original", i, []string{"AAA", "ABA", "BAB"}[i%3], nil).arm(t, "noop", i, "AAA", nil).arm(t, "occ+given:orig", i, "BBB", nil).arm(t, "ctl+given:orig", i, "AAA", nil)
	}
	s.chain("recorded", 0, "AAB").chain("recorded", 1, "A-B").chain("unknown", 2, "AAA")
	s.Origins = s.Origins[:len(s.Origins)-1]
	s.read("R1", "recorded", 0, []review.Support{review.Supported, review.Partly, review.Contradicted}, true)
	stray := s.Chains[0]
	stray.ID, stray.Case = "stray", "nowhere"
	s.Chains = append(s.Chains, stray)
	s.Splits = map[review.CaseID]string{"c00": "train", "c01": "test"}
	want := s.make(t)
	chains, origins := s.Chains, s.Origins
	s.Chains, s.Origins = nil, nil
	s.Each = func(take func(*review.Chain, *review.Origin) error) error {
		for _, c := range chains {
			var made *review.Origin
			if i := slices.IndexFunc(origins, func(o review.Origin) bool { return o.Chain == c.ID }); i >= 0 {
				o := origins[i]
				made = &o
			}
			if err := take(&c, made); err != nil {
				return err
			}
		}
		return nil
	}
	if got := s.make(t); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if !slices.Contains(want.Notes, "1 chain of cases that are not in the study left out.") || want.Data.Chains != len(chains)-1 {
		t.Errorf("%d chains, notes %q", want.Data.Chains, want.Notes)
	}
	bad := errors.New("the disk is gone")
	s.Each = func(func(*review.Chain, *review.Origin) error) error { return bad }
	if _, err := report.Make(context.Background(), s.Input); !errors.Is(err, bad) {
		t.Errorf("err = %v", err)
	}
}
