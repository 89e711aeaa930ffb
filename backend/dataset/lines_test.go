package dataset

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

// linesOf reads everything with a bound of `most` bytes a line.
func linesOf(t *testing.T, content []byte, most int) []line {
	t.Helper()
	l := newLines(bytes.NewReader(content))
	l.most = most
	var out []line
	for {
		next, err := l.next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		next.bytes = bytes.Clone(next.bytes)
		out = append(out, next)
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 200_000)
	for _, c := range []struct {
		name, content string
		most          int
		want          []line
	}{
		{"nothing", "", 10, nil},
		{"only empty lines", "\n\r\n  \n", 10, nil},
		{"no end of line at the end", "a\nb", 10, []line{{1, 0, []byte("a"), false}, {2, 2, []byte("b"), false}}},
		{"empty lines count", "a\n\n\nb\n", 10, []line{{1, 0, []byte("a"), false}, {4, 4, []byte("b"), false}}},
		{"carriage returns and spaces", "  a \r\n\tb\r\n", 10, []line{{1, 2, []byte("a"), false}, {2, 7, []byte("b"), false}}},
		{"byte order mark", "\xef\xbb\xbfa\nb\n", 10, []line{{1, 3, []byte("a"), false}, {2, 5, []byte("b"), false}}},
		{"only a byte order mark", "\xef\xbb\xbf", 10, nil},
		{"as long as allowed", "0123456789\nb\n", 10, []line{{1, 0, []byte("0123456789"), false}, {2, 11, []byte("b"), false}}},
		{"too long", "0123456789abc\nb\n", 10, []line{{1, 0, nil, true}, {2, 14, []byte("b"), false}}},
		{"too long, longer than the buffer", long + "\nb\n", 100_000, []line{{1, 0, nil, true}, {2, 200_001, []byte("b"), false}}},
		{"longer than the buffer", long + "\nb", 300_000, []line{{1, 0, []byte(long), false}, {2, 200_001, []byte("b"), false}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := linesOf(t, []byte(c.content), c.most)
			if len(got) != len(c.want) {
				t.Fatalf("%d lines, want %d", len(got), len(c.want))
			}
			for i, w := range c.want {
				if g := got[i]; g.number != w.number || g.offset != w.offset || !bytes.Equal(g.bytes, w.bytes) || g.long != w.long {
					t.Errorf("line %d: number %d offset %d long %v %.20q, want %d %d %v %.20q", i, g.number, g.offset, g.long, g.bytes, w.number, w.offset, w.long, w.bytes)
				}
			}
		})
	}
}

// Whatever the file: numbers and offsets rise, every line stands where it says, and none is longer than allowed.
func FuzzLines(f *testing.F) {
	for _, s := range []string{"", "a\n", "\xef\xbb\xbf{}\r\n\r\n[1]", "\n\n", "0123456789abcdefghijklmnop\nx", "a\x00b\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		const most = 16
		number, end := 0, int64(0)
		for _, l := range linesOf(t, content, most) {
			if l.number <= number || l.offset < end {
				t.Fatalf("line %d at %d after line %d to %d", l.number, l.offset, number, end)
			}
			number, end = l.number, l.offset+int64(len(l.bytes))
			if l.long {
				continue
			}
			if len(l.bytes) == 0 || len(l.bytes) > most+2 || end > int64(len(content)) || !bytes.Equal(content[l.offset:end], l.bytes) {
				t.Fatalf("line %d at %d: %q", l.number, l.offset, l.bytes)
			}
			if 1+bytes.Count(content[:l.offset], []byte("\n")) != l.number {
				t.Fatalf("line %d stands on another", l.number)
			}
		}
	})
}
