package export

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// Split says how cases are parted.
type Split struct {
	Parts []Part                   // by share, in this order
	Given map[review.CaseID]string // or by a list, case by case; then Parts is empty
	From  string                   // where the list is from
	Seed  uint64
}

// Part is one part of a split.
type Part struct {
	Name  string  `json:"name"`
	Share float64 `json:"share"` // of the cases that is wanted
}

// SplitMade is a split as it was made.
type SplitMade struct {
	Seed   uint64      `json:"seed"`
	From   string      `json:"from,omitempty"` // the list that it was taken from
	By     []string    `json:"by"`             // what is never parted
	Strata string      `json:"strata"`         // what is spread evenly
	Parts  []PartMade  `json:"parts"`
	Cases  []CaseSplit `json:"cases"`
	Images []ImageUsed `json:"images"` // digests of the samples of whole images
	Joined []Joined    `json:"joined"` // what a person should confirm
}

// Joined is a cluster of more than two patients. It stays in one part until a person says that it is none.
type Joined struct {
	Cluster  string   `json:"cluster"`
	Patients []string `json:"patients"`
	Cases    int      `json:"cases"`
}

// PartMade is one part as it came out.
type PartMade struct {
	Name     string  `json:"name"`
	Share    float64 `json:"share"` // that was wanted; 0 where a list was given
	Cases    int     `json:"cases"`
	Clusters int     `json:"clusters"`
	Patients int     `json:"patients"`
	Images   int     `json:"images"`
	Variants int     `json:"variants"` // of the images: those derived from others
}

// CaseSplit says where a case is.
type CaseSplit struct {
	Case    string `json:"case"`
	Cluster string `json:"cluster_id"`
	Split   string `json:"split"`
}

// ImageUsed says where an image is.
type ImageUsed struct {
	Digest review.Digest `json:"digest"`
	Split  string        `json:"split"`
	Case   string        `json:"case"`
}

// undivided is the one part of what is not split.
const undivided = "all"

const (
	splitOp   = "split cases"
	maxParts  = 16
	maxListed = 64 << 20
)

// ParseSplit understands shares: "train=0.8,test=0.2". Fault Usage.
func ParseSplit(text string, seed uint64) (Split, error) {
	s := Split{Seed: seed}
	total := 0.0
	for part := range strings.SplitSeq(text, ",") {
		name, share, found := strings.Cut(strings.TrimSpace(part), "=")
		v, err := strconv.ParseFloat(share, 64)
		if !found || err != nil || !plainName(name) || !(v > 0 && v <= 1) {
			return s, fault.New(fault.Usage, splitOp, text, "shares expected as in train=0.8,test=0.2, or a file with the columns case and split; found %q", part)
		}
		if slices.ContainsFunc(s.Parts, func(p Part) bool { return p.Name == name }) {
			return s, fault.New(fault.Usage, splitOp, text, "%s is named twice", name)
		}
		total += v
		s.Parts = append(s.Parts, Part{name, v})
	}
	if len(s.Parts) > maxParts || total < .999 || total > 1.001 {
		return s, fault.New(fault.Usage, splitOp, text, "up to %d shares that add up to 1 expected, they add up to %g", maxParts, total)
	}
	return s, nil
}

func plainName(s string) bool {
	return s != "" && len(s) <= 32 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_-") == "" && s[0] != '-'
}

// LoadSplit reads a split from a CSV file with the columns case and split. Faults: NotFound, IO, Invalid with the line.
func LoadSplit(path string) (Split, error) {
	f, err := os.Open(path)
	if err != nil {
		return Split{}, fault.In(splitOp, path, err)
	}
	defer f.Close()
	given, err := readSplit(io.LimitReader(f, maxListed))
	if err != nil {
		return Split{}, fault.New(fault.Invalid, splitOp, path, "%w", err)
	}
	return Split{Given: given, From: "a list of cases"}, nil
}

