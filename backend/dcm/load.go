package dcm

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// File is an image file whose header was read. It holds no open file; Samples opens it again. It is safe for concurrent use.
type File struct {
	header  Header
	picture *picture // of a PNG, JPEG, WebP, BMP or TIFF file
	dicom   *dicomFile
	nifti   *nifti
	open    Opener
}

// Header gives what the file says of itself.
func (f *File) Header() Header { return f.header }

// Load reads the header of an image file: DICOM, NIfTI, PNG, JPEG, WebP, BMP or TIFF. Its memory is bounded by the header, whatever the file claims.
//
// Faults: Invalid for a file of no supported sort (errors.Is ErrNotImage where it is none at all, or a DICOMDIR), Damaged for one that is
// cut short or corrupt, NotFound where there is no file, IO where it cannot be read. A damaged DICOM file may come with the fault as far as
// it could be read: then the File is not nil and its header has no frames.
func Load(path string) (*File, error) { return LoadFrom(path, OpenFile) }

// LoadFrom does as Load with a file that open finds.
func LoadFrom(path string, open Opener) (*File, error) {
	const op = "load image"
	file, err := open.source(path)
	if err != nil {
		return nil, loadFault(op, path, err)
	}
	defer file.close()
	f, err := loadSource(path, file)
	if f != nil {
		f.open, f.header.open = open, open
	}
	if err != nil {
		return f, loadFault(op, path, err)
	}
	return f, nil
}

// loadSource reads the header of an open file. A panic, of the library or ours, is the file's fault and not the program's.
func loadSource(path string, file *source) (f *File, err error) {
	defer func() {
		if p := recover(); p != nil {
			f, err = nil, fmt.Errorf("%v", p)
		}
	}()
	w := newWindow(file)
	head, err := w.peek(0, int(min(16, file.size)))
	if err != nil {
		return nil, err
	}
	if mark, err := w.peek(128, 4); err == nil && string(mark) == "DICM" {
		return loadDICOM(path, w) // whatever its preamble looks like: some hold a TIFF header
	}
	head = append([]byte(nil), head...)
	if kind := pictureKind(head); kind != "" {
		return loadPicture(path, kind, file)
	}
	if n, err := niftiKind(head, file); n != nil || err != nil {
		return loadNIfTI(path, n, file, err)
	}
	return loadDICOM(path, w)
}

// invalid is an error about a sort of file that is not supported, in contrast to a damaged one.
type invalid struct{ error }

func (e invalid) Unwrap() error { return e.error }

// loadFault gives an error of reading a file its kind: what the operating system said keeps its own, the rest is about the file's content.
func loadFault(op, path string, err error) error {
	kind := fault.KindOf(err)
	var sort invalid
	switch {
	case errors.Is(err, ErrNotImage) || errors.As(err, &sort):
		kind = fault.Invalid
	case kind == fault.Internal:
		kind = fault.Damaged
	}
	return &fault.Error{Op: op, Of: path, Kind: kind, Err: err}
}

// dicomFile is where the frames of a DICOM file are.
type dicomFile struct {
	syntax syntax
	spec   pixelSpec
	pixels element
	tables [2]element
	start  int64
	planes []overlayPlane

	mu       sync.Mutex
	inflated *source      // the data set of a deflated file, once wanted
	pieces   [][]fragment // of each encapsulated frame, once wanted
	err      error        // why there are none
}

