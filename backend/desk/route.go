package desk

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"slices"
	"strings"
	"sync"

	"plumbline/backend/experiment"
	"plumbline/backend/fault"
	"plumbline/backend/pixels"
	"plumbline/backend/review"
)

// Route says which model is to be asked of a case, and why: the one that was right most often on the cases that are most like it.
type Route struct {
	Case       string                 `json:"case"`
	Model      string                 `json:"model"`  // as a run names it: a profile or a control
	Reason     string                 `json:"reason"` // in words
	Neighbours []experiment.Neighbour `json:"neighbours"`
	Candidates []Candidate            `json:"candidates"` // the best first
	Pictures   []RoutePicture         `json:"pictures"`   // of the case and its neighbours, one each; none of a case without any
}

// RoutePicture is the frame by which a case is likened to others.
type RoutePicture struct {
	Case  string `json:"case"`
	Image string `json:"image"`
	Frame int    `json:"frame"` // 0-based
}

// Candidate is a model with what it said on the neighbours, under the plain condition.
type Candidate struct {
	Model string `json:"model"`
	Right int    `json:"right"`
	Of    int    `json:"of"` // questions whose right answer is known
}

const (
	routeOp       = "route case"
	neighbours    = 5
	mostLikened   = 2000 // cases whose pictures are looked at, the likest by words first
	likenessPixel = 128  // the longest side of the picture that is hashed
)

// RouteCase picks a model for a case by experience with cases like it (MedAlign's retrieval, with a perceptual hash and TF-IDF in place of learned
// embeddings). Faults: Refused outside of the coordinator's seat; NotFound for a case that is not there, and where no model was asked of a like
// case whose right answers are known.
func (d *Desk) RouteCase(ctx context.Context, name string) (out Route, err error) {
	err = d.within(routeOp, func(r *room) error {
		if err := r.experimenter(routeOp); err != nil {
			return err
		}
		set, err := r.data(routeOp)
		if err != nil {
			return err
		}
		if err := r.unblind("which model answers cases like one best"); err != nil {
			return err
		}
		id := review.CaseID(name)
		if !slices.Contains(set.IDs(), id) {
			return fault.New(fault.NotFound, routeOp, name, "no such case in the dataset")
		}
		known, err := r.likeByWords(ctx, id)
		if err != nil {
			return err
		}
		picture, err := r.pictureHash(ctx, id)
		if err != nil {
			return err
		}
		out = Route{Case: name}
		exact := false
		out.Neighbours, exact, err = experiment.Nearest(known, neighbours, mostLikened, func(other review.CaseID) (*float64, error) {
			if picture == nil {
				return nil, nil
			}
			h, err := r.pictureHash(ctx, other)
			return picture.Alike(h), err
		})
		if err != nil {
			return err
		}
		if out.Candidates, err = r.candidates(ctx, out.Neighbours); err != nil {
			return err
		}
		if len(out.Candidates) == 0 {
			return fault.New(fault.NotFound, routeOp, name, "no model was asked of a case like this one whose right answers are known")
		}
		if out.Pictures, err = r.likenessPictures(ctx, out); err != nil {
			return err
		}
		best := out.Candidates[0]
		out.Model, out.Reason = best.Model, whyRouted(out)
		if !exact {
			out.Reason += fmt.Sprintf("; of the %d cases with answers the pictures of the %d likest by words were compared", len(known), mostLikened)
		}
		return nil
	})
	return out, err
}

// whyRouted says in words why a model was chosen.
func whyRouted(v Route) string {
	var like, others []string
	for _, n := range v.Neighbours {
		s := fmt.Sprintf("%s (text %.2f", n.Case, n.Text)
		if n.Image != nil {
			s += fmt.Sprintf(", image %.2f", *n.Image)
		}
		like = append(like, s+")")
	}
	for _, c := range v.Candidates[1:] {
		others = append(others, fmt.Sprintf("%s %d of %d", c.Model, c.Right, c.Of))
	}
	best := v.Candidates[0]
	text := fmt.Sprintf("right in %d of %d answers on the nearest cases of other patients: %s", best.Right, best.Of, strings.Join(like, ", "))
	if len(others) > 0 {
		text += "; the others: " + strings.Join(others, ", ")
	}
	return text
}

