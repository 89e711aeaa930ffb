package sample

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"plumbline/backend/fault"
	"plumbline/backend/model"
	"plumbline/backend/phantom"
	"plumbline/backend/review"
)

// exam renders and writes one exam and records the chains of its cases.
func (p *plan) exam(ctx context.Context, dir string, e *exam, oracle model.Model, step func(*exam)) (recorded, error) {
	out := recorded{truth: map[string][]review.Truth{}}
	folder := filepath.Join(dir, filepath.FromSlash(e.folder()))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return out, err
	}
	s, where, digest, err := p.render(ctx, folder, e, step)
	if err != nil {
		return out, err
	}
	for _, c := range p.cases {
		if c.exam != e {
			continue
		}
		list := c.questions(p.seed)
		out.truth[c.id] = c.truth(list, where)
		for n, r := range c.runs(p.seed, oracle, list) {
			chain, origin, err := c.record(ctx, p.seed, n, r, list, s, digest)
			if err != nil {
				return out, err
			}
			out.chains, out.origins = append(out.chains, chain), append(out.origins, origin)
		}
	}
	return out, nil
}

// render writes the images of an exam; it gives them as a model gets them, what the finding changes, and the digest of all samples.
func (p *plan) render(ctx context.Context, folder string, e *exam, step func(*exam)) (sent, *review.Region, review.Digest, error) {
	s := sent{geometry: ctGeometry()}
	frames, columns, rows := phantom.Frames, phantom.Columns, phantom.Rows
	if e.film {
		s.geometry, frames, columns, rows = filmGeometry(), 1, phantom.FilmColumns, phantom.FilmRows
	}
	which := len(e.scene.Findings) - 1 // -1: none
	var all bytes.Buffer
	var extent phantom.Extent
	found := false
	for n := range frames {
		if err := ctx.Err(); err != nil {
			return s, nil, "", err
		}
		var stored, file bytes.Buffer
		var grey []uint8
		var err error
		if e.film {
			with, without := e.scene.FilmPair(which)
			if which >= 0 {
				extent, found = phantom.Widen(extent, found, n, columns, with, without)
			}
			stored.Write(storedFilm(with))
			grey, err = filmGrey(with), e.writeFilm(&file, p.seed, stored.Bytes())
		} else {
			with, without := e.scene.Pair(n, which)
			if which >= 0 {
				extent, found = phantom.Widen(extent, found, n, columns, with, without)
			}
			stored.Write(storedCT(with))
			grey, err = lungGrey(with), e.writeCT(&file, p.seed, n, stored.Bytes())
		}
		if err != nil {
			return s, nil, "", err
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%04d.dcm", n+1)), file.Bytes(), 0o644); err != nil {
			return s, nil, "", err
		}
		picture, err := asPNG(columns, rows, grey)
		if err != nil {
			return s, nil, "", err
		}
		s.images = append(s.images, picture)
		all.Write(stored.Bytes())
		step(e)
	}
	if which >= 0 && !found {
		return s, nil, "", fault.New(fault.Internal, "render", e.folder(), "the finding changes nothing")
	}
	return s, evidence(extent, columns, rows, e.film), review.DigestOf(all.Bytes()), nil
}

// evidence is the box of what a finding changes.
func evidence(x phantom.Extent, columns, rows int, film bool) *review.Region {
	w, h := float64(columns), float64(rows)
	r := &review.Region{
		ID: "e1", Image: imageID, Shape: review.Box,
		Coords: []float64{float64(x.X0) / w, float64(x.Y0) / h, float64(x.X1) / w, float64(x.Y1) / h},
	}
	if !film {
		r.From, r.To = &x.From, &x.To
	}
	return r
}
