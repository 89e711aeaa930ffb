package export

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// A Format is something that an export can be written as.
type Format struct {
	Name    string  `json:"name"`
	Title   string  `json:"title"`
	For     string  `json:"for"` // reading, training, images or sites: what it is for
	Split   bool    `json:"split"`
	Labels  bool    `json:"labels"`  // which labels of readers count can be asked for
	Prompts bool    `json:"prompts"` // how questions and answers are worded can be asked for
	Files   []Shape `json:"files"`
	Signed  bool    `json:"signed"` // with the keys of whoever writes it
	begin   func(*job) (writer, error)
}

// Shape is a file of a format with the fields of its records. PART stands for the name of a part of a split.
type Shape struct {
	Path   string   `json:"path"`
	Fields []string `json:"fields"`
}

// A writer writes one format.
type writer interface {
	add(ctx context.Context, c *Case) error // one case, which the writer counts as written or left aside
	end(ctx context.Context) error
}

// Options are what an export can be asked for.
type Options struct {
	Split   *Split // nil: as the format does by itself
	Labels  Labels // which labels of readers count
	Prompt  Prompt // how questions and answers are worded
	Frames  int    // most frames of a volume in a sample; 0: defaultFrames
	Against string // the manifest of another export: its images must not be in another part there
	Seed    uint64
}

// defaultFrames is how many frames of a volume go into a sample, at even distances.
const defaultFrames = 16

// Done is what an export wrote.
type Done struct {
	Dir string `json:"dir"`
	Manifest
}

// job is an export under way.
type job struct {
	Source
	Options
	*folder
	split    *splitter
	labels   []*LabelCount
	amounts  *amounts
	noted    map[string]int    // what happened to rows that were written
	trail    *file             // rows.jsonl
	pictures map[string]string // written, by case, image and frame
}

// Formats lists what can be written.
func Formats() []Format {
	return slices.Concat(tableFormats(), trainingFormats(), rewardFormats(), imageFormats(), siteFormats())
}

// FormatOf finds a format by name.
func FormatOf(name string) (Format, bool) {
	for _, f := range Formats() {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}

// Write writes an export into dir, which is made, or replaced where it holds an earlier export; where anything fails nothing is changed.
//
// Faults: Usage for an unknown format, Refused where dir holds something else or the split leaks (Leaked), NotFound where there is nothing to
// write, Invalid for what the format cannot hold, IO, Cancelled.
func Write(ctx context.Context, dir, format string, src Source, o Options, tell review.Tell) (done Done, err error) {
	f, known := FormatOf(format)
	if !known {
		return done, fault.New(fault.Usage, writeOp, format, "one of %s expected", strings.Join(names(), ", "))
	}
	if err := o.check(f); err != nil {
		return done, err
	}
	if o.Frames <= 0 {
		o.Frames = defaultFrames
	}
	j := &job{Source: src, Options: o, amounts: newAmounts(), pictures: map[string]string{}, noted: map[string]int{}}
	if err := j.divide(ctx, f); err != nil {
		return done, err
	}
	if j.folder, err = startFolder(dir); err != nil {
		return done, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, j.drop())
		}
	}()
	if err = j.open(f); err != nil {
		return done, err
	}
	w, err := f.begin(j)
	if err != nil {
		return done, err
	}
	if err = j.each(ctx, w, tell); err != nil {
		return done, err
	}
	if err = w.end(ctx); err != nil {
		return done, err
	}
	return j.seal(ctx, f)
}

// check refuses choices that a format cannot follow.
func (o Options) check(f Format) error {
	switch {
	case o.Labels != SettledLabels && o.Labels != SingleLabels && o.Labels != AdjudicatedLabels:
		return fault.New(fault.Usage, writeOp, f.Name, "labels: %s, %s or none of them expected, found %q", SingleLabels, AdjudicatedLabels, o.Labels)
	case o.Labels != SettledLabels && !f.Labels:
		return fault.New(fault.Usage, writeOp, f.Name, "labels: this format does not choose among labels")
	case o.Prompt != StagePrompt && o.Prompt != LetterPrompt && o.Prompt != PlainPrompt:
		return fault.New(fault.Usage, writeOp, f.Name, "prompt: %s, %s or none of them expected, found %q", LetterPrompt, PlainPrompt, o.Prompt)
	case o.Prompt != StagePrompt && !f.Prompts:
		return fault.New(fault.Usage, writeOp, f.Name, "prompt: this format words questions its own way")
	}
	return nil
}

