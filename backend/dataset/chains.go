package dataset

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"plumbline/backend/review"
)

// chainFiles lists chains/*.jsonl in order of their names, the manifest left out.
func chainFiles(dir string) []string {
	list, err := os.ReadDir(filepath.Join(dir, chainsFolder))
	if err != nil {
		return nil // no chains
	}
	var out []string
	for _, e := range list {
		if strings.HasSuffix(e.Name(), ".jsonl") && e.Name() != originsFile && !strings.HasPrefix(e.Name(), ".") {
			out = append(out, chainsFolder+"/"+e.Name())
		}
	}
	sort.Strings(out)
	return out
}

// chainCase is a chain with the case that it answers.
type chainCase struct {
	chain review.Chain
	want  review.Digest // what its digest should be
	of    review.Case
	err   error // why there is no case
}

// restoreChain parses a chain and, where it names a case of the dataset, that case again.
func (s *Set) restoreChain(b []byte) (chainCase, error) {
	c, err := review.RestoreChain(b)
	if err != nil || s.cases[c.Case] == nil {
		return chainCase{chain: c}, err
	}
	out := chainCase{chain: c, want: review.ChainDigest(c)}
	out.of, out.err = s.Case(c.Case)
	return out, nil
}

// scanChains streams every chain file, or (where it is not nil) only what came to those of more, and notes what is there and what is wrong.
func (s *Set) scanChains(ctx context.Context, more map[string]grown, tell review.Tell, t *troubles) error {
	seen := map[review.ChainID]bool{}
	for _, list := range s.chains {
		for _, c := range list {
			seen[c.ID] = true
		}
	}
	for _, file := range chainFiles(s.root.dir) {
		from, ok := more[file]
		if more != nil && !ok {
			continue
		}
		err := eachRecordFrom(ctx, s.root.dir, file, from, t, s.restoreChain, func(at record, v chainCase) {
			c := v.chain
			switch fail := idFault(string(c.ID)); {
			case fail != "":
				t.addf("", file, at.Line, "id", "%s", fail)
				return
			case seen[c.ID]:
				t.addf(c.Case, file, at.Line, "id", "chain %s stands twice; the first is used", c.ID)
				return
			case s.cases[c.Case] == nil:
				t.addf("", file, at.Line, "case", "case %s is not in this dataset", c.Case)
				return
			case v.err != nil:
				t.addf(c.Case, file, at.Line, "case", "%v", v.err)
				return
			}
			seen[c.ID] = true
			note := func(field, format string, args ...any) {
				t.addf(c.Case, file, at.Line, field, "chain %s: %s", c.ID, fmt.Sprintf(format, args...))
			}
			if c.Digest != v.want {
				note("digest", "does not belong to this chain; %s expected", v.want)
			}
			mendChain(c, v.of, s.cases[c.Case].frameCounts(), note)
			s.checkHeatmaps(c, note)
			s.chains[c.Case] = append(s.chains[c.Case], chainEntry{c.ID, c.Case, at})
			s.counts.Chains++
			if s.counts.Chains%500 == 0 {
				tell(review.Progress{Op: "chains", Done: s.counts.Chains, Of: file})
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// mendChain leaves out of a chain what has no place in its case, and tells note of each.
func mendChain(c review.Chain, of review.Case, frames map[review.ImageID]int, note noted) review.Chain {
	asked := map[review.QuestionID]review.Question{}
	for _, q := range of.Questions {
		asked[q.ID] = q
	}
	answered, steps := map[review.QuestionID]bool{}, map[review.StepID]bool{}
	answers := []review.Answer{}
	for i, a := range c.Answers {
		field := fmt.Sprintf("answers[%d]", i)
		q, known := asked[a.Question]
		switch {
		case !known:
			note(field+".question", "question %s is not asked in case %s; the answer is left out", a.Question, of.ID)
			continue
		case answered[a.Question]:
			note(field+".question", "question %s is answered twice; the first answer is used", a.Question)
			continue
		}
		answered[a.Question] = true
		checkAnswer(a, q, field, note)
		kept := []review.Step{}
		for j, step := range a.Steps {
			at := fmt.Sprintf("%s.steps[%d]", field, j)
			if f := idFault(string(step.ID)); f != "" || steps[step.ID] {
				if f == "" {
					f = fmt.Sprintf("step %s stands twice in this chain", step.ID)
				}
				note(at+".id", "%s; the step is left out", f)
				continue
			}
			steps[step.ID] = true
			step.Regions = mendRegions(step.Regions, frames, at+".regions", note)
			kept = append(kept, step)
		}
		a.Steps = kept
		answers = append(answers, a)
	}
	c.Answers = answers
	return c
}

func checkAnswer(a review.Answer, q review.Question, field string, note noted) {
	switch a.Parse {
	case review.ParseOK:
		if a.Answer == nil {
			note(field+".answer", "missing although parse is ok")
		} else if !isOption(q, *a.Answer) {
			note(field+".answer", "%q is neither letter nor text of an option of %s", short(*a.Answer), q.ID)
		}
	case review.Abstained, review.Declined, review.Unparsed, review.Empty:
	default:
		note(field+".parse", "%q found; ok, abstained, refused, unparsed or empty expected", short(string(a.Parse)))
	}
}

// mendRegions leaves out regions that lie in no image of the case or are no regions.
func mendRegions(list []review.Region, frames map[review.ImageID]int, field string, note noted) []review.Region {
	out := []review.Region{}
	for i, r := range list {
		n, known := frames[r.Image]
		fail := ""
		if !known {
			fail = fmt.Sprintf("image %q is not in this case", short(string(r.Image)))
		} else if fail = r.Fault(n); fail != "" && n > 0 && strings.Contains(fail, "frame") {
			fail = fmt.Sprintf("%s: image %s has frames 0 to %d", fail, r.Image, n-1)
		}
		if fail != "" {
			note(fmt.Sprintf("%s[%d]", field, i), "%s; the region is left out", fail)
			continue
		}
		out = append(out, r)
	}
	return out
}

// short cuts foreign text to what a problem can show.
func short(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}
