package dcm

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"plumbline/backend/review"
)

// A NIfTI file (nifti.nimh.nih.gov: nifti1.h, nifti2.h) holds a volume, or several of one place, with the way from its voxels into space. No
// kept Go library reads it; this is all of it that a viewer needs. Frames are the planes of the third axis, column = first axis, row = second,
// samples as stored. Space is RAS in the file and LPS here, as in DICOM.

const kindNIfTI = "application/x-nifti"

// maxVolume bounds what a compressed file may hold once inflated: it is kept in memory while the file is open.
const maxVolume = 1 << 30

// niftiHead is the part of both versions of the header that is used.
type niftiHead struct {
	order            binary.ByteOrder
	version          int
	gzipped          bool
	dim              [8]int64
	datatype         int
	pixdim           [8]float64
	voxels           int64 // offset of the first
	slope, inter     float64
	low, high        float64 // cal_min and cal_max: the values to show black and white; both 0: not said
	qform, sform     int
	quatern, qoffset [3]float64
	srow             [3][4]float64
	units            int
	description      string
}

// The sizes of the two headers, which stand in their first four bytes.
const (
	nifti1Size = 348
	nifti2Size = 540
)

// niftiKind tells a NIfTI file by its first bytes, of a gzip file by those inside; nil is none.
func niftiKind(head []byte, file *source) (*niftiHead, error) {
	if len(head) < 4 {
		return nil, nil
	}
	gzipped := head[0] == 0x1F && head[1] == 0x8B
	var in io.Reader = io.NewSectionReader(file, 0, file.size)
	if gzipped {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, nil
		}
		in = z
	}
	b := make([]byte, nifti2Size)
	n, err := io.ReadFull(in, b)
	if n < 4 {
		return nil, nil
	}
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		size := order.Uint32(b)
		if size != nifti1Size && size != nifti2Size {
			continue
		}
		if n < int(size) {
			if err != nil && (gzipped || n < 8) {
				return nil, fmt.Errorf("NIfTI header: %w", errShort)
			}
			return nil, nil
		}
		h := &niftiHead{order: order, gzipped: gzipped}
		switch {
		case size == nifti1Size && string(b[344:347]) == "n+1":
			h.one(b)
		case size == nifti2Size && string(b[4:7]) == "n+2":
			h.two(b)
		case size == nifti1Size && string(b[344:347]) == "ni1", size == nifti2Size && string(b[4:7]) == "ni2":
			return nil, invalid{errors.New("NIfTI in two files (.hdr and .img) is not supported: one .nii or .nii.gz expected")}
		default:
			continue
		}
		return h, nil
	}
	return nil, nil
}

func (h *niftiHead) float32(b []byte) float64 {
	return float64(math.Float32frombits(h.order.Uint32(b)))
}

func (h *niftiHead) float64(b []byte) float64 { return math.Float64frombits(h.order.Uint64(b)) }

// one reads a header of version 1.
func (h *niftiHead) one(b []byte) {
	h.version = 1
	for i := range 8 {
		h.dim[i] = int64(int16(h.order.Uint16(b[40+2*i:])))
		h.pixdim[i] = h.float32(b[76+4*i:])
	}
	h.datatype = int(h.order.Uint16(b[70:]))
	h.voxels = whole(h.float32(b[108:]))
	h.slope, h.inter = h.float32(b[112:]), h.float32(b[116:])
	h.high, h.low = h.float32(b[124:]), h.float32(b[128:])
	h.units = int(b[123])
	h.description = cString(b[148:228])
	h.qform, h.sform = int(int16(h.order.Uint16(b[252:]))), int(int16(h.order.Uint16(b[254:])))
	for i := range 3 {
		h.quatern[i], h.qoffset[i] = h.float32(b[256+4*i:]), h.float32(b[268+4*i:])
		for j := range 4 {
			h.srow[i][j] = h.float32(b[280+16*i+4*j:])
		}
	}
}

// two reads a header of version 2.
func (h *niftiHead) two(b []byte) {
	h.version = 2
	for i := range 8 {
		h.dim[i] = int64(h.order.Uint64(b[16+8*i:]))
		h.pixdim[i] = h.float64(b[104+8*i:])
	}
	h.datatype = int(h.order.Uint16(b[12:]))
	h.voxels = int64(h.order.Uint64(b[168:]))
	h.slope, h.inter = h.float64(b[176:]), h.float64(b[184:])
	h.high, h.low = h.float64(b[192:]), h.float64(b[200:])
	h.description = cString(b[240:320])
	h.qform, h.sform = int(int32(h.order.Uint32(b[344:]))), int(int32(h.order.Uint32(b[348:])))
	for i := range 3 {
		h.quatern[i], h.qoffset[i] = h.float64(b[352+8*i:]), h.float64(b[376+8*i:])
		for j := range 4 {
			h.srow[i][j] = h.float64(b[400+32*i+8*j:])
		}
	}
	h.units = int(h.order.Uint32(b[500:]))
}

// whole gives a float that should be a whole number; -1 for what is none.
func whole(v float64) int64 {
	if v != math.Trunc(v) || v < 0 || v > 1<<50 {
		return -1
	}
	return int64(v)
}

func cString(b []byte) string {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(b), "\uFFFD"))
}

// sort is how one voxel type is stored.
type niftiSort struct {
	bits, samples int
	signed, float bool
}

