package dcm

import "fmt"

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
func (b *llBits) difference(t huffman) (int32, error) {
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
