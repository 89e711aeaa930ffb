package formats

import (
	"strings"

	"plumbline/backend/review"
)

// drVDFormat reads the single questions of DrVD-Bench, drVDJointFormat those that ask four stages at once: one case with a chain.
func drVDFormat() format {
	return format{
		Format: Format{Name: "drvd", Title: "DrVD-Bench", Cluster: "image", Files: []Shape{{"*_qa.jsonl", []string{"image_paths", "question", "options[\"A. …\"]", "answer", "modality",
			"task | level", "model_response"}}}},
		licence: licence("MIT", "https://github.com/Jerry-Boss/DrVD-Bench", true),
		needs:   [][]string{{"image_paths", "question", "options", "answer"}, {"image_path", "question", "options", "answer", "level"}},
		open: plainly(func(w *work, r row) {
			id := digest(r.text("image_paths"), r.text("question"))[:10]
			d := w.draft(r, id, "drvd", id)
			for _, image := range r.list("image_paths") {
				d.image(image, r.text("modality"))
			}
			d.image(r.text("image_path"), r.text("modality"))
			d.c.Language = "en"
			source := r.text("level")
			if source == "" {
				source = r.text("task")
			}
			q := d.ask("q", source, r.text("question"), letteredOptions(r.list("options")))
			d.gold(q, r.text("answer"))
			h := d.done(id)
			if said := (said{q: q, text: r.text("model_response")}); said.text != "" {
				w.chain(r, h.c, made{}, w.reply(r, 1, said))
			}
		}),
	}
}

func drVDJointFormat() format {
	return format{
		id: "drvd-joint",
		Format: Format{Name: "drvd", Title: "DrVD-Bench", Cluster: "image", Files: []Shape{{"joint_qa.jsonl", []string{"image_paths", "joint_prompt", "modality_answer", "organ_answer",
			"lesion_answer", "diagnosis_answer", "modality", "model_response"}}}},
		licence: licence("MIT", "https://github.com/Jerry-Boss/DrVD-Bench", true),
		needs:   [][]string{{"joint_prompt", "modality_answer", "diagnosis_answer"}},
		open:    plainly(drVDJoint),
	}
}

func drVDJoint(w *work, r row) {
	id := digest(r.text("image_paths"), r.text("joint_prompt"))[:10]
	d := w.draft(r, id, "drvd-joint", id)
	for _, image := range r.list("image_paths") {
		d.image(image, r.text("modality"))
	}
	d.c.Language = "en"
	blocks := jointQuestions(r.text("joint_prompt"))
	n := 0
	for i, source := range []string{"modality", "organ", "lesion", "diagnosis"} {
		answer := r.text(source + "_answer")
		if answer == "" {
			continue
		}
		text, opts := "", []review.Option{}
		if len(blocks) == 4 {
			text, opts = embeddedOptions(blocks[i])
		} else {
			if text = w.stages.Asks["drvd"][source]; n == 0 { // the four are asked in one text: it stands with the first
				text += "\n\n" + r.text("joint_prompt")
			}
		}
		n++
		d.gold(d.ask("q"+itoa(n), source, text, opts), answer)
	}
	h := d.done(id)
	given := r.list("model_response")
	if len(given) == 1 {
		given = strings.FieldsFunc(strings.Trim(given[0], "[] "), func(c rune) bool { return strings.ContainsRune(",; ", c) })
	}
	if len(given) == 0 {
		return
	}
	if len(given) != n {
		w.note(r, "model_response", "%d answers to %d questions; those that are there are taken in order", len(given), n)
	}
	var answers []review.Answer
	for i := range min(n, len(given)) {
		answers = append(answers, w.reply(r, i+1, said{q: &h.c.Questions[i], text: strings.Trim(given[i], `'" `)}))
	}
	w.chain(r, h.c, made{}, answers...)
}

// jointQuestions parts a prompt that asks four questions, each with options from A on; anything else is not parted.
func jointQuestions(prompt string) []string {
	lines := strings.Split(prompt, "\n")
	var blocks []string
	var held []string
	lastLetter := false
	for _, l := range lines {
		is := optionLine.MatchString(l)
		if lastLetter && !is && strings.TrimSpace(l) != "" {
			blocks, held = append(blocks, strings.Join(held, "\n")), nil
		}
		held = append(held, l)
		lastLetter = is || lastLetter && strings.TrimSpace(l) == ""
	}
	if lastLetter {
		blocks = append(blocks, strings.Join(held, "\n"))
	}
	return blocks
}
