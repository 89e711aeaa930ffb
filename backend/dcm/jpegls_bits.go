package dcm

import (
	"errors"
	"fmt"
	"math/bits"
)

// lsBits reads bits, highest first; after a byte FF the next has seven (A.1).
type lsBits struct {
	data  []byte
	at    int    // of the next byte
	cache uint64 // bits not yet used, at the top
	have  uint   // how many
	empty uint   // bits given beyond the end
}

// fill brings at least 48 bits into the cache. Behind the end of the data, or a marker, come zeros. A scan that used some
// of them is cut short; one that uses many stops at once.
func (b *lsBits) fill() error {
	for b.have <= 56 {
		n := uint(8)
		var v byte
		if b.at < len(b.data) {
			v = b.data[b.at]
			if b.at > 0 && b.data[b.at-1] == 0xFF {
				n = 7
			}
			if v == 0xFF && (b.at+1 >= len(b.data) || b.data[b.at+1] >= 0x80) || n == 7 && v >= 0x80 {
				v, n = 0, 8
				b.empty += 8
			} else {
				b.at++
			}
		} else {
			b.empty += 8
		}
		if b.empty > 512 {
			return fmt.Errorf("JPEG-LS: %w", errShort)
		}
		b.cache |= uint64(v) << (64 - n) >> b.have
		b.have += n
	}
	return nil
}

// get reads n (≤ 32) bits.
func (b *lsBits) get(n uint) (uint32, error) {
	if b.have < n {
		if err := b.fill(); err != nil {
			return 0, err
		}
	}
	v := uint32(b.cache >> 32 >> (32 - n))
	b.cache <<= n
	b.have -= n
	return v, nil
}

// golomb reads a code of order k that has at most limit bits (A.5.3).
func (b *lsBits) golomb(k, limit, qbpp uint) (uint32, error) {
	if b.have < 48 {
		if err := b.fill(); err != nil {
			return 0, err
		}
	}
	zeros := uint(bits.LeadingZeros64(b.cache))
	if zeros >= b.have || zeros >= limit-qbpp {
		return b.longGolomb(limit, qbpp)
	}
	b.cache <<= zeros + 1
	b.have -= zeros + 1
	if zeros == limit-qbpp-1 {
		v, err := b.get(qbpp)
		return v + 1, err
	}
	if k == 0 {
		return uint32(zeros), nil
	}
	v, err := b.get(k)
	return uint32(zeros)<<k | v, err
}

// longGolomb reads a code whose unary part has its full length or is damaged.
func (b *lsBits) longGolomb(limit, qbpp uint) (uint32, error) {
	for range limit - qbpp - 1 {
		bit, err := b.get(1)
		if err != nil {
			return 0, err
		}
		if bit == 1 {
			return 0, errJPEGLS
		}
	}
	if bit, err := b.get(1); err != nil || bit == 0 {
		return 0, errors.Join(errJPEGLS, err)
	}
	v, err := b.get(qbpp)
	return v + 1, err
}

// end gives how many bytes the scan took: up to the next marker.
func (b *lsBits) end() int {
	at := b.at
	for at+1 < len(b.data) && (b.data[at] != 0xFF || b.data[at+1] < 0x80) {
		at++
	}
	return at
}
