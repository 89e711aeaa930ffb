package desk

import (
	"bytes"
	"context"

	"plumbline/backend/fault"
	"plumbline/backend/pixels"
	"plumbline/backend/review"
)

// Frame gives frame n (0-based) of an image of a case, decoded; colour as RGB of 8 bits. Faults: NotFound, Invalid and Damaged from the
// decoder, IO, Cancelled.
func (d *Desk) Frame(ctx context.Context, caseID, image string, n int) (f review.Frame, s review.Samples, err error) {
	err = d.within("show frame", func(r *room) error {
		set, err := r.data("show frame")
		if err != nil {
			return err
		}
		if f, s, err = set.Samples(ctx, review.CaseID(caseID), review.ImageID(image), n); err != nil {
			return err
		}
		if pixels.IsColour(f) {
			s, err = pixels.RGB(f, s)
		}
		return fault.In("show frame", caseID, err)
	})
	return f, s, err
}

// Thumb gives a frame as a PNG of at most side pixels a side, through its first window.
func (d *Desk) Thumb(ctx context.Context, caseID, image string, n, side int) (png []byte, err error) {
	err = d.within("show thumbnail", func(r *room) error {
		set, err := r.data("show thumbnail")
		if err != nil {
			return err
		}
		f, s, err := set.Samples(ctx, review.CaseID(caseID), review.ImageID(image), n)
		if err != nil {
			return err
		}
		picture, err := pixels.Thumbnail(f, s, side)
		if err != nil {
			return fault.In("show thumbnail", caseID, err)
		}
		var out bytes.Buffer
		err = pixels.PNG(&out, picture)
		png = out.Bytes()
		return err
	})
	return png, err
}
