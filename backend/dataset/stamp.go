package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
)

// Stamp names the state of the files from which the Set was made: another one after any of them has changed. What is worked out from a Set
// may be kept under it.
func (s *Set) Stamp() string {
	h := sha256.New()
	fmt.Fprintf(h, "%d\x00%s\x00%s\x00%s\x00", snapshotVersion, s.root.real, s.only, s.format)
	for _, file := range slices.Sorted(maps.Keys(s.sources)) {
		fmt.Fprintf(h, "%s\x00%d\x00%d\x00", file, s.sources[file].Size, s.sources[file].Modified)
	}
	return hex.EncodeToString(h.Sum(nil))
}
