package formats

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
)

// parquetFile opens a Parquet file.
func parquetFile(f fs.File) (*parquet.File, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	at, ok := f.(io.ReaderAt)
	if !ok {
		return nil, errors.New("it cannot be read in part")
	}
	p, err := parquet.OpenFile(at, info.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, fmt.Errorf("no Parquet file that can be read: %w", err)
	}
	if n := len(p.Schema().Columns()); n > 1000 {
		return nil, fmt.Errorf("%d columns; at most 1000 expected", n)
	}
	return p, nil
}

// parquet reads the rows of a Parquet file: lists of values as lists, structures as objects. A picture (bytes, as Hugging Face keeps them) stays
// where it is.
func (w *work) parquet(name string, each func(row) bool) *stopped {
	f, err := w.Files.Open(name)
	if err != nil {
		return &stopped{0, "cannot be read: " + cause(err)}
	}
	defer f.Close()
	p, err := parquetFile(f)
	if err != nil {
		return &stopped{0, err.Error()}
	}
	columns := p.Schema().Columns()
	line, index := 0, int64(0)
	for _, group := range p.RowGroups() {
		stop, err := eachParquetRow(group, func(values parquet.Row) bool {
			line++
			r := row{file: name, line: line, fields: map[string]json.RawMessage{}}
			for top, v := range w.parquetFields(name, index, columns, values) {
				if b, err := json.Marshal(v); err == nil {
					r.fields[plainField(top)] = b
				}
			}
			index++
			return each(r)
		})
		if err != nil {
			return &stopped{line + 1, "cannot be read on from here: " + err.Error()}
		}
		if stop {
			return nil
		}
	}
	return nil
}

// eachParquetRow goes through the rows of a group until f says false.
func eachParquetRow(group parquet.RowGroup, f func(parquet.Row) bool) (stop bool, err error) {
	rows := group.Rows()
	defer rows.Close()
	held := make([]parquet.Row, 16)
	for {
		n, err := rows.ReadRows(held)
		for _, r := range held[:n] {
			if !f(r) {
				return true, nil
			}
		}
		if errors.Is(err, io.EOF) || err == nil && n == 0 {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
}

// parquetFields gives the values of a row by the names of its top columns.
func (w *work) parquetFields(name string, index int64, columns [][]string, values parquet.Row) map[string]any {
	out := map[string]any{}
	for _, v := range values {
		if v.Column() < 0 || v.Column() >= len(columns) || v.IsNull() {
			continue
		}
		path := columns[v.Column()]
		var value any
		switch v.Kind() {
		case parquet.Boolean:
			value = v.Boolean()
		case parquet.Int32, parquet.Int64:
			value = v.Int64()
		case parquet.Float:
			value = float64(v.Float())
		case parquet.Double:
			value = v.Double()
		case parquet.ByteArray, parquet.FixedLenByteArray:
			value = w.parquetBytes(name, index, path, v.ByteArray())
		default:
			continue
		}
		top, leaf := path[0], path[len(path)-1]
		switch {
		case len(path) == 1:
			out[top] = value
		case v.RepetitionLevel() > 0 || leaf == "element" || leaf == "item":
			list, _ := out[top].([]any)
			out[top] = append(list, value)
		default:
			object, ok := out[top].(map[string]any)
			if !ok {
				object = map[string]any{}
				out[top] = object
			}
			object[leaf] = value
		}
	}
	return out
}

// parquetBytes gives text, or the place of a picture.
func (w *work) parquetBytes(name string, index int64, path []string, b []byte) any {
	kind := ""
	if len(b) > 8 {
		kind, _ = strings.CutPrefix(http.DetectContentType(b), "image/")
	}
	if ending := endingOf(kind); ending != ".img" && !utf8.Valid(b) {
		sum := sha256.Sum256(b)
		e := Embedded{Path: pathOf(name, hex.EncodeToString(sum[:]), ending), File: name, Offset: index, Column: strings.Join(path, "\x00")}
		w.inside[e.Path] = e
		return e.Path
	}
	return strings.ToValidUTF8(string(b[:min(len(b), maxText)]), "\ufffd")
}

// fromParquet reads a picture out of a row.
func (e Embedded) fromParquet(files fs.FS) (picture []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			picture, err = nil, fmt.Errorf("cannot be read: %v", p)
		}
	}()
	f, err := files.Open(e.File)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p, err := parquetFile(f)
	if err != nil {
		return nil, err
	}
	before := int64(0)
	for _, group := range p.RowGroups() {
		if e.Offset >= before+group.NumRows() {
			before += group.NumRows()
			continue
		}
		at := -1
		for i, path := range p.Schema().Columns() {
			if strings.Join(path, "\x00") == e.Column {
				at = i
			}
		}
		rows := group.Rows()
		defer rows.Close()
		if err := rows.SeekToRow(e.Offset - before); err != nil {
			return nil, err
		}
		held := make([]parquet.Row, 1)
		if n, err := rows.ReadRows(held); n == 0 {
			return nil, err
		}
		for _, v := range held[0] {
			if v.Column() == at && len(v.ByteArray()) <= maxPicture {
				return append([]byte{}, v.ByteArray()...), nil
			}
		}
		break
	}
	return nil, fs.ErrNotExist
}
