package export

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"plumbline/backend/review"
)

// Pooled numbers are the sum of the sites' counts, whatever the order, and the same twice counts once.
func TestPoolIsTheSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var sites []Site
		want, cases := map[CountKey]int{}, 0
		for i := range rapid.IntRange(1, 5).Draw(t, "sites") {
			counts := map[CountKey]int{}
			for range rapid.IntRange(0, 8).Draw(t, "counts") {
				k := CountKey{rapid.SampledFrom([]string{ofAnswers, ofLooks, ofRatings}).Draw(t, "of"), rapid.SampledFrom([]string{"", "m", "n"}).Draw(t, "model"), "", "original",
					rapid.IntRange(1, 4).Draw(t, "k"), rapid.SampledFrom([]string{"correct", "wrong", "unknown", "supported", "contradicted", "not_visual"}).Draw(t, "value")}
				counts[k] = rapid.IntRange(0, 1000).Draw(t, "n")
			}
			s := Site{Schema: SiteSchema, Site: fmt.Sprint("site-", i), Study: "s", Made: "2026-01-01T00:00:00Z", Rubric: "GRD 1", RubricDigest: "d", Counts: listed(counts)}
			s.Data.Cases = rapid.IntRange(0, 100).Draw(t, "cases")
			cases += s.Data.Cases
			for k, n := range counts {
				want[k] += n
			}
			sites = append(sites, s)
			if rapid.Bool().Draw(t, "twice") {
				sites = append(sites, s)
			}
		}
		first := pool(sites)
		slices.Reverse(sites)
		if again := pool(sites); fmt.Sprint(again) != fmt.Sprint(first) {
			t.Fatalf("another order, another sum:\n%v\n%v", first, again)
		}
		if !slices.Equal(first.Counts, listed(want)) || first.Data.Cases != cases || len(first.Conflicts) != 0 {
			t.Fatalf("%v, want %v", first.Counts, listed(want))
		}
		for _, s := range first.Shares {
			good, all := 0, 0
			for k, n := range want {
				value := k.Value
				k.Value = s.Value
				if k != s.CountKey {
					continue
				}
				switch {
				case value == s.Value:
					good, all = good+n, all+n
				case s.Value == "correct" && value == "wrong", s.Value == "supported" && value == "contradicted":
					all += n
				}
			}
			if all != s.N || s.Share != float64(good)/float64(all) {
				t.Fatalf("%+v: %d of %d", s, good, all)
			}
		}
	})
}

// Two different things of one site and study: the later counts. Another rubric of the same name: its ratings are not pooled. Both are listed.
func TestPoolConflicts(t *testing.T) {
	site := func(name, made string, rubric review.Digest, n int) Site {
		return Site{Schema: SiteSchema, Site: name, Study: "s", Made: made, Rubric: "GRD 1", RubricDigest: rubric, Counts: []Count{
			{CountKey{Of: ofAnswers, Value: "correct"}, n}, {CountKey{Of: ofRatings, Value: "supported"}, n},
		}}
	}
	got := pool([]Site{site("a", "2026-01-01T00:00:00Z", "d", 1), site("a", "2026-02-01T00:00:00Z", "d", 10), site("b", "2026-01-01T00:00:00Z", "other", 100)})
	if fmt.Sprint(got.Counts) != "[{{answers    0 correct} 110} {{ratings    0 supported} 10}]" || len(got.Conflicts) != 2 || len(got.Sites) != 2 {
		t.Errorf("%v\n%v", got.Counts, got.Conflicts)
	}
}

// A site's file is counts, or it says what is wrong in it, whatever bytes it holds.
func FuzzSite(f *testing.F) {
	for _, seed := range []string{
		`{"schema":"plumbline/site/1","site":"a","study":"b","counts":[{"of":"answers","stage_k":1,"value":"correct","n":3}]}`,
		`{"schema":"plumbline/site/1","site":"a","study":"b","counts":[{"n":-1}]}`, `{"schema":"plumbline/site/2"}`, `[]`, `null`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := readSite(b)
		if err != nil {
			return
		}
		total, sum := 0, 0
		for _, c := range s.Counts {
			total += c.N
		}
		for _, c := range pool([]Site{s}).Counts {
			if sum += c.N; c.N < 0 {
				t.Fatalf("%+v", c)
			}
		}
		if sum != total {
			t.Fatalf("%d counted, %d pooled", total, sum)
		}
	})
}
