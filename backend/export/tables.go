package export

import (
	"context"
	"fmt"
	"iter"
	"reflect"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// tableFormats are those that hold everything that was said, for statisticians.
func tableFormats() []Format {
	return []Format{
		{Name: "csv", Title: "tables as CSV", For: "reading", Files: shapes("csv"), begin: func(j *job) (writer, error) { return newTables(j, csvTables) }},
		{Name: "parquet", Title: "tables as Parquet", For: "reading", Files: shapes("parquet"), begin: func(j *job) (writer, error) { return newTables(j, parquetTables) }},
		jsonlFormat(),
		imrmcFormat(),
	}
}

// tableNames lists the tables in the order in which they are written.
var tableNames = [...]string{"cases", "answers", "looks", "ratings", "chain_ratings"}

func shapes(ending string) []Shape {
	rows := []any{CaseRow{}, AnswerRow{}, LookRow{}, RatingRow{}, ChainRatingRow{}}
	out := make([]Shape, len(rows))
	for i, r := range rows {
		out[i] = Shape{tableNames[i] + "." + ending, columnsOf(reflect.TypeOf(r))}
	}
	return out
}

// columnsOf lists the columns of a row by their names in files.
func columnsOf(t reflect.Type) []string {
	var out []string
	for f := range fieldsOf(t) {
		out = append(out, f)
	}
	return out
}

// fieldsOf walks the columns of a row with their places; embedded structs are part of the row.
func fieldsOf(t reflect.Type) iter.Seq2[string, []int] {
	return func(yield func(string, []int) bool) {
		for _, f := range reflect.VisibleFields(t) {
			name, _, _ := strings.Cut(f.Tag.Get("parquet"), ",")
			if !f.Anonymous && !yield(name, f.Index) {
				return
			}
		}
	}
}

// A table takes rows of one kind.
type table[T any] interface {
	row(T) error
	end() error
}

// tableSet is the tables of an export.
type tableSet struct {
	cases   table[CaseRow]
	answers table[AnswerRow]
	looks   table[LookRow]
	ratings table[RatingRow]
	chains  table[ChainRatingRow]
}

// tables writes what was said as flat tables.
type tables struct {
	*job
	tableSet
}

func newTables(j *job, open func(*job) (tableSet, error)) (writer, error) {
	set, err := open(j)
	return &tables{j, set}, err
}

// each adds rows until one fails.
func each[T any](t table[T], rows []T) error {
	for _, r := range rows {
		if err := t.row(r); err != nil {
			return err
		}
	}
	return nil
}

func (t *tables) add(_ context.Context, c *Case) error {
	part := ""
	if t.split != nil {
		part = t.split.of[c.ID]
	}
	rows := rowsOf(c, part)
	for _, err := range []error{each(t.cases, rows.cases), each(t.answers, rows.answers), each(t.looks, rows.looks), each(t.ratings, rows.ratings), each(t.chains, rows.chains)} {
		if err != nil {
			return err
		}
	}
	for _, r := range rows.ratings {
		t.label(Label{From: fromHuman, Readers: []string{r.Reader}, Rubric: r.Rubric + " " + r.RubricOf})
	}
	t.counts.wrote(unitCases, 1)
	t.counts.wrote(unitAnswers, len(rows.looks)+len(rows.ratings)+len(rows.chains))
	for _, e := range rows.strays {
		if err := t.counts.left(unitAnswers, string(e.ID), "of a version of a chain, or of a step, that is not in the dataset any more"); err != nil {
			return err
		}
	}
	return nil
}

// unitAnswers counts what readers said: looks, ratings and ratings of chains.
const unitAnswers = "answers of readers"

func (t *tables) end(context.Context) error {
	for _, x := range []interface{ end() error }{t.cases, t.answers, t.looks, t.ratings, t.chains} {
		if err := x.end(); err != nil {
			return err
		}
	}
	return nil
}

// csvTable is a table as RFC 4180 has it: commas, CRLF, quotes where needed, a header.
type csvTable[T any] struct {
	*file
	places [][]int
	line   []byte
}

func newCSV[T any](f *folder, name string) (table[T], error) {
	x, err := f.create(name)
	if err != nil {
		return nil, err
	}
	t := &csvTable[T]{file: x}
	var zero T
	var head []string
	for column, place := range fieldsOf(reflect.TypeOf(zero)) {
		head, t.places = append(head, column), append(t.places, place)
	}
	_, err = x.Write([]byte(strings.Join(head, ",") + "\r\n"))
	return t, err
}

func (t *csvTable[T]) row(r T) error {
	v := reflect.ValueOf(&r).Elem()
	t.line = t.line[:0]
	for i, at := range t.places {
		if i > 0 {
			t.line = append(t.line, ',')
		}
		t.line = appendCell(t.line, v.FieldByIndex(at))
	}
	t.line = append(t.line, "\r\n"...)
	t.rows++
	_, err := t.Write(t.line)
	return err
}

func (t *csvTable[T]) end() error { return nil }

// appendCell writes one value as a cell. A missing value is an empty cell.
func appendCell(b []byte, v reflect.Value) []byte {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return b
		}
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.String:
		return appendText(b, v.String())
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool())
	case reflect.Int64:
		return strconv.AppendInt(b, v.Int(), 10)
	case reflect.Float64:
		return strconv.AppendFloat(b, v.Float(), 'g', -1, 64)
	}
	panic(fmt.Sprintf("no cell holds a %s", v.Type()))
}

