package store

import (
	"bufio"
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"plumbline/backend/review"
)

// kills is how often the rating child is killed in TestKilledWhileRating; PLUMBLINE_KILLS asks for more.
func kills(t *testing.T) int {
	n, err := strconv.Atoi(cmp.Or(os.Getenv("PLUMBLINE_KILLS"), "100"))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// childLedger is the environment variable that makes this test program the child that rates until it is killed.
const childLedger = "PLUMBLINE_TEST_CHILD_LEDGER"

func TestMain(m *testing.M) {
	if path := os.Getenv(childLedger); path != "" {
		rateForever(path)
	}
	os.Exit(m.Run())
}

// rateForever prints the id of each rating after it was acknowledged.
func rateForever(path string) {
	l, err := OpenLedger(path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for i := 0; ; i++ {
		e, err := l.Append(rated("R1", fmt.Sprint("a", i%5), fmt.Sprint("s", i%11), review.Partly))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(e.ID)
	}
}

// L01: kill -9 at any moment of a rating session loses no acknowledged rating and leaves a ledger that holds.
func TestKilledWhileRating(t *testing.T) {
	path := filepath.Join(t.TempDir(), "readings.db")
	random := rand.New(rand.NewPCG(7, 7))
	acknowledged := map[review.EventID]bool{}
	kills := kills(t)
	for n := range kills {
		killWhileRating(t, path, random.IntN(12), acknowledged)
		l, err := OpenLedger(path)
		if err != nil {
			t.Fatalf("after kill %d: %v", n, err)
		}
		missing := len(acknowledged)
		err = l.Events(func(e review.Event, _ []byte) error {
			if acknowledged[e.ID] {
				missing--
			}
			return nil
		})
		if err != nil || missing > 0 {
			t.Errorf("after kill %d: %d of %d acknowledged ratings are gone, %v", n, missing, len(acknowledged), err)
		}
		v := mustHold(t, l)
		if err := l.Close(); err != nil || t.Failed() {
			t.Fatalf("after kill %d: %d events, %v", n, v.Events, err)
		}
	}
	if len(acknowledged) < kills {
		t.Errorf("only %d ratings in %d kills", len(acknowledged), kills)
	}
	t.Logf("%d kills, %d acknowledged ratings, none lost", kills, len(acknowledged))
}

// killWhileRating starts a rating child, kills it once it has acknowledged `after` ratings more than one, and gathers the ids it printed.
// What it does at the moment of the kill (page write, sync, meta page, index) is left to chance.
func killWhileRating(t *testing.T, path string, after int, acknowledged map[review.EventID]bool) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childLedger+"="+path)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for n := 0; lines.Scan(); n++ {
		if id := lines.Text(); len(id) == 36 { // a line that the kill cut short acknowledges nothing
			acknowledged[review.EventID(id)] = true
		}
		if n == after {
			if err := child.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = child.Wait() // it was killed
}
