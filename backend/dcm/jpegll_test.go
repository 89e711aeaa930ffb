package dcm

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"testing"

	"pgregory.net/rapid"
)

// packLossless is a plain encoder of lossless JPEG: one Huffman table that gives every category five bits, components together in one scan.
func packLossless(v []uint16, rows, columns, samples, precision int, predictor byte, shift uint, restart int) []byte {
	be := binary.BigEndian
	out := []byte{0xFF, 0xD8, 0xFF, 0xC4, 0, 36, 0, 0, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	for category := range 17 {
		out = append(out, byte(category))
	}
	out = append(out, 0xFF, 0xC3, 0, byte(8+3*samples), byte(precision))
	out = be.AppendUint16(be.AppendUint16(out, uint16(rows)), uint16(columns))
	out = append(out, byte(samples))
	for c := range samples {
		out = append(out, byte(c+1), 0x11, 0)
	}
	if restart > 0 {
		out = be.AppendUint16(append(out, 0xFF, 0xDD, 0, 4), uint16(restart))
	}
	out = append(out, 0xFF, 0xDA, 0, byte(6+2*samples), byte(samples))
	for c := range samples {
		out = append(out, byte(c+1), 0)
	}
	out = append(out, predictor, 0, byte(shift))
	w := bitWriter{out: out}
	at := func(y, x, c int) int32 { return int32(v[(y*columns+x)*samples+c] >> shift) }
	s := llScan{predictor: predictor}
	for y := range rows {
		begin := y == 0
		if restart > 0 && y > 0 && y*columns%restart == 0 {
			w.flush()
			w.out = append(w.out, 0xFF, 0xD0|byte(y*columns/restart-1)&7)
			begin = true
		}
		for x := range columns {
			for c := range samples {
				var p int32
				switch {
				case begin && x == 0:
					p = 1 << (precision - int(shift) - 1)
				case begin:
					p = at(y, x-1, c)
				case x == 0:
					p = at(y-1, x, c)
				default:
					p = s.predict(at(y, x-1, c), at(y-1, x, c), at(y-1, x-1, c)) & 0xFFFF
				}
				w.difference(int32(int16(at(y, x, c) - p)))
			}
		}
	}
	w.flush()
	return append(w.out, 0xFF, 0xD9)
}

// bitWriter writes bits, highest first, and a zero after a byte FF.
type bitWriter struct {
	out   []byte
	cache uint32
	have  uint
}

func (w *bitWriter) put(v uint32, n uint) {
	for ; n > 0; n-- {
		w.cache = w.cache<<1 | v>>(n-1)&1
		if w.have++; w.have == 8 {
			w.out = append(w.out, byte(w.cache))
			if byte(w.cache) == 0xFF {
				w.out = append(w.out, 0)
			}
			w.cache, w.have = 0, 0
		}
	}
}

func (w *bitWriter) flush() {
	for w.have > 0 {
		w.put(1, 1)
	}
}

// difference writes the category in five bits (codes count up from 0) and the bits of the difference.
func (w *bitWriter) difference(d int32) {
	if d == -32768 {
		w.put(16, 5)
		return
	}
	size := bits.Len32(uint32(max(d, -d)))
	w.put(uint32(size), 5)
	if d < 0 {
		d += 1<<size - 1
	}
	w.put(uint32(d), uint(size))
}

func TestLosslessJPEGRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := pixelSpec{rows: rapid.IntRange(1, 9).Draw(t, "rows"), columns: rapid.IntRange(1, 9).Draw(t, "columns"), samples: rapid.SampledFrom([]int{1, 3}).Draw(t, "samples")}
		precision := rapid.IntRange(2, 16).Draw(t, "precision")
		shift := uint(rapid.IntRange(0, precision-1).Draw(t, "shift"))
		restart := rapid.IntRange(0, 3).Draw(t, "restart") * p.columns
		predictor := byte(rapid.IntRange(1, 7).Draw(t, "predictor"))
		n := p.rows * p.columns * p.samples
		v := rapid.SliceOfN(rapid.Uint16Range(0, uint16(1<<precision-1)), n, n).Draw(t, "values")
		packed := packLossless(v, p.rows, p.columns, p.samples, precision, predictor, shift, restart)
		if jpegProcess(packed) != 0xC3 {
			t.Fatal("it is not taken for lossless JPEG")
		}
		got, err := decodeLosslessJPEG(packed, p)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range v {
			want = want >> shift << shift
			value := uint16(got[i*len(got)/n])
			if precision > 8 {
				value = binary.LittleEndian.Uint16(got[2*i:])
			}
			if value != want {
				t.Fatalf("sample %d is %d, want %d", i, value, want)
			}
		}
	})
}

func TestLosslessJPEGThatIsDamagedEnds(t *testing.T) {
	p := pixelSpec{rows: 8, columns: 8, samples: 1}
	good := packLossless(make([]uint16, 64), 8, 8, 1, 12, 1, 0, 0)
	if _, err := decodeLosslessJPEG(good, p); err != nil {
		t.Fatal(err)
	}
	for n := range len(good) - 30 {
		if _, err := decodeLosslessJPEG(good[:n], p); err == nil {
			t.Errorf("the first %d bytes gave a picture", n)
		}
	}
	bent := append([]byte(nil), good...)
	bent[len(bent)-14] = 0xFF // a marker in the middle of the scan, then nothing
	large := pixelSpec{rows: 5000, columns: 5000, samples: 1}
	if _, err := decodeLosslessJPEG(bent, large); err == nil {
		t.Error("a stream that ends early gave a picture")
	}
}

func TestACodestreamHoldsValuesWhereverTheHighBitIs(t *testing.T) {
	v := []uint16{0, 1, 2047, 4095}
	m := make10("1.2.840.10008.1.2.4.70").image(2, 2, 1, 16, 12, true, "MONOCHROME2").us(tagHighBit, 15)
	got := frame(t, m.packed(nil, packLossless(v, 2, 2, 1, 12, 1, 0, 0)).load(t), 0)
	if want := words(binary.LittleEndian, 0, 1, 2047, 0xFFFF); !bytes.Equal(got, want) {
		t.Errorf("samples %x, want %x", got, want)
	}
}
