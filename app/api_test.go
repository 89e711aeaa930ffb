package app

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden file anew")

// TestBorder keeps the whole border between Go and the page in one golden file: a change to it is seen in review, never by accident.
func TestBorder(t *testing.T) {
	got := border(reflect.TypeFor[*App]())
	const golden = "testdata/api.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the border changed; if that is meant, run go test ./app -update\n%s", difference(string(want), got))
	}
}

// border prints every bound method, then every struct that crosses with its JSON names.
func border(app reflect.Type) string {
	var b strings.Builder
	nouns := map[string]reflect.Type{}
	for i := range app.NumMethod() {
		m := app.Method(i)
		var in, out []string
		for j := 1; j < m.Type.NumIn(); j++ {
			in = append(in, collect(nouns, m.Type.In(j)))
		}
		for j := range m.Type.NumOut() {
			out = append(out, collect(nouns, m.Type.Out(j)))
		}
		fmt.Fprintf(&b, "%s(%s) (%s)\n", m.Name, strings.Join(in, ", "), strings.Join(out, ", "))
	}
	names := make([]string, 0, len(nouns))
	for n := range nouns {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		fmt.Fprintf(&b, "\n%s\n", n)
		fields(&b, nouns, nouns[n])
	}
	return b.String()
}

func fields(b *strings.Builder, nouns map[string]reflect.Type, t reflect.Type) {
	for _, f := range reflect.VisibleFields(t) {
		name := f.Tag.Get("json")
		if name == "-" || f.Anonymous {
			continue
		}
		fmt.Fprintf(b, "\t%s %s\n", name, collect(nouns, f.Type))
	}
}

// collect gives a type's name and remembers the structs in it.
func collect(nouns map[string]reflect.Type, t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + collect(nouns, t.Elem())
	case reflect.Slice:
		return "[]" + collect(nouns, t.Elem())
	case reflect.Map:
		return "map[" + collect(nouns, t.Key()) + "]" + collect(nouns, t.Elem())
	case reflect.Struct:
		if _, seen := nouns[t.String()]; !seen {
			nouns[t.String()] = t
			for _, f := range reflect.VisibleFields(t) {
				if f.Tag.Get("json") != "-" {
					collect(nouns, f.Type)
				}
			}
		}
	}
	return t.String()
}

func difference(want, got string) string {
	have := map[string]int{}
	for l := range strings.Lines(want) {
		have[l]++
	}
	var b strings.Builder
	for l := range strings.Lines(got) {
		if have[l]--; have[l] < 0 {
			b.WriteString("+ " + l)
		}
	}
	for l, n := range have {
		if n > 0 {
			b.WriteString("- " + l)
		}
	}
	return b.String()
}
