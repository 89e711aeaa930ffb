package dcm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"golang.org/x/image/tiff"
)

// maxTIFFPages bounds the directories of a TIFF file that are looked at.
const maxTIFFPages = 4096

// directory is what one directory of a TIFF file says (TIFF 6.0, section 2).
type directory struct {
	pageEntry
	next   uint32
	values map[uint16]uint32 // the first value of the tags below, where it is a whole number
}

// pageEntry is what a page needs to be decoded: where its directory is, and which bytes hide that samples are signed, which the library
// refuses. They are the same bits.
type pageEntry struct {
	offset uint32 // of the directory
	format int64  // offset of the sample format's value; 0: nothing to hide
	long   bool   // the value has 32 bits
}

const (
	tiffSubfile     = 254
	tiffCompression = 259
	tiffOrient      = 274
	tiffPerPixel    = 277
	tiffPlanar      = 284
	tiffExtra       = 338
	tiffFormat      = 339
	tiffICC         = 34675
)

// tiffPages lists the pages of a TIFF file. A page that the library does not do has its problem; reduced copies (of a pyramid) are left out.
func tiffPages(file *source) ([]page, []string, error) {
	directories, cut, err := tiffDirectories(file)
	if err != nil {
		return nil, nil, err
	}
	var out []page
	var about remarks
	reduced := 0
	for _, d := range directories {
		if d.values[tiffSubfile]&1 != 0 {
			reduced++
			continue
		}
		p, err := tiffPage(file, d)
		if err != nil {
			if len(directories) == 1 {
				return nil, nil, err
			}
			p = page{rows: p.rows, columns: p.columns, samples: 1, bits: 8, turn: 1, problem: err.Error()}
		}
		if _, icc := d.values[tiffICC]; icc {
			about.note(noteICC)
		}
		if extra := d.values[tiffExtra]; extra == 1 || extra == 2 {
			about.note(noteAlpha)
		}
		out = append(out, p)
	}
	if reduced > 0 {
		about.note(fmt.Sprintf("smaller copies of the picture left out: %d", reduced))
	}
	if cut != "" {
		about.note(cut)
	}
	if len(out) == 0 {
		return nil, nil, errors.New("the TIFF file holds no full picture")
	}
	return out, about.notes, nil
}

// tiffDirectories walks the chain of directories. What breaks it off after the first is said in cut.
func tiffDirectories(file *source) (out []directory, cut string, err error) {
	head, err := file.bytesAt(0, 8)
	if err != nil {
		return nil, "", err
	}
	var order binary.ByteOrder = binary.LittleEndian
	if head[0] == 'M' {
		order = binary.BigEndian
	}
	if order.Uint16(head[2:]) == 43 {
		return nil, "", invalid{errors.New("BigTIFF is not supported: TIFF of 32-bit offsets expected")}
	}
	seen := map[uint32]bool{}
	for at := order.Uint32(head[4:]); at != 0; {
		if seen[at] || len(out) >= maxTIFFPages {
			return out, fmt.Sprintf("the pages after %d are left out: their directories run in a circle or are too many", len(out)), nil
		}
		seen[at] = true
		d, err := tiffDirectory(file, order, at)
		if err != nil {
			if len(out) > 0 {
				return out, fmt.Sprintf("the pages after %d cannot be read: %v", len(out), err), nil
			}
			return nil, "", err
		}
		out = append(out, d)
		at = d.next
	}
	if len(out) == 0 {
		return nil, "", errors.New("the TIFF file has no directory")
	}
	return out, "", nil
}

// tiffDirectory reads one directory.
func tiffDirectory(file *source, order binary.ByteOrder, at uint32) (directory, error) {
	d := directory{pageEntry: pageEntry{offset: at}, values: map[uint16]uint32{}}
	b, err := file.bytesAt(int64(at), 2)
	if err != nil {
		return d, err
	}
	n := int64(order.Uint16(b))
	if b, err = file.bytesAt(int64(at)+2, 12*n+4); err != nil {
		return d, err
	}
	entry := int64(at) + 2 + 8
	for ; len(b) >= 16; b = b[12:] {
		switch tag := order.Uint16(b); tag {
		case tiffSubfile, tiffCompression, tiffOrient, tiffPerPixel, tiffPlanar, tiffExtra, tiffFormat, tiffICC:
			d.values[tag] = order.Uint32(b[8:])
			if order.Uint16(b[2:]) == 3 { // SHORT
				d.values[tag] = uint32(order.Uint16(b[8:]))
				if n := order.Uint32(b[4:]); n > 2 {
					d.values[tag] = firstShort(file, order, order.Uint32(b[8:]))
				}
			}
			if tag == tiffFormat && d.values[tag] == 2 && order.Uint32(b[4:]) == 1 {
				d.format, d.long = entry, order.Uint16(b[2:]) == 4
			}
		}
		entry += 12
	}
	d.next = order.Uint32(b)
	return d, nil
}

