package bundle

import (
	"archive/zip"
	"bytes"
	"crypto/ed25519"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"filippo.io/age"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// A Bundle is an open bundle whose signature holds. Nothing of its files was read yet.
type Bundle struct {
	Manifest Manifest
	path     string
	file     io.Closer
	entries  []*zip.File // beside Manifest.Files
}

const intro = "age-encryption.org/v1\n"

// Open unlocks the bundle at path with keys or a passphrase ("": none) and verifies its signature. Whose the signing key is, is for the
// caller to know.
//
// Faults: Invalid for a file that is no bundle or is of a newer version, Refused for one that neither keys nor passphrase open, Damaged for
// one that is cut short or changed, or breaks a limit; NotFound, IO.
func Open(path string, keys Keys, passphrase string) (*Bundle, error) {
	const op = "open bundle"
	f, err := os.Open(path)
	if err != nil {
		return nil, fault.In(op, path, err)
	}
	b, err := openFile(f, keys, passphrase)
	if err != nil {
		return nil, errors.Join(&fault.Error{Op: op, Of: path, Kind: kindOf(err), Err: err}, f.Close())
	}
	b.path, b.file = path, f
	return b, nil
}

// Close lets go of the file.
func (b *Bundle) Close() error { return b.file.Close() }

// notBundle marks a file that is something else.
type notBundle struct{ error }

// locked marks a bundle that could not be unlocked.
type locked struct{ error }

func kindOf(err error) fault.Kind {
	var other notBundle
	var later newer
	var shut locked
	switch kind := fault.KindOf(err); {
	case errors.As(err, &other), errors.As(err, &later):
		return fault.Invalid
	case errors.As(err, &shut):
		return fault.Refused
	case kind == fault.Internal:
		return fault.Damaged
	default:
		return kind
	}
}

func openFile(f *os.File, keys Keys, passphrase string) (*Bundle, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, notBundle{errors.New("a file expected")}
	}
	content, size, err := unlock(f, info.Size(), keys, passphrase)
	if err != nil {
		return nil, err
	}
	return openArchive(content, size)
}

// unlock gives the content of a locked file; nothing of it lies on any disk.
func unlock(f io.ReaderAt, size int64, keys Keys, passphrase string) (io.ReaderAt, int64, error) {
	head := make([]byte, len(intro))
	if _, err := f.ReadAt(head, 0); err != nil && err != io.EOF {
		return nil, 0, err
	}
	if string(head) != intro {
		return nil, 0, notBundle{errors.New("this is no package of Plumbline")}
	}
	identities, err := keys.identities(passphrase)
	if err != nil {
		return nil, 0, locked{err}
	}
	content, length, err := age.DecryptReaderAt(f, size, identities...)
	var none *age.NoIdentityMatchError
	switch {
	case errors.As(err, &none) && slices.Contains(none.StanzaTypes, "scrypt") && passphrase == "":
		return nil, 0, locked{errors.New("it is locked with a passphrase, and none was given")}
	case errors.As(err, &none) && slices.Contains(none.StanzaTypes, "scrypt"):
		return nil, 0, locked{errors.New("the passphrase is not the one it was locked with, or the file was changed")}
	case errors.As(err, &none):
		return nil, 0, locked{errors.New("it is locked for another machine's key, or the file was changed")}
	case err != nil:
		return nil, 0, fmt.Errorf("it cannot be unlocked: %w", err)
	}
	return content, length, nil
}

// openArchive verifies the signature and then reads what is where.
func openArchive(content io.ReaderAt, size int64) (*Bundle, error) {
	manifest, at, err := firstEntry(content, 0, manifestName, maxManifest)
	if err != nil {
		return nil, err
	}
	sig, _, err := firstEntry(content, at, signatureName, signatureSize)
	if err != nil {
		return nil, err
	}
	if len(sig) != signatureSize {
		return nil, errors.New("the signature is cut short")
	}
	key := ed25519.PublicKey(sig[:ed25519.PublicKeySize])
	if !ed25519.Verify(key, signed(manifest), sig[ed25519.PublicKeySize:]) {
		return nil, errors.New("the signature does not hold: the package was changed after it was made")
	}
	m, err := restoreManifest(manifest, key)
	if err != nil {
		return nil, err
	}
	entries, err := directory(content, size, m.Files)
	if err != nil {
		return nil, err
	}
	return &Bundle{Manifest: m, entries: entries}, nil
}

