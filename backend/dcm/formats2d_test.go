package dcm

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"image"
	"image/color"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// Pictures that Go's libraries do not write, made with Pillow.
const (
	webpLossless = "524946464c000000574542505650384c3f0000002f024000102fa0a88d14684f5e88c3bf196c9009586c2efd03a94641db364c1f846ee38f74028222ff470b80ffcf8969acd7ad83408032566c314444ff63bc00"
	webpLossy    = "52494646240000005745425056503820180000003001009d012a0800080000c01225a400037000fef1d38000"
	webpMoving   = "524946468400000057454250565038580a00000002000000010000010000414e494d06000000000000000000414e4d4628000000000000000000010000010000000000025650384c0f0000002f014000000710fd8ffe0722a2ff0100414e4d4628000000000000000000010000010000000000005650384c0f0000002f0140000007d0ff88fe0722a2ff0100"
	pngMoving    = "89504e470d0a1a0a0000000d4948445200000002000000020802000000fdd49a73000000086163544c0000000200000000f38d93700000001a6663544c0000000000000002000000020000000000000000000003e800006de75e900000001649444154789c63fccfc0c0c0c0c0c4c0c0c0c0c000000d1d01036ac29be90000001a6663544c0000000100000002000000020000000000000000000003e80000f694b4440000001a6664415400000002789c6364f8cfc0c0c0c0c4c0c0c0c0c000000c1e0103a5a6fbe20000000049454e44ae426082"
	jpegCMYK     = "ffd8ffee000e41646f626500640000000000ffdb0043000201010101010201010102020202020403020202020504040304060506060605060606070908060709070606080b08090a0a0a0a0a06080b0c0b0a0c090a0a0affc000140800040004044311004d11005911004b1100ffc4001f0000010501010101010100000000000000000102030405060708090a0bffc400b5100002010303020403050504040000017d01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a3435363738393a434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9faffda000e0443004d0059004b00003f00fdfcafe7febf9ffafdfcafffd9"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// tiffOf is a big-endian TIFF of uncompressed pages of one strip; extra tags (short, one value) of each page come as pairs.
func tiffOf(pages ...tiffMade) []byte {
	b := []byte("MM\x00*\x00\x00\x00\x00")
	link := 4
	for _, p := range pages {
		data := len(b)
		b = append(b, p.data...)
		b = append(b, make([]byte, len(b)%2)...)
		binary.BigEndian.PutUint32(b[link:], uint32(len(b)))
		tags := map[uint16][]uint32{256: {p.width}, 257: {p.height}, 258: {p.bits}, 259: {1}, 262: {1}, 273: {uint32(data)}, 277: {1}, 278: {p.height}, 279: {uint32(len(p.data))}}
		for k, v := range p.more {
			tags[k] = []uint32{v}
		}
		keys := []uint16{}
		for k := range tags {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		b = binary.BigEndian.AppendUint16(b, uint16(len(keys)))
		for _, k := range keys {
			b = binary.BigEndian.AppendUint16(b, k)
			b = binary.BigEndian.AppendUint16(b, 4)
			b = binary.BigEndian.AppendUint32(b, 1)
			b = binary.BigEndian.AppendUint32(b, tags[k][0])
		}
		link = len(b)
		b = append(b, 0, 0, 0, 0)
	}
	return b
}

type tiffMade struct {
	width, height, bits uint32
	data                []byte
	more                map[uint16]uint32
}

func TestEverySortOfPicture(t *testing.T) {
	grey := image.NewGray(image.Rect(0, 0, 2, 2))
	copy(grey.Pix, []byte{1, 2, 3, 200})
	deep := image.NewGray16(image.Rect(0, 0, 2, 1))
	deep.SetGray16(1, 0, color.Gray16{Y: 1176})
	steps := image.NewPaletted(image.Rect(0, 0, 2, 1), color.Palette{color.Gray{Y: 10}, color.Gray{Y: 90}})
	steps.Pix[1] = 1
	made := func(encode func(*bytes.Buffer) error) []byte {
		var b bytes.Buffer
		if err := encode(&b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	tests := []struct {
		name    string
		file    []byte
		samples int
		want    []byte
		note    string
	}{
		{"BMP of greys", made(func(b *bytes.Buffer) error { return bmp.Encode(b, grey) }), 1, []byte{1, 2, 3, 200}, ""},
		{"TIFF deflated", made(func(b *bytes.Buffer) error { return tiff.Encode(b, grey, &tiff.Options{Compression: tiff.Deflate}) }), 1, []byte{1, 2, 3, 200}, ""},
		{"TIFF of 16 bits", made(func(b *bytes.Buffer) error { return tiff.Encode(b, deep, nil) }), 1, words(binary.LittleEndian, 0, 1176), ""},
		{"palette of greys", pngBytes(t, steps), 1, []byte{10, 90}, ""},
		{"WebP lossless", unhex(t, webpLossless), 3, []byte{200, 100, 50, 1, 2, 3, 0, 0, 0, 255, 255, 255, 0, 0, 0, 9, 8, 7}, ""},
		{"animated PNG", unhex(t, pngMoving), 3, []byte{255, 0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0}, noteMoves},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			f, err := Load(writeFile(t, "a", c.file))
			if err != nil {
				t.Fatal(err)
			}
			h := f.Header()
			if got := frame(t, f, 0); !bytes.Equal(got, c.want) || h.Frames[0].Samples != c.samples {
				t.Errorf("samples %v of %+v, want %v", got, h.Frames[0], c.want)
			}
			if c.note != "" && !slices.Contains(h.Notes, c.note) {
				t.Errorf("notes %q", h.Notes)
			}
		})
	}
}

func TestLossyAndPrintedPicturesAreNearlyRight(t *testing.T) {
	for name, c := range map[string]struct {
		file string
		want [3]int
		note string
	}{
		"WebP lossy": {webpLossy, [3]int{100, 100, 100}, ""},
		"CMYK JPEG":  {jpegCMYK, [3]int{255, 0, 0}, "CMYK"},
	} {
		f, err := Load(writeFile(t, "a", unhex(t, c.file)))
		if err != nil {
			t.Fatal(name, err)
		}
		got := frame(t, f, 0)
		for i := range 3 {
			if d := int(got[i]) - c.want[i]; d < -3 || d > 3 {
				t.Errorf("%s begins with %v, want %v", name, got[:3], c.want)
			}
		}
		if c.note != "" && !strings.Contains(strings.Join(f.Header().Notes, " "), c.note) {
			t.Errorf("%s has notes %q", name, f.Header().Notes)
		}
	}
}

func TestAnAnimatedWebPIsRefusedInWords(t *testing.T) {
	_, err := Load(writeFile(t, "a.webp", unhex(t, webpMoving)))
	if fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), "animated WebP is not supported") {
		t.Errorf("got %v", err)
	}
}

