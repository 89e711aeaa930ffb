package app

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// csp lets the page run its own scripts and show its own pictures, and nothing else: model text can never load or run anything.
const csp = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; " +
	"worker-src 'self' blob:; img-src 'self' blob: data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-src 'none'"

// serve stands in front of the page's files: pixels by URL, and the headers of every answer.
//
//	GET /frames/{case}/{image}/{n}  raw little-endian samples; X-Plumbline-Samples names their type. With ?as={chain}&question={question} as a
//	                                model was sent them
//	GET /thumbs/{case}/{image}/{n}  a PNG of at most thumbSide pixels a side
//	GET /stop/{name},{name}         ends requests that were named by ?r={name}
//	GET /overlays/{case}/{layer}/{n}  what a layer draws over a frame: bytes 0-255, of a heatmap float32
func (f *face) serve(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A panic in this handler would take the whole window down.
		defer func() {
			if p := recover(); p != nil {
				f.log.Error().Str("panic", fmt.Sprint(p)).Bytes("stack", debug.Stack()).Msg("serve")
				http.Error(w, fmt.Sprintf("a bug: %v", p), http.StatusInternalServerError)
			}
		}()
		w.Header().Set("Content-Security-Policy", csp)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		switch kind, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/"); kind {
		case "frames":
			f.picture(w, r, rest, f.samples)
		case "thumbs":
			f.picture(w, r, rest, f.thumb)
		case "overlays":
			f.picture(w, r, rest, f.overlay)
		case "stop":
			f.stops.end(rest)
			w.WriteHeader(http.StatusNoContent)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// thumbSide is the longest side of a thumbnail in pixels.
const thumbSide = 128

// zeroTime leaves out Last-Modified.
var zeroTime time.Time

// place is one frame of one image, or layer, of one case.
type place struct {
	caseID, image string
	frame         int
}

// placeOf reads "{case}/{image}/{n}", ids path-escaped.
func placeOf(path string) (place, error) {
	parts := strings.Split(path, "/")
	if len(parts) != 3 {
		return place{}, fault.New(fault.Usage, "show frame", path, "case/image/number expected")
	}
	for i, p := range parts {
		s, err := url.PathUnescape(p)
		if err != nil {
			return place{}, fault.New(fault.Usage, "show frame", path, "not a path: %v", err)
		}
		parts[i] = s
	}
	n, err := strconv.Atoi(parts[2])
	if err != nil || n < 0 {
		return place{}, fault.New(fault.Usage, "show frame", path, "a frame number from 0 expected")
	}
	return place{parts[0], parts[1], n}, nil
}

func (f *face) picture(w http.ResponseWriter, r *http.Request, rest string, write func(http.ResponseWriter, *http.Request, place) error) {
	at, err := placeOf(rest)
	if err == nil && r.Method != http.MethodGet && r.Method != http.MethodHead {
		err = fault.New(fault.Usage, "show frame", rest, "GET expected")
	}
	if err == nil {
		named, done := f.stops.named(r)
		defer done()
		err = write(w, named, at)
	}
	if err != nil {
		http.Error(w, err.Error(), status(fault.KindOf(err)))
	}
}

// samplesOf gives the samples of a frame: the image's own, or with ?as=CHAIN&question=QUESTION those with which that chain was asked.
func (f *face) samplesOf(r *http.Request, at place) (s review.Samples, err error) {
	q := r.URL.Query()
	if chain := q.Get("as"); chain != "" {
		_, s, err = f.desk.FrameAs(r.Context(), at.caseID, at.image, at.frame, chain, q.Get("question"))
		return s, err
	}
	_, s, err = f.desk.Frame(r.Context(), at.caseID, at.image, at.frame)
	return s, err
}

func (f *face) samples(w http.ResponseWriter, r *http.Request, at place) error {
	s, err := f.samplesOf(r, at)
	if err != nil {
		return err
	}
	return give(w, r, s)
}

func (f *face) overlay(w http.ResponseWriter, r *http.Request, at place) error {
	s, err := f.desk.OverlayFrame(r.Context(), at.caseID, at.image, at.frame)
	if err != nil {
		return err
	}
	return give(w, r, s)
}

// give answers with samples.
func give(w http.ResponseWriter, r *http.Request, s review.Samples) error {
	name, err := sampleType(s)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("X-Plumbline-Samples", name)
	h.Set("X-Plumbline-Size", fmt.Sprintf("%d %d", s.Rows, s.Columns))
	h.Set("Cache-Control", "no-store") // the page keeps its own frames within a budget
	http.ServeContent(w, r, "", zeroTime, bytes.NewReader(s.Data))
	return nil
}

func (f *face) thumb(w http.ResponseWriter, r *http.Request, at place) error {
	png, err := f.desk.Thumb(r.Context(), at.caseID, at.image, at.frame, thumbSide)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "image/png")
	http.ServeContent(w, r, "", zeroTime, bytes.NewReader(png))
	return nil
}

// sampleType names the samples as the page's loader knows them.
func sampleType(s review.Samples) (string, error) {
	switch {
	case s.PerPixel == 3 && s.BitsAllocated == 8:
		return "rgb8", nil
	case s.PerPixel == 1 && s.Float && s.BitsAllocated == 32:
		return "float32", nil
	case s.PerPixel == 1 && !s.Float && s.Signed && s.BitsAllocated == 16:
		return "int16", nil
	case s.PerPixel == 1 && !s.Float && s.BitsAllocated == 16:
		return "uint16", nil
	case s.PerPixel == 1 && !s.Float && s.Signed && s.BitsAllocated == 8:
		return "int8", nil
	case s.PerPixel == 1 && !s.Float && s.BitsAllocated <= 8:
		return "uint8", nil
	}
	return "", fault.New(fault.Invalid, "show frame", "", "%d samples of %d bits a pixel are not shown", s.PerPixel, s.BitsAllocated)
}

func status(k fault.Kind) int {
	switch k {
	case fault.NotFound:
		return http.StatusNotFound
	case fault.Usage:
		return http.StatusBadRequest
	case fault.Invalid, fault.Damaged:
		return http.StatusUnprocessableEntity
	case fault.Refused:
		return http.StatusForbidden
	case fault.Cancelled:
		return 499
	}
	return http.StatusInternalServerError
}