// firstEntry reads an entry at the begin of the archive, without its directory: it must be stored as it is and have its length before it.
func firstEntry(content io.ReaderAt, at int64, name string, most int) (data []byte, next int64, err error) {
	head := make([]byte, 30+len(name))
	if _, err := content.ReadAt(head, at); err != nil {
		return nil, 0, fmt.Errorf("no %s: %w", name, short(err))
	}
	order := binary.LittleEndian
	n := int64(order.Uint32(head[18:]))
	const described = 1 << 3 // the length follows the data
	switch {
	case order.Uint32(head) != 0x04034b50 || int(order.Uint16(head[26:])) != len(name) || string(head[30:]) != name:
		return nil, 0, notBundle{fmt.Errorf("this is no package of Plumbline: %s expected in it", name)}
	case order.Uint16(head[6:])&described != 0 || order.Uint16(head[8:]) != zip.Store || order.Uint16(head[28:]) != 0 || n != int64(order.Uint32(head[22:])):
		return nil, 0, fmt.Errorf("%s is not stored as it must be", name)
	case n > int64(most):
		return nil, 0, fmt.Errorf("%s has at most %d bytes, this one %d", name, most, n)
	}
	data, err = io.ReadAll(io.NewSectionReader(content, at+int64(len(head)), n))
	if err == nil && int64(len(data)) != n {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", name, short(err))
	}
	return data, at + int64(len(head)) + n, nil
}

// short says of an end that came too early that it did.
func short(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("cut short")
	}
	return err
}

// directory reads the archive's directory, which must name the files of the manifest and no others, in the same order.
func directory(content io.ReaderAt, size int64, files []File) ([]*zip.File, error) {
	want := len(files) + 2
	if err := checkEnd(content, size, want); err != nil {
		return nil, err
	}
	z, err := zip.NewReader(content, size)
	if err != nil {
		return nil, fmt.Errorf("the archive is damaged: %w", err)
	}
	if len(z.File) != want {
		return nil, fmt.Errorf("%d files are signed, %d are there", want, len(z.File))
	}
	all := append([]File{{Name: manifestName, Size: -1}, {Name: signatureName, Size: -1}}, files...)
	for i, e := range z.File {
		packed, plain := e.CompressedSize64, e.UncompressedSize64
		switch f := all[i]; {
		case e.Name != f.Name || f.Size >= 0 && plain != uint64(f.Size):
			return nil, fmt.Errorf("file %d is not the one that was signed (%s of %d bytes)", i+1, f.Name, f.Size)
		case !e.Mode().IsRegular():
			return nil, fmt.Errorf("%s is no regular file", f.Name)
		case e.Method != zip.Store && e.Method != zip.Deflate:
			return nil, fmt.Errorf("%s is packed in a way that is not used here", f.Name)
		case plain > ratioSet && plain > packed*maxRatio, packed > uint64(size):
			return nil, fmt.Errorf("%s claims to unpack from %d bytes to %d", f.Name, packed, plain)
		}
	}
	return z.File[2:], nil
}

// checkEnd looks at the end of the archive before its directory is read: how many entries it claims, and how large a directory.
func checkEnd(content io.ReaderAt, size int64, want int) error {
	const endSize, locatorSize, end64Size = 22, 20, 56
	order := binary.LittleEndian
	end := make([]byte, endSize)
	if _, err := content.ReadAt(end, size-endSize); size < endSize || err != nil && err != io.EOF {
		return errors.New("the archive is cut short")
	}
	if order.Uint32(end) != 0x06054b50 || order.Uint16(end[20:]) != 0 {
		return errors.New("the archive has no end, or something follows it")
	}
	entries, bytes := uint64(order.Uint16(end[10:])), uint64(order.Uint32(end[12:]))
	if entries == 1<<16-1 || bytes == 1<<32-1 {
		tail := make([]byte, end64Size)
		at := size - endSize - locatorSize - end64Size
		if _, err := content.ReadAt(tail, at); at < 0 || err != nil {
			return errors.New("the archive is cut short")
		}
		if order.Uint32(tail) != 0x06064b50 {
			return errors.New("the archive has no end")
		}
		entries, bytes = order.Uint64(tail[32:]), order.Uint64(tail[40:])
	}
	const perEntry = 46 + maxName + 64
	if entries != uint64(want) || bytes > uint64(want)*perEntry {
		return fmt.Errorf("%d entries are signed; the archive claims %d in a directory of %d bytes", want, entries, bytes)
	}
	return nil
}

// Each hands every file in the order of the manifest to fn, once it has the size and the hash that were signed. Faults: Damaged where one
// has not; what fn says.
func (b *Bundle) Each(fn func(f File, data []byte) error) error {
	for i, f := range b.Manifest.Files {
		data, err := readEntry(b.entries[i], f)
		if err != nil {
			return &fault.Error{Op: "read bundle", Of: b.path, Kind: kindOf(err), Err: err}
		}
		if err := fn(f, data); err != nil {
			return err
		}
	}
	return nil
}

// readEntry reads one file; its memory grows with what is there, not with what is claimed.
func readEntry(e *zip.File, f File) ([]byte, error) {
	in, err := e.Open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	defer in.Close()
	var b bytes.Buffer
	n, err := io.Copy(&b, io.LimitReader(in, f.Size+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", f.Name, short(err))
	case n != f.Size || review.DigestOf(b.Bytes()) != f.Digest:
		return nil, fmt.Errorf("%s is not what was signed", f.Name)
	}
	return b.Bytes(), nil
}
