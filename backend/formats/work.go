package formats

import (
	"context"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"crypto/sha256"

	"plumbline/backend/review"
)

// work is one reading of a source.
type work struct {
	Source
	ctx    context.Context
	sink   Sink
	stages *Stages
	format format
	file   string
	model  string              // whose answers the file holds, where one field says it for all
	inside map[string]Embedded // pictures in files, by their path
	given  map[string]bool     // those that were told of
	finder *finder
	ids    map[review.CaseID]bool
	chains map[review.ChainID]bool
	keep   bool              // files of answers follow
	cases  map[string]*held  // by what answers may name them by
	used   map[string]int    // files by format
	asked  map[string]bool   // formats that asked for a join table
	types  map[string]string // of M3CoTBench, by index
}

// held is a case that answers may be for.
type held struct {
	c review.Case
}

func newWork(ctx context.Context, src Source, sink Sink) *work {
	w := &work{Source: src, ctx: ctx, sink: sink, stages: src.Stages, inside: map[string]Embedded{}, given: map[string]bool{}, finder: newFinder(src.Files),
		ids: map[review.CaseID]bool{}, chains: map[review.ChainID]bool{}, cases: map[string]*held{}, used: map[string]int{}, asked: map[string]bool{}, types: map[string]string{}}
	if w.stages == nil {
		s, err := RestoreStages(builtInStages)
		if err != nil {
			panic(err) // a part of the program
		}
		w.stages = s
	}
	for _, name := range src.Names {
		if f, _ := formatOf(name); f.when == answering {
			w.keep = true
		}
	}
	return w
}

// finish tells what can be said only once all was read.
func (w *work) finish() {
	for _, p := range w.Join.unused() {
		w.problem(Problem{Problem: p})
	}
	for _, name := range slices.Sorted(maps.Keys(w.asked)) {
		w.problem(Problem{Problem: review.Problem{File: w.firstOf(name), Field: "patient", Text: "these records name no patient: a table of id and patient (CSV) names them, given at the command line: plumb import FILE --join TABLE; until then each image counts as a patient of its own, which cannot be verified"}})
	}
}

// firstOf names the first file of a format.
func (w *work) firstOf(format string) string {
	for _, name := range w.inOrder() {
		if f, _ := formatOf(w.Names[name]); f.Name == format {
			return name
		}
	}
	return ""
}

// dataset describes what was read.
func (w *work) dataset() review.Dataset {
	d := review.Dataset{Schema: review.DatasetSchema, ClusterKey: "patient", Languages: []string{}, StagePack: review.StagePack{Stages: w.stages.Stages}}
	names := slices.Sorted(maps.Keys(w.used)) // by format
	var licences, sources, notes []string
	d.Licence.Redistribute = true
	for _, n := range names {
		f, _ := formatOf(n)
		licences, sources = append(licences, f.licence.Name), append(sources, f.Title)
		d.Licence.Redistribute = d.Licence.Redistribute && f.licence.Redistribute
		d.Licence.Credentialed = d.Licence.Credentialed || f.licence.Credentialed
		if rankOf(f.Cluster) > rankOf(d.ClusterKey) {
			d.ClusterKey = f.Cluster
		}
		notes = append(notes, f.notes()...)
	}
	if w.Join != nil && d.ClusterKey == "image" {
		d.ClusterKey = "patient"
	}
	if len(names) == 1 {
		f, _ := formatOf(names[0])
		d.Licence.URL = f.licence.URL
		d.StagePack.Stages = w.stages.packOf(names[0])
	}
	slices.Sort(licences)
	d.Licence.Name = strings.Join(slices.Compact(licences), "; ")
	d.Source, d.Notes = strings.Join(sources, "; "), strings.Join(notes, " ")
	return d
}

// rankOf orders how far identity goes.
func rankOf(key string) int {
	return slices.Index([]string{"patient", "case", "article", "image"}, key)
}

func (w *work) problem(p Problem) {
	if w.sink.Problem != nil {
		w.sink.Problem(p)
	}
}

// note tells what is wrong in a field of a record.
func (w *work) note(r row, field, text string, args ...any) {
	w.problem(Problem{Problem: review.Problem{File: r.file, Line: r.line, Field: field, Text: fmt.Sprintf(text, args...)}})
}

