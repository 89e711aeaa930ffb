package dcm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"
	"golang.org/x/image/webp"

	"plumbline/backend/review"
)

// picture is a PNG, JPEG, WebP, BMP or TIFF file: one page, of TIFF one or more.
type picture struct {
	kind  string // the media type
	pages []page
}

// page is one picture of the file.
type page struct {
	rows, columns int // as stored
	samples, bits int
	signed, float bool
	turn          int       // EXIF orientation, 1-8
	entry         pageEntry // of a TIFF file
	raster        *raster   // of a TIFF page that the library does not do
	problem       string    // why it cannot be shown
}

const (
	kindPNG  = "image/png"
	kindJPEG = "image/jpeg"
	kindWebP = "image/webp"
	kindBMP  = "image/bmp"
	kindTIFF = "image/tiff"
)

// pictureKind tells a picture file by its first bytes; "" is none.
func pictureKind(head []byte) string {
	has := func(at int, mark string) bool {
		return len(head) >= at+len(mark) && string(head[at:at+len(mark)]) == mark
	}
	switch {
	case has(0, "\x89PNG\r\n\x1a\n"):
		return kindPNG
	case has(0, "\xff\xd8\xff"):
		return kindJPEG
	case has(0, "RIFF") && has(8, "WEBP"):
		return kindWebP
	case has(0, "BM") && has(6, "\x00\x00\x00\x00"): // the two reserved words
		return kindBMP
	case has(0, "II*\x00"), has(0, "MM\x00*"), has(0, "II+\x00"), has(0, "MM\x00+"):
		return kindTIFF
	}
	return ""
}

// maxPicture bounds the decoded samples of a picture, in bytes.
const maxPicture = 256 << 20

// loadPicture reads the size and colour of a picture file.
func loadPicture(path, kind string, file *source) (*File, error) {
	p := &picture{kind: kind}
	var notes []string
	var err error
	if kind == kindTIFF {
		p.pages, notes, err = tiffPages(file)
	} else {
		var one page
		one, notes, err = onePage(kind, file)
		p.pages = []page{one}
	}
	if err != nil {
		return nil, err
	}
	h := Header{Path: path, Size: file.size, TransferSyntax: kind, HasPixels: true, Frames: []review.Frame{}, Notes: notes}
	for i := range p.pages {
		f := p.frame(i)
		f.Index, f.FileFrame = i, i
		h.Frames = append(h.Frames, f)
	}
	return &File{header: h, picture: p}, nil
}

// onePage reads the head of a file that holds one picture.
func onePage(kind string, file *source) (page, []string, error) {
	whole := io.NewSectionReader(file, 0, file.size)
	var about remarks
	config, err := image.Config{}, error(nil)
	switch kind {
	case kindPNG:
		about = lookIntoPNG(file)
		config, err = png.DecodeConfig(whole)
	case kindJPEG:
		about = lookIntoJPEG(file)
		config, err = jpeg.DecodeConfig(whole)
	case kindWebP:
		if about, err = lookIntoWebP(file); err == nil {
			config, err = webp.DecodeConfig(whole)
		}
	case kindBMP:
		config, err = bmp.DecodeConfig(whole)
	}
	if err != nil {
		return page{}, nil, pictureFault(err)
	}
	p := pageOf(config)
	if about.grey {
		p.samples = 1
	}
	p.turn = about.turn
	if config.ColorModel == color.CMYKModel {
		about.note("CMYK colours are shown as RGB without their profile")
	}
	return p, about.notes, p.check(file.size, 1100)
}

// pictureFault tells what a library does not do from what is damaged.
func pictureFault(err error) error {
	var ofJPEG jpeg.UnsupportedError
	var ofPNG png.UnsupportedError
	var ofTIFF tiff.UnsupportedError
	if errors.As(err, &ofJPEG) || errors.As(err, &ofPNG) || errors.As(err, &ofTIFF) || errors.Is(err, bmp.ErrUnsupported) {
		return invalid{err}
	}
	return err
}

// pageOf gives the layout of the samples that a picture decodes to. A palette of greys alone is grey.
func pageOf(config image.Config) page {
	p := page{rows: config.Height, columns: config.Width, samples: 3, bits: 8, turn: 1}
	switch config.ColorModel {
	case color.GrayModel:
		p.samples = 1
	case color.Gray16Model:
		p.samples, p.bits = 1, 16
	case color.RGBA64Model, color.NRGBA64Model:
		p.bits = 16
	}
	if colours, ok := config.ColorModel.(color.Palette); ok && greys(colours) {
		p.samples = 1
	}
	return p
}

