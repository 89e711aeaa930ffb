package store

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"plumbline/backend/review"
	"plumbline/backend/testfiles"
)

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

// L01: kill -9 at any moment of a rating session loses no acknowledged rating and leaves a ledger that holds. PLUMBLINE_KILLS asks for
// more kills.
func TestKilledWhileRating(t *testing.T) {
	path := filepath.Join(t.TempDir(), "readings.db")
	random := rand.New(rand.NewPCG(7, 7))
	acknowledged := map[review.EventID]bool{}
	kills := testfiles.Kills(t, 100)
	for n := range kills {
		for _, id := range testfiles.Kill(t, childLedger+"="+path, random.IntN(12), 36) {
			acknowledged[review.EventID(id)] = true
		}
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
