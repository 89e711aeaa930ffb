package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"plumbline/backend/fault"
	"plumbline/backend/stats"
)

// metricsCommand computes the formulas of measurement.md on plain numbers; it needs no workspace.
func metricsCommand(f *face) *cobra.Command {
	return &cobra.Command{
		Use: "metrics FILE", Short: "Compute agreement and the other formulas on a JSON file of numbers; - is standard input", Args: cobra.ExactArgs(1),
		Long: `Compute agreement and the other formulas on a JSON file of numbers.

FILE holds one object with any of these keys; the answer stands under the same keys. Shares are 0 to 1. What cannot be
estimated is {"estimable": false, "reason": "…"}.

  ratings      readers × items, null = missing, with levels: every level in order, or how many there are (without
               levels, those that were used)
  clusters     lists of rows: 0 and 1, or differences
  calibration  {confidence, correct}
  counts       how often each answer was given, with options: how many there could be
  boxes        {a, b}: x0, y0, x1, y1; pixel precision is the share of a in b
  mediation    {y11, y00, y10, y01}: image original or occluded, then earlier answers so
  chain        {gold, own, gold_run, parents, noop}: an answer a stage; parents from 0, all earlier ones where null
  mrmc         readers × cases
  mcnemar      {b, c}
  wilson       {x, n}
  paths        {a, b}
  m3cot        {labels_from: human or model, items: [{analysis_type, gold_steps: [judgment], steps: [{step_type, judgment}],
               order: [of each judge {element: when, 0 for never}]}], accuracy and seconds: {cot, direct}}
  gemex        {cited, reference}: lists of boxes`,
		RunE: func(_ *cobra.Command, args []string) error {
			b, err := loadInput("load numbers", args[0])
			if err != nil {
				return err
			}
			out, err := metrics(b)
			if err != nil {
				return fault.New(fault.Invalid, "compute metrics", args[0], "%w", err)
			}
			if f.json {
				return f.print(out)
			}
			return f.sayMetrics(out)
		},
	}
}

// measures says how the value of each key is computed; the second argument of each is the value of the key that goes with it.
var measures = []struct {
	key, with string
	of        func(b, with []byte) (any, error)
}{
	{"ratings", "levels", ratingMetrics},
	{"clusters", "", clusterMetrics},
	{"calibration", "", calibrationMetrics},
	{"counts", "options", countMetrics},
	{"boxes", "", boxMetrics},
	{"mediation", "", mediationMetrics},
	{"chain", "", chainMetrics},
	{"mrmc", "", mrmcMetrics},
	{"mcnemar", "", mcnemarMetrics},
	{"wilson", "", wilsonMetrics},
	{"paths", "", pathMetrics},
	{"m3cot", "", m3CoTMetrics},
	{"gemex", "", gemexMetrics},
}

// metrics computes everything that one object asks for. An error says where it lies.
func metrics(b []byte) (map[string]any, error) {
	fields, at, err := fieldsOf(b)
	if err != nil {
		return nil, err
	}
	out := map[string]any{}
	for _, m := range measures {
		value, asked := fields[m.key]
		with, beside := fields[m.with]
		switch {
		case !asked && beside:
			return nil, fmt.Errorf("%s: %s goes with %s, which is missing", place(b, at[m.with]+1), m.with, m.key)
		case !asked:
			continue
		}
		result, err := m.of(value, with)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", place(b, at[m.key]+max(1, offset(err))), m.key, inWords(err))
		}
		out[m.key] = result
	}
	return out, nil
}

// fieldsOf takes the one object of b apart: the value of each key, and where it begins. A key that is not known, or there twice, is named.
func fieldsOf(b []byte) (map[string]json.RawMessage, map[string]int64, error) {
	var whole json.RawMessage
	if err := json.Unmarshal(b, &whole); err != nil {
		return nil, nil, fmt.Errorf("%s: not valid JSON: %w", place(b, offset(err)), err)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, nil, fmt.Errorf("%s: one JSON object expected", place(b, d.InputOffset()))
	}
	fields, at := map[string]json.RawMessage{}, map[string]int64{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", place(b, d.InputOffset()), err)
		}
		key, _ := t.(string) // the keys of an object are strings
		if _, twice := fields[key]; twice {
			return nil, nil, fmt.Errorf("%s: the key %q is there twice", place(b, d.InputOffset()), key)
		}
		if !slices.Contains(metricKeys(), key) {
			return nil, nil, fmt.Errorf("%s: the key %q is not known; known are %s", place(b, d.InputOffset()), key, strings.Join(metricKeys(), ", "))
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", place(b, d.InputOffset()), err)
		}
		fields[key], at[key] = value, d.InputOffset()-int64(len(value))
	}
	return fields, at, nil
}

func metricKeys() []string {
	keys := []string{}
	for _, m := range measures {
		keys = append(keys, m.key)
		if m.with != "" {
			keys = append(keys, m.with)
		}
	}
	return keys
}

// offset gives where in its value a JSON error lies, 0 for others.
func offset(err error) int64 {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return syntax.Offset
	case errors.As(err, &kind):
		return kind.Offset
	}
	return 0
}

// inWords says what JSON had to be there, in JSON's own terms.
func inWords(err error) error {
	var kind *json.UnmarshalTypeError
	if !errors.As(err, &kind) {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	want := "an object"
	switch kind.Type.Kind() {
	case reflect.Slice:
		want = "a list"
	case reflect.String:
		want = "text"
	case reflect.Float64:
		want = "a number"
	case reflect.Int:
		want = "a whole number"
	}
	field := ""
	if kind.Field != "" {
		field = kind.Field + ": "
	}
	return fmt.Errorf("%s%s expected, found %s", field, want, kind.Value)
}

// place gives a byte offset as a line and a column, both from 1.
func place(b []byte, offset int64) string {
	before := b[:min(max(offset, 0), int64(len(b)))]
	line := bytes.Count(before, []byte("\n"))
	return fmt.Sprintf("line %d, column %d", line+1, max(1, len(before)-1-bytes.LastIndexByte(before, '\n')))
}

// strict reads a value and names a field that it does not have.
func strict[T any](b []byte) (v T, err error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	err = d.Decode(&v)
	return v, err
}

// sayMetrics writes a line for each number.
func (f *face) sayMetrics(out map[string]any) error {
	b, err := json.Marshal(out)
	if err != nil {
		return err
	}
	var plain any
	if err := json.Unmarshal(b, &plain); err != nil {
		return err
	}
	f.sayNumbers("", plain)
	return nil
}

func (f *face) sayNumbers(name string, v any) {
	switch v := v.(type) {
	case float64:
		f.say("%s\t%s", name, strconv.FormatFloat(v, 'g', 6, 64))
	case string:
		f.say("%s\t%s", name, v)
	case []any:
		f.say("%s\t%s", name, strings.Trim(fmt.Sprint(v), "[]"))
	case map[string]any:
		if v["estimable"] == false {
			f.say("%s\tnot estimable: %v", name, v["reason"])
			return
		}
		for _, key := range sortedKeys(v) {
			f.sayNumbers(strings.TrimPrefix(name+"."+key, "."), v[key])
		}
	}
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// estimate wraps a number that there always is.
func estimate(v float64) stats.Estimate { return stats.Estimate{Value: v, Estimable: true} }
