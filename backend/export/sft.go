package export

import (
	"context"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// trainingFormats are those with conversations and pairs.
func trainingFormats() []Format {
	open := func(begin func(*samples) writer) func(*job) (writer, error) {
		return func(j *job) (writer, error) { return begin(newSamples(j)), nil }
	}
	llama := []string{"messages[{role,content}]", "images[path]"}
	share := []string{"conversations[{from,value}]", "images[path]"}
	trl := []string{"images[path]", "messages[{role,content[{type,text}]}]"}
	last := []string{"images[path]", "prompt[{role,content[{type,text}]}]", "completion[{role,content[{type,text}]}]"}
	return []Format{
		{Name: "llamafactory-sft", Title: "stepwise fine-tuning for LLaMA-Factory (OpenAI messages)", For: "training", Split: true, Labels: true, Prompts: true, Files: []Shape{
			{"sft_a.PART.json", llama}, {"sft_b.PART.json", llama}, {"sft_c.PART.json", llama}, {"dataset_info.json", []string{"NAME{file_name,formatting,columns,tags}"}},
		}, begin: open(func(s *samples) writer { return &stepwise{samples: s, write: s.llamaSFT, done: s.llamaInfo} })},
		{Name: "llamafactory-sharegpt", Title: "stepwise fine-tuning for LLaMA-Factory (ShareGPT conversations)", For: "training", Split: true, Labels: true, Prompts: true, Files: []Shape{
			{"sharegpt_a.PART.json", share}, {"sharegpt_b.PART.json", share}, {"sharegpt_c.PART.json", share}, {"dataset_info.json", []string{"NAME{file_name,formatting,columns}"}},
		}, begin: open(func(s *samples) writer { return &stepwise{samples: s, write: s.shareSFT, done: s.llamaInfo} })},
		{Name: "trl-sft", Title: "stepwise fine-tuning for TRL", For: "training", Split: true, Labels: true, Prompts: true, Files: []Shape{
			{"sft_a.PART.jsonl", trl}, {"sft_b.PART.jsonl", last}, {"sft_c.PART.jsonl", last},
		}, begin: open(func(s *samples) writer {
			return &stepwise{samples: s, write: s.trlSFT}
		})},
		groupFormat(),
		{Name: "llamafactory-dpo", Title: "preference pairs for LLaMA-Factory", For: "training", Split: true, Labels: true, Prompts: true, Files: []Shape{
			{"dpo.PART.json", []string{"conversations[{from,value}]", "chosen{from,value}", "rejected{from,value}", "images[path]"}},
			{"dataset_info.json", []string{"NAME{file_name,formatting,ranking,columns}"}},
		}, begin: open(func(s *samples) writer { return &pairs{samples: s, write: s.llamaDPO, done: s.llamaInfo} })},
		{Name: "trl-dpo", Title: "preference pairs for TRL", For: "training", Split: true, Labels: true, Prompts: true, Files: []Shape{
			{"dpo.PART.jsonl", []string{"images[path]", "prompt[{role,content}]", "chosen[{role,content}]", "rejected[{role,content}]"}},
		}, begin: open(func(s *samples) writer { return &pairs{samples: s, write: s.trlDPO} })},
		{Name: "mdpo", Title: "preference pairs for mDPO", For: "training", Split: true, Labels: true, Prompts: true, Files: []Shape{
			{"mdpo.PART.jsonl", []string{"img_path", "prompt", "chosen", "rejected"}},
		}, begin: open(func(s *samples) writer { return &pairs{samples: s, write: s.mdpo, images: true} })},
	}
}

// conversation is one sample for fine-tuning.
type conversation struct {
	kind   string // a: one for a case, stages as turns; b: one for a stage, right answers before it; c: a wrong answer before it
	turns  []turn
	images []string
}

// stepwise writes samples A, B and C of stepwise fine-tuning (formats.md): A and B once for a case and once for each chain of which steps
// are known to hold, whose words then stand before the answers; C with one earlier answer wrong and the right answer as the target.
type stepwise struct {
	*samples
	write func(c *Case, f from, v conversation) error
	done  func() error // what goes beside the samples; may be nil
}

func (w *stepwise) add(ctx context.Context, c *Case) error {
	if w.partOf(c) == "" {
		return w.counts.left(unitCases, string(c.ID), notListed)
	}
	plain, gold, ok := c.goldTurns(nil, w.Labels)
	switch {
	case len(c.Questions) == 0:
		return w.counts.left(unitCases, string(c.ID), "no question")
	case !ok:
		return w.counts.left(unitCases, string(c.ID), "a question without a known right answer")
	}
	images, err := w.images(ctx, c)
	if err != nil {
		return err
	}
	told := 0
	for _, chain := range c.Chains {
		turns, label, _ := c.goldTurns(&chain, w.Labels)
		if label.From == fromGold {
			continue
		}
		told++
		if err := w.stages(c, from{Chain: chain.ID, Label: label}, turns, images); err != nil {
			return err
		}
	}
	if told == 0 {
		if err := w.stages(c, from{Label: gold}, plain, images); err != nil {
			return err
		}
	}
	if err := w.corrupted(c, plain, images); err != nil {
		return err
	}
	w.counts.wrote(unitCases, 1)
	return nil
}

// stages writes A and B.
func (w *stepwise) stages(c *Case, f from, turns []turn, images []string) error {
	if err := w.write(c, f, conversation{"a", turns, images}); err != nil {
		return err
	}
	for k, q := range c.asked() {
		f.Question = q.ID
		if err := w.write(c, f, conversation{"b", turns[:k+1], images}); err != nil {
			return err
		}
	}
	return nil
}

// corrupted writes C: for each stage after the first, one earlier answer is another of its options, drawn by the seed.
func (w *stepwise) corrupted(c *Case, turns []turn, images []string) error {
	asked := c.asked()
	for k := 1; k < len(asked); k++ {
		r := rand.New(rand.NewPCG(w.Seed, hashed(string(c.ID), string(asked[k].ID))))
		var may []int
		for j := range k {
			if len(wrongOptions(c, asked[j])) > 0 {
				may = append(may, j)
			}
		}
		if len(may) == 0 {
			if err := w.counts.left(unitCorrupted, string(c.ID)+"/"+string(asked[k].ID), "no earlier question with a wrong option"); err != nil {
				return err
			}
			continue
		}
		at := may[r.IntN(len(may))]
		wrong := wrongOptions(c, asked[at])
		spoiled := append([]turn{}, turns[:k+1]...)
		spoiled[at].said = c.answering(asked[at], wrong[r.IntN(len(wrong))].Letter)
		if err := w.write(c, from{Question: asked[k].ID, Rule: "corrupted " + string(asked[at].ID), Label: Label{From: fromGold}}, conversation{"c", spoiled, images}); err != nil {
			return err
		}
		w.counts.wrote(unitCorrupted, 1)
	}
	return nil
}

// unitCorrupted counts the questions after the first of each case.
const unitCorrupted = "questions to corrupt"

func (w *stepwise) end(context.Context) error {
	if err := w.close(); err != nil {
		return err
	}
	if w.done == nil {
		return nil
	}
	return w.done()
}

// wrongOptions lists the options of a question that are not right.
func wrongOptions(c *Case, q review.Question) []review.Option {
	gold, _, known := c.gold(q)
	var out []review.Option
	for _, o := range q.Options {
		if known && !q.Same(o.Letter, gold) {
			out = append(out, o)
		}
	}
	return out
}

func hashed(parts ...string) uint64 {
	h := fnv.New64a()
	for _, p := range parts {
		_, _ = h.Write([]byte(p + "\x00")) // a hash never fails
	}
	return h.Sum64()
}

// message is a turn as OpenAI writes it.
type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// imageTags stands before the first question, once for each image.
func imageTags(n int) string { return strings.Repeat("<image>", n) }

// tagged gives the turns with the tags of the images before the first question.
func (v conversation) tagged() []turn {
	turns := slices.Clone(v.turns)
	if len(turns) > 0 {
		turns[0].asked = imageTags(len(v.images)) + turns[0].asked
	}
	return turns
}

// llamaSFT writes a sample as LLaMA-Factory takes it.
func (s *samples) llamaSFT(c *Case, f from, v conversation) error {
	var messages []message
	for _, t := range v.tagged() {
		messages = append(messages, message{"user", t.asked}, message{"assistant", t.said})
	}
	return s.row("sft_"+v.kind+".json", c, f, struct {
		Messages []message `json:"messages"`
		Images   []string  `json:"images"`
	}{messages, v.images})
}

// shareSFT writes a sample as LLaMA-Factory takes it in the words of ShareGPT.
func (s *samples) shareSFT(c *Case, f from, v conversation) error {
	var turns []shareTurn
	for _, t := range v.tagged() {
		turns = append(turns, shareTurn{"human", t.asked}, shareTurn{"gpt", t.said})
	}
	return s.row("sharegpt_"+v.kind+".json", c, f, struct {
		Conversations []shareTurn `json:"conversations"`
		Images        []string    `json:"images"`
	}{turns, v.images})
}

// part is a piece of content as TRL takes it.
type part struct {
	Type string `json:"type"`
	Text string `json:"text,omitempty"`
}

// content is a message of such pieces.
type content struct {
	Role    string `json:"role"`
	Content []part `json:"content"`
}

// user is a question with images before it.
func user(text string, images int) content {
	parts := make([]part, 0, images+1)
	for range images {
		parts = append(parts, part{Type: "image"})
	}
	return content{"user", append(parts, part{"text", text})}
}

func assistant(text string) content { return content{"assistant", []part{{"text", text}}} }

// trlSFT writes a sample as TRL takes it: A as messages, B and C as prompt and completion, so that the loss is on the last turn alone.
func (s *samples) trlSFT(c *Case, f from, v conversation) error {
	var all []content
	for i, t := range v.turns {
		n := 0
		if i == 0 {
			n = len(v.images)
		}
		all = append(all, user(t.asked, n), assistant(t.said))
	}
	if v.kind == "a" {
		return s.row("sft_a.jsonl", c, f, struct {
			Images   []string  `json:"images"`
			Messages []content `json:"messages"`
		}{v.images, all})
	}
	last := len(all) - 1
	return s.row("sft_"+v.kind+".jsonl", c, f, struct {
		Images     []string  `json:"images"`
		Prompt     []content `json:"prompt"`
		Completion []content `json:"completion"`
	}{v.images, all[:last], all[last:]})
}

// datasetInfo is an entry of LLaMA-Factory's dataset_info.json.
type datasetInfo struct {
	FileName   string            `json:"file_name"`
	Formatting string            `json:"formatting"`
	Ranking    bool              `json:"ranking,omitempty"`
	Columns    map[string]string `json:"columns"`
	Tags       map[string]string `json:"tags,omitempty"`
}

// llamaInfo writes dataset_info.json: an entry for each file.
func (s *samples) llamaInfo() error {
	info := map[string]datasetInfo{}
	for name := range s.files {
		info["plumbline_"+strings.ReplaceAll(base(name), ".", "_")] = infoOf(name)
	}
	b, err := plainJSON(info)
	if err != nil {
		return fault.New(fault.Internal, writeOp, "dataset_info.json", "%w", err)
	}
	return s.put("dataset_info.json", b)
}

func infoOf(file string) datasetInfo {
	d := datasetInfo{FileName: file, Formatting: "sharegpt"}
	switch {
	case strings.HasPrefix(file, "dpo"):
		d.Ranking = true
		d.Columns = map[string]string{"messages": "conversations", "chosen": "chosen", "rejected": "rejected", "images": "images"}
	case strings.HasPrefix(file, "sharegpt"):
		d.Columns = map[string]string{"messages": "conversations", "images": "images"}
	case strings.HasPrefix(file, "kto"):
		d.Columns = map[string]string{"messages": "conversations", "kto_tag": "kto_tag", "images": "images"}
	default:
		d.Columns = map[string]string{"messages": "messages", "images": "images"}
		d.Tags = map[string]string{"role_tag": "role", "content_tag": "content", "user_tag": "user", "assistant_tag": "assistant", "system_tag": "system"}
	}
	return d
}
