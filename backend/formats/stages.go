package formats

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"plumbline/backend/review"
)

// StagesSchema is the schema of a table of stages.
const StagesSchema = "plumbline/stages/1"

// Stages says how the stages and categories of other sets become ours. It is data: the built-in table is printed, edited, and given back.
type Stages struct {
	Schema string                    `json:"schema"`
	Stages []review.Stage            `json:"stages"` // of records of several formats, or of one without its own
	Packs  map[string][]review.Stage `json:"packs"`  // by format: its own stages, where it comes alone
	// Asks words a question by format and source stage, where the source has an answer and no question.
	Asks map[string]map[string]string `json:"asks"`
	// Conditions names by format what was done to a record, as condition names (measurement.md).
	Conditions map[string]map[string]string     `json:"conditions"`
	Formats    map[string]map[string]StagePlace `json:"formats"` // by format and source stage in lower case; "*" is any other
}

// StagePlace is where a source stage stands.
type StagePlace struct {
	K        int    `json:"k"`
	Category string `json:"category,omitempty"`
}

//go:embed stages.json
var builtInStages []byte

// StagesText gives the built-in table as it is edited.
func StagesText() []byte { return bytes.Clone(builtInStages) }

// RestoreStages reads a table of stages. The error says which part cannot be.
func RestoreStages(b []byte) (*Stages, error) {
	var s Stages
	if len(b) > maxText {
		return nil, fmt.Errorf("a table of stages has at most %d bytes", maxText)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return nil, fmt.Errorf("no table of stages: %w", err)
	}
	if s.Schema != StagesSchema {
		return nil, fmt.Errorf("schema: %q expected, found %q", StagesSchema, s.Schema)
	}
	if len(s.Stages) == 0 {
		return nil, fmt.Errorf("stages: at least one expected")
	}
	for format, places := range s.Formats {
		known := map[int]bool{}
		for _, st := range s.packOf(format) {
			known[st.K] = true
		}
		for source, p := range places {
			if !known[p.K] {
				return nil, fmt.Errorf("formats.%s.%s: stage %d is not among its stages", format, source, p.K)
			}
		}
	}
	for format, names := range s.Conditions {
		for source, name := range names {
			if _, err := review.ParseCondition(name); err != nil {
				return nil, fmt.Errorf("conditions.%s.%s: %w", format, source, err)
			}
		}
	}
	return &s, nil
}

// condition gives the condition that a format calls so; one that the table does not know is a cue by that name.
func (s *Stages) condition(format, source string) review.Condition {
	source = strings.ToLower(strings.TrimSpace(source))
	if name, known := s.Conditions[format][source]; known || source == "" {
		c, _ := review.ParseCondition(cmp.Or(name, "original")) // checked with the table
		return c
	}
	return review.Condition{Image: "original", Given: "own", Cue: plainField(source)}
}

// packOf gives the stages of a format.
func (s *Stages) packOf(format string) []review.Stage {
	if p := s.Packs[format]; len(p) > 0 {
		return p
	}
	return s.Stages
}

// place finds a source stage.
func (s *Stages) place(format, source string) StagePlace {
	source = strings.ToLower(strings.Join(strings.Fields(source), " "))
	for _, f := range []string{format, "*"} {
		for _, name := range []string{source, "*"} {
			if p, ok := s.Formats[f][name]; ok {
				return p
			}
		}
	}
	return StagePlace{K: s.Stages[len(s.Stages)-1].K}
}

// nameOf names a stage of a format.
func (s *Stages) nameOf(format string, k int) string {
	for _, st := range s.packOf(format) {
		if st.K == k {
			return st.Name
		}
	}
	return fmt.Sprintf("S%d", k)
}