// appendText writes text as a cell. What a spreadsheet would take for a formula gets an apostrophe in front, as spreadsheets themselves mark
// text: it begins with one of = + - @, a tab or a carriage return.
func appendText(b []byte, s string) []byte {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		s = "'" + s
	}
	if !strings.ContainsAny(s, "\",\r\n") && strings.TrimSpace(s) == s {
		return append(b, s...)
	}
	b = append(b, '"')
	b = append(b, strings.ReplaceAll(s, `"`, `""`)...)
	return append(b, '"')
}

func csvTables(j *job) (s tableSet, err error) {
	if s.cases, err = newCSV[CaseRow](j.folder, "cases.csv"); err != nil {
		return s, err
	}
	if s.answers, err = newCSV[AnswerRow](j.folder, "answers.csv"); err != nil {
		return s, err
	}
	if s.looks, err = newCSV[LookRow](j.folder, "looks.csv"); err != nil {
		return s, err
	}
	if s.ratings, err = newCSV[RatingRow](j.folder, "ratings.csv"); err != nil {
		return s, err
	}
	s.chains, err = newCSV[ChainRatingRow](j.folder, "chain_ratings.csv")
	return s, err
}

// rowsOfGroup is how many rows of a Parquet table are held in memory at once.
const rowsOfGroup = 20_000

// parquetTable is a table as Parquet, compressed with Zstandard, in row groups of a bounded size.
type parquetTable[T any] struct {
	*file
	to *parquet.GenericWriter[T]
}

func newParquet[T any](f *folder, name string) (table[T], error) {
	x, err := f.create(name)
	if err != nil {
		return nil, err
	}
	return &parquetTable[T]{x, parquet.NewGenericWriter[T](x, parquet.Compression(&parquet.Zstd), parquet.MaxRowsPerRowGroup(rowsOfGroup), parquet.CreatedBy("plumbline", "", ""))}, nil
}

func (t *parquetTable[T]) row(r T) error {
	t.rows++
	if _, err := t.to.Write([]T{r}); err != nil {
		return fault.New(fault.IO, writeOp, t.name, "%w", err)
	}
	return nil
}

func (t *parquetTable[T]) end() error {
	if err := t.to.Close(); err != nil {
		return fault.New(fault.IO, writeOp, t.name, "%w", err)
	}
	return nil
}

func parquetTables(j *job) (s tableSet, err error) {
	if s.cases, err = newParquet[CaseRow](j.folder, "cases.parquet"); err != nil {
		return s, err
	}
	if s.answers, err = newParquet[AnswerRow](j.folder, "answers.parquet"); err != nil {
		return s, err
	}
	if s.looks, err = newParquet[LookRow](j.folder, "looks.parquet"); err != nil {
		return s, err
	}
	if s.ratings, err = newParquet[RatingRow](j.folder, "ratings.parquet"); err != nil {
		return s, err
	}
	s.chains, err = newParquet[ChainRatingRow](j.folder, "chain_ratings.parquet")
	return s, err
}

