package formats

import (
	"archive/zip"
	"fmt"
	"io"
	"strings"

	"github.com/xuri/excelize/v2"
)

// sheet reads the first sheet of an Excel workbook.
func (w *work) sheet(name string, each func(row) bool) *stopped {
	f, err := w.Files.Open(name)
	if err != nil {
		return &stopped{0, "cannot be read: " + cause(err)}
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return &stopped{0, "cannot be read: " + cause(err)}
	}
	if wrong := bomb(f, info.Size()); wrong != "" {
		return &stopped{0, wrong}
	}
	if s, ok := f.(io.Seeker); ok {
		if _, err := s.Seek(0, io.SeekStart); err != nil {
			return &stopped{0, "cannot be read: " + cause(err)}
		}
	}
	book, err := excelize.OpenReader(f, excelize.Options{UnzipSizeLimit: maxInflated, UnzipXMLSizeLimit: maxInflated / 4, RawCellValue: true})
	if err != nil {
		return &stopped{0, "no workbook that can be read: " + err.Error()}
	}
	defer book.Close()
	sheets := book.GetSheetList()
	if len(sheets) == 0 {
		return &stopped{0, "a workbook without a sheet"}
	}
	rows, err := book.Rows(sheets[0])
	if err != nil {
		return &stopped{0, "no sheet that can be read: " + err.Error()}
	}
	defer rows.Close()
	var names []string
	for line := 1; rows.Next(); line++ {
		cells, err := rows.Columns()
		if err != nil {
			return &stopped{line, "cannot be read on from here: " + err.Error()}
		}
		if names == nil {
			if len(cells) > 0 {
				names = plainNames(cells)
			}
			continue
		}
		r := row{file: name, line: line, cells: map[string]string{}}
		for i, c := range cells {
			if i < len(names) && names[i] != "" {
				r.cells[names[i]] = c
			}
		}
		for _, n := range names { // an empty cell at the end of a row is not written
			if _, ok := r.cells[n]; !ok && n != "" {
				r.cells[n] = ""
			}
		}
		if strings.TrimSpace(strings.Join(cells, "")) != "" && !each(r) {
			return nil
		}
	}
	if err := rows.Error(); err != nil {
		return &stopped{0, "cannot be read to its end: " + err.Error()}
	}
	return nil
}

// bomb says why a zip archive is not opened: what it says of itself is more than it may hold.
func bomb(f any, size int64) string {
	at, ok := f.(io.ReaderAt)
	if !ok {
		return "it cannot be read in part"
	}
	z, err := zip.NewReader(at, size)
	if err != nil {
		return "the zip archive that it should be is damaged: " + err.Error()
	}
	return tooMuch(z)
}

func tooMuch(z *zip.Reader) string {
	sum := uint64(0)
	for _, m := range z.File {
		if sum += min(m.UncompressedSize64, maxInflated+1); sum > maxInflated {
			return fmt.Sprintf("says that it holds more than %d MiB", maxInflated>>20)
		}
	}
	if len(z.File) > maxMembers {
		return fmt.Sprintf("holds %d files; at most %d expected", len(z.File), maxMembers)
	}
	return ""
}
