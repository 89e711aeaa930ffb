package export

import (
	"plumbline/backend/review"
)

// ManifestFile is the name of an export's manifest, SignatureFile that of its signature where it goes to other sites; ManifestSchema is the
// schema of a manifest as written today.
const (
	ManifestFile   = "manifest.json"
	SignatureFile  = "manifest.sig"
	ManifestSchema = "plumbline/export/1"
)

// A Manifest says what an export is made of.
type Manifest struct {
	Schema   string         `json:"schema"`
	Format   string         `json:"format"`
	Made     string         `json:"made"` // RFC 3339 UTC
	Version  string         `json:"version"`
	Study    string         `json:"study"`
	Dataset  string         `json:"dataset"` // name and version
	Licence  review.Licence `json:"licence"`
	Rubric   string         `json:"rubric"`
	Data     Amount         `json:"data"` // what the export was made from
	In       int            `json:"in"`   // of Units[0]
	Out      int            `json:"out"`
	Side     []Left         `json:"side"`
	Units    []Unit         `json:"units"`
	Labels   []LabelCount   `json:"labels"` // where the labels of the rows are from
	Files    []File         `json:"files"`  // without the manifest itself
	Split    *SplitMade     `json:"split"`  // null: not split
	Leakage  Leakage        `json:"leakage"`
	Warnings []string       `json:"warnings"`
}

// Amount says how much data there is.
type Amount struct {
	Cases    int `json:"cases"`
	Patients int `json:"patients"`
	Clusters int `json:"clusters"`
	Images   int `json:"images"`
	Variants int `json:"variants"` // of Images: those derived from others
}

// File is one file of an export.
type File struct {
	Path   string `json:"path"` // relative, with forward slashes
	Rows   int    `json:"rows"` // records in it; 0 for what is no list
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// LabelCount says how many rows have labels of one provenance.
type LabelCount struct {
	Label
	Rows int `json:"rows"`
}

// Leakage is the result of the check of measurement.md, 51.
type Leakage struct {
	Checked bool   `json:"checked"`
	Against string `json:"against,omitempty"` // the format and date of the other export that was compared too
	Found   []Leak `json:"found"`             // always empty in an export that was written
}

// A Leak is something that stands on both sides.
type Leak struct {
	What  string   `json:"what"`  // cluster, group or image
	Name  string   `json:"name"`  // of the cluster; the digest of the image
	Parts []string `json:"parts"` // of the split
	Cases []string `json:"cases"`
	Links []string `json:"links,omitempty"` // what the cases have in common, of a cluster
}

// amounts counts data as cases come by.
type amounts struct {
	Amount
	patients, clusters map[string]bool
}

func newAmounts() *amounts {
	return &amounts{patients: map[string]bool{}, clusters: map[string]bool{}}
}

func (a *amounts) add(c *Case) {
	a.Cases++
	if c.Patient != "" {
		a.patients[string(c.Patient)] = true
	}
	a.clusters[c.Cluster] = true
	for _, i := range c.Images {
		a.Images++
		if i.DerivedFrom != "" {
			a.Variants++
		}
	}
}

func (a *amounts) done() Amount {
	a.Patients, a.Clusters = len(a.patients), len(a.clusters)
	return a.Amount
}
