package formats

import (
	"encoding/base64"
	"encoding/csv"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// Embedded is a picture that lies inside a file of records, and how it is found there again. Its path is the file's with the digest of what
// stands there as a name below it, so that one picture that stands in many records is one.
type Embedded struct {
	Path   string `json:"p"`
	File   string `json:"f"`
	Member string `json:"m,omitempty"` // of a zip archive
	Offset int64  `json:"o"`           // of the base64; of the row in a table; the row of a Parquet file
	Length int64  `json:"l,omitempty"`
	Comma  string `json:"c,omitempty"` // of a table: what parts its cells
	Cell   int    `json:"n,omitempty"` // of a table: the cell, from 0
	Column string `json:"k,omitempty"` // of a Parquet file
}

// pathOf names a picture inside a file.
func pathOf(file, digest, ending string) string { return file + "/" + digest[:20] + ending }

// Open gives the bytes of the picture.
func (e Embedded) Open(files fs.FS) ([]byte, error) {
	if e.Column != "" {
		return e.fromParquet(files)
	}
	f, err := files.Open(e.File)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if e.Member != "" {
		return e.fromMember(f)
	}
	at, ok := f.(io.ReaderAt)
	if !ok {
		return nil, fmt.Errorf("%s cannot be read in part", e.File)
	}
	if e.Comma != "" {
		return e.fromTable(at)
	}
	if e.Length < 0 || e.Length > maxPicture/3*4+1024 {
		return nil, tooLarge(e.Length / 4 * 3)
	}
	return unpacked(io.NewSectionReader(at, e.Offset, e.Length))
}

func tooLarge(n int64) error {
	return fmt.Errorf("a picture of %d MiB inside a file; at most %d expected", n>>20, maxPicture>>20)
}

// fromTable reads the row again.
func (e Embedded) fromTable(at io.ReaderAt) ([]byte, error) {
	in := tableReader(io.NewSectionReader(at, e.Offset, maxTableRow), rune(e.Comma[0]))
	cells, err := in.Read()
	if err != nil {
		return nil, err
	}
	if e.Cell >= len(cells) {
		return nil, fmt.Errorf("the row has %d cells, the picture should be in cell %d", len(cells), e.Cell+1)
	}
	return unpacked(strings.NewReader(barePicture(cells[e.Cell])))
}

// barePicture drops the head of a data URL.
func barePicture(s string) string {
	if head, rest, ok := strings.Cut(s, ";base64,"); ok && strings.HasPrefix(head, "data:image") {
		return rest
	}
	return s
}

// unpacked decodes base64 as it stands in JSON or in a table: with escaped slashes and line ends.
func unpacked(r io.Reader) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(base64.NewDecoder(base64.StdEncoding, &unescaping{r: r}), maxPicture+1))
	if err != nil {
		return nil, fmt.Errorf("the picture is no base64: %w", err)
	}
	if len(b) > maxPicture {
		return nil, tooLarge(int64(len(b)))
	}
	return b, nil
}

// unescaping drops what stands in base64 beside its letters.
type unescaping struct {
	r     io.Reader
	after bool // a backslash
}

func (u *unescaping) Read(b []byte) (int, error) {
	for {
		n, err := u.r.Read(b)
		out := 0
		for _, c := range b[:n] {
			switch {
			case c == '\\':
				u.after = true
				continue
			case u.after && c != '/':
			case isBase64[c]:
				b[out] = c
				out++
			}
			u.after = false
		}
		if out > 0 || err != nil {
			return out, err
		}
	}
}

// pictureEnding gives the ending for base64 of a picture, "" where it does not look like one.
func pictureEnding(s string) string {
	if strings.HasPrefix(s, "data:image") {
		head, _, ok := strings.Cut(s[len("data:image"):min(len(s), 100)], ",")
		if ok && strings.HasSuffix(head, ";base64") {
			return endingOf(head)
		}
		return ""
	}
	for _, m := range magics {
		if strings.HasPrefix(s, m.begin) {
			return m.ending
		}
	}
	return ""
}

// tableReader reads a table as pandas and spreadsheets write it.
func tableReader(r io.Reader, comma rune) *csv.Reader {
	in := csv.NewReader(r)
	in.Comma, in.LazyQuotes, in.FieldsPerRecord, in.ReuseRecord = comma, true, -1, true
	return in
}

// recordsEnding tells the file ending by which a file may hold records.
func recordsEnding(name string) string { return strings.ToLower(path.Ext(name)) }
