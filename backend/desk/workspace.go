package desk

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"

	"plumbline/backend/dataset"
	"plumbline/backend/fault"
	"plumbline/backend/review"
	"plumbline/backend/store"
)

// The roles of a seat.
const (
	Coordinator = "coordinator" // sees everything; may also read, under a reader code
	Reader      = "reader"      // reads, blind
	Adjudicator = "adjudicator" // decides where readers disagree, and sees nothing else
)

// A Seat says for whom a workspace is: a role, and the code under which that person reads.
type Seat struct {
	Role   string          `json:"role"`
	Reader review.ReaderID `json:"reader"`
}

// workspace is workspace.json: what a workspace folder is for. The ledger, not this file, holds what people said.
type workspace struct {
	Schema  string   `json:"schema"`
	ID      string   `json:"id"`
	Study   string   `json:"study"`
	Seat    Seat     `json:"seat"`
	Dataset string   `json:"dataset"`           // folder; with forward slashes and relative where it lies in or beside the workspace; "" before an import
	Records *records `json:"records,omitempty"` // how other people's records are taken; null: as their fields say
	Seed    uint64   `json:"seed"`              // of every random order
	Package *sender  `json:"package,omitempty"` // who sent the work that is done here; null: it came in no package
	Created string   `json:"created"`
}

const (
	workspaceFile = "workspace.json"
	ledgerFile    = "readings.db"
	runsFile      = "runs.db"
	indexFile     = "index.db"
)

// isWorkspace tells whether dir is a workspace folder.
func isWorkspace(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, workspaceFile))
	return err == nil && info.Mode().IsRegular()
}

// checkSeat says in words why a seat cannot be taken.
func checkSeat(s Seat) error {
	if s.Role != Coordinator && s.Role != Reader && s.Role != Adjudicator {
		return fault.New(fault.Invalid, "take seat", s.Role, "role is one of %s, %s, %s", Coordinator, Reader, Adjudicator)
	}
	return checkReader(s.Reader)
}

// checkReader says in words why a code cannot name a reader.
func checkReader(code review.ReaderID) error {
	if wrong := code.Fault(); wrong != "" {
		return fault.New(fault.Invalid, "take seat", string(code), "%s", wrong)
	}
	return nil
}

// createWorkspace makes workspace.json in a folder that is empty, missing or holds folders only.
func createWorkspace(dir string, seat Seat) error {
	return createStudy(dir, seat, "study-"+uuid.NewString(), nil)
}

// mayCreate refuses a seat, or a folder that holds files of its own.
func mayCreate(dir string, seat Seat) error {
	const op = "create workspace"
	if err := checkSeat(seat); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fault.New(fault.IO, op, dir, "%w", err)
	}
	for _, e := range entries {
		if !e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			return fault.New(fault.Invalid, op, dir, "the folder holds other files (%s): import it into a workspace, or name an empty folder", e.Name())
		}
	}
	return nil
}

// createStudy makes workspace.json for a part in a study.
func createStudy(dir string, seat Seat, study string, from *sender) error {
	const op = "create workspace"
	if err := mayCreate(dir, seat); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fault.New(fault.IO, op, dir, "%w", err)
	}
	var seed [8]byte
	if _, err := rand.Read(seed[:]); err != nil {
		return fault.In(op, dir, err)
	}
	w := workspace{
		Schema: review.WorkspaceSchema, ID: uuid.NewString(), Study: study, Seat: seat, Package: from,
		Seed:    binary.BigEndian.Uint64(seed[:]) >> 11, // what every JSON reader keeps exactly
		Created: time.Now().UTC().Format(time.RFC3339),
	}
	return w.save(dir)
}

func (w workspace) save(dir string) error {
	b, err := json.MarshalIndent(w, "", "  ")
	if err != nil {
		return err
	}
	return store.Replace(filepath.Join(dir, workspaceFile), append(b, '\n'))
}

// loadWorkspace reads workspace.json.
func loadWorkspace(dir string) (workspace, error) {
	const op = "open workspace"
	path := filepath.Join(dir, workspaceFile)
	b, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return workspace{}, fault.New(fault.NotFound, op, dir, "no workspace here (no %s)", workspaceFile)
	}
	if err != nil {
		return workspace{}, fault.New(fault.IO, op, path, "%w", err)
	}
	var w workspace
	if err := json.Unmarshal(b, &w); err != nil {
		return w, fault.New(fault.Damaged, op, path, "%w", err)
	}
	if w.Schema != review.WorkspaceSchema {
		return w, fault.New(fault.Invalid, op, path, "made by a newer Plumbline or no workspace: %q expected, found %q", review.WorkspaceSchema, w.Schema)
	}
	if w.ID == "" || w.Study == "" {
		return w, fault.New(fault.Damaged, op, path, "id and study expected")
	}
	return w, checkSeat(w.Seat)
}

// records says how other people's records are taken; its files as Dataset is written.
type records struct {
	Format string `json:"format,omitempty"`
	Join   string `json:"join,omitempty"`   // a table of patients
	Stages string `json:"stages,omitempty"` // a table of stages
}

// keptRecords writes how records are taken as workspace.json keeps it; nil where there is nothing to say.
func keptRecords(dir string, with dataset.With) *records {
	if with == (dataset.With{}) {
		return nil
	}
	out := &records{Format: with.Format}
	if with.Join != "" {
		out.Join = relative(dir, with.Join)
	}
	if with.Stages != "" {
		out.Stages = relative(dir, with.Stages)
	}
	return out
}

// with says how records are taken.
func (w workspace) with(dir string) dataset.With {
	if w.Records == nil {
		return dataset.With{}
	}
	return dataset.With{Format: w.Records.Format, Join: absolute(dir, w.Records.Join), Stages: absolute(dir, w.Records.Stages)}
}

// datasetDir gives the dataset's folder, or "".
func (w workspace) datasetDir(dir string) string { return absolute(dir, w.Dataset) }

// absolute reads a path as relative wrote it; "" stays.
func absolute(dir, path string) string {
	path = filepath.FromSlash(path)
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// relative writes a dataset's path as workspace.json keeps it: relative in or beside the workspace, so that both can be moved together.
func relative(dir, dataset string) string {
	r, err := filepath.Rel(dir, dataset)
	up := ".." + string(filepath.Separator)
	if err != nil || r == ".." || strings.HasPrefix(r, up+"..") {
		return filepath.ToSlash(dataset)
	}
	return filepath.ToSlash(r)
}
