package desk_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plumbline/backend/desk"
	"plumbline/backend/desktest"
	"plumbline/backend/fault"
)

// The queue says how good a sign its score is; without a right and a wrong case it says why there is no figure.
func TestQueueTellsItsTrigger(t *testing.T) {
	d := sampleDesk(t)
	if _, err := d.Run(t.Context(), desk.RunOrder{Models: []string{"random", "oracle-pixels"}, Conditions: []string{"original", "noop"}, Seed: 5}); err != nil {
		t.Fatal(err)
	}
	q, err := d.Queue(t.Context())
	if err != nil || len(q.Triggers) != 2 || q.Triggers[0].Model != "oracle-pixels" || q.Triggers[1].Model != "random" {
		t.Fatalf("%+v, %v", q.Triggers, err)
	}
	for _, u := range q.Cases {
		if u.Chain == "" || u.Again == "" || u.Chain == u.Again {
			t.Errorf("%+v does not name its chains", u)
		}
	}
	sure, unsure := q.Triggers[0], q.Triggers[1]
	if sure.AUROC != nil || sure.Wrong != 0 || sure.Reason == "" {
		t.Errorf("of a model that is right throughout: %+v", sure)
	}
	if unsure.Wrong == 0 || unsure.Cases < unsure.Wrong || unsure.Clusters == 0 {
		t.Errorf("of a model that draws by lot: %+v", unsure)
	}
	if a := unsure.AUROC; a != nil && (*a < 0 || *a > 1) || a == nil && unsure.Reason == "" {
		t.Errorf("of a model that draws by lot: %+v", unsure)
	}
	if unsure.AUROC != nil && unsure.Clusters < 20 && (unsure.Interval != nil || unsure.Reason == "") {
		t.Errorf("an interval of few clusters: %+v", unsure)
	}
	if _, err := desktest.New(t).As("ann").Desk.Queue(t.Context()); fault.KindOf(err) != fault.Refused {
		t.Errorf("in a reader's seat: %v", err)
	}
}

// A batch is estimated, written, listed, looked into and read in part; the list tells what came back, and a batch of another workspace is known as such.
func TestBatchesAreKept(t *testing.T) {
	d := sampleDesk(t)
	if _, err := d.SaveModel(t.Context(), `{"schema":"plumbline.profile/1","name":"far","base_url":"http://127.0.0.1:1/v1","model":"m","image":{"long_side":64}}`); err != nil {
		t.Fatal(err)
	}
	order := desk.BatchOrder{RunOrder: desk.RunOrder{Models: []string{"far"}, Conditions: []string{"original"}, Cases: []string{"case-01", "case-02", "case-03"}}, Style: "vllm", MostRequests: 2}
	e, err := d.EstimateBatch(t.Context(), order)
	if err != nil || e.Requests != 3 || e.Files != 2 || e.Rounds < 4 || e.Bytes <= 0 {
		t.Fatalf("estimate %+v, %v", e, err)
	}
	order.Dir = filepath.Join(t.TempDir(), "batch")
	b, err := d.WriteBatch(t.Context(), order)
	if err != nil || b.Dir != order.Dir || b.Requests != 3 || len(b.Files) != 2 {
		t.Fatalf("written %+v, %v", b, err)
	}
	folder, err := d.LookIntoBatch(t.Context(), b.Dir)
	if err != nil || !folder.Known || folder.Requests != 3 || len(folder.Results) != 0 || len(folder.Files) != 2 {
		t.Fatalf("looked into %+v, %v", folder, err)
	}
	ids := requestIDs(t, b)
	lines := fmt.Sprintf(`{"custom_id":%q,"response":{"status_code":200,"body":{"choices":[{"message":{"content":"{\"steps\":[],\"answer\":\"A\"}"},"finish_reason":"stop"}]}},"error":null}`+"\n"+`{"custom_id":%q,"response":null,"error":"the engine died"}`+"\n", ids[0], ids[1])
	if err := os.WriteFile(filepath.Join(b.Dir, "results-1.jsonl"), []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	folder, err = d.LookIntoBatch(t.Context(), b.Dir)
	if err != nil || len(folder.Results) != 1 {
		t.Fatalf("with results %+v, %v", folder, err)
	}
	taken, err := d.ReadBatch(t.Context(), b.Dir, folder.Results)
	if err != nil || taken.Answered != 1 || taken.BatchRead.Failed != 1 || len(taken.Missing) != 1 || len(taken.Missed) != 1 || taken.Waiting != 3 {
		t.Fatalf("taken %+v, %v", taken, err)
	}
	if l := taken.Lacking; len(l) != 1 || l[0].ID != taken.Missing[0] || !slices.Contains([]string{"case-01", "case-02", "case-03"}, string(l[0].Case)) || l[0].Condition != "original" || l[0].Case == taken.Missed[0].Case {
		t.Errorf("lacking %+v", l)
	}
	kept, err := d.Batches(t.Context())
	if err != nil || len(kept) != 1 || kept[0].Run != b.Run || kept[0].Answered != 1 || kept[0].Failed != 1 || kept[0].Missing != 1 || kept[0].Read == "" || kept[0].Written == "" {
		t.Errorf("kept %+v, %v", kept, err)
	}
	if e, err = d.EstimateBatch(t.Context(), desk.BatchOrder{RunOrder: desk.RunOrder{Resume: true, Run: b.Run}}); err != nil || e.Requests != 3 || e.Files != 1 {
		t.Errorf("what is left %+v, %v", e, err)
	}
	other := sampleDesk(t)
	if folder, err = other.LookIntoBatch(t.Context(), b.Dir); err != nil || folder.Known {
		t.Errorf("in another workspace: %+v, %v", folder, err)
	}
	if _, err := d.LookIntoBatch(t.Context(), t.TempDir()); fault.KindOf(err) != fault.NotFound || !strings.Contains(err.Error(), "batch.json") {
		t.Errorf("no batch: %v", err)
	}
}

func requestIDs(t *testing.T, b desk.BatchWritten) (ids []string) {
	t.Helper()
	for _, f := range b.Files {
		raw, err := os.ReadFile(filepath.Join(b.Dir, f.Path))
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(raw) {
			var l struct {
				ID string `json:"custom_id"`
			}
			if err := json.Unmarshal(line, &l); err != nil {
				t.Fatal(err)
			}
			ids = append(ids, l.ID)
		}
	}
	return ids
}
