package export

import (
	"context"
	"strings"

	"plumbline/backend/review"
)

// rewardFormats are those with a judgement on each step, and those that go with boxes.
func rewardFormats() []Format {
	open := func(begin func(*samples) writer) func(*job) (writer, error) {
		return func(j *job) (writer, error) { return begin(newSamples(j)), nil }
	}
	train := func(name, title, file string, fields []string, begin func(*samples) writer) Format {
		return Format{Name: name, Title: title, For: "training", Split: true, Labels: true, Prompts: name != "schain" && name != "gemex", Files: []Shape{{file, fields}}, begin: open(begin)}
	}
	kto := train("llamafactory-kto", "judged steps (KTO) for LLaMA-Factory", "kto.PART.json", []string{"conversations[{from,value}]", "kto_tag", "images[path]"},
		func(s *samples) writer { return &judged{samples: s, write: s.llamaKTO, done: s.llamaInfo} })
	kto.Files = append(kto.Files, Shape{"dataset_info.json", []string{"NAME{file_name,formatting,columns}"}})
	return []Format{
		kto,
		train("trl-kto", "judged steps (KTO) for TRL", "kto.PART.jsonl", []string{"images[path]", "prompt[{role,content}]", "completion[{role,content}]", "label"},
			func(s *samples) writer { return &judged{samples: s, write: s.trlKTO} }),
		train("trl-prm", "judged steps in a row (process reward) for TRL", "prm.PART.jsonl", []string{"prompt", "completions[text]", "labels[bool]"},
			func(s *samples) writer { return &process{s, s.trlPRM} }),
		train("prm800k", "judged steps in a row as PRM800K", "prm800k.PART.jsonl",
			[]string{"labeler", "timestamp", "generation", "is_quality_control_question", "is_initial_screening_question", "question{problem,ground_truth_answer,…}", "label{steps,total_time,finish_reason}"},
			func(s *samples) writer { return &process{s, s.prm800k} }),
		train("schain", "S-Chain: chains with visual evidence (SV-CoT)", "svcot.PART.jsonl", []string{"image_path", "question", "answer", "sv_cot[{step_text,evidence_bbox[x,y,w,h]}]", "language"},
			func(s *samples) writer { return &visual{s} }),
		train("gemex", "GEMeX: answers with locations", "gemex.PART.json", []string{"conversations[{from,value}]", "row_id", "q_type", "type_prompt", "image"},
			func(s *samples) writer { return &located{s, s.gemex} }),
		train("roi-sft", "answers with regions of interest (MedLVR style)", "roi.PART.jsonl", []string{"image", "question", "answer", "roi[[x0,y0,x1,y1]]"},
			func(s *samples) writer { return &located{s, s.roi} }),
	}
}

// judged writes every step with a label by itself: whether it is wanted.
type judged struct {
	*samples
	write func(ctx context.Context, c *Case, f from, prompt, step string, wanted bool) error
	done  func() error
}

func (w *judged) add(ctx context.Context, c *Case) error {
	if w.partOf(c) == "" {
		return w.counts.left(unitCases, string(c.ID), notListed)
	}
	rows := 0
	for _, x := range c.labelledSteps(w.Labels) {
		id := string(x.chain.ID) + "/" + string(x.step.ID)
		v, rated := reward(x.rating.Support)
		why := x.why
		switch {
		case why == "" && !rated:
			why = noGrade
		case why == "" && v == 0:
			why = "partly: neither wanted nor unwanted"
		}
		if why != "" {
			if err := w.counts.left(unitAllSteps, id, why); err != nil {
				return err
			}
			continue
		}
		rows++
		w.counts.wrote(unitAllSteps, 1)
		f := from{Chain: x.chain.ID, Question: x.answer.Question, Step: x.step.ID, Label: x.label}
		if err := w.write(ctx, c, f, x.prompt, *x.step.Text, v > 0); err != nil {
			return err
		}
	}
	return w.tallied(c, rows, noSettledStep)
}

const (
	unitAllSteps  = "steps in words"
	unitChains    = "chains"
	noSettledStep = "no step with a settled label"
)

func (w *judged) end(context.Context) error {
	if err := w.close(); err != nil {
		return err
	}
	if w.done == nil {
		return nil
	}
	return w.done()
}

