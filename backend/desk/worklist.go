package desk

import (
	"context"
	"slices"

	"plumbline/backend/review"
)

// Cases lists the worklist with where this seat's reader stands, in the order of the dataset.
func (d *Desk) Cases(ctx context.Context) (rows []CaseRow, err error) {
	err = d.within("list cases", func(r *room) error {
		r.acting.Lock()
		defer r.acting.Unlock()
		if r.set == nil && len(r.problems) == 0 {
			rows = []CaseRow{} // nothing imported yet is an empty list
			return nil
		}
		rows, err = r.rowsOf(ctx)
		return err
	})
	return rows, err
}

// rowsOf gives every line of the worklist. Only cases of which something was said are opened, once. acting is held.
func (r *room) rowsOf(ctx context.Context) ([]CaseRow, error) {
	list, err := r.agenda("list cases")
	if err != nil {
		return nil, err
	}
	if r.rows == nil {
		if err := r.findRows(ctx, list); err != nil {
			return nil, err
		}
	}
	rows := make([]CaseRow, len(list.duties))
	for i, d := range list.duties {
		row, said := r.rows[d.ID]
		if !said {
			if row, err = r.blank(d); err != nil {
				return nil, err
			}
		}
		row.Training, row.Locked = i < list.training, r.lockedBy(list, i)
		rows[i] = row
	}
	return rows, nil
}

