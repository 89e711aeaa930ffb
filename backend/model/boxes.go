package model

import "plumbline/backend/review"

// askBox tells a model in which numbers a box is expected.
func askBox(c review.BoxConvention) string {
	order := map[string]string{"": "[x0,y0,x1,y1]", "xyxy": "[x0,y0,x1,y1]", "yxyx": "[y0,x0,y1,x1]", "xywh": "[x,y,width,height]", "cxcywh": "[centre x,centre y,width,height]"}[c.Order]
	space := map[string]string{
		"": "fractions of the picture from 0 to 1", review.SpaceUnit: "fractions of the picture from 0 to 1", review.SpaceThousand: "whole numbers from 0 to 1000",
		review.SpaceLoc: "whole numbers from 0 to 1023", review.SpacePixels: "pixels of the picture", review.SpacePercent: "percent of the picture",
		review.SpacePadded: "fractions of the square around the picture from 0 to 1",
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
