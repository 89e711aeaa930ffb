package dataset

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"plumbline/backend/fault"
	"plumbline/backend/review"
	"plumbline/backend/store"
)

// The formats that Open tells apart.
const (
	Plumbline = "plumbline" // our own: dataset.json, cases.jsonl, chains/
	Images    = "images"    // a folder or file of images alone: each series or picture is a case without questions
)

// Counts says how much there really is. An image that several cases use counts once; a volume is one image.
type Counts struct {
	Cases    int `json:"cases"`
	Chains   int `json:"chains"`
	Patients int `json:"patients"` // patients known by an id
	Images   int `json:"images"`   // variants included
	Frames   int `json:"frames"`
	Variants int `json:"variants"` // images with derived_from
	Clusters int `json:"clusters"`
	Skipped  int `json:"skipped"` // files that are no images: text, archives, DICOM without pixels
}

// entry is what a Set holds of a case in memory; the rest lies in the files and the index.
type entry struct {
	ID      review.CaseID    `json:"id"`
	At      record           `json:"at"` // its line in cases.jsonl; zero for a folder of images
	Patient review.PatientID `json:"patient,omitempty"`
	Study   string           `json:"study,omitempty"`
	Images  []imageEntry     `json:"images"`
	Cluster string           `json:"cluster"` // the id of the cluster's first case
}

// imageEntry is one image of a case.
type imageEntry struct {
	ID      review.ImageID `json:"id"`
	Stack   string         `json:"stack,omitempty"` // its key in the bucket of stacks, "" when it cannot be used
	Frames  int            `json:"frames,omitempty"`
	Series  string         `json:"series,omitempty"` // Series and Study Instance UID in its files
	Study   string         `json:"study,omitempty"`
	Variant bool           `json:"variant,omitempty"`
	Made    bool           `json:"made,omitempty"` // the output of an intervention
	Pair    string         `json:"pair,omitempty"` // of a counterpart: "remove" or "insert"; it is not shown
	Of      review.ImageID `json:"of,omitempty"`   // whose counterpart it is
	Shape   string         `json:"shape"`          // of its stack
	Gone    string         `json:"gone,omitempty"` // of what is not there: what it is called
}

// chainEntry is where a chain lies.
type chainEntry struct {
	ID   review.ChainID `json:"id"`
	Case review.CaseID  `json:"case"`
	At   record         `json:"at"`
}

// A Set is an open dataset. It may be used by many goroutines at once.
type Set struct {
	root     root
	only     string // the one file that was opened, "" for a folder
	format   string
	foreign  foreign
	info     review.Dataset
	counts   Counts
	ix       index
	sources  map[string]stamp // every file that was looked at, by its name relative to the root
	order    []review.CaseID
	cases    map[review.CaseID]*entry
	chains   map[review.CaseID][]chainEntry
	troubles []trouble
	byCase   map[review.CaseID][]review.Problem // of those with a case
	files    *archives
	drawing  drawing // while a folder is being read
	frames   *frameCache
}

// Open opens a dataset folder, any folder of images, a single image file, or other people's records in a folder or a file. What it learns is kept in ix (nil: in memory only), and an
// unchanged dataset is taken from there the next time. Problems are those of the whole dataset, never about truth; they come with a fault too.
//
// Faults: NotFound where there is nothing to open, Invalid or Damaged for a single file that is no image or a broken one, IO, Cancelled (the
// index then holds no part of it).
func Open(ctx context.Context, dir string, ix *store.Index, tell review.Tell) (*Set, []review.Problem, error) {
	return OpenWith(ctx, dir, With{}, ix, tell)
}

// OpenWith is Open, told how to take other people's records. Faults also: Invalid where they are not of the format asked for, or a table is none.
func OpenWith(ctx context.Context, dir string, with With, ix *store.Index, tell review.Tell) (*Set, []review.Problem, error) {
	s, err := begin(dir, with)
	if err != nil {
		return nil, nil, fault.In("open dataset", dir, err)
	}
	if s.ix = newMemory(); ix != nil {
		s.ix = kept{ix}
	}
	known, err := s.recall(ctx, tell)
	if err == nil && !known {
		err = s.build(ctx, tell)
	}
	if err != nil {
		return nil, plain(s.troubles), fault.In("open dataset", dir, err)
	}
	s.byCase = map[review.CaseID][]review.Problem{}
	for _, t := range s.troubles {
		if t.Case != "" {
			s.byCase[t.Case] = append(s.byCase[t.Case], t.Problem)
		}
	}
	return s, plain(s.troubles), nil
}

// begin finds out what dir is.
func begin(dir string, with With) (*Set, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	s := &Set{format: Images, sources: map[string]stamp{}, cases: map[review.CaseID]*entry{}, chains: map[review.CaseID][]chainEntry{}, files: newArchives()}
	s.frames = newFrameCache(s.files.open)
	switch {
	case info.Mode().IsRegular():
		s.only = filepath.Base(dir)
		dir = filepath.Dir(dir)
		if s.only == infoFile || s.only == casesFile {
			s.only = ""
		}
	case !info.IsDir():
		return nil, fault.New(fault.Invalid, "open", dir, "neither a file nor a folder")
	}
	if s.root, err = newRoot(dir); err != nil {
		return nil, err
	}
	if s.only == "" && (exists(filepath.Join(dir, infoFile)) || exists(filepath.Join(dir, casesFile))) {
		s.format = Plumbline
		return s, nil
	}
	return s, s.lookForRecords(with)
}

