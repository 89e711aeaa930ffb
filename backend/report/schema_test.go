package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"
)

// schemaOf makes the JSON Schema of a report: its descriptions are the comments of the types. A field that the schema does not know is an error,
// and so is one that is missing, but for what only some numbers have.
func schemaOf(t *testing.T) []byte {
	t.Helper()
	r := jsonschema.Reflector{ExpandedStruct: true, Anonymous: true}
	if err := r.AddGoComments("plumbline/backend/report", "."); err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(r.Reflect(Document{}))
	if err != nil {
		t.Fatal(err)
	}
	var s map[string]any
	if err := json.Unmarshal(b, &s); err != nil {
		t.Fatal(err)
	}
	s["$id"], s["title"] = "https://plumbline.invalid/schema/"+Schema, Schema
	s["properties"].(map[string]any)["schema"] = map[string]any{"const": Schema}
	nullable(s)
	out, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(out, '\n')
}

// nullable lets null stand for what a number may lack.
func nullable(of any) {
	may := pointers(reflect.TypeFor[Document](), map[reflect.Type]bool{})
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			properties, _ := v["properties"].(map[string]any)
			for name, property := range properties {
				p, is := property.(map[string]any)
				if is && slices.Contains(may, name) {
					if p["$ref"] != nil {
						properties[name] = map[string]any{"anyOf": []any{p, map[string]any{"type": "null"}}}
					} else if kind, single := p["type"].(string); single {
						p["type"] = []string{kind, "null"}
					}
				}
			}
			for _, x := range v {
				walk(x)
			}
		}
	}
	walk(of)
}

// pointers lists the JSON names of fields that may be null: pointers, and lists of two that are an interval.
func pointers(t reflect.Type, seen map[reflect.Type]bool) (out []string) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || seen[t] {
		return nil
	}
	seen[t] = true
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := bytes.Cut([]byte(f.Tag.Get("json")), []byte(","))
		if f.Type.Kind() == reflect.Pointer || string(name) == "interval" || string(name) == "levels" {
			out = append(out, string(name))
		}
		out = append(out, pointers(f.Type, seen)...)
	}
	return out
}

// The published schema is what the types say, and the golden report keeps to it.
func TestSchema(t *testing.T) {
	got := schemaOf(t)
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile("schemas/report.json", got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(got, JSONSchema()) {
		t.Error("schemas/report.json differs from Document; look at the difference after go test -update")
	}
	doc, err := validator.UnmarshalJSON(bytes.NewReader(got))
	if err != nil {
		t.Fatal(err)
	}
	c := validator.NewCompiler()
	if err := c.AddResource("report.json", doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("report.json")
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile("testdata/report.json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := validator.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiled.Validate(v); err != nil {
		t.Errorf("the golden report: %v", err)
	}
	v.(map[string]any)["nonsense"] = true
	if compiled.Validate(v) == nil {
		t.Error("a field that nobody knows passes")
	}
}
