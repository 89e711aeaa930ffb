package export_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"plumbline/backend/export"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// mountSmall mounts a small file system in memory, or skips the test where that is not allowed.
func mountSmall(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("plumbline-test", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("needs the right to mount a small file system: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// A full disk and a read-only folder leave nothing half written, whatever the format.
func TestFullDiskAndReadOnly(t *testing.T) {
	src := sourceOf(whole("c1", "p1"), whole("c2", "p2"))
	for _, f := range export.Formats() {
		t.Run(f.Name, func(t *testing.T) {
			dir := mountSmall(t, "size=4k")
			o := everything
			if f.For == "sites" {
				o = export.Options{} // it has no split
			}
			_, err := export.Write(t.Context(), filepath.Join(dir, "out"), f.Name, withDICOM(t, src), o, review.Quiet)
			mustBe(t, err, fault.IO, "space")
			if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
				t.Errorf("full disk: %v, %v", left, err)
			}
			if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
				t.Skipf("needs the right to mount read-only: %v", err)
			}
			_, err = export.Write(t.Context(), filepath.Join(dir, "out"), f.Name, withDICOM(t, src), o, review.Quiet)
			mustBe(t, err, fault.IO, "read-only")
		})
	}
}
