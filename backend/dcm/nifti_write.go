package dcm

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// WriteNIfTI writes frames of one stack, in their order, as a NIfTI file (version 1, little-endian; compress it to get a .nii.gz): the samples
// as stored, the way to modality values as scale, and the way into space as sform. Planes of a tilted gantry keep their shift. samples gives
// frame i; it is asked once for each, in order.
//
// Fault Invalid: frames that one NIfTI file cannot hold, with what stands against it: other sizes, types or scales among them, a table of
// modality values, or planes that are not evenly spaced. Others: those of samples, and IO of w.
func WriteNIfTI(w io.Writer, frames []review.Frame, samples func(i int) (review.Samples, error)) error {
	const op = "write NIfTI"
	head, err := niftiOf(frames)
	if err != nil {
		return fault.New(fault.Invalid, op, "", "%w", err)
	}
	if _, err := w.Write(head); err != nil {
		return fault.New(fault.IO, op, "", "%w", err)
	}
	for i, f := range frames {
		s, err := samples(i)
		if err != nil {
			return err
		}
		if s.Rows != f.Rows || s.Columns != f.Columns || s.PerPixel != f.Samples || len(s.Data) != f.Rows*f.Columns*f.Samples*s.Width() || s.Width() != max(1, f.BitsAllocated/8) {
			return fault.New(fault.Invalid, op, "", "frame %d is not as it says", i)
		}
		if _, err := w.Write(s.Data); err != nil {
			return fault.New(fault.IO, op, "", "%w", err)
		}
	}
	return nil
}

// niftiType gives the datatype of samples (nifti1.h), and their bits.
func niftiType(f review.Frame) (kind, bits int, err error) {
	switch {
	case f.Samples == 3 && f.BitsAllocated == 8 && (f.Photometric == "RGB" || f.Photometric == "YBR_RCT" || f.Photometric == "YBR_ICT"):
		return 128, 24, nil
	case f.Samples != 1 || f.Palette != nil:
		return 0, 0, fmt.Errorf("colours as %s with %d bits", f.Photometric, f.BitsAllocated)
	case f.Float && f.BitsAllocated == 32:
		return 16, 32, nil
	case f.Float:
		return 64, 64, nil
	}
	of := map[int][2]int{1: {2, 2}, 8: {2, 256}, 16: {512, 4}, 32: {768, 8}}
	kinds, ok := of[f.BitsAllocated]
	switch {
	case !ok:
		return 0, 0, fmt.Errorf("samples of %d bits", f.BitsAllocated)
	case f.Signed:
		return kinds[1], max(8, f.BitsAllocated), nil
	}
	return kinds[0], max(8, f.BitsAllocated), nil
}

// niftiOf makes the header, and the four bytes behind it that say there is no extension.
func niftiOf(frames []review.Frame) ([]byte, error) {
	if len(frames) == 0 {
		return nil, fmt.Errorf("no frames")
	}
	f := frames[0]
	for i, g := range frames {
		switch {
		case g.Problem != "":
			return nil, fmt.Errorf("frame %d: %s", i, g.Problem)
		case g.Rows != f.Rows || g.Columns != f.Columns || g.Samples != f.Samples || g.BitsAllocated != f.BitsAllocated || g.Signed != f.Signed || g.Float != f.Float:
			return nil, fmt.Errorf("frame %d has another size or other samples than the first", i)
		case g.Slope != f.Slope || g.Intercept != f.Intercept:
			return nil, fmt.Errorf("frame %d has another scale than the first", i)
		case g.ModalityLUT != nil:
			return nil, fmt.Errorf("modality values by a table")
		}
	}
	if max(f.Rows, f.Columns, len(frames)) > math.MaxInt16 {
		return nil, fmt.Errorf("more than %d rows, columns or frames", math.MaxInt16)
	}
	kind, bits, err := niftiType(f)
	if err != nil {
		return nil, err
	}
	b := make([]byte, nifti1Size+4)
	o := binary.LittleEndian
	real := func(at int, v float64) { o.PutUint32(b[at:], math.Float32bits(float32(v))) }
	o.PutUint32(b, nifti1Size)
	for i, d := range []int{3, f.Columns, f.Rows, len(frames), 1, 1, 1, 1} {
		o.PutUint16(b[40+2*i:], uint16(d))
	}
	o.PutUint16(b[70:], uint16(kind))
	o.PutUint16(b[72:], uint16(bits))
	real(76, 1)
	real(108, nifti1Size+4)
	real(112, f.Slope)
	real(116, f.Intercept)
	b[123] = 2 // millimetres
	copy(b[344:], "n+1\x00")
	steps, known, err := niftiSteps(frames)
	if err != nil {
		return nil, err
	}
	for axis, v := range steps {
		real(80+4*axis, math.Sqrt(v[0]*v[0]+v[1]*v[1]+v[2]*v[2]))
	}
	if known {
		o.PutUint16(b[254:], 1) // sform: where the scanner says
		for i, sign := range [3]float64{-1, -1, 1} {
			for axis, v := range steps {
				real(280+16*i+4*axis, sign*v[i]+0)
			}
			real(280+16*i+12, sign*f.Position[i]+0)
		}
	}
	return b, nil
}

// niftiSteps gives the ways, in mm, from column to column, row to row and plane to plane, and whether they are those of the patient. The
// first number of a spacing is between rows, and that of a NIfTI file between columns.
func niftiSteps(frames []review.Frame) (steps [3][3]float64, known bool, err error) {
	f := frames[0]
	row, column, plane := 1., 1., 1.
	if len(f.SpacingMM) == 2 {
		row, column = f.SpacingMM[0], f.SpacingMM[1]
	}
	if len(f.SpacingMM) != 2 || !placedInSpace(f) {
		return [3][3]float64{{column, 0, 0}, {0, row, 0}, {0, 0, plane}}, false, nil
	}
	n := normal(f.Orientation)
	for i := range 3 {
		steps[0][i], steps[1][i], steps[2][i] = column*f.Orientation[i], row*f.Orientation[i+3], plane*n[i]
	}
	if len(frames) == 1 {
		return steps, true, nil
	}
	g := Measure(frames)
	if len(g.Gaps) > 0 || g.SpacingMM == nil {
		return steps, false, fmt.Errorf("planes that are not evenly spaced: %v", g.Reasons)
	}
	last := frames[len(frames)-1]
	for i := range 3 {
		steps[2][i] = (last.Position[i] - f.Position[i]) / float64(len(frames)-1)
	}
	return steps, true, nil
}