func TestPagesOfTIFFAreFrames(t *testing.T) {
	file := tiffOf(
		tiffMade{2, 1, 8, []byte{1, 2}, nil},
		tiffMade{1, 1, 8, []byte{9}, map[uint16]uint32{tiffSubfile: 1}},
		tiffMade{2, 1, 8, []byte{3, 4}, map[uint16]uint32{tiffOrient: 3}},
		tiffMade{2, 1, 16, []byte{0xFF, 0xFE, 0, 7}, map[uint16]uint32{tiffFormat: 2}},
		tiffMade{2, 1, 24, make([]byte, 6), map[uint16]uint32{tiffFormat: 3}},
	)
	f, err := Load(writeFile(t, "a.tif", file))
	if err != nil {
		t.Fatal(err)
	}
	h := f.Header()
	if len(h.Frames) != 4 || !slices.Contains(h.Notes, "smaller copies of the picture left out: 1") {
		t.Fatalf("%d frames, notes %q", len(h.Frames), h.Notes)
	}
	if !bytes.Equal(frame(t, f, 0), []byte{1, 2}) || !bytes.Equal(frame(t, f, 1), []byte{3, 4}) || h.Frames[1].ExifOrientation != 3 {
		t.Errorf("frames %v, %v, %+v", frame(t, f, 0), frame(t, f, 1), h.Frames[1])
	}
	if got := frame(t, f, 2); !bytes.Equal(got, words(binary.LittleEndian, 0xFFFE, 7)) || !h.Frames[2].Signed {
		t.Errorf("signed page %v, %+v", got, h.Frames[2])
	}
	if h.Frames[3].Problem == "" {
		t.Error("a page of floats of 24 bits is not complained of")
	}
	stacks := Group([]Header{h})
	if len(stacks) != 2 || len(stacks[0].Frames) != 3 || stacks[0].Kind != review.FrameSet {
		t.Errorf("%d stacks: %+v", len(stacks), stacks)
	}
}

