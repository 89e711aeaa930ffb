package export_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plumbline/backend/export"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// What goes to another site names nobody and quotes nobody: no case, patient, reader, word, region or image.
func TestSiteNamesNobody(t *testing.T) {
	c := whole("CANARY-case", "CANARY-patient")
	c.Study, c.Questions[0].Text = "CANARY-study", "CANARY question?"
	for i := range c.Said {
		c.Said[i].Reader = "CANARY-reader"
		if r := c.Said[i].Body.Rating; r != nil {
			r.Note = "CANARY note"
		}
	}
	src := sourceOf(c)
	src.Study = "CANARY-workspace"
	src.Info.Notes = "CANARY"
	d, err := export.Write(t.Context(), filepath.Join(t.TempDir(), "out"), "federation", src, export.Options{}, review.Quiet)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range append(d.Files, export.File{Path: export.ManifestFile}) {
		if text := string(load(t, d, f.Path)); strings.Contains(text, "CANARY") || strings.Contains(text, "hemithorax") || strings.HasSuffix(f.Path, ".png") {
			t.Errorf("%s names somebody:\n%s", f.Path, text)
		}
	}
	if labels := records(t, load(t, d, "labels.jsonl")); len(labels) != 8 || labels[0]["support"] == nil {
		t.Errorf("%v", labels)
	}
	_, err = export.Write(t.Context(), filepath.Join(t.TempDir(), "out"), "federation", src, everything, review.Quiet)
	mustBe(t, err, fault.Usage, "a split names cases")
}

// Two sites pooled: the folders are checked, and the sums are theirs.
func TestPoolFolders(t *testing.T) {
	a := write(t, "federation", export.Options{}, whole("c1", "p1"), whole("c2", "p2"))
	other := sourceOf(whole("c3", "p3"))
	other.Site = "site-2"
	b, err := export.Write(t.Context(), filepath.Join(t.TempDir(), "out"), "federation", other, export.Options{}, review.Quiet)
	if err != nil {
		t.Fatal(err)
	}
	got, err := export.Pool([]string{b.Dir, a.Dir, a.Dir}, verified)
	if err != nil || len(got.Sites) != 2 || got.Data.Cases != 3 || len(got.Conflicts) != 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, c := range got.Counts {
		if c.N%3 != 0 {
			t.Errorf("%+v is not three times what one case gives", c)
		}
	}
	site := filepath.Join(b.Dir, "site.json")
	text, err := os.ReadFile(site)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(site, []byte(strings.Replace(string(text), `"n":1`, `"n":9`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = export.Pool([]string{a.Dir, b.Dir}, verified)
	mustBe(t, err, fault.Damaged, "manifest")
	csv := write(t, "csv", export.Options{}, whole("c1", "p1"))
	_, err = export.Pool([]string{csv.Dir}, verified)
	mustBe(t, err, fault.Invalid, "federation")
	_, err = export.Pool([]string{t.TempDir()}, verified)
	mustBe(t, err, fault.NotFound, "")
}

// What two keys signed under the name of one site counts for neither; what is not signed, or was changed after it was signed, is refused.
func TestPoolGoesByKeys(t *testing.T) {
	made := func(site, key string, cases ...*export.Case) string {
		src := sourceOf(cases...)
		src.Site, src.Sign = site, signedWith(key)
		d, err := export.Write(t.Context(), filepath.Join(t.TempDir(), "out"), "federation", src, export.Options{}, review.Quiet)
		if err != nil {
			t.Fatal(err)
		}
		return d.Dir
	}
	for what, forged := range map[string]string{
		"something else": made("site-1", "key 9", whole("c1", "p1"), whole("c2", "p2")), "the same": made("site-1", "key 9", whole("c1", "p1")),
	} {
		got, err := export.Pool([]string{made("site-1", "key 1", whole("c1", "p1")), forged, made("site-2", "key 2", whole("c3", "p3"))}, verified)
		if err != nil || len(got.Sites) != 1 || got.Sites[0].Site != "site-2" || got.Sites[0].Key != "key 2" || got.Data.Cases != 1 || len(got.Conflicts) != 2 {
			t.Fatalf("%s: %+v, %v", what, got, err)
		}
		for _, c := range got.Conflicts {
			if c.Site != "site-1" || !strings.Contains(c.Why, "key 1") && !strings.Contains(c.Why, "key 9") {
				t.Errorf("%s: %+v", what, c)
			}
		}
	}
	dir := made("site-1", "key 1", whole("c1", "p1"))
	manifest := filepath.Join(dir, export.ManifestFile)
	b, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(manifest, append(b, ' '), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = export.Pool([]string{dir}, verified)
	mustBe(t, err, fault.Damaged, "does not hold")
	if err := os.Remove(filepath.Join(dir, export.SignatureFile)); err != nil {
		t.Fatal(err)
	}
	_, err = export.Pool([]string{dir}, verified)
	mustBe(t, err, fault.Invalid, "what the site signed expected")
}
