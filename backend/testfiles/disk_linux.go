package testfiles

import (
	"syscall"
	"testing"
)

// MountSmall mounts a small file system in memory with tmpfs options such as "size=512k", or skips the test where that is not allowed.
func MountSmall(t *testing.T, options string) string {
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

// MakeReadOnly mounts what MountSmall gave again without the right to write, or skips the test where that is not allowed.
func MakeReadOnly(t *testing.T, dir string) {
	t.Helper()
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skipf("needs the right to mount read-only: %v", err)
	}
}
