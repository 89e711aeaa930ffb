package dcm

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"image/jpeg"
	"io"
	"slices"

	"plumbline/backend/review"
)

// raster is a page of a TIFF file that the library does not do: of JPEG strips or tiles (TIFF Technical Note 2), or of floats.
type raster struct {
	order                binary.ByteOrder
	columns, rows        int
	samples, bits        int
	float                bool
	wide, high           int // of a strip or tile
	offsets, counts      []uint32
	compression          uint32
	photometric          uint32
	predictor            uint32
	tables               []byte // that all JPEG strips share: a codestream of tables alone
	tablesAt, tablesSize uint32
}

const (
	tiffWidth       = 256
	tiffHeight      = 257
	tiffBits        = 258
	tiffPhotometric = 262
	tiffStrips      = 273
	tiffRowsEach    = 278
	tiffStripSizes  = 279
	tiffPredictor   = 317
	tiffTileWidth   = 322
	tiffTileHeight  = 323
	tiffTiles       = 324
	tiffTileSizes   = 325
	tiffTables      = 347

	tiffJPEG = 7
)

// maxTIFFParts bounds the strips or tiles of a page.
const maxTIFFParts = 1 << 20

// tiffRaster reads a directory as that of a page of JPEG, or of floats.
func tiffRaster(file *source, d directory) (*raster, error) {
	head, err := file.bytesAt(0, 4)
	if err != nil {
		return nil, err
	}
	r := &raster{order: binary.LittleEndian, samples: 1, predictor: 1, compression: max(1, d.values[tiffCompression]), float: d.values[tiffFormat] == 3}
	if head[0] == 'M' {
		r.order = binary.BigEndian
	}
	values, err := r.directory(file, d.offset)
	if err != nil {
		return nil, err
	}
	first := func(tag uint16, or uint32) uint32 {
		if v := values[tag]; len(v) > 0 {
			return v[0]
		}
		return or
	}
	r.columns, r.rows = int(first(tiffWidth, 0)), int(first(tiffHeight, 0))
	r.samples, r.bits = int(first(tiffPerPixel, 1)), int(first(tiffBits, 1))
	r.photometric, r.predictor = first(tiffPhotometric, 1), first(tiffPredictor, 1)
	r.wide, r.high = r.columns, min(int(first(tiffRowsEach, uint32(r.rows))), r.rows) // "all rows" is a large number
	r.offsets, r.counts = values[tiffStrips], values[tiffStripSizes]
	if len(values[tiffTiles]) > 0 {
		r.wide, r.high = int(first(tiffTileWidth, 0)), int(first(tiffTileHeight, 0))
		r.offsets, r.counts = values[tiffTiles], values[tiffTileSizes]
	}
	return r, r.check(d, file)
}

// check refuses by name what is not done.
func (r *raster) check(d directory, file *source) error {
	if r.columns <= 0 || r.rows <= 0 || r.wide <= 0 || r.high <= 0 {
		return errors.New("the image has no pixels")
	}
	if max(r.columns, r.rows, r.wide, r.high) > maxTIFFParts || int64(r.wide)*int64(r.high)*8 > maxPicture {
		return invalid{fmt.Errorf("an image of %d×%d in parts of %d×%d is larger than supported", r.columns, r.rows, r.wide, r.high)}
	}
	if d.values[tiffPlanar] == 2 && r.samples > 1 {
		return invalid{errors.New("TIFF with its colours in separate planes is not supported")}
	}
	across, down := (r.columns+r.wide-1)/r.wide, (r.rows+r.high-1)/r.high
	if across > maxTIFFParts || down > maxTIFFParts || len(r.offsets) != across*down || len(r.counts) != len(r.offsets) {
		return fmt.Errorf("the TIFF page says where %d of its %d parts are", min(len(r.offsets), len(r.counts)), across*down)
	}
	switch {
	case r.float && (r.samples != 1 || r.bits != 32 && r.bits != 64):
		return invalid{fmt.Errorf("TIFF floats of %d bits, %d a pixel, are not supported: one of 32 or 64 expected", r.bits, r.samples)}
	case r.float && (r.compression != 1 && r.compression != 8 && r.compression != 32946 || r.predictor != 1 && r.predictor != 3):
		return invalid{fmt.Errorf("TIFF floats of compression %d, predictor %d, are not supported", r.compression, r.predictor)}
	case r.float:
		return nil
	case r.bits != 8 || r.samples != 1 && r.samples != 3:
		return invalid{fmt.Errorf("TIFF that holds JPEG of %d samples with %d bits is not supported", r.samples, r.bits)}
	case r.samples == 1 && r.photometric > 1, r.samples == 3 && r.photometric != 2 && r.photometric != 6:
		return invalid{fmt.Errorf("TIFF that holds JPEG with colours of kind %d is not supported", r.photometric)}
	}
	if r.tablesSize > 0 {
		var err error
		r.tables, err = file.bytesAt(int64(r.tablesAt), int64(r.tablesSize))
		return err
	}
	return nil
}

