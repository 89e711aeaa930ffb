package export

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path"
	"path/filepath"
	"time"

	"plumbline/backend/fault"
	"plumbline/backend/store"
)

const writeOp = "write export"

// A folder is an export while it is being written: under a temporary name beside its place.
type folder struct {
	dir    string // where it will be
	at     string // where it is meanwhile
	files  []*file
	counts *Tally
}

// startFolder begins an export in dir: a new or empty folder, or an earlier export, which is replaced once the new one is whole. Faults:
// Refused where dir holds anything else, IO.
func startFolder(dir string) (*folder, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fault.In(writeOp, dir, err)
	}
	if err := recoverPlace(dir, time.Now()); err != nil {
		return nil, err
	}
	if err := mayReplace(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return nil, fault.New(fault.IO, writeOp, dir, "%w", err)
	}
	at, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+unfinished+"*")
	if err != nil {
		return nil, fault.New(fault.IO, writeOp, dir, "%w", err)
	}
	if err := os.Chmod(at, 0o755); err != nil {
		return nil, errors.Join(fault.New(fault.IO, writeOp, dir, "%w", err), os.RemoveAll(at))
	}
	return &folder{dir: dir, at: at, counts: &Tally{}}, nil
}

// drop forgets what was written.
func (f *folder) drop() error {
	var errs []error
	for _, x := range f.files {
		errs = append(errs, x.close())
	}
	return errors.Join(append(errs, os.RemoveAll(f.at))...)
}

// finish closes all files and puts the folder in its place: what stood there before is away only once this stands.
func (f *folder) finish() error {
	for _, x := range f.files {
		if err := x.finish(); err != nil {
			return err
		}
	}
	old, err := f.takePlace()
	if err != nil {
		return err
	}
	if err := store.SyncFolder(filepath.Dir(f.dir)); err != nil {
		return fault.New(fault.IO, writeOp, f.dir, "%w", err)
	}
	if old != "" {
		if err := os.RemoveAll(old); err != nil {
			return fault.New(fault.IO, writeOp, old, "the export is written; the one before it could not be removed: %w", err)
		}
	}
	return nil
}

// takePlace gives the folder its name, and says what the earlier export is called now; "" where there was none.
func (f *folder) takePlace() (old string, err error) {
	if _, err := os.Lstat(f.dir); err == nil {
		if store.Exchange(f.at, f.dir) == nil {
			return f.at, nil
		}
		old = f.at + before
		if err := os.Rename(f.dir, old); err != nil {
			return "", fault.New(fault.IO, writeOp, f.dir, "%w", err)
		}
	}
	if err := os.Rename(f.at, f.dir); err != nil {
		err = fault.New(fault.IO, writeOp, f.dir, "%w", err)
		if old != "" {
			err = errors.Join(err, os.Rename(old, f.dir))
		}
		return "", err
	}
	return old, nil
}

// A file of an export: bytes are counted and hashed as they are written.
type file struct {
	name string // with forward slashes, relative to the folder
	rows int
	size int64
	sum  hash.Hash
	to   *bufio.Writer
	disk *os.File
}

// create begins a file; folders in its name are made.
func (f *folder) create(name string) (*file, error) {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return nil, fault.New(fault.Internal, writeOp, name, "a file outside of the export")
	}
	at := filepath.Join(f.at, filepath.FromSlash(name))
	if dir := path.Dir(name); dir != "." {
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return nil, fault.New(fault.IO, writeOp, name, "%w", err)
		}
	}
	disk, err := os.OpenFile(at, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, fault.New(fault.IO, writeOp, name, "%w", err)
	}
	x := &file{name: name, sum: sha256.New(), disk: disk}
	x.to = bufio.NewWriterSize(disk, 1<<16)
	f.files = append(f.files, x)
	return x, nil
}

// Write appends bytes.
func (x *file) Write(b []byte) (int, error) {
	n, err := x.to.Write(b)
	x.sum.Write(b[:n])
	x.size += int64(n)
	if err != nil {
		return n, fault.New(fault.IO, writeOp, x.name, "%w", err)
	}
	return n, nil
}

// finish sees to it that the bytes are on the disk.
func (x *file) finish() error {
	if x.disk == nil {
		return nil
	}
	err := errors.Join(x.to.Flush(), x.disk.Sync(), x.disk.Close())
	x.disk = nil
	if err != nil {
		return fault.New(fault.IO, writeOp, x.name, "%w", err)
	}
	return nil
}

func (x *file) close() error {
	if x.disk == nil {
		return nil
	}
	err := x.disk.Close()
	x.disk = nil
	return err
}

