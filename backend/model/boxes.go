package model

import "plumbline/backend/review"

// Convention says how a model writes a box; it is a setting of a profile.
type Convention review.BoxConvention

// What the numbers of a box count: see review.
const (
	SpaceUnit     = review.SpaceUnit
	SpaceThousand = review.SpaceThousand
	SpaceLoc      = review.SpaceLoc
	SpacePixels   = review.SpacePixels
	SpacePercent  = review.SpacePercent
	SpacePadded   = review.SpacePadded
)

// Fault says what is wrong with a convention, or "".
func (c Convention) Fault() string { return review.BoxConvention(c).Fault() }

// String names a convention as a region's source holds it: "thousand xyxy".
func (c Convention) String() string { return review.BoxConvention(c).String() }

// ask tells a model in which numbers a box is expected.
func (c Convention) ask() string {
	order := map[string]string{"": "[x0,y0,x1,y1]", "xyxy": "[x0,y0,x1,y1]", "yxyx": "[y0,x0,y1,x1]", "xywh": "[x,y,width,height]", "cxcywh": "[centre x,centre y,width,height]"}[c.Order]
	space := map[string]string{
		"": "fractions of the picture from 0 to 1", SpaceUnit: "fractions of the picture from 0 to 1", SpaceThousand: "whole numbers from 0 to 1000",
		SpaceLoc: "whole numbers from 0 to 1023", SpacePixels: "pixels of the picture", SpacePercent: "percent of the picture",
		SpacePadded: "fractions of the square around the picture from 0 to 1",
	}[c.Space]
	return "A box is " + order + " in " + space + "."
}

// Sent is one picture as it was sent, and which of the case's pictures it was made from.
type Sent struct {
	Image    review.ImageID
	Frame    *int // of a volume, 0-based
	Whole    bool // the image has this one picture only
	Columns  int  // as sent
	Rows     int
	Turned   int    // EXIF orientation by which it was turned before it was sent, 1–8; 0: as stored
	Modality string // as the case says; may be empty
}

// unit turns four numbers into x0,y0,x1,y1 in fractions of the stored picture; false where they are no box of it.
func (c Convention) unit(n [4]float64, s Sent) ([4]float64, bool) {
	return review.BoxConvention(c).Unit(n, s.Columns, s.Rows, s.Turned)
}
