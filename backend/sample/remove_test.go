package sample

import (
	"bytes"
	"context"
	"testing"

	"plumbline/backend/fault"
	"plumbline/backend/phantom"
	"plumbline/backend/review"
)

func TestWithoutTakesTheFindingOutAndNothingElse(t *testing.T) {
	s, ok := OpenStudy(newPlan(7).dataset())
	if !ok {
		t.Fatal("the study is not known again")
	}
	volumes, films, bare := 0, 0, 0
	for _, c := range s.plan.cases {
		if volumes > 0 && films > 0 && bare > 0 {
			break
		}
		f, present := c.exam.finding()
		if present && !c.exam.film && volumes > 0 {
			continue
		}
		got, err := s.Without(context.Background(), review.CaseID(c.id), "")
		switch {
		case !present:
			bare++
			if fault.KindOf(err) != fault.NotFound {
				t.Errorf("%s without a finding: %v", c.id, err)
			}
			continue
		case err != nil:
			t.Fatal(err)
		case c.exam.film:
			films++
			if len(got) != 1 || bytes.Equal(got[0], storedFilm(c.exam.scene.Film())) {
				t.Errorf("%s: %d films, or the %s is still there", c.id, len(got), f.Kind)
			}
			continue
		}
		volumes++
		changed := 0
		for n := range got {
			if with, without := c.exam.scene.Pair(n, 0); !bytes.Equal(got[n], storedCT(without)) {
				t.Errorf("%s frame %d is not the frame without the finding", c.id, n)
			} else if !bytes.Equal(got[n], storedCT(with)) {
				changed++
			}
		}
		if len(got) != phantom.Frames || changed == 0 {
			t.Errorf("%s: %d frames, %d changed", c.id, len(got), changed)
		}
	}
}

func TestOpenStudyKnowsOnlyTheSample(t *testing.T) {
	info := newPlan(7).dataset()
	for name, change := range map[string]func(*review.Dataset){
		"another name":   func(d *review.Dataset) { d.Name = "Other" },
		"another source": func(d *review.Dataset) { d.Source = "plumb sample --seed seven" },
		"more after it":  func(d *review.Dataset) { d.Source += " changed" },
	} {
		other := info
		change(&other)
		if _, ok := OpenStudy(other); ok {
			t.Errorf("%s: taken for the sample study", name)
		}
	}
	if _, err := (&Study{newPlan(7)}).Without(context.Background(), "case-99", ""); fault.KindOf(err) != fault.NotFound {
		t.Errorf("an unknown case: %v", err)
	}
}
