//go:build unix

package export_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"plumbline/backend/export"
	"plumbline/backend/review"
)

// killedEnv holds what this program does in place of tests: write an export of a format into a folder, and die at the n-th thing it is given.
const killedEnv = "EXPORT_TEST_KILLED"

func TestMain(m *testing.M) {
	order, given := os.LookupEnv(killedEnv)
	if !given {
		os.Exit(m.Run())
	}
	parts := strings.Split(order, "\n")
	n, err := strconv.Atoi(parts[2])
	if err != nil {
		panic(err)
	}
	if _, err := export.Write(context.Background(), parts[1], parts[0], dying(n), export.Options{Seed: 1}, review.Quiet); err != nil {
		panic(err)
	}
	os.Exit(0)
}

// pairOf makes two cases of one paraphrase group.
func pairOf(one, other string) []*export.Case {
	cases := []*export.Case{whole(one, "p-"+one), whole(other, "p-"+other)}
	cases[0].Group, cases[1].Group = "g", "g"
	return cases
}

// dying is a source of two cases that kills the program, as a power cut would, at the n-th case, picture or signature that it gives.
func dying(n int) export.Source {
	give := func() {
		if n--; n == 0 {
			if err := syscall.Kill(os.Getpid(), syscall.SIGKILL); err != nil {
				panic(err)
			}
			select {} // until it has died
		}
	}
	src := sourceOf(pairOf("c2", "c3")...)
	each, picture, scores, sign := src.Each, src.Picture, src.Scores, src.Sign
	src.Each = func(ctx context.Context, fn func(*export.Case) error) error {
		return each(ctx, func(c *export.Case) error { give(); return fn(c) })
	}
	src.Picture = func(ctx context.Context, of review.CaseID, i review.ImageID, k int) ([]byte, error) {
		give()
		return picture(ctx, of, i, k)
	}
	src.Scores = func(ctx context.Context) (export.MRMC, export.Tally, error) { give(); return scores(ctx) }
	src.Sign = func(m []byte) (string, error) { give(); return sign(m) }
	return src
}

// Killed at any point, an export leaves the one before whole and nothing under its name that is not; the next one is made as if nothing had been.
func TestKilledWhileWriting(t *testing.T) {
	for _, f := range export.Formats() {
		if f.Name == "dicom-sr" || f.Name == "dicom-seg" {
			continue // they are of DICOM images, which the source here has none of
		}
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "out")
			before, err := export.Write(t.Context(), dir, f.Name, sourceOf(pairOf("c1", "c4")...), export.Options{Seed: 1}, review.Quiet)
			if err != nil {
				t.Fatal(err)
			}
			killed := 0
			for n := 1; ; n *= 2 {
				child := exec.Command(os.Args[0])
				child.Env = append(os.Environ(), killedEnv+"="+strings.Join([]string{f.Name, dir, strconv.Itoa(n)}, "\n"))
				out, err := child.CombinedOutput()
				if err == nil {
					break // it had no n-th thing to be given
				}
				if child.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
					t.Fatalf("%v: %s", err, out)
				}
				killed++
				checkManifest(t, before)
			}
			var now export.Manifest
			if err := json.Unmarshal(load(t, before, export.ManifestFile), &now); err != nil || killed == 0 {
				t.Fatal(err, killed)
			}
			checkManifest(t, export.Done{Dir: dir, Manifest: now})
			if f.Name != "imrmc" && slices.Equal(now.Files, before.Files) { // whose scores are the same here
				t.Error("the export that was not killed is not there")
			}
		})
	}
}
