package desk

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// What travels to a reader's own workstation goes under aliases: the files there must not tell which reads are of one case, and the ids of
// a dataset often do. Each read is a case of its own, named by the code of its assignment; chains, questions, steps, regions and images are
// named by hashes of the assignment, of their own id and of a secret that stays with the coordinator. There is no patient and no study: what
// is hidden until a patient is signed is not in those files at all.
//
// The events that come back speak in aliases and are kept so, byte for byte; whoever interprets them goes by room.said and room.events.

// read is one assignment, or one training case of a reader, as it is handed out.
type read struct {
	review.Assignment
	code review.CaseID // under which the case goes
}

// aliaser names the parts of one read.
type aliaser struct{ secret, unit string }

func (a aliaser) of(kind, id string) string {
	if id == "" {
		return ""
	}
	return kind + "-" + hashOf(a.secret, "alias", a.unit, kind, id)[:12]
}

// blinded is a read as it is handed out, and the way back.
type blinded struct {
	of     review.Case
	chains []review.Chain // in the order of the assignment
	back   wayBack
}

// wayBack gives what aliases stand for.
type wayBack struct {
	of        review.CaseID
	digests   map[review.Digest]review.Digest // of a case or chain as handed out: of the original
	questions map[review.QuestionID]review.QuestionID
	chains    map[review.ChainID]review.ChainID
	steps     map[review.StepID]review.StepID
	regions   map[review.RegionID]review.RegionID
	images    map[review.ImageID]review.ImageID
	heatmaps  map[string]string // by the name of the file as handed out
}

// secret is what aliases are made with: it is drawn once for a workspace and never leaves the coordinator's.
func (r *room) secret() string { return strconv.FormatUint(r.w.Seed, 16) + "\x00" + r.w.ID }

// blind makes what is handed out of a read: a pure function of the case, its chains and the secret.
func (rd read) blind(secret string, c review.Case, chains []review.Chain) (blinded, error) {
	a := aliaser{secret, string(rd.ID)}
	b := blinded{back: wayBack{
		of: c.ID, digests: map[review.Digest]review.Digest{}, questions: map[review.QuestionID]review.QuestionID{}, chains: map[review.ChainID]review.ChainID{},
		steps: map[review.StepID]review.StepID{}, regions: map[review.RegionID]review.RegionID{}, images: map[review.ImageID]review.ImageID{},
		heatmaps: map[string]string{},
	}}
	handed, err := again(review.RestoreCase, a.blindCase(rd.code, c, &b.back))
	if err != nil {
		return b, err
	}
	b.of = handed
	b.back.digests[review.CaseDigest(handed)] = review.CaseDigest(c)
	for _, id := range rd.Chains {
		i := slices.IndexFunc(chains, func(c review.Chain) bool { return c.ID == id })
		if i < 0 {
			continue // it is in the dataset no more, and cannot be read at the coordinator's either
		}
		chain, err := again(review.RestoreChain, a.blindChain(rd.code, chains[i], &b.back))
		if err != nil {
			return b, err
		}
		b.chains = append(b.chains, chain)
		b.back.digests[chain.Digest] = chains[i].Digest
	}
	return b, nil
}

// again gives v as it will be read from a file, so that its digest is the same on both sides.
func again[T any](restore func([]byte) (T, error), v T) (T, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return v, err
	}
	return restore(b)
}

// blindCase gives a case as it is handed out.
func (a aliaser) blindCase(code review.CaseID, c review.Case, back *wayBack) review.Case {
	shown := shownCase(c)
	shown.ID, shown.Patient, shown.Study = code, "", ""
	for i := range shown.Images {
		image := &shown.Images[i]
		id := review.ImageID(a.of("i", string(image.ID)))
		back.images[id] = image.ID
		*image = review.Image{ID: id, Path: imageFolder(code, i), Kind: image.Kind, Modality: image.Modality}
	}
	for i := range shown.Questions {
		q := &shown.Questions[i]
		id := a.question(q.ID)
		back.questions[id] = q.ID
		q.ID, q.SourceStage, q.Parents = id, "", slices.Clone(q.Parents)
		for j, p := range q.Parents {
			q.Parents[j] = a.question(p)
		}
	}
	return shown
}

// imageFolder is where the n-th image of a case lies in what is handed out.
func imageFolder(code review.CaseID, n int) string {
	return "images/" + string(code) + "/" + strconv.Itoa(n+1)
}

// heatFile is where the heatmap of a step lies in what is handed out.
func heatFile(code review.CaseID, step review.StepID) string {
	return "images/" + string(code) + "/" + string(step) + ".npy"
}

func (a aliaser) question(id review.QuestionID) review.QuestionID {
	return review.QuestionID(a.of("q", string(id)))
}

func (a aliaser) chain(code review.CaseID, id review.ChainID) review.ChainID {
	return review.ChainID(string(code) + "-" + a.of("c", string(id)))
}

