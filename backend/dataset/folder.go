package dataset

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"sort"
	"strings"

	"plumbline/backend/dcm"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// buildFolder makes cases of a folder, or one file, of images.
func (s *Set) buildFolder(ctx context.Context, tell review.Tell, t *troubles) error {
	s.drawing = drawing{}
	files, err := s.filesOf(ctx, t)
	if err != nil {
		return err
	}
	headers, rel, err := s.peekAll(ctx, files, tell, t)
	if err != nil {
		return err
	}
	headers, left := s.drawing.apart(headers)
	s.counts.Skipped += left
	rows, copies := group(headers, rel)
	s.drawing.share(rows)
	for _, f := range copies {
		t.addf("", f, 0, "", isCopy)
	}
	sort.SliceStable(rows, func(i, j int) bool { return rows[i].Files[0] < rows[j].Files[0] })
	if err := s.casesOf(rows, t); err != nil {
		return err
	}
	s.info = s.folderInfo()
	switch {
	case len(s.order) > 0:
		return nil
	case s.single() && len(rows) > 0:
		if _, err := s.decode(ctx, rows[0].Stack.Frames[0]); err != nil {
			return err
		}
	}
	return s.nothing(len(files), t)
}

// filesOf lists the files to look into, and remembers them as the sources of the set.
func (s *Set) filesOf(ctx context.Context, t *troubles) ([]found, error) {
	name := filepath.Join(s.root.dir, s.only)
	switch {
	case s.only == "":
		files, err := walk(ctx, s.root.dir)
		if err != nil {
			return nil, err
		}
		s.sources["."] = stamp{} // an empty folder is a folder too; what a walk finds tells whether it changed
		for _, f := range files {
			s.sources[f.rel] = f.stamp
		}
		s.checkDirectories(files, t)
		return files, nil
	case isDirectory(s.only):
		s.watch(s.only)
		return s.directoryFiles(ctx, t)
	case isArchive(s.only):
		s.watch(s.only)
		files := s.root.visitArchive(s.only, name)
		if len(files) == 1 && files[0].rel == s.only {
			return nil, fault.New(fault.Damaged, "open archive", s.only, "%s", files[0].wrong)
		}
		s.checkDirectories(files, t)
		return files, nil
	}
	file := s.root.visit(s.only, name)
	s.sources[file.rel] = file.stamp
	return []found{file}, nil
}

// single tells whether one image file was opened, and not a folder, an archive or what a DICOMDIR lists.
func (s *Set) single() bool { return s.only != "" && !isArchive(s.only) && !isDirectory(s.only) }

// peekAll loads the headers of all files, and says by what name each path is known.
func (s *Set) peekAll(ctx context.Context, files []found, tell review.Tell, t *troubles) ([]dcm.Header, map[string]string, error) {
	seen := make([]peeked, len(files))
	err := eachParallel(ctx, len(files), func(i int) {
		if files[i].wrong == "" {
			seen[i] = s.peek(filepath.Join(s.root.dir, filepath.FromSlash(files[i].rel)))
		}
	}, thinned(tell, "headers", len(files)))
	if err != nil {
		return nil, nil, err
	}
	var headers []dcm.Header
	rel := map[string]string{}
	for i, p := range seen {
		if p.draws {
			s.drawing.add(p.header, files[i].rel)
		}
		switch {
		case p.image:
			rel[p.header.Path] = files[i].rel
			headers = append(headers, p.header)
		case s.single() && p.err != nil:
			return nil, nil, p.err
		case files[i].wrong != "":
			t.addf("", files[i].rel, 0, "", "%s", files[i].wrong)
		case p.problem != "":
			t.addf("", files[i].rel, 0, "", "%s", p.problem)
		default:
			s.counts.Skipped++
		}
	}
	return headers, rel, nil
}

// casesOf makes one case of each stack that has a frame to show.
func (s *Set) casesOf(rows []stackRow, t *troubles) error {
	b := &batch{ix: s.ix}
	for _, row := range rows {
		id := s.folderID(row)
		if noteFrames(id, row, t) == 0 {
			continue
		}
		st := row.Stack
		m := review.Image{ID: "1", Path: row.Files[0], Series: st.Series, Kind: st.Kind, Modality: st.Modality}
		if len(row.Files) > 1 {
			m.Path = commonFolder(row.Files)
		}
		c := review.Case{Schema: review.CaseSchema, ID: id, Patient: review.PatientID(row.Patient), Study: row.Study,
			Images: []review.Image{m}, FramesShown: []int{}, Questions: []review.Question{}, Source: review.Source{Format: Images, File: row.Files[0]}}
		s.order = append(s.order, id)
		s.cases[id] = &entry{ID: id, Patient: c.Patient, Study: c.Study,
			Images: []imageEntry{{ID: m.ID, Stack: string(id), Frames: len(st.Frames), Series: st.Series, Study: row.Study, Shape: row.shape()}}}
		b.add(bucketStacks, string(id), encode(row))
		b.add(bucketMade, string(id), encode(c))
	}
	return b.flush()
}

// folderID names a case: a series by its modality and a digest of its UID (which stays the same wherever the files lie), another picture by its
// path.
func (s *Set) folderID(row stackRow) review.CaseID {
	name := stem(row.Files[0])
	if row.Stack.Series != "" {
		modality := row.Stack.Modality
		if modality == "" || strings.ContainsAny(modality, "/\\") {
			modality = "OT"
		}
		name = modality + "-" + string(review.DigestOf([]byte(row.Stack.Series)))[len("sha256:"):][:8]
	}
	if idFault(name) != "" {
		name = "image-" + string(review.DigestOf([]byte(row.Files[0])))[len("sha256:"):][:12]
	}
	id := review.CaseID(name)
	for n := 2; s.cases[id] != nil; n++ {
		id = review.CaseID(fmt.Sprintf("%s-%d", name, n))
	}
	return id
}

// commonFolder gives the deepest folder that holds all files, "." for the root.
func commonFolder(files []string) string {
	dir := path.Dir(files[0])
	for _, f := range files[1:] {
		for dir != "." && !strings.HasPrefix(f, dir+"/") {
			dir = path.Dir(dir)
		}
	}
	return dir
}

// folderInfo describes what no dataset.json does.
func (s *Set) folderInfo() review.Dataset {
	info := review.Dataset{Schema: review.DatasetSchema, Name: filepath.Base(s.root.dir), ClusterKey: "patient", Languages: []string{},
		StagePack: review.StagePack{Stages: []review.Stage{}}}
	if s.only != "" {
		info.Name = stem(s.only)
	}
	for _, e := range s.cases {
		if e.Patient == "" {
			info.ClusterKey = "image"
		}
	}
	return info
}

// nothing says that there is no image at all.
func (s *Set) nothing(files int, t *troubles) error {
	if list := t.list(); len(list) > 0 {
		return fault.New(fault.NotFound, "look for images", "", "none of %s is an image that can be shown; the first: %s: %s",
			countFiles(files), list[0].File, list[0].Text)
	}
	return fault.New(fault.NotFound, "look for images", "", "no image (DICOM, NIfTI, PNG, JPEG, WebP, BMP, TIFF) and no %s among %s", casesFile, countFiles(files))
}

func countFiles(n int) string {
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
}