func names() []string {
	var out []string
	for _, f := range Formats() {
		out = append(out, f.Name)
	}
	return out
}

// divide makes the split that was asked for, or that the format needs.
func (j *job) divide(ctx context.Context, f Format) (err error) {
	s := j.Options.Split
	switch {
	case s == nil && !f.Split:
		return nil
	case s == nil:
		s = &Split{Parts: []Part{{"train", .8}, {"test", .2}}, Seed: j.Seed}
	}
	j.split, err = s.part(ctx, j.Source)
	return err
}

// open begins the lists that every export has.
func (j *job) open(f Format) (err error) {
	if j.counts.side, err = j.create("side.jsonl"); err != nil {
		return err
	}
	j.counts.unit(unitCases)
	if f.Split {
		j.trail, err = j.create("rows.jsonl")
	}
	return err
}

// each hands the cases to the writer.
func (j *job) each(ctx context.Context, w writer, tell review.Tell) error {
	n := 0
	return j.Each(ctx, func(c *Case) error {
		if err := ctx.Err(); err != nil {
			return fault.In(writeOp, j.dir, err)
		}
		c.prompt = j.Prompt
		j.amounts.add(c)
		if err := w.add(ctx, c); err != nil {
			return err
		}
		n++
		tell(review.Progress{Op: "export", Done: n, Total: j.Total, Of: string(c.ID)})
		return nil
	})
}

// seal checks counts and leakage, writes README and manifest and puts the folder in its place.
func (j *job) seal(ctx context.Context, f Format) (done Done, err error) {
	m := Manifest{
		Schema: ManifestSchema, Format: f.Name, Made: j.At, Version: j.Version, Study: j.Study, Dataset: strings.TrimSpace(j.Info.Name + " " + j.Info.Version),
		Licence: j.Info.Licence, Rubric: strings.TrimSpace(j.Rubric.Name + " " + j.Rubric.Version), Data: j.amounts.done(),
		Side: []Left{}, Units: []Unit{}, Labels: []LabelCount{}, Files: []File{}, Leakage: Leakage{Found: []Leak{}}, Warnings: j.warns(),
	}
	if err := j.counts.check(j.amounts.Cases); err != nil {
		return done, err
	}
	for _, u := range j.counts.units {
		m.Units = append(m.Units, *u)
	}
	if len(m.Units) > 0 {
		m.In, m.Out, m.Side = m.Units[0].In, m.Units[0].Out, m.Units[0].Side
	}
	if m.Out == 0 {
		return done, fault.New(fault.NotFound, writeOp, f.Name, "nothing can be written: %s", whyNothing(m.Units))
	}
	for _, l := range j.labels {
		m.Labels = append(m.Labels, *l)
	}
	if j.split != nil {
		if err := j.leakage(ctx, f, &m); err != nil {
			return done, err
		}
	}
	if err := j.put("README.md", readme(f, m)); err != nil {
		return done, err
	}
	for _, x := range j.files {
		if err := x.finish(); err != nil {
			return done, err
		}
		m.Files = append(m.Files, File{x.name, x.rows, x.size, x.digest()})
	}
	slices.SortFunc(m.Files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	b, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return done, fault.New(fault.Internal, writeOp, ManifestFile, "%w", err)
	}
	b = append(b, '\n')
	if err := j.put(ManifestFile, b); err != nil {
		return done, err
	}
	if f.Signed {
		if err := j.sign(b); err != nil {
			return done, err
		}
	}
	if err := j.finish(); err != nil {
		return done, err
	}
	return Done{Dir: j.dir, Manifest: m}, nil
}

// sign writes the signature of the manifest, which names every other file by its hash.
func (j *job) sign(manifest []byte) error {
	sig, err := j.Sign(manifest)
	if err != nil {
		return err
	}
	return j.put(SignatureFile, []byte(sig+"\n"))
}

