package report

import "fmt"

// explain writes what was left out.
func (m *maker) explain() {
	d := m.data()
	add := func(format string, args ...any) { m.notes = append(m.notes, fmt.Sprintf(format, args...)) }
	if f := m.in.Filter; !f.all() {
		add("Narrowed: only %s. Numbers of whole chains are not narrowed by stage or category.", f.words())
	}
	switch {
	case d.Cases == 0:
		add("The study holds no case.")
	case d.Chains == 0:
		add("There is no chain: nothing can be said of a model.")
	}
	if d.Questions > 0 && d.Gold < d.Questions {
		add("%d of %d questions have no known right answer and count in no accuracy.", d.Questions-d.Gold, d.Questions)
	}
	if d.Signed == 0 {
		add("No reading is signed: grounding by readers cannot be estimated.")
	}
	if m.said.unsigned > 0 {
		add("%s begun and not signed; only signed readings count.", plural(m.said.unsigned, "reading"))
	}
	if m.said.conflicts > 0 {
		add("%s given on two machines at once; the later one counts, both are in the ledger.", plural(m.said.conflicts, "answer"))
	}
	if m.said.again > 0 {
		add("%s in repeated reads and later sessions left out: of each reader the first read counts.", plural(m.said.again, "answer"))
	}
	if m.said.practice > 0 {
		add("%s in training cases left out.", plural(m.said.practice, "answer"))
	}
	if m.said.other > 0 {
		add("%s under another rubric than %s version %s left out.", plural(m.said.other, "rating"), m.in.Rubric.Name, m.in.Rubric.Version)
	}
	if m.strays() > 0 {
		add("%s about another version of a chain, or about a step that is not in it, left out.", plural(m.strays(), "rating"))
	}
	if m.said.unblinded > 0 {
		add("%s in which something was said after the reader saw what is hidden from readers.", plural(m.said.unblinded, "read"))
	}
	if m.said.changed > 0 {
		add("%s changed after signing, each with a reason in the ledger; the last revision counts.", plural(m.said.changed, "answer"))
	}
	if key := m.in.Dataset.ClusterKey; key != "" && key != "patient" && d.Cases > 0 {
		add("Identity goes as far as the %s: independence of patients cannot be verified.", key)
	}
}

// strays counts ratings that belong to no step of a chain as it is now.
func (m *maker) strays() int {
	n := 0
	for _, e := range m.said.ratings {
		h := m.heard[e.Chain]
		found := h != nil && sameChain(e, h)
		if found {
			_, found = h.steps[e.Body.Rating.Step]
		}
		if !found {
			n++
		}
	}
	return n
}

// methods says how the numbers were made.
func (m *maker) methods() []string {
	return []string{
		"Accuracy and grounding are two things and are nowhere blended. Accuracy compares a chain's answers with the known right answers, stage by stage; " +
			"an answer that is missing, empty, unparsed, refused or abstained counts as wrong and is listed apart. A question that a condition does not ask is not counted: one for which it could not be made, whose reasoning it " +
			"could not alter, or that stands before an expert's correction. Chain accuracy asks for every answer of a chain to be right, " +
			"prefix survival for every answer up to a stage; lift is chain accuracy over the product of the stage accuracies; the final answer is right with a wrong chain " +
			"where at least one earlier stage is wrong.",
		"Grounding by readers is the share of step ratings (GRD v1) that are supported (strict), or supported or partly (lenient). One row is one rating of one step by one reader; " +
			"not visual and cannot assess are not counted. Right for the wrong reason is the share of right answers on which a reader gave at least one step a support of unsupported or contradicted. " +
			"Labels are those of signed readings before any adjudication, in the last revision of each; replaced answers stay in the ledger.",
		fmt.Sprintf("Rows are not independent. A cluster is a connected component of cases over patient, study, volume or series, and identical images. "+
			"The design effect is 1 + (Σm²/Σm − 1)·ICC(1) for means, and the variance by cluster over that by row, at least 1, for other numbers; n eff = n / design effect. "+
			"Intervals are of 95 %%: under 10 clusters none; with 10 to 19 clusters t with G − 1 degrees of freedom on the clustered standard error, on the logit scale for proportions; "+
			"a proportion of 0 or 1 has a Wilson interval at n eff; otherwise the percentiles of %d cluster bootstraps with seed %d. Readers are taken as fixed.", m.in.Resamples, m.in.Seed),
		"Agreement compares signed first reads as they stood before adjudication; what cannot be judged from the image is missing. Items counts those that two readers or more answered, " +
			"of all that anybody answered; same is the share of pairs of readers with the same answer; the headline is Krippendorff's alpha on the scale of the question, or for regions the mean IoU, " +
			"with an interval by cluster bootstrap. Cohen's kappa (unweighted, and quadratic where levels have an order) is of two readers, Fleiss' kappa of items that all readers answered, " +
			"Gwet's AC1 stands beside kappa since kappa falls where one answer is much more common. All levels of the rubric count, also unused ones.",
	}
}
