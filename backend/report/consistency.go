package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"plumbline/backend/review"
	"plumbline/backend/stats"
)

// variants are what was answered to one question in several wordings or languages.
type variants struct {
	level, language string
	at              int // the item in its first wording
	said            []string
	paths           [][]string
	allRight        bool
	options         int
}

// levelOf names the level and the language of an arm that asks in other words.
func levelOf(c review.Condition) (level, language string, is bool) {
	switch {
	case c.Paraphrase != "":
		level, _, _ = strings.Cut(c.Paraphrase, ":")
		return level, c.Language, true
	case c.Language != "":
		return "language", c.Language, true
	}
	return "", "", false
}

// groupsOfWords gathers groups: arms that ask the same item in other words, and cases that were imported as one group.
func (s *set) groupsOfWords() []variants {
	var out []variants
	type key struct {
		level, language string
		at              int
	}
	found := map[key]*variants{}
	var order []key
	add := func(k key, member int, a *arm, word string) {
		v := found[k]
		if v == nil {
			v = &variants{level: k.level, language: k.language, at: k.at, allRight: true, options: len(s.items[k.at].q.Options)}
			found[k] = v
			order = append(order, k)
		}
		v.said, v.paths = append(v.said, word), append(v.paths, a.paths[member])
		v.allRight = v.allRight && s.right(member, a.said[member])
	}
	for _, a := range s.order {
		level, language, is := levelOf(a.condition)
		if !is || slices.ContainsFunc(a.condition.Differences(s.base.condition), func(field string) bool { return field != "paraphrase" && field != "language" }) {
			continue // something else is changed, too
		}
		s.asked(func(at int, it *item) {
			if a.said[at] == absent || !a.in(at) {
				return
			}
			k := key{level, language, at}
			if found[k] == nil {
				add(k, at, s.base, s.word(at, s.base.said[at]))
			}
			add(k, at, a, s.word(at, a.said[at]))
		})
	}
	firsts := s.imported()
	s.asked(func(at int, it *item) {
		first, is := firsts[it.in]
		if !is || first.ID == it.in {
			return
		}
		from, known := s.find(first.ID, it.q.ID)
		if !known || s.base.said[from] == absent {
			return
		}
		c := s.cases[it.in]
		k := key{cmp.Or(c.Level, "group"), c.Language, from}
		if found[k] == nil {
			add(k, from, s.base, s.optionWord(from, from))
		}
		add(k, at, s.base, s.optionWord(at, from))
	})
	for _, k := range order {
		out = append(out, *found[k])
	}
	return out
}

// imported gives the first case of the group that a case was imported in: the one without a level, or the first by name.
func (s *set) imported() map[review.CaseID]*review.Case {
	byGroup := map[string][]*review.Case{}
	for _, id := range slices.Sorted(maps.Keys(s.cases)) {
		if c := s.cases[id]; c.Group != "" {
			byGroup[c.Group] = append(byGroup[c.Group], c)
		}
	}
	out := map[review.CaseID]*review.Case{}
	for _, list := range byGroup {
		first := list[0]
		if i := slices.IndexFunc(list, func(c *review.Case) bool { return c.Level == "" }); i >= 0 {
			first = list[i]
		}
		for _, c := range list {
			out[c.ID] = first
		}
	}
	return out
}

// optionWord gives an answer as it can be compared with that to another wording: by its text where both have the same options in whatever
// order, else by its letter.
func (s *set) optionWord(at, with int) string {
	c := s.base.said[at]
	word := s.word(at, c)
	texts := func(q *review.Question) []string {
		var out []string
		for _, o := range q.Options {
			out = append(out, strings.ToLower(strings.TrimSpace(o.Text)))
		}
		slices.Sort(out)
		return out
	}
	if !c.answered() || len(s.items[at].q.Options) == 0 {
		return strings.ToLower(strings.TrimSpace(word))
	}
	same := slices.Equal(texts(s.items[at].q), texts(s.items[with].q))
	for _, o := range s.items[at].q.Options {
		if s.items[at].q.Same(o.Letter, word) {
			if same {
				return strings.ToLower(strings.TrimSpace(o.Text))
			}
			return strings.ToLower(o.Letter)
		}
	}
	return word
}

