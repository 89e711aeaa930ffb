package export

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"plumbline/backend/fault"
)

const poolOp = "pool sites"

// PoolSchema is that of pooled counts as written today.
const PoolSchema = "plumbline/pool/1"

// Pooled is what several sites found together: every number is the sum of theirs.
type Pooled struct {
	Schema    string     `json:"schema"`
	Sites     []Site     `json:"sites"` // that are in the sums, by name; their counts are left out here
	Data      Amount     `json:"data"`
	Counts    []Count    `json:"counts"`
	Shares    []Share    `json:"shares"`
	Conflicts []Conflict `json:"conflicts"`
}

// Share is a proportion of pooled counts.
type Share struct {
	CountKey         // Value is correct (of answers and looks with a known right answer) or supported (of steps that can be judged from the image)
	N        int     `json:"n"`
	Share    float64 `json:"share"`
}

// Conflict is something of a site that is not in the sums, and why.
type Conflict struct {
	Site  string `json:"site"`
	Study string `json:"study"`
	Made  string `json:"made"`
	Why   string `json:"why"`
}

// maxSite is the most that a site's file may hold, in bytes.
const maxSite = 64 << 20

// Verify checks the signature of a manifest and says whose it is: a name of the key that people can compare.
type Verify func(manifest []byte, signature string) (key string, err error)

// Pool adds up what sites gave: folders of the export federation, in any order. The same twice counts once. Of one site and study that gave
// two different things the later counts; a rubric of the same name with other questions is not pooled with it; what two different keys signed
// under the name of one site is pooled for neither, since one of them is somebody else. All of that is listed as conflicts.
//
// Faults: NotFound, IO, Invalid for what is no such folder or not signed, Damaged where a file is not what its manifest says, or the manifest not
// what was signed.
func Pool(dirs []string, verify Verify) (Pooled, error) {
	var all []Site
	for _, dir := range dirs {
		s, err := loadSite(dir, verify)
		if err != nil {
			return Pooled{}, err
		}
		all = append(all, s)
	}
	return pool(all), nil
}

// loadSite reads one site's folder and checks it against its manifest.
func loadSite(dir string, verify Verify) (Site, error) {
	m, err := loadManifest(filepath.Join(dir, ManifestFile))
	if err != nil {
		return Site{}, err
	}
	if m.Format != "federation" {
		return Site{}, fault.New(fault.Invalid, poolOp, dir, "an export of the format federation expected, found %q", m.Format)
	}
	key, err := signer(dir, verify)
	if err != nil {
		return Site{}, err
	}
	var site []byte
	for _, f := range m.Files {
		if f.Path != siteFile && f.Path != "labels.jsonl" {
			continue
		}
		sum := sha256.New()
		b, err := readHashed(filepath.Join(dir, f.Path), sum, f.Path == siteFile)
		if err != nil {
			return Site{}, err
		}
		if hex.EncodeToString(sum.Sum(nil)) != f.SHA256 {
			return Site{}, fault.New(fault.Damaged, poolOp, filepath.Join(dir, f.Path), "it is not the file that the manifest names")
		}
		if f.Path == siteFile {
			site = b
		}
	}
	s, err := readSite(site)
	if err != nil {
		return Site{}, fault.New(fault.Invalid, poolOp, filepath.Join(dir, siteFile), "%w", err)
	}
	s.Key = key
	return s, nil
}

// signer says whose key signed the manifest of a site's folder.
func signer(dir string, verify Verify) (string, error) {
	manifest, err := readHashed(filepath.Join(dir, ManifestFile), io.Discard, true)
	if err != nil {
		return "", err
	}
	at := filepath.Join(dir, SignatureFile)
	signature, err := readHashed(at, io.Discard, true)
	switch {
	case fault.KindOf(err) == fault.NotFound:
		return "", fault.New(fault.Invalid, poolOp, at, "it is not there: anybody may have made this; what the site signed expected")
	case err != nil:
		return "", err
	}
	key, err := verify(manifest, string(signature))
	if err != nil {
		return "", fault.New(fault.Damaged, poolOp, at, "%w", err)
	}
	return key, nil
}

// readHashed hashes a file and gives its bytes where they are wanted.
func readHashed(path string, sum io.Writer, wanted bool) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fault.In(poolOp, path, err)
	}
	defer f.Close()
	var b bytes.Buffer
	if wanted {
		sum = io.MultiWriter(sum, &b)
	}
	if _, err := io.Copy(sum, io.LimitReader(f, limitOf(wanted))); err != nil {
		return nil, fault.In(poolOp, path, err)
	}
	return b.Bytes(), nil
}

