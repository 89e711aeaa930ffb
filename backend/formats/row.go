package formats

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// A row is one record of a file, of JSON or of a table. Its fields are known by plain names: in lower case, other signs as underscores.
type row struct {
	file   string
	line   int // from 1
	fields map[string]json.RawMessage
	cells  map[string]string
	head   map[string]json.RawMessage // what stands around the records: of a log
}

// plainField brings the name of a field to one form: "Choice A" and "choice_a" are one.
func plainField(name string) string {
	name = strings.Trim(strings.TrimSpace(name), "\ufeff")
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '-' {
			return '_'
		}
		return unicode.ToLower(r)
	}, name)
}

// has says whether a field is there, empty or not.
func (r row) has(name string) bool {
	_, a := r.fields[name]
	_, b := r.cells[name]
	return a || b
}

// text gives a field as text: a number as it is written, a list of one as its element; "" where it is missing, null or something else.
func (r row) text(name string) string {
	if c, ok := r.cells[name]; ok {
		return trimmed(c)
	}
	return trimmed(textOf(r.fields[name]))
}

// trimmed drops space around a text and what no page shows.
func trimmed(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > maxText {
		s = strings.ToValidUTF8(s[:maxText], "")
	}
	return strings.ToValidUTF8(s, "\ufffd")
}

// textOf gives a JSON value as text.
func textOf(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return ""
	}
	switch raw[0] {
	case '"':
		var s string
		if json.Unmarshal(raw, &s) == nil {
			return s
		}
	case 't', 'f':
		return string(raw)
	case '[':
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) == nil && len(list) == 1 {
			return textOf(list[0])
		}
	case '{', 'n':
	default:
		return numeral(string(raw))
	}
	return ""
}

// numeral writes a whole number without a fraction: a table has 1 as 1, 1.0 or "1".
func numeral(s string) string {
	if v, err := strconv.ParseFloat(s, 64); err == nil && strings.ContainsAny(s, ".eE") && v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return strconv.FormatInt(int64(v), 10)
	}
	return s
}

// key gives a field as what records are joined by: 1, "1" and 1.0 are one.
func (r row) key(name string) string { return numeral(r.text(name)) }

// list gives a field as texts: a JSON list, a list written as text ("['a', 'b']"), or one text.
func (r row) list(name string) []string {
	raw := r.fields[name]
	if c, ok := r.cells[name]; ok {
		return listOf(c)
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil && list != nil {
		out := []string{}
		for _, v := range list {
			out = append(out, trimmed(textOf(v)))
		}
		return out
	}
	if s := textOf(raw); s != "" {
		return listOf(s)
	}
	return nil
}

// listOf reads a list that is written as text, as Python does.
func listOf(s string) []string {
	s = trimmed(s)
	if s == "" {
		return nil
	}
	inner, ok := strings.CutPrefix(s, "[")
	if inner, ok2 := strings.CutSuffix(inner, "]"); ok && ok2 {
		var list []any
		if json.Unmarshal([]byte(s), &list) == nil {
			out := []string{}
			for _, v := range list {
				out = append(out, trimmed(fmt.Sprint(v)))
			}
			return out
		}
		out := []string{}
		for _, part := range strings.Split(inner, ",") {
			if part = strings.Trim(strings.TrimSpace(part), `'"`); part != "" {
				out = append(out, part)
			}
		}
		return out
	}
	return []string{s}
}

// into decodes a field; false where it is missing or something else.
func (r row) into(name string, v any) bool {
	raw, ok := r.fields[name]
	if c, is := r.cells[name]; is {
		raw, ok = json.RawMessage(c), true
	}
	return ok && !bytes.Equal(bytes.TrimSpace(raw), []byte("null")) && json.Unmarshal(raw, v) == nil
}

// truth says whether a field is true; ok is false where it says neither.
func (r row) truth(name string) (is, ok bool) {
	switch strings.ToLower(r.text(name)) {
	case "true", "1", "yes":
		return true, true
	case "false", "0", "no":
		return false, true
	}
	return false, false
}

// number gives a field as a number; false where it is none.
func (r row) number(name string) (float64, bool) {
	v, err := strconv.ParseFloat(r.text(name), 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// headText gives text from around the records, by a path of names.
func (r row) headText(path ...string) string {
	at := r.head[path[0]]
	for _, name := range path[1:] {
		var in map[string]json.RawMessage
		if json.Unmarshal(at, &in) != nil {
			return ""
		}
		at = in[name]
	}
	return trimmed(textOf(at))
}

// number4 reads four numbers of a box: a list, or a list as text.
func number4(raw json.RawMessage) (box [4]float64, ok bool) {
	var list []float64
	if json.Unmarshal(raw, &list) != nil {
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return box, false
		}
		return numbersIn(s)
	}
	if len(list) != 4 {
		return box, false
	}
	copy(box[:], list)
	return box, true
}

// numbersIn reads four numbers that stand in a text, in brackets or without.
func numbersIn(s string) (box [4]float64, ok bool) {
	parts := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("[]() ,;\t\n", r) })
	if len(parts) != 4 {
		return box, false
	}
	for i, p := range parts {
		v, err := strconv.ParseFloat(p, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return box, false
		}
		box[i] = v
	}
	return box, true
}
