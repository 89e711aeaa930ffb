package dcm

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"plumbline/backend/testfiles"
)

// BenchmarkDecode decodes one frame of each way that the corpus has a 512×512 (or near) picture of: ns/op is one frame, one worker.
func BenchmarkDecode(b *testing.B) {
	dir := testfiles.Shared(b, "dicom")
	needsCodecs(b)
	seen := map[string]bool{}
	for _, row := range tableRows(b, filepath.Join(dir, "manifest.tsv")) {
		name := encodings(row)
		if row["kind"] != "image" || row["rows"] != "512" || row["bits_alloc"] != "16" || seen[name] {
			continue
		}
		seen[name] = true
		b.Run(name, func(b *testing.B) {
			f, err := Load(filepath.Join(dir, "files", row["file"]))
			if err != nil {
				b.Fatal(err)
			}
			if _, err := f.Samples(context.Background(), 0); err != nil {
				b.Skip(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := f.Samples(context.Background(), 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func encodings(row map[string]string) string {
	s, err := lookupSyntax(row["ts"])
	if err != nil {
		return row["ts"]
	}
	return s.name
}

// BenchmarkHeaders loads the headers of every file of the corpus, over and over: ns/op is one file.
func BenchmarkHeaders(b *testing.B) {
	paths, err := filepath.Glob(filepath.Join(testfiles.Shared(b, "dicom"), "*", "*.dcm"))
	if err != nil || len(paths) == 0 {
		b.Fatal(err)
	}
	more, err := filepath.Glob(filepath.Join(testfiles.Shared(b, "dicom"), "volumes", "*", "*.dcm"))
	if err != nil {
		b.Fatal(err)
	}
	paths = append(paths, more...)
	var bytes int64
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil {
			b.Fatal(err)
		}
		bytes += info.Size()
	}
	b.SetBytes(bytes / int64(len(paths)))
	for _, workers := range []int{1, 2} {
		b.Run(map[int]string{1: "one worker", 2: "two workers"}[workers], func(b *testing.B) {
			b.ReportAllocs()
			jobs := make(chan string)
			var done sync.WaitGroup
			for range workers {
				done.Go(func() {
					for path := range jobs {
						_, _ = Load(path) // damaged ones too: they cost as much
					}
				})
			}
			n := 0
			for b.Loop() {
				jobs <- paths[n%len(paths)]
				n++
			}
			close(jobs)
			done.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "files/s")
		})
	}
}

// BenchmarkVolume decodes the JPEG-LS volume of 28 frames with as many workers as there are processors: ns/op is the volume.
func BenchmarkVolume(b *testing.B) {
	needsCodecs(b)
	paths, err := filepath.Glob(filepath.Join(testfiles.Shared(b, "dicom"), "volumes", "ct_ge_28_jls", "*.dcm"))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		var done sync.WaitGroup
		for _, path := range paths {
			done.Go(func() {
				f, err := Load(path)
				if err == nil {
					_, err = f.Samples(context.Background(), 0)
				}
				if err != nil {
					b.Error(err)
				}
			})
		}
		done.Wait()
	}
}
