package review

// A Frame describes one decoded frame: all that is needed to show its samples right. Samples travel apart from it, by URL.
type Frame struct {
	Index          int       `json:"index"` // 0-based within its image
	Rows           int       `json:"rows"`
	Columns        int       `json:"columns"`
	Samples        int       `json:"samples"` // per pixel: 1, or 3 for colour
	BitsAllocated  int       `json:"bits_allocated"`
	BitsStored     int       `json:"bits_stored"`
	Signed         bool      `json:"signed"`
	Float          bool      `json:"float,omitempty"`
	Photometric    string    `json:"photometric"`
	TransferSyntax string    `json:"transfer_syntax"`
	Lossy          bool      `json:"lossy"`
	Slope          float64   `json:"slope"` // 1 when there is none
	Intercept      float64   `json:"intercept"`
	Unit           string    `json:"unit"` // of value = stored*slope+intercept: "HU", a rescale type, or ""
	Windows        []Window  `json:"windows"`
	VOIFunction    string    `json:"voi_function"` // LINEAR, LINEAR_EXACT or SIGMOID
	WindowComputed bool      `json:"window_computed"`
	SpacingMM      []float64 `json:"spacing_mm"`     // [row, column], or null when unknown
	SpacingSource  string    `json:"spacing_source"` // the attribute it came from, or ""
	Position       []float64 `json:"position"`       // patient x, y, z of the first pixel's centre in mm; or null
	Orientation    []float64 `json:"orientation"`    // six direction cosines, row then column; or null
	Padding        *float64  `json:"padding"`        // stored value that is no image, or null
	PaddingLimit   *float64  `json:"padding_limit"`
	Invert         bool      `json:"invert"`      // MONOCHROME1 or an INVERSE presentation: after the window, once
	DurationMS     float64   `json:"duration_ms"` // of a cine frame; 0 when none
	Problem        string    `json:"problem"`     // why this frame cannot be shown, or ""
	// What few files have:
	ModalityLUT        *LUT      `json:"modality_lut,omitempty"`        // stands in for slope and intercept
	VOILUTs            []LUT     `json:"voi_luts,omitempty"`            // stand beside the windows, after them in choice
	Palette            *Palette  `json:"palette,omitempty"`             // of PALETTE COLOR
	PixelAspect        []float64 `json:"pixel_aspect,omitempty"`        // [height, width] of a pixel where spacing is unknown
	PatientOrientation []string  `json:"patient_orientation,omitempty"` // of a row and of a column, in letters, where Orientation is unknown
	ExifOrientation    int       `json:"exif_orientation,omitempty"`    // 2-8: to be shown turned so; rows, columns, samples and regions are as stored
	Path               string    `json:"-"`                             // the file that holds it: never crosses the border
	FileFrame          int       `json:"-"`                             // its 0-based number in that file
}

// Window is one window of the file: width and centre in modality units, after the modality transform.
type Window struct {
	Center      float64 `json:"center"`
	Width       float64 `json:"width"`
	Explanation string  `json:"explanation"`
}

// LUT maps First, First+1 … to Data; below First counts as First, above the end as the last entry (PS3.3 C.11.1.1).
type LUT struct {
	First       int      `json:"first"`
	Bits        int      `json:"bits"` // of an entry: 8-16
	Data        []uint16 `json:"data"`
	Explanation string   `json:"explanation,omitempty"`
	Unit        string   `json:"unit,omitempty"` // of a modality LUT: its type
}

// Palette is the colour of each stored value (PS3.3 C.7.6.3.1.5).
type Palette struct {
	Red   LUT `json:"red"`
	Green LUT `json:"green"`
	Blue  LUT `json:"blue"`
}

// Stack is an image with its frames in reading order.
type Stack struct {
	Image       ImageID   `json:"image"`
	Kind        ImageKind `json:"kind"`
	Modality    string    `json:"modality"`
	Description string    `json:"description"`
	Series      string    `json:"series"` // Series Instance UID
	// Space is the Frame of Reference UID: places in the patient mean the same in stacks that share it. "" where none is told.
	Space     string   `json:"space"`
	Synthetic bool     `json:"synthetic"`
	Frames    []Frame  `json:"frames"`
	Reasons   []string `json:"reasons"` // geometry and order warnings in words
}

// Samples is one decoded frame: rows top to bottom, columns left to right, samples of a pixel interleaved, little-endian, BitsAllocated/8
// bytes each (1 byte, 0 or 1, where BitsAllocated is 1), moved down to bit 0 and sign-extended. No rescale, window or palette is applied.
type Samples struct {
	Rows, Columns int
	PerPixel      int // 1 or 3 (4 never leaves the decoder)
	BitsAllocated int // 1, 8, 16, 32 or 64
	Signed, Float bool
	Data          []byte // Rows*Columns*PerPixel*max(1,BitsAllocated/8) bytes
}

// Width gives the bytes of one sample.
func (s Samples) Width() int { return max(1, s.BitsAllocated/8) }
