package dataset

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"plumbline/backend/dcm"
	"plumbline/backend/review"
)

// fewValues is how many distinct values an image needs so that being equal to another means anything: two black frames are no copies.
const fewValues = 16

// forest joins cases into components.
type forest struct {
	up    []int
	first map[string]int          // link -> a case that has it
	kinds map[int]map[string]bool // case -> kinds of link that joined it to another patient
}

func newForest(n int) *forest {
	f := &forest{up: make([]int, n), first: map[string]int{}, kinds: map[int]map[string]bool{}}
	for i := range f.up {
		f.up[i] = i
	}
	return f
}

// top gives the lowest case of i's component.
func (f *forest) top(i int) int {
	for f.up[i] != i {
		f.up[i] = f.up[f.up[i]]
		i = f.up[i]
	}
	return i
}

// link joins case i with every other that has the same value of this kind; "" links nothing.
func (f *forest) link(i int, kind, value string) {
	if value == "" {
		return
	}
	key := kind + "\x00" + value
	j, known := f.first[key]
	if !known {
		f.first[key] = i
		return
	}
	if a, b := f.top(i), f.top(j); a != b {
		f.up[max(a, b)] = min(a, b)
	}
	for _, c := range []int{i, j} {
		if f.kinds[c] == nil {
			f.kinds[c] = map[string]bool{}
		}
		f.kinds[c][kind] = true
	}
}

// link finds the clusters of measurement.md, 42: connected components over patient, study, volume or series, and the exact pixels of a whole
// image. Images with fewer than 16 distinct values and outputs of interventions link nothing. A component of more than two patients stays
// joined until a person says otherwise, which errs on the side of too few independent clusters, and is noted.
func (s *Set) link(ctx context.Context, tell review.Tell, t *troubles) error {
	t.linking = true
	defer func() { t.linking = false }()
	same, err := s.samePixels(ctx, tell, t)
	if err != nil {
		return err
	}
	f := newForest(len(s.order))
	for i, id := range s.order {
		e := s.cases[id]
		f.link(i, "patient", string(e.Patient))
		f.link(i, "study", e.Study)
		for _, m := range e.Images {
			if m.Gone != "" { // it cannot be compared, but has one name
				f.link(i, "image", "gone "+m.Gone)
			}
			if m.Stack == "" || m.Made {
				continue
			}
			f.link(i, "study", m.Study)
			f.link(i, "series", m.Series)
			f.link(i, "image", same[m.Stack])
		}
	}
	patients := map[int]map[review.PatientID]bool{}
	kinds := map[int]map[string]bool{}
	for i, id := range s.order {
		top, e := f.top(i), s.cases[id]
		e.Cluster = string(s.order[top])
		if patients[top] == nil {
			patients[top], kinds[top] = map[review.PatientID]bool{}, map[string]bool{}
		}
		if e.Patient != "" {
			patients[top][e.Patient] = true
		}
		maps.Copy(kinds[top], f.kinds[i])
	}
	s.counts.Clusters = len(patients)
	for _, top := range slices.Sorted(maps.Keys(patients)) {
		if n := len(patients[top]); n > 2 {
			e := s.cases[s.order[top]]
			delete(kinds[top], "patient")
			t.addf(e.ID, e.At.File, e.At.Line, "patient", "a shared %s joins %d patients into one cluster, that of case %s; please confirm that they belong together",
				strings.Join(slices.Sorted(maps.Keys(kinds[top])), " and "), n, e.ID)
		}
	}
	return nil
}

// glance is what the middle frame of a stack shows of it, and all of them where that was asked. It is kept in the index: nothing is decoded
// twice.
type glance struct {
	Shape    string `json:"s"`
	Digest   string `json:"d"`
	Distinct int    `json:"n"`
	All      string `json:"a"` // digest of all frames; "": not asked yet, or they cannot be decoded
	Values   int    `json:"v"` // distinct values of all

	fresh bool // not in the index as it is
}

// samePixels gives for each stack a name that it shares with every stack of exactly the same pixels; none for a stack that links nothing. All
// frames are decoded only where the middle ones are equal.
func (s *Set) samePixels(ctx context.Context, tell review.Tell, t *troubles) (map[string]string, error) {
	keys := s.stackKeys()
	glances := make([]glance, len(keys))
	var guard sync.Mutex
	err := eachParallel(ctx, len(keys), func(i int) {
		g, fail := s.glanceAt(ctx, keys[i].key)
		glances[i] = g
		if fail != (review.Problem{}) && ctx.Err() == nil {
			guard.Lock()
			defer guard.Unlock()
			t.add(keys[i].of, fail)
		}
	}, thinned(tell, "compare", len(keys)))
	if err != nil {
		return nil, err
	}
	alike := map[string][]int{}
	for i, g := range glances {
		alike[g.Shape+g.Digest] = append(alike[g.Shape+g.Digest], i)
	}
	out := map[string]string{}
	for i, k := range keys {
		g := glances[i]
		if g.Digest == "" {
			out[k.key] = "stack " + k.key // it cannot be decoded: known by its place alone
			continue
		}
		if len(alike[g.Shape+g.Digest]) == 1 && g.Distinct >= fewValues {
			out[k.key] = g.Digest
			continue
		}
		if g.All == "" {
			if g.All, g.Values, err = s.digestStack(ctx, k.key); ctx.Err() != nil {
				return nil, ctx.Err()
			}
			glances[i] = g
			glances[i].fresh = err == nil
		}
		switch {
		case g.All == "":
			out[k.key] = "stack " + k.key
		case g.Values >= fewValues:
			out[k.key] = "all " + g.All
		}
	}
	b := &batch{ix: s.ix}
	for i, g := range glances {
		if g.fresh && g.Digest != "" {
			b.add(bucketGlances, keys[i].key, encode(g))
		}
	}
	return out, b.flush()
}

