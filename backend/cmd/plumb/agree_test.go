package main

import (
	"strings"
	"testing"

	"plumbline/backend/desktest"
	"plumbline/backend/report"
	"plumbline/backend/review"
)

func TestAgree(t *testing.T) {
	t.Setenv("PLUMBLINE_HOME", t.TempDir())
	study := desktest.New(t)
	for _, who := range []*desktest.Person{study.Coordinator(), study.As("ann")} {
		if err := who.Desk.Close(); err != nil {
			t.Fatal(err)
		}
	}
	ws := "--workspace=" + study.Folder("coordinator")
	plumb(t, 9, "agree", "--workspace="+study.Folder("ann"))
	rows := func() map[string]report.Agreement {
		out := map[string]report.Agreement{}
		for _, r := range lines[report.Agreement](t, plumb(t, 0, "agree", "--json", ws)) {
			out[r.Dimension+"/"+r.Stage] = r
		}
		return out
	}
	if none := rows()["support/"]; none.Estimable || none.Alpha != nil || none.Reason != "two readers needed, found 0" {
		t.Errorf("before anybody: %+v", none)
	}
	plumb(t, 0, "rate", "--file", readingFile(t, wholeReading()), ws)
	if one := rows()["support/"]; one.Estimable || one.Items != 6 || one.Readers != 1 || one.Reason != "two readers needed, found 1" {
		t.Errorf("one reader: %+v", one)
	}
	second := wholeReading()
	changed := second.Steps["x11/s3"]
	changed.Support = review.Supported
	second.Steps["x11/s3"] = changed
	plumb(t, 0, "rate", "--reader", "R2", "--file", readingFile(t, second), ws)
	got := rows()
	if two := got["support/"]; !two.Estimable || two.Readers != 2 || *two.Percent != 5./6 || *two.Alpha <= 0 || *two.Alpha >= 1 || len(two.Interval) != 0 {
		t.Errorf("two readers: %+v", two)
	}
	if place := got["model_place/"]; place.Estimable || *place.Percent != 1 || !strings.Contains(place.Reason, "no variation") {
		t.Errorf("always the same answer: %+v", place)
	}
	if _, known := got["support/Impression"]; !known {
		t.Errorf("no row for a stage: %v", got)
	}
	out := plumb(t, 0, "agree", ws)
	for _, want := range []string{"support\t6 items, 6 of them rated twice or more, 2 readers\tsame 0.833\talpha (ordinal) 0.", "model_place\t4 items", "not estimable: no variation", "evidence\t2 items, 0 of them"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in %s", want, out)
		}
	}
}