func readSplit(r io.Reader) (map[review.CaseID]string, error) {
	buffered := bufio.NewReader(r)
	if start, err := buffered.Peek(3); err == nil && bytes.Equal(start, []byte("\xEF\xBB\xBF")) {
		_, _ = buffered.Discard(3) // they were peeked at
	}
	c := csv.NewReader(buffered)
	c.ReuseRecord = true
	head, err := c.Read()
	if err != nil {
		return nil, fmt.Errorf("a first line with the columns case and split expected: %w", err)
	}
	of, to := slices.Index(head, "case"), slices.Index(head, "split")
	if of < 0 || to < 0 {
		return nil, fmt.Errorf("line 1: the columns case and split expected, found %q", strings.Join(head, ","))
	}
	out := map[review.CaseID]string{}
	names := map[string]bool{}
	for {
		row, err := c.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		line, _ := c.FieldPos(0)
		id, part := review.CaseID(row[of]), row[to]
		if names[part] = true; !plainName(part) || len(names) > maxParts {
			return nil, fmt.Errorf("line %d: split: up to %d names of small letters and digits expected, found %q", line, maxParts, part)
		}
		if before, twice := out[id]; twice && before != part {
			return nil, fmt.Errorf("line %d: case %s is in %s and in %s", line, id, before, part)
		}
		out[id] = part
	}
	return out, nil
}

// subject is what a split goes by.
type subject struct {
	id       review.CaseID
	cluster  string
	group    string
	stratum  string
	patient  string
	study    string
	images   int
	variants int
}

// subjectOf takes of a case what a split goes by.
func subjectOf(c *Case) subject {
	s := subject{c.ID, c.Cluster, c.Group, stratumOf(c), string(c.Patient), c.Study, len(c.Images), 0}
	for _, i := range c.Images {
		if i.DerivedFrom != "" {
			s.variants++
		}
	}
	return s
}

// stratumOf is what is spread evenly over the parts: the modality of the first image and the right answer to the last question.
func stratumOf(c *Case) string {
	s := "text"
	if len(c.Images) > 0 {
		s = c.Images[0].Modality
	}
	if asked := c.asked(); len(asked) > 0 {
		_, gold, _ := c.gold(asked[len(asked)-1])
		s += "\x00" + gold
	}
	return s
}

// splitter parts cases.
type splitter struct {
	Split
	of   map[review.CaseID]string
	made SplitMade
}

// part makes the split of all cases. Fault Refused, with every leak in the error (see Leaked), where a given list parts what belongs together.
func (s Split) part(ctx context.Context, src Source) (*splitter, error) {
	var all []subject
	err := src.Each(ctx, func(c *Case) error {
		all = append(all, subjectOf(c))
		return nil
	})
	if err != nil {
		return nil, err
	}
	p := &splitter{Split: s, of: map[review.CaseID]string{}, made: SplitMade{
		Seed: s.Seed, From: s.From, By: []string{"patient", "study", "series", "exact image", "derived image", "paraphrase group"},
		Strata: "modality of the first image and right answer to the last question", Parts: []PartMade{}, Cases: []CaseSplit{}, Images: []ImageUsed{},
		Joined: joinedOf(all),
	}}
	bundles := together(all)
	if s.Given != nil {
		for _, c := range all {
			if part, listed := s.Given[c.id]; listed {
				p.of[c.id] = part
			}
		}
		if leaks := leaksOf(all, bundles, p.of); len(leaks) > 0 {
			return nil, &fault.Error{Op: splitOp, Of: s.From, Kind: fault.Refused, Err: &Leaked{leaks}}
		}
	} else {
		p.deal(all, bundles)
	}
	p.describe(all, bundles)
	return p, nil
}

// together gives for each case a name that it shares with all cases that may not be parted from it.
func together(all []subject) []int {
	up := make([]int, len(all))
	first := map[string]int{}
	top := func(i int) int {
		for up[i] != i {
			up[i] = up[up[i]]
			i = up[i]
		}
		return i
	}
	for i, c := range all {
		up[i] = i
		for _, link := range []string{"cluster\x00" + c.cluster, "group\x00" + c.group} {
			if strings.HasSuffix(link, "\x00") {
				continue
			}
			if j, known := first[link]; known {
				a, b := top(i), top(j)
				up[max(a, b)] = min(a, b)
			} else {
				first[link] = i
			}
		}
	}
	for i := range up {
		up[i] = top(i)
	}
	return up
}

