//go:build !linux

package store

import "errors"

// Exchange fails: this system has no such step.
func Exchange(string, string) error { return errors.ErrUnsupported }
