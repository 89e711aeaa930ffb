package desk

import (
	"bytes"
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"plumbline/backend/bundle"
	"plumbline/backend/dataset"
	"plumbline/backend/export"
	"plumbline/backend/fault"
	"plumbline/backend/pixels"
	"plumbline/backend/report"
	"plumbline/backend/review"
)

const exportOp = "export"

// ExportOrder says what to write, and where.
type ExportOrder struct {
	Format  string `json:"format"`  // one of ExportFormats
	Dir     string `json:"dir"`     // a new or empty folder, or an earlier export, which is replaced
	Split   string `json:"split"`   // shares ("train=0.8,test=0.2"), a CSV file with the columns case and split, "none", or "": as the format does
	Seed    uint64 `json:"seed"`    // of the split and of what is drawn at random; 0: that of the workspace
	Labels  string `json:"labels"`  // "": adjudicated or the same of two readers; "single": of one reader alone too; "adjudicated": those alone
	Prompt  string `json:"prompt"`  // "": stage, question and options, answered in words; "letters": answered by letter; "plain": the question alone
	Frames  int    `json:"frames"`  // most frames of a volume in a sample; 0: 16
	Against string `json:"against"` // the manifest of another export: none of its images may be in another part here
}

// ExportFormats lists what Export can write.
func (d *Desk) ExportFormats() []export.Format { return export.Formats() }

// ImportFormats lists what Import takes.
func (d *Desk) ImportFormats() []export.Format {
	schema := func(path, name string) export.Shape {
		return export.Shape{Path: path, Fields: []string{"see plumb formats --schema " + name}}
	}
	out := []export.Format{
		{Name: dataset.Plumbline, Title: "our own dataset folder, or a zip archive of one", Files: []export.Shape{
			schema("dataset.json", "dataset"), schema("cases.jsonl", "case"), schema("truth.jsonl", "truth"), schema("chains/*.jsonl", "chain"), schema("chains/manifest.jsonl", "origin"),
		}},
		{Name: dataset.Images, Title: "images alone: each series or picture is a case", Files: []export.Shape{
			{Path: "**", Fields: []string{"DICOM", "NIfTI", "PNG", "JPEG", "WebP", "BMP", "TIFF"}},
		}},
	}
	for _, f := range dataset.Formats() {
		one := export.Format{Name: f.Name, Title: f.Title}
		for _, s := range f.Files {
			one.Files = append(one.Files, export.Shape{Path: s.Path, Fields: s.Fields})
		}
		out = append(out, one)
	}
	return out
}

// Export writes what is known and what was said for other programs. It joins readings with gold and models, so it is the coordinator's: fault
// Refused elsewhere, and where a split leaks. Other faults: as export.Write; then nothing is written. Progress goes to the desk's Tell.
func (d *Desk) Export(ctx context.Context, o ExportOrder) (done export.Done, err error) {
	began := time.Now()
	err = d.within(exportOp, func(r *room) error {
		if !r.leads() {
			return fault.New(fault.Refused, exportOp, "", "it joins readings with gold and models; it is the coordinator's")
		}
		if _, known := export.FormatOf(o.Format); !known {
			return fault.New(fault.Usage, exportOp, o.Format, "one of %s expected", strings.Join(formatNames(), ", "))
		}
		if o.Dir == "" {
			return fault.New(fault.Usage, exportOp, o.Format, "a folder to write into expected")
		}
		options, err := o.options(r.w.Seed)
		if err != nil {
			return err
		}
		if _, err := r.data(exportOp); err != nil {
			return err
		}
		if err := r.unblind("export"); err != nil {
			return err
		}
		src, err := r.exportSource(ctx)
		if err != nil {
			return err
		}
		src.Sign = d.signSite
		done, err = export.Write(ctx, o.Dir, o.Format, src, options, d.options.Tell)
		return err
	})
	if err != nil {
		return export.Done{}, err
	}
	d.logged("export", o.Format, "", began)
	return done, nil
}

// signSite signs the manifest of what goes to other sites with the keys of this machine.
func (d *Desk) signSite(manifest []byte) (string, error) {
	keys, err := d.options.Folders.keys()
	if err != nil {
		return "", err
	}
	return keys.Sign(export.ManifestSchema, manifest), nil
}

// PoolSites adds up what sites gave for each other, each a folder of the export federation: every number is the sum of theirs. Of each site
// stands the fingerprint of the key that signed it, to be compared by telephone. It needs no workspace. Faults: as export.Pool.
func PoolSites(dirs []string) (export.Pooled, error) {
	return export.Pool(dirs, func(manifest []byte, signature string) (string, error) {
		public, err := bundle.Verify(export.ManifestSchema, manifest, signature)
		if err != nil {
			return "", err
		}
		return bundle.Fingerprint(public), nil
	})
}

func formatNames() []string {
	var out []string
	for _, f := range export.Formats() {
		out = append(out, f.Name)
	}
	return out
}

