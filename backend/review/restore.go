package review

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
)

// The schema of each record format as written today.
const (
	DatasetSchema   = "plumbline/dataset/1"
	CaseSchema      = "plumbline/case/1"
	TruthSchema     = "plumbline/truth/1"
	ChainSchema     = "plumbline/chain/1"
	OriginSchema    = "plumbline/origin/1"
	EventSchema     = "plumbline/event/1"
	ReadingSchema   = "plumbline/reading/1"
	WorkspaceSchema = "plumbline/workspace/1"
	TrainingSchema  = "plumbline/training/1"
)

// RestoreDataset reads dataset.json of any version.
func RestoreDataset(b []byte) (Dataset, error) { return restore[Dataset](b, DatasetSchema) }

// RestoreCase reads one line of cases.jsonl of any version; no list in it is null.
func RestoreCase(b []byte) (Case, error) {
	c, err := restore[Case](b, CaseSchema)
	c.Images, c.FramesShown, c.Questions = list(c.Images), list(c.FramesShown), list(c.Questions)
	for i := range c.Questions {
		q := &c.Questions[i]
		q.Options, q.Parents = list(q.Options), list(q.Parents)
	}
	return c, err
}

// RestoreTruth reads one line of truth.jsonl of any version.
func RestoreTruth(b []byte) (Truth, error) {
	t, err := restore[Truth](b, TruthSchema)
	t.Evidence, t.Implies = regions(t.Evidence), list(t.Implies)
	if t.Inserted != nil {
		t.Inserted.Evidence = regions(t.Inserted.Evidence)
	}
	return t, err
}

// RestoreChain reads one line of a chain file of any version. A missing digest is filled in.
func RestoreChain(b []byte) (Chain, error) {
	c, err := restore[Chain](b, ChainSchema)
	c.ImageDigests, c.Answers = list(c.ImageDigests), list(c.Answers)
	for i := range c.Answers {
		a := &c.Answers[i]
		a.Steps = list(a.Steps)
		for j := range a.Steps {
			a.Steps[j].Regions = regions(a.Steps[j].Regions)
		}
	}
	if err == nil && c.Digest == "" {
		c.Digest = ChainDigest(c)
	}
	return c, err
}

// RestoreOrigin reads one line of chains/manifest.jsonl of any version.
func RestoreOrigin(b []byte) (Origin, error) { return restore[Origin](b, OriginSchema) }

// RestoreEvent reads an event of the ledger of any version.
func RestoreEvent(b []byte) (Event, error) {
	var e Event
	var err error
	if len(b) > MaxRecord || json.Unmarshal(b, &e) != nil || e.Schema != EventSchema {
		e, err = restore[Event](b, EventSchema) // what is plainly of today is decoded once: a ledger is walked whole
	}
	if l := e.Body.Look; l != nil {
		l.Evidence = regions(l.Evidence)
	}
	if r := e.Body.Rating; r != nil {
		r.Evidence, r.Error = regions(r.Evidence), list(r.Error)
	}
	if o := e.Body.OwnAnswer; o != nil {
		o.Evidence = regions(o.Evidence)
	}
	if s := e.Body.Seen; s != nil {
		s.Frames, s.Windows = list(s.Frames), list(s.Windows)
		for i, m := range s.Images {
			s.Images[i].Frames, s.Images[i].Windows = list(m.Frames), list(m.Windows)
		}
	}
	if c := e.Body.ChainRating; c != nil {
		c.Missed, c.NeedsMore = list(c.Missed), list(c.NeedsMore)
	}
	if h := e.Body.Handover; h != nil {
		h.Heads = list(h.Heads)
	}
	if a := e.Body.Adjudication; a != nil {
		a.restored()
	}
	return e, err
}

// RestoreReadingFile reads a reading written as a file.
func RestoreReadingFile(b []byte) (ReadingFile, error) {
	return restore[ReadingFile](b, ReadingSchema)
}

