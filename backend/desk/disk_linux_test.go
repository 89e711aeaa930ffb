package desk_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"plumbline/backend/desk"
	"plumbline/backend/desktest"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// mountSmall mounts a small file system in memory, or skips the test where that is not allowed.
func mountSmall(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("plumbline-test", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("needs the right to mount a small file system: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// Bad input: a dataset on a read-only share is read like any other; a workspace there is refused with its place.
func TestReadOnlyShare(t *testing.T) {
	share := mountSmall(t)
	data := filepath.Join(share, "data")
	desktest.WriteDataset(t, data)
	if err := syscall.Mount("", share, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skipf("needs the right to mount read-only: %v", err)
	}
	d := newDesk(t, desk.Options{})
	if got, err := d.Import(t.Context(), data); err != nil || got.Cases != 4 || len(got.Problems) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := d.OpenCase(t.Context(), "case-01"); err != nil {
		t.Error(err)
	}
	_, err := d.OpenWorkspace(t.Context(), filepath.Join(share, "ws"))
	refused(t, err, fault.IO, filepath.Join(share, "ws"))
	if s, err := d.State(t.Context()); err != nil || !s.Open || s.Dataset != data {
		t.Errorf("the open workspace stays: %+v, %v", s, err)
	}
}

// A full disk: the answer that is not saved says so, those before are there, and reading goes on when there is space again.
func TestFullDiskWhileReading(t *testing.T) {
	disk := mountSmall(t)
	d := newDesk(t, desk.Options{})
	data := filepath.Join(t.TempDir(), "data")
	desktest.WriteDataset(t, data)
	if _, err := d.OpenWorkspace(t.Context(), filepath.Join(disk, "ws")); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Import(t.Context(), data); err != nil {
		t.Fatal(err)
	}
	v, err := d.OpenCase(t.Context(), "case-01")
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range v.Case.Questions {
		if _, err := d.Look(t.Context(), v.Assignment, review.Look{Question: q.ID, Answer: "A", Confidence: 1}); err != nil {
			t.Fatal(err)
		}
	}
	ballast := filepath.Join(disk, "ballast")
	_ = os.WriteFile(ballast, make([]byte, 2<<20), 0o600) // as much as there is room for
	saved := 0
	rate := func() error {
		_, err := d.Rate(t.Context(), v.Assignment, "x11", review.Rating{Step: "s1", Note: strings.Repeat("n", 1000+saved)}, "")
		if err == nil {
			saved++
		}
		return err
	}
	for err = rate(); err == nil && saved < 5000; err = rate() {
	}
	refused(t, err, fault.IO, "space")
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if err := rate(); err != nil {
		t.Fatalf("after space came back: %v", err)
	}
	after, err := d.OpenCase(t.Context(), "case-01")
	if err != nil || after.Revisions != saved-1 {
		t.Errorf("%d revisions of %d saved, %v", after.Revisions, saved, err)
	}
	if v, err := d.Verify(t.Context()); err != nil || v.Events != saved+2 || v.FirstBreak != nil {
		t.Errorf("%+v, %v", v, err)
	}
}
