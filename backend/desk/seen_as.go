package desk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"plumbline/backend/dataset"
	"plumbline/backend/experiment"
	"plumbline/backend/fault"
	"plumbline/backend/pixels"
	"plumbline/backend/review"
	"plumbline/backend/sample"
)

// study gathers what runs are about.
func (r *room) study(ctx context.Context) (experiment.Study, error) {
	truth, _, err := r.set.Truth(ctx)
	if err != nil {
		return experiment.Study{}, err
	}
	s := experiment.Study{Source: r.set, Truth: truth, Bare: r.set} // pairs that the dataset supplies
	if bare, known := sample.OpenStudy(r.set.Info()); known {
		s.Bare = bare
	}
	s.Group = r.group
	s.Wording, err = WordingOf(r.dir)
	return s, err
}

// WordingOf gives the wording of cues and mitigations of a workspace: its wording.json, else that which comes with the program.
func WordingOf(workspace string) (experiment.Wording, error) {
	path := filepath.Join(workspace, "wording.json")
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return experiment.DefaultWording(), nil
	}
	if err != nil {
		return experiment.Wording{}, fault.In("read wording", path, err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, 1<<20))
	if err != nil {
		return experiment.Wording{}, fault.In("read wording", path, err)
	}
	w, err := experiment.ReadWording(b)
	return w, fault.In("read wording", path, err)
}

// group gives the cases of a paraphrase group. The groups are found once.
func (r *room) group(name string) ([]review.Case, error) {
	g := &r.shown.groups
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.set != r.set {
		g.set, g.of = r.set, map[string][]review.CaseID{}
		for _, id := range r.set.IDs() {
			c, err := r.set.Case(id)
			if err != nil {
				g.set = nil
				return nil, err
			}
			if c.Group != "" {
				g.of[c.Group] = append(g.of[c.Group], id)
			}
		}
	}
	var out []review.Case
	for _, id := range g.of[name] {
		c, err := r.set.Case(id)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// groups are the paraphrase groups of a dataset.
type groups struct {
	mu  sync.Mutex
	set *dataset.Set // whose they are; nil: not looked for yet
	of  map[string][]review.CaseID
}

// FrameAs gives frame n of the pictures with which a chain was asked a question, in the order sent, in a form that the viewer takes. image
// is the case's. Faults: Refused outside of the coordinator's seat and while the protocol hides conditions from this reader; NotFound.
func (d *Desk) FrameAs(ctx context.Context, caseID, image string, n int, chain, question string) (f review.Frame, s review.Samples, err error) {
	const op = "show frame of a condition"
	err = d.within(op, func(r *room) error {
		if err := r.experimenter(op); err != nil {
			return err
		}
		if hidden, err := r.hidesArms(ctx, caseID); err != nil || hidden {
			if err == nil {
				err = fault.New(fault.Refused, op, chain, "conditions are hidden until the patient is signed")
			}
			return err
		}
		id, err := r.caseNamed(op, caseID)
		if err != nil {
			return err
		}
		o, err := r.originOf(review.ChainID(chain))
		if err != nil {
			return err
		}
		at := -1
		if o != nil {
			at = slices.IndexFunc(o.Recipes, func(v review.Recipe) bool { return slices.Contains(v.Questions, review.QuestionID(question)) })
		}
		if at < 0 {
			return fault.New(fault.NotFound, op, chain, "no picture is noted for question %q of this chain", question)
		}
		v, err := r.changedView(ctx, o.Chain, sightOf(id, o, o.Recipes[at], review.QuestionID(question), max(0, r.set.Place(id, review.ImageID(image))-1)))
		if err != nil {
			return err
		}
		if n < 0 || n >= len(v.Frames) {
			return fault.New(fault.NotFound, op, chain, "frame %d of %d that were sent", n+1, len(v.Frames))
		}
		f = v.Frames[n]
		s, err = pixels.Screen(f, v.Samples[n])
		return fault.In(op, caseID, err)
	})
	return f, s, err
}

// mostViews is how many changed images are kept ready to be shown: those of a comparison and its neighbours.
const mostViews = 6

// changedViews remembers the latest pictures under conditions. The zero value is empty.
type changedViews struct {
	mu   sync.Mutex
	kept []keptView // newest first
}

type keptView struct {
	key string
	v   experiment.View
}

// changedView makes the pictures of a sight, or gives those that are kept.
func (r *room) changedView(ctx context.Context, chain review.ChainID, at experiment.Sight) (experiment.View, error) {
	key := fmt.Sprintf("%s\x00%s\x00%d", chain, at.Question, at.Image)
	c := &r.shown.views
	c.mu.Lock()
	defer c.mu.Unlock() // one at a time: several frames of the same picture are asked for at once
	if i := slices.IndexFunc(c.kept, func(k keptView) bool { return k.key == key }); i >= 0 {
		return c.kept[i].v, nil
	}
	s, err := r.study(ctx)
	if err != nil {
		return experiment.View{}, err
	}
	v, err := s.View(ctx, at)
	if err != nil {
		return v, err
	}
	c.kept = append([]keptView{{key, v}}, c.kept[:min(len(c.kept), mostViews-1)]...)
	return v, nil
}