// FormatOf tells what OpenWith would take a path for, without opening it. Faults: NotFound, Invalid, IO.
func FormatOf(dir string, with With) (string, error) {
	s, err := begin(dir, with)
	if err != nil {
		return "", fault.In("look at dataset", dir, err)
	}
	return s.format, nil
}

func exists(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// Format gives Plumbline or Images.
func (s *Set) Format() string { return s.format }

// Dir gives the folder of the dataset.
func (s *Set) Dir() string { return s.root.dir }

// Info gives what dataset.json says, or what a folder of images amounts to.
func (s *Set) Info() review.Dataset { return s.info }

// Counts says how much there is.
func (s *Set) Counts() Counts { return s.counts }

// IDs lists the cases in the order of the dataset. The caller may keep and change it.
func (s *Set) IDs() []review.CaseID { return append([]review.CaseID{}, s.order...) }

// Cluster names what a case depends on with others (measurement.md, 42): cases with the same name are not independent. The name is the id of
// the first such case; "" for an unknown case.
func (s *Set) Cluster(id review.CaseID) string {
	if e := s.cases[id]; e != nil {
		return e.Cluster
	}
	return ""
}

// CaseProblems lists the problems that concern one case, its chains and images among them.
func (s *Set) CaseProblems(id review.CaseID) []review.Problem {
	return append([]review.Problem{}, s.byCase[id]...)
}

// Case gives one case. Faults: NotFound, Invalid (the file was changed meanwhile), IO.
func (s *Set) Case(id review.CaseID) (review.Case, error) {
	e := s.cases[id]
	if e == nil {
		return review.Case{}, fault.New(fault.NotFound, "open case", string(id), "no such case in the dataset")
	}
	b, err := s.caseBytes(e)
	if err != nil {
		return review.Case{}, fault.In("open case", string(id), err)
	}
	c, err := review.RestoreCase(b)
	if err != nil {
		return review.Case{}, fault.New(fault.Damaged, "open case", string(id), "%v", err)
	}
	c, _ = mendCase(c)
	return c, nil
}

func (s *Set) caseBytes(e *entry) ([]byte, error) {
	if e.At.File != "" {
		return s.load(e.At)
	}
	b, err := s.ix.Get(bucketMade, string(e.ID))
	if err == nil && b == nil {
		err = fault.New(fault.Damaged, "look up in index", string(e.ID), "the index does not hold it; delete index.db and open again")
	}
	return b, err
}

// Place gives where an image stands in its case, from 1; 0 where the case has none of this id.
func (s *Set) Place(id review.CaseID, image review.ImageID) int {
	e := s.cases[id]
	if e == nil {
		return 0
	}
	return 1 + slices.IndexFunc(e.Images, func(m imageEntry) bool { return m.ID == image })
}

// mendCase leaves out second images of the same id (one id names one image) and gives the counterparts apart.
func mendCase(c review.Case) (mended review.Case, counterparts []review.Image) {
	seen := map[review.ImageID]bool{}
	images := c.Images
	c.Images = []review.Image{}
	for _, m := range images {
		switch {
		case seen[m.ID]:
		case isCounterpart(m):
			counterparts = append(counterparts, m)
		default:
			c.Images = append(c.Images, m)
		}
		seen[m.ID] = true
	}
	return c, counterparts
}

// Chains gives the chains of a case, in the order of their files' names and lines. What checking found wrong in one (an answer to a question
// that is not asked, a region outside the image) is left out of it, as its problem says. Faults: NotFound, Invalid, IO.
func (s *Set) Chains(id review.CaseID) ([]review.Chain, error) {
	out := []review.Chain{}
	if len(s.chains[id]) == 0 {
		if s.cases[id] == nil {
			return nil, fault.New(fault.NotFound, "open chains", string(id), "no such case in the dataset")
		}
		return out, nil
	}
	c, err := s.Case(id)
	if err != nil {
		return nil, err
	}
	for _, e := range s.chains[id] {
		chain, err := s.chainAt(e)
		if err != nil {
			return nil, err
		}
		out = append(out, mendChain(chain, c, s.cases[id].frameCounts(), func(string, string, ...any) {}))
	}
	return out, nil
}

// ChainIDs names the chains of a case, in their order.
func (s *Set) ChainIDs(id review.CaseID) []review.ChainID {
	out := make([]review.ChainID, 0, len(s.chains[id]))
	for _, e := range s.chains[id] {
		out = append(out, e.ID)
	}
	return out
}

// frameCounts gives the number of frames of each image, 0 where it could not be found out.
func (e *entry) frameCounts() map[review.ImageID]int {
	out := map[review.ImageID]int{}
	for _, m := range e.Images {
		if m.Pair == "" { // nothing is said of places in what is not shown
			out[m.ID] = m.Frames
		}
	}
	return out
}