// findRows works out the lines of the cases of which something was said. acting is held.
func (r *room) findRows(ctx context.Context, list *agenda) error {
	assignments := make([]review.AssignmentID, len(list.duties))
	for i, d := range list.duties {
		assignments[i] = d.ID
	}
	begun, err := r.ledger.Begun(assignments)
	if err != nil {
		return err
	}
	rows := map[review.AssignmentID]CaseRow{}
	for i, d := range list.duties {
		if !begun[i] {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		rd, err := r.reading(ctx, d)
		if err != nil {
			return err
		}
		rows[d.ID] = r.row(rd)
	}
	r.rows = rows
	return nil
}

// row works out the line of a reading.
func (r *room) row(rd *reading) CaseRow {
	row := r.outline[rd.of.ID].row(review.CaseID(rd.name))
	row.Assignment, row.Chains = string(rd.assignment.ID), len(rd.chains)
	row.State = rd.phase()
	row.Done, row.Required = rd.count()
	if row.Done == 0 && row.State == phaseLook {
		row.State = "new"
	}
	return row
}

// noteRow keeps the line of a reading after an act. acting is held.
func (r *room) noteRow(rd *reading) {
	row := r.row(rd)
	if r.rows != nil {
		r.rows[rd.assignment.ID] = row
	}
	if r.signed != nil {
		r.signed[rd.assignment.ID] = row.State == phaseSigned
	}
}

// learnSigned finds out once which cases are signed. acting is held.
func (r *room) learnSigned(ctx context.Context) error {
	if r.set == nil || r.signed != nil {
		return nil
	}
	list, err := r.agenda("count signed cases")
	if err != nil {
		return err
	}
	keys := make([]string, len(list.duties))
	for i, d := range list.duties {
		keys[i] = review.EventKey(d.ID, review.KindSign, "", "")
	}
	said, err := r.ledger.Has(keys)
	if err != nil {
		return err
	}
	signed := map[review.AssignmentID]bool{}
	for i, d := range list.duties {
		if !said[i] {
			continue
		}
		rd, err := r.readingOf(ctx, d)
		if err != nil {
			return err
		}
		signed[d.ID] = rd.phase() == phaseSigned
	}
	r.signed = signed
	return nil
}

// countSigned gives how many cases are signed. acting is held.
func (r *room) countSigned(ctx context.Context) (int, error) {
	if err := r.learnSigned(ctx); err != nil || r.set == nil {
		return 0, err
	}
	n := 0
	for _, yes := range r.signed { // of many cases few are signed yet
		if yes {
			n++
		}
	}
	list, err := r.agenda("count signed cases")
	if err != nil {
		return 0, err
	}
	for _, d := range list.duties[:list.training] {
		if r.signed[d.ID] {
			n--
		}
	}
	return n, nil
}

// patientSigned tells whether this reader has signed every assigned read of the patient of a signed reading. acting is held.
func (r *room) patientSigned(ctx context.Context, rd *reading) (bool, error) {
	if err := r.learnSigned(ctx); err != nil {
		return false, err
	}
	list, err := r.agenda("count signed cases")
	if err != nil {
		return false, err
	}
	for _, d := range list.duties[list.training:] {
		other := r.outline[d.Case]
		same := d.Case == rd.of.ID || rd.of.Patient != "" && other.Patient == rd.of.Patient
		if same && d.ID != rd.assignment.ID && !r.signed[d.ID] && asked(other.Questions, r.rules.protocol.Look)+other.Chains > 0 {
			return false, nil
		}
	}
	return true, nil
}

// state fills in what the open workspace tells.
func (r *room) state(ctx context.Context, s *State) error {
	r.acting.Lock()
	defer r.acting.Unlock()
	s.Open, s.Workspace, s.Role, s.Reader = true, r.dir, r.w.Seat.Role, string(r.w.Seat.Reader)
	s.Dataset, s.Problems, s.Package = r.w.datasetDir(r.dir), len(r.problems), r.w.Package != nil
	consent, err := r.ledger.Has([]string{r.consentKey()})
	if err != nil {
		return err
	}
	s.Displayed, s.Adjudication = r.displayed, r.adjudicationState()
	if r.adjudicating.Load() {
		s.Problems = 0 // they tell of files
	}
	if s.Consent = consent[0]; r.set == nil {
		return nil
	}
	info, n := r.set.Info(), r.set.Counts()
	s.Name, s.Cases, s.Patients, s.Images, s.Clusters, s.Chains = info.Name, n.Cases, n.Patients, n.Images, n.Clusters, n.Chains
	for _, stage := range info.StagePack.Stages {
		s.Stages = append(s.Stages, stage.Name)
	}
	if s.Signed, err = r.countSigned(ctx); err != nil {
		return err
	}
	list, err := r.agenda("show state")
	if err != nil {
		return err
	}
	s.Assigned = len(list.duties) - list.training
	if s.Training, err = r.trainingStands(ctx); err != nil {
		return err
	}
	if s.Synthetic, err = r.synthetic(ctx); err != nil {
		return err
	}
	s.Resume, err = r.resume(ctx)
	return err
}

// synthetic tells whether the images of the first case say that they are made up.
func (r *room) synthetic(ctx context.Context) (bool, error) {
	ids := r.set.IDs()
	if len(ids) == 0 {
		return false, nil
	}
	stacks, _, err := r.set.Stacks(ctx, ids[0])
	return slices.ContainsFunc(stacks, func(s review.Stack) bool { return s.Synthetic }), err
}

// resume finds where this seat's reader left off: the case and step of the last answer, or the next case that is not signed when that one
// is. acting is held.
func (r *room) resume(ctx context.Context) (Place, error) {
	list, err := r.agenda("resume")
	if err != nil || len(list.duties) == 0 {
		return Place{}, err
	}
	last, err := r.ledger.Last(func(e review.Event) bool {
		_, here := list.ids[e.Assignment]
		return here && e.Reader == r.w.Seat.Reader
	})
	if err != nil || last.ID == "" {
		return Place{}, err
	}
	at := list.ids[last.Assignment]
	for n := range list.duties {
		i := (at + n) % len(list.duties)
		d := list.duties[i]
		if r.signed[d.ID] || r.lockedBy(list, i) != "" {
			continue
		}
		rd, err := r.reading(ctx, d)
		if err != nil {
			return Place{}, err
		}
		if n == 0 || !rd.nothingToRead() {
			return rd.place(), nil
		}
	}
	return Place{Case: list.duties[at].name, Phase: phaseSigned}, nil
}

// OpenCase gives everything that the reading screen needs of one case, as far as this reader may see it. It takes what a line of the
// worklist is called: a case, or an assignment where the reader reads a case more than once.
func (d *Desk) OpenCase(ctx context.Context, name string) (v CaseView, err error) {
	err = d.within("open case", func(r *room) error {
		r.acting.Lock()
		defer r.acting.Unlock()
		duty, err := r.duty("open case", name)
		if err != nil {
			return err
		}
		if err := r.mayOpen("open case", r.list, r.list.ids[duty.ID]); err != nil {
			return err
		}
		rd, err := r.reading(ctx, duty)
		if err != nil {
			return err
		}
		v = r.view(rd)
		if duty.Session == review.TrainingSession {
			v.Training, err = r.trainingView(ctx, rd)
		}
		return err
	})
	return v, err
}

// view shows a reading. acting is held.
func (r *room) view(rd *reading) CaseView {
	v := CaseView{
		Case: shownCase(rd.of), Assignment: string(rd.assignment.ID), Phase: rd.phase(), Stages: list(r.set.Info().StagePack.Stages),
		Stacks: rd.shown(), Looks: []review.Look{}, Chains: rd.shownChains(), Missing: rd.missing(), Place: rd.place(), Rubric: rd.rubric.Rubric,
		Problems: rd.problems, SavedAt: rd.last.At, Revisions: rd.revisions,
		IdleMS: int64(r.rules.protocol.IdleSeconds) * 1000,
	}
	v.Done, v.Required = rd.count()
	for _, q := range rd.questions {
		if e, said := rd.looks[q.ID]; said {
			v.Looks = append(v.Looks, *e.Body.Look)
		}
	}
	v.Case.ID = review.CaseID(rd.name)
	if v.Phase == phaseLook {
		v.Case.Questions = rd.questions
	}
	list := r.list.duties // a reading is only opened by way of the agenda
	at := r.list.ids[rd.assignment.ID]
	if v.Position, v.Total = at+1, r.list.training; at >= r.list.training {
		v.Position, v.Total = at+1-r.list.training, len(list)-r.list.training
	}
	if at > 0 {
		v.Previous = list[at-1].name
	}
	if at+1 < len(list) && r.lockedBy(r.list, at+1) == "" {
		v.Next = list[at+1].name
	}
	return v
}

// Problems lists what is wrong in the files of the open dataset, as far as this seat may know.
func (d *Desk) Problems(context.Context) (all []review.Problem, err error) {
	err = d.within("list problems", func(r *room) error {
		r.acting.Lock()
		defer r.acting.Unlock()
		all = []review.Problem{}
		if !r.adjudicating.Load() {
			all = append(append(all, r.problems...), r.changed...)
		}
		return nil
	})
	return all, err
}
