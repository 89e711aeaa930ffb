package report

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// define writes into each number the name of its definition, which the tag def of the field that holds it gives.
func define(v any) { defineIn(reflect.ValueOf(v), "") }

func defineIn(v reflect.Value, def string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			defineIn(v.Elem(), def)
		}
	case reflect.Slice:
		for i := range v.Len() {
			defineIn(v.Index(i), def)
		}
	case reflect.Struct:
		if n, is := v.Addr().Interface().(*Number); is {
			if def != "" {
				n.Definition = def
			}
			return
		}
		for i := range v.NumField() {
			f := v.Type().Field(i)
			name := def
			if d := f.Tag.Get("def"); d != "" {
				name = d
			}
			if f.IsExported() && slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Struct}, f.Type.Kind()) {
				defineIn(v.Field(i), name)
			}
		}
	}
}

// Definitions lists the names of all definitions, as a report's numbers carry them.
func Definitions() []string {
	var out []string
	seen := map[reflect.Type]bool{}
	var walk func(t reflect.Type)
	walk = func(t reflect.Type) {
		for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct || seen[t] {
			return
		}
		seen[t] = true
		for i := range t.NumField() {
			f := t.Field(i)
			if d := f.Tag.Get("def"); d != "" {
				out = append(out, d)
			}
			walk(f.Type)
		}
	}
	walk(reflect.TypeFor[Document]())
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(numberOf(a), numberOf(b)), cmp.Compare(a, b)) })
	return slices.Compact(out)
}

// numberOf gives the number in measurement.md with which a name begins; names without come last.
func numberOf(definition string) int {
	first, _, _ := strings.Cut(definition, " ")
	n, err := strconv.Atoi(first)
	if err != nil {
		return math.MaxInt
	}
	return n
}
