package desktest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"plumbline/backend/desk"
	"plumbline/backend/review"
	"plumbline/backend/testfiles"
)

// childWorkspace is the environment variable that makes this test program a reader who rates until killed; it holds the workspace, the
// folder for the person's own files and the assignment, one a line.
const childWorkspace = "PLUMBLINE_TEST_CHILD_WORKSPACE"

func TestMain(m *testing.M) {
	if given := os.Getenv(childWorkspace); given != "" {
		if err := rateForever(strings.Split(given, "\n")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// rateForever rates at a desk as the window does, and prints each event's id once the desk has said that it is saved.
func rateForever(given []string) error {
	workspace, home, assignment := given[0], given[1], given[2]
	d := desk.New(desk.Options{Folders: desk.Folders{Data: home, Config: home, State: home}})
	ctx := context.Background()
	if _, err := d.OpenExisting(ctx, workspace); err != nil {
		return err
	}
	v, err := d.OpenCase(ctx, assignment)
	if err != nil {
		return err
	}
	supports := []review.Support{review.Supported, review.Partly, review.Unsupported, review.NotVisual}
	for i := 0; ; i++ {
		c := v.Chains[i%len(v.Chains)]
		step := []review.StepID{"s1", "s2"}[i/2%2]
		full, _ := Full(v, c.ID, step, supports[(i+os.Getpid())%len(supports)])
		full.Note = fmt.Sprint(os.Getpid(), " ", i) // so that each says something new
		saved, err := d.Rate(ctx, assignment, c.ID, full, "")
		if err != nil {
			return err
		}
		fmt.Println(saved.Event)
	}
}

// L01 and trust.md, promise 1: kill -9 at any moment of a rating session loses nothing that the desk had said is saved; what verify walks
// holds each time, and the reader goes on at the case that was left. PLUMBLINE_KILLS asks for more kills than the few of every test run.
func TestKilledAtTheDesk(t *testing.T) {
	kills := testfiles.Kills(t, 20)
	study := New(t)
	ann := study.As("ann")
	assignment := ann.Open("case-01").LookAll().View.Assignment
	if err := ann.Desk.Close(); err != nil {
		t.Fatal(err)
	}
	given := strings.Join([]string{study.Folder("ann"), study.Options(desk.Seat{}).Folders.Data, assignment}, "\n")
	acknowledged := map[review.EventID]bool{}
	random := rand.New(rand.NewPCG(11, 11))
	for n := range kills {
		for _, id := range testfiles.Kill(t, childWorkspace+"="+given, random.IntN(8), 36) {
			acknowledged[review.EventID(id)] = true
		}
		ann.Restart()
		kept := 0
		err := ann.Desk.EachReading(t.Context(), "", func(e review.Event, _ []byte) error {
			if acknowledged[e.ID] {
				kept++
			}
			return nil
		})
		if err != nil || kept != len(acknowledged) {
			t.Fatalf("after kill %d: %d of %d saved ratings are there, %v", n+1, kept, len(acknowledged), err)
		}
		if v, err := ann.Desk.Verify(t.Context()); err != nil || v.FirstBreak != nil {
			t.Fatalf("after kill %d: verify says %+v, %v", n+1, v.FirstBreak, err)
		}
		if at := ann.State().Resume; at.Case != "case-01" || at.Phase != "judge" {
			t.Fatalf("after kill %d the reader goes on at %+v", n+1, at)
		}
		if err := ann.Desk.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if len(acknowledged) < kills {
		t.Errorf("only %d ratings in %d kills", len(acknowledged), kills)
	}
	t.Logf("%d kills, %d ratings said to be saved, none lost, verify clean after each", kills, len(acknowledged))
}
