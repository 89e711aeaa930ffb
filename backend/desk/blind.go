package desk

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"

	"plumbline/backend/review"
)

// What a reader may not see never leaves this package. Gold, evidence and what made a chain are not even opened for a reading; this file
// takes out what a case or a chain itself could give away: names of files, how an image was changed, which cases are paraphrases of one
// another, how sure and how quick the model was.

// shownCase is a case as a reader sees it.
func shownCase(c review.Case) review.Case {
	c.Questions = inStageOrder(c.Questions)
	c.Source, c.Group, c.Level = review.Source{}, "", ""
	c.Images = slices.Clone(c.Images)
	for i := range c.Images {
		c.Images[i].Path, c.Images[i].DerivedFrom, c.Images[i].Intervention = "", "", ""
	}
	return c
}

// shownAnswers is what a chain says as a reader sees it.
func shownAnswers(c review.Chain) []review.Answer {
	answers := slices.Clone(c.Answers)
	for i := range answers {
		a := &answers[i]
		a.Raw, a.Probs, a.MissingMass, a.Entropy, a.Seconds = "", nil, nil, nil, 0
		a.Steps = slices.Clone(a.Steps)
		for j := range a.Steps {
			a.Steps[j].Heatmap, a.Steps[j].Tokens = "", nil
		}
	}
	return answers
}

// shownChains gives the chains with the reader's own ratings, or none while a question is open.
func (rd *reading) shownChains() []ChainView {
	views := []ChainView{}
	if rd.phase() == phaseLook {
		return views
	}
	for n, c := range rd.chains {
		v := ChainView{
			ID: string(c.ID), Name: letter(n), Answers: shownAnswers(c), Ratings: []review.Rating{}, OwnAnswers: []review.OwnAnswer{},
			CueAck: rd.cueRun[c.ID], FirstBadStep: rd.firstBadStep(c),
		}
		for _, s := range steps(c) {
			if r, said := rd.ratings[c.ID][s.ID]; said {
				v.Ratings = append(v.Ratings, r)
			}
			if o := rd.own[c.ID][s.ID]; !o.Empty() {
				v.OwnAnswers = append(v.OwnAnswers, o)
			}
		}
		if r, said := rd.verdicts[c.ID]; said {
			v.Rating = &r
		}
		views = append(views, v)
	}
	return views
}

// assignmentOf gives the default protocol's assignment: every reader reads every case once, all its chains. The id is the same wherever it
// is made; the order of the chains is random by reader and case, from the workspace's stored seed.
func assignmentOf(w workspace, reader review.ReaderID, id review.CaseID, chains []review.Chain) review.Assignment {
	order := make([]review.ChainID, len(chains))
	rank := map[review.ChainID]string{}
	seed := string(binary.BigEndian.AppendUint64(nil, w.Seed))
	for i, c := range chains {
		order[i] = c.ID
		rank[c.ID] = hashOf(seed, string(reader), string(id), string(c.ID))
	}
	slices.SortFunc(order, func(a, b review.ChainID) int { return strings.Compare(rank[a], rank[b]) })
	return review.Assignment{ID: assignmentID(w, reader, id), Case: id, Reader: reader, Session: session, Chains: order}
}

// session is the one session of the default protocol, and the first of any other.
const session = "1"

func assignmentID(w workspace, reader review.ReaderID, id review.CaseID) review.AssignmentID {
	return review.AssignmentID("a-" + hashOf(w.Study, string(reader), string(id), session)[:24])
}

// hashOf hashes parts so that no two lists of parts meet.
func hashOf(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(p))))
		h.Write([]byte(p))
	}
	return hex.EncodeToString(h.Sum(nil))
}