// jsonlFormat is our own records, with nothing left out.
func jsonlFormat() Format {
	return Format{Name: "jsonl", Title: "our own records, lossless", For: "reading", Files: []Shape{
		{"dataset.json", []string{"see plumb formats --schema dataset"}}, {"cases.jsonl", []string{"see plumb formats --schema case"}},
		{"truth.jsonl", []string{"see plumb formats --schema truth"}}, {"chains/chains.jsonl", []string{"see plumb formats --schema chain"}},
		{"chains/manifest.jsonl", []string{"see plumb formats --schema origin"}},
		{"ledger.jsonl", []string{"every event, byte for byte as stored; see plumb formats --schema event"}},
		{"readings.jsonl", []string{"event", "signed", "counts"}},
	}, begin: newLossless}
}

// lossless writes a dataset folder with everything that was said: it opens again as a dataset, and its ledger can be checked.
type lossless struct {
	*job
	cases, truth, chains, origins, readings *file
}

func newLossless(j *job) (writer, error) {
	l := &lossless{job: j}
	b, err := plainJSON(j.Info)
	if err != nil {
		return nil, fault.New(fault.Internal, writeOp, "dataset.json", "%w", err)
	}
	if err := j.put("dataset.json", b); err != nil {
		return nil, err
	}
	for name, x := range map[string]**file{
		"cases.jsonl": &l.cases, "truth.jsonl": &l.truth, "chains/chains.jsonl": &l.chains, "chains/manifest.jsonl": &l.origins, "readings.jsonl": &l.readings,
	} {
		if *x, err = j.create(name); err != nil {
			return nil, err
		}
	}
	return l, nil
}

func (l *lossless) add(_ context.Context, c *Case) error {
	if err := l.cases.line(c.Case); err != nil {
		return err
	}
	for _, q := range c.Questions {
		if t, known := c.Truth[q.ID]; known {
			if err := l.truth.line(t); err != nil {
				return err
			}
		}
	}
	for _, chain := range c.Chains {
		if err := l.chains.line(chain.Chain); err != nil {
			return err
		}
		if chain.Origin == nil {
			continue
		}
		if err := l.origins.line(chain.Origin); err != nil {
			return err
		}
	}
	for _, s := range c.Said {
		if err := l.readings.line(reading{s.Event, s.Signed, s.Counts}); err != nil {
			return err
		}
		l.label(Label{From: fromHuman, Readers: []string{string(s.Reader)}, Rubric: rubricOf(s.Rubric)})
	}
	l.counts.wrote(unitCases, 1)
	return nil
}

// reading is a line of readings.jsonl: what holds now, in the words of the dataset.
type reading struct {
	Event  review.Event `json:"event"`
	Signed bool         `json:"signed"`
	Counts bool         `json:"counts"`
}

func (l *lossless) end(ctx context.Context) error {
	ledger, err := l.create("ledger.jsonl")
	if err != nil {
		return err
	}
	return l.Ledger(ctx, func(raw []byte, _ review.Event) error {
		ledger.rows++
		_, err := ledger.Write(append(raw, '\n'))
		return err
	})
}

// imrmcFormat is the scores of readers for iMRMC.
func imrmcFormat() Format {
	return Format{Name: "imrmc", Title: "scores of readers for iMRMC (AUC with readers as a random sample)", For: "reading", Files: []Shape{
		{"readers.imrmc", []string{"truth,case,truth,0 or 1", "reader,case,modality,score"}},
	}, begin: func(j *job) (writer, error) { return &scores{j}, nil }}
}

type scores struct{ *job }

func (s *scores) add(context.Context, *Case) error { return nil }

func (s *scores) end(ctx context.Context) error {
	m, tally, err := s.Scores(ctx)
	if err != nil {
		return err
	}
	s.counts.units = tally.units
	if len(m.Scores) == 0 {
		return nil
	}
	x, err := s.create("readers.imrmc")
	if err != nil {
		return err
	}
	x.rows = len(m.Truth) + len(m.Scores)
	return IMRMC(x, m)
}

// Readings makes the count of an export of readings: in, out and what was left aside.
func Readings(in, out int, side []Left) Tally {
	return Tally{units: []*Unit{{Unit: unitReadings, In: in, Out: out, Side: append([]Left{}, side...)}}}
}
