package experiment

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"sync"

	"plumbline/backend/fault"
	"plumbline/backend/model"
	"plumbline/backend/review"
)

// WriteBatch writes the next request of every chain of a plan into a batch, in place of asking: one stage of each chain at a time, since the
// next one is told what this one says. What was answered before is not written again. The status counts the chains that wait as Later; with none
// left to write, fault NotFound. The runner's one model must be behind a profile.
func (r Runner) WriteBatch(ctx context.Context, p Plan, w *model.BatchWriter) (model.Batch, Status, error) {
	e, err := r.only("write batch", p)
	if err != nil {
		return model.Batch{}, Status{}, err
	}
	r.Models[0].Model = &written{Endpoint: e, w: w}
	status, err := r.Do(ctx, p)
	if err != nil {
		w.Abort()
		return model.Batch{}, status, err
	}
	b, err := w.Close()
	return b, status, err
}

// ReadBatch takes the results of a batch of a plan in, in any order, and makes the chains that they complete. Read again with further results
// it goes on; what failed or is missing is written again by the next WriteBatch.
func (r Runner) ReadBatch(ctx context.Context, p Plan, b model.Batch, results []io.Reader) (read model.BatchRead, status Status, err error) {
	const op = "read batch"
	e, err := r.only(op, p)
	if err != nil {
		return read, status, err
	}
	if b.Run != p.Run {
		return read, status, fault.New(fault.Invalid, op, b.Run, "the batch belongs to another run than %s", p.Run)
	}
	spool, err := os.CreateTemp("", "plumbline-batch-*")
	if err != nil {
		return read, status, fault.In(op, "", err)
	}
	defer os.Remove(spool.Name())
	defer spool.Close() // nothing is read from it any more
	a := &answering{Endpoint: e, spool: spool, at: map[string]stretch{}, failed: map[string]*model.Failure{}}
	if read, err = b.Read(ctx, results, a.keep); err != nil {
		return read, status, err
	}
	r.Models[0].Model = a
	status, err = r.Do(ctx, p)
	return read, status, err
}

// only gives the one model of a batch. Models is copied, so that it can be stood in for.
func (r *Runner) only(op string, p Plan) (*model.Endpoint, error) {
	if len(r.Models) != 1 {
		return nil, fault.New(fault.Usage, op, p.Run, "a batch is for one model; there are %d", len(r.Models))
	}
	r.Models = []Asked{r.Models[0]}
	e, behind := r.Models[0].Model.(*model.Endpoint)
	if !behind {
		return nil, fault.New(fault.Usage, op, r.Models[0].Name(), "a batch is for a model behind a profile: a control answers at once")
	}
	return e, nil
}

// written is a model of which requests are written down and not asked.
type written struct {
	*model.Endpoint
	mu sync.Mutex
	w  *model.BatchWriter
}

// Ask writes the request.
func (m *written) Ask(_ context.Context, r model.Request) (model.Reply, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.w.Add(model.BatchItem{ID: r.Mark.ID, Chain: r.Mark.Chain, Stage: r.Mark.Stage, Request: r}); err != nil {
		return model.Reply{}, err
	}
	return model.Reply{}, errLater
}

// stretch is where a reply lies in the spool.
type stretch struct {
	from int64
	size int
}

// answering is a model that answers from the results of a batch. Replies lie in a file: they may be many.
type answering struct {
	*model.Endpoint
	spool  *os.File
	end    int64
	at     map[string]stretch
	failed map[string]*model.Failure
}

// keep puts a result by.
func (m *answering) keep(r model.BatchResult) error {
	if r.Failed != nil {
		m.failed[r.Request.ID] = r.Failed
		return nil
	}
	b, err := json.Marshal(r.Reply)
	if err != nil {
		return err
	}
	if _, err := m.spool.WriteAt(b, m.end); err != nil {
		return fault.In("read batch", r.Request.ID, err)
	}
	m.at[r.Request.ID] = stretch{m.end, len(b)}
	m.end += int64(len(b))
	return nil
}

// has says whether anything came back for a request.
func (m *answering) has(id string) bool {
	_, there := m.at[id]
	return there || m.failed[id] != nil
}

// Ask gives the reply that came back for a request; one that is in no result waits for the next batch.
func (m *answering) Ask(_ context.Context, r model.Request) (reply model.Reply, err error) {
	if f := m.failed[r.Mark.ID]; f != nil {
		return reply, &fault.Error{Kind: fault.Endpoint, Op: "read batch", Of: r.Mark.ID, Err: f}
	}
	at, there := m.at[r.Mark.ID]
	if !there {
		return reply, errLater
	}
	b := make([]byte, at.size)
	if _, err := m.spool.ReadAt(b, at.from); err != nil {
		return reply, fault.In("read batch", r.Mark.ID, err)
	}
	if err := json.Unmarshal(b, &reply); err != nil {
		return reply, fault.New(fault.Damaged, "read batch", r.Mark.ID, "%w", err)
	}
	return reply, nil
}

// A Lack is a request of a batch of which nothing came back.
type Lack struct {
	ID        string        `json:"id"` // custom_id
	Case      review.CaseID `json:"case"`
	Condition string        `json:"condition"`
	Stage     int           `json:"stage"` // of its batch; 0: several
}

// Lacking says which case and condition requests of a batch belong to, in their order. The runner's one model is that of the batch.
func (r Runner) Lacking(p Plan, b model.Batch, ids []string) ([]Lack, error) {
	out := []Lack{}
	list, _, err := ordered(p.Conditions)
	if err != nil || len(ids) == 0 {
		return out, err
	}
	chains := make(map[string]Lack, len(p.Cases)*len(list))
	for _, of := range p.Cases {
		for _, c := range list {
			name := c.Name()
			chains[string(chainID(p.Run, unitKey(r.Models[0].Info, of, name)))] = Lack{Case: of, Condition: name, Stage: b.Stage}
		}
	}
	asked := make(map[string]string, len(b.Requests))
	for _, q := range b.Requests {
		asked[q.ID] = q.Chain
	}
	for _, id := range ids {
		lack := chains[asked[id]]
		lack.ID = id
		out = append(out, lack)
	}
	return out, nil
}