// hide tells a coordinator what is wrong with what is right.
func (w *work) hide(r row, field, text string, args ...any) {
	w.problem(Problem{Problem: review.Problem{File: r.file, Line: r.line, Field: field, Text: fmt.Sprintf(text, args...)}, Hidden: true})
}

func (r row) place() Place { return Place{r.file, r.line} }

// shorten cuts foreign text to what a problem can show.
func shorten(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

// caseID makes an id of what the source calls a record, and sees to it that it is the only one.
func (w *work) caseID(parts ...string) review.CaseID {
	var clean []string
	for _, p := range parts {
		p = strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_.", r) {
				return r
			}
			return '-'
		}, strings.ToValidUTF8(p, "-"))
		if p = strings.Trim(p, "-."); p != "" {
			clean = append(clean, p)
		}
	}
	name := strings.Join(clean, "-")
	if len(name) > 120 {
		name = name[:80] + "-" + digest(name)[:12]
		name = strings.ToValidUTF8(name, "")
	}
	if name == "" {
		name = "case"
	}
	id := review.CaseID(name)
	for n := 2; w.ids[id]; n++ {
		id = review.CaseID(fmt.Sprintf("%s-%d", name, n))
	}
	w.ids[id] = true
	return id
}

// serial is what a record is called that the source gives no name.
func (w *work) serial() string { return itoa(len(w.ids) + 1) }

func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}

// draft is a case in the making.
type draft struct {
	w     *work
	r     row
	c     review.Case
	truth []review.Truth
}

// draft begins a case of one record; id is what the source calls it.
func (w *work) draft(r row, id string, names ...string) *draft {
	if len(names) == 0 {
		names = []string{id}
	}
	d := &draft{w: w, r: r, c: review.Case{
		Schema: review.CaseSchema, ID: w.caseID(names...), Images: []review.Image{}, FramesShown: []int{}, Questions: []review.Question{},
		Source: review.Source{Format: w.format.Name, File: r.file, Line: r.line, ID: id},
	}}
	if row := w.Join.of(id, string(d.c.ID)); row != nil {
		d.c.Patient, d.c.Study = review.PatientID(row.patient), row.study
		if row.image != "" {
			d.image(row.image, "")
		}
	}
	return d
}

// patient says whose case it is; a join table knows better.
func (d *draft) patient(patient, study string) {
	if d.c.Patient == "" {
		d.c.Patient = review.PatientID(patient)
	}
	if d.c.Study == "" {
		d.c.Study = study
	}
}

// image adds a picture by the path that the record gives; it gives its id. "" adds none.
func (d *draft) image(path, modality string) review.ImageID {
	if path = trimmed(path); path == "" {
		return ""
	}
	id := review.ImageID(fmt.Sprintf("i%d", len(d.c.Images)+1))
	if e, ok := d.w.inside[path]; ok {
		if !d.w.given[path] && d.w.sink.Picture != nil {
			d.w.given[path] = true
			d.w.sink.Picture(e)
		}
	} else {
		path = d.w.finder.find(d.r.file, path)
	}
	for _, m := range d.c.Images {
		if m.Path == path {
			return m.ID
		}
	}
	d.c.Images = append(d.c.Images, review.Image{ID: id, Path: path, Kind: review.SingleImage, Modality: modalityOf(modality)})
	return id
}

// modalityOf gives DICOM's code for how a set names a modality, or the name itself.
func modalityOf(name string) string {
	short := strings.ToLower(name)
	if i := strings.IndexAny(short, "(,"); i > 0 {
		short = strings.TrimSpace(short[:i])
	}
	switch short {
	case "ct", "computed tomography", "chest ct", "chest ct scan":
		return "CT"
	case "mri", "mr", "magnetic resonance imaging":
		return "MR"
	case "x-ray", "xray", "x ray", "xr", "radiograph", "radiography":
		return "DX"
	case "ultrasound", "us":
		return "US"
	case "fundus photography", "fundus":
		return "OP"
	case "microscopy", "microscopy images", "pathology", "histopathology":
		return "SM"
	case "endoscopy":
		return "ES"
	case "oct", "optical coherence tomography":
		return "OPT"
	}
	return shorten(name)
}

