package dicomweb

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// What a server may answer.
const (
	workers      = 4
	maxInstances = 100_000
	maxAnswer    = 64 << 20 // bytes of one page of a list
	maxFile      = 2 << 30  // bytes of one instance
	pageSize     = 1000
)

// Options say what may be done at an archive.
type Options struct {
	Public bool // the person agreed that a public host is asked
	Login  Login
	Tell   review.Tell
}

// Fetch brings the instances of a place into dir and gives how many are there now. An instance that cannot be had is a problem, and the others
// come all the same.
//
// Faults: Refused (a public host without consent), Endpoint (the server cannot be reached, or answers with what is no list), NotFound (it has
// no such study), IO, Cancelled.
func Fetch(ctx context.Context, p Place, dir string, o Options) (int, []review.Problem, error) {
	const op = "fetch study"
	s, err := connect(ctx, p.Root, o)
	if err != nil {
		return 0, nil, err
	}
	defer s.http.CloseIdleConnections()
	f := &fetch{server: s, place: p, dir: dir}
	list, err := f.list(ctx)
	if err != nil {
		return 0, nil, fault.In(op, p.String(), err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return 0, nil, fault.In(op, dir, err)
	}
	problems, err := f.all(ctx, list, o.Tell)
	if err != nil {
		return 0, problems, fault.In(op, p.String(), err)
	}
	return len(list) - len(problems), problems, nil
}

// fetch is one at work.
type fetch struct {
	*server
	place Place
	dir   string
}

// instance is one file of the archive.
type instance struct{ series, uid string }

// name is where its file lies in the folder.
func (i instance) name() string { return i.series + "/" + i.uid + ".dcm" }

// list asks for every instance, page by page: a server may give fewer than were asked for, and ends with a page that has none (PS3.18 8.3.4).
func (f *fetch) list(ctx context.Context) ([]instance, error) {
	var out []instance
	seen := map[instance]bool{}
	for {
		page, err := f.page(ctx, len(out))
		if err != nil {
			return nil, err
		}
		fresh := 0
		for _, one := range page {
			if !seen[one] {
				seen[one] = true
				out = append(out, one)
				fresh++
			}
		}
		switch {
		case len(out) > maxInstances:
			return nil, fault.New(fault.Endpoint, "list instances", "", "more than %d instances", maxInstances)
		case fresh == 0 && len(out) == 0:
			return nil, fault.New(fault.NotFound, "list instances", "", "the archive has no such study or series, or no instance of it")
		case fresh == 0:
			return out, nil
		}
	}
}

// attribute is one of the DICOM JSON model (PS3.18 F.2).
type attribute struct {
	Value []json.RawMessage `json:"Value"`
}

// page asks for instances from an offset.
func (f *fetch) page(ctx context.Context, offset int) ([]instance, error) {
	path := "/studies/" + f.place.Study
	if f.place.Series != "" {
		path += "/series/" + f.place.Series
	}
	q := url.Values{"limit": {fmt.Sprint(pageSize)}, "offset": {fmt.Sprint(offset)}}
	b, err := f.answer(ctx, "list instances", path+"/instances?"+q.Encode())
	if err != nil {
		return nil, err
	}
	return parsePage(b, f.place.Series)
}

// parsePage reads a list of instances as DICOM JSON. Answers of a series need not repeat its UID.
func parsePage(b []byte, series string) ([]instance, error) {
	const op = "list instances"
	if len(strings.TrimSpace(string(b))) == 0 {
		return nil, nil
	}
	var rows []map[string]attribute
	if err := json.Unmarshal(b, &rows); err != nil {
		return nil, fault.New(fault.Endpoint, op, "", "what the server answers is no list of DICOM JSON: %w", err)
	}
	out := []instance{}
	for i, row := range rows {
		one := instance{series, uidOf(row["00080018"])}
		if s := uidOf(row["0020000E"]); s != "" {
			one.series = s
		}
		if one.uid == "" || one.series == "" {
			return nil, fault.New(fault.Endpoint, op, "", "instance %d has no UID (0008,0018) or series (0020,000E)", i+1)
		}
		out = append(out, one)
	}
	return out, nil
}

// uidOf gives a UID that is one: it becomes a file's name.
func uidOf(a attribute) string {
	var s string
	if len(a.Value) == 0 || json.Unmarshal(a.Value[0], &s) != nil || !isUID(s) {
		return ""
	}
	return s
}

// all brings what is not there yet, a few at a time.
func (f *fetch) all(ctx context.Context, list []instance, tell review.Tell) ([]review.Problem, error) {
	problems := make([]string, len(list))
	var next, done atomic.Int64
	var fatal error
	var once sync.Once
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var all sync.WaitGroup
	fail := func(err error) {
		once.Do(func() { fatal = err })
		stop()
	}
	for range min(workers, len(list)) {
		all.Go(func() {
			var whole arrived
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(list) {
					break
				}
				switch err := f.one(ctx, list[i], &whole); {
				case err == nil:
				case fault.KindOf(err) == fault.IO || ctx.Err() != nil:
					fail(err)
				default:
					problems[i] = words(err)
				}
				tell(review.Progress{Op: "fetch", Done: int(done.Add(1)), Total: len(list)})
			}
			if err := whole.settle(); err != nil {
				fail(err)
			}
		})
	}
	all.Wait()
	out := []review.Problem{}
	for i, text := range problems {
		if text != "" {
			out = append(out, review.Problem{File: list[i].name(), Text: text})
		}
	}
	if fatal == nil {
		fatal = context.Cause(ctx)
	}
	slices.SortFunc(out, func(a, b review.Problem) int { return strings.Compare(a.File, b.File) })
	return out, fatal
}

