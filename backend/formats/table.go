package formats

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// cause gives the system's words without the path.
func cause(err error) string {
	var e *fs.PathError
	if errors.As(err, &e) {
		return e.Err.Error()
	}
	return err.Error()
}

// table reads a CSV or TSV file. Pictures in it, of whatever column, stay where they are.
func (w *work) table(name string, f io.Reader, each func(row) bool) *stopped {
	comma := '\t'
	in := bufio.NewReaderSize(f, 64<<10)
	skipped := int64(0)
	if b, _ := in.Peek(3); bytes.Equal(b, []byte("\xef\xbb\xbf")) {
		skipped = 3
		in.Discard(3)
	}
	if recordsEnding(name) == ".csv" {
		comma = commaOf(in)
	}
	limited := &counting{r: in, left: maxTableRow}
	t := tableReader(limited, comma)
	header, err := t.Read()
	if err != nil {
		return &stopped{1, "no row of names: " + tableWords(err)}
	}
	names := plainNames(header)
	for {
		limited.left = maxTableRow
		offset := t.InputOffset() + skipped
		cells, err := t.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		line, _ := t.FieldPos(0)
		if err != nil {
			return &stopped{line, "cannot be read on from here: " + tableWords(err)}
		}
		limited.ends = limited.ends[:0] // the reader of tables counts lines itself
		r := row{file: name, line: line, cells: map[string]string{}}
		for i, c := range cells {
			if i >= len(names) || names[i] == "" {
				continue
			}
			if ending := pictureEnding(c); ending != "" {
				sum := sha256.Sum256([]byte(barePicture(c)))
				e := Embedded{Path: pathOf(name, hex.EncodeToString(sum[:]), ending), File: name, Offset: offset, Comma: string(comma), Cell: i}
				w.inside[e.Path] = e
				c = e.Path
			}
			r.cells[names[i]] = c
		}
		if len(cells) == 1 && trimmed(cells[0]) == "" {
			continue
		}
		if !each(r) {
			return nil
		}
	}
}

// plainNames brings a row of names to plain ones; the second of two of one name is left out.
func plainNames(header []string) []string {
	names, seen := make([]string, len(header)), map[string]bool{}
	for i, h := range header {
		if n := plainField(h); !seen[n] {
			names[i], seen[n] = n, true
		}
	}
	return names
}

// commaOf finds what parts the cells of a CSV file: Excel writes semicolons where numbers have commas.
func commaOf(in *bufio.Reader) rune {
	b, _ := in.Peek(4096)
	line, _, _ := bytes.Cut(b, []byte("\n"))
	best, most := ',', bytes.Count(line, []byte(","))
	for _, c := range ";\t" {
		if n := bytes.Count(line, []byte(string(c))); n > most {
			best, most = c, n
		}
	}
	return best
}

func tableWords(err error) string {
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		return fmt.Sprintf("%v (cell at byte %d of the line)", parse.Err, parse.Column)
	}
	if errors.Is(err, errLong) {
		return fmt.Sprintf("a row has at most %d bytes, this one has more", maxTableRow)
	}
	return cause(err)
}
