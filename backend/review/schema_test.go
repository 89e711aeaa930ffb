package review

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"
)

var update = flag.Bool("update", false, "write the golden files anew")

// published are the records with a schema: what is written, and whether a field that the schema does not know is an error.
var published = map[string]struct {
	schema string
	noun   any
	strict bool
}{
	"dataset":  {DatasetSchema, Dataset{}, false},
	"case":     {CaseSchema, Case{}, false},
	"truth":    {TruthSchema, Truth{}, false},
	"chain":    {ChainSchema, Chain{}, false},
	"origin":   {OriginSchema, Origin{}, false},
	"event":    {EventSchema, Event{}, false},
	"reading":  {ReadingSchema, ReadingFile{}, false},
	"protocol": {ProtocolSchema, Protocol{}, true},
	"rubric":   {RubricSchema, rubricFile{}, true},
}

// required are the fields without which a record says nothing; everything else may be left out.
var required = map[string][]string{
	"dataset": {"name"}, "case": {"id"}, "truth": {"case", "question"}, "chain": {"id", "case"}, "origin": {"chain"},
	"event": {"id", "reader", "kind", "key", "seq", "at", "body"}, "protocol": {"readers"}, "rubric": {"name", "version", "step", "chain"},
}

// choices are the texts of types that have only a few.
func choices() map[reflect.Type][]any {
	return map[reflect.Type][]any{
		reflect.TypeFor[Support]():     {Unrated, Supported, Partly, Unsupported, Contradicted, NotVisual, CannotAssess},
		reflect.TypeFor[Design]():      {Crossed, Split},
		reflect.TypeFor[HiddenUntil](): {PatientSigned, StudyClosed},
	}
}

// schemaOf makes the JSON Schema of a record: its descriptions are the comments of the nouns.
func schemaOf(t *testing.T, name string) []byte {
	t.Helper()
	p := published[name]
	few := choices()
	r := jsonschema.Reflector{RequiredFromJSONSchemaTags: true, AllowAdditionalProperties: !p.strict, ExpandedStruct: true, Anonymous: true}
	r.Mapper = func(of reflect.Type) *jsonschema.Schema {
		if values, known := few[of]; known {
			return &jsonschema.Schema{Type: "string", Enum: values}
		}
		if of == reflect.TypeFor[ChainCount]() {
			return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Const: "all"}, {Type: "integer", Minimum: "1"}}}
		}
		return nil
	}
	if err := r.AddGoComments("plumbline/backend/review", "."); err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(r.Reflect(p.noun))
	if err != nil {
		t.Fatal(err)
	}
	var s map[string]any
	if err := json.Unmarshal(b, &s); err != nil {
		t.Fatal(err)
	}
	s["$id"], s["title"] = "https://plumbline.invalid/schema/"+p.schema, p.schema
	if properties, is := s["properties"].(map[string]any); is {
		properties["schema"] = map[string]any{"const": p.schema, "description": "absent: the first version"}
	}
	if must := required[name]; len(must) > 0 {
		s["required"] = must
	}
	nullable(s)
	out, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(out, '\n')
}

// nullable lets null stand for every property that is not required: what is not known may be absent or null.
func nullable(of any) {
	switch v := of.(type) {
	case []any:
		for _, x := range v {
			nullable(x)
		}
	case map[string]any:
		properties, _ := v["properties"].(map[string]any)
		must, _ := v["required"].([]string)
		for name, property := range properties {
			p, is := property.(map[string]any)
			if !is || slices.Contains(must, name) {
				continue
			}
			if kind, single := p["type"].(string); single && p["enum"] == nil {
				p["type"] = []string{kind, "null"}
			} else if p["$ref"] != nil {
				properties[name] = map[string]any{"anyOf": []any{map[string]any{"$ref": p["$ref"]}, map[string]any{"type": "null"}}, "description": p["description"]}
				if p["description"] == nil {
					delete(properties[name].(map[string]any), "description")
				}
			}
		}
		for _, x := range v {
			nullable(x)
		}
	}
}

// The published schemas are what the nouns say.
func TestSchemas(t *testing.T) {
	for name := range published {
		got, path := schemaOf(t, name), filepath.Join("schemas", name+".json")
		if *update {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, known := SchemaOf(name); !*update && (!known || !bytes.Equal(want, got)) {
			t.Errorf("%s differs from its noun; look at the difference after go test -update", path)
		}
	}
	if !*update && len(SchemaNames()) != len(published) {
		t.Errorf("published %v", SchemaNames())
	}
}

// valid checks a record against its published schema.
func valid(t *testing.T, name string, record []byte) error {
	t.Helper()
	text, known := SchemaOf(name)
	if !known {
		t.Fatalf("no schema of %s", name)
	}
	s, err := validator.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := validator.NewCompiler()
	if err := c.AddResource("schema.json", s); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := validator.UnmarshalJSON(bytes.NewReader(record))
	if err != nil {
		t.Fatal(err)
	}
	return compiled.Validate(v)
}

// What this program writes of a noun is valid; what restore refuses for its types is not.
func TestSchemasHold(t *testing.T) {
	p := DefaultProtocol()
	p.Readers = append(p.Readers, ProtocolReader{Code: "R1", Role: RoleReader})
	for name, noun := range map[string]any{"protocol": p, "rubric": GRD()} {
		b, err := json.Marshal(noun)
		if err != nil {
			t.Fatal(err)
		}
		if err := valid(t, name, b); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, c := range []struct{ name, record, want string }{
		{"rubric", short, ""},
		{"protocol", `{"readers": [], "chains_per_case": 2}`, ""},
		{"protocol", `{"readers": [], "chains_per_case": 0}`, "chains_per_case"},
		{"protocol", `{"readers": [], "washout": 3}`, "washout"},
		{"protocol", `{"readers": [], "design": "half"}`, "design"},
		{"protocol", `{"schema": "plumbline/protocol/9", "readers": []}`, "schema"},
		{"case", `{"id": "c", "patient": null, "images": [], "own": 1}`, ""},
		{"case", `{"images": []}`, "id"},
		{"chain", `{"id": "x", "case": "c", "answers": [{"question": "q", "answer": null, "parse": "ok", "steps": [{"id": "s", "text": null}]}]}`, ""},
		{"reading", `{"look": 7}`, "look"},
	} {
		err := valid(t, c.name, []byte(c.record))
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %q", c.name, c.record, err, c.want)
		}
	}
}
