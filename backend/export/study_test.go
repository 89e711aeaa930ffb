package export_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plumbline/backend/export"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

func ptr[T any](v T) *T { return &v }

// caseOf makes a case of two stages with one picture of 200×100, its evidence a box, and chains that say what the arguments say. The right
// answers are "CT" and "Left".
func caseOf(id, patient string, chains ...export.Chain) *export.Case {
	box := review.Region{ID: "g1", Image: "ct", Shape: review.Box, Coords: []float64{.5, .6, .9, .9}, Label: "left hemithorax"}
	return &export.Case{
		Case: review.Case{
			Schema: review.CaseSchema, ID: review.CaseID(id), Patient: review.PatientID(patient), Language: "en", FramesShown: []int{},
			Images: []review.Image{{ID: "ct", Path: "img/" + id + ".png", Kind: review.SingleImage, Modality: "CT"}},
			Questions: []review.Question{
				{ID: "q2", K: 2, Stage: "Anatomy", Text: "Which side is the effusion?", Options: []review.Option{{Letter: "A", Text: "Left"}, {Letter: "B", Text: "Right"}}, Parents: []review.QuestionID{}},
				{ID: "q1", K: 1, Stage: "Technique", Text: "Which modality?", Options: []review.Option{{Letter: "A", Text: "CT"}, {Letter: "B", Text: "MR"}}, Parents: []review.QuestionID{}},
			},
		},
		Cluster: id,
		Truth: map[review.QuestionID]review.Truth{
			"q1": {Schema: review.TruthSchema, Case: review.CaseID(id), Question: "q1", Gold: ptr("A"), Evidence: []review.Region{{ID: "g0", Image: "ct", Shape: review.WholeImage, Coords: []float64{}}}, Implies: []review.Implication{}},
			"q2": {Schema: review.TruthSchema, Case: review.CaseID(id), Question: "q2", Gold: ptr("A"), Evidence: []review.Region{box}, Implies: []review.Implication{}},
		},
		Stacks: []review.Stack{{Image: "ct", Kind: review.SingleImage, Modality: "CT", Frames: []review.Frame{{Rows: 100, Columns: 200, Samples: 1, BitsAllocated: 8}}}},
		Chains: chains,
	}
}

// chainOf makes a chain that answers both questions, each with the steps that are named: "s1", "s2" … in order.
func chainOf(id, of string, c review.Condition, answers [2]string, steps [2][]string) export.Chain {
	chain := review.Chain{Schema: review.ChainSchema, ID: review.ChainID(id), Digest: review.DigestOf([]byte(id)), Case: review.CaseID(of), ImageDigests: []review.Digest{}}
	n := 0
	for i, q := range []review.QuestionID{"q1", "q2"} {
		a := review.Answer{Question: q, Answer: &answers[i], Parse: review.ParseOK, Steps: []review.Step{}}
		for _, text := range steps[i] {
			n++
			a.Steps = append(a.Steps, review.Step{ID: review.StepID(fmt.Sprint("s", n)), Text: ptr(text), Regions: []review.Region{}})
		}
		chain.Answers = append(chain.Answers, a)
	}
	return export.Chain{Chain: chain, Origin: &review.Origin{Schema: review.OriginSchema, Chain: chain.ID, Model: review.ModelInfo{Name: "m"}, Condition: c, Targets: map[review.QuestionID]string{}}}
}

// rate adds a rating of a step by a reader.
func rate(c *export.Case, reader, chain, step string, s review.Support, evidence ...review.Region) {
	c.Said = append(c.Said, export.Said{Signed: true, Counts: true, Event: review.Event{
		ID: review.EventID(fmt.Sprintf("e%03d", len(c.Said)+1)), Kind: review.KindRating, Reader: review.ReaderID(reader), Assignment: review.AssignmentID("a-" + reader), Session: "1",
		Case: c.ID, Chain: review.ChainID(chain), At: "2026-01-01T00:00:00Z", Rubric: review.GRD().Ref(),
		Body: review.Body{Rating: &review.Rating{Step: review.StepID(step), Support: s, Confidence: 2, Evidence: append([]review.Region{}, evidence...), Error: []string{}}},
	}})
}