// options reads the order.
func (o ExportOrder) options(seed uint64) (export.Options, error) {
	if o.Seed != 0 {
		seed = o.Seed
	}
	out := export.Options{Labels: export.Labels(o.Labels), Prompt: export.Prompt(o.Prompt), Frames: o.Frames, Against: o.Against, Seed: seed}
	switch info, err := os.Stat(o.Split); {
	case o.Split == "":
		return out, nil
	case o.Split == "none":
		out.Split = &export.Split{Parts: []export.Part{{Name: "all", Share: 1}}, Seed: seed}
		return out, nil
	case err == nil && info.Mode().IsRegular():
		s, err := export.LoadSplit(o.Split)
		out.Split = &s
		return out, err
	}
	s, err := export.ParseSplit(o.Split, seed)
	out.Split = &s
	return out, err
}

// exportSource gathers what an export is written from: of everything said only ids lie in memory, and what was said comes case by case.
func (r *room) exportSource(ctx context.Context) (export.Source, error) {
	set := r.set
	truth, _, err := set.Truth(ctx)
	if err != nil {
		return export.Source{}, err
	}
	origins, err := r.runs.Origins()
	if err != nil {
		return export.Source{}, err
	}
	r.acting.Lock()
	rubric, training := r.rules.rubric.Rubric, slices.Clone(r.rules.protocol.Training)
	r.acting.Unlock()
	f := &fromRoom{room: r, rubric: rubric, training: training, truth: map[review.CaseID]map[review.QuestionID]review.Truth{}, origins: map[review.ChainID]review.Origin{}}
	for _, t := range truth {
		if f.truth[t.Case] == nil {
			f.truth[t.Case] = map[review.QuestionID]review.Truth{}
		}
		f.truth[t.Case][t.Question] = t
	}
	for _, o := range origins {
		f.origins[o.Chain] = o
	}
	if err := f.listen(ctx); err != nil {
		return export.Source{}, err
	}
	wording, err := WordingOf(r.dir)
	if err != nil {
		return export.Source{}, err
	}
	return export.Source{
		Info: set.Info(), Study: r.w.Study, Site: "site-" + hashOf(r.secret(), "site")[:12], Rubric: rubric, Version: Version, At: r.now().UTC().Format(time.RFC3339),
		Total: set.Counts().Cases, Each: f.each, Ledger: f.ledgerLines, Picture: f.picture, Digest: set.Digest, Cue: wording.CueText, Objects: f.objects,
		Scores: f.scores, Secret: hashOf(r.secret(), "pseudonyms"),
	}, nil
}

// picture draws a frame as it is shown by default.
func (f *fromRoom) picture(ctx context.Context, of review.CaseID, image review.ImageID, n int) ([]byte, error) {
	frame, samples, err := f.set.Samples(ctx, of, image, n)
	if err != nil {
		return nil, err
	}
	img, err := pixels.ShowDefault(frame, samples)
	if err != nil {
		return nil, fault.In("draw frame", string(of), err)
	}
	var b bytes.Buffer
	err = pixels.PNG(&b, img)
	return b.Bytes(), fault.In("draw frame", string(of), err)
}

// objects says what the DICOM files of an image call themselves.
func (f *fromRoom) objects(ctx context.Context, of review.CaseID, image review.ImageID) (*export.DICOMImage, error) {
	headers, err := f.set.Headers(ctx, of, image)
	if err != nil || len(headers) == 0 || headers[0].SOPClass == "" || headers[0].InstanceUID == "" {
		return nil, err
	}
	return &export.DICOMImage{Headers: headers}, nil
}

// ledgerLines hands over every event as stored, and in the words of this dataset.
func (f *fromRoom) ledgerLines(ctx context.Context, fn func(raw []byte, e review.Event) error) error {
	return f.ledger.Events(func(e review.Event, raw []byte) error {
		e, err := f.meaning(e)
		return errors.Join(err, fn(raw, e), ctx.Err())
	})
}

// scores gives the scores of readers (report.Suspicions).
func (f *fromRoom) scores(ctx context.Context) (export.MRMC, export.Tally, error) {
	in, err := f.reportInput(ctx, f.set)
	if err != nil {
		return export.MRMC{}, export.Tally{}, err
	}
	s, err := report.Suspect(in)
	if err != nil {
		return export.MRMC{}, export.Tally{}, err
	}
	var side []export.Left
	for _, c := range s.Side {
		if c.N > 0 {
			side = append(side, export.Left{N: c.N, Why: c.Label})
		}
	}
	m := export.MRMC{Title: "Plumbline: " + in.Dataset.Name + ". truth: a chain has a wrong answer. score: 0 (supported, sure) to 11 (contradicted, sure), the most doubted step of the chain"}
	of := map[review.ChainID]report.SuspectChain{}
	for _, c := range s.Chains {
		of[c.Chain] = c
		m.Truth = append(m.Truth, export.CaseTruth{Case: chainCase(c), Abnormal: c.Wrong})
	}
	for _, x := range s.Scores {
		c := of[x.Chain]
		m.Scores = append(m.Scores, export.ReaderScore{Reader: string(x.Reader), Case: chainCase(c), Modality: c.Model, Score: x.Score})
	}
	return m, export.Readings(s.Rated, len(s.Scores), side), nil
}

// chainCase names a chain as a case of the export: chains of one case are read apart, and may differ in truth.
func chainCase(c report.SuspectChain) string { return string(c.Case) + "/" + string(c.Chain) }
