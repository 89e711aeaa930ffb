package dcm

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"

	"plumbline/backend/review"
)

// nifti is where the frames of a NIfTI file are, in the file and in space.
type nifti struct {
	head                         niftiHead
	sort                         niftiSort
	columns, rows, planes, times int
	notes                        []string
	known                        bool          // the way into space
	axes                         [3][3]float64 // of column, row and plane: unit vectors, LPS
	step                         [3]float64    // mm from voxel to voxel along each
	origin                       [3]float64    // of voxel 0,0,0, LPS
	square                       bool          // rows and columns stand at right angles
	turn                         int           // as EXIF numbers it: how a radiologist sees the plane

	mu     sync.Mutex
	packed *packed // of a compressed file, once wanted
}

// size is the bytes of one frame.
func (n *nifti) size() int64 {
	return int64(n.rows) * int64(n.columns) * int64(n.sort.samples) * int64(n.sort.bits/8)
}

// at is the offset of frame i.
func (n *nifti) at(i int) int64 { return n.head.voxels + int64(i)*n.size() }

// place finds the way from voxels into space: the sform where there is one, else the qform, else none (nifti1.h, methods 3, 2 and 1).
func (n *nifti) place() {
	h := n.head
	scale := 1.0
	switch h.units & 7 {
	case 1:
		scale = 1000 // metres
	case 3:
		scale = .001 // micrometres
	}
	var m [3][4]float64
	switch {
	case h.sform > 0:
		m = h.srow
	case h.qform > 0:
		m = h.rotation()
	default:
		n.notes = append(n.notes, "the NIfTI file does not say how its voxels lie in the patient")
		for i := range 3 {
			n.step[i] = math.Abs(h.pixdim[i+1]) * scale
		}
		return
	}
	if h.sform > 0 && h.qform > 0 && differs(m, h.rotation()) {
		n.notes = append(n.notes, "sform and qform of the NIfTI file differ; the sform is used")
	}
	for axis := range 3 {
		length := 0.0
		for i := range 3 {
			length += m[i][axis] * m[i][axis]
		}
		length = math.Sqrt(length)
		if !(length > 0) || math.IsInf(length, 0) {
			n.notes = append(n.notes, "the NIfTI file's way from voxels into the patient is damaged and not used")
			return
		}
		n.step[axis] = length * scale
		for i, sign := range [3]float64{-1, -1, 1} { // RAS to LPS
			n.axes[axis][i] = sign*m[i][axis]/length + 0
		}
	}
	for i, sign := range [3]float64{-1, -1, 1} {
		if math.IsNaN(m[i][3]) || math.IsInf(m[i][3], 0) {
			return
		}
		n.origin[i] = sign*m[i][3]*scale + 0
	}
	n.known = true
	n.square = isPlane(append(n.axes[0][:3:3], n.axes[1][:]...))
	if !n.square {
		n.notes = append(n.notes, "rows and columns of the NIfTI file do not stand at right angles: lengths and places are unknown")
	}
	n.turn = radiological(n.axes)
}

// rotation makes the matrix of a qform.
func (h niftiHead) rotation() [3][4]float64 {
	b, c, d := h.quatern[0], h.quatern[1], h.quatern[2]
	a := math.Sqrt(max(0, 1-b*b-c*c-d*d))
	if b*b+c*c+d*d > 1 { // rounding: a half turn
		length := math.Sqrt(b*b + c*c + d*d)
		b, c, d = b/length, c/length, d/length
	}
	r := [3][3]float64{
		{a*a + b*b - c*c - d*d, 2 * (b*c - a*d), 2 * (b*d + a*c)},
		{2 * (b*c + a*d), a*a + c*c - b*b - d*d, 2 * (c*d - a*b)},
		{2 * (b*d - a*c), 2 * (c*d + a*b), a*a + d*d - b*b - c*c},
	}
	face := 1.0
	if h.pixdim[0] < 0 {
		face = -1
	}
	var m [3][4]float64
	for i := range 3 {
		m[i] = [4]float64{r[i][0] * h.pixdim[1], r[i][1] * h.pixdim[2], r[i][2] * h.pixdim[3] * face, h.qoffset[i]}
	}
	return m
}

// differs tells whether two ways lead to places more than a tenth of a voxel apart.
func differs(a, b [3][4]float64) bool {
	for i := range 3 {
		for j := range 4 {
			if !(math.Abs(a[i][j]-b[i][j]) < .1) {
				return true
			}
		}
	}
	return false
}

// mainAxis gives the axis of the patient (0 left, 1 posterior, 2 head) that a direction follows most, and its sign.
func mainAxis(v [3]float64) (axis int, sign float64) {
	for i := range 3 {
		if math.Abs(v[i]) > math.Abs(v[axis]) {
			axis = i
		}
	}
	return axis, math.Copysign(1, v[axis])
}

