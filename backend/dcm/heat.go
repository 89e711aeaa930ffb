package dcm

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// Heat is a heatmap: a value for each place of an image, or of each of its frames. It may be coarser than the picture.
type Heat struct {
	Frames, Rows, Columns int
	Values                []float32 // frame by frame, row by row; NaN where there is none
}

// maxHeat is how many values a heatmap may hold: one a pixel of a long series.
const maxHeat = 64 << 20

// LoadHeat reads a heatmap: a grey picture (PNG of 8 or 16 bits, or another that Load knows) or an array as numpy writes it (NEP 1), of rows
// × columns or of frames × rows × columns of plain numbers. Faults: as Load; Invalid for a picture in colour and for an array of something
// else, Damaged for one that is cut short.
func LoadHeat(ctx context.Context, path string, open Opener) (Heat, error) {
	const op = "load heatmap"
	file, err := open.source(path)
	if err != nil {
		return Heat{}, loadFault(op, path, err)
	}
	head, err := file.bytesAt(0, min(int64(len(npyMark)), file.size))
	if err == nil && string(head) == npyMark {
		var h Heat
		h, err = readNPY(file)
		file.close()
		if err != nil {
			return Heat{}, loadFault(op, path, err)
		}
		return h, nil
	}
	file.close()
	f, err := LoadFrom(path, open)
	if err != nil {
		return Heat{}, err
	}
	defer f.Close()
	return f.heat(ctx)
}

// heat takes the samples of a grey image for values.
func (f *File) heat(ctx context.Context) (h Heat, err error) {
	const op = "load heatmap"
	for n, frame := range f.header.Frames {
		if frame.Samples != 1 || frame.ExifOrientation > 1 {
			return Heat{}, fault.New(fault.Invalid, op, f.header.Path, "a heatmap is grey and not turned: one number for each place")
		}
		if n > 0 && (frame.Rows != h.Rows || frame.Columns != h.Columns) {
			return Heat{}, fault.New(fault.Invalid, op, f.header.Path, "its frames are of different sizes")
		}
		s, err := f.Samples(ctx, n)
		if err != nil {
			return Heat{}, err
		}
		h.Frames, h.Rows, h.Columns = n+1, s.Rows, s.Columns
		if len(h.Values)+s.Rows*s.Columns > maxHeat {
			return Heat{}, fault.New(fault.Invalid, op, f.header.Path, "more than %d values", maxHeat)
		}
		read, width := numberOf(sampleKind(s), binary.LittleEndian), s.Width()
		for i := range s.Rows * s.Columns {
			h.Values = append(h.Values, float32(read(s.Data[i*width:])*frame.Slope+frame.Intercept))
		}
	}
	if h.Frames == 0 {
		return h, fault.New(fault.Invalid, op, f.header.Path, "there is no picture in it")
	}
	return h, nil
}

// sampleKind names the type of samples as numpy does.
func sampleKind(s review.Samples) string {
	switch {
	case s.Float:
		return "f" + strconv.Itoa(s.Width())
	case s.Signed:
		return "i" + strconv.Itoa(s.Width())
	}
	return "u" + strconv.Itoa(s.Width())
}

const npyMark = "\x93NUMPY"

// The parts of the header of an array, a literal of Python.
var (
	npyType  = regexp.MustCompile(`'descr'\s*:\s*'([<>|=])([a-z]\d)'`)
	npyOrder = regexp.MustCompile(`'fortran_order'\s*:\s*True`)
	npyShape = regexp.MustCompile(`'shape'\s*:\s*\(([^)]*)\)`)
)

