package export_test

import (
	"testing"

	"plumbline/backend/export"
)

// withDICOM gives a source whose images are DICOM files.
func withDICOM(t testing.TB, src export.Source) export.Source {
	t.Helper()
	return src
}
