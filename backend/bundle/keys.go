package bundle

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"filippo.io/age"
)

// KeysSchema is the schema of a file of keys as written today.
const KeysSchema = "plumbline/keys/1"

// Keys are the two secrets of one person's machine: one signs what it makes, the other opens what was locked for it. They are written with
// MarshalJSON into that person's configuration and nowhere else.
type Keys struct {
	sign ed25519.PrivateKey
	open *age.X25519Identity
}

// NewKeys makes keys at random.
func NewKeys() (Keys, error) {
	_, sign, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return Keys{}, err
	}
	open, err := age.GenerateX25519Identity()
	return Keys{sign, open}, err
}

// keysFile is how keys are written.
type keysFile struct {
	Schema string `json:"schema"`
	Sign   []byte `json:"sign"` // the seed of the Ed25519 key
	Open   string `json:"open"` // an age identity
}

// MarshalJSON writes the secrets.
func (k Keys) MarshalJSON() ([]byte, error) {
	return json.Marshal(keysFile{KeysSchema, k.sign.Seed(), k.open.String()})
}

// UnmarshalJSON reads them.
func (k *Keys) UnmarshalJSON(b []byte) error {
	var f keysFile
	if err := json.Unmarshal(b, &f); err != nil {
		return err
	}
	if f.Schema != KeysSchema || len(f.Sign) != ed25519.SeedSize {
		return fmt.Errorf("keys of %q expected", KeysSchema)
	}
	open, err := age.ParseX25519Identity(f.Open)
	if err != nil {
		return err
	}
	k.sign, k.open = ed25519.NewKeyFromSeed(f.Sign), open
	return nil
}

// Public gives the key by which others verify what these keys signed, base64.
func (k Keys) Public() string { return encodeKey(k.sign.Public().(ed25519.PublicKey)) }

// Recipient gives the name under which others lock something for these keys: "age1…".
func (k Keys) Recipient() string { return k.open.Recipient().String() }

// Fingerprint gives a public key as six groups of four letters and digits (120 bits of its hash) that two people can compare by telephone.
func Fingerprint(public string) string {
	raw, err := base64.StdEncoding.DecodeString(public)
	if err != nil {
		raw = []byte(public)
	}
	h := sha256.Sum256(raw)
	code := base32.StdEncoding.EncodeToString(h[:15])
	groups := make([]string, 0, 6)
	for ; code != ""; code = code[4:] {
		groups = append(groups, code[:4])
	}
	return strings.Join(groups, "-")
}

// A Lock says for whom a bundle is locked: who knows the passphrase, or who has the keys of the recipients. Exactly one of the two is set:
// age mixes them in no file.
type Lock struct {
	Passphrase string
	Recipients []string
}

// The work that guessing a passphrase costs, as log2 of scrypt's N: what is written, and the most that is taken on when opening. More could
// fill the memory of a machine with one small file.
const (
	workFactor    = 17
	maxWorkFactor = 18
)

// MinPassphrase is the fewest characters of a passphrase that a bundle is locked with.
const MinPassphrase = 10

// recipients reads a lock.
func (l Lock) recipients() ([]age.Recipient, error) {
	switch {
	case (l.Passphrase == "") == (len(l.Recipients) == 0):
		return nil, fmt.Errorf("either a passphrase or recipients expected")
	case l.Passphrase != "" && len([]rune(l.Passphrase)) < MinPassphrase:
		return nil, fmt.Errorf("a passphrase of at least %d characters expected", MinPassphrase)
	case l.Passphrase != "":
		r, err := age.NewScryptRecipient(l.Passphrase)
		if err != nil {
			return nil, err
		}
		r.SetWorkFactor(workFactor)
		return []age.Recipient{r}, nil
	}
	all := make([]age.Recipient, len(l.Recipients))
	for i, s := range l.Recipients {
		r, err := age.ParseX25519Recipient(strings.TrimSpace(s))
		if err != nil {
			return nil, fmt.Errorf("recipient %d: a key of the form age1… expected: %w", i+1, err)
		}
		all[i] = r
	}
	return all, nil
}

// identities are what may open a bundle: these keys and, if it is not "", this passphrase.
func (k Keys) identities(passphrase string) ([]age.Identity, error) {
	all := []age.Identity{}
	if k.open != nil {
		all = append(all, k.open)
	}
	if passphrase != "" {
		i, err := age.NewScryptIdentity(passphrase)
		if err != nil {
			return nil, err
		}
		i.SetMaxWorkFactor(maxWorkFactor)
		all = append(all, i)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("keys or a passphrase are needed")
	}
	return all, nil
}
