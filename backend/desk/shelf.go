package desk

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/binary"
	"io"
	"math"
	"sync"

	"plumbline/backend/dataset"
	"plumbline/backend/dcm"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// shelf keeps what lies over the images of the case opened last, whoever may see it: files are read once for a case, not once for a frame.
// Drawings are kept packed, since of most pixels there is nothing to say.
type shelf struct {
	mu       sync.Mutex
	set      heatSource
	caseID   review.CaseID
	layers   []laid
	problems []review.Problem
	warmed   heatSource      // where what follows comes from
	hot      map[string]heat // by the names of their files
	last     string          // the heatmap that is held whole
	whole    dcm.Heat
}

// from forgets the heatmaps of another dataset. mu is held.
func (s *shelf) from(set heatSource) {
	if s.warmed != set {
		s.warmed, s.hot, s.last, s.whole = set, map[string]heat{}, "", dcm.Heat{}
	}
}

// heatSource is where heatmaps come from.
type heatSource interface {
	Heat(ctx context.Context, name string) (dcm.Heat, error)
}

// heat is what is known of a heatmap without its values.
type heat struct {
	Frames, Rows, Columns int
	low, high             float64
	wrong                 string
}

// of gives what files draw over the images of a case.
func (s *shelf) of(ctx context.Context, set *dataset.Set, m *material) ([]laid, []review.Problem, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.set == heatSource(set) && s.caseID == m.of.ID {
		return s.layers, append([]review.Problem{}, s.problems...), nil
	}
	s.set, s.caseID, s.layers, s.problems = nil, "", nil, nil
	for n, st := range m.stacks {
		if len(st.Frames) == 0 {
			continue
		}
		overlays, problems, err := set.Overlays(ctx, m.of.ID, st.Image)
		if err != nil {
			return nil, nil, err
		}
		s.layers, s.problems = append(s.layers, drawnLayers(n+1, st.Image, overlays)...), append(s.problems, named(problems)...)
	}
	s.set, s.caseID = set, m.of.ID
	return s.layers, append([]review.Problem{}, s.problems...), nil
}

// heatOf says what a heatmap is, or why it cannot be read.
func (s *shelf) heatOf(ctx context.Context, set heatSource, name string) (h heat, err error) {
	s.mu.Lock()
	s.from(set)
	h, known := s.hot[name]
	s.mu.Unlock()
	if known {
		return h, nil
	}
	whole, err := set.Heat(ctx, name)
	if ctx.Err() != nil {
		return heat{}, fault.In("load heatmap", name, ctx.Err())
	}
	if err != nil {
		h.wrong = reasonOf(err)
	} else {
		h = heat{Frames: whole.Frames, Rows: whole.Rows, Columns: whole.Columns, low: math.Inf(1), high: math.Inf(-1)}
		for _, v := range whole.Values {
			if v := float64(v); !math.IsNaN(v) && !math.IsInf(v, 0) {
				h.low, h.high = min(h.low, v), max(h.high, v)
			}
		}
		if h.low > h.high {
			h.low, h.high, h.wrong = 0, 0, "none of its values is a number"
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.from(set)
	if len(s.hot) >= mostHeats {
		clear(s.hot)
	}
	s.hot[name] = h
	return h, nil
}

// mostHeats is of how many heatmaps the size is remembered.
const mostHeats = 1000

// warm gives the values of a heatmap over a frame.
func (s *shelf) warm(ctx context.Context, set heatSource, name string, n int) (review.Samples, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.from(set); s.last != name {
		h, err := set.Heat(ctx, name)
		if err != nil {
			return review.Samples{}, err
		}
		s.last, s.whole = name, h
	}
	h, at := s.whole, n
	if h.Frames == 1 {
		at = 0
	}
	if at >= h.Frames {
		return review.Samples{}, fault.New(fault.NotFound, "show heatmap", name, "it has %d frames", h.Frames)
	}
	out := review.Samples{Rows: h.Rows, Columns: h.Columns, PerPixel: 1, BitsAllocated: 32, Float: true}
	size := h.Rows * h.Columns
	for _, v := range h.Values[at*size : (at+1)*size] {
		out.Data = binary.LittleEndian.AppendUint32(out.Data, math.Float32bits(v))
	}
	return out, nil
}

// reasonOf gives what a fault says of a file, without its name.
func reasonOf(err error) string {
	for {
		f, ok := err.(*fault.Error)
		if !ok || f.Err == nil {
			return err.Error()
		}
		err = f.Err
	}
}

// pack packs a drawing, together with one that is there already: what either draws is drawn.
func pack(data, there []byte) []byte {
	if there != nil {
		if before, err := unpackDrawing(there, len(data)); err == nil {
			for i, v := range before {
				data[i] = max(data[i], v)
			}
		}
	}
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestSpeed) // the level is a good one
	_, _ = w.Write(data)                         // into memory
	_ = w.Close()
	return b.Bytes()
}

// unpackDrawing gives a drawing of so many pixels.
func unpackDrawing(packed []byte, size int) ([]byte, error) {
	out := make([]byte, size)
	_, err := io.ReadFull(flate.NewReader(bytes.NewReader(packed)), out)
	return out, err
}