// directory reads the values of a directory that are whole numbers, and where the JPEG tables are.
func (r *raster) directory(file *source, at uint32) (map[uint16][]uint32, error) {
	b, err := file.bytesAt(int64(at), 2)
	if err != nil {
		return nil, err
	}
	if b, err = file.bytesAt(int64(at)+2, 12*int64(r.order.Uint16(b))); err != nil {
		return nil, err
	}
	out := map[uint16][]uint32{}
	for ; len(b) >= 12; b = b[12:] {
		tag, kind, n := r.order.Uint16(b), r.order.Uint16(b[2:]), r.order.Uint32(b[4:])
		if tag == tiffTables {
			r.tablesAt, r.tablesSize = r.order.Uint32(b[8:]), n
			continue
		}
		size := map[uint16]uint32{3: 2, 4: 4}[kind]
		if size == 0 || n > maxTIFFParts {
			continue
		}
		data := b[8:12]
		if n*size > 4 {
			if data, err = file.bytesAt(int64(r.order.Uint32(data)), int64(n*size)); err != nil {
				return nil, err
			}
		}
		values := make([]uint32, n)
		for i := range values {
			if size == 2 {
				values[i] = uint32(r.order.Uint16(data[2*i:]))
			} else {
				values[i] = r.order.Uint32(data[4*i:])
			}
		}
		out[tag] = values
	}
	return out, nil
}

// decode gives the samples of the page, little-endian.
func (r *raster) decode(file *source) (review.Samples, error) {
	pixel := r.samples * r.bits / 8
	out := make([]byte, r.rows*r.columns*pixel)
	across := (r.columns + r.wide - 1) / r.wide
	for i, at := range r.offsets {
		packed, err := file.bytesAt(int64(at), int64(r.counts[i]))
		if err != nil {
			return review.Samples{}, fmt.Errorf("part %d of %d: %w", i+1, len(r.offsets), err)
		}
		x, y := i%across*r.wide, i/across*r.high
		part, high, err := r.part(packed, min(r.high, r.rows-y))
		if err != nil {
			return review.Samples{}, fmt.Errorf("part %d of %d: %w", i+1, len(r.offsets), err)
		}
		n := min(r.wide, r.columns-x) * pixel
		for row := range min(high, r.rows-y) {
			copy(out[((y+row)*r.columns+x)*pixel:][:n], part[row*r.wide*pixel:])
		}
	}
	return review.Samples{Rows: r.rows, Columns: r.columns, PerPixel: r.samples, BitsAllocated: r.bits, Float: r.float, Data: out}, nil
}

// part unpacks one strip or tile, of at least so many rows, and tells how many it has.
func (r *raster) part(packed []byte, rows int) ([]byte, int, error) {
	if !r.float {
		return r.picture(packed, rows)
	}
	size := r.bits / 8
	want := rows * r.wide * size
	var in io.Reader = bytes.NewReader(packed)
	if r.compression != 1 {
		z, err := zlib.NewReader(in)
		if err != nil {
			return nil, 0, err
		}
		in = z
	}
	b := make([]byte, want)
	if n, err := io.ReadFull(in, b); err != nil {
		return nil, 0, fmt.Errorf("pixel data cut short: %d of %d bytes", n, want)
	}
	if r.predictor == 3 {
		for row := range rows {
			unpredict(b[row*r.wide*size:][:r.wide*size], size)
		}
	}
	if r.order == binary.BigEndian && r.predictor != 3 {
		for i := 0; i < len(b); i += size {
			slices.Reverse(b[i : i+size])
		}
	}
	return b, rows, nil
}

// unpredict undoes the predictor of floats in a row (TIFF Technical Note 3): bytes of one weight lie together, the heaviest first, each less
// the one before. What comes out is little-endian.
func unpredict(row []byte, size int) {
	for i := 1; i < len(row); i++ {
		row[i] += row[i-1]
	}
	planes := slices.Clone(row)
	n := len(row) / size
	for i := range n {
		for k := range size {
			row[i*size+size-1-k] = planes[k*n+i]
		}
	}
}

// picture decodes a strip or tile of JPEG.
func (r *raster) picture(packed []byte, rows int) ([]byte, int, error) {
	if len(packed) < 4 || packed[0] != 0xFF || packed[1] != 0xD8 {
		return nil, 0, errors.New("no JPEG codestream")
	}
	whole := []byte{0xFF, 0xD8}
	if r.samples == 3 && r.photometric == 2 { // RGB: said as Adobe does, else it would be taken for YCbCr
		whole = append(whole, 0xFF, 0xEE, 0, 14, 'A', 'd', 'o', 'b', 'e', 0, 100, 0, 0, 0, 0, 0)
	}
	if t := r.tables; len(t) > 4 {
		whole = append(whole, t[2:len(t)-2]...) // without its start and end
	}
	whole = append(whole, packed[2:]...)
	c, err := jpeg.DecodeConfig(bytes.NewReader(whole))
	if err != nil {
		return nil, 0, pictureFault(err)
	}
	if c.Width != r.wide || c.Height < rows || c.Height > r.high {
		return nil, 0, fmt.Errorf("JPEG of %d×%d where %d×%d was expected", c.Width, c.Height, r.wide, rows)
	}
	img, err := jpeg.Decode(bytes.NewReader(whole))
	if err != nil {
		return nil, 0, pictureFault(err)
	}
	b := page{rows: c.Height, columns: c.Width, samples: r.samples, bits: 8}.bytes(img)
	if r.samples == 1 && r.photometric == 0 { // white is zero
		for i := range b {
			b[i] = 255 - b[i]
		}
	}
	return b, c.Height, nil
}