// both rates a step the same by two readers.
func both(c *export.Case, chain, step string, s review.Support, evidence ...review.Region) {
	rate(c, "R1", chain, step, s, evidence...)
	rate(c, "R2", chain, step, s, evidence...)
}

// adjudicate settles a step.
func adjudicate(c *export.Case, chain, step string, s review.Support) {
	c.Final = append(c.Final, review.Event{
		ID: review.EventID(fmt.Sprintf("f%03d", len(c.Final)+1)), Kind: review.KindAdjudication, Reader: "ADJ", Case: c.ID, Chain: review.ChainID(chain), At: "2026-01-02T00:00:00Z",
		Rubric: review.GRD().Ref(), Reason: "looked again", Body: review.Body{Adjudication: &review.Adjudication{
			On: review.KindRating, Part: step, FinalValue: review.FinalValue{Rating: &review.Rating{Step: review.StepID(step), Support: s, Evidence: []review.Region{}, Error: []string{}}},
		}},
	})
}

// own adds a correction.
func own(c *export.Case, reader, chain, step, text string) {
	c.Said = append(c.Said, export.Said{Signed: true, Event: review.Event{
		ID: review.EventID(fmt.Sprintf("o%03d", len(c.Said)+1)), Kind: review.KindOwnAnswer, Reader: review.ReaderID(reader), Assignment: review.AssignmentID("a-" + reader), Case: c.ID,
		Chain: review.ChainID(chain), Rubric: review.GRD().Ref(), Body: review.Body{OwnAnswer: &review.OwnAnswer{Question: "q2", Step: review.StepID(step), Text: text}},
	}})
}

// whole is a case of which every kind of row can be made: a chain with a wrong step that readers agree on and correct, one that holds
// throughout, one under a cue, and the two that show that the evidence is necessary.
func whole(id, patient string) *export.Case {
	box := review.Region{ID: "r1", Image: "ct", Shape: review.Box, Coords: []float64{.55, .6, .9, .95}}
	all := review.Region{ID: "r0", Image: "ct", Shape: review.WholeImage, Coords: []float64{}}
	good := chainOf(id+"-good", id, review.Condition{}, [2]string{"A", "A"}, [2][]string{{"Axial CT of the chest."}, {"Density in the left hemithorax."}})
	bad := chainOf(id+"-bad", id, review.Condition{Paraphrase: "word:1"}, [2]string{"A", "B"}, [2][]string{{"Axial CT of the chest."}, {"Density in the right hemithorax."}})
	cued := chainOf(id+"-cued", id, review.Condition{Cue: "authority_based"}, [2]string{"A", "B"}, [2][]string{{}, {}})
	cued.Origin.Targets["q2"] = "B"
	occ := chainOf(id+"-occ", id, review.Condition{Image: "occ", Fill: "tissue"}, [2]string{"A", "B"}, [2][]string{{}, {}})
	ctl := chainOf(id+"-ctl", id, review.Condition{Image: "ctl", Fill: "tissue"}, [2]string{"A", "A"}, [2][]string{{}, {}})
	c := caseOf(id, patient, good, bad, cued, occ, ctl)
	both(c, id+"-good", "s1", review.Supported, all)
	both(c, id+"-good", "s2", review.Supported, box)
	both(c, id+"-bad", "s1", review.Supported, all)
	rate(c, "R1", id+"-bad", "s2", review.Supported, box)
	rate(c, "R2", id+"-bad", "s2", review.Contradicted)
	adjudicate(c, id+"-bad", "s2", review.Contradicted)
	own(c, "R2", id+"-bad", "s2", "Density in the left hemithorax, at the base.")
	return c
}

