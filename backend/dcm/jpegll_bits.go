package dcm

import (
	"encoding/binary"
	"fmt"
)

// llShort is how many bits of the stream are looked up at once: code and difference of nearly every sample fit.
const llShort = 12

// llTable is a Huffman table of differences. short gives for the next llShort bits a difference in its upper 24 and the bits of its code and
// its own in its lower 8; 0 where they do not fit.
type llTable struct {
	codes huffman
	short [1 << llShort]int32
}

func newLLTable(codes huffman) *llTable {
	t := &llTable{codes: codes}
	for i := range t.short {
		bits := llBits{cache: uint64(i) << (64 - llShort), have: 64}
		difference, err := bits.long(codes)
		if used := 64 - bits.have; err == nil && used <= llShort {
			t.short[i] = difference<<8 | int32(used)
		}
	}
	return t
}

// llBits reads bits, highest first; FF 00 stands for a byte FF (F.2.2.5).
type llBits struct {
	data  []byte
	at    int
	cache uint64
	have  uint
	empty uint // bits given beyond the end
}

// fill brings at least 57 bits into the cache; behind the end, or a marker, come zeros. A scan that used
// some of them is cut short; one that uses many stops at once.
func (b *llBits) fill() error {
	if b.at+8 <= len(b.data) {
		w := binary.BigEndian.Uint64(b.data[b.at:])
		if !holdsFF(w) {
			n := (64 - b.have) / 8
			b.cache |= w &^ (1<<(64-8*n) - 1) >> b.have
			b.at += int(n)
			b.have += 8 * n
			return nil
		}
	}
	for b.have <= 56 {
		var v byte
		switch {
		case b.at >= len(b.data), b.data[b.at] == 0xFF && (b.at+1 >= len(b.data) || b.data[b.at+1] != 0):
			if b.empty += 8; b.empty > 512 {
				return fmt.Errorf("lossless JPEG: %w", errShort)
			}
		case b.data[b.at] == 0xFF:
			v = 0xFF
			b.at += 2
		default:
			v = b.data[b.at]
			b.at++
		}
		b.cache |= uint64(v) << 56 >> b.have
		b.have += 8
	}
	return nil
}

// holdsFF tells whether one of eight bytes is FF.
func holdsFF(w uint64) bool {
	const low, high = 0x0101010101010101, 0x8080808080808080
	return (^w-low)&w&high != 0
}

// symbol reads a Huffman code.
func (b *llBits) symbol(t huffman) (uint, error) {
	if b.have < 32 {
		if err := b.fill(); err != nil {
			return 0, err
		}
	}
	code := t[b.cache>>48]
	length := uint(code >> 8)
	if length == 0 {
		return 0, errHuffman
	}
	b.cache <<= length
	b.have -= length
	return uint(code & 0xFF), nil
}

// signed reads the n (1-16) bits of a value behind its symbol, which left them in the cache (F.2.2.1).
func (b *llBits) signed(n uint) int32 {
	v := int32(b.cache >> (64 - n))
	b.cache <<= n
	b.have -= n
	if v < 1<<(n-1) {
		v += -1<<n + 1
	}
	return v
}

// difference reads a category and the bits of its difference (H.1.2.2).
func (b *llBits) difference(t *llTable) (int32, error) {
	if b.have < 32 {
		if err := b.fill(); err != nil {
			return 0, err
		}
	}
	if short := t.short[b.cache>>(64-llShort)]; short != 0 {
		used := uint(short & 0xFF)
		b.cache <<= used
		b.have -= used
		return short >> 8, nil
	}
	return b.long(t.codes)
}

// long reads a difference by its whole code.
func (b *llBits) long(t huffman) (int32, error) {
	category, err := b.symbol(t)
	switch {
	case err != nil:
		return 0, err
	case category == 0:
		return 0, nil
	case category == 16:
		return 32768, nil
	case category > 16:
		return 0, errHuffman
	}
	return b.signed(category), nil
}

// resume passes the restart marker that comes next.
func (b *llBits) resume() error {
	if b.empty > b.have {
		return fmt.Errorf("lossless JPEG: %w", errShort)
	}
	b.at = b.end()
	b.cache, b.have, b.empty = 0, 0, 0
	if b.at+2 > len(b.data) || b.data[b.at+1]&0xF8 != 0xD0 {
		return errLossless
	}
	b.at += 2
	return nil
}

// end gives the place of the next marker.
func (b *llBits) end() int {
	at := b.at
	for at+1 < len(b.data) && (b.data[at] != 0xFF || b.data[at+1] == 0 || b.data[at+1] == 0xFF) {
		at++
	}
	return at
}
