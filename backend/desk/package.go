package desk

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"plumbline/backend/bundle"
	"plumbline/backend/fault"
	"plumbline/backend/review"
	"plumbline/backend/store"
)

// The files of a package of work. What is below dataFolder becomes the dataset of the reader's workspace.
const (
	eventsFile   = "events.jsonl" // events as they lie in a ledger, one a line; also of a package of words
	dataFolder   = "data"
	packedInfo   = dataFolder + "/dataset.json"
	packedCases  = dataFolder + "/cases.jsonl"
	packedChains = dataFolder + "/chains/all.jsonl"
)

// Packed says what went into a package.
type Packed struct {
	Path        string           `json:"path"`
	Reader      string           `json:"reader"`
	Reads       int              `json:"reads"` // assignments
	Training    int              `json:"training"`
	Images      int              `json:"images"`
	Frames      int              `json:"frames"`
	Events      int              `json:"events"`
	Fingerprint string           `json:"fingerprint"` // of the key that signed it
	Problems    []review.Problem `json:"problems"`
}

// MakeWork packs everything that one reader reads for that reader's own workstation: cases, chains and images without what the protocol
// hides, under aliases, signed by this machine and locked. The package is always whole: it stands for itself, and a later one adds to an
// earlier one. Faults: Refused in a reader's seat; NotFound for somebody who reads nothing; Invalid for a lock that cannot be; IO, Cancelled.
func (d *Desk) MakeWork(ctx context.Context, reader, path string, lock bundle.Lock) (p Packed, err error) {
	const op = "make package"
	err = d.within(op, func(r *room) error {
		if err := r.coordinates(op); err != nil {
			return err
		}
		if _, err := r.data(op); err != nil {
			return err
		}
		keys, err := d.options.Folders.keys()
		if err != nil {
			return err
		}
		out, err := bundle.NewWriter(r.dir)
		if err != nil {
			return err
		}
		defer out.Close()
		pack := packer{room: r, out: out, keys: keys, tell: d.options.Tell, packed: Packed{Path: path, Reader: reader, Fingerprint: bundle.Fingerprint(keys.Public()), Problems: []review.Problem{}}}
		p, err = pack.work(ctx, review.ReaderID(reader), path, lock)
		return fault.In(op, path, err)
	})
	return p, err
}

// packer makes one package of work.
type packer struct {
	room   *room
	out    *bundle.Writer
	keys   bundle.Keys
	tell   review.Tell
	packed Packed
	cases  bytes.Buffer
	chains bytes.Buffer
	key    review.TrainingKey
}

func (p *packer) work(ctx context.Context, reader review.ReaderID, path string, lock bundle.Lock) (Packed, error) {
	reads, m, events, err := p.given(ctx, reader)
	if err != nil {
		return p.packed, err
	}
	p.key = review.TrainingKey{Schema: review.TrainingSchema, Cases: []review.TrainingCase{}}
	for n, rd := range reads {
		if err := ctx.Err(); err != nil {
			return p.packed, err
		}
		p.tell(review.Progress{Op: "pack", Done: n, Total: len(reads), Of: string(rd.code)})
		if err := p.read(ctx, rd); err != nil {
			return p.packed, err
		}
	}
	if rule := p.room.rules.protocol.Overlays; rule != review.NoOverlays {
		p.packed.Problems = append(p.packed.Problems, review.Problem{
			Field: "overlays", Text: fmt.Sprintf("the protocol lets readers see overlays (%s); a package carries none: images go without whatever was drawn over them", rule),
		})
	}
	key, err := json.MarshalIndent(p.key, "", "  ")
	if err != nil {
		return p.packed, err
	}
	info, err := json.MarshalIndent(p.info(), "", "  ")
	if err != nil {
		return p.packed, err
	}
	for _, f := range []struct {
		name string
		data []byte
	}{{eventsFile, events}, {packedInfo, info}, {packedCases, p.cases.Bytes()}, {packedChains, p.chains.Bytes()}, {trainingFile, key}} {
		if err := p.out.Add(f.name, f.data); err != nil {
			return p.packed, err
		}
	}
	if m, err = p.out.Finish(path, m, p.keys, lock); err != nil {
		return p.packed, err
	}
	return p.packed, p.room.noteGiven(reader, m, p.packed)
}

