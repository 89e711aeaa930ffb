package bundle

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"strings"
)

const signatureSize = ed25519.PublicKeySize + ed25519.SignatureSize

// Sign signs content that travels outside of a bundle, as base64 of the public key and the signature. The schema of the content is signed
// with it, so that no signature of anything else fits.
func (k Keys) Sign(schema string, content []byte) string {
	sig := append([]byte(k.sign.Public().(ed25519.PublicKey)), ed25519.Sign(k.sign, within(schema, content))...)
	return base64.StdEncoding.EncodeToString(sig)
}

// Verify checks what Sign made of content of that schema and gives the public key of whoever signed. Whose key it is nobody but a person can
// tell: see Fingerprint.
func Verify(schema string, content []byte, signature string) (public string, err error) {
	sig, err := base64.StdEncoding.DecodeString(strings.TrimSpace(signature))
	if err != nil || len(sig) != signatureSize {
		return "", errors.New("a signature expected, found something else")
	}
	key := ed25519.PublicKey(sig[:ed25519.PublicKeySize])
	if !ed25519.Verify(key, within(schema, content), sig[ed25519.PublicKeySize:]) {
		return "", errors.New("the signature does not hold: it was changed after it was made")
	}
	return encodeKey(key), nil
}

func within(schema string, content []byte) []byte { return append([]byte(schema+"\n"), content...) }
