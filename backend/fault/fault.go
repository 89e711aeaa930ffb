// Package fault holds the one error type of a failed operation: what was being done, to what, and of what kind the failure is.
//
// Trouble inside somebody's file is not a fault but a review.Problem; a bug is a panic.
package fault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// Kind says what sort of failure it was; each has one exit code on the command line.
type Kind string

// The kinds, with the exit code of `plumb` in brackets.
const (
	Internal  Kind = "internal"  // a bug [1]
	Usage     Kind = "usage"     // the call is wrong [2]
	NotFound  Kind = "not_found" // nothing found [3]
	Partial   Kind = "partial"   // done in part, problems listed [4]
	Invalid   Kind = "invalid"   // the input is not what it should be, or is not supported [5]
	Damaged   Kind = "damaged"   // cut short or corrupt [6]
	Busy      Kind = "busy"      // another program has the workspace [7]
	IO        Kind = "io"        // cannot read or write [8]
	Refused   Kind = "refused"   // blinding, leakage, consent [9]
	Endpoint  Kind = "endpoint"  // the model server failed [10]
	Cancelled Kind = "cancelled" // asked to stop [130]
)

var exitCodes = map[Kind]int{Internal: 1, Usage: 2, NotFound: 3, Partial: 4, Invalid: 5, Damaged: 6, Busy: 7, IO: 8, Refused: 9, Endpoint: 10, Cancelled: 130}

// Exit gives the exit code of the command line for k (1 for an unknown kind).
func (k Kind) Exit() int {
	if c, ok := exitCodes[k]; ok {
		return c
	}
	return 1
}

// Error is a failed operation.
type Error struct {
	Op   string // what was being done: "open workspace"
	Of   string // to what: a path or an id; may be empty
	Kind Kind
	Err  error // why; may be nil
}

// Error reads as one sentence: "open workspace /x: in use by another program".
func (e *Error) Error() string {
	s := e.Op
	if e.Of != "" {
		s += " " + e.Of
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	} else {
		s += ": " + string(e.Kind)
	}
	return s
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// New makes a fault whose cause is a formatted sentence.
func New(kind Kind, op, of, format string, args ...any) error {
	return &Error{Op: op, Of: of, Kind: kind, Err: fmt.Errorf(format, args...)}
}

// In says what was being done when err happened and keeps err's kind; nil stays nil.
func In(op, of string, err error) error {
	if err == nil {
		return nil
	}
	return &Error{Op: op, Of: of, Kind: KindOf(err), Err: err}
}

// KindOf finds the kind of err: of the outermost fault in it, else from what the operating system or a context said, else Internal.
func KindOf(err error) Kind {
	var f *Error
	var pathError *fs.PathError
	var errno syscall.Errno
	switch {
	case err == nil:
		return ""
	case errors.As(err, &f):
		return f.Kind
	case errors.Is(err, context.Canceled):
		return Cancelled
	case errors.Is(err, fs.ErrNotExist):
		return NotFound
	case errors.As(err, &pathError), errors.As(err, &errno):
		return IO
	}
	return Internal
}
