// Package dcm turns image files into frames: DICOM of every usual transfer syntax, PNG and JPEG.
//
// It is the only package that knows suyashkumar/dicom and the codecs, and the only decoder: what a reader sees and what a model gets are
// the same samples. Load reads a header and never the pixels; File.Samples decodes one frame; Group orders frames in space.
//
// Files come from anywhere, so nothing in them is believed: lengths are checked against the file's size, nesting and memory are bounded,
// and a library's panic ends as a fault of kind Damaged. A fault of kind Invalid means: not an image file, or of a sort not supported.
package dcm