// loadDICOM reads the header of a DICOM file.
func loadDICOM(path string, file window) (*File, error) {
	o, err := openPart10(file)
	if err != nil {
		return nil, err
	}
	if o.syntax.codec.entry() != "" {
		codecs() // they get ready in the background while headers are read
	}
	implicit := o.written()
	w := walker{window: o.data, order: o.syntax.order}
	found, walkErr := w.dataSet(o.start, implicit)
	for t, v := range values(o.syntax.order, found.small) {
		found.root.values[t] = v
	}
	h := headerOf(found.root, o.syntax)
	h.Path, h.Size = path, file.source.size
	f := &File{header: h}
	if o.guessed && h.SOPClass == "" && h.Modality == "" && found.root.integer(tagRows, 0) == 0 {
		return nil, errNoImage
	}
	if walkErr != nil {
		return f, walkErr
	}
	if found.pixels.tag == 0 {
		return f, nil // a report, a waveform, a plan
	}
	spec, err := specOf(found.root, found.pixels, o.syntax.order == binary.BigEndian)
	if err != nil {
		return f, invalid{err}
	}
	f.header.HasPixels = true
	f.header.Frames = spec.describeFrames(found.root, o.syntax, h.Modality)
	f.header.Marks = marksOf(found.root, f.header)
	f.dicom = &dicomFile{syntax: o.syntax, spec: spec, pixels: found.pixels, tables: found.tables, start: o.start}
	f.dicom.note(f.header.Frames, w.source)
	f.dicom.planes, f.header.Notes = planesOf(found, o.syntax.order, spec)
	f.header.OverlayGroups = len(f.dicom.planes)
	if found.profile && (spec.samples == 3 || spec.photometric == "PALETTE COLOR") {
		f.header.Notes = append(f.header.Notes, noteICC)
	}
	return f, nil
}

// note writes into each frame why it cannot be shown, as far as that is known without decoding.
func (d *dicomFile) note(frames []review.Frame, data *source) {
	if !d.syntax.encapsulated {
		have := d.available(data)
		for i := range frames {
			if need := d.frameEnd(i); need > have {
				frames[i].Problem = fmt.Sprintf("pixel data cut short: %d of %d bytes", have, d.frameEnd(d.spec.frames-1))
			}
		}
		return
	}
	problem := ""
	switch list, err := d.fragments(data); {
	case err != nil:
		problem = err.Error()
	case len(list) == 0:
		problem = "no pixel data"
	case d.syntax.codec == codecNone:
		problem = fmt.Sprintf("transfer syntax %s (%s) is not supported", d.syntax.name, d.syntax.uid)
	}
	for i := range frames {
		frames[i].Problem = problem
	}
}

// Samples decodes frame n (0-based) into canonical samples. Faults: NotFound for a file without pixels or without that frame, Invalid for a
// transfer syntax or layout that is not supported, Damaged for data cut short or corrupt, Cancelled.
func (f *File) Samples(ctx context.Context, n int) (review.Samples, error) {
	const op = "decode frame"
	path := f.header.Path
	switch {
	case ctx.Err() != nil:
		return review.Samples{}, fault.In(op, path, ctx.Err())
	case !f.header.HasPixels:
		return review.Samples{}, fault.New(fault.NotFound, op, path, "the file has no pixels")
	case n < 0 || n >= len(f.header.Frames):
		return review.Samples{}, fault.New(fault.NotFound, op, path, "there is no frame %d among %d", n, len(f.header.Frames))
	}
	file, err := f.open.source(path)
	if err != nil {
		return review.Samples{}, loadFault(op, path, err)
	}
	defer file.close()
	s, err := f.decodeFrom(ctx, file, n)
	if err != nil {
		return review.Samples{}, loadFault(op, path, err)
	}
	return s, nil
}

// decodeFrom decodes a frame of an open file.
func (f *File) decodeFrom(ctx context.Context, file *source, n int) (s review.Samples, err error) {
	defer func() {
		if p := recover(); p != nil {
			s, err = review.Samples{}, fmt.Errorf("%v", p)
		}
	}()
	switch {
	case f.picture != nil:
		return f.picture.decode(file, n)
	case f.nifti != nil:
		return f.nifti.decode(ctx, file, n)
	}
	return f.dicom.decode(ctx, file, n)
}

// Held gives about how many bytes decoding keeps in memory until Close.
func (f *File) Held() int64 {
	switch {
	case f.nifti != nil:
		return f.nifti.held()
	case f.dicom != nil && f.dicom.syntax.deflated:
		return f.dicom.spec.size() * int64(f.dicom.spec.frames)
	}
	return 0
}

// Close lets go of what decoding kept in memory. The File may be used again.
func (f *File) Close() error {
	if f.nifti != nil {
		f.nifti.forget()
	}
	if d := f.dicom; d != nil {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.inflated, d.pieces, d.err = nil, nil, nil
	}
	return nil
}