func greys(colours color.Palette) bool {
	for _, c := range colours {
		if r, g, b, _ := c.RGBA(); r != g || g != b {
			return false
		}
	}
	return len(colours) > 0
}

// check refuses a size that is too large, or that so small a file cannot hold: ratio bytes of samples for each of its bytes.
func (p page) check(fileSize, ratio int64) error {
	pixels := int64(p.rows) * int64(p.columns)
	switch {
	case pixels <= 0:
		return errors.New("the image has no pixels")
	case pixels*8 > maxPicture:
		return invalid{fmt.Errorf("an image of %d×%d is larger than supported", p.columns, p.rows)}
	case pixels > ratio*fileSize*8:
		return fmt.Errorf("the file is too short for %d×%d pixels", p.columns, p.rows)
	}
	return nil
}

// frame describes a page as stored; its EXIF orientation is for those who show it.
func (p *picture) frame(n int) review.Frame {
	one := p.pages[n]
	f := review.Frame{
		Rows: one.rows, Columns: one.columns, Samples: one.samples, BitsAllocated: one.bits, BitsStored: one.bits, Signed: one.signed, Float: one.float,
		Photometric: "RGB", TransferSyntax: p.kind, Lossy: p.kind == kindJPEG || one.raster != nil && !one.float, Slope: 1, Windows: []review.Window{}, VOIFunction: "LINEAR",
		Problem: one.problem,
	}
	if one.turn > 1 {
		f.ExifOrientation = one.turn
	}
	if one.samples == 1 {
		f.Photometric = "MONOCHROME2"
		if one.bits == 8 && !one.signed {
			f.Windows = []review.Window{{Center: 128, Width: 256, Explanation: "FULL"}} // as it is
		}
		f.WindowComputed = len(f.Windows) == 0
	}
	return f
}

// decode gives the samples as stored. Transparent pixels are laid over black: a picture has one look for everybody.
func (p *picture) decode(file *source, n int) (review.Samples, error) {
	one := p.pages[n]
	if one.problem != "" {
		return review.Samples{}, invalid{errors.New(one.problem)}
	}
	if one.raster != nil {
		return one.raster.decode(file)
	}
	whole := io.NewSectionReader(file, 0, file.size)
	var img image.Image
	var err error
	switch p.kind {
	case kindPNG:
		img, err = png.Decode(whole)
	case kindJPEG:
		img, err = jpeg.Decode(whole)
	case kindWebP:
		img, err = webp.Decode(whole)
	case kindBMP:
		img, err = bmp.Decode(whole)
	case kindTIFF:
		img, err = tiff.Decode(pageAt(file, one.entry))
	}
	if err != nil {
		return review.Samples{}, pictureFault(err)
	}
	if b := img.Bounds(); b.Dx() != one.columns || b.Dy() != one.rows {
		return review.Samples{}, errors.New("the image changed on disk")
	}
	return review.Samples{
		Rows: one.rows, Columns: one.columns, PerPixel: one.samples, BitsAllocated: one.bits, Signed: one.signed, Data: one.bytes(img),
	}, nil
}

// bytes gives the samples in stored order, little-endian.
func (p page) bytes(img image.Image) []byte {
	pixel := p.samples * p.bits / 8
	out := make([]byte, 0, p.rows*p.columns*pixel)
	at := img.Bounds().Min
	for y := range p.rows {
		for x := range p.columns {
			switch c := img.(type) {
			case *image.Gray:
				out = append(out, c.GrayAt(at.X+x, at.Y+y).Y)
				continue
			case *image.Gray16:
				out = binary.LittleEndian.AppendUint16(out, c.Gray16At(at.X+x, at.Y+y).Y)
				continue
			}
			r, g, b, _ := img.At(at.X+x, at.Y+y).RGBA() // already multiplied by alpha: over black
			colours := [3]uint32{r, g, b}
			for _, v := range colours[:p.samples] {
				if p.bits == 16 {
					out = binary.LittleEndian.AppendUint16(out, uint16(v))
				} else {
					out = append(out, byte(v>>8))
				}
			}
		}
	}
	return out
}
