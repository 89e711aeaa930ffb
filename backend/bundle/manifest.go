package bundle

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"plumbline/backend/review"
	"plumbline/backend/store"
)

// Schema is the schema of a manifest as written today.
const Schema = "plumbline/bundle/1"

// Kind says which way a bundle goes.
type Kind string

// The kinds of bundle.
const (
	Work  Kind = "work"  // from the coordinator to a reader: what there is to read
	Words Kind = "words" // from a reader to the coordinator: what was said
)

// A Manifest says what a bundle is and what is in it. It is what is signed.
type Manifest struct {
	Schema         string            `json:"schema"`
	Kind           Kind              `json:"kind"`
	Study          string            `json:"study"`
	Workspace      string            `json:"workspace"` // that made it
	Machine        review.MachineID  `json:"machine"`
	From           string            `json:"from"` // a reader's code, or coordinator
	To             string            `json:"to"`
	ProtocolDigest review.Digest     `json:"protocol_digest"`
	AppVersion     string            `json:"app_version"`
	Created        string            `json:"created"`            // RFC 3339 UTC
	Key            string            `json:"key"`                // the public key that signed it, base64
	ReplyTo        string            `json:"reply_to,omitempty"` // the age recipient for which an answer can be locked
	Heads          []store.HashChain `json:"heads"`              // where each hash chain of the events in it ends
	Files          []File            `json:"files"`              // in the order in which they lie in the archive
}

// File is one file of a bundle.
type File struct {
	Name   string        `json:"name"` // relative, with forward slashes
	Size   int64         `json:"size"` // bytes
	Digest review.Digest `json:"digest"`
}

// Fixed limits of a bundle. A study of 400 CT volumes of 500 frames is below all of them.
const (
	maxFiles    = 250_000
	maxFile     = 1 << 30   // bytes of one file
	maxTotal    = 256 << 30 // bytes of all files
	maxManifest = 64 << 20
	maxName     = 240
	maxHeads    = 10_000
	// A file is stored rather than packed where it would shrink more than this: what claims to unpack to more is a bomb.
	maxRatio = 100
	ratioSet = 64 << 10 // bytes up to which no ratio is asked
)

// signed gives the bytes that a signature is over: with the schema in front, so that no signature of anything else fits.
func signed(manifest []byte) []byte { return within(Schema, manifest) }

// restoreManifest reads the bytes of a manifest whose signature holds.
func restoreManifest(b []byte, key ed25519.PublicKey) (Manifest, error) {
	var m Manifest
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return m, fmt.Errorf("the manifest is not valid JSON: %w", err)
	}
	if err := checkSchema(head.Schema); err != nil {
		return m, err
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return m, fmt.Errorf("the manifest cannot be read: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return m, fmt.Errorf("one JSON object expected in the manifest, more follows it")
	}
	if m.Key != encodeKey(key) {
		return m, fmt.Errorf("the manifest names another key than the one that signed it")
	}
	return m, m.check()
}

// newer marks a manifest of a later version.
type newer struct{ error }

func checkSchema(got string) error {
	noun, version := got, ""
	if i := strings.LastIndexByte(got, '/'); i >= 0 {
		noun, version = got[:i], got[i+1:]
	}
	n, err := strconv.Atoi(version)
	switch {
	case got == Schema:
		return nil
	case noun != "plumbline/bundle" || err != nil || n < 1:
		return fmt.Errorf("schema: %q expected, found %.60q", Schema, got)
	}
	return newer{fmt.Errorf("made by a newer Plumbline (%s); this one knows up to %s", got, Schema)}
}

// check says in words why m cannot be the manifest of a bundle.
func (m Manifest) check() error {
	switch {
	case m.Kind != Work && m.Kind != Words:
		return fmt.Errorf("kind: one of %s, %s expected, found %.60q", Work, Words, m.Kind)
	case m.Study == "" || m.Workspace == "" || m.Machine == "" || m.From == "" || m.To == "":
		return fmt.Errorf("study, workspace, machine, from and to expected")
	case len(m.Files) > maxFiles:
		return fmt.Errorf("at most %d files, this one names %d", maxFiles, len(m.Files))
	case len(m.Heads) > maxHeads:
		return fmt.Errorf("at most %d hash chains, this one names %d", maxHeads, len(m.Heads))
	}
	if at, err := time.Parse(time.RFC3339, m.Created); err != nil || at.Location() != time.UTC {
		return fmt.Errorf("created: a time of the form 2026-01-31T12:00:00Z expected, found %.60q", m.Created)
	}
	total := int64(0)
	seen := map[string]bool{}
	for _, f := range m.Files {
		folded := strings.ToLower(f.Name) // two names that some file systems take for one
		switch wrong := nameFault(f.Name); {
		case wrong != "":
			return fmt.Errorf("file name %.80q: %s", f.Name, wrong)
		case seen[folded] || folded == manifestName || folded == signatureName:
			return fmt.Errorf("file name %q is there twice", f.Name)
		case f.Size < 0 || f.Size > maxFile:
			return fmt.Errorf("file %s: a size of 0 to %d bytes expected, found %d", f.Name, maxFile, f.Size)
		}
		seen[folded] = true
		if total += f.Size; total > maxTotal {
			return fmt.Errorf("more than %d bytes in all", int64(maxTotal))
		}
	}
	return nil
}

// nameFault says why a name is none of a file in a bundle, or "".
func nameFault(name string) string {
	if name == "" || len(name) > maxName {
		return fmt.Sprintf("1 to %d bytes expected", maxName)
	}
	for part := range strings.SplitSeq(name, "/") {
		switch {
		case part == "" || strings.HasPrefix(part, "."):
			return "a relative path without empty or hidden parts expected"
		case strings.HasSuffix(part, "."):
			return "a part that ends with a point is not kept by every system"
		case strings.ContainsFunc(part, func(r rune) bool {
			return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.", r))
		}):
			return "letters, digits, '-', '_' and '.' expected"
		case reserved(part):
			return "a name that Windows keeps for a device"
		}
	}
	return ""
}

// reserved tells the names of devices.
func reserved(part string) bool {
	stem, _, _ := strings.Cut(strings.ToUpper(part), ".")
	switch stem {
	case "CON", "PRN", "AUX", "NUL":
		return true
	}
	return len(stem) == 4 && (strings.HasPrefix(stem, "COM") || strings.HasPrefix(stem, "LPT")) && stem[3] >= '0' && stem[3] <= '9'
}

func encodeKey(key ed25519.PublicKey) string { return base64.StdEncoding.EncodeToString(key) }
