package dcm

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"strings"
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
	// where: load, decode, none (loads and has no pixels), "" (decodes). words: what is said of the cause, beside the file's name.
	want := map[string]struct {
		where string
		kind  fault.Kind
		words string
	}{
		"crafted__expl_un_3g.dcm":            {"load", fault.Damaged, "(0029,1001) says it has 3758096384 bytes and the file has 80 left"},
		"crafted__expl_ut_3g.dcm":            {"load", fault.Damaged, "(0029,1001) says it has 3758096384 bytes and the file has 80 left"},
		"crafted__fragment_len_4g.dcm":       {"decode", fault.Damaged, "a fragment says it has 4294967280 bytes and the file has 16094 left"},
		"crafted__impl_unknown_undef_sq.dcm": {"none", "", ""},
		"crafted__jpeg57_truncated.dcm":      {"decode", fault.Damaged, "a fragment says it has 14562 bytes and the file has 8364 left"},
		"crafted__jxl_truncated.dcm":         {"decode", fault.Damaged, "a fragment says it has 13322 bytes and the file has 8891 left"},
		"crafted__native_huge_dims.dcm":      {"decode", fault.Damaged, "64 of 8589672450000 bytes"},
		"crafted__native_huge_vl.dcm":        {"decode", fault.Damaged, "64 of 8589672450000 bytes"},
		"crafted__nest20000.dcm":             {"load", fault.Damaged, "nested deeper than 64"},
		"crafted__ob_undef_seq.dcm":          {"none", "", ""},
		"crafted__rle_bad_segments.dcm":      {"decode", fault.Damaged, "4294967295 segments where 3 were expected"},
		"crafted__ts_private.dcm":            {"load", fault.Invalid, `"1.2.840.113619.5.2" is not supported`},
		"fo-dicom__GH1146.dcm":               {"decode", fault.Damaged, "0 of 524288 bytes"},
		"fo-dicom__GH179B.dcm":               {"load", fault.Damaged, "(0028,0120) has no value representation"},
		"fo-dicom__GH340.dcm":                {"load", fault.Invalid, "12 bits allocated are not supported"},
		"fo-dicom__GH364.dcm":                {"load", fault.Damaged, "ends at byte 354 and ends at 364"},
		"fo-dicom__GH626.dcm":                {"load", fault.Damaged, "says it has 337256453 bytes and the file has 131084 left"},
		"fo-dicom__genFile.dcm":              {"decode", fault.Damaged, "not of its transfer syntax"},
		"pydicom-data__bad_sequence.dcm":     {"", "", ""},
		"pydicom__DICOMDIR-nooffset.dcm":     {"load", fault.Invalid, ""},
		"pydicom__ExplVR_BigEndNoMeta.dcm":   {"none", "", ""},
		"pydicom__ExplVR_LitEndNoMeta.dcm":   {"none", "", ""},
		"pydicom__MR_truncated.dcm":          {"decode", fault.Damaged, "8130 of 8192 bytes"},
		"pydicom__UN_sequence.dcm":           {"none", "", ""},
		"pydicom__empty_charset_LEI.dcm":     {"none", "", ""},
		"pydicom__meta_missing_tsyntax.dcm":  {"load", fault.Damaged, "no transfer syntax is named"},
		"pydicom__no_meta_group_length.dcm":  {"none", "", ""},
		"pydicom__priv_SQ.dcm":               {"none", "", ""},
		"pydicom__rtplan_truncated.dcm":      {"load", fault.Damaged, "says it has 976 bytes and the file has 711 left"},
		"pydicom__waveform_ecg.dcm":          {"none", "", ""},
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
			if err != nil && !(strings.Contains(err.Error(), w.words) && strings.Contains(err.Error(), row["file"])) {
				t.Errorf("says %q, want the file and %q", err, w.words)
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
