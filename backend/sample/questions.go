package sample

import (
	"fmt"
	"math/rand/v2"

	"plumbline/backend/phantom"
	"plumbline/backend/review"
)

// pack is one of the two wordings of the questions.
type pack int

const (
	packA pack = iota // six questions, the last one asks for the next step
	packB             // five questions, the last one asks for the impression
)

// The four stages, and the categories that the questions use.
var stagePack = review.StagePack{Stages: []review.Stage{
	{K: 1, Name: "S1 Technique", Categories: []string{"modality", "contrast"}},
	{K: 2, Name: "S2 Anatomy & location", Categories: []string{"laterality", "sub-region"}},
	{K: 3, Name: "S3 Findings", Categories: []string{"presence", "size"}},
	{K: 4, Name: "S4 Impression", Categories: []string{"diagnosis", "next test"}},
}}

// choice is an option with what it means; the meaning never leaves this package.
type choice struct{ means, text string }

// topic is what a question asks about.
type topic struct {
	id       review.QuestionID
	k        int
	category string
	parents  []review.QuestionID
	text     [2]string // by pack
	choices  [2][]choice
}

const nothing = "none"

var technique = []choice{
	{"plain", "Axial CT without intravenous contrast"}, {"contrast", "Axial CT with intravenous contrast"},
	{"film", "Frontal radiograph"}, {"mr", "Axial MR"},
}

var sides = []choice{{"right", "Right"}, {"left", "Left"}, {nothing, "Neither side: nothing abnormal"}}

var places = []choice{
	{"upper", "Upper lobe of the lung"}, {"lower", "Lower lobe of the lung"}, {"dependent", "Pleural space, dependent part"},
	{"free", "Pleural space, non-dependent part"}, {nothing, "Nowhere: nothing abnormal"},
}

var findings = []choice{
	{"nodule", "Pulmonary nodule"}, {"effusion", "Pleural effusion"}, {"pneumothorax", "Pneumothorax"},
	{"consolidation", "Consolidation"}, {nothing, "No abnormal finding"},
}

var sizes = []choice{{"small", "Under 15 mm"}, {"middle", "15 to 30 mm"}, {"large", "Over 30 mm"}, {nothing, "Nothing to measure"}}

var nextSteps = []choice{
	{"nodule right", "Work-up of the nodule in the right lung"}, {"nodule left", "Work-up of the nodule in the left lung"},
	{"effusion right", "Aspiration of the effusion on the right"}, {"effusion left", "Aspiration of the effusion on the left"},
	{"pneumothorax right", "Drainage of the pneumothorax on the right"}, {"pneumothorax left", "Drainage of the pneumothorax on the left"},
	{nothing, "No further step"},
}

var impressions = []choice{
	{"nodule right", "Nodule of the right lung"}, {"nodule left", "Nodule of the left lung"},
	{"effusion right", "Right pleural effusion"}, {"effusion left", "Left pleural effusion"},
	{"pneumothorax right", "Right pneumothorax"}, {"pneumothorax left", "Left pneumothorax"},
	{nothing, "Normal chest"},
}

// topics are the questions in stage order.
var topics = []topic{
	{"q1", 1, "modality", nil,
		[2]string{"How were these images made?", "Which examination is this?"}, [2][]choice{technique, technique}},
	{"q2", 2, "laterality", []review.QuestionID{"q1"},
		[2]string{"On which side is the main abnormality?", "Which side of the chest is abnormal?"}, [2][]choice{sides, sides}},
	{"q3", 2, "sub-region", []review.QuestionID{"q2"},
		[2]string{"Where does the main abnormality lie?", "In which part of that side is the abnormality?"}, [2][]choice{places, places}},
	{"q4", 3, "presence", []review.QuestionID{"q2", "q3"},
		[2]string{"Which finding is it?", "What does the abnormality consist of?"}, [2][]choice{findings, findings}},
	{"q5", 3, "size", []review.QuestionID{"q4"},
		[2]string{"How large is it (greatest diameter; of fluid or air, greatest depth from front to back)?", ""}, [2][]choice{sizes, nil}},
	{"q6", 4, "", []review.QuestionID{"q2", "q4"},
		[2]string{"What is the best next step?", "What is the impression?"}, [2][]choice{nextSteps, impressions}},
}

// asked is a question of a case with the meaning of each of its letters.
type asked struct {
	review.Question
	means map[string]string // letter → meaning
}

// letter finds the option of a meaning; "" where the question has none.
func (a *asked) letter(means string) string {
	for _, o := range a.Options {
		if a.means[o.Letter] == means {
			return o.Letter
		}
	}
	return ""
}