// likeByWords tells how alike the words of a case are to those of every case of another patient that a model answered under the plain
// condition: what is known of the same patient would be no experience but memory.
func (r *room) likeByWords(ctx context.Context, id review.CaseID) ([]experiment.Neighbour, error) {
	asked, err := r.askedTwice()
	if err != nil {
		return nil, err
	}
	of, err := r.set.Case(id)
	if err != nil {
		return nil, err
	}
	var rarity experiment.Rarity
	own := experiment.WordsOf(of)
	rarity.Add(own)
	ids := slices.DeleteFunc(r.set.IDs(), func(other review.CaseID) bool {
		return other == id || !slices.ContainsFunc(asked[other], func(c plainChain) bool { return !c.again })
	})
	var one sync.Mutex
	words := func(fn func(review.CaseID, experiment.Words)) error {
		return forEach(ctx, len(ids), func(_ context.Context, i int) error {
			c, err := r.set.Case(ids[i])
			if err != nil || c.Patient != "" && c.Patient == of.Patient {
				return err
			}
			w := experiment.WordsOf(c)
			one.Lock()
			defer one.Unlock()
			fn(c.ID, w)
			return nil
		})
	}
	if err := words(func(_ review.CaseID, w experiment.Words) { rarity.Add(w) }); err != nil {
		return nil, err
	}
	var out []experiment.Neighbour
	err = words(func(other review.CaseID, w experiment.Words) { // twice over the cases, so that their words are not held
		out = append(out, experiment.Neighbour{Case: other, Text: rarity.Alike(own, w)})
	})
	return out, err
}

// pictureHash takes the hash of the picture by which a case is likened to others; nil where it has none that can be read.
func (r *room) pictureHash(ctx context.Context, id review.CaseID) (*experiment.PictureHash, error) {
	at, found, err := r.likenessPicture(ctx, id)
	if err != nil || !found {
		return nil, err
	}
	f, s, err := r.set.Samples(ctx, id, review.ImageID(at.Image), at.Frame)
	if err == nil {
		var picture image.Image
		if picture, err = pixels.Thumbnail(f, s, likenessPixel); err == nil {
			return experiment.HashOf(picture)
		}
	}
	if fault.KindOf(err) == fault.Cancelled {
		return nil, err
	}
	return nil, nil // a picture that cannot be read leaves the words
}

// likenessPicture names the frame by which a case is likened to others: of those of its first image that are shown and can be read, the middle
// one.
func (r *room) likenessPicture(ctx context.Context, id review.CaseID) (p RoutePicture, found bool, err error) {
	c, err := r.set.Case(id)
	if err != nil {
		return p, false, err
	}
	stacks, _, err := r.set.Stacks(ctx, id)
	if err != nil || len(stacks) == 0 {
		return p, false, err
	}
	var readable []int
	for n, f := range stacks[0].Frames {
		if f.Problem == "" && c.Shows(n, len(stacks[0].Frames)) {
			readable = append(readable, n)
		}
	}
	if len(readable) == 0 {
		return p, false, nil
	}
	return RoutePicture{string(id), string(stacks[0].Image), readable[len(readable)/2]}, true, nil
}

// likenessPictures names the picture of a case and of its neighbours.
func (r *room) likenessPictures(ctx context.Context, v Route) ([]RoutePicture, error) {
	ids := []review.CaseID{review.CaseID(v.Case)}
	for _, n := range v.Neighbours {
		ids = append(ids, n.Case)
	}
	out := []RoutePicture{}
	for _, id := range ids {
		p, found, err := r.likenessPicture(ctx, id)
		if err != nil {
			return nil, err
		}
		if found {
			out = append(out, p)
		}
	}
	return out, nil
}

// candidates counts what each model said rightly on some cases, the best first.
func (r *room) candidates(ctx context.Context, near []experiment.Neighbour) ([]Candidate, error) {
	gold, err := r.golds(ctx)
	if err != nil {
		return nil, err
	}
	count := map[string]*Candidate{}
	for _, n := range near {
		c, err := r.set.Case(n.Case)
		if err != nil {
			return nil, err
		}
		chains, err := r.set.Chains(n.Case)
		if err != nil {
			return nil, err
		}
		made, err := r.madeChains(n.Case)
		if err != nil {
			return nil, err
		}
		for _, chain := range append(slices.Clone(chains), made...) {
			o, err := r.originOf(chain.ID)
			if err != nil {
				return nil, err
			}
			if o == nil || o.Condition.Name() != "original" {
				continue
			}
			name := o.Model.Profile
			if name == "" || name == "control" {
				name = o.Model.Name
			}
			if count[name] == nil {
				count[name] = &Candidate{Model: name}
			}
			for _, a := range chain.Answers {
				if right, known := gold.right(c, a); known {
					count[name].Of++
					if right {
						count[name].Right++
					}
				}
			}
		}
	}
	out := []Candidate{}
	for _, c := range count {
		if c.Of > 0 {
			out = append(out, *c)
		}
	}
	slices.SortFunc(out, func(a, b Candidate) int {
		return cmp.Or(b.Right*a.Of-a.Right*b.Of, b.Of-a.Of, cmp.Compare(a.Model, b.Model))
	})
	return out, nil
}
