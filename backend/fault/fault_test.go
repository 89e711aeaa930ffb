package fault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestKindOf(t *testing.T) {
	_, missing := os.Open(filepath.Join(t.TempDir(), "none"))
	for _, c := range []struct {
		name string
		err  error
		want Kind
	}{
		{"nothing", nil, ""},
		{"a fault", New(Busy, "open", "w", "in use"), Busy},
		{"a fault deep inside", fmt.Errorf("so: %w", In("load", "x", New(Damaged, "decode", "y", "cut"))), Damaged},
		{"cancelled", In("import", "", context.Canceled), Cancelled},
		{"a missing file", missing, NotFound},
		{"no permission", &fs.PathError{Op: "open", Path: "x", Err: fs.ErrPermission}, IO},
		{"anything else", errors.New("odd"), Internal},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := KindOf(c.err); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestWords(t *testing.T) {
	err := In("open case", "case-07", New(NotFound, "load chain", "c1", "no such file"))
	if got, want := err.Error(), "open case case-07: load chain c1: no such file"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if In("open", "x", nil) != nil {
		t.Error("no error became one")
	}
}

func TestExitCodesAreApart(t *testing.T) {
	seen := map[int]Kind{}
	for kind, code := range exitCodes {
		if other, twice := seen[code]; twice {
			t.Errorf("%s and %s both exit with %d", kind, other, code)
		}
		seen[code] = kind
	}
	if Kind("unheard of").Exit() != 1 {
		t.Error("an unknown kind is a bug: exit 1")
	}
}
