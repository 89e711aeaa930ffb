package review

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

const wholeProtocol = `{
  "schema": "plumbline/protocol/1", "name": "pilot",
  "readers": [
    {"code": "R1", "role": "reader", "specialty": "radiology", "years": 12.5},
    {"code": "R2", "role": "reader"},
    {"code": "A1", "role": "adjudicator"}
  ],
  "design": "split", "reads_per_case": 2, "sessions": 2, "washout_days": 28, "seed": 7,
  "chains_per_case": 3, "repeats": {"share": 0.1, "min_distance": 20},
  "look": {"first": true, "questions": "last"}, "training": ["case-09"],
  "rubric": {"name": "GRD", "version": "1"}, "hidden_until": "study_closed", "closed": false,
  "training_pass": 0.8, "idle_seconds": 90
}`

func TestRestoreProtocol(t *testing.T) {
	p, err := RestoreProtocol([]byte(wholeProtocol))
	if err != nil || len(p.Problems()) > 0 {
		t.Fatalf("%v, %+v", err, p.Problems())
	}
	if p.ChainsPerCase != 3 || p.Repeats.MinDistance != 20 || p.Look.Questions != LastQuestion || p.HiddenUntil != StudyClosed || p.Readers[0].Years != 12.5 {
		t.Errorf("%+v", p)
	}
	b, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	again, err := RestoreProtocol(b)
	if err != nil || !reflect.DeepEqual(again, p) || ProtocolDigest(again) != ProtocolDigest(p) {
		t.Errorf("written and read again: %+v, %v", again, err)
	}
	short, err := RestoreProtocol([]byte(`{"readers":[{"code":"R1","role":"reader"}]}`))
	want := DefaultProtocol()
	want.Readers = []ProtocolReader{{Code: "R1", Role: RoleReader}}
	if err != nil || !reflect.DeepEqual(short, want) || len(short.Problems()) > 0 {
		t.Errorf("what is absent is the default: %+v, %v", short, err)
	}
	own, err := json.Marshal(p.For("R2"))
	if err != nil {
		t.Fatal(err)
	}
	for _, hidden := range []string{"R1", "A1", "repeats", "seed", "radiology"} {
		if strings.Contains(string(own), hidden) {
			t.Errorf("R2's copy holds %q: %s", hidden, own)
		}
	}
}

func TestRestoreProtocolRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"newer", `{"schema":"plumbline/protocol/2"}`, "newer Plumbline"},
		{"another noun", `{"schema":"plumbline/case/1"}`, "protocol/1"},
		{"a slip in a name", `{"session":2}`, "session"},
		{"a wrong type", `{"readers":[{"years":"ten"}]}`, "readers.years"},
		{"no chains", `{"chains_per_case":0}`, "chains_per_case"},
		{"chains in words", `{"chains_per_case":"some"}`, "chains_per_case"},
		{"a negative seed", `{"seed":-1}`, "seed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := RestoreProtocol([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want words with %q", err, c.want)
			}
		})
	}
}

func TestProtocolProblems(t *testing.T) {
	for _, c := range []struct {
		name, field string
		line        int
		from, to    string
	}{
		{"no readers", "readers", 3, `"role": "reader"`, `"role": "adjudicator"`},
		{"the same reader twice", "readers[1].code", 5, `"code": "R2"`, `"code": "R1"`},
		{"a name, not a code", "readers[1].code", 5, `"code": "R2"`, `"code": "Dr Bob"`},
		{"another role", "readers[1].role", 5, `"code": "R2", "role": "reader"`, `"code": "R2", "role": "boss"`},
		{"years", "readers[0].years", 4, `12.5`, `-1`},
		{"more reads than readers", "reads_per_case", 8, `"reads_per_case": 2`, `"reads_per_case": 3`},
		{"split without a number", "reads_per_case", 8, `"reads_per_case": 2`, `"reads_per_case": 0`},
		{"crossed with fewer", "reads_per_case", 8, `"split", "reads_per_case": 2`, `"crossed", "reads_per_case": 1`},
		{"another design", "design", 8, `"split"`, `"half"`},
		{"no session", "sessions", 8, `"sessions": 2`, `"sessions": 0`},
		{"washout", "washout_days", 8, `28`, `-28`},
		{"a seed that JSON readers lose", "seed", 8, `"seed": 7`, `"seed": 9007199254740993`},
		{"a share above one", "repeats.share", 9, `0.1`, `10`},
		{"no distance", "repeats.min_distance", 9, `"min_distance": 20`, `"min_distance": 0`},
		{"look", "look.questions", 10, `"last"`, `"first"`},
		{"hidden", "hidden_until", 11, `"study_closed"`, `"never"`},
		{"overlays", "overlays", 11, `"closed": false`, `"overlays": "some", "closed": false`},
		{"more than all expected answers", "training_pass", 12, `0.8`, `8`},
		{"nothing to pass", "training_pass", 12, `["case-09"]`, `[]`},
		{"always idle", "idle_seconds", 12, `90`, `0`},
		{"training twice", "training[1]", 10, `["case-09"]`, `["case-09","case-09"]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.ReplaceAll(wholeProtocol, c.from, c.to)
			p, err := RestoreProtocol([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			found := p.Problems()
			for _, f := range found {
				if f.Field == c.field && f.Text != "" {
					if line := FieldLine([]byte(text), c.field); line != c.line {
						t.Errorf("on line %d, want %d", line, c.line)
					}
					return
				}
			}
			t.Errorf("found %+v, want a problem of %s", found, c.field)
		})
	}
}

func TestOverlayRule(t *testing.T) {
	for text, want := range map[string]OverlayRule{"hidden": NoOverlays, "planes": OwnOverlays, "all": EveryOverlay} {
		p, err := RestoreProtocol([]byte(strings.Replace(wholeProtocol, `"closed"`, `"overlays": "`+text+`", "closed"`, 1)))
		if err != nil || p.Overlays != want || len(p.Problems()) > 0 {
			t.Errorf("%s: %q, %v, %v", text, p.Overlays, err, p.Problems())
		}
	}
}

func TestFieldLineOfWhatIsNotThere(t *testing.T) {
	for field, want := range map[string]int{"repeats.share.x": 9, "readers[7].role": 3, "unheard": 1} {
		if got := FieldLine([]byte(wholeProtocol), field); got != want {
			t.Errorf("%s: line %d, want %d", field, got, want)
		}
	}
	if got := FieldLine([]byte(`{"a":`), "a"); got != 0 {
		t.Errorf("of no JSON: line %d", got)
	}
}

func FuzzRestoreProtocol(f *testing.F) {
	f.Add([]byte(wholeProtocol))
	f.Add([]byte(`{"repeats":{"share":1e-400}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := RestoreProtocol(b)
		if err != nil {
			return
		}
		for _, problem := range p.Problems() {
			if FieldLine(b, problem.Field) < 0 {
				t.Error("a line before the first")
			}
		}
		written, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		again, err := RestoreProtocol(written)
		if err != nil || ProtocolDigest(again) != ProtocolDigest(p) {
			t.Errorf("written and read again: %v\n%s", err, written)
		}
	})
}