func limitOf(wanted bool) int64 {
	if wanted {
		return maxSite
	}
	return 1 << 40
}

// readSite takes a site's file apart.
func readSite(b []byte) (Site, error) {
	var s Site
	if err := json.Unmarshal(b, &s); err != nil {
		return s, fmt.Errorf("the counts of a site as JSON expected: %w", err)
	}
	if s.Schema != SiteSchema {
		return s, fmt.Errorf("schema: %q expected, found %q", SiteSchema, s.Schema)
	}
	if s.Site == "" || s.Study == "" {
		return s, fmt.Errorf("site and study: names expected")
	}
	seen := map[CountKey]bool{}
	for i, c := range s.Counts {
		if c.N < 0 || c.N > 1<<40 {
			return s, fmt.Errorf("counts[%d].n: a number from 0 expected, found %d", i, c.N)
		}
		if seen[c.CountKey] {
			return s, fmt.Errorf("counts[%d]: the same is counted twice", i)
		}
		seen[c.CountKey] = true
	}
	for _, n := range []int{s.Data.Cases, s.Data.Patients, s.Data.Clusters, s.Data.Images, s.Data.Variants} {
		if n < 0 || n > 1<<40 {
			return s, fmt.Errorf("data: numbers from 0 expected, found %d", n)
		}
	}
	return s, nil
}

// pool adds sites up.
func pool(all []Site) Pooled {
	out := Pooled{Schema: PoolSchema, Sites: []Site{}, Counts: []Count{}, Shares: []Share{}, Conflicts: []Conflict{}}
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b Site) int { // the latest of each site and study first; then by content, whatever the order of folders
		return cmp.Or(cmp.Compare(a.Site, b.Site), cmp.Compare(a.Study, b.Study), cmp.Compare(b.Made, a.Made), cmp.Compare(contentOf(a), contentOf(b)))
	})
	keys := map[string][]string{} // by site
	for _, s := range all {
		if !slices.Contains(keys[s.Site], s.Key) {
			keys[s.Site] = append(keys[s.Site], s.Key)
		}
	}
	sums := map[CountKey]int{}
	rubric := map[string]Site{} // the one that is pooled, by name
	for i, s := range all {
		if len(keys[s.Site]) > 1 {
			out.Conflicts = append(out.Conflicts, Conflict{s.Site, s.Study, s.Made, "signed with " + s.Key + ", something else under this name with another key: ask the site which is its own; neither is pooled"})
			continue
		}
		if i > 0 && all[i-1].Site == s.Site && all[i-1].Study == s.Study {
			if contentOf(all[i-1]) != contentOf(s) {
				out.Conflicts = append(out.Conflicts, Conflict{s.Site, s.Study, s.Made, "the site gave something else of " + all[i-1].Made + " for the same study: that counts"})
			}
			continue
		}
		first, known := rubric[s.Rubric]
		if !known {
			rubric[s.Rubric], first = s, s
		}
		same := first.RubricDigest == s.RubricDigest
		if !same {
			out.Conflicts = append(out.Conflicts, Conflict{s.Site, s.Study, s.Made, "its rubric " + s.Rubric + " asks something else than that of " + first.Site + ": its ratings are not pooled"})
		}
		for _, c := range s.Counts {
			if same || c.Of != ofRatings {
				sums[c.CountKey] += c.N
			}
		}
		out.Data.Cases += s.Data.Cases
		out.Data.Patients += s.Data.Patients
		out.Data.Clusters += s.Data.Clusters
		out.Data.Images += s.Data.Images
		out.Data.Variants += s.Data.Variants
		s.Counts = []Count{}
		out.Sites = append(out.Sites, s)
	}
	out.Counts = listed(sums)
	out.Shares = shares(sums)
	return out
}

// contentOf is what a site says, but for when.
func contentOf(s Site) string {
	s.Made = ""
	b, err := json.Marshal(s)
	if err != nil {
		return "" // numbers and words: they have a JSON
	}
	return string(b)
}

// shares gives the proportions of pooled counts.
func shares(sums map[CountKey]int) []Share {
	all, good := map[CountKey]int{}, map[CountKey]int{}
	for k, n := range sums {
		at := k
		switch k.Value {
		case "correct", "wrong":
			at.Value = "correct"
		case "supported", "partly", "unsupported", "contradicted":
			at.Value = "supported"
		default:
			continue
		}
		all[at] += n
		if k.Value == at.Value {
			good[at] += n
		}
	}
	out := []Share{}
	for _, c := range listed(all) {
		if c.N > 0 {
			out = append(out, Share{c.CountKey, c.N, float64(good[c.CountKey]) / float64(c.N)})
		}
	}
	return out
}
