package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"plumbline/backend/review"
)

// checklist answers what guidelines for reports on medical AI ask (CLAIM 2024, STARD-AI, DECIDE-AI), from what the study itself knows. What only
// its authors can know is named, and said to be theirs to write.
func (m *maker) checklist(models []Model) []Item {
	return []Item{
		{"Aim and design", "CLAIM: study design; STARD-AI: study design", []string{
			"Whether a model reasons from the image through the steps, or finds a shortcut at each: were the answers right (accuracy), and did the image carry them (grounding), by readers and by intervention.",
			"Fixed questions about stored images, asked in clinical stages; answers are recorded, judged step by step, and asked again under conditions that change one factor on purpose."}},
		{"Data", "CLAIM: data; STARD-AI: participants", m.dataItems()},
		{"Flow", "CLAIM: flow of participants; STARD-AI: flow of participants", m.flowItems()},
		{"Reference standard", "CLAIM: ground truth; STARD-AI: reference standard", m.referenceItems()},
		{"Models", "CLAIM: model; DECIDE-AI: AI system", m.modelItems()},
		{"Interventions", "CLAIM: evaluation, robustness; STARD-AI: index test", m.interventionItems(models)},
		{"Answers that cannot be used", "CLAIM: missing data; STARD-AI: indeterminate results", failureItems(models)},
		{"Readers", "STARD-AI: readers of the index test; DECIDE-AI: users", m.readerItems()},
		{"Training of readers", "DECIDE-AI: users and learning curves", m.trainingItems()},
		{"Blinding and order", "STARD-AI: test methods", m.protocolItems()},
		{"Analysis", "CLAIM: evaluation; STARD-AI: analysis", []string{
			fmt.Sprintf("Cluster bootstrap of %d resamples, seed %d; all definitions by their number in the list of definitions.", m.in.Resamples, m.in.Seed),
			"No sample size was calculated here: intervals, clusters and effective n say how much the data can tell.",
			"Program: Plumbline " + orNot(m.in.Version) + "; rubric " + m.in.Rubric.Name + " version " + m.in.Rubric.Version + "."}},
		{"Exclusions and deviations", "CLAIM: results; DECIDE-AI: modifications", m.excluded()},
		{"For the authors to state", "CLAIM: other information; STARD-AI: other information; DECIDE-AI: ethics", []string{
			"Not stated in the workspace: registration, ethics approval and consent, funding and interests, setting and dates of collection, selection of cases, who may have the data, intended use and what harm an error would do."}},
	}
}

// dataItems says what the data are.
func (m *maker) dataItems() []string {
	d := m.data()
	out := []string{
		"Data set: " + orNot(m.in.Dataset.Name) + ", version " + orNot(m.in.Dataset.Version) + "; source: " + orNot(m.in.Dataset.Source) + "; licence: " + orNot(m.in.Dataset.Licence.Name) + ".",
		fmt.Sprintf("%s, %s, %s (%d derived), %s; clusters by %s.", plural(d.Cases, "case"), plural(d.Patients, "patient"), plural(d.Images, "image"), d.Variants, plural(d.Clusters, "cluster"), orNot(m.in.Dataset.ClusterKey)),
		"Modalities: " + orNot(strings.Join(m.choices.Modalities, ", ")) + "; languages: " + orNot(strings.Join(m.choices.Languages, ", ")) + "; stages: " + orNot(m.stageNames()) + ".",
	}
	if m.in.Synthetic {
		out = append(out, "Synthetic: phantoms made by a program, of no person.")
	}
	return out
}

func (m *maker) stageNames() string {
	var out []string
	for _, s := range m.stages {
		out = append(out, stageName(s.k, s.name))
	}
	return strings.Join(out, ", ")
}

// flowItems says how far cases and readings went.
func (m *maker) flowItems() []string {
	d := m.data()
	assigned := 0
	for _, n := range m.said.assigned {
		assigned += n
	}
	out := []string{fmt.Sprintf("%s with %s, %d of them with a known right answer; %s.", plural(d.Cases, "case"), plural(d.Questions, "question"), d.Gold, plural(d.Chains, "chain"))}
	if m.said.dealt {
		out = append(out, fmt.Sprintf("%s assigned, %d signed, %d begun and not signed.", plural(assigned, "read"), d.Signed, d.Unsigned))
	} else {
		out = append(out, fmt.Sprintf("%s signed, %d begun and not signed; none was handed out.", plural(d.Signed, "read"), d.Unsigned))
	}
	return out
}

// referenceItems says what answers are compared with.
func (m *maker) referenceItems() []string {
	d := m.data()
	out := []string{fmt.Sprintf("%d of %d questions have a right answer that is known beforehand.", d.Gold, d.Questions)}
	local := 0
	for i := range m.table.items {
		if t := m.table.items[i].truth; t != nil && len(t.Evidence) > 0 {
			local++
		}
	}
	out = append(out, plural(local, "question")+" with a place of evidence that is known beforehand.")
	if n := len(m.said.final); n > 0 {
		out = append(out, plural(n, "step")+" with a final value by adjudication, by somebody who read none of the case; it stands beside the readers' labels and replaces none.")
	}
	return out
}

// interventionItems says what was changed on purpose, and how far that can be tested.
func (m *maker) interventionItems(models []Model) []string {
	names := map[string]bool{}
	for _, s := range m.sets {
		for _, a := range s.order {
			if s.known && a.condition.Name() != "original" {
				names[a.condition.Name()] = true
			}
		}
	}
	if len(names) == 0 {
		return []string{"None: every chain was made under the original condition, so that grounding by intervention is not estimable."}
	}
	out := []string{
		"Conditions beside the original: " + strings.Join(slices.Sorted(maps.Keys(names)), ", ") + ".",
		"Two conditions are compared only where one factor differs. Covered evidence is the union of a question's evidence regions; its control has the same shape, size and tissue, is clear of all evidence and changes as much; effects are net of it, and of asking again with nothing changed (the noise floor).",
	}
	for _, x := range models {
		if x.ImageReliance.Estimable {
			out = append(out, Entry(x)+": "+testable(x.ImageReliance.Testable)+".")
		}
	}
	return out
}

// failureItems says what became of answers that give none.
func failureItems(models []Model) (out []string) {
	for _, x := range models {
		say := []string{}
		for _, c := range x.Accuracy.Parse {
			if c.N > 0 {
				say = append(say, fmt.Sprintf("%s %d", said1(c.Label), c.N))
			}
		}
		out = append(out, Entry(x)+": "+cmp.Or(strings.Join(say, ", "), "no answer")+".")
	}
	return append(out, "An answer that is none counts as wrong in accuracy. Under an intervention refused and abstained answers count as changed; unreadable ones are left out, with the measure under both extremes beside it.")
}

func orNot(s string) string {
	if s == "" {
		return "not stated"
	}
	return s
}

// modelItems names the models exactly.
func (m *maker) modelItems() (out []string) {
	for _, s := range m.sets {
		say := s.info.Name
		for _, part := range [][2]string{{"revision ", s.info.Revision}, {"served by ", s.info.Provider}, {"profile ", s.info.Profile}} {
			if part[1] != "" {
				say += ", " + part[0] + part[1]
			}
		}
		if s.run == "" {
			say += "; chains that came with the study"
		} else {
			say += "; run " + strings.TrimPrefix(s.run, "run-")
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
