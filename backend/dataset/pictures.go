package dataset

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"plumbline/backend/dcm"
	"plumbline/backend/review"
)

// use is one case's use of a picture.
type use struct {
	c     *entry
	image int // index in the case as it is kept
	field int // index in the file
	file  string
	line  int
	kind  review.ImageKind
	shown []int
}

// note tells a problem of the image where the case names it.
func (u use) note(t *troubles, field, format string, args ...any) {
	t.addf(u.c.ID, u.file, u.line, fmt.Sprintf("images[%d]%s", u.field, field), "case %s: %s", u.c.ID, fmt.Sprintf(format, args...))
}

// picture is one thing that cases call an image: a file, a folder, or a series in either or anywhere.
type picture struct {
	path, series string
	uses         []use
	files        []string // relative to the root
	row          stackRow
	wrong        string   // why there is no stack, or ""
	remarks      []string // what is odd about it
	broken       []brokenFile
}

type brokenFile struct{ rel, text string }

// pictures gathers what the cases name; one that several cases name is loaded once.
type pictures struct {
	set     *Set
	keys    []string
	byKey   map[string]*picture
	outside []string
}

// pictureKey tells pictures apart.
func pictureKey(m review.Image) string {
	p := m.Path
	if p != "" {
		p = path.Clean(p)
	}
	return p + "#" + m.Series
}

func (p *pictures) ask(m review.Image, u use) {
	if m.Path == "" && m.Series == "" {
		return // noted with the case
	}
	key := pictureKey(m)
	if p.byKey[key] == nil {
		p.byKey[key] = &picture{path: m.Path, series: m.Series}
		p.keys = append(p.keys, key)
	}
	p.byKey[key].uses = append(p.byKey[key].uses, u)
}

// scan finds the files of all pictures, loads their headers and keeps their stacks in the index.
func (p *pictures) scan(ctx context.Context, tell review.Tell, t *troubles) error {
	if err := p.find(ctx, tell); err != nil {
		return err
	}
	err := eachParallel(ctx, len(p.keys), func(i int) {
		if pic := p.byKey[p.keys[i]]; pic.wrong == "" {
			pic.load(ctx, p.set)
		}
	}, thinned(tell, "headers", len(p.keys)))
	if err != nil {
		return err
	}
	b := &batch{ix: p.set.ix}
	told := map[string]bool{}
	for _, key := range p.keys {
		pic := p.byKey[key]
		for _, f := range pic.broken {
			if !told[f.rel] {
				told[f.rel] = true
				t.addf(pic.uses[0].c.ID, f.rel, 0, "", "%s", f.text)
			}
		}
		if pic.wrong == "" {
			noteFrames(pic.uses[0].c.ID, pic.row, t)
			b.add(bucketStacks, key, encode(pic.row))
		}
		for _, u := range pic.uses {
			pic.settle(key, u, t)
		}
		pic.row = stackRow{}
	}
	if n := len(p.outside); n > 0 {
		t.addf("", casesFile, 0, "images", "%d image files lie beside the dataset folder and are used as named; the first is %s", n, p.outside[0])
	}
	return b.flush()
}

// settle tells a case what became of one of its images.
func (pic *picture) settle(key string, u use, t *troubles) {
	if pic.wrong != "" {
		u.note(t, ".path", "%s: %s", pic.name(), pic.wrong)
		u.c.Images[u.image].Gone = key
		return
	}
	for _, r := range pic.remarks {
		u.note(t, "", "%s: %s", pic.name(), r)
	}
	m, n := &u.c.Images[u.image], len(pic.row.Stack.Frames)
	m.Stack, m.Frames, m.Series, m.Study, m.Shape = key, n, pic.row.Stack.Series, pic.row.Study, pic.row.shape()
	if u.kind == review.SingleImage && n > 1 {
		u.note(t, ".kind", "%s has %d frames; kind frames or volume expected", pic.name(), n)
	}
	if slices.ContainsFunc(u.shown, func(f int) bool { return f < 0 || f >= n }) && u.image == 0 && (len(u.c.Images) == 1 || u.c.Images[1].Pair != "") {
		t.addf(u.c.ID, u.file, u.line, "frames_shown", "case %s: a frame is not there; %s has frames 0 to %d", u.c.ID, pic.name(), n-1)
	}
}

func (pic *picture) name() string {
	switch {
	case pic.path == "":
		return "series " + short(pic.series)
	case pic.series == "":
		return short(pic.path)
	}
	return short(pic.path) + " series " + short(pic.series)
}

