package export_test

import (
	"os"
	"path/filepath"
	"testing"

	"plumbline/backend/export"
	"plumbline/backend/fault"
	"plumbline/backend/review"
	"plumbline/backend/testfiles"
)

// A full disk and a read-only folder leave nothing half written, whatever the format.
func TestFullDiskAndReadOnly(t *testing.T) {
	src := sourceOf(whole("c1", "p1"), whole("c2", "p2"))
	for _, f := range export.Formats() {
		t.Run(f.Name, func(t *testing.T) {
			dir := testfiles.MountSmall(t, "size=4k")
			o := everything
			if f.For == "sites" {
				o = export.Options{} // it has no split
			}
			_, err := export.Write(t.Context(), filepath.Join(dir, "out"), f.Name, withDICOM(t, src), o, review.Quiet)
			mustBe(t, err, fault.IO, "space")
			if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
				t.Errorf("full disk: %v, %v", left, err)
			}
			testfiles.MakeReadOnly(t, dir)
			_, err = export.Write(t.Context(), filepath.Join(dir, "out"), f.Name, withDICOM(t, src), o, review.Quiet)
			mustBe(t, err, fault.IO, "read-only")
		})
	}
}
