package dataset_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"plumbline/backend/dcm"
	"plumbline/backend/fault"
)

// drawn makes a DICOM object without pixels of the study of a series.
func drawn(t testing.TB, class, series string, more ...dcm.WriteTag) []byte {
	t.Helper()
	tags := append([]dcm.WriteTag{{Tag: 0x00080060, VR: "CS", Value: "OT"}, {Tag: 0x0020000D, VR: "UI", Value: dcm.UID("study of", series)}}, more...)
	var b bytes.Buffer
	if err := dcm.Write(&b, dcm.WriteImage{SOPClass: class, InstanceUID: dcm.UID("object", class, series), Tags: tags}); err != nil {
		t.Fatal(err)
	}
	whole := b.Bytes()
	return whole[:bytes.Index(whole, []byte{0xE0, 0x7F, 0x10, 0x00})]
}

// structures makes a structure set with one square on the frame of a series that is at a height of 3 mm.
func structures(t testing.TB, series string, z int) []byte {
	t.Helper()
	return drawn(t, "1.2.840.10008.5.1.4.1.1.481.3", series, square(z)...)
}

// square is what a structure set holds of one square at a height.
func square(z int) []dcm.WriteTag {
	item := func(tags ...dcm.WriteTag) [][]dcm.WriteTag { return [][]dcm.WriteTag{tags} }
	points := fmt.Sprintf(`2\3\%d\6\3\%d\6\9\%d\2\9\%d`, z, z, z, z)
	contour := item(dcm.WriteTag{Tag: 0x30060042, VR: "CS", Value: "CLOSED_PLANAR"}, dcm.WriteTag{Tag: 0x30060050, VR: "DS", Value: points})
	return []dcm.WriteTag{
		{Tag: 0x30060020, VR: "SQ", Items: item(dcm.WriteTag{Tag: 0x30060022, VR: "IS", Value: "1"}, dcm.WriteTag{Tag: 0x30060026, VR: "LO", Value: "lung"})},
		{Tag: 0x30060039, VR: "SQ", Items: item(dcm.WriteTag{Tag: 0x30060040, VR: "SQ", Items: contour}, dcm.WriteTag{Tag: 0x30060084, VR: "IS", Value: "1"})},
	}
}

func TestOverlaysOfACase(t *testing.T) {
	dir := t.TempDir()
	for n := range 4 {
		put(t, dir, fmt.Sprintf("ct/%d.dcm", n), slice(t, "P", "one", n, 3))
	}
	put(t, dir, "other/1.dcm", slice(t, "P", "two", 0, 4))
	put(t, dir, "rt.dcm", structures(t, "one", 3))
	put(t, dir, "far.dcm", structures(t, "one", 300))
	ix := newIndex(t)
	for range 2 { // found out, and from the index
		s, problems := open(t, dir, ix)
		expect(t, problems)
		if s.Counts().Cases != 2 || s.Counts().Skipped != 2 {
			t.Errorf("counts %+v", s.Counts())
		}
		for _, id := range s.IDs() {
			c, err := s.Case(id)
			if err != nil {
				t.Fatal(err)
			}
			got, said, err := s.Overlays(context.Background(), id, "1")
			if err != nil {
				t.Fatal(err)
			}
			if c.Images[0].Path != "ct" {
				if len(got)+len(said) != 0 {
					t.Errorf("another study has %+v, %v", got, said)
				}
				continue
			}
			expect(t, said, told("far.dcm", "lies outside the frames"))
			if len(got) != 1 || got[0].Label != "lung" || len(got[0].Regions) != 1 || *got[0].Regions[0].Frame != 1 || got[0].Regions[0].Image != "1" {
				t.Errorf("overlays %+v", got)
			}
		}
		if _, _, err := s.Overlays(context.Background(), "none", "1"); fault.KindOf(err) != fault.NotFound {
			t.Errorf("no case: %v", err)
		}
	}
}

// What speaks of the same space is looked at, whatever study it says that it belongs to.
func TestObjectsOfTheSameSpace(t *testing.T) {
	space := dcm.WriteTag{Tag: 0x00200052, VR: "UI", Value: dcm.UID("space")}
	for name, tags := range map[string][]dcm.WriteTag{"the same": {space}, "none": nil} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for n := range 3 {
				put(t, dir, fmt.Sprintf("ct/%d.dcm", n), slice(t, "P", "one", n, 3, space))
			}
			put(t, dir, "rt.dcm", drawn(t, "1.2.840.10008.5.1.4.1.1.481.3", "of another study", append(tags, square(3)...)...))
			s, problems := open(t, dir, nil)
			expect(t, problems)
			got, said, err := s.Overlays(context.Background(), s.IDs()[0], "1")
			if err != nil || len(said) != 0 || len(got) != len(tags) {
				t.Errorf("%+v, %v, %v", got, said, err)
			}
		})
	}
}