// radiological gives the turn, as EXIF numbers it, that shows a plane as radiologists do: the patient's right at the left and the front above
// in an axial plane, the front at the left of a sagittal one, the head above in both others. 1 where no axis of the plane can be told.
func radiological(axes [3][3]float64) int {
	column, toward := mainAxis(axes[0]) // along a row of pixels
	row, down := mainAxis(axes[1])
	if column == row {
		return 1
	}
	lying := column > row // columns hold what belongs across: axial and coronal start with left, sagittal with posterior
	// The wanted directions: across is the lower of the two axes, to its positive end; down is posterior, or the feet.
	want := func(axis int) float64 {
		if axis == 2 {
			return -1
		}
		return 1
	}
	mirrored, upside := toward != want(column), down != want(row)
	if !lying {
		switch {
		case mirrored && upside:
			return 3
		case mirrored:
			return 2
		case upside:
			return 4
		}
		return 1
	}
	switch { // stored rows become columns
	case mirrored && upside:
		return 7
	case mirrored: // what runs along a row will run up
		return 8
	case upside:
		return 6
	}
	return 5
}

// show puts the place of plane k into a frame.
func (n *nifti) show(f *review.Frame, k int) {
	if n.step[0] > 0 && n.step[1] > 0 && !math.IsInf(n.step[0], 0) && !math.IsInf(n.step[1], 0) && (n.square || !n.known) {
		f.SpacingMM, f.SpacingSource = []float64{n.step[1], n.step[0]}, "NIfTI"
	}
	if !n.known || !n.square {
		return
	}
	f.Orientation = append(n.axes[0][:3:3], n.axes[1][:]...)
	for i := range 3 {
		f.Position = append(f.Position, n.origin[i]+float64(k)*n.step[2]*n.axes[2][i])
	}
	if n.turn > 1 {
		f.ExifOrientation = n.turn
	}
}

// decode gives frame i, little-endian.
func (n *nifti) decode(ctx context.Context, file *source, i int) (review.Samples, error) {
	data := file
	if n.head.gzipped {
		var err error
		if data, err = n.inflate(ctx, file, n.at(i)+n.size()); err != nil {
			return review.Samples{}, err
		}
	}
	b, err := data.bytesAt(n.at(i), n.size())
	if errors.Is(err, errShort) {
		have, need := max(0, data.size-n.head.voxels), int64(n.planes*n.times)*n.size()
		return review.Samples{}, fmt.Errorf("pixel data cut short: %d of %d bytes", have, need)
	}
	if err != nil {
		return review.Samples{}, err
	}
	if width := n.sort.bits / 8; width > 1 && n.head.order.Uint16([]byte{0, 1}) == 1 { // big endian
		for at := 0; at+width <= len(b); at += width {
			for x, y := at, at+width-1; x < y; x, y = x+1, y-1 {
				b[x], b[y] = b[y], b[x]
			}
		}
	}
	return review.Samples{Rows: n.rows, Columns: n.columns, PerPixel: n.sort.samples, BitsAllocated: n.sort.bits,
		Signed: n.sort.signed && !n.sort.float, Float: n.sort.float, Data: b}, nil
}

// packed is a compressed file on its way through the inflater. The inflater stays from call to call, the file is open during each alone.
type packed struct {
	from *source
	at   int64
	z    *gzip.Reader
	out  []byte
	over bool // nothing more comes
}

// Read gives the next packed bytes.
func (p *packed) Read(b []byte) (int, error) {
	if p.at >= p.from.size {
		return 0, io.EOF
	}
	n, err := p.from.ReadAt(b[:min(int64(len(b)), p.from.size-p.at)], p.at)
	p.at += int64(n)
	if n > 0 {
		err = nil
	}
	return n, err
}

// firstPiece is how much is set aside before any of it came; what comes after that is believed.
const firstPiece = 64 << 20

// inflate goes on until the bytes before end are there, as far as the file has them, and keeps them until forget.
func (n *nifti) inflate(ctx context.Context, file *source, end int64) (*source, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.packed == nil {
		p := &packed{from: file}
		z, err := gzip.NewReader(bufio.NewReaderSize(p, 1<<16))
		if err != nil {
			return nil, err
		}
		p.z, n.packed = z, p
	}
	p, want := n.packed, n.held()
	p.from = file
	for int64(len(p.out)) < end && !p.over {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if len(p.out) == cap(p.out) {
			size := want
			if len(p.out) == 0 {
				size = min(want, firstPiece)
			}
			more := make([]byte, len(p.out), size)
			copy(more, p.out)
			p.out = more
		}
		got, err := p.z.Read(p.out[len(p.out):min(cap(p.out), len(p.out)+1<<20)])
		p.out = p.out[:len(p.out)+got]
		p.over = err != nil
		if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) { // cut short: each frame says what is missing
			n.packed = nil
			return nil, fmt.Errorf("the compressed file is damaged: %w", err)
		}
	}
	return memory(p.out), nil
}

// forget lets go of what inflate kept.
func (n *nifti) forget() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.packed = nil
}

// held gives the bytes that decoding keeps in memory.
func (n *nifti) held() int64 {
	if !n.head.gzipped {
		return 0
	}
	return n.at(n.planes*n.times-1) + n.size()
}
