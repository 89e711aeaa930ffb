// Command fill makes the ledger of a workspace as long as that of a large study, for measuring: it adds copies of the last rating in it,
// said by other readers.
//
// Usage: fill WORKSPACE EVENTS. The program must not be running.
package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"plumbline/backend/review"
	"plumbline/backend/store"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "fill:", err)
		os.Exit(1)
	}
}

// batch is how many events go into one transaction.
const batch = 5000

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: fill WORKSPACE EVENTS")
	}
	n, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	l, err := store.OpenLedger(filepath.Join(args[0], "readings.db"))
	if err != nil {
		return err
	}
	err = fill(l, n)
	return cmp.Or(err, l.Close())
}

func fill(l *store.Ledger, n int) error {
	model, err := l.Last(func(e review.Event) bool { return e.Kind == review.KindRating })
	if err != nil {
		return err
	}
	if model.ID == "" {
		return fmt.Errorf("no rating to copy: rate a step first")
	}
	model.ID, model.Seq, model.Prev, model.Supersedes = "", 0, "", ""
	for done := 0; done < n; {
		events := make([]review.Event, min(batch, n-done))
		for i := range events {
			e := model
			// 20 readers, each with 20 ratings under an assignment.
			e.Reader = review.ReaderID(fmt.Sprintf("F%d", done%20+1))
			e.Assignment = review.AssignmentID(fmt.Sprintf("f-%08d", done/400*20+done%20))
			e.Key = review.EventKey(e.Assignment, e.Kind, e.Chain, fmt.Sprint("s", done/20%20))
			events[i] = e
			done++
		}
		if err := l.AppendAll(events); err != nil {
			return err
		}
	}
	return nil
}