// readNPY reads an array.
func readNPY(file *source) (Heat, error) {
	wrong := func(format string, args ...any) (Heat, error) { return Heat{}, invalid{fmt.Errorf(format, args...)} }
	lead, err := file.bytesAt(0, min(12, file.size))
	if err != nil || len(lead) < 12 {
		return Heat{}, errShort
	}
	start, length := int64(10), int64(binary.LittleEndian.Uint16(lead[8:]))
	if lead[6] >= 2 {
		start, length = 12, int64(binary.LittleEndian.Uint32(lead[8:]))
	}
	if length > 64<<10 {
		return wrong("the header of an array is small; this one has %d bytes", length)
	}
	header, err := file.bytesAt(start, length)
	if err != nil {
		return Heat{}, err
	}
	kind, shape := npyType.FindSubmatch(header), npyShape.FindSubmatch(header)
	if kind == nil || shape == nil {
		return wrong("an array of plain numbers of one kind is expected")
	}
	order := binary.ByteOrder(binary.LittleEndian)
	if string(kind[1]) == ">" {
		order = binary.BigEndian
	}
	read := numberOf(string(kind[2]), order)
	switch {
	case read == nil:
		return wrong("values of the type %s are not read: f4, f8, or whole numbers of 1 to 4 bytes are expected", kind[2])
	case npyOrder.Match(header):
		return wrong("the array is in column order; rows are expected (numpy.ascontiguousarray)")
	}
	h, err := shapeOf(string(shape[1]))
	if err != nil {
		return Heat{}, invalid{err}
	}
	width := int64(kind[2][1] - '0')
	data, err := file.bytesAt(start+length, int64(h.Frames*h.Rows*h.Columns)*width)
	if err != nil {
		return Heat{}, err
	}
	h.Values = make([]float32, h.Frames*h.Rows*h.Columns)
	for i := range h.Values {
		h.Values[i] = float32(read(data[int64(i)*width:]))
	}
	return h, nil
}

// shapeOf reads "rows, columns" or "frames, rows, columns".
func shapeOf(s string) (h Heat, err error) {
	var n []int
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		v, err := strconv.Atoi(part)
		if err != nil || v < 1 || v > maxHeat {
			return h, fmt.Errorf("an array of (%.60s) is no heatmap", s)
		}
		n = append(n, v)
	}
	switch len(n) {
	case 2:
		h = Heat{Frames: 1, Rows: n[0], Columns: n[1]}
	case 3:
		h = Heat{Frames: n[0], Rows: n[1], Columns: n[2]}
	default:
		return h, fmt.Errorf("an array of rows and columns, or of frames, rows and columns is expected, not of (%.60s)", s)
	}
	if int64(h.Rows)*int64(h.Columns) > maxHeat || int64(h.Frames)*int64(h.Rows)*int64(h.Columns) > maxHeat {
		return h, fmt.Errorf("an array of (%.60s) holds more than %d values", s, maxHeat)
	}
	return h, nil
}

// numberOf gives the way to read one number of a type of numpy; nil for one that is not read.
func numberOf(kind string, order binary.ByteOrder) func([]byte) float64 {
	switch kind {
	case "f8":
		return func(b []byte) float64 { return math.Float64frombits(order.Uint64(b)) }
	case "f4":
		return func(b []byte) float64 { return float64(math.Float32frombits(order.Uint32(b))) }
	case "u1", "b1":
		return func(b []byte) float64 { return float64(b[0]) }
	case "i1":
		return func(b []byte) float64 { return float64(int8(b[0])) }
	case "u2":
		return func(b []byte) float64 { return float64(order.Uint16(b)) }
	case "i2":
		return func(b []byte) float64 { return float64(int16(order.Uint16(b))) }
	case "u4":
		return func(b []byte) float64 { return float64(order.Uint32(b)) }
	case "i4":
		return func(b []byte) float64 { return float64(int32(order.Uint32(b))) }
	}
	return nil
}

// WriteNPY writes a heatmap as an array of 4-byte numbers, frames × rows × columns.
func (h Heat) WriteNPY() []byte {
	text := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d, %d), }", h.Frames, h.Rows, h.Columns)
	text += strings.Repeat(" ", 63-(10+len(text))%64) + "\n" // the data begin at a multiple of 64
	out := append([]byte(npyMark), 1, 0)
	out = binary.LittleEndian.AppendUint16(out, uint16(len(text)))
	out = append(out, text...)
	for _, v := range h.Values {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v))
	}
	return out
}