// ask adds a question; its stage comes from the table.
func (d *draft) ask(id, source, text string, options []review.Option) *review.Question {
	p := d.w.stages.place(d.w.format.Name, source)
	if text = trimmed(text); text == "" {
		text = d.w.stages.Asks[d.w.format.Name][source]
	}
	if text == "" {
		d.w.note(d.r, "question", "no question; the record is taken without its words")
		text = "?"
	}
	if options == nil {
		options = []review.Option{}
	}
	d.c.Questions = append(d.c.Questions, review.Question{ID: review.QuestionID(id), K: p.K, Stage: d.w.stages.nameOf(d.w.format.Name, p.K), SourceStage: source,
		Category: p.Category, Text: text, Options: options, Parents: []review.QuestionID{}})
	return &d.c.Questions[len(d.c.Questions)-1]
}

// options makes options A, B, … of texts; empty ones at the end are left out.
func options(texts ...string) []review.Option {
	out := []review.Option{}
	for i, t := range texts {
		if t = trimmed(t); t != "" && i < 26 {
			out = append(out, review.Option{Letter: string(rune('A' + i)), Text: t})
		}
	}
	if len(out) < 2 {
		return []review.Option{}
	}
	return out
}

// yesNo gives the options of a question that is answered by yes or no, in the words of the answer; none for another.
func yesNo(answer string) []review.Option {
	switch strings.ToLower(strings.Trim(answer, " .")) {
	case "yes", "no":
		return options("Yes", "No")
	}
	return []review.Option{}
}

// gold says what is right. What is no option is told to the coordinator.
func (d *draft) gold(q *review.Question, said string) *review.Truth {
	t := review.Truth{Schema: review.TruthSchema, Case: d.c.ID, Question: q.ID, Evidence: []review.Region{}, Implies: []review.Implication{}}
	if said = trimmed(said); said != "" {
		answer, parse := q.Read(said)
		switch {
		case parse == review.ParseOK:
			t.Gold = &answer
		case len(q.Options) == 0:
			t.Gold = &said
		default:
			d.w.hide(d.r, "answer", "%q is no option of question %s of case %s", shorten(said), q.ID, d.c.ID)
		}
		t.Side = sideOf(q, said)
		if present, ok := presentOf(q, said); ok {
			t.Present = &present
		}
	}
	d.truth = append(d.truth, t)
	return &d.truth[len(d.truth)-1]
}

// presentOf says whether a yes-or-no answer asserts something present; ok is false for another.
func presentOf(q *review.Question, said string) (present, ok bool) {
	if q.Category != "presence" {
		return false, false
	}
	letter, _ := q.Read(said)
	for _, o := range q.Options {
		if o.Letter == letter {
			said = o.Text
		}
	}
	switch strings.ToLower(strings.Trim(said, " .")) {
	case "yes":
		return true, true
	case "no":
		return false, true
	}
	return false, false
}

// sideOf gives the side that a right answer names, "" where it names none.
func sideOf(q *review.Question, said string) string {
	letter, _ := q.Read(said)
	for _, o := range q.Options {
		if o.Letter == letter {
			said = o.Text
		}
	}
	words := strings.FieldsFunc(strings.ToLower(said), func(r rune) bool { return !unicode.IsLetter(r) })
	left, right := slices.Contains(words, "left"), slices.Contains(words, "right")
	switch {
	case slices.Contains(words, "bilateral") || slices.Contains(words, "both") || left && right:
		return "both"
	case left:
		return "left"
	case right:
		return "right"
	}
	return ""
}

// done hands the case over with what is right; keys are what files of answers may name it by.
func (d *draft) done(keys ...string) *held {
	w := d.w
	if w.format.asks && d.c.Patient == "" {
		w.asked[w.format.Name] = true
	}
	if w.sink.Case != nil {
		w.sink.Case(d.c)
	}
	if w.sink.Truth != nil {
		for _, t := range d.truth {
			w.sink.Truth(t, d.r.place())
		}
	}
	h := &held{d.c}
	if w.keep {
		for _, k := range keys {
			if _, met := w.cases[k]; !met && k != "" {
				w.cases[k] = h
			}
		}
	}
	return h
}
