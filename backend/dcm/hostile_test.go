package dcm

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"testing"

	"plumbline/backend/fault"
	"plumbline/backend/testfiles"
)

// attempt loads a file and decodes all of it: "load" or "decode" says where it failed, "" that it did not.
func attempt(path string) (f *File, where string, err error) {
	f, err = Load(path)
	if err != nil {
		return f, "load", err
	}
	if !f.Header().HasPixels {
		return f, "none", nil
	}
	for i := range f.Header().Frames {
		if _, err = f.Samples(context.Background(), i); err != nil {
			return f, "decode", err
		}
	}
	return f, "", nil
}

func TestMalformedFilesFailInWords(t *testing.T) {
	dir := testfiles.Shared(t, "dicom")
	// where: load, decode, none (loads and has no pixels), "" (decodes).
	want := map[string]struct {
		where string
		kind  fault.Kind
	}{
		"crafted__expl_un_3g.dcm":            {"load", fault.Damaged},
		"crafted__expl_ut_3g.dcm":            {"load", fault.Damaged},
		"crafted__fragment_len_4g.dcm":       {"decode", fault.Damaged},
		"crafted__impl_unknown_undef_sq.dcm": {"none", ""},
		"crafted__jpeg57_truncated.dcm":      {"decode", fault.Damaged},
		"crafted__jxl_truncated.dcm":         {"decode", fault.Damaged},
		"crafted__native_huge_dims.dcm":      {"decode", fault.Damaged},
		"crafted__native_huge_vl.dcm":        {"decode", fault.Damaged},
		"crafted__nest20000.dcm":             {"load", fault.Damaged},
		"crafted__ob_undef_seq.dcm":          {"none", ""},
		"crafted__rle_bad_segments.dcm":      {"decode", fault.Damaged},
		"crafted__ts_private.dcm":            {"load", fault.Invalid},
		"fo-dicom__GH1146.dcm":               {"decode", fault.Damaged},
		"fo-dicom__GH179B.dcm":               {"load", fault.Damaged},
		"fo-dicom__GH340.dcm":                {"load", fault.Invalid},
		"fo-dicom__GH364.dcm":                {"load", fault.Damaged},
		"fo-dicom__GH626.dcm":                {"load", fault.Damaged},
		"fo-dicom__genFile.dcm":              {"decode", fault.Damaged},
		"pydicom-data__bad_sequence.dcm":     {"", ""},
		"pydicom__DICOMDIR-nooffset.dcm":     {"load", fault.Invalid},
		"pydicom__ExplVR_BigEndNoMeta.dcm":   {"none", ""},
		"pydicom__ExplVR_LitEndNoMeta.dcm":   {"none", ""},
		"pydicom__MR_truncated.dcm":          {"decode", fault.Damaged},
		"pydicom__UN_sequence.dcm":           {"none", ""},
		"pydicom__empty_charset_LEI.dcm":     {"none", ""},
		"pydicom__meta_missing_tsyntax.dcm":  {"load", fault.Damaged},
		"pydicom__no_meta_group_length.dcm":  {"none", ""},
		"pydicom__priv_SQ.dcm":               {"none", ""},
		"pydicom__rtplan_truncated.dcm":      {"load", fault.Damaged},
		"pydicom__waveform_ecg.dcm":          {"none", ""},
	}
	for _, row := range tableRows(t, filepath.Join(dir, "manifest.tsv")) {
		if row["kind"] == "image" {
			continue
		}
		t.Run(row["file"], func(t *testing.T) {
			w, known := want[row["file"]]
			if !known {
				t.Fatalf("not in the table; it should: %s", row["expect"])
			}
			if w.where == "" && !HasCodecs() {
				testfiles.Missing(t, "the codecs are not in this build: run ./build/codecs")
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			f, where, err := attempt(filepath.Join(dir, "files", row["file"]))
			runtime.ReadMemStats(&after)
			if where != w.where || fault.KindOf(err) != w.kind {
				t.Errorf("failed at %q with %v (%s), want %q %s: %s", where, err, fault.KindOf(err), w.where, w.kind, row["expect"])
			}
			if used := after.TotalAlloc - before.TotalAlloc; where != "" && used > 50<<20 {
				t.Errorf("took %d MiB", used>>20)
			}
			if where == "load" && w.kind == fault.Damaged && row["file"] == "pydicom__rtplan_truncated.dcm" {
				if f == nil || f.Header().Modality != "RTPLAN" {
					t.Error("the elements before the damage are not there")
				}
			}
		})
	}
	_, err := Load(filepath.Join(dir, "files", "pydicom__DICOMDIR-nooffset.dcm"))
	if !errors.Is(err, ErrNotImage) {
		t.Errorf("a DICOMDIR is to be passed over, not %v", err)
	}
}
