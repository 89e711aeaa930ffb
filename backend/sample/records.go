package sample

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"plumbline/backend/review"
)

const studyName = "Synthetic sample study"

func source(seed int64) string { return fmt.Sprintf("plumb sample --seed %d", seed) }

// dataset describes the study.
func (p *plan) dataset() review.Dataset {
	return review.Dataset{
		Schema: review.DatasetSchema, Name: studyName, Version: "1", Source: source(p.seed), StagePack: stagePack, Languages: []string{"en"},
		Licence:    review.Licence{Name: "CC0-1.0", URL: "https://creativecommons.org/publicdomain/zero/1.0/", Redistribute: true},
		ClusterKey: "patient",
		Notes: "Everything here is synthetic: the images are rendered from a scene of simple shapes, no patient was imaged, and the histories are " +
			"invented; some of them mislead on purpose. Half of the patients have two cases on one volume, the others an earlier exam, so cases of " +
			"one patient are not independent. For research and education; not for diagnosis.",
	}
}

// caseOf gives a case as it stands in cases.jsonl.
func (p *plan) caseOf(c planned) review.Case {
	image := review.Image{ID: imageID, Path: c.exam.folder(), Series: c.exam.seriesUID(p.seed), Kind: review.Volume, Modality: "CT"}
	if c.exam.film {
		image.Path, image.Kind, image.Modality = c.exam.folder()+"/0001.dcm", review.SingleImage, "CR"
	}
	out := review.Case{
		Schema: review.CaseSchema, ID: review.CaseID(c.id), Patient: review.PatientID(c.exam.patientID()), Study: c.exam.studyUID(p.seed),
		Images: []review.Image{image}, FramesShown: []int{}, Context: c.exam.card(), Language: "en", Questions: []review.Question{},
	}
	for _, q := range c.questions(p.seed) {
		out.Questions = append(out.Questions, q.Question)
	}
	return out
}

// writeRecords writes everything but the images. Chains stand in the order of their ids, which tells nothing.
func (p *plan) writeRecords(dir string, results []recorded) error {
	var cases, truth, chains, origins bytes.Buffer
	var allChains []review.Chain
	var allOrigins []review.Origin
	for _, r := range results {
		allChains, allOrigins = append(allChains, r.chains...), append(allOrigins, r.origins...)
	}
	slices.SortFunc(allChains, func(a, b review.Chain) int { return strings.Compare(string(a.ID), string(b.ID)) })
	slices.SortFunc(allOrigins, func(a, b review.Origin) int { return strings.Compare(string(a.Chain), string(b.Chain)) })
	for _, c := range p.cases {
		line(&cases, p.caseOf(c))
		for i, e := range p.exams {
			if e == c.exam {
				for _, t := range results[i].truth[c.id] {
					line(&truth, t)
				}
			}
		}
	}
	for i := range allChains {
		line(&chains, allChains[i])
		line(&origins, allOrigins[i])
	}
	set, err := json.MarshalIndent(p.dataset(), "", "  ")
	if err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(dir, "chains"), 0o755); err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		b    []byte
	}{
		{"cases.jsonl", cases.Bytes()}, {"truth.jsonl", truth.Bytes()}, {"chains/recorded.jsonl", chains.Bytes()},
		{"chains/manifest.jsonl", origins.Bytes()}, {datasetFile, append(set, '\n')},
	} {
		if err := writeSynced(filepath.Join(dir, filepath.FromSlash(f.name)), f.b); err != nil {
			return err
		}
	}
	return nil
}

// line appends one JSON line.
func line(b *bytes.Buffer, v any) {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // plain data always marshals
	}
}

// writeSynced writes a file and waits until it is on the disk.
func writeSynced(path string, b []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer f.Close() // a second Close does nothing
	if _, err := f.Write(b); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return f.Close()
}