// counts says how often each answer was given.
func (v variants) counts() (out []float64) {
	n := map[string]float64{}
	for _, w := range v.said {
		n[w]++
	}
	for _, w := range slices.Sorted(maps.Keys(n)) {
		out = append(out, n[w])
	}
	return out
}

// consistency computes 34 to 36.
func (s *set) consistency() Consistency {
	out := Consistency{Levels: []ConsistencyLevel{}, Quadrants: []Count{}}
	if s.base == nil {
		out.Reason, out.Dangerous.Reason = noBase, noBase
		return out
	}
	groups := s.groupsOfWords()
	if len(groups) == 0 {
		out.Reason = "no question was asked in other words"
		out.Dangerous.Reason = out.Reason
		return out
	}
	out.Estimable = true
	byLevel := map[[2]string][]variants{}
	whole := map[int]bool{}
	for _, g := range groups {
		byLevel[[2]string{g.level, g.language}] = append(byLevel[[2]string{g.level, g.language}], g)
		before, met := whole[g.at]
		whole[g.at] = len(g.counts()) == 1 && (!met || before)
	}
	for _, k := range slices.SortedFunc(maps.Keys(byLevel), func(a, b [2]string) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }) {
		out.Levels = append(out.Levels, s.level(k[0], k[1], byLevel[k]))
	}
	s.quadrants(&out, whole)
	return out
}

// level computes 34 and 36 of one level.
func (s *set) level(level, language string, groups []variants) ConsistencyLevel {
	var pairs, all, modal, right, entropy, path rows
	take := func(r *rows, of *subject, e stats.Estimate) {
		if e.Estimable {
			r.add(of, e.Value)
		}
	}
	for _, g := range groups {
		of, counts := s.items[g.at].of, g.counts()
		take(&pairs, of, stats.PairAgreement(counts))
		take(&modal, of, stats.ModalShare(counts))
		take(&entropy, of, stats.Entropy(counts, max(g.options, len(counts))))
		all.add(of, bit(len(counts) == 1))
		if s.items[g.at].gold != absent {
			right.add(of, bit(len(counts) == 1 && g.allRight))
		}
		sum, n := 0.0, 0.0
		for i := range g.paths {
			for j := range i {
				if len(g.paths[i])+len(g.paths[j]) > 0 {
					sum, n = sum+stats.PathSimilarity(g.paths[i], g.paths[j]), n+1
				}
			}
		}
		if n > 0 {
			path.add(of, sum/n)
		}
	}
	c := s.counter
	const none = "no group"
	return ConsistencyLevel{level, language, len(groups), c.change(pairs, none), c.share(all, none), c.change(modal, none), c.share(right, "no group with a known right answer"),
		c.change(entropy, "no group with two options"), c.change(path, "no step says what kind of claim it is")}
}

func quadrantLabels() []string { return []string{"ideal", "fragile", "dangerous", "worst"} }

// quadrantOf names the quadrant of a question (35).
func quadrantOf(consistent, reliant bool) string {
	switch {
	case consistent && reliant:
		return "ideal"
	case reliant:
		return "fragile"
	case consistent:
		return "dangerous"
	}
	return "worst"
}

// reliantOn says whether an answer relies on the image (35): it changes without one, and not where nothing is changed.
func (s *set) reliantOn(at int) (reliant, ok bool) {
	none, _ := s.first("none", at)
	noop, _ := s.first("noop", at)
	if none == absent || noop == absent {
		return false, false
	}
	base := s.base.said[at]
	return none != base && noop == base, true
}

// quadrants pairs consistency with reliance on the image: a model that ignores the image is perfectly consistent.
func (s *set) quadrants(out *Consistency, consistent map[int]bool) {
	counts := tally{}
	var dangerous rows
	for _, at := range slices.Sorted(maps.Keys(consistent)) {
		if reliant, ok := s.reliantOn(at); ok {
			q := quadrantOf(consistent[at], reliant)
			counts.add(q)
			dangerous.add(s.items[at].of, bit(q == "dangerous"))
		}
	}
	out.Quadrants = counted(counts, quadrantLabels())
	out.Dangerous = s.counter.share(dangerous, s.missing("none", "noop"))
}