// niftiSorts lists the types that are shown, by their code.
func niftiSorts(code int) (niftiSort, bool) {
	s, ok := map[int]niftiSort{
		2: {8, 1, false, false}, 256: {8, 1, true, false}, 4: {16, 1, true, false}, 512: {16, 1, false, false},
		8: {32, 1, true, false}, 768: {32, 1, false, false}, 1024: {64, 1, true, false}, 1280: {64, 1, false, false},
		16: {32, 1, true, true}, 64: {64, 1, true, true}, 128: {8, 3, false, false},
	}[code]
	return s, ok
}

// niftiName names a type that is not shown.
func niftiName(code int) string {
	name, ok := map[int]string{1: "single bits", 32: "complex numbers", 1792: "complex numbers", 2048: "complex numbers",
		1536: "floats of 128 bits", 2304: "RGBA colours"}[code]
	if !ok {
		name = "an unknown type"
	}
	return fmt.Sprintf("%s (%d)", name, code)
}

// loadNIfTI reads the header of a NIfTI file into frames.
func loadNIfTI(path string, h *niftiHead, file *source, err error) (*File, error) {
	if err != nil {
		return nil, err
	}
	n, err := h.volume(file.size)
	if err != nil {
		return nil, err
	}
	out := Header{Path: path, Size: file.size, TransferSyntax: kindNIfTI, HasPixels: true, Description: h.description, Notes: n.notes,
		Frames: n.frames()}
	if !h.gzipped {
		for i := range out.Frames {
			if n.at(i)+n.size() > file.size {
				out.Frames[i].Problem = fmt.Sprintf("pixel data cut short: %d of %d bytes", max(0, file.size-h.voxels), n.at(n.planes*n.times-1)+n.size()-h.voxels)
			}
		}
	}
	if n.times > 1 {
		for i := range out.Frames {
			out.Marks = append(out.Marks, Mark{Temporal: i/n.planes + 1})
		}
	}
	return &File{header: out, nifti: n}, nil
}

// volume checks the header and works out where frames lie.
func (h *niftiHead) volume(fileSize int64) (*nifti, error) {
	sort, ok := niftiSorts(h.datatype)
	if !ok {
		return nil, invalid{fmt.Errorf("NIfTI voxels of %s are not supported", niftiName(h.datatype))}
	}
	if h.dim[0] < 1 || h.dim[0] > 7 {
		return nil, fmt.Errorf("the NIfTI header says %d dimensions; 1 to 7 expected", h.dim[0])
	}
	size := [7]int64{1, 1, 1, 1, 1, 1, 1}
	for i := range h.dim[0] {
		if size[i] = h.dim[i+1]; size[i] < 1 || size[i] > 1<<20 {
			return nil, fmt.Errorf("dimension %d of the NIfTI file has size %d", i+1, size[i])
		}
	}
	n := &nifti{head: *h, sort: sort, columns: int(size[0]), rows: int(size[1]), planes: int(size[2]), times: 1}
	for _, more := range size[3:] {
		if n.times *= int(more); n.times > maxFrames {
			break
		}
	}
	switch frames := int64(n.planes) * int64(n.times); {
	case n.columns > 65535 || n.rows > 65535:
		return nil, invalid{fmt.Errorf("planes of %d×%d are larger than supported", n.columns, n.rows)}
	case frames > maxFrames:
		return nil, invalid{fmt.Errorf("%d frames are more than the %d of one file that are supported", frames, maxFrames)}
	case n.size() > maxFrame:
		return nil, invalid{fmt.Errorf("a frame of %d MiB is larger than the %d that are supported", n.size()>>20, maxFrame>>20)}
	}
	least := int64(nifti1Size + 4)
	if h.version == 2 {
		least = nifti2Size + 4
	}
	if h.voxels < least {
		n.head.voxels = least // some writers say 0
		if h.voxels != 0 {
			return nil, fmt.Errorf("the NIfTI header says that voxels begin at byte %d; %d or later expected", h.voxels, least)
		}
	}
	end := n.at(n.planes*n.times-1) + n.size()
	switch {
	case h.gzipped && end > maxVolume:
		return nil, invalid{fmt.Errorf("a compressed NIfTI file of %d MiB is larger than the %d that are supported: uncompressed .nii expected", end>>20, maxVolume>>20)}
	case h.gzipped && end > 1100*fileSize: // deflate packs at most 1,032 times
		return nil, fmt.Errorf("the file is too short for %d MiB of voxels: %w", end>>20, errShort)
	}
	n.place()
	return n, nil
}

// frames describes every plane, in the order of the file: planes, then times.
func (n *nifti) frames() []review.Frame {
	s := n.sort
	out := make([]review.Frame, n.planes*n.times)
	for i := range out {
		f := review.Frame{
			Index: i, FileFrame: i, Rows: n.rows, Columns: n.columns, Samples: s.samples, BitsAllocated: s.bits, BitsStored: s.bits,
			Signed: s.signed && !s.float, Float: s.float, Photometric: "MONOCHROME2", TransferSyntax: kindNIfTI, Slope: 1,
			Windows: []review.Window{}, VOIFunction: "LINEAR", WindowComputed: s.samples == 1,
		}
		if s.samples == 3 {
			f.Photometric = "RGB"
		} else if h := n.head; h.slope != 0 && !math.IsNaN(h.slope) && !math.IsInf(h.slope, 0) && !math.IsNaN(h.inter) && !math.IsInf(h.inter, 0) {
			f.Slope, f.Intercept = h.slope, h.inter
		}
		if h := n.head; s.samples == 1 && h.high > h.low && !math.IsInf(h.high-h.low, 0) {
			f.Windows = []review.Window{{Center: (h.low+h.high)/2 + .5, Width: h.high - h.low + 1, Explanation: "display range"}} // LINEAR
			f.WindowComputed = false
		}
		n.show(&f, i%n.planes)
		out[i] = f
	}
	return out
}
