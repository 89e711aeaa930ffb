//go:build !windows

package store

// ignoreUnsupported passes every error: folders can be synced here.
func ignoreUnsupported(err error) error { return err }