// sourceOf makes a source of cases; pictures are made up.
func sourceOf(cases ...*export.Case) export.Source {
	return export.Source{
		Info:  review.Dataset{Schema: review.DatasetSchema, Name: "small", Version: "1", ClusterKey: "patient", Licence: review.Licence{Name: "CC0", Redistribute: true}, Languages: []string{"en"}},
		Study: "study", Site: "site-1", Rubric: review.GRD(), Version: "0", At: "2026-01-03T00:00:00Z", Total: len(cases), Secret: "secret",
		Each: func(ctx context.Context, fn func(*export.Case) error) error {
			for _, c := range cases {
				if err := fn(c); err != nil {
					return err
				}
			}
			return nil
		},
		Ledger: func(_ context.Context, fn func([]byte, review.Event) error) error {
			for _, c := range cases {
				for _, s := range c.Said {
					b, err := json.Marshal(s.Event)
					if err != nil {
						return err
					}
					if err := fn(b, s.Event); err != nil {
						return err
					}
				}
			}
			return nil
		},
		Picture: func(_ context.Context, _ review.CaseID, _ review.ImageID, _ int) ([]byte, error) {
			var b bytes.Buffer
			err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 200, 100)))
			return b.Bytes(), err
		},
		Digest: func(_ context.Context, of review.CaseID, _ review.ImageID) (review.Digest, error) {
			return review.DigestOf([]byte(of)), nil
		},
		Cue: func(_ review.Condition, _ review.Question, target string) string {
			return "The head of the department has decided on (" + target + ")."
		},
		Sign:    signedWith("key 1"),
		Objects: func(context.Context, review.CaseID, review.ImageID) (*export.DICOMImage, error) { return nil, nil },
		Scores: func(context.Context) (export.MRMC, export.Tally, error) {
			m := export.MRMC{Title: "t", Truth: []export.CaseTruth{{Case: "c"}}, Scores: []export.ReaderScore{{Reader: "R1", Case: "c", Modality: "m", Score: 1}}}
			return m, export.Readings(2, 1, []export.Left{{N: 1, Why: "no gold"}}), nil
		},
	}
}

// signedWith signs in a way that verified knows: with the name of a key.
func signedWith(key string) func([]byte) (string, error) {
	return func(manifest []byte) (string, error) { return key + ":" + string(review.DigestOf(manifest)), nil }
}

// verified says whose a signature of signedWith is.
func verified(manifest []byte, signature string) (string, error) {
	key, digest, _ := strings.Cut(strings.TrimSpace(signature), ":")
	if digest != string(review.DigestOf(manifest)) {
		return "", errors.New("the signature does not hold")
	}
	return key, nil
}

// write writes an export of cases into a new folder.
func write(t *testing.T, format string, o export.Options, cases ...*export.Case) export.Done {
	t.Helper()
	done, err := export.Write(t.Context(), filepath.Join(t.TempDir(), "out"), format, sourceOf(cases...), o, review.Quiet)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// everything puts all cases into one part.
var everything = export.Options{Split: &export.Split{Parts: []export.Part{{Name: "all", Share: 1}}}}

// load reads a file of an export.
func load(t *testing.T, d export.Done, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(d.Dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// records reads a file of JSON lines, or one JSON array.
func records(t *testing.T, b []byte) []map[string]any {
	t.Helper()
	var out []map[string]any
	if bytes.HasPrefix(b, []byte("[")) {
		if err := json.Unmarshal(b, &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	for line := range strings.Lines(string(b)) {
		var one map[string]any
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		out = append(out, one)
	}
	return out
}

// shape gives the paths of a JSON value with the type at each, so that two records can be compared whatever they say. Items of a list share a
// path.
func shape(v any) []string {
	found := map[string]bool{}
	var walk func(string, any)
	walk = func(at string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				walk(at+"."+k, x)
			}
		case []any:
			for _, x := range v {
				walk(at+"[]", x)
			}
		default:
			found[fmt.Sprintf("%s %T", at, v)] = true
		}
	}
	walk("", v)
	var out []string
	for p := range found {
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}

// mustBe checks the kind of a fault.
func mustBe(t *testing.T, err error, kind fault.Kind, words string) {
	t.Helper()
	if fault.KindOf(err) != kind || !strings.Contains(fmt.Sprint(err), words) {
		t.Errorf("%v; want %s with %q", err, kind, words)
	}
}
