package export_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"plumbline/backend/export"
	"plumbline/backend/fault"
	"plumbline/backend/testfiles"
)

// readIMRMC reads the format as its documentation describes it: free lines with counts, BEGIN DATA:, the truth of each case, scores.
func readIMRMC(text string) (counts map[string]int, m export.MRMC, err error) {
	head, data, found := strings.Cut(text, "BEGIN DATA:\n")
	if !found {
		return nil, m, fmt.Errorf("no BEGIN DATA:")
	}
	counts = map[string]int{}
	for i, line := range strings.Split(strings.TrimSuffix(head, "\n"), "\n") {
		name, value, _ := strings.Cut(line, ": ")
		if n, err := strconv.Atoi(value); err == nil {
			counts[name] = n
		} else if i == 0 {
			m.Title = line
		}
	}
	for _, line := range strings.Split(strings.TrimSuffix(data, "\n"), "\n") {
		part := strings.Split(line, ",")
		if len(part) != 4 {
			return nil, m, fmt.Errorf("%q: four columns expected", line)
		}
		score, err := strconv.ParseFloat(part[3], 64)
		switch {
		case err != nil:
			return nil, m, err
		case part[0] != "truth":
			m.Scores = append(m.Scores, export.ReaderScore{Reader: part[0], Case: part[1], Modality: part[2], Score: score})
		case part[2] != "truth" || score != 0 && score != 1 || len(m.Scores) > 0:
			return nil, m, fmt.Errorf("%q: truth,case,truth,0 or 1 expected, before any score", line)
		default:
			m.Truth = append(m.Truth, export.CaseTruth{Case: part[1], Abnormal: score == 1})
		}
	}
	return counts, m, nil
}

// The small example of the format comes out byte for byte.
func TestIMRMCExample(t *testing.T) {
	want, err := os.ReadFile(filepath.Join(testfiles.Shared(t, "fixtures"), "export.imrmc"))
	if err != nil {
		t.Fatal(err)
	}
	_, m, err := readIMRMC(string(want))
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := export.IMRMC(&got, m); err != nil || got.String() != string(want) {
		t.Errorf("%v, got\n%s\nwant\n%s", err, got.String(), want)
	}
}

// A09: a point whatever the locale, text case ids kept, truth rows first.
func TestIMRMCPoint(t *testing.T) {
	t.Setenv("LC_ALL", "de_DE.UTF-8")
	t.Setenv("LANG", "de_DE.UTF-8")
	m := export.MRMC{
		Title: "two\nlines", Truth: []export.CaseTruth{{Case: "case 7", Abnormal: true}},
		Scores: []export.ReaderScore{{Reader: "R2", Case: "case 7", Modality: "m1", Score: .5}, {Reader: "R1", Case: "case 7", Modality: "m1", Score: 1e-7}},
	}
	var b bytes.Buffer
	if err := export.IMRMC(&b, m); err != nil {
		t.Fatal(err)
	}
	if want := "two lines\nN0: 0\nN1: 1\nNR: 2\nNM: 1\nBEGIN DATA:\ntruth,case 7,truth,1\nR1,case 7,m1,1e-07\nR2,case 7,m1,0.5\n"; b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
}

func TestIMRMCRefuses(t *testing.T) {
	good := func() export.MRMC {
		return export.MRMC{Truth: []export.CaseTruth{{Case: "c1"}}, Scores: []export.ReaderScore{{Reader: "R1", Case: "c1", Modality: "m", Score: 1}}}
	}
	for _, c := range []struct {
		name, want string
		spoil      func(*export.MRMC)
	}{
		// A08: two scores for one reader, case and modality are refused with all three.
		{"two scores", `two scores of reader "R1" for case "c1" in modality "m"`, func(m *export.MRMC) { m.Scores = append(m.Scores, m.Scores[0]) }},
		{"two truths", `case "c1" has its truth twice`, func(m *export.MRMC) { m.Truth = append(m.Truth, m.Truth[0]) }},
		{"no truth", `case "c1" has a score and no truth`, func(m *export.MRMC) { m.Truth = nil }},
		{"no number", "not a number", func(m *export.MRMC) { m.Scores[0].Score = math.NaN() }},
		{"no end", "not a number", func(m *export.MRMC) { m.Scores[0].Score = math.Inf(1) }},
		{"a comma", `modality "a,b"`, func(m *export.MRMC) { m.Scores[0].Modality = "a,b" }},
		{"a line break", `case "c\n1"`, func(m *export.MRMC) { m.Truth[0].Case = "c\n1" }},
		{"a reader called truth", "can be called", func(m *export.MRMC) { m.Scores[0].Reader = "truth" }},
		{"nobody", `reader ""`, func(m *export.MRMC) { m.Scores[0].Reader = "" }},
	} {
		m := good()
		c.spoil(&m)
		var b bytes.Buffer
		if err := export.IMRMC(&b, m); fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), c.want) || b.Len() > 0 {
			t.Errorf("%s: %v, wrote %q", c.name, err, b.String())
		}
	}
}

// What was written is read back the same, in the order of the writer.
func TestIMRMCRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[A-Za-z0-9é][A-Za-z0-9 ._é-]{0,6}[A-Za-z0-9]`)
		cases := rapid.SliceOfNDistinct(name, 1, 6, rapid.ID[string]).Draw(t, "cases")
		m := export.MRMC{Title: "study"}
		for _, c := range cases {
			m.Truth = append(m.Truth, export.CaseTruth{Case: c, Abnormal: rapid.Bool().Draw(t, "abnormal")})
			for _, reader := range []string{"R1", "R2"} {
				if rapid.Bool().Draw(t, "read") {
					m.Scores = append(m.Scores, export.ReaderScore{Reader: reader, Case: c, Modality: "m", Score: rapid.Float64().Draw(t, "score")})
				}
			}
		}
		var b bytes.Buffer
		if err := export.IMRMC(&b, m); err != nil {
			t.Fatal(err)
		}
		counts, again, err := readIMRMC(b.String())
		if err != nil || len(again.Scores) != len(m.Scores) || counts["N0"]+counts["N1"] != len(cases) {
			t.Fatalf("%v: %d of %d scores, %v", err, len(again.Scores), len(m.Scores), counts)
		}
		var twice bytes.Buffer
		if err := export.IMRMC(&twice, again); err != nil || twice.String() != b.String() {
			t.Fatalf("%v: written again\n%s\nfirst\n%s", err, twice.String(), b.String())
		}
	})
}
