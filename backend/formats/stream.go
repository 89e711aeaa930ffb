package formats

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// rows gives the records of a file one after another, until each says false. container names the list of records in a log, "" where the file is
// one. What stops it early says where.
func (w *work) rows(name, container string, each func(row) bool) *stopped {
	switch recordsEnding(name) {
	case ".xlsx":
		return w.sheet(name, each)
	case ".eval":
		return w.members(name, each)
	case ".parquet":
		return w.parquet(name, each)
	}
	f, err := w.Files.Open(name)
	if err != nil {
		return &stopped{0, "cannot be read: " + cause(err)}
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return &stopped{0, "not a regular file"}
	}
	switch recordsEnding(name) {
	case ".csv", ".tsv":
		return w.table(name, f, each)
	case ".imrmc", ".txt":
		return w.wholeText(name, f, each)
	}
	in := bufio.NewReaderSize(newCleaner(f, w.embed(name, "")), 64<<10)
	return w.json(name, in, container, each)
}

// embed names pictures inside a file.
func (w *work) embed(file, member string) func(offset, length int64, digest, ending string) string {
	return func(offset, length int64, digest, ending string) string {
		e := Embedded{Path: pathOf(file, digest, ending), File: file, Member: member, Offset: offset, Length: length}
		w.inside[e.Path] = e
		return e.Path
	}
}

// json reads a list of objects, objects one below the other, or a log with a list of them in it.
func (w *work) json(name string, in *bufio.Reader, container string, each func(row) bool) *stopped {
	if b, _ := in.Peek(3); bytes.Equal(b, []byte("\xef\xbb\xbf")) {
		in.Discard(3)
	}
	first, err := firstSign(in)
	if err != nil {
		return &stopped{0, "the file is empty"}
	}
	if first == '{' && (strings.HasSuffix(recordsEnding(name), "l") || byLines(in)) {
		return w.jsonLines(name, in, each)
	}
	count := &counting{r: in, left: maxRecord}
	d := json.NewDecoder(count)
	s := &scan{name: name, in: count, d: d, each: each, container: container, head: map[string]json.RawMessage{}}
	switch first {
	case '[':
		err = s.list()
	case '{':
		err = s.log()
	default:
		return &stopped{1, "a list of records or an object expected"}
	}
	if err == nil || errors.Is(err, errEnough) {
		return nil
	}
	return &stopped{s.at(), s.words(err)}
}

// firstSign gives the first byte that is no space, without taking it.
func firstSign(in *bufio.Reader) (byte, error) {
	for n := 1; n <= 4096; n++ {
		b, err := in.Peek(n)
		if len(b) < n {
			return 0, err
		}
		if c := b[n-1]; c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return c, nil
		}
	}
	return 0, errors.New("nothing but space")
}

// byLines says whether a file holds an object in each line.
func byLines(in *bufio.Reader) bool {
	b, _ := in.Peek(in.Size())
	line, rest, ended := bytes.Cut(bytes.TrimSpace(b), []byte("\n"))
	return ended && json.Valid(line) && bytes.HasPrefix(bytes.TrimSpace(rest), []byte("{"))
}

// jsonLines reads an object from each line; a line that is none is a problem of its own.
func (w *work) jsonLines(name string, in *bufio.Reader, each func(row) bool) *stopped {
	var held []byte
	for line := 1; ; line++ {
		held = held[:0]
		long, ended := false, false
		for !ended {
			part, err := in.ReadSlice('\n')
			if !long {
				held = append(held, part...)
			}
			if len(held) > maxRecord {
				held, long = held[:0], true
			}
			switch {
			case errors.Is(err, bufio.ErrBufferFull):
			case errors.Is(err, io.EOF):
				ended = true
				if len(held) == 0 && !long {
					return nil
				}
			case err != nil:
				return &stopped{line, "cannot be read on from here: " + cause(err)}
			default:
				ended = true
			}
		}
		text := bytes.TrimSpace(held)
		if long {
			w.note(row{file: name, line: line}, "", "a record has at most %d bytes, this one has more", maxRecord)
			continue
		}
		if len(text) == 0 {
			continue
		}
		fields, err := fieldsOf(text)
		if err != nil {
			w.note(row{file: name, line: line}, "", "%v", err)
			continue
		}
		if !each(row{file: name, line: line, fields: fields}) {
			return nil
		}
	}
}

// fieldsOf decodes one object.
func fieldsOf(b []byte) (map[string]json.RawMessage, error) {
	var in map[string]json.RawMessage
	if err := json.Unmarshal(b, &in); err != nil || in == nil {
		return nil, notObject(err)
	}
	out := make(map[string]json.RawMessage, len(in))
	for name, v := range in {
		out[plainField(name)] = v
	}
	return out, nil
}

