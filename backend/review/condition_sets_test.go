package review

import (
	"slices"
	"strings"
	"testing"
)

func TestConditionSets(t *testing.T) {
	for _, s := range ConditionSets() {
		got, err := ExpandConditions([]string{s.Name})
		if err != nil || len(got) != len(s.Conditions) {
			t.Errorf("%s: %v, %v", s.Name, got, err)
		}
	}
	got, err := ExpandConditions([]string{"2x2/remove", "original", "noop"})
	want := []string{"original", "occ/remove", "given:orig", "occ/remove+given:occ/remove", "occ/remove+given:orig", "given:occ/remove", "noop"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for text, says := range map[string]string{"2x2/pink": "a fill", "standards": "no condition", "standard/remove": "no condition"} {
		if _, err := ExpandConditions([]string{text}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// The cells of the 2×2 differ from the first in at most two fields.
func TestCellsAreComparable(t *testing.T) {
	all, err := ExpandConditions([]string{"2x2"})
	if err != nil {
		t.Fatal(err)
	}
	first, err := ParseCondition(all[2])
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range all[2:] {
		c, err := ParseCondition(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := first.Comparable(c, 2); err != nil {
			t.Error(err)
		}
	}
}

func TestSlices(t *testing.T) {
	for text, want := range map[string][]int{
		"2-4": {2, 3, 4}, "3": {3}, "8-20": {8, 9}, "every-4": {0, 4, 8}, "middle-2": {4, 5}, "middle-40": {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, "11-12": nil,
	} {
		pick, err := ParseSlices(text)
		if err != nil {
			t.Fatal(text, err)
		}
		if got := pick(10); !slices.Equal(got, want) {
			t.Errorf("%s of 10: %v, want %v", text, got, want)
		}
	}
}
