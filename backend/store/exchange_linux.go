package store

import "golang.org/x/sys/unix"

// Exchange makes two files or folders of one disk take each other's place in one step, so that each name stands at every moment. Where the
// system cannot, it fails and nothing has changed.
func Exchange(a, b string) error {
	return unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
}
