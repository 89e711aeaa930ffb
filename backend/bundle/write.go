package bundle

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

	"filippo.io/age"

	"plumbline/backend/fault"
	"plumbline/backend/review"
	"plumbline/backend/store"
)

// The two entries that every bundle begins with, before its files.
const (
	manifestName  = "manifest.json"
	signatureName = "manifest.sig"
)

// A Writer gathers the files of a bundle. They wait, packed, in a file without a name in a folder of the caller's until the manifest that
// goes before them is known.
type Writer struct {
	spool *os.File
	files []File
	raw   []zip.FileHeader
	known map[string]bool
	total int64
}

// NewWriter begins a bundle whose files wait in the folder dir.
func NewWriter(dir string) (*Writer, error) {
	f, err := os.CreateTemp(dir, ".package-*")
	if err != nil {
		return nil, fault.New(fault.IO, "make bundle", dir, "%w", err)
	}
	_ = os.Remove(f.Name()) // so that nothing stays behind however the program ends; Windows keeps it until Close
	return &Writer{spool: f, known: map[string]bool{}}, nil
}

// Close lets go of the files.
func (w *Writer) Close() error {
	err := w.spool.Close()
	if e := os.Remove(w.spool.Name()); e != nil && !errors.Is(e, os.ErrNotExist) {
		err = errors.Join(err, e)
	}
	return err
}

// Add adds a file. Faults: Invalid for a name or a size that no bundle has, IO.
func (w *Writer) Add(name string, data []byte) error {
	const op = "add to bundle"
	w.total += int64(len(data))
	switch wrong := nameFault(name); {
	case wrong != "" || w.known[name]:
		return fault.New(fault.Invalid, op, name, "no name for a file of a bundle, or there already: %s", wrong)
	case len(data) > maxFile || w.total > maxTotal || len(w.files) >= maxFiles:
		return fault.New(fault.Invalid, op, name, "a bundle has at most %d files of %d bytes, %d bytes in all", maxFiles, maxFile, int64(maxTotal))
	}
	packed, method, err := pack(data)
	if err != nil {
		return fault.In(op, name, err)
	}
	if _, err := w.spool.Write(packed); err != nil {
		return fault.New(fault.IO, op, w.spool.Name(), "%w", err)
	}
	w.known[name] = true
	w.files = append(w.files, File{name, int64(len(data)), review.DigestOf(data)})
	w.raw = append(w.raw, header(name, method, data, len(packed)))
	return nil
}

func header(name string, method uint16, data []byte, packed int) zip.FileHeader {
	return zip.FileHeader{
		Name: name, Method: method, CRC32: crc32.ChecksumIEEE(data), CompressedSize64: uint64(packed), UncompressedSize64: uint64(len(data)),
	}
}

// pack deflates data, or leaves it as it is where that gains nothing or would look like a bomb.
func pack(data []byte) ([]byte, uint16, error) {
	var b bytes.Buffer
	z, err := flate.NewWriter(&b, flate.BestSpeed)
	if err != nil {
		return nil, 0, err
	}
	if _, err := z.Write(data); err != nil {
		return nil, 0, err
	}
	if err := z.Close(); err != nil {
		return nil, 0, err
	}
	if b.Len() >= len(data) || len(data) > ratioSet && len(data) > maxRatio*b.Len() {
		return data, zip.Store, nil
	}
	return b.Bytes(), zip.Deflate, nil
}

// Finish writes the bundle to path: the manifest with the files that were added, signed by keys, all of it locked. It stands under its name
// only when it is whole and on the disk. It gives the manifest as it was signed.
func (w *Writer) Finish(path string, m Manifest, keys Keys, lock Lock) (Manifest, error) {
	const op = "make bundle"
	m.Schema, m.Key, m.Files = Schema, keys.Public(), w.files
	if m.Heads == nil {
		m.Heads = []store.HashChain{}
	}
	if m.Files == nil {
		m.Files = []File{}
	}
	if err := m.check(); err != nil {
		return m, fault.New(fault.Invalid, op, path, "%w", err)
	}
	recipients, err := lock.recipients()
	if err != nil {
		return m, fault.New(fault.Invalid, op, path, "%w", err)
	}
	manifest, err := json.Marshal(m)
	if err != nil {
		return m, err
	}
	if len(manifest) > maxManifest {
		return m, fault.New(fault.Invalid, op, path, "a manifest has at most %d bytes", maxManifest)
	}
	if _, err := w.spool.Seek(0, io.SeekStart); err != nil {
		return m, fault.New(fault.IO, op, path, "%w", err)
	}
	err = store.ReplaceWith(filepath.Clean(path), func(out io.Writer) error {
		locked, err := age.Encrypt(out, recipients...)
		if err != nil {
			return err
		}
		if err := w.archive(locked, manifest, signature(manifest, keys)); err != nil {
			return err
		}
		return locked.Close()
	})
	return m, err
}

// signature is the public key and what it says.
func signature(manifest []byte, keys Keys) []byte {
	return append([]byte(keys.sign.Public().(ed25519.PublicKey)), ed25519.Sign(keys.sign, signed(manifest))...)
}

// archive writes the zip: manifest, signature, files.
func (w *Writer) archive(out io.Writer, manifest, signature []byte) error {
	z := zip.NewWriter(out)
	raw := func(h zip.FileHeader, from io.Reader) error {
		entry, err := z.CreateRaw(&h)
		if err != nil {
			return err
		}
		_, err = io.CopyN(entry, from, int64(h.CompressedSize64))
		return err
	}
	for _, first := range []struct {
		name string
		data []byte
	}{{manifestName, manifest}, {signatureName, signature}} {
		if err := raw(header(first.name, zip.Store, first.data, len(first.data)), bytes.NewReader(first.data)); err != nil {
			return err
		}
	}
	for _, h := range w.raw {
		if err := raw(h, w.spool); err != nil {
			return err
		}
	}
	return z.Close()
}