// deal gives each bundle to the part that it brings nearest to its share, in size and in each stratum: large bundles first, ties by the seed.
func (p *splitter) deal(all []subject, bundles []int) {
	cases := map[int][]int{}
	strata := map[string]float64{}
	for i, b := range bundles {
		cases[b] = append(cases[b], i)
		strata[all[i].stratum]++
	}
	order := slices.Sorted(maps.Keys(cases))
	rand.New(rand.NewPCG(p.Seed, 42)).Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	slices.SortStableFunc(order, func(a, b int) int { return len(cases[b]) - len(cases[a]) })
	have := make([]map[string]float64, len(p.Parts))
	size := make([]float64, len(p.Parts))
	for i := range have {
		have[i] = map[string]float64{}
	}
	n := float64(len(all))
	for _, b := range order {
		kinds := map[string]float64{}
		for _, c := range cases[b] {
			kinds[all[c].stratum]++
		}
		best, least := 0, math.Inf(1)
		for i, part := range p.Parts {
			cost := further(size[i], float64(len(cases[b])), part.Share*n)
			for _, stratum := range sortedKeys(kinds) {
				cost += further(have[i][stratum], kinds[stratum], part.Share*strata[stratum]) / float64(len(strata))
			}
			if cost < least-1e-12 {
				best, least = i, cost
			}
		}
		for _, c := range cases[b] {
			p.of[all[c].id] = p.Parts[best].Name
			have[best][all[c].stratum]++
			size[best]++
		}
	}
}

// further is how much further from what is wanted a part gets, as a squared distance over what is wanted, when more is added to what it has.
func further(have, more, want float64) float64 {
	return ((have+more-want)*(have+more-want) - (have-want)*(have-want)) / want
}

// joinedOf lists the clusters of more than two patients.
func joinedOf(all []subject) []Joined {
	patients, cases := map[string]map[string]bool{}, map[string]int{}
	for _, c := range all {
		if patients[c.cluster] == nil {
			patients[c.cluster] = map[string]bool{}
		}
		cases[c.cluster]++
		if c.patient != "" {
			patients[c.cluster][c.patient] = true
		}
	}
	out := []Joined{}
	for _, cluster := range sortedKeys(patients) {
		if len(patients[cluster]) > 2 {
			out = append(out, Joined{cluster, sortedKeys(patients[cluster]), cases[cluster]})
		}
	}
	return out
}

// describe fills in what the manifest says.
func (p *splitter) describe(all []subject, bundles []int) {
	made, clusters, patients := map[string]*PartMade{}, map[string]map[int]bool{}, map[string]map[string]bool{}
	parts := p.Parts
	if p.Given != nil {
		for _, name := range slices.Compact(slices.Sorted(maps.Values(p.of))) {
			parts = append(parts, Part{Name: name})
		}
	}
	for _, part := range parts {
		made[part.Name] = &PartMade{Name: part.Name, Share: part.Share}
		clusters[part.Name], patients[part.Name] = map[int]bool{}, map[string]bool{}
	}
	for i, c := range all {
		part := p.of[c.id]
		if part == "" {
			continue
		}
		m := made[part]
		m.Cases, m.Images, m.Variants = m.Cases+1, m.Images+c.images, m.Variants+c.variants
		clusters[part][bundles[i]] = true
		if c.patient != "" {
			patients[part][c.patient] = true
		}
		p.made.Cases = append(p.made.Cases, CaseSplit{string(c.id), c.cluster, part})
	}
	for _, part := range parts {
		m := made[part.Name]
		m.Clusters, m.Patients = len(clusters[part.Name]), len(patients[part.Name])
		p.made.Parts = append(p.made.Parts, *m)
	}
}
