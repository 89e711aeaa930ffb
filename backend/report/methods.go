package report

import (
	"fmt"
	"maps"
	"slices"

	"plumbline/backend/review"
)

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
			"an answer that is missing, empty, unparsed, refused or abstained counts as wrong and is listed apart. Chain accuracy asks for every answer of a chain to be right, " +
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

// checklist answers what guidelines for reports on medical AI ask (CLAIM 2024, STARD-AI, DECIDE-AI), from what the study itself knows.
func (m *maker) checklist(sets []*set) []Item {
	d := m.data()
	source := m.in.Dataset.Source
	if source == "" {
		source = "not stated"
	}
	data := []string{"Source: " + source, fmt.Sprintf("%s, %s, %s (%d derived), %s; clusters by %s", plural(d.Cases, "case"), plural(d.Patients, "patient"), plural(d.Images, "image"), d.Variants, plural(d.Clusters, "cluster"), orNot(m.in.Dataset.ClusterKey)),
		"Licence: " + orNot(m.in.Dataset.Licence.Name)}
	if m.in.Synthetic {
		data = append(data, "Synthetic: phantoms made by a program, of no person.")
	}
	reference := []string{fmt.Sprintf("%d of %d questions have a right answer that is known beforehand.", d.Gold, d.Questions)}
	if n := len(m.said.final); n > 0 {
		reference = append(reference, plural(n, "step")+" with a final value by adjudication; it stands beside the readers' labels and replaces none.")
	}
	return []Item{
		{"Data", "CLAIM: data; STARD-AI: participants", data},
		{"Reference standard", "CLAIM: ground truth; STARD-AI: reference standard", reference},
		{"Models", "CLAIM: model; DECIDE-AI: AI system", modelItems(sets)},
		{"Readers", "STARD-AI: readers of the index test; DECIDE-AI: users", m.readerItems()},
		{"Training of readers", "DECIDE-AI: users and learning curves", m.trainingItems()},
		{"Blinding and order", "STARD-AI: test methods", m.protocolItems()},
		{"Analysis", "CLAIM: evaluation; STARD-AI: analysis", []string{
			fmt.Sprintf("Cluster bootstrap of %d resamples, seed %d; all definitions by their number in the table of definitions.", m.in.Resamples, m.in.Seed),
			"Program: Plumbline " + m.in.Version + "; rubric " + m.in.Rubric.Name + " version " + m.in.Rubric.Version + "."}},
		{"Exclusions and deviations", "CLAIM: results, flow of participants; DECIDE-AI: modifications", m.excluded()},
	}
}

func orNot(s string) string {
	if s == "" {
		return "not stated"
	}
	return s
}

func modelItems(sets []*set) (out []string) {
	for _, s := range sets {
		say := s.info.Name
		for _, part := range [][2]string{{"revision ", s.info.Revision}, {"served by ", s.info.Provider}, {"profile ", s.info.Profile}} {
			if part[1] != "" {
				say += ", " + part[0] + part[1]
			}
		}
		if s.run == "" {
			say += "; chains that came with the study"
		} else {
			say += "; run " + s.run
		}
		out = append(out, fmt.Sprintf("%s; %s; seeds %v, temperatures %v", say, plural(len(s.order), "condition"), slices.Sorted(maps.Keys(s.seeds)), slices.Sorted(maps.Keys(s.heat))))
	}
	if len(out) == 0 {
		out = append(out, "none")
	}
	return out
}

// readerItems describes readers by code.
func (m *maker) readerItems() (out []string) {
	for _, r := range m.in.Protocol.Readers {
		say := fmt.Sprintf("%s (%s): specialty %s", r.Code, r.Role, orNot(r.Specialty))
		if r.Years > 0 {
			say += fmt.Sprintf(", %g years of experience", r.Years)
		}
		out = append(out, say)
	}
	for _, id := range m.said.readers {
		if !slices.ContainsFunc(m.in.Protocol.Readers, func(r review.ProtocolReader) bool { return r.Code == id }) {
			out = append(out, string(id)+": specialty and years not stated")
		}
	}
	if len(out) == 0 {
		out = append(out, "nobody has read")
	}
	return out
}

func (m *maker) trainingItems() []string {
	if len(m.in.Training) == 0 {
		return []string{"No training cases."}
	}
	say := plural(len(m.in.Training), "training case") + ", read first and counted in no number"
	if p := m.in.Protocol.TrainingPass; p > 0 {
		say += fmt.Sprintf("; %.0f %% of the expected answers open the worklist", 100*p)
	}
	return []string{say + "."}
}

func (m *maker) protocolItems() []string {
	p := m.in.Protocol
	out := []string{"Readers saw neither right answers, nor other readers, nor which model under which condition wrote a chain, until they had signed. They answered each question from the images before any chain was shown."}
	if p.Schema == "" {
		return append(out, "No protocol was set: everybody could read every case.")
	}
	out = append(out, fmt.Sprintf("Protocol %q: design %s, %s with at least %s between them.", p.Name, orNot(string(p.Design)), plural(max(1, p.Sessions), "session"), plural(p.WashoutDays, "day")))
	if p.Repeats != nil {
		out = append(out, fmt.Sprintf("%.0f %% hidden repeats.", 100*p.Repeats.Share))
	}
	return out
}

// excluded repeats the notes, since they say what was left out and what was not as planned.
func (m *maker) excluded() []string {
	if len(m.notes) == 0 {
		return []string{"None."}
	}
	return m.notes
}