// find turns names into files.
func (p *pictures) find(ctx context.Context, tell review.Tell) error {
	var bySeries map[string][]string
	told := thinned(tell, "files", len(p.keys))
	for i, key := range p.keys {
		pic := p.byKey[key]
		if pic.path == "" {
			if bySeries == nil {
				var err error
				if bySeries, err = p.set.seriesFiles(ctx, tell); err != nil {
					return err
				}
			}
			if pic.files = bySeries[pic.series]; len(pic.files) == 0 {
				pic.wrong = "no file of this series in the dataset"
			}
			continue
		}
		if _, inside := p.set.files.embeds(filepath.Join(p.set.root.dir, filepath.FromSlash(pic.path))); inside {
			pic.files = []string{pic.path}
			continue
		}
		at := p.set.root.locate(pic.path)
		if at.path != "" {
			p.set.watch(at.rel)
		}
		switch {
		case at.wrong != "":
			pic.wrong = at.wrong
		case at.info.IsDir():
			if err := p.folder(ctx, pic, at); err != nil {
				return err
			}
		case isArchive(at.rel) && !at.outside:
			pic.archive(p.set.root, at)
		default:
			pic.files = []string{at.rel}
			if at.outside {
				p.outside = append(p.outside, at.rel)
			}
		}
		told(i + 1)
	}
	return nil
}

// folder lists the files of a picture that is a folder.
func (p *pictures) folder(ctx context.Context, pic *picture, at place) error {
	files, err := walk(ctx, at.path)
	if err != nil {
		if ctx.Err() == nil {
			pic.wrong = "cannot be read: " + cause(err)
			return nil
		}
		return err
	}
	for _, f := range files {
		rel := path.Join(at.rel, f.rel)
		p.set.sources[rel] = f.stamp
		if folder := path.Dir(rel); folder != at.rel {
			p.set.watch(folder)
		}
		if f.wrong != "" {
			pic.broken = append(pic.broken, brokenFile{rel, f.wrong})
			continue
		}
		pic.files = append(pic.files, rel)
	}
	if len(pic.files) == 0 {
		pic.wrong = "the folder holds no file"
	}
	return nil
}

// archive lists the files of a picture that is a zip archive.
func (pic *picture) archive(r root, at place) {
	for _, f := range r.visitArchive(at.rel, at.path) {
		switch {
		case f.rel == at.rel:
			pic.wrong = f.wrong
		case f.wrong != "":
			pic.broken = append(pic.broken, brokenFile{f.rel, f.wrong})
		default:
			pic.files = append(pic.files, f.rel)
		}
	}
}

// seriesFiles finds which files of the whole dataset belong to which series.
func (s *Set) seriesFiles(ctx context.Context, tell review.Tell) (map[string][]string, error) {
	files, err := walk(ctx, s.root.dir)
	if err != nil {
		return nil, err
	}
	series := make([]string, len(files))
	err = eachParallel(ctx, len(files), func(i int) {
		if files[i].wrong == "" {
			series[i] = s.peek(filepath.Join(s.root.dir, filepath.FromSlash(files[i].rel))).header.SeriesUID
		}
	}, thinned(tell, "series", len(files)))
	out := map[string][]string{}
	for i, f := range files {
		if series[i] != "" {
			out[series[i]] = append(out[series[i]], f.rel)
			s.sources[f.rel] = f.stamp
			s.watch(path.Dir(f.rel))
		}
	}
	return out, err
}

// load makes the stack of a picture from its files.
func (pic *picture) load(ctx context.Context, s *Set) {
	var headers []dcm.Header
	var objects drawing
	rel := map[string]string{}
	for _, f := range pic.files {
		if ctx.Err() != nil {
			return
		}
		got := s.peek(filepath.Join(s.root.dir, filepath.FromSlash(f)))
		if got.draws {
			objects.add(got.header, f)
		}
		switch {
		case got.image && (pic.series == "" || got.header.SeriesUID == pic.series):
			rel[got.header.Path] = f
			headers = append(headers, got.header)
		case got.problem != "":
			pic.broken = append(pic.broken, brokenFile{f, got.problem})
		case got.err != nil && len(pic.files) == 1:
			pic.broken = append(pic.broken, brokenFile{f, reason(got.err)})
		}
	}
	headers, _ = objects.apart(headers)
	rows, copies := group(headers, rel)
	objects.share(rows)
	for _, f := range copies {
		pic.broken = append(pic.broken, brokenFile{f, isCopy})
	}
	if len(rows) == 0 {
		if pic.wrong = "no image that can be shown"; pic.series != "" && pic.path != "" {
			pic.wrong = "no image of this series that can be shown"
		}
		return
	}
	slices.SortStableFunc(rows, func(a, b stackRow) int { return len(b.Stack.Frames) - len(a.Stack.Frames) })
	pic.row = rows[0]
	if len(rows) > 1 {
		var kinds []string
		for _, r := range rows {
			kinds = append(kinds, fmt.Sprintf("%d frames", len(r.Stack.Frames)))
		}
		pic.remarks = append(pic.remarks, fmt.Sprintf("%d series or stacks (%s) where one is expected; the one with most frames is used",
			len(rows), strings.Join(kinds, ", ")))
	}
}
