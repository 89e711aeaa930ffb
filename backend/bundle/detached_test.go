package bundle

import (
	"testing"

	"pgregory.net/rapid"
)

// What was signed is known by its key; any other content, schema or signature is refused.
func TestSignDetached(t *testing.T) {
	keys := newKeys(t)
	rapid.Check(t, func(t *rapid.T) {
		content := rapid.SliceOf(rapid.Byte()).Draw(t, "content")
		sig := keys.Sign("plumbline/site/1", content)
		if key, err := Verify("plumbline/site/1", content, sig+"\n"); err != nil || key != keys.Public() {
			t.Fatalf("%q, %v", key, err)
		}
		if _, err := Verify("plumbline/site/2", content, sig); err == nil {
			t.Fatal("a signature of another schema holds")
		}
		if _, err := Verify("plumbline/site/1", append(content, 0), sig); err == nil {
			t.Fatal("more than was signed holds")
		}
		b := []byte(sig)
		at := rapid.IntRange(0, len(b)-1).Draw(t, "at")
		b[at] = rapid.SampledFrom([]byte("ABCDabcd0123+/=")).Filter(func(c byte) bool { return c != b[at] }).Draw(t, "byte")
		if key, err := Verify("plumbline/site/1", content, string(b)); err == nil {
			t.Fatalf("a changed signature holds for %s", key)
		}
	})
}
