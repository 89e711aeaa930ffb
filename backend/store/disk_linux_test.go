package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plumbline/backend/fault"
	"plumbline/backend/review"
	"plumbline/backend/testfiles"
)

func TestFullDisk(t *testing.T) {
	dir := testfiles.MountSmall(t, "size=512k")
	path := filepath.Join(dir, "readings.db")
	l := openTested(t, path)
	var saved []review.Event
	save := func(i int) error {
		e, err := l.Append(rated("R1", "a1", fmt.Sprint("s", i), review.Supported))
		if err == nil {
			saved = append(saved, e)
		}
		return err
	}
	ballast := filepath.Join(dir, "ballast")
	write(t, ballast, make([]byte, 128<<10))
	var err error
	for i := 0; err == nil && i < 5000; i++ {
		err = save(i)
	}
	if fault.KindOf(err) != fault.IO || !strings.Contains(fmt.Sprint(err), path) || !strings.Contains(fmt.Sprint(err), "space") {
		t.Fatalf("a full disk says where and why: %v", err)
	}
	if v := mustHold(t, l); v.Events != len(saved) {
		t.Errorf("%d events for %d saved", v.Events, len(saved))
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if err := save(-1); err != nil {
		t.Fatalf("after space came back: %v", err)
	}
	for _, e := range saved {
		if got, n, err := l.Current(e.Key); n != 1 || got.ID != e.ID || err != nil {
			t.Fatalf("%s is gone: %v", e.ID, err)
		}
	}
}

func TestReadOnlyFolder(t *testing.T) {
	dir := testfiles.MountSmall(t, "size=512k")
	path := filepath.Join(dir, "readings.db")
	filled(t, path, 1)
	testfiles.MakeReadOnly(t, dir)
	for _, path := range []string{path, filepath.Join(dir, "new.db")} {
		if _, err := OpenLedger(path); fault.KindOf(err) != fault.IO || !strings.Contains(fmt.Sprint(err), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
