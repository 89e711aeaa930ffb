package export_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plumbline/backend/testfiles"
)

// Every trainer's file has the shape of the one example of its format: the same fields with the same types, down to the last.
func TestShapesOfFixtures(t *testing.T) {
	folder := testfiles.Shared(t, "fixtures")
	for _, c := range []struct {
		format, file, fixture string
		extra                 []string // what ours holds beside the example, and why it may
	}{
		{"llamafactory-sft", "sft_a.all.json", "export_llamafactory_sft.json", nil},
		{"llamafactory-dpo", "dpo.all.json", "export_llamafactory_dpo.json", nil},
		{"trl-sft", "sft_a.all.jsonl", "export_trl_sft.jsonl", nil},
		{"trl-dpo", "dpo.all.jsonl", "export_trl_dpo.jsonl", nil},
		{"mdpo", "mdpo.all.jsonl", "export_mdpo.jsonl", nil},
		{"trl-prm", "prm.all.jsonl", "export_trl_prm.jsonl", nil},
		// The words of a person in place of a step: the example has none; the fields are those of PRM800K's own files.
		{"prm800k", "prm800k.all.jsonl", "prm800k.jsonl", []string{
			".label.steps[].human_completion.corrected_rating <nil>", ".label.steps[].human_completion.flagged bool", ".label.steps[].human_completion.rating <nil>",
			".label.steps[].human_completion.source string", ".label.steps[].human_completion.text string",
		}},
		{"schain", "svcot.all.jsonl", "schain_svcot.jsonl", nil},
	} {
		t.Run(c.format, func(t *testing.T) {
			b, err := os.ReadFile(filepath.Join(folder, c.fixture))
			if err != nil {
				t.Fatal(err)
			}
			wanted := allShapes(records(t, b))
			rows := records(t, load(t, write(t, c.format, everything, whole("c1", "p1")), c.file))
			got := slices.DeleteFunc(allShapes(rows), func(p string) bool { return slices.Contains(c.extra, p) })
			if len(rows) == 0 || !slices.Equal(got, wanted) {
				t.Errorf("%d rows\n%s\nwant\n%s", len(rows), strings.Join(got, "\n"), strings.Join(wanted, "\n"))
			}
		})
	}
}

// allShapes is the shape of a list of records.
func allShapes(rows []map[string]any) []string {
	list := []any{}
	for _, r := range rows {
		list = append(list, r)
	}
	out := shape(list)
	for i := range out {
		out[i] = strings.TrimPrefix(out[i], "[]")
	}
	return out
}

// dataset_info.json names each file, with the columns of the example for its kind.
func TestDatasetInfo(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(testfiles.Shared(t, "fixtures"), "export_llamafactory_dataset_info.json"))
	if err != nil {
		t.Fatal(err)
	}
	example := records(t, []byte(strings.ReplaceAll(string(b), "\n", "")))[0]
	for format, entry := range map[string]string{"llamafactory-sft": "grounding_sft", "llamafactory-dpo": "grounding_dpo"} {
		d := write(t, format, everything, whole("c1", "p1"))
		for name, v := range records(t, load(t, d, "dataset_info.json"))[0] {
			got, want := v.(map[string]any), example[entry].(map[string]any)
			file := got["file_name"].(string)
			if _, err := os.Stat(filepath.Join(d.Dir, file)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			got["file_name"] = want["file_name"]
			if !slices.Equal(shape(got), shape(want)) {
				t.Errorf("%s: %v, want %v", name, got, want)
			}
		}
	}
}
