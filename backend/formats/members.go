package formats

import (
	"archive/zip"
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// zstdMethod is zip method 93, by which Inspect packs its logs.
const zstdMethod = zstd.ZipMethodWinZip

// archiveOf opens a zip archive whose files are stored, deflated or packed by zstd.
func archiveOf(f fs.File) (*zip.Reader, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	at, ok := f.(io.ReaderAt)
	if !ok {
		return nil, fmt.Errorf("it cannot be read in part")
	}
	z, err := zip.NewReader(at, info.Size())
	if err != nil {
		return nil, fmt.Errorf("the zip archive that it should be is damaged: %w", err)
	}
	if wrong := tooMuch(z); wrong != "" {
		return nil, fmt.Errorf("%s", wrong)
	}
	z.RegisterDecompressor(zstdMethod, zstd.ZipDecompressor(zstd.WithDecoderMaxMemory(64<<20), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true)))
	return z, nil
}

// members reads the samples of an Inspect .eval file, each a JSON file in a zip archive, with its header around them.
func (w *work) members(name string, each func(row) bool) *stopped {
	f, err := w.Files.Open(name)
	if err != nil {
		return &stopped{0, "cannot be read: " + cause(err)}
	}
	defer f.Close()
	z, err := archiveOf(f)
	if err != nil {
		return &stopped{0, err.Error()}
	}
	head := map[string]json.RawMessage{}
	for _, start := range []string{"header.json", "_journal/start.json"} {
		if m := member(z, start); m != nil && len(head) == 0 {
			if head, err = w.memberFields(name, m); err != nil {
				w.note(row{file: name}, start, "%v", err)
			}
		}
	}
	if head == nil {
		head = map[string]json.RawMessage{}
	}
	head["@container"] = json.RawMessage(`"samples"`)
	met := false
	for i, m := range z.File {
		if !strings.HasPrefix(m.Name, "samples/") || !strings.HasSuffix(m.Name, ".json") {
			continue
		}
		met = true
		fields, err := w.memberFields(name, m)
		if err != nil {
			w.note(row{file: name}, m.Name, "%v", err)
			continue
		}
		if !each(row{file: name, line: i + 1, fields: fields, head: head}) {
			return nil
		}
	}
	if !met {
		return &stopped{0, "holds no sample; samples/*.json expected"}
	}
	return nil
}

// memberFields reads one JSON file of an archive, its pictures left in it.
func (w *work) memberFields(name string, m *zip.File) (map[string]json.RawMessage, error) {
	in, err := m.Open()
	if err != nil {
		return nil, fmt.Errorf("cannot be unpacked: %w", err)
	}
	defer in.Close()
	clean := newCleaner(io.LimitReader(in, int64(min(m.UncompressedSize64, maxInflated))), w.embed(name, m.Name))
	b, err := io.ReadAll(io.LimitReader(bufio.NewReader(clean), maxRecord+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("cannot be unpacked: %w", err)
	case len(b) > maxRecord:
		return nil, errLong
	}
	return fieldsOf(b)
}

func member(z *zip.Reader, name string) *zip.File {
	for _, m := range z.File {
		if m.Name == name {
			return m
		}
	}
	return nil
}

// fromMember reads a picture out of a file in an archive.
func (e Embedded) fromMember(f fs.File) ([]byte, error) {
	z, err := archiveOf(f)
	if err != nil {
		return nil, err
	}
	m := member(z, e.Member)
	if m == nil {
		return nil, fs.ErrNotExist
	}
	in, err := m.Open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if e.Offset < 0 || e.Offset > maxInflated || e.Length > maxPicture/3*4+1024 {
		return nil, tooLarge(e.Length / 4 * 3)
	}
	if _, err := io.CopyN(io.Discard, in, e.Offset); err != nil {
		return nil, err
	}
	return unpacked(io.LimitReader(in, e.Length))
}
