package export

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"plumbline/backend/fault"
)

// MRMC is a multi-reader multi-case study of scores: what iMRMC (DIDSR) computes AUC and its variance from.
type MRMC struct {
	Title  string
	Truth  []CaseTruth
	Scores []ReaderScore
}

// CaseTruth says whether a case is abnormal: what readers should give a high score.
type CaseTruth struct {
	Case     string
	Abnormal bool
}

// ReaderScore is the one score that a reader gave a case in a modality.
type ReaderScore struct {
	Reader, Case, Modality string
	Score                  float64
}

// truthReader is what stands where a reader and a modality stand on the lines of truth.
const truthReader = "truth"

// IMRMC writes a study as an iMRMC text file: counts, "BEGIN DATA:", the truth of every case, then every score; the decimal sign is a point.
// Scores come sorted by reader, case and modality. Fault Invalid, with nothing written, where two scores are of one reader, case and modality,
// where a case has no truth or two, where a number is none, and for a name that the format cannot hold.
func IMRMC(w io.Writer, m MRMC) error {
	if err := m.check(); err != nil {
		return err
	}
	abnormal, readers, modalities := 0, map[string]bool{}, map[string]bool{}
	for _, t := range m.Truth {
		if t.Abnormal {
			abnormal++
		}
	}
	for _, s := range m.Scores {
		readers[s.Reader], modalities[s.Modality] = true, true
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s\nN0: %d\nN1: %d\nNR: %d\nNM: %d\nBEGIN DATA:\n", oneLine(m.Title), len(m.Truth)-abnormal, abnormal, len(readers), len(modalities))
	for _, t := range m.Truth {
		value := "0"
		if t.Abnormal {
			value = "1"
		}
		fmt.Fprintf(b, "%s,%s,%s,%s\n", truthReader, t.Case, truthReader, value)
	}
	scores := slices.Clone(m.Scores)
	slices.SortFunc(scores, func(a, b ReaderScore) int { return slices.Compare(a.key(), b.key()) })
	for _, s := range scores {
		fmt.Fprintf(b, "%s,%s,%s,%s\n", s.Reader, s.Case, s.Modality, strconv.FormatFloat(s.Score, 'g', -1, 64))
	}
	if err := b.Flush(); err != nil {
		return fault.New(fault.IO, "export imrmc", "", "%w", err)
	}
	return nil
}

func (s ReaderScore) key() []string { return []string{s.Reader, s.Case, s.Modality} }

// check refuses what the format or its reader cannot hold.
func (m MRMC) check() error {
	known := map[string]bool{}
	for _, t := range m.Truth {
		if err := fits("case", t.Case); err != nil {
			return err
		}
		if known[t.Case] {
			return refuse("case %q has its truth twice", t.Case)
		}
		known[t.Case] = true
	}
	seen := map[ReaderScore]bool{}
	for _, s := range m.Scores {
		at := ReaderScore{s.Reader, s.Case, s.Modality, 0}
		switch {
		case seen[at]:
			return refuse("two scores of reader %q for case %q in modality %q", s.Reader, s.Case, s.Modality)
		case !known[s.Case]:
			return refuse("case %q has a score and no truth", s.Case)
		case s.Score != s.Score || s.Score-s.Score != 0:
			return refuse("the score of reader %q for case %q is not a number", s.Reader, s.Case)
		case s.Reader == truthReader || s.Modality == truthReader:
			return refuse("neither a reader nor a modality can be called %q", truthReader)
		}
		seen[at] = true
		for what, name := range map[string]string{"reader": s.Reader, "modality": s.Modality} {
			if err := fits(what, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// fits refuses a name that would end its column or its line, or that would be trimmed away.
func fits(what, name string) error {
	if name == "" || strings.ContainsAny(name, ",\r\n\"") || strings.TrimSpace(name) != name {
		return refuse("%s %q: an iMRMC file holds no comma, quote, line break or space at an end of a name", what, name)
	}
	return nil
}

func refuse(format string, args ...any) error {
	return fault.New(fault.Invalid, "export imrmc", "", format, args...)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