// put writes a small file at once.
func (f *folder) put(name string, data []byte) error {
	x, err := f.create(name)
	if err != nil {
		return err
	}
	if _, err := x.Write(data); err != nil {
		return err
	}
	return x.finish()
}

// line appends v as one line of JSON; text for people keeps its < and >.
func (x *file) line(v any) error {
	b, err := plainJSON(v)
	if err != nil {
		return fault.New(fault.Internal, writeOp, x.name, "%w", err)
	}
	x.rows++
	_, err = x.Write(b)
	return err
}

// plainJSON writes v as JSON with a line break behind it and without HTML escapes.
func plainJSON(v any) ([]byte, error) {
	var b jsonBuffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b, err
}

type jsonBuffer []byte

func (b *jsonBuffer) Write(p []byte) (int, error) {
	*b = append(*b, p...)
	return len(p), nil
}

// A list is a file that holds one JSON array.
type list struct{ *file }

// item appends v to the array.
func (l list) item(v any) error {
	b, err := plainJSON(v)
	if err != nil {
		return fault.New(fault.Internal, writeOp, l.name, "%w", err)
	}
	before := ",\n"
	if l.rows == 0 {
		before = "[\n"
	}
	l.rows++
	if _, err := io.WriteString(l, before); err != nil {
		return err
	}
	_, err = l.Write(b[:len(b)-1])
	return err
}

// end closes the array.
func (l list) end() error {
	closing := "\n]\n"
	if l.rows == 0 {
		closing = "[]\n"
	}
	_, err := io.WriteString(l, closing)
	return err
}

// digest gives the SHA-256 of a finished file.
func (x *file) digest() string { return hex.EncodeToString(x.sum.Sum(nil)) }

// A Tally counts what came in and what became of it, by unit ("cases", "regions"): what came in is what was written and what was left aside.
type Tally struct {
	units []*Unit
	why   map[string]int // place in a unit's side list
	side  *file
}

// Unit is one kind of thing that an export counts.
type Unit struct {
	Unit string `json:"unit"`
	In   int    `json:"in"`
	Out  int    `json:"out"`
	Side []Left `json:"side"`
}

// Left says how many were left aside for one reason; the file side.jsonl of the export names each.
type Left struct {
	N   int    `json:"n"`
	Why string `json:"why"`
}

func (t *Tally) unit(name string) *Unit {
	for _, u := range t.units {
		if u.Unit == name {
			return u
		}
	}
	u := &Unit{Unit: name, Side: []Left{}}
	t.units = append(t.units, u)
	return u
}

// wrote counts something that was written.
func (t *Tally) wrote(unit string, n int) {
	u := t.unit(unit)
	u.In += n
	u.Out += n
}

// left counts something that was left aside, and names it in the side list.
func (t *Tally) left(unit, id, why string) error {
	u := t.unit(unit)
	u.In++
	key := unit + "\x00" + why
	at, known := t.why[key]
	if !known {
		if t.why == nil {
			t.why = map[string]int{}
		}
		at = len(u.Side)
		t.why[key] = at
		u.Side = append(u.Side, Left{Why: why})
	}
	u.Side[at].N++
	if t.side == nil {
		return nil
	}
	return t.side.line(leftLine{unit, id, why})
}

// leftLine is a line of side.jsonl.
type leftLine struct {
	Unit string `json:"unit"`
	ID   string `json:"id"`
	Why  string `json:"why"`
}

// check refuses counts that do not add up: a thing that is neither written nor named is a bug.
func (t *Tally) check(cases int) error {
	for _, u := range t.units {
		sum := u.Out
		for _, l := range u.Side {
			sum += l.N
		}
		if u.In != sum || u.Unit == unitCases && u.In != cases {
			return fault.New(fault.Internal, writeOp, u.Unit, "%d in (of %d), %d accounted for", u.In, cases, sum)
		}
	}
	return nil
}

// The units that exports count.
const (
	unitCases    = "cases"
	unitRegions  = "regions"
	unitReadings = "readings"
)

// name makes an id safe as a name of a file: letters, digits, dot, dash and underscore stay.
func name(id string) string {
	out := make([]byte, 0, len(id))
	plain := id != "" && id[0] != '.'
	for _, c := range []byte(id) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.' {
			out = append(out, c)
			continue
		}
		plain = false
		out = append(out, '_')
	}
	if plain && len(out) <= 100 {
		return string(out)
	}
	sum := sha256.Sum256([]byte(id)) // so that two ids never have one name
	return fmt.Sprintf("%.80s-%x", "_"+string(out), sum[:4])
}
