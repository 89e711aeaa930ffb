package export

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// leaksOf lists what a split parts that belongs together.
func leaksOf(all []subject, bundles []int, of map[review.CaseID]string) []Leak {
	byBundle := map[int][]subject{}
	for i, c := range all {
		if of[c.id] != "" {
			byBundle[bundles[i]] = append(byBundle[bundles[i]], c)
		}
	}
	var out []Leak
	for _, b := range slices.Sorted(maps.Keys(byBundle)) {
		leak := Leak{What: "cluster", Name: string(all[b].id)}
		for _, c := range byBundle[b] {
			leak.Cases = append(leak.Cases, string(c.id))
			if part := of[c.id]; !slices.Contains(leak.Parts, part) {
				leak.Parts = append(leak.Parts, part)
			}
		}
		if len(leak.Parts) > 1 {
			slices.Sort(leak.Parts)
			leak.Links = linksOf(byBundle[b], of)
			out = append(out, leak)
		}
	}
	return out
}

// linksOf says what the cases of different parts have in common.
func linksOf(cases []subject, of map[review.CaseID]string) []string {
	parts := map[string]map[string]bool{}
	for _, c := range cases {
		for kind, name := range map[string]string{"patient": c.patient, "study": c.study, "paraphrase group": c.group} {
			if name == "" {
				continue
			}
			link := kind + " " + name
			if parts[link] == nil {
				parts[link] = map[string]bool{}
			}
			parts[link][of[c.id]] = true
		}
	}
	out := []string{}
	for _, link := range sortedKeys(parts) {
		if len(parts[link]) > 1 {
			out = append(out, link)
		}
	}
	if len(out) == 0 {
		out = append(out, "an image or a series")
	}
	return out
}

// Leaked is why an export is blocked: the same patient, image or group on both sides.
type Leaked struct{ Leaks []Leak }

// Error names what leaks, up to ten of it.
func (l *Leaked) Error() string {
	var b strings.Builder
	for i, x := range l.Leaks {
		if i == 10 {
			fmt.Fprintf(&b, "; and %d more", len(l.Leaks)-i)
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		name := x.Name
		if digest, hex, is := strings.Cut(name, ":"); is && len(hex) > 12 { // whole it stands in the manifest; cases are what people know
			name = digest + ":" + hex[:12] + "…"
		}
		fmt.Fprintf(&b, "%s %s is in %s (cases %s", x.What, name, strings.Join(x.Parts, " and "), strings.Join(x.Cases, ", "))
		if len(x.Links) > 0 {
			fmt.Fprintf(&b, "; in common: %s", strings.Join(x.Links, ", "))
		}
		b.WriteByte(')')
	}
	return "blocked by leakage: " + b.String()
}

// loadManifest reads the manifest of another export. Faults: NotFound, IO, Invalid.
func loadManifest(path string) (Manifest, error) {
	var m Manifest
	b, err := os.ReadFile(path)
	if err != nil {
		return m, fault.In("compare with export", path, err)
	}
	if err := json.Unmarshal(b, &m); err != nil || m.Schema != ManifestSchema {
		return m, fault.New(fault.Invalid, "compare with export", path, "the manifest of an export (%s) expected", ManifestSchema)
	}
	return m, nil
}

// against lists the images that another export has in another part: what one trains on, the other must not be tested with. A part of
// everything (undivided) is no part to share.
func (p *splitter) against(other SplitMade) []Leak {
	there := map[review.Digest]ImageUsed{}
	for _, i := range other.Images {
		there[i.Digest] = i
	}
	var out []Leak
	for _, i := range p.made.Images {
		if o, known := there[i.Digest]; known && (o.Split != i.Split || o.Split == undivided) {
			out = append(out, Leak{What: "image", Name: string(i.Digest), Parts: []string{i.Split + " here", o.Split + " there"}, Cases: []string{i.Case, o.Case}})
		}
	}
	slices.SortFunc(out, func(a, b Leak) int { return cmp.Compare(a.Name, b.Name) })
	return out
}
