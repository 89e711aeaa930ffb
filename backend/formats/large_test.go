package formats_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"plumbline/backend/formats"
	"plumbline/backend/review"
)

// P04: a log of 120 MB of pictures as data URLs is read without holding them: of each is known where it lies, under a name of its hash, and one
// that is looked at is what was put in.
func TestLargeLogIsNotHeld(t *testing.T) {
	const samples, size = 40, 9 << 18 // 2.25 MiB, 3 MiB in base64
	dir := t.TempDir()
	last := writeLog(t, filepath.Join(dir, "log.json"), samples, size)
	if info, err := os.Stat(filepath.Join(dir, "log.json")); err != nil || info.Size() < 120<<20 {
		t.Fatal(info, err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	names, _ := formats.Find(t.Context(), root.FS(), "", "")
	before, most := held(), 0.
	var pictures []formats.Embedded
	cases, chains := 0, 0
	_, err = formats.Read(context.Background(), formats.Source{Files: root.FS(), Names: names}, formats.Sink{
		Case: func(review.Case) { cases, most = cases+1, max(most, held()-before) }, Chain: func(review.Chain, review.Origin, formats.Place) { chains++ },
		Picture: func(e formats.Embedded) { pictures = append(pictures, e) }, Problem: func(p formats.Problem) {
			if !strings.Contains(p.Text, "name no patient") {
				t.Error(p)
			}
		},
	})
	if err != nil || cases != samples || chains != samples || len(pictures) != samples {
		t.Fatalf("%d cases, %d chains, %d pictures, %v", cases, chains, len(pictures), err)
	}
	if most > 24 { // some samples' worth, of 120
		t.Errorf("%.0f MB held while reading", most)
	}
	if got, err := pictures[samples-1].Open(root.FS()); err != nil || !bytes.Equal(got, last) {
		t.Errorf("the last picture has %d bytes, %v", len(got), err)
	}
}

// writeLog writes a log of Inspect whose samples each have a picture of so many bytes, and gives the last of them.
func writeLog(t *testing.T, path string, samples, size int) (last []byte) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	fmt.Fprint(w, `{"version":2,"eval":{"model":"m","task":"t","created":"2026-01-01T00:00:00+00:00"},"samples":[`)
	r := rand.NewChaCha8([32]byte{1})
	for n := range samples {
		last = make([]byte, size)
		r.Read(last) // never fails
		copy(last, "\x89PNG\r\n\x1a\n")
		if n > 0 {
			fmt.Fprint(w, ",")
		}
		fmt.Fprintf(w, `{"id":"s%d","epoch":1,"input":[{"role":"user","content":[{"type":"image","image":"attachment://a"},{"type":"text","text":"Which side?"}]}],`, n)
		fmt.Fprint(w, `"choices":["Left","Right"],"target":"A","output":{"choices":[{"message":{"role":"assistant","content":"A"}}]},"attachments":{"a":"data:image/png;base64,`)
		e := base64.NewEncoder(base64.StdEncoding, w)
		if _, err := e.Write(last); err != nil {
			t.Fatal(err)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(w, `"}}`)
	}
	fmt.Fprint(w, "]}")
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return last
}

// held is how much memory is in use once nothing unused is, in MB.
func held() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / (1 << 20)
}
