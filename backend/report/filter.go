package report

import (
	"fmt"
	"slices"
	"strings"

	"plumbline/backend/review"
)

// A Filter says what a report is about; an empty list lets everything in. Stages and categories choose questions: numbers of whole chains are
// not changed by them. Of conditions the original always stays, since the others are compared with it.
type Filter struct {
	Stages     []int    `json:"stages"`
	Categories []string `json:"categories"`
	Modalities []string `json:"modalities"`
	Languages  []string `json:"languages"`
	Models     []string `json:"models"`
	Conditions []string `json:"conditions"`
	Readers    []string `json:"readers"`
}

// filled gives a filter without null lists.
func (f Filter) filled() Filter {
	if f.Stages == nil {
		f.Stages = []int{}
	}
	for _, l := range []*[]string{&f.Categories, &f.Modalities, &f.Languages, &f.Models, &f.Conditions, &f.Readers} {
		if *l == nil {
			*l = []string{}
		}
	}
	return f
}

// all says whether nothing is left out.
func (f Filter) all() bool {
	return len(f.Stages)+len(f.Categories)+len(f.Modalities)+len(f.Languages)+len(f.Models)+len(f.Conditions)+len(f.Readers) == 0
}

// words says what is left in.
func (f Filter) words() string {
	var out []string
	if len(f.Stages) > 0 {
		out = append(out, "stage "+strings.Trim(fmt.Sprint(f.Stages), "[]"))
	}
	for _, l := range []struct {
		name string
		list []string
	}{{"category", f.Categories}, {"modality", f.Modalities}, {"language", f.Languages}, {"model", f.Models}, {"condition", f.Conditions}, {"reader", f.Readers}} {
		if len(l.list) > 0 {
			out = append(out, l.name+" "+strings.Join(l.list, ", "))
		}
	}
	return strings.Join(out, "; ")
}

// choices lists what a study could be filtered by, but for models and conditions, which its chains name.
func choices(in Input) Filter {
	var f Filter
	add := func(list *[]string, v string) {
		if v != "" && !slices.Contains(*list, v) {
			*list = append(*list, v)
		}
	}
	for _, c := range in.Cases {
		add(&f.Languages, c.Language)
		for _, m := range c.Images {
			add(&f.Modalities, m.Modality)
		}
		for _, q := range c.Questions {
			add(&f.Categories, q.Category)
			if !slices.Contains(f.Stages, q.K) {
				f.Stages = append(f.Stages, q.K)
			}
		}
	}
	for _, e := range in.Events {
		if e.Body.Look != nil || e.Body.Rating != nil || e.Body.ChainRating != nil {
			add(&f.Readers, string(e.Reader))
		}
	}
	return f
}

// sorted gives a filter in order, without null lists.
func (f Filter) sorted() Filter {
	slices.Sort(f.Stages)
	for _, l := range []*[]string{&f.Categories, &f.Modalities, &f.Languages, &f.Models, &f.Conditions, &f.Readers} {
		slices.Sort(*l)
	}
	return f.filled()
}

func passes[T comparable](list []T, v T) bool { return len(list) == 0 || slices.Contains(list, v) }

// keeps says whether a question passes.
func (f Filter) keeps(q review.Question) bool {
	return passes(f.Stages, q.K) && passes(f.Categories, q.Category)
}

// lets says whether a chain passes by what made it.
func (f Filter) lets(o *review.Origin, condition string) bool {
	return passes(f.Models, o.Model.Name) && (condition == "original" || passes(f.Conditions, condition))
}

// apply leaves out of the input what does not pass. Questions are left out later, since others may build on them, and chains when they come.
func (f Filter) apply(in Input) Input {
	if f.all() {
		return in
	}
	in.Cases = slices.DeleteFunc(slices.Clone(in.Cases), func(c review.Case) bool {
		shown := slices.ContainsFunc(c.Images, func(m review.Image) bool { return slices.Contains(f.Modalities, m.Modality) })
		return len(f.Modalities) > 0 && !shown || !passes(f.Languages, c.Language)
	})
	kept := make(map[review.CaseID]bool, len(in.Cases))
	for _, c := range in.Cases {
		kept[c.ID] = true
	}
	in.Events = slices.DeleteFunc(slices.Clone(in.Events), func(e review.Event) bool {
		return e.Case != "" && !kept[e.Case] || e.Kind != review.KindAssign && e.Kind != review.KindAdjudication && !passes(f.Readers, string(e.Reader))
	})
	return in
}

// unknownName stands for a model and a condition that nothing is known of.
const unknownName = "unknown"
