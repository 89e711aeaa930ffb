package dcm

import (
	"crypto/sha256"
	"encoding/hex"

	"plumbline/backend/review"
)

// Digest names decoded samples by their bytes alone: the SHA-256 of Samples.Data.
func Digest(s review.Samples) review.Digest {
	sum := sha256.Sum256(s.Data)
	return review.Digest("sha256:" + hex.EncodeToString(sum[:]))
}