// firstShort reads the first of several values that lie elsewhere; 0 where they do not.
func firstShort(file *source, order binary.ByteOrder, at uint32) uint32 {
	b, err := file.bytesAt(int64(at), 2)
	if err != nil {
		return 0
	}
	return uint32(order.Uint16(b))
}

// tiffPage reads the size and colour of a page.
func tiffPage(file *source, d directory) (page, error) {
	if d.values[tiffCompression] == tiffJPEG || d.values[tiffFormat] == 3 {
		r, err := tiffRaster(file, d)
		if err != nil {
			return page{}, err
		}
		p := page{rows: r.rows, columns: r.columns, samples: r.samples, bits: r.bits, float: r.float, turn: 1, raster: r}
		if v := int(d.values[tiffOrient]); v >= 1 && v <= 8 {
			p.turn = v
		}
		return p, p.check(file.size, 1100)
	}
	config, err := tiff.DecodeConfig(pageAt(file, d.pageEntry))
	if err != nil {
		return page{}, pictureFault(err)
	}
	p := pageOf(config)
	p.entry = d.pageEntry
	if v := int(d.values[tiffOrient]); v >= 1 && v <= 8 {
		p.turn = v
	}
	switch format := d.values[tiffFormat]; {
	case format == 2 && p.samples == 1:
		p.signed = true
	case format > 1 && format != 4:
		return p, invalid{fmt.Errorf("TIFF samples of format %d (2 signed) are not supported here", format)}
	}
	if d.values[tiffPlanar] == 2 && d.values[tiffPerPixel] > 1 {
		return p, invalid{errors.New("TIFF with its colours in separate planes is not supported")}
	}
	switch d.values[tiffCompression] {
	case 0, 1, 2, 3, 4, 5, 8, 32773, 32946:
	case 6:
		return p, invalid{errors.New("TIFF that holds JPEG of the old kind (compression 6) is not supported")}
	default:
		return p, invalid{fmt.Errorf("TIFF compression %d is not supported", d.values[tiffCompression])}
	}
	ratio := int64(1100)
	if c := d.values[tiffCompression]; c >= 2 && c <= 4 {
		ratio = 1 << 16 // a white fax line is one bit
	}
	return p, p.check(file.size, ratio)
}

// onePageFile is a TIFF file whose first directory is another of its own.
type onePageFile struct {
	*source
	patches map[int64]byte
}

// pageAt gives the file as the library has to see it to decode one page.
func pageAt(file *source, at pageEntry) io.Reader {
	var head [8]byte
	if _, err := file.ReadAt(head[:], 0); err != nil {
		return io.NewSectionReader(file, 0, file.size) // too short, as the library will say
	}
	var order binary.ByteOrder = binary.LittleEndian
	if head[0] == 'M' {
		order = binary.BigEndian
	}
	p := &onePageFile{source: file, patches: map[int64]byte{}}
	order.PutUint32(head[4:], at.offset)
	for i := range 4 {
		p.patches[int64(4+i)] = head[4+i]
	}
	if at.format > 0 {
		var one [4]byte // as SHORT or LONG
		order.PutUint16(one[:], 1)
		if order == binary.BigEndian && at.long {
			one = [4]byte{0, 0, 0, 1}
		}
		for i, b := range one {
			p.patches[at.format+int64(i)] = b
		}
	}
	return io.NewSectionReader(p, 0, file.size)
}

// ReadAt reads the file with its changed bytes.
func (p *onePageFile) ReadAt(b []byte, at int64) (int, error) {
	n, err := p.source.ReadAt(b, at)
	for k, v := range p.patches {
		if k >= at && k < at+int64(n) {
			b[k-at] = v
		}
	}
	return n, err
}
