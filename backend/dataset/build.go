package dataset

import (
	"context"
	"os"
	"slices"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// build finds everything out from the files. The head of the index is gone while it works, so that a build cut short leaves nothing that counts.
func (s *Set) build(ctx context.Context, tell review.Tell) error {
	err := s.ix.drop(bucketHead, bucketSources, bucketCases, bucketMade, bucketMadeChains, bucketEmbedded, bucketChains, bucketStacks, bucketGlances, bucketProblems)
	if err != nil {
		return err
	}
	s.forget()
	var t troubles
	switch {
	case s.format == Images:
		err = s.buildFolder(ctx, tell, &t)
	case s.format == Plumbline:
		err = s.buildOwn(ctx, tell, &t)
	default:
		err = s.buildForeign(ctx, tell, &t)
	}
	if err == nil {
		err = s.link(ctx, tell, &t)
	}
	s.troubles = t.list()
	if err != nil {
		return err
	}
	s.count()
	return s.remember(ctx)
}

// buildOwn reads our own format.
func (s *Set) buildOwn(ctx context.Context, tell review.Tell, t *troubles) error {
	s.watch(infoFile)
	s.watch(casesFile)
	s.watch(chainsFolder)
	for _, f := range chainFiles(s.root.dir) {
		s.watch(f)
	}
	s.info = loadInfo(s.root.dir, t)
	pictures := &pictures{set: s, byKey: map[string]*picture{}}
	if err := s.scanCases(ctx, grown{}, tell, t, pictures); err != nil {
		return err
	}
	if len(s.order) == 0 {
		if list := t.list(); len(list) > 0 {
			return fault.New(fault.Invalid, "look for cases", casesFile, "no case can be used; the first problem: %s line %d: %s",
				list[0].File, list[0].Line, list[0].Text)
		}
		return fault.New(fault.NotFound, "look for cases", casesFile, "the file holds no case")
	}
	if err := pictures.scan(ctx, tell, t); err != nil {
		return err
	}
	if err := s.checkCounterparts(t); err != nil {
		return err
	}
	return s.scanChains(ctx, nil, tell, t)
}

// scanCases streams cases.jsonl, from where it has grown, and asks for the pictures of each case.
func (s *Set) scanCases(ctx context.Context, from grown, tell review.Tell, t *troubles, want *pictures) error {
	err := eachRecordFrom(ctx, s.root.dir, casesFile, from, t, review.RestoreCase, func(at record, c review.Case) {
		fail := idFault(string(c.ID))
		switch {
		case fail != "":
			t.addf("", casesFile, at.Line, "id", "%s", fail)
			return
		case s.cases[c.ID] != nil:
			t.addf(c.ID, casesFile, at.Line, "id", "case %s stands twice; the first, in line %d, is used", c.ID, s.cases[c.ID].At.Line)
			return
		}
		s.take(c, at, casesFile, t, want)
		if n := len(s.order); n%500 == 0 {
			tell(review.Progress{Op: "cases", Done: n, Of: casesFile})
		}
	})
	if os.IsNotExist(err) {
		return fault.New(fault.NotFound, "look for cases", casesFile, "file not found beside %s", infoFile)
	}
	return err
}

// take adds a case that stands in a file, and asks for its pictures.
func (s *Set) take(c review.Case, at record, file string, t *troubles, want *pictures) {
	checkCase(c, record{File: file, Line: at.Line}, s.info.StagePack, t)
	if c.Patient == "" && s.info.ClusterKey == "patient" {
		t.addf(c.ID, file, at.Line, "patient", "case %s: no patient; it counts as a patient of its own, which cannot be verified", c.ID)
	}
	listed := c.Images
	c, pairs := mendCase(c)
	e := &entry{ID: c.ID, At: at, Patient: c.Patient, Study: c.Study, Images: []imageEntry{}}
	for i, m := range append(c.Images, pairs...) {
		made := imageEntry{ID: m.ID, Variant: m.DerivedFrom != "", Made: m.Intervention != ""}
		if i >= len(c.Images) { // behind what is shown, so that an image has one place in both
			made.Pair, made.Of = m.Intervention, m.DerivedFrom
		}
		e.Images = append(e.Images, made)
		field := slices.IndexFunc(listed, func(l review.Image) bool { return l.ID == m.ID })
		want.ask(m, use{c: e, image: i, field: field, file: file, line: at.Line, kind: m.Kind, shown: c.FramesShown})
	}
	s.order = append(s.order, c.ID)
	s.cases[c.ID] = e
}
