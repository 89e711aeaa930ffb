package dataset

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"plumbline/backend/review"
)

// line is one record of a JSONL file and where it stands.
type line struct {
	number int    // 1-based
	offset int64  // of its first byte in the file
	bytes  []byte // without the line end; valid until the next call
	long   bool   // it has more than review.MaxRecord bytes; bytes is empty then
}

// lines reads a JSONL file line by line in bounded memory. Empty lines are passed over, a byte order mark at the start too.
type lines struct {
	in     *bufio.Reader
	number int
	offset int64
	held   []byte
	most   int
}

func newLines(r io.Reader) *lines {
	return &lines{in: bufio.NewReaderSize(r, 1<<16), most: review.MaxRecord}
}

// after counts on from what was passed over.
func (l *lines) after(g grown) *lines {
	l.number, l.offset = g.lines, g.from
	return l
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// next gives the next line that is not empty, io.EOF after the last, or what the file said.
func (l *lines) next() (line, error) {
	for {
		out, err := l.one()
		if err != nil && (!errors.Is(err, io.EOF) || out.number == 0) {
			return line{}, err
		}
		if out.long || len(out.bytes) > 0 {
			return out, nil
		}
		if err != nil {
			return line{}, err
		}
	}
}

// one gives the next line, empty or not. At the end of the file it gives what is left together with io.EOF; a zero line means nothing was.
func (l *lines) one() (line, error) {
	out := line{number: l.number + 1, offset: l.offset}
	l.held = l.held[:0]
	for {
		part, err := l.in.ReadSlice('\n')
		l.offset += int64(len(part))
		if !out.long {
			l.held = append(l.held, part...)
		}
		if len(l.held) > l.most+2 { // the line end may be two bytes
			out.long, l.held = true, l.held[:0]
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && l.offset == out.offset {
			return line{}, err
		}
		l.number++
		if out.number == 1 && bytes.HasPrefix(l.held, byteOrderMark) {
			l.held, out.offset = l.held[len(byteOrderMark):], out.offset+int64(len(byteOrderMark))
		}
		before := len(l.held)
		l.held = bytes.TrimLeft(l.held, " \t\r\n")
		out.offset += int64(before - len(l.held))
		out.bytes = bytes.TrimRight(l.held, " \t\r\n")
		return out, err
	}
}