func TestTIFFThatIsNotDone(t *testing.T) {
	page := func(more map[uint16]uint32) []byte { return tiffOf(tiffMade{2, 1, 8, []byte{1, 2}, more}) }
	circle := tiffOf(tiffMade{2, 1, 8, []byte{1, 2}, nil})
	binary.BigEndian.PutUint32(circle[len(circle)-4:], binary.BigEndian.Uint32(circle[4:]))
	big := []byte("II+\x00\x08\x00\x00\x00\x10\x00\x00\x00\x00\x00\x00\x00")
	for name, c := range map[string]struct {
		file []byte
		want fault.Kind
		word string
	}{
		"BigTIFF":      {big, fault.Invalid, "BigTIFF"},
		"old JPEG":     {page(map[uint16]uint32{tiffCompression: 6}), fault.Invalid, "old kind"},
		"no JPEG":      {page(map[uint16]uint32{tiffCompression: 7}), fault.Damaged, "no JPEG codestream"},
		"big parts":    {page(map[uint16]uint32{tiffCompression: 7, tiffTiles: 8, tiffTileSizes: 2, tiffTileWidth: 1 << 20, tiffTileHeight: 1 << 20}), fault.Invalid, "larger than supported"},
		"lost parts":   {page(map[uint16]uint32{tiffCompression: 7, tiffRowsEach: 1, tiffHeight: 9}), fault.Damaged, "1 of its 9 parts"},
		"zstd":         {page(map[uint16]uint32{tiffCompression: 50000}), fault.Invalid, "compression 50000"},
		"planes":       {page(map[uint16]uint32{tiffPlanar: 2, tiffPerPixel: 3}), fault.Invalid, "separate planes"},
		"half a head":  {[]byte("II*\x00"), fault.Damaged, "cut short"},
		"no directory": {[]byte("II*\x00\x00\x00\x00\x00"), fault.Damaged, "no directory"},
		"huge":         {tiffOf(tiffMade{1 << 20, 1 << 20, 8, nil, nil}), fault.Invalid, "larger than supported"},
		"bomb":         {tiffOf(tiffMade{5000, 5000, 8, nil, nil}), fault.Damaged, "too short"},
	} {
		_, _, err := attempt(writeFile(t, "a.tif", c.file))
		if fault.KindOf(err) != c.want || !strings.Contains(err.Error(), c.word) {
			t.Errorf("%s gave %v (%s)", name, err, fault.KindOf(err))
		}
	}
	f, err := Load(writeFile(t, "a.tif", circle))
	if err != nil || len(f.Header().Frames) != 1 || len(f.Header().Notes) != 1 {
		t.Errorf("directories in a circle gave %v", err)
	}
}

// A DICOM file may hold a TIFF header in its preamble; it stays DICOM.
func TestADICOMFileWithATIFFPreamble(t *testing.T) {
	b := make10(explicitLittleUID).image(1, 2, 1, 8, 8, false, "MONOCHROME2").native("OB", []byte{1, 2}).bytes()
	copy(b, "II*\x00\x08\x00\x00\x00")
	f, err := Load(writeFile(t, "a.dcm", b))
	if err != nil || f.Header().TransferSyntax != explicitLittleUID {
		t.Errorf("got %v", err)
	}
}

// FuzzPicture bends pictures of every sort.
func FuzzPicture(f *testing.F) {
	for _, s := range []string{webpLossless, webpLossy, webpMoving, pngMoving, jpegCMYK, tiffGreyJPEG, tiffRgbJPEG, tiffFloat, tiffFloatPredicted} {
		f.Add(unhex(f, s))
	}
	f.Add(tiffOf(tiffMade{2, 1, 8, []byte{1, 2}, nil}, tiffMade{2, 1, 16, []byte{1, 2, 3, 4}, map[uint16]uint32{tiffFormat: 2}}))
	var b bytes.Buffer
	if err := bmp.Encode(&b, image.NewGray(image.Rect(0, 0, 2, 2))); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, b []byte) { loadBent(t, b) })
}