func whyNothing(units []Unit) string {
	var parts []string
	for _, u := range units {
		for _, l := range u.Side {
			parts = append(parts, fmt.Sprintf("%d %s: %s", l.N, u.Unit, l.Why))
		}
	}
	if len(parts) == 0 {
		return "there is no case"
	}
	return strings.Join(parts, "; ")
}

// leakage hashes the images and compares them with the other parts and the other export: the same samples in two parts block the export,
// whatever the clusters say.
func (j *job) leakage(ctx context.Context, f Format, m *Manifest) error {
	m.Split, m.Leakage.Checked = &j.split.made, true
	if !f.Split && j.Against == "" {
		return nil
	}
	in := map[review.Digest]ImageUsed{}
	var leaks []Leak
	err := j.Each(ctx, func(c *Case) error {
		part := j.split.of[c.ID]
		if part == "" {
			return nil
		}
		for _, s := range c.Stacks {
			d, err := j.Digest(ctx, c.ID, s.Image)
			if err != nil {
				return err
			}
			if d == "" {
				continue // too few values to mean anything
			}
			before, known := in[d]
			switch {
			case !known:
				in[d] = ImageUsed{d, part, string(c.ID)}
				j.split.made.Images = append(j.split.made.Images, in[d])
			case before.Split != part:
				leaks = append(leaks, Leak{What: "image", Name: string(d), Parts: []string{before.Split, part}, Cases: []string{before.Case, string(c.ID)}})
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if j.Against != "" {
		other, err := loadManifest(j.Against)
		if err != nil {
			return err
		}
		if other.Split == nil || len(other.Split.Images) == 0 && len(j.split.made.Images) > 0 {
			return fault.New(fault.Invalid, "compare with export", j.Against, "it names no images that one could compare: take the manifest of an export of a training format")
		}
		m.Leakage.Against = other.Format + " of " + other.Made
		leaks = append(leaks, j.split.against(*other.Split)...)
	}
	if len(leaks) > 0 {
		return &fault.Error{Op: writeOp, Of: f.Name, Kind: fault.Refused, Err: &Leaked{leaks}}
	}
	return nil
}

// warns says what whoever uses the export must know.
func (j *job) warns() []string {
	var out []string
	for _, what := range sortedKeys(j.noted) {
		out = append(out, fmt.Sprintf("%d %s.", j.noted[what], what))
	}
	l := j.Info.Licence
	switch {
	case l.Name == "":
		out = append(out, "The dataset names no licence: find out what may be done with it before passing anything on.")
	case !l.Redistribute:
		out = append(out, fmt.Sprintf("The licence of the data (%s) does not allow passing them on.", l.Name))
	}
	if l.Credentialed {
		out = append(out, "The data are for credentialed users only.")
	}
	if j.split != nil {
		for _, x := range j.split.made.Joined {
			out = append(out, fmt.Sprintf("The cluster of case %s joins %d patients (%s): confirm that they belong together.", x.Cluster, len(x.Patients), strings.Join(x.Patients[:min(len(x.Patients), 5)], ", ")))
		}
	}
	if key := j.Info.ClusterKey; key != "" && key != "patient" {
		out = append(out, fmt.Sprintf("Identity goes as far as the %s: that no patient is on two sides cannot be verified.", key))
	}
	return append([]string{}, out...)
}

// note counts what happened to something that was written.
func (j *job) note(what string) { j.noted[what]++ }

// label counts where a row's label is from.
func (j *job) label(l Label) {
	l.Event = ""
	for _, c := range j.labels {
		if c.From == l.From && c.How == l.How && c.Rubric == l.Rubric && slices.Equal(c.Readers, l.Readers) {
			c.Rows++
			return
		}
	}
	j.labels = append(j.labels, &LabelCount{l, 1})
}

// partOf names the part of a case: "all" without a split, "" where a list leaves it out.
func (j *job) partOf(c *Case) string {
	if j.split == nil {
		return undivided
	}
	return j.split.of[c.ID]
}

// base is the name of a file without its ending.
func base(name string) string { return strings.TrimSuffix(name, filepath.Ext(name)) }
