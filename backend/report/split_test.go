package report_test

import (
	"strings"
	"testing"

	"plumbline/backend/report"
)

func TestReadSplit(t *testing.T) {
	got, err := report.ReadSplit(strings.NewReader("\ufeffCase,note,split\r\nc1,\"a,b\",train\r\nc2,,test\r\n"))
	if err != nil || len(got) != 2 || got["c1"] != "train" || got["c2"] != "test" {
		t.Errorf("%v, %v", got, err)
	}
	for text, want := range map[string]string{
		"":                                    "line 1",
		"id,split\n":                          "case and split",
		"case,split\nc1\n":                    "line 2: 1 columns",
		"case,split\nc1,\n":                   "line 2",
		"case,split\nc1,train\nc1,test\n":     "line 3: c1 is in train already",
		"case,split\nc1,\"unfinished\nc2,b\n": "",
	} {
		if _, err := report.ReadSplit(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func FuzzReadSplit(f *testing.F) {
	f.Add("case,split\nc1,train\n")
	f.Add("\ufeffcase,split\r\n\"c,1\",test")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<16 {
			return
		}
		got, err := report.ReadSplit(strings.NewReader(text))
		for id, part := range got {
			if err != nil || id == "" || part == "" {
				t.Fatalf("%q in %q, %v", id, part, err)
			}
		}
	})
}
