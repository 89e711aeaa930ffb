package formats

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"strings"
)

// A cleaner makes JSON of others readable on the way. Bare NaN and Infinity, which JSON has not, become null. A picture that stands in a string,
// as a data URL or as bare base64, is passed over: its place stands there instead, so that a log of a gigabyte of pictures is read in the memory
// of its words. Line ends stay, so lines count as in the file.
type cleaner struct {
	in     *bufio.Reader
	offset int64 // of the next byte of in
	out    bytes.Buffer
	state  cleaning
	found  func(offset, length int64, digest, ending string) string // gives the name under which a picture is known

	held   bytes.Buffer // of a string that may be a picture
	sum    hash.Hash
	from   int64
	ending string
	url    bool // it was named as a picture
	broken bool
}

type cleaning int

const (
	outside cleaning = iota
	inside           // a string
	picture          // base64 in a string
)

// heldAtMost is how long a bare base64 string is held before it counts as a picture for good.
const heldAtMost = 64 << 10

// unreadable stands where a picture was that is no base64.
const unreadable = "unreadable-picture"

// magics are how base64 of a picture begins.
var magics = []struct{ begin, ending string }{
	{"iVBORw0KGgo", ".png"}, {"/9j/", ".jpg"}, {"R0lGOD", ".gif"}, {"UklGR", ".webp"}, {"SUkqA", ".tif"}, {"TU0AK", ".tif"},
}

func newCleaner(r io.Reader, found func(offset, length int64, digest, ending string) string) *cleaner {
	return &cleaner{in: bufio.NewReaderSize(r, 64<<10), found: found}
}

// Read gives the cleaned bytes.
func (c *cleaner) Read(b []byte) (int, error) {
	for c.out.Len() == 0 {
		if err := c.fill(); err != nil {
			return 0, err
		}
	}
	return c.out.Read(b)
}

// fill goes on by a piece.
func (c *cleaner) fill() error {
	if _, err := c.in.Peek(1); err != nil {
		if errors.Is(err, io.EOF) && c.state == picture { // cut short: the words before it count
			c.state = inside
			return nil
		}
		return err
	}
	chunk, _ := c.in.Peek(c.in.Buffered())
	switch c.state {
	case outside:
		c.outside(chunk)
	case inside:
		c.inside(chunk)
	case picture:
		c.picture(chunk)
	}
	return nil
}

// take copies so many bytes.
func (c *cleaner) take(chunk []byte, n int) {
	c.out.Write(chunk[:n])
	c.skip(n)
}

func (c *cleaner) skip(n int) {
	c.in.Discard(n) // they are in the buffer
	c.offset += int64(n)
}

func (c *cleaner) outside(chunk []byte) {
	n := bytes.IndexAny(chunk, `"NI`)
	if n < 0 {
		c.take(chunk, len(chunk))
		return
	}
	c.take(chunk, n)
	switch next, _ := c.in.Peek(8); {
	case bytes.HasPrefix(next, []byte("NaN")):
		c.out.WriteString("null")
		c.skip(3)
	case bytes.HasPrefix(next, []byte("Infinity")):
		if b := c.out.Bytes(); len(b) > 0 && b[len(b)-1] == '-' {
			c.out.Truncate(len(b) - 1)
		}
		c.out.WriteString("null")
		c.skip(8)
	case next[0] == '"':
		c.take(next, 1)
		c.begin()
	default:
		c.take(next, 1)
	}
}

// begin looks whether a string that begins here is a picture.
func (c *cleaner) begin() {
	c.state = inside
	next, _ := c.in.Peek(96)
	if bytes.HasPrefix(next, []byte("data:image")) {
		comma := bytes.IndexByte(next, ',')
		if comma < 0 || !bytes.HasSuffix(next[:comma], []byte(";base64")) {
			return
		}
		kind := strings.ReplaceAll(string(next[len("data:image"):comma]), `\`, "")
		c.startPicture(endingOf(kind), true)
		c.skip(comma + 1)
		c.from = c.offset
		return
	}
	for _, m := range magics {
		if bytes.HasPrefix(next, []byte(m.begin)) {
			c.startPicture(m.ending, false)
			c.from = c.offset
			return
		}
	}
}

// endingOf gives the file ending for the kind that a data URL names: "/png;base64".
func endingOf(kind string) string {
	kind, _, _ = strings.Cut(strings.TrimPrefix(kind, "/"), ";")
	switch kind {
	case "jpeg", "jpg":
		return ".jpg"
	case "png", "gif", "webp", "bmp":
		return "." + kind
	case "tiff":
		return ".tif"
	}
	return ".img"
}

func (c *cleaner) startPicture(ending string, url bool) {
	c.state, c.sum, c.ending, c.url, c.broken = picture, sha256.New(), ending, url, false
	c.held.Reset()
}

// inside copies a string up to its end.
func (c *cleaner) inside(chunk []byte) {
	n := bytes.IndexAny(chunk, `"\`)
	switch {
	case n < 0:
		c.take(chunk, len(chunk))
	case chunk[n] == '"':
		c.take(chunk, n+1)
		c.state = outside
	case n+1 < len(chunk):
		c.take(chunk, n+2)
	default: // the backslash is the last byte at hand
		c.take(chunk, n+1)
		if next, err := c.in.Peek(1); err == nil {
			c.take(next, 1)
		}
	}
}

// picture passes over base64.
func (c *cleaner) picture(chunk []byte) {
	n := 0
	for n < len(chunk) && isBase64[chunk[n]] {
		n++
	}
	if n > 0 {
		c.sum.Write(chunk[:n])
		if c.held.Len() <= heldAtMost {
			c.held.Write(chunk[:n])
		}
		c.skip(n)
		return
	}
	switch {
	case chunk[0] == '"':
		c.state = inside
		if c.broken {
			c.out.WriteString(unreadable)
			return
		}
		digest := hex.EncodeToString(c.sum.Sum(nil))
		c.out.WriteString(c.found(c.from, c.offset-c.from, digest, c.ending))
	case chunk[0] == '\\': // \/ is a slash, \n a line end
		next, err := c.in.Peek(2)
		if err == nil && next[1] == '/' {
			c.sum.Write(next[1:])
		}
		c.held.Write(next)
		c.skip(len(next))
	case c.held.Len() < heldAtMost && c.from+int64(c.held.Len()) == c.offset && !c.broken && !c.url:
		c.out.Write(c.held.Bytes()) // words after all
		c.state = inside
	default:
		c.broken = true
		c.skip(1)
	}
}

var isBase64 = func() (set [256]bool) {
	for _, r := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=" {
		set[r] = true
	}
	return set
}()
