package dataset

import (
	"archive/zip"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"plumbline/backend/dcm"
)

// A zip archive is looked into like a folder, and its files are read where they lie: nothing is unpacked onto a disk. A path leads through it,
// as in study.zip/IMAGES/IM1.

// What an archive may claim.
const (
	maxEntries   = 100_000
	maxEntry     = 1 << 30  // bytes of one file once inflated; no more of it is inflated than is asked for
	inflateRatio = 1100     // deflate packs at most 1,032 times
	entryBudget  = 64 << 20 // bytes of inflated files that are kept
)

// isArchive tells a zip archive by its name.
func isArchive(rel string) bool { return strings.EqualFold(path.Ext(rel), ".zip") }

// zipped is where one file of an archive lies.
type zipped struct {
	offset, packed, size int64
	deflated             bool
}

// listed is one name in an archive: a file, or why it is not used.
type listed struct {
	name  string
	at    zipped
	wrong string
}

// listArchive reads the directory of an archive. Names stay below it, and what they claim is within bounds.
func listArchive(name string) ([]listed, error) {
	f, err := openRegular(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	r, err := zip.NewReader(f, info.Size())
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, errors.New("the zip archive is damaged: " + err.Error())
	}
	if len(r.File) > maxEntries {
		return nil, fmt.Errorf("the zip archive holds %d files; at most %d expected", len(r.File), maxEntries)
	}
	var out []listed
	seen := map[string]bool{}
	for _, e := range r.File {
		base := path.Base(e.Name)
		if strings.HasSuffix(e.Name, "/") || strings.HasPrefix(base, ".") || strings.HasPrefix(e.Name, "__MACOSX/") {
			continue
		}
		one := listed{name: e.Name, wrong: entryFault(e)}
		if one.wrong != "" { // such a name is shown and never used as a path
			one.name = strings.Map(func(r rune) rune {
				if r < ' ' || r == '\\' {
					return '_'
				}
				return r
			}, strings.TrimLeft(e.Name, "/"))
			out = append(out, one)
			continue
		}
		if seen[e.Name] {
			out = append(out, listed{name: e.Name + " (again)", wrong: "the name stands twice in the archive; the first is used"})
			continue
		}
		seen[e.Name] = true
		offset, err := e.DataOffset()
		if err != nil {
			one.wrong = "the archive is damaged here: " + err.Error()
		}
		one.at = zipped{offset, int64(e.CompressedSize64), int64(e.UncompressedSize64), e.Method == zip.Deflate}
		out = append(out, one)
	}
	slices.SortStableFunc(out, func(a, b listed) int { return strings.Compare(a.name, b.name) })
	return out, nil
}

// entryFault says why a file of an archive is not used, or "".
func entryFault(e *zip.File) string {
	const encrypted = 1
	switch {
	case !filepath.IsLocal(filepath.FromSlash(e.Name)) || path.Clean(e.Name) != e.Name || strings.ContainsAny(e.Name, "\\\x00:"):
		return "its name leaves the archive or is no path; left out"
	case e.Mode()&os.ModeType != 0:
		return "neither a file nor a folder; left out"
	case e.Flags&encrypted != 0:
		return "encrypted; unpack the archive with its password first"
	case e.Method != zip.Store && e.Method != zip.Deflate:
		return fmt.Sprintf("packed by method %d; stored or deflated expected", e.Method)
	case e.UncompressedSize64 > maxEntry:
		return fmt.Sprintf("says that it holds %d MiB; at most %d expected", e.UncompressedSize64>>20, maxEntry>>20)
	case e.UncompressedSize64 > inflateRatio*e.CompressedSize64+1024:
		return "says that it holds more than so few bytes can; left out"
	}
	return ""
}

// visitArchive lists the files of an archive as a walk finds them.
func (r root) visitArchive(rel, name string) []found {
	archive := r.visit(rel, name)
	if archive.wrong != "" {
		return []found{archive}
	}
	entries, err := listArchive(name)
	if err != nil || len(entries) == 0 {
		if err != nil {
			archive.wrong = cause(err)
		} else {
			archive.wrong = "an empty archive"
		}
		return []found{archive}
	}
	out := make([]found, len(entries))
	for i, e := range entries {
		out[i] = found{rel + "/" + e.name, archive.stamp, e.wrong}
	}
	return out
}

// archives opens files inside archives. It is safe for concurrent use.
type archives struct {
	mu     sync.Mutex
	known  map[string]archive
	inside map[string]embedded      // pictures in files of records, by path
	files  *lru[string, *inflating] // the latest that were inflated, so that a clip is not inflated for each frame
}