// noteGiven keeps that a package was made, for the list of what is where.
func (r *room) noteGiven(reader review.ReaderID, m bundle.Manifest, p Packed) error {
	r.acting.Lock()
	defer r.acting.Unlock()
	_, err := r.ledger.Append(r.handover(review.Handover{
		Way: review.Given, Reader: reader, Key: m.Key, Created: m.Created, Reads: p.Reads, Heads: []review.Head{},
	}))
	return err
}

// handover drafts the coordinator's note of a package. acting is held.
func (r *room) handover(h review.Handover) review.Event {
	e := r.draft(review.KindHandover, "")
	e.Reader, e.Session, e.Body.Handover = Coordinator, "", &h
	e.Key = review.EventKey("", review.KindHandover, review.ChainID(h.Way), string(h.Reader)+"/"+string(h.Machine))
	return e
}

// given hands out what was not handed out before, and gives the reads, the manifest and the events of a package.
func (p *packer) given(ctx context.Context, reader review.ReaderID) ([]read, bundle.Manifest, []byte, error) {
	const op = "make package"
	r := p.room
	r.acting.Lock()
	defer r.acting.Unlock()
	known, here := r.rules.protocol.Reader(reader)
	if !here || known.Role != review.RoleReader {
		return nil, bundle.Manifest{}, nil, fault.New(fault.NotFound, op, string(reader), "the protocol has no such reader")
	}
	mine := slices.DeleteFunc(slices.Clone(r.dealt), func(a review.Assignment) bool { return a.Reader != reader })
	if len(mine) == 0 {
		return nil, bundle.Manifest{}, nil, fault.New(fault.NotFound, op, string(reader), "nothing is assigned to reader %s", reader)
	}
	slices.SortFunc(mine, inReadingOrder)
	if err := r.handOut(mine); err != nil {
		return nil, bundle.Manifest{}, nil, err
	}
	reads := []read{}
	for _, rd := range r.practice(r.rules.protocol, reader) {
		if _, here := r.outline[rd.Case]; here {
			reads = append(reads, rd)
			p.packed.Training++
		}
	}
	codes := r.aliases.codes()
	for _, a := range mine {
		if _, here := r.outline[a.Case]; here {
			reads = append(reads, read{a, codes[a.ID]})
			p.packed.Reads++
		}
	}
	back, err := r.cameBack(reader)
	if err != nil {
		return nil, bundle.Manifest{}, nil, err
	}
	events, heads, n, err := r.eventsOf(ctx, func(id chainID) bool { return id.reader == addressed(reader) || back[id] })
	p.packed.Events = n
	return reads, r.manifest(bundle.Work, Coordinator, string(reader), p.keys.Recipient(), heads), events, err
}

// cameBack gives the hash chains of a reader that came back in packages. They travel with the work, so that a reader goes on at another
// machine where the first one left off; they speak of aliases, as what is said at the coordinator's own desk does not. acting is held.
func (r *room) cameBack(reader review.ReaderID) (map[chainID]bool, error) {
	said, err := r.ledger.Assignment("")
	back := map[chainID]bool{}
	for _, e := range said.Current {
		if h := e.Body.Handover; h != nil && h.Way == review.Taken && h.Reader == reader {
			for _, head := range h.Heads {
				back[chainID{reader, head.Machine}] = true
			}
		}
	}
	return back, err
}

// manifest begins the manifest of a package from here. acting is held.
func (r *room) manifest(kind bundle.Kind, from, to, replyTo string, heads []store.HashChain) bundle.Manifest {
	return bundle.Manifest{
		Kind: kind, Study: r.w.Study, Workspace: r.w.ID, Machine: r.machine, From: from, To: to, ProtocolDigest: r.rules.digest,
		AppVersion: Version, Created: r.now().UTC().Format(time.RFC3339), ReplyTo: replyTo, Heads: heads,
	}
}

// eventsOf gives the events of the hash chains that are wanted as they lie in the ledger, one a line, and where those chains end.
func (r *room) eventsOf(ctx context.Context, want func(chainID) bool) (lines []byte, heads []store.HashChain, n int, err error) {
	all, err := r.ledger.Heads()
	if err != nil {
		return nil, nil, 0, err
	}
	heads = slices.DeleteFunc(all, func(h store.HashChain) bool { return !want(chainID{h.Reader, h.Machine}) })
	err = r.ledger.Events(func(e review.Event, raw []byte) error {
		if want(chainID{e.Reader, e.Machine}) {
			lines = append(append(lines, raw...), '\n')
			n++
		}
		return ctx.Err()
	})
	return lines, heads, n, err
}

