package dcm

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// BenchmarkFile loads a multi-frame file and decodes all its frames, by one worker and by one for each processor: ns/op is the file,
// ms/frame the same divided by its frames. It takes the files of the folder PLUMBLINE_PEER_FRAMES, which build/peers/pictures writes and
// also gives to dcmtk and gdcm.
func BenchmarkFile(b *testing.B) {
	dir := os.Getenv("PLUMBLINE_PEER_FRAMES")
	if dir == "" {
		b.Skip("PLUMBLINE_PEER_FRAMES names no folder of multi-frame files")
	}
	needsCodecs(b)
	paths, err := filepath.Glob(filepath.Join(dir, "*.dcm"))
	if err != nil || len(paths) == 0 {
		b.Fatalf("no files in %s: %v", dir, err)
	}
	for _, path := range paths {
		for _, workers := range []int{1, runtime.NumCPU()} {
			b.Run(fmt.Sprintf("%s/%d", strings.TrimSuffix(filepath.Base(path), ".dcm"), workers), func(b *testing.B) {
				frames := 0
				for b.Loop() {
					frames = decodeAll(b, path, workers)
				}
				b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N*frames), "ms/frame")
			})
		}
	}
}

func decodeAll(b *testing.B, path string, workers int) int {
	f, err := Load(path)
	if err != nil {
		b.Fatal(err)
	}
	frames := len(f.Header().Frames)
	var next atomic.Int64
	var done sync.WaitGroup
	for range workers {
		done.Go(func() {
			for i := int(next.Add(1)) - 1; i < frames; i = int(next.Add(1)) - 1 {
				if _, err := f.Samples(context.Background(), i); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	done.Wait()
	return frames
}