// archive is the directory of an archive as it was.
type archive struct {
	stamp stamp
	files map[string]zipped
}

func newArchives() *archives {
	return &archives{known: map[string]archive{}, inside: map[string]embedded{}, files: newLRU[string](entryBudget, func(*inflating) {})}
}

// open opens a file, or one inside an archive or a file of records.
func (a *archives) open(name string) (dcm.Opened, error) {
	if e, ok := a.embeds(name); ok {
		return e.open()
	}
	at, inside := through(name)
	if inside == "" {
		return dcm.OpenFile(name)
	}
	entry, err := a.find(at, inside)
	if err != nil {
		return dcm.Opened{}, err
	}
	file, err := os.Open(at)
	if err != nil {
		return dcm.Opened{}, err
	}
	packed := io.NewSectionReader(file, entry.offset, entry.packed)
	if !entry.deflated {
		return dcm.Opened{ReaderAt: packed, Size: min(entry.size, entry.packed), Close: file.Close}, nil
	}
	if err := file.Close(); err != nil {
		return dcm.Opened{}, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	in, ok := a.files.get(name)
	if !ok || in.entry != entry {
		in = &inflating{archive: at, entry: entry}
		a.files.put(name, in, min(entry.size, entryBudget)) // one alone is kept whatever its size: else a clip would be inflated for each frame
	}
	return dcm.Opened{ReaderAt: in, Size: entry.size, Close: func() error { return nil }}, nil
}

// through parts a path at the archive it leads through: the first part that is named as one and is a file. inside is "" where it leads through none.
func through(name string) (at, inside string) {
	slashed := filepath.ToSlash(name)
	for i := 0; i < len(slashed); i++ {
		if slashed[i] == '/' && isArchive(slashed[:i]) && exists(filepath.FromSlash(slashed[:i])) {
			return filepath.FromSlash(slashed[:i]), slashed[i+1:]
		}
	}
	return name, ""
}

// find looks a file up in the directory of its archive, which is read again where the archive changed.
func (a *archives) find(at, inside string) (zipped, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := look(at)
	dir, known := a.known[at]
	if !known || dir.stamp != now {
		entries, err := listArchive(at)
		if err != nil {
			return zipped{}, err
		}
		dir = archive{now, map[string]zipped{}}
		for _, e := range entries {
			if e.wrong == "" {
				dir.files[e.name] = e.at
			}
		}
		a.known[at] = dir
	}
	entry, ok := dir.files[inside]
	if !ok {
		return zipped{}, &os.PathError{Op: "open", Path: at + "/" + inside, Err: os.ErrNotExist}
	}
	return entry, nil
}

// inflating is a deflated file of an archive, inflated as far as was asked for.
type inflating struct {
	archive string
	entry   zipped

	mu   sync.Mutex
	out  []byte
	file *os.File
	in   io.Reader
}

// ReadAt inflates up to the end of b and no further.
func (f *inflating) ReadAt(b []byte, at int64) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if at < 0 || at >= f.entry.size {
		return 0, io.EOF
	}
	end := min(at+int64(len(b)), f.entry.size)
	if err := f.inflate(end); err != nil {
		return 0, err
	}
	n := 0
	if at < int64(len(f.out)) {
		n = copy(b, f.out[at:min(end, int64(len(f.out)))])
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// inflate goes on to an end. The archive is open only while it works: an inflater that was let go would else keep it.
func (f *inflating) inflate(end int64) error {
	if int64(len(f.out)) >= end {
		return nil
	}
	file, err := os.Open(f.archive)
	if err != nil {
		return err
	}
	defer file.Close()
	if f.in == nil {
		f.in = flate.NewReader(&resuming{f: f})
	}
	f.file = file
	defer func() { f.file = nil }()
	have := len(f.out)
	f.out = slices.Grow(f.out, int(end)-have) // whoever asks for so much has set aside as much
	n, err := io.ReadFull(f.in, f.out[have:end])
	f.out = f.out[:have+n]
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF { // cut short: whoever reads says so
		return fmt.Errorf("the file in the archive is damaged: %w", err)
	}
	return nil
}

// resuming reads the packed bytes of a file through whichever handle is open.
type resuming struct {
	f  *inflating
	at int64
}

func (r *resuming) Read(b []byte) (int, error) {
	left := r.f.entry.packed - r.at
	if left <= 0 {
		return 0, io.EOF
	}
	n, err := r.f.file.ReadAt(b[:min(int64(len(b)), left)], r.f.entry.offset+r.at)
	r.at += int64(n)
	if n > 0 {
		err = nil
	}
	return n, err
}