func (a aliaser) step(chain review.ChainID, id review.StepID) review.StepID {
	return review.StepID(a.of("s", string(chain)+"\x00"+string(id)))
}

func (a aliaser) region(chain review.ChainID, id review.RegionID) review.RegionID {
	return review.RegionID(a.of("r", string(chain)+"\x00"+string(id)))
}

// blindChain gives a chain as it is handed out: what it says, and nothing of how it was made or how its regions were written.
func (a aliaser) blindChain(code review.CaseID, c review.Chain, back *wayBack) review.Chain {
	shown := review.Chain{Schema: c.Schema, ID: a.chain(code, c.ID), Case: code, ImageDigests: []review.Digest{}, Answers: shownAnswers(c)}
	back.chains[shown.ID] = c.ID
	for i := range shown.Answers {
		answer := &shown.Answers[i]
		answer.Question = a.question(answer.Question)
		for j := range answer.Steps {
			s := &answer.Steps[j]
			id := a.step(c.ID, s.ID)
			back.steps[id] = s.ID
			s.ID, s.Regions = id, slices.Clone(s.Regions)
			if name := c.Answers[i].Steps[j].Heatmap; name != "" {
				s.Heatmap = heatFile(code, id)
				back.heatmaps[s.Heatmap] = name
			}
			for k := range s.Regions {
				g := &s.Regions[k]
				region := a.region(c.ID, g.ID)
				back.regions[region] = g.ID
				g.ID, g.Image, g.Source = region, review.ImageID(a.of("i", string(g.Image))), nil
			}
		}
	}
	return shown
}

// meaning gives an event that speaks in aliases with what they stand for. What is no alias stays: it names nothing that is here, and what it
// says counts as said of another version.
func (b wayBack) meaning(e review.Event) review.Event {
	e.Case = b.of
	e.CaseDigest, e.ChainDigest = original(b.digests, e.CaseDigest), original(b.digests, e.ChainDigest)
	e.Chain = original(b.chains, e.Chain)
	e.Key = b.key(e)
	switch body := &e.Body; {
	case body.Look != nil:
		l := *body.Look
		l.Question, l.Evidence = original(b.questions, l.Question), b.drawn(l.Evidence)
		body.Look = &l
	case body.Rating != nil:
		g := *body.Rating
		g.Step, g.Evidence = original(b.steps, g.Step), b.drawn(g.Evidence)
		body.Rating = &g
	case body.OwnAnswer != nil:
		o := *body.OwnAnswer
		o.Question, o.Step, o.Evidence = original(b.questions, o.Question), original(b.steps, o.Step), b.drawn(o.Evidence)
		body.OwnAnswer = &o
	case body.ChainRating != nil:
		g := *body.ChainRating
		g.FirstBadStep, g.Missed = string(original(b.steps, review.StepID(g.FirstBadStep))), slices.Clone(g.Missed)
		for i, m := range g.Missed {
			if m.Region != nil {
				g.Missed[i].Region = &b.drawn([]review.Region{*m.Region})[0]
			}
		}
		body.ChainRating = &g
	case body.Seen != nil:
		s := *body.Seen
		s.Step, s.Images = original(b.steps, s.Step), slices.Clone(s.Images)
		for i, m := range s.Images {
			s.Images[i].Image = original(b.images, m.Image)
		}
		body.Seen = &s
	}
	return e
}

// original looks up an alias.
func original[T comparable](of map[T]T, alias T) T {
	if id, known := of[alias]; known {
		return id
	}
	return alias
}

// drawn gives regions that a reader drew, or took over from a chain.
func (b wayBack) drawn(regions []review.Region) []review.Region {
	regions = slices.Clone(regions)
	for i := range regions {
		g := &regions[i]
		g.Image, g.ID = original(b.images, g.Image), original(b.regions, g.ID)
	}
	return regions
}

// key gives the key that the same words have at the coordinator's desk. e.Chain is the original already.
func (b wayBack) key(e review.Event) string {
	parts := strings.Split(e.Key, "/")
	if len(parts) != 4 {
		return e.Key
	}
	part, err := url.PathUnescape(parts[3])
	if err != nil {
		return e.Key
	}
	if e.Kind == review.KindLook {
		part = string(original(b.questions, review.QuestionID(part)))
	} else {
		part = string(original(b.steps, review.StepID(part)))
	}
	return review.EventKey(e.Assignment, e.Kind, e.Chain, part)
}

// blindedRead gives a read of this dataset as it is handed out. acting need not be held.
func (r *room) blindedRead(rd read) (blinded, error) {
	c, err := r.set.Case(rd.Case)
	if err != nil {
		return blinded{}, err
	}
	chains, err := r.set.Chains(rd.Case)
	if err != nil {
		return blinded{}, err
	}
	if rd.Session == review.TrainingSession {
		for _, c := range chains {
			rd.Chains = append(rd.Chains, c.ID)
		}
	}
	b, err := rd.blind(r.secret(), c, chains)
	return b, fault.In("blind case", string(rd.Case), err)
}
