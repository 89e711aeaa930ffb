package desk

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"plumbline/backend/export"
	"plumbline/backend/fault"
	"plumbline/backend/report"
	"plumbline/backend/store"
)

// Exported says what an export wrote: In is the sum of Out and of what stands in Side.
type Exported struct {
	Files []ExportedFile `json:"files"`
	In    int            `json:"in"`
	Out   int            `json:"out"`
	Side  []report.Count `json:"side"` // left out, by why
}

// ExportedFile is one file of an export.
type ExportedFile struct {
	Path   string `json:"path"`
	Rows   int    `json:"rows"`
	SHA256 string `json:"sha256"`
}

// ExportIMRMC writes into dir, which is made where it is missing, the scores of readers as an iMRMC text file: do readers tell chains with a
// wrong answer from right ones (report.Suspicions)? It joins readings with gold and models, so it is the coordinator's: fault Refused
// elsewhere. Faults: NotFound where there is no score, Invalid for a name that the format cannot hold; then nothing is written.
func (d *Desk) ExportIMRMC(ctx context.Context, dir string) (done Exported, err error) {
	const op = "export imrmc"
	err = d.within(op, func(r *room) error {
		if !r.leads() {
			return fault.New(fault.Refused, op, "", "it joins readings with gold and models; it is the coordinator's")
		}
		set, err := r.data(op)
		if err != nil {
			return err
		}
		if err := r.unblind("export"); err != nil {
			return err
		}
		in, err := r.reportInput(ctx, set)
		if err != nil {
			return err
		}
		done, err = writeIMRMC(dir, in.Dataset.Name, report.Suspect(in))
		return err
	})
	return done, err
}

// writeIMRMC writes the scores, once their number is what it must be.
func writeIMRMC(dir, title string, s report.Suspicions) (Exported, error) {
	const op = "export imrmc"
	done := Exported{Files: []ExportedFile{}, In: s.Rated, Out: len(s.Scores), Side: []report.Count{}}
	left := 0
	for _, c := range s.Side {
		if left += c.N; c.N > 0 {
			done.Side = append(done.Side, c)
		}
	}
	switch {
	case done.In != done.Out+left:
		return done, fault.New(fault.Internal, op, "", "%d readings in, %d scores out and %d left out", done.In, done.Out, left)
	case done.Out == 0:
		return done, fault.New(fault.NotFound, op, "", "no signed reading of a chain whose answers can be compared with gold (%d readings)", done.In)
	}
	m := export.MRMC{Title: fmt.Sprintf("Plumbline: %s. truth: a chain has a wrong answer. score: 0 (supported, sure) to 11 (contradicted, sure), the most doubted step of the chain", title)}
	of := map[string]report.SuspectChain{}
	for _, c := range s.Chains {
		of[string(c.Chain)] = c
		m.Truth = append(m.Truth, export.CaseTruth{Case: chainCase(c), Abnormal: c.Wrong})
	}
	for _, x := range s.Scores {
		c := of[string(x.Chain)]
		m.Scores = append(m.Scores, export.ReaderScore{Reader: string(x.Reader), Case: chainCase(c), Modality: c.Model, Score: x.Score})
	}
	var b bytes.Buffer
	if err := export.IMRMC(&b, m); err != nil {
		return done, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return done, fault.New(fault.IO, op, dir, "%w", err)
	}
	path := filepath.Join(dir, "readers.imrmc")
	sum := sha256.Sum256(b.Bytes())
	done.Files = append(done.Files, ExportedFile{Path: path, Rows: len(m.Truth) + len(m.Scores), SHA256: hex.EncodeToString(sum[:])})
	return done, store.Replace(path, b.Bytes())
}

// chainCase names a chain as a case of the export: chains of one case are read apart, and may differ in truth.
func chainCase(c report.SuspectChain) string { return string(c.Case) + "/" + string(c.Chain) }
