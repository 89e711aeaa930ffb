// Package review holds the nouns of Plumbline: what is read, what was said of it, and how both are written down.
//
// Everything here is plain data. JSON names are those of the record formats; times are RFC 3339 UTC strings; a list is never null.
package review

import (
	"strings"
	"unicode"
)

// Identifiers. Each is unique within what its comment names.
type (
	CaseID       string // a dataset
	PatientID    string // a dataset
	ImageID      string // a case
	QuestionID   string // a case
	ChainID      string // a dataset; opaque: it never tells the model or the condition
	StepID       string // a chain
	RegionID     string // the record that holds it
	ReaderID     string // a study: a code, never a name
	MachineID    string // the world: made once per workspace and machine
	AssignmentID string // a study
	EventID      string // the world (UUIDv7)
	Digest       string // "sha256:" and 64 hex digits
)

// Fault says in words why id cannot name a reader, or "" when it can.
func (id ReaderID) Fault() string {
	bad := strings.ContainsFunc(string(id), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.", r)
	})
	if id == "" || len(id) > 64 || bad {
		return "a reader code has 1 to 64 letters, digits, '-', '_' or '.' (a code, not a name)"
	}
	return ""
}
