package dataset

import (
	"context"
	"path/filepath"
	"slices"

	"plumbline/backend/dcm"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// drawing gathers the files that draw over images, by the study they belong to and by the space they speak of.
type drawing struct {
	files  map[string][]string // Study Instance UID -> relative to the root
	spaces map[string][]string // Frame of Reference UID -> the same
}

func (d *drawing) add(h dcm.Header, rel string) {
	if d.files == nil {
		d.files, d.spaces = map[string][]string{}, map[string][]string{}
	}
	d.files[h.StudyUID] = append(d.files[h.StudyUID], rel)
	d.spaces[h.FrameOfReference] = append(d.spaces[h.FrameOfReference], rel)
}

// apart leaves segmentations out whose study has images of its own: they are shown over those. Alone, a segmentation is a picture.
func (d *drawing) apart(headers []dcm.Header) (images []dcm.Header, left int) {
	if len(d.files) == 0 {
		return headers, 0
	}
	pictured := map[string]bool{}
	for _, h := range headers {
		if !h.Draws() {
			pictured[h.StudyUID] = true
		}
	}
	for _, h := range headers {
		if h.Draws() && pictured[h.StudyUID] {
			left++
			continue
		}
		images = append(images, h)
	}
	return images, left
}

// share tells each stack which files draw that may mean it: those of its study, and those of its frame of reference.
func (d *drawing) share(rows []stackRow) {
	for i := range rows {
		var files []string
		if study := rows[i].Study; study != "" {
			files = append(files, d.files[study]...)
		}
		if space := rows[i].Stack.Space; space != "" {
			files = append(files, d.spaces[space]...)
		}
		if slices.Sort(files); len(files) > 0 {
			rows[i].Objects = slices.Compact(files)
		}
	}
}

// Overlays gives what is drawn over an image of a case: by its own files (groups 60xx), and by the segmentations, structure sets and reports of
// its study or its frame of reference that lie with it. Problems name files relative to the dataset. It reads every header of the image anew: whoever shows the image
// often keeps the answer. Faults: NotFound, Damaged (the index), IO, Cancelled.
func (s *Set) Overlays(ctx context.Context, id review.CaseID, image review.ImageID) ([]dcm.Overlay, []review.Problem, error) {
	const op = "read overlays"
	of := string(id) + "/" + string(image)
	e := s.cases[id]
	if e == nil {
		return nil, nil, fault.New(fault.NotFound, op, of, "no such case in the dataset")
	}
	at := slices.IndexFunc(e.Images, func(m imageEntry) bool { return m.ID == image && m.Stack != "" })
	if at < 0 {
		return nil, nil, fault.New(fault.NotFound, op, of, "the case has no such image that can be shown")
	}
	row, err := s.stackOf(e.Images[at].Stack)
	if err != nil {
		return nil, nil, fault.In(op, of, err)
	}
	headers := make([]dcm.Header, len(row.Files))
	err = eachParallel(ctx, len(row.Files), func(i int) {
		path := filepath.Join(s.root.dir, filepath.FromSlash(row.Files[i]))
		headers[i].Path = path
		if f, err := dcm.LoadFrom(path, s.files.open); err == nil { // what is wrong with it, Overlays says
			headers[i] = f.Header()
		}
	}, func(int) {})
	if err != nil {
		return nil, nil, fault.In(op, of, err)
	}
	objects := make([]string, len(row.Objects))
	for i, o := range row.Objects {
		objects[i] = filepath.Join(s.root.dir, filepath.FromSlash(o))
	}
	out, problems, err := dcm.Overlays(ctx, row.Stack, headers, objects, s.files.open)
	if err != nil {
		return nil, nil, fault.In(op, of, err)
	}
	for i := range problems {
		problems[i].File = s.relative(problems[i].File)
	}
	for i := range out {
		for j := range out[i].Regions {
			out[i].Regions[j].Image = image
		}
	}
	return out, problems, nil
}