type stackKey struct {
	key string
	of  review.CaseID
}

// stackKeys lists once every stack that might link: one of several cases, or of the shape of another.
func (s *Set) stackKeys() []stackKey {
	var all []stackKey
	uses, shapes, shapeOf := map[string]int{}, map[string]int{}, map[string]string{}
	for _, id := range s.order {
		for _, m := range s.cases[id].Images {
			if m.Stack == "" || m.Made {
				continue
			}
			if uses[m.Stack]++; uses[m.Stack] == 1 {
				all = append(all, stackKey{m.Stack, id})
				shapeOf[m.Stack] = m.Shape
				shapes[m.Shape]++
			}
		}
	}
	return slices.DeleteFunc(all, func(k stackKey) bool { return uses[k.key] == 1 && shapes[shapeOf[k.key]] == 1 })
}

// middle is the frame by which copies are suspected.
func (r stackRow) middle() int { return len(r.Stack.Frames) / 2 }

// shape is what stacks of the same pixels have in common without decoding any.
func (r stackRow) shape() string {
	f := r.Stack.Frames[r.middle()]
	return fmt.Sprint(f.Rows, f.Columns, f.Samples, f.BitsAllocated, len(r.Stack.Frames))
}

func (s *Set) glanceAt(ctx context.Context, key string) (glance, review.Problem) {
	var known glance
	if b, err := s.ix.Get(bucketGlances, key); err == nil && b != nil && json.Unmarshal(b, &known) == nil {
		return known, review.Problem{}
	}
	row, err := s.stack(key)
	if err != nil {
		return glance{}, review.Problem{}
	}
	n := row.middle()
	f := row.Stack.Frames[n]
	g := glance{Shape: row.shape(), fresh: true}
	if f.Problem != "" {
		return g, review.Problem{} // noted with the frames
	}
	got, err := s.decode(ctx, f)
	if err != nil {
		return g, review.Problem{File: row.Files[row.At[n][0]], Text: fmt.Sprintf("frame %d: %s", f.FileFrame, reason(err))}
	}
	g.Digest, g.Distinct = string(dcm.Digest(got)), distinctValues(got, map[string]bool{})
	return g, review.Problem{}
}

// decode loads one frame without the cache.
func (s *Set) decode(ctx context.Context, f review.Frame) (review.Samples, error) {
	file, err := dcm.LoadFrom(f.Path, s.files.open)
	if err != nil {
		return review.Samples{}, err
	}
	defer file.Close()
	return file.Samples(ctx, f.FileFrame)
}

// digestStack hashes every frame of a stack in order and counts its distinct values, up to fewValues.
func (s *Set) digestStack(ctx context.Context, key string) (string, int, error) {
	row, err := s.stack(key)
	if err != nil {
		return "", 0, err
	}
	sum, seen, n := sha256.New(), map[string]bool{}, 0
	for _, f := range row.Stack.Frames {
		got, err := s.decode(ctx, f)
		if err != nil {
			return "", 0, err
		}
		sum.Write([]byte(dcm.Digest(got)))
		n = distinctValues(got, seen)
	}
	return hex.EncodeToString(sum.Sum(nil)), n, nil
}

// distinctValues adds the pixel values of a frame to seen and gives their number; it stops at fewValues.
func distinctValues(s review.Samples, seen map[string]bool) int {
	step := s.Width() * max(1, s.PerPixel)
	for i := 0; i+step <= len(s.Data) && len(seen) < fewValues; i += step {
		if i > 0 && string(s.Data[i:i+step]) == string(s.Data[i-step:i]) {
			continue
		}
		seen[string(s.Data[i:i+step])] = true
	}
	return len(seen)
}

// relative names a file as problems do.
func (s *Set) relative(name string) string {
	rel, err := filepath.Rel(s.root.dir, name)
	if err != nil {
		return filepath.Base(name)
	}
	return filepath.ToSlash(rel)
}

// count fills in the counts that the cases give.
func (s *Set) count() {
	patients, stacks, variants := map[review.PatientID]bool{}, map[string]bool{}, map[string]bool{}
	for _, id := range s.order {
		e := s.cases[id]
		if e.Patient != "" {
			patients[e.Patient] = true
		}
		for _, m := range e.Images {
			if m.Stack == "" {
				continue
			}
			if !stacks[m.Stack] {
				stacks[m.Stack] = true
				s.counts.Frames += m.Frames
			}
			if m.Variant {
				variants[m.Stack] = true
			}
		}
	}
	s.counts.Cases, s.counts.Patients, s.counts.Images, s.counts.Variants = len(s.order), len(patients), len(stacks), len(variants)
}