// handOut adds what is handed out of assignments that were not handed out before: the same assignments under aliases. acting is held.
func (r *room) handOut(mine []review.Assignment) error {
	codes := r.aliases.codes()
	taken := map[review.CaseID]bool{}
	for _, code := range codes {
		taken[code] = true
	}
	events := []review.Event{}
	for _, a := range mine {
		if codes[a.ID] != "" {
			continue
		}
		code := review.CaseID(codeOf(a.ID))
		if taken[code] {
			code = review.CaseID(a.ID)
		}
		taken[code] = true
		names := aliaser{r.secret(), string(a.ID)}
		alias := a
		alias.Case, alias.Chains = code, []review.ChainID{}
		for _, c := range a.Chains {
			alias.Chains = append(alias.Chains, names.chain(code, c))
		}
		e := r.draft(review.KindAssign, "")
		e.Reader, e.Session, e.Key, e.Case, e.Body.Assign = addressed(a.Reader), a.Session, givenKey(a.ID), code, &alias
		events = append(events, e)
	}
	if len(events) == 0 {
		return nil
	}
	if err := r.ledger.AppendAll(events); err != nil {
		return err
	}
	return r.learnRules()
}

// info describes the dataset of a package: what the screens need and what goes with the data by law.
func (p *packer) info() review.Dataset {
	all := p.room.set.Info()
	name := p.room.rules.protocol.Name
	if name == "" {
		name = "Reading study"
	}
	return review.Dataset{Schema: review.DatasetSchema, Name: name, Version: "1", Licence: all.Licence, StagePack: all.StagePack, Languages: list(all.Languages), ClusterKey: "case"}
}

// read packs one read.
func (p *packer) read(ctx context.Context, rd read) error {
	b, err := p.room.blindedRead(rd)
	if err != nil {
		return err
	}
	if err := appendLine(&p.cases, b.of); err != nil {
		return err
	}
	for _, c := range b.chains {
		if err := appendLine(&p.chains, c); err != nil {
			return err
		}
	}
	if rd.Session == review.TrainingSession {
		if err := p.expected(ctx, rd, b); err != nil {
			return err
		}
	}
	stacks, _, err := p.room.set.Stacks(ctx, rd.Case)
	if err != nil {
		return err
	}
	for n, st := range stacks {
		if err := p.image(ctx, rd, n, st); err != nil {
			return err
		}
	}
	return p.heatmaps(ctx, b)
}

func appendLine(b *bytes.Buffer, v any) error {
	line, err := json.Marshal(v)
	b.Write(append(line, '\n'))
	return err
}

// expected packs what is expected of a training case, under its aliases: the only gold that leaves, since it is shown to the reader.
func (p *packer) expected(ctx context.Context, rd read, b blinded) error {
	p.room.acting.Lock()
	defer p.room.acting.Unlock()
	key, err := p.room.trainingKey(ctx)
	if err != nil {
		return err
	}
	a := aliaser{p.room.secret(), string(rd.ID)}
	for _, c := range key.Cases {
		if c.Case != rd.Case {
			continue
		}
		out := review.TrainingCase{Case: rd.code, Looks: []review.Truth{}, Words: c.Words}
		for _, t := range c.Looks {
			t.Case, t.Question, t.Implies, t.Evidence = rd.code, a.question(t.Question), []review.Implication{}, slices.Clone(list(t.Evidence))
			for i := range t.Evidence {
				g := &t.Evidence[i]
				g.ID, g.Image, g.Source = review.RegionID(a.of("e", string(g.ID))), review.ImageID(a.of("i", string(g.Image))), nil
			}
			out.Looks = append(out.Looks, t)
		}
		for _, s := range c.Steps {
			s.Step, s.Chain = a.step(s.Chain, s.Step), a.chain(rd.code, s.Chain)
			out.Steps = append(out.Steps, s)
		}
		p.key.Cases = append(p.key.Cases, out)
	}
	return nil
}
