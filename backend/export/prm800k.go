package export

import (
	"strings"

	"plumbline/backend/review"
)

// The record of PRM800K, field by field as its authors publish it.
type prmRecord struct {
	Labeler    string      `json:"labeler"`
	Timestamp  string      `json:"timestamp"`
	Generation *int        `json:"generation"`
	Quality    bool        `json:"is_quality_control_question"`
	Screening  bool        `json:"is_initial_screening_question"`
	Question   prmQuestion `json:"question"`
	Label      prmLabel    `json:"label"`
}

type prmQuestion struct {
	Problem string   `json:"problem"`
	Gold    string   `json:"ground_truth_answer"`
	Steps   []string `json:"pre_generated_steps"`
	Answer  string   `json:"pre_generated_answer"`
}

type prmLabel struct {
	Steps  []prmStep `json:"steps"`
	TimeMS int64     `json:"total_time"`
	Finish string    `json:"finish_reason"`
}

type prmStep struct {
	Completions []prmCompletion `json:"completions"`
	Human       *prmHuman       `json:"human_completion"`
	Chosen      *int            `json:"chosen_completion"`
}

type prmCompletion struct {
	Text    string `json:"text"`
	Rating  int    `json:"rating"` // -1, 0, 1
	Flagged bool   `json:"flagged"`
}

// prmHuman is what a person wrote in place of a step.
type prmHuman struct {
	Text      string `json:"text"`
	Rating    *int   `json:"rating"`
	Source    string `json:"source"`
	Flagged   bool   `json:"flagged"`
	Corrected *int   `json:"corrected_rating"`
}

// prm800k writes a chain as PRM800K does: up to the first step that is wrong.
func (s *samples) prm800k(c *Case, f from, p rewarded) error {
	rec := prmRecord{
		Labeler: strings.Join(f.Label.Readers, "+"), Question: prmQuestion{p.problem, p.gold, p.all, p.answer},
		Label: prmLabel{Steps: []prmStep{}, Finish: "solution"},
	}
	if p.cut {
		rec.Label.Finish = "give_up"
	}
	for i, text := range p.steps {
		step := prmStep{Completions: []prmCompletion{{Text: text, Rating: p.rewards[i]}}}
		for _, own := range c.owns(p.chain.ID, p.ids[i]) {
			if own.Body.OwnAnswer.Text != "" {
				step.Human = &prmHuman{Text: own.Body.OwnAnswer.Text, Source: "human"}
				break
			}
		}
		if p.rewards[i] >= 0 {
			step.Chosen = new(int)
		}
		rec.Label.Steps = append(rec.Label.Steps, step)
		if p.rewards[i] < 0 {
			rec.Label.Finish = "found_error"
			break
		}
	}
	rec.Timestamp, rec.Label.TimeMS = c.spentOn(p.chain.ID)
	return s.row("prm800k.jsonl", c, f, rec)
}

// spentOn gives when a chain was last rated, without a zone as PRM800K writes it (it is UTC), and the active time spent on its steps.
func (c *Case) spentOn(chain review.ChainID) (last string, ms int64) {
	for _, s := range c.Said {
		if s.Counts && s.Chain == chain && s.Body.Rating != nil {
			last, ms = max(last, s.At), ms+s.ActiveMS
		}
	}
	for _, e := range c.Final {
		if e.Chain == chain {
			last = max(last, e.At)
		}
	}
	last, _, _ = strings.Cut(strings.TrimSuffix(last, "Z"), ".")
	return last, ms
}