// words gives the innermost reason.
func words(err error) string {
	var f *fault.Error
	for errors.As(err, &f) && f.Err != nil {
		err = f.Err
		f = nil
	}
	return err.Error()
}

// arrived holds files that are whole, under temporary names. They get their own once they are on the disk, many at a time: a disk that has to
// promise each alone takes longer than the archive does to send it.
type arrived struct {
	files []*os.File // closed only once they are on the disk
	paths []string
}

const settleAt = 32

func (a *arrived) add(file *os.File, path string) error {
	a.files, a.paths = append(a.files, file), append(a.paths, path)
	if len(a.files) < settleAt {
		return nil
	}
	return a.settle()
}

// settle names every file that is on the disk. The first failure is told, and what could not be kept is gone.
func (a *arrived) settle() (first error) {
	for i, file := range a.files {
		err := file.Sync()
		err = errors.Join(err, file.Close())
		if err == nil {
			err = os.Rename(file.Name(), a.paths[i])
		}
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
			if first == nil {
				first = fault.New(fault.IO, "keep instance", filepath.Base(a.paths[i]), "%w", err)
			}
		}
	}
	a.files, a.paths = nil, nil
	return first
}

// one brings one instance, whole or not at all.
func (f *fetch) one(ctx context.Context, i instance, whole *arrived) error {
	path := filepath.Join(f.dir, filepath.FromSlash(i.name()))
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fault.New(fault.IO, "keep instance", i.uid, "%w", err)
	}
	res, err := f.get(ctx, "/studies/"+f.place.Study+"/series/"+i.series+"/instances/"+i.uid,
		`multipart/related; type="application/dicom"; transfer-syntax=*`)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return f.unwilling(res, "retrieve instance", i.uid)
	}
	body, err := part(res)
	if err != nil {
		return err
	}
	return keep(path, i, body, whole)
}

// part finds the instance in an answer: the first part of a multipart one, or all of a plain one.
func part(res *http.Response) (io.Reader, error) {
	kind, more, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	switch {
	case err == nil && kind == "application/dicom":
		return res.Body, nil
	case err != nil || kind != "multipart/related" || more["boundary"] == "":
		return nil, fault.New(fault.Endpoint, "retrieve instance", "", "the server answers %q; multipart/related expected", res.Header.Get("Content-Type"))
	}
	p, err := multipart.NewReader(res.Body, more["boundary"]).NextRawPart()
	if err != nil {
		return nil, fault.New(fault.Endpoint, "retrieve instance", "", "the answer holds no part: %w", err)
	}
	return p, nil
}

// keep writes an instance under a temporary name; where all of it came it has arrived.
func keep(path string, i instance, body io.Reader, whole *arrived) error {
	const op = "keep instance"
	file, err := os.CreateTemp(filepath.Dir(path), ".part-*")
	if err != nil {
		return fault.New(fault.IO, op, i.uid, "%w", err)
	}
	limited := &counted{r: io.LimitReader(body, maxFile+1)}
	n, err := io.Copy(file, limited)
	switch {
	case limited.err != nil:
		err = fault.New(fault.Endpoint, "retrieve instance", i.uid, "the answer was cut short: %w", limited.err)
	case err != nil:
		err = fault.New(fault.IO, op, i.uid, "%w", err)
	case n > maxFile:
		err = fault.New(fault.Endpoint, "retrieve instance", i.uid, "more than %d MiB", maxFile>>20)
	case n < 132:
		err = fault.New(fault.Endpoint, "retrieve instance", i.uid, "%d bytes are no DICOM file", n)
	default:
		return whole.add(file, path)
	}
	file.Close() // what it says of half a file does not matter
	os.Remove(file.Name())
	return err
}

// counted remembers what went wrong at the sender's side, apart from what went wrong at ours.
type counted struct {
	r   io.Reader
	err error
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	if err != nil && err != io.EOF {
		c.err = err
	}
	return n, err
}
