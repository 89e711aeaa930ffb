// Package testfiles finds what tests need from outside the repository, and says what happens where it is not there.
package testfiles

import (
	"os"
	"path/filepath"
	"testing"
)

// Missing skips a test for want of something; where everything must be there (CI, or PLUMBLINE_REQUIRE_SHARED) it fails it instead.
func Missing(t testing.TB, why string) {
	t.Helper()
	if os.Getenv("CI") != "" || os.Getenv("PLUMBLINE_REQUIRE_SHARED") != "" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// Shared gives a path among the shared test files: those of PLUMBLINE_SHARED, else the folder "shared" beside the repository.
func Shared(t testing.TB, parts ...string) string {
	t.Helper()
	dir := os.Getenv("PLUMBLINE_SHARED")
	if dir == "" {
		dir = filepath.Join(root(t), "..", "shared")
	}
	path := filepath.Join(append([]string{dir}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		Missing(t, "needs the shared test files beside the repository: "+filepath.Join(parts...))
	}
	return path
}

// root is the folder of go.mod; a test runs in the folder of its package.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = up
	}
}