// questions gives the questions of a case; the order of options is drawn for each, so that no letter is the likelier one.
func (p planned) questions(seed int64) []asked {
	var list []asked
	for _, t := range topics {
		choices := t.choices[p.pack]
		if choices == nil {
			continue
		}
		r := rand.New(rand.NewPCG(number(seed, "options", p.id, t.id), 0))
		a := asked{means: map[string]string{}}
		a.Question = review.Question{
			ID: t.id, K: t.k, Stage: stagePack.Stages[t.k-1].Name, Category: t.category, Text: t.text[p.pack], Parents: append([]review.QuestionID{}, t.parents...),
		}
		if t.k == 4 {
			a.Category = []string{"next test", "diagnosis"}[p.pack]
		}
		for i, k := range r.Perm(len(choices)) {
			letter := string(rune('A' + i))
			a.Options = append(a.Options, review.Option{Letter: letter, Text: choices[k].text})
			a.means[letter] = choices[k].means
		}
		list = append(list, a)
	}
	return list
}

// gold gives the meaning of the right answer to a question.
func (e *exam) gold(q review.QuestionID) string {
	f, present := e.finding()
	if q == "q1" {
		switch {
		case e.film:
			return "film"
		case e.scene.Contrast:
			return "contrast"
		}
		return "plain"
	}
	if !present {
		return nothing
	}
	switch q {
	case "q2":
		return string(f.Side)
	case "q3":
		return placeOf(f)
	case "q4":
		return string(f.Kind)
	case "q5":
		switch {
		case f.SizeMM < 15:
			return "small"
		case f.SizeMM <= 30:
			return "middle"
		}
		return "large"
	}
	return fmt.Sprintf("%s %s", f.Kind, f.Side)
}

func placeOf(f phantom.Finding) string {
	switch f.Kind {
	case phantom.Effusion:
		return "dependent"
	case phantom.Pneumothorax:
		return "free"
	}
	return string(f.Lobe)
}

// findingAt says which finding an answer about the place stands for.
var findingAt = map[string]string{
	"upper": "nodule", "lower": "nodule", "dependent": "effusion", "free": "pneumothorax", nothing: nothing,
}

// implied gives the answer to q that follows from one other answer to an earlier question while the rest stays right; "" where nothing
// follows.
func (e *exam) implied(q, earlier review.QuestionID, means string) string {
	f, present := e.finding()
	if !present { // one wrong answer does not say which side or which finding
		return ""
	}
	switch {
	case means == nothing && earlier != "q1":
		return nothing
	case q == "q4" && earlier == "q3":
		return findingAt[means]
	case q == "q6" && earlier == "q2":
		return fmt.Sprintf("%s %s", f.Kind, means)
	case q == "q6" && earlier == "q3":
		return fmt.Sprintf("%s %s", findingAt[means], f.Side)
	case q == "q6" && earlier == "q4":
		return fmt.Sprintf("%s %s", means, f.Side)
	}
	return ""
}

// implications lists what wrong earlier answers would make of question i.
func (e *exam) implications(list []asked, i int) []review.Implication {
	found := []review.Implication{}
	gold := e.gold(list[i].ID)
	for _, before := range list[:i] {
		for _, o := range before.Options {
			means := before.means[o.Letter]
			if means == e.gold(before.ID) {
				continue
			}
			answer := e.implied(list[i].ID, before.ID, means)
			if letter := list[i].letter(answer); answer != "" && answer != gold && letter != "" {
				found = append(found, review.Implication{IfQuestion: before.ID, IfAnswer: o.Letter, Answer: letter})
			}
		}
	}
	return found
}

// truth gives the lines of truth.jsonl for one case; where holds what the finding changes in the exam, as a region.
func (p planned) truth(list []asked, where *review.Region) []review.Truth {
	var lines []review.Truth
	f, present := p.exam.finding()
	for i := range list {
		q := &list[i]
		letter := q.letter(p.exam.gold(q.ID))
		t := review.Truth{
			Schema: review.TruthSchema, Case: review.CaseID(p.id), Question: q.ID, Gold: &letter,
			Evidence: []review.Region{}, Implies: p.exam.implications(list, i),
		}
		if q.K == 1 {
			t.Evidence = []review.Region{{ID: "e1", Image: imageID, Shape: review.WholeImage, Coords: []float64{}}}
		} else {
			t.Present, t.Expectation = &present, "invariant"
			if present {
				t.Evidence, t.Side = []review.Region{*where}, string(f.Side)
			}
		}
		lines = append(lines, t)
	}
	return lines
}
