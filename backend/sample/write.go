package sample

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"plumbline/backend/fault"
	"plumbline/backend/model"
	"plumbline/backend/phantom"
	"plumbline/backend/review"
)

// DefaultSeed is the seed of the study that the program offers.
const DefaultSeed = 1

// imageID names the one image of every case.
const imageID = review.ImageID("image-1")

// Made says what a study holds.
type Made struct {
	Cases    int   `json:"cases"`
	Patients int   `json:"patients"`
	Images   int   `json:"images"` // a volume counts as one
	Frames   int   `json:"frames"`
	Chains   int   `json:"chains"`
	Seed     int64 `json:"seed"`
	Kept     bool  `json:"kept"` // the study was there already and was left as it is
}

const datasetFile = "dataset.json"

// Write writes the study of a seed into dir. It is written beside dir and moved there when complete, so that a failure or ctx's end leaves
// nothing behind. A dir that holds the study of this seed is left as it is; any other folder that is not empty is refused (fault.Invalid).
func Write(ctx context.Context, dir string, seed int64, tell review.Tell) (Made, error) {
	const op = "write the sample study"
	dir = filepath.Clean(dir)
	p := newPlan(seed)
	made := p.count()
	switch kept, err := present(dir, seed); {
	case err != nil:
		return Made{}, fault.In(op, dir, err)
	case kept:
		made.Kept = true
		return made, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return Made{}, fault.In(op, dir, err)
	}
	beside, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+".part-")
	if err != nil {
		return Made{}, fault.In(op, dir, err)
	}
	defer os.RemoveAll(beside) // gone already after the rename
	if err := os.Chmod(beside, 0o755); err != nil {
		return Made{}, fault.In(op, dir, err)
	}
	if err := p.write(ctx, beside, tell); err != nil {
		return Made{}, fault.In(op, dir, err)
	}
	if err := os.Remove(dir); err != nil && !os.IsNotExist(err) { // an empty folder: it was seen to be one
		return Made{}, fault.In(op, dir, err)
	}
	if err := os.Rename(beside, dir); err != nil {
		return Made{}, fault.In(op, dir, err)
	}
	return made, nil
}

// present says whether dir holds the study of this seed; an error says that it holds something else.
func present(dir string, seed int64) (bool, error) {
	entries, err := os.ReadDir(dir)
	switch {
	case os.IsNotExist(err):
		return false, nil
	case err != nil:
		return false, err
	case len(entries) == 0:
		return false, nil
	}
	b, err := os.ReadFile(filepath.Join(dir, datasetFile))
	if err != nil && !os.IsNotExist(err) {
		return false, err
	}
	set, bad := review.RestoreDataset(b)
	switch {
	case err != nil || bad != nil || set.Name != studyName:
		return false, fault.New(fault.Invalid, "use folder", dir, "it is not empty and holds no sample study")
	case set.Source != source(seed):
		return false, fault.New(fault.Invalid, "use folder", dir, "it holds another sample study (%s)", set.Source)
	}
	return true, nil
}

// count says what the study of the plan will hold.
func (p *plan) count() Made {
	m := Made{Cases: len(p.cases), Patients: Patients, Images: len(p.exams), Seed: p.seed}
	for _, e := range p.exams {
		if e.film {
			m.Frames++
		} else {
			m.Frames += phantom.Frames
		}
	}
	for _, c := range p.cases {
		m.Chains += len(c.runs(p.seed, nil, c.questions(p.seed)))
	}
	return m
}

// recorded is what one exam brings to the study.
type recorded struct {
	truth   map[string][]review.Truth // by case
	chains  []review.Chain
	origins []review.Origin
}

// write renders every exam, on all processors, and then writes the records in the plan's order.
func (p *plan) write(ctx context.Context, dir string, tell review.Tell) error {
	total := p.count().Frames
	var done atomic.Int64
	var telling sync.Mutex
	step := func(e *exam) {
		telling.Lock()
		defer telling.Unlock()
		tell(review.Progress{Op: "sample", Done: int(done.Add(1)), Total: total, Of: e.folder()})
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	oracle := &model.Oracle{}
	results := make([]recorded, len(p.exams))
	var next atomic.Int64
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(p.exams) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				r, err := p.exam(ctx, dir, p.exams[i], oracle, step)
				if err != nil {
					stop(err)
					return
				}
				results[i] = r
			}
		})
	}
	group.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return p.writeRecords(dir, results)
}

// folder is where an exam's images lie, relative to the study.
func (e *exam) folder() string {
	return fmt.Sprintf("images/%s/e%d", strings.ToLower(e.patientID()), e.number)
}