// RestoreTrainingKey reads a training key of any version.
func RestoreTrainingKey(b []byte) (TrainingKey, error) {
	k, err := restore[TrainingKey](b, TrainingSchema)
	k.Cases = list(k.Cases)
	for i := range k.Cases {
		c := &k.Cases[i]
		c.Looks, c.Steps = list(c.Looks), list(c.Steps)
		for j := range c.Looks {
			c.Looks[j].Evidence, c.Looks[j].Implies = regions(c.Looks[j].Evidence), list(c.Looks[j].Implies)
		}
	}
	return k, err
}

// list turns null into an empty list.
func list[T any](l []T) []T {
	if l == nil {
		return []T{}
	}
	return l
}

func regions(l []Region) []Region {
	l = list(l)
	for i := range l {
		l[i].Coords = list(l[i].Coords)
	}
	return l
}

// MaxRecord is the most bytes that one record (a line) may have.
const MaxRecord = 16 << 20

// restore decodes one JSON object and brings it to today's schema: `want` is "plumbline/<noun>/<version>".
func restore[T any](b []byte, want string) (T, error) {
	var v T
	if len(b) > MaxRecord {
		return v, fmt.Errorf("a record has at most %d bytes, this one %d", MaxRecord, len(b))
	}
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return v, inWords(err)
	}
	if err := checkSchema(head.Schema, want); err != nil {
		return v, err
	}
	d := json.NewDecoder(bytes.NewReader(b))
	if err := d.Decode(&v); err != nil {
		return v, inWords(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return v, fmt.Errorf("one JSON object expected, more follows it")
	}
	return v, nil
}

// checkSchema accepts any version of the noun up to today's; a record without one counts as the first.
func checkSchema(got, want string) error {
	if got == "" || got == want {
		return nil
	}
	noun, version := split(got)
	wantNoun, today := split(want)
	n, err := strconv.Atoi(version)
	switch t, _ := strconv.Atoi(today); {
	case noun != wantNoun || err != nil || n < 1:
		return fmt.Errorf("schema: %q expected, found %q", want, got)
	case n > t:
		return fmt.Errorf("schema: made by a newer Plumbline (%s); this one knows up to %s", got, want)
	}
	return nil
}

func split(schema string) (noun, version string) {
	i := strings.LastIndexByte(schema, '/')
	return schema[:max(i, 0)], schema[i+1:]
}

// inWords names the field and byte of a JSON error.
func inWords(err error) error {
	switch e := err.(type) {
	case *json.SyntaxError:
		return fmt.Errorf("not valid JSON at byte %d: %s", e.Offset, strings.TrimPrefix(e.Error(), "json: "))
	case *json.UnmarshalTypeError:
		return &FieldError{Field: e.Field, Want: typeInWords(e.Type), Found: e.Value}
	}
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		return fmt.Errorf("not valid JSON: it ends too early")
	}
	return err
}

// typeInWords names a Go type as JSON knows it.
func typeInWords(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return typeInWords(t.Elem())
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Slice:
		return "a list"
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Float64:
		return "a number"
	}
	return "a whole number"
}

// FieldError says that one field of a record has the wrong type.
type FieldError struct{ Field, Want, Found string }

// Error names the field and both types.
func (e *FieldError) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("%s expected, found %s", e.Want, e.Found)
	}
	return fmt.Sprintf("field %s: %s expected, found %s", e.Field, e.Want, e.Found)
}

// DigestOf hashes bytes.
func DigestOf(b []byte) Digest {
	h := sha256.Sum256(b)
	return Digest("sha256:" + hex.EncodeToString(h[:]))
}

// CaseDigest hashes what a reader is shown of a case: its JSON as this version writes it.
func CaseDigest(c Case) Digest { return digestJSON(c) }

// ChainDigest hashes a chain without its own digest field.
func ChainDigest(c Chain) Digest {
	c.Digest = ""
	return digestJSON(c)
}

func digestJSON(v any) Digest {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain data always marshals
	}
	return DigestOf(b)
}