func notObject(err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("not valid JSON at byte %d: %s", syntax.Offset, strings.TrimPrefix(syntax.Error(), "json: "))
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("not valid JSON: it ends too early")
	}
	return errors.New("an object with fields expected")
}

// counting counts lines, and lets no record be longer than it may be.
type counting struct {
	r    io.Reader
	left int64 // until the next record must have begun
	read int64
	ends []int64 // offsets of line ends that are not yet behind a record
	line int     // that the last record asked for stands in, from 1
}

var errLong = fmt.Errorf("a record has at most %d bytes, this one has more", maxRecord)

func (c *counting) Read(b []byte) (int, error) {
	if c.left <= 0 {
		return 0, errLong
	}
	n, err := c.r.Read(b[:min(int64(len(b)), c.left)])
	for i, v := range b[:n] {
		if v == '\n' {
			c.ends = append(c.ends, c.read+int64(i))
		}
	}
	c.read += int64(n)
	c.left -= int64(n)
	return n, err
}

// lineAt gives the line of an offset; offsets ascend.
func (c *counting) lineAt(offset int64) int {
	n := 0
	for n < len(c.ends) && c.ends[n] < offset {
		n++
	}
	c.line += n
	c.ends = c.ends[n:]
	return c.line + 1
}

// scan goes through a JSON document.
type scan struct {
	name      string
	in        *counting
	d         *json.Decoder
	each      func(row) bool
	container string
	head      map[string]json.RawMessage
	sum       int // bytes of the head
}

var errEnough = errors.New("enough")

// at gives the line that the decoder stands in: past the space and comma before the next value.
func (s *scan) at() int {
	rest, _ := io.ReadAll(io.LimitReader(s.d.Buffered(), 4096))
	skip := len(rest) - len(bytes.TrimLeft(rest, " \t\r\n,:"))
	return s.in.lineAt(s.d.InputOffset() + int64(skip) + 1)
}

func (s *scan) words(err error) string {
	if errors.Is(err, errLong) {
		return err.Error()
	}
	return "cannot be read on from here: " + notObject(err).Error()
}

// list reads the records of a list.
func (s *scan) list() error {
	if _, err := s.d.Token(); err != nil {
		return err
	}
	for s.d.More() {
		s.in.left = maxRecord
		line := s.at()
		var raw json.RawMessage
		if err := s.d.Decode(&raw); err != nil {
			return err
		}
		fields, err := fieldsOf(raw)
		if err != nil { // a list of something else
			fields = map[string]json.RawMessage{"": raw}
		}
		if !s.each(row{file: s.name, line: line, fields: fields, head: s.head}) {
			return errEnough
		}
	}
	s.in.left = maxRecord
	_, err := s.d.Token()
	return err
}

// log reads an object with a list of records in it; what stands before the list is kept as its head.
func (s *scan) log() error {
	if _, err := s.d.Token(); err != nil {
		return err
	}
	met := false
	for s.d.More() {
		s.in.left = maxRecord
		token, err := s.d.Token()
		if err != nil {
			return err
		}
		key, _ := token.(string)
		if (key == s.container || s.container == anyContainer && containers[key]) && s.listNext() {
			met = true
			if s.head["@container"] == nil {
				s.head["@container"] = json.RawMessage(`"` + key + `"`)
			}
			if err := s.list(); err != nil {
				return err
			}
			continue
		}
		var raw json.RawMessage
		if err := s.d.Decode(&raw); err != nil {
			return err
		}
		if s.sum += len(raw); s.sum <= maxRecord {
			s.head[plainField(key)] = raw
		}
	}
	if _, err := s.d.Token(); err != nil {
		return err
	}
	if !met && s.container == anyContainer { // an object alone is one record
		s.each(row{file: s.name, line: 1, fields: s.head})
	}
	return nil
}

// listNext says whether a list follows.
func (s *scan) listNext() bool {
	for n := int64(64); ; n *= 2 {
		rest, _ := io.ReadAll(io.LimitReader(s.d.Buffered(), n))
		rest = bytes.TrimLeft(rest, " \t\r\n:")
		if len(rest) > 0 {
			return rest[0] == '['
		}
		if n > 1<<16 || !s.d.More() {
			return false
		}
	}
}

// anyContainer is for finding out of what format a file is.
const anyContainer = "*"

var containers = map[string]bool{"request_states": true, "samples": true, "annotations": true}

// wholeText gives a file that is no list of records as one.
func (w *work) wholeText(name string, r io.Reader, each func(row) bool) *stopped {
	b, err := io.ReadAll(io.LimitReader(r, maxRecord+1))
	switch {
	case err != nil:
		return &stopped{0, "cannot be read: " + cause(err)}
	case len(b) > maxRecord:
		return &stopped{0, errLong.Error()}
	}
	each(row{file: name, line: 1, cells: map[string]string{"": string(b)}})
	return nil
}
