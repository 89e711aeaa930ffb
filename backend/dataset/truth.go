package dataset

import (
	"context"
	"fmt"
	"os"
	"strings"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// noted tells of something wrong in a field of the record at hand.
type noted func(field, format string, args ...any)

// LoadTruth streams truth.jsonl of a dataset folder: for a coordinator only, and never through an index. No file is no truth. Lines that
// cannot be parsed are problems; whether the others belong to the cases, Set.Truth says. Faults: IO.
func LoadTruth(dir string) ([]review.Truth, []review.Problem, error) {
	return loadTruth(context.Background(), dir, func(*review.Truth, noted) bool { return true })
}

// Truth is LoadTruth for this dataset with every line checked against its case: what does not belong is left out, as its problem says.
func (s *Set) Truth(ctx context.Context) ([]review.Truth, []review.Problem, error) {
	switch {
	case s.isForeign():
		return s.foreignTruth(ctx)
	case s.format != Plumbline:
		return []review.Truth{}, []review.Problem{}, nil
	}
	var last review.Case
	seen := map[string]bool{}
	return loadTruth(ctx, s.root.dir, func(v *review.Truth, note noted) bool {
		if s.cases[v.Case] == nil {
			note("case", "case %s is not in this dataset", v.Case)
			return false
		}
		if last.ID != v.Case {
			c, err := s.Case(v.Case)
			if err != nil {
				note("case", "%v", err)
				return false
			}
			last = c
		}
		key := string(v.Case) + "\x00" + string(v.Question)
		if seen[key] {
			note("question", "the truth of question %s of case %s stands twice; the first is used", v.Question, v.Case)
			return false
		}
		seen[key] = true
		return mendTruth(v, last, s.cases[v.Case].frameCounts(), note)
	})
}

func loadTruth(ctx context.Context, dir string, check func(*review.Truth, noted) bool) ([]review.Truth, []review.Problem, error) {
	var t troubles
	out := []review.Truth{}
	err := eachRecord(ctx, dir, truthFile, &t, review.RestoreTruth, func(at record, v review.Truth) {
		note := func(field, format string, args ...any) { t.addf(v.Case, truthFile, at.Line, field, format, args...) }
		if check(&v, note) {
			out = append(out, v)
		}
	})
	if err != nil && !os.IsNotExist(err) {
		return nil, nil, fault.In("load truth", dir, err)
	}
	return out, plain(t.list()), nil
}

// mendTruth checks one truth against its case; gold that cannot be right becomes unknown, regions in no image are left out.
func mendTruth(v *review.Truth, of review.Case, frames map[review.ImageID]int, note noted) bool {
	asked := map[review.QuestionID]review.Question{}
	for _, q := range of.Questions {
		asked[q.ID] = q
	}
	q, known := asked[v.Question]
	if !known {
		note("question", "question %s is not asked in case %s", v.Question, of.ID)
		return false
	}
	if v.Gold != nil && !isOption(q, *v.Gold) {
		note("gold", "%q is no option of question %s in case %s; one of %s expected", short(*v.Gold), q.ID, of.ID, letters(q))
		v.Gold = nil
	}
	v.Evidence = mendRegions(v.Evidence, frames, "evidence", note)
	if with := v.Inserted; with != nil {
		if with.Gold != nil && !isOption(q, *with.Gold) {
			note("inserted.gold", "%q is no option of question %s in case %s; one of %s expected", short(*with.Gold), q.ID, of.ID, letters(q))
			with.Gold = nil
		}
		with.Evidence = mendRegions(with.Evidence, frames, "inserted.evidence", note)
	}
	if v.Side != "" && v.Side != "left" && v.Side != "right" && v.Side != "both" {
		note("side", "%q found; left, right or both expected", short(v.Side))
		v.Side = ""
	}
	kept := []review.Implication{}
	for i, m := range v.Implies {
		field := fmt.Sprintf("implies[%d]", i)
		from, known := asked[m.IfQuestion]
		switch {
		case !known || m.IfQuestion == v.Question:
			note(field+".if_question", "%q is no other question of case %s", short(string(m.IfQuestion)), of.ID)
		case !isOption(from, m.IfAnswer):
			note(field+".if_answer", "%q is no option of question %s", short(m.IfAnswer), from.ID)
		case !isOption(q, m.Answer):
			note(field+".answer", "%q is no option of question %s", short(m.Answer), q.ID)
		default:
			kept = append(kept, m)
		}
	}
	v.Implies = kept
	return true
}

func letters(q review.Question) string {
	var out []string
	for _, o := range q.Options {
		out = append(out, o.Letter)
	}
	return strings.Join(out, ", ")
}

// LoadOrigins streams chains/manifest.jsonl: which model and condition made each chain. For a coordinator only, and never through an index.
// No file is no origins. Faults: IO.
func LoadOrigins(dir string) ([]review.Origin, []review.Problem, error) {
	return loadOrigins(context.Background(), dir, func(review.Origin, noted) bool { return true })
}

// Origins is LoadOrigins for this dataset with every line checked against its chains: a line for a chain that is not there is left out, a
// chain without a line is a problem.
func (s *Set) Origins(ctx context.Context) ([]review.Origin, []review.Problem, error) {
	switch {
	case s.isForeign():
		return s.foreignOrigins(ctx)
	case s.format != Plumbline:
		return []review.Origin{}, []review.Problem{}, nil
	}
	known := map[review.ChainID]bool{}
	for _, list := range s.chains {
		for _, c := range list {
			known[c.ID] = true
		}
	}
	seen := map[review.ChainID]bool{}
	out, problems, err := loadOrigins(ctx, s.root.dir, func(o review.Origin, note noted) bool {
		switch {
		case !known[o.Chain]:
			note("chain", "chain %s is not in this dataset", o.Chain)
		case seen[o.Chain]:
			note("chain", "chain %s stands twice; the first line is used", o.Chain)
		default:
			seen[o.Chain] = true
			return true
		}
		return false
	})
	if n := len(known) - len(seen); err == nil && n > 0 {
		problems = append(problems, review.Problem{File: chainsFolder + "/" + originsFile, Field: "chain",
			Text: fmt.Sprintf("%d of %d chains have no line here; their model and condition are unknown", n, len(known))})
	}
	return out, problems, err
}

func loadOrigins(ctx context.Context, dir string, check func(review.Origin, noted) bool) ([]review.Origin, []review.Problem, error) {
	var t troubles
	out := []review.Origin{}
	file := chainsFolder + "/" + originsFile
	err := eachRecord(ctx, dir, file, &t, review.RestoreOrigin, func(at record, v review.Origin) {
		if check(v, func(field, format string, args ...any) { t.addf("", file, at.Line, field, format, args...) }) {
			out = append(out, v)
		}
	})
	if err != nil && !os.IsNotExist(err) {
		return nil, nil, fault.In("load origins", dir, err)
	}
	return out, plain(t.list()), nil
}