func (s *samples) llamaKTO(ctx context.Context, c *Case, f from, prompt, step string, wanted bool) error {
	images, err := s.images(ctx, c)
	if err != nil {
		return err
	}
	return s.row("kto.json", c, f, struct {
		Conversations []shareTurn `json:"conversations"`
		Tag           bool        `json:"kto_tag"`
		Images        []string    `json:"images"`
	}{[]shareTurn{{"human", imageTags(len(images)) + prompt}, {"gpt", step}}, wanted, images})
}

func (s *samples) trlKTO(ctx context.Context, c *Case, f from, prompt, step string, wanted bool) error {
	images, err := s.images(ctx, c)
	if err != nil {
		return err
	}
	return s.row("kto.jsonl", c, f, struct {
		Images     []string  `json:"images"`
		Prompt     []content `json:"prompt"`
		Completion []content `json:"completion"`
		Label      bool      `json:"label"`
	}{images, []content{user(prompt, len(images))}, []content{assistant(step)}, wanted})
}

// process writes chains with a judgement on each step, up to the first step that has none.
type process struct {
	*samples
	write func(c *Case, f from, p rewarded) error
}

// rewarded is a chain as far as its steps are judged.
type rewarded struct {
	chain   Chain
	problem string
	gold    string // the right answer to the last question; "" where it is not known
	answer  string // the chain's own
	all     []string
	steps   []string
	rewards []int
	ids     []review.StepID
	cut     bool // there are steps after those that are judged
}

func (w *process) add(_ context.Context, c *Case) error {
	if w.partOf(c) == "" {
		return w.counts.left(unitCases, string(c.ID), notListed)
	}
	rows := 0
	for _, chain := range c.Chains {
		p, label, why := c.rewarded(chain, w.Labels)
		if why != "" {
			if err := w.counts.left(unitChains, string(chain.ID), why); err != nil {
				return err
			}
			continue
		}
		rows++
		w.counts.wrote(unitChains, 1)
		if p.cut {
			w.note("chains cut before the first step without a judgement")
		}
		if err := w.write(c, from{Chain: chain.ID, Label: label}, p); err != nil {
			return err
		}
	}
	return w.tallied(c, rows, noSettledStep)
}

func (w *process) end(context.Context) error { return w.close() }

// rewarded gives the judged steps of a chain; why says why there are none.
func (c *Case) rewarded(chain Chain, which Labels) (p rewarded, l Label, why string) {
	asked := c.asked()
	var problems []string
	for _, q := range asked {
		problems = append(problems, c.asking(q))
	}
	p = rewarded{chain: chain, problem: strings.Join(problems, "\n")}
	if len(asked) > 0 {
		last := asked[len(asked)-1]
		_, p.gold, _ = c.gold(last)
		if a, there := chain.answer(last.ID); there && a.Answer != nil {
			p.answer = c.answering(last, *a.Answer)
		}
	}
	for _, q := range asked {
		a, _ := chain.answer(q.ID)
		for _, s := range a.Steps {
			text := ""
			if s.Text != nil {
				text = *s.Text
			}
			p.all = append(p.all, text)
			if p.cut {
				continue
			}
			r, label, missing := c.stepLabel(chain.Chain, s.ID, which)
			v, rated := reward(r.Support)
			switch {
			case s.Text == nil:
				missing = "a latent step stands first"
			case missing == "" && !rated:
				missing = noGrade
			}
			if missing != "" {
				p.cut = true
				if why == "" {
					why = missing
				}
				continue
			}
			p.steps, p.rewards, p.ids = append(p.steps, text), append(p.rewards, v), append(p.ids, s.ID)
			if l.From != fromAdjudicated {
				l = label
			}
		}
	}
	switch {
	case len(p.steps) > 0:
		return p, l, ""
	case why == "":
		why = "no step"
	}
	return p, l, why
}

// trlPRM writes a chain as TRL's PRMTrainer takes it: text alone, a step is right where it is supported.
func (s *samples) trlPRM(c *Case, f from, p rewarded) error {
	labels := make([]bool, len(p.rewards))
	for i, v := range p.rewards {
		labels[i] = v > 0
	}
	return s.row("prm.jsonl", c, f, struct {
		Prompt      string   `json:"prompt"`
		Completions []string `json:"completions"`
		Labels      []bool   `json:"labels"`
	}{p.problem, p.steps, labels})
}
