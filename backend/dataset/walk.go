package dataset

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"plumbline/backend/dcm"
	"plumbline/backend/fault"
)

// found is one file below a folder.
type found struct {
	rel   string // to the folder walked, with forward slashes
	stamp stamp
	wrong string // why it is not looked into, or ""
}

// walk lists the files below dir in the order of their paths. Names that begin with a dot are none of ours; a link is followed to a file below
// dir and nowhere else. A folder that cannot be listed stands in the result with what was wrong.
func walk(ctx context.Context, dir string) ([]found, error) {
	base, err := newRoot(dir)
	if err != nil {
		return nil, err
	}
	var out []found
	err = filepath.WalkDir(base.real, func(name string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		rel, relErr := filepath.Rel(base.real, name)
		if relErr != nil {
			return relErr
		}
		rel = filepath.ToSlash(rel)
		hidden := strings.HasPrefix(path.Base(rel), ".") && rel != "."
		switch {
		case err != nil && rel == ".":
			return err
		case err != nil:
			out = append(out, found{rel, stamp{Size: -1}, "cannot be read: " + cause(err)})
		case hidden && d.IsDir():
			return fs.SkipDir
		case d.IsDir() || hidden:
		case isArchive(rel) && (d.Type().IsRegular() || d.Type()&fs.ModeSymlink != 0):
			out = append(out, base.visitArchive(rel, name)...)
		case d.Type().IsRegular() || d.Type()&fs.ModeSymlink != 0:
			out = append(out, base.visit(rel, name))
		}
		return nil
	})
	return out, err
}

// visit stamps one file, or one link to a file below the root.
func (r root) visit(rel, name string) found {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return found{rel, stamp{Size: -1}, "cannot be read: " + cause(err)}
	case !info.Mode().IsRegular():
		return found{rel, stampOf(info), "a link to what is no file"}
	}
	out := found{rel, stampOf(info), ""}
	if link, err := os.Lstat(name); err == nil && link.Mode()&fs.ModeSymlink != 0 && !r.holds(name) {
		out.wrong = "a link that leaves the folder"
	}
	return out
}

// peeked is what one file turned out to be: an image, something to skip, or trouble.
type peeked struct {
	header  dcm.Header
	image   bool
	draws   bool   // a segmentation, structure set or report, which draws over images
	problem string // "" where it is an image or to be skipped
	err     error  // what the decoder said, where it said something
}

// peek loads the header of a file that may be an image.
func (s *Set) peek(name string) peeked {
	if noData[endingOf(name)] || strings.EqualFold(filepath.Base(name), "DICOMDIR") {
		return peeked{}
	}
	f, err := dcm.LoadFrom(name, s.files.open)
	if err != nil {
		return peeked{err: err, problem: s.complaint(name, err)}
	}
	defer f.Close()
	h := f.Header()
	return peeked{header: h, image: h.HasPixels && len(h.Frames) > 0, draws: h.Draws()}
}

// complaint says what is wrong with a file that could not be loaded, "" where it promised no image. A DICOM object without an image (a report,
// a directory) is none, and not broken.
func (s *Set) complaint(name string, err error) string {
	promise := s.promiseOf(name)
	switch {
	case promise == "" || promise == "DICOM" && errors.Is(err, dcm.ErrNotImage):
		return ""
	case errors.Is(err, dcm.ErrNotImage):
		return reason(err) + "; an image of a supported kind expected"
	}
	return reason(err) + "; the file is left out"
}

// reason gives the innermost words of a fault: the problem names the file already.
func reason(err error) string {
	var f *fault.Error
	for errors.As(err, &f) && f.Err != nil {
		err = f.Err
		f = nil
	}
	return cause(err)
}

// noData are the endings of files that lie beside images and are passed over unopened.
var noData = endings("txt md tsv csv json jsonl yaml yml toml ini xml html htm css js ts py go sh log rst pdf doc docx xls xlsx ppt pptx " +
	"gz zip tar tgz bz2 xz 7z rar db sqlite parquet npy npz nrrd mha mhd raw sha256 md5 license")

// imageEndings are the endings that promise an image, of a kind that is supported or not.
var imageEndings = endings("dcm dicom ima dic png jpg jpeg jpe bmp gif tif tiff webp jp2 heic nii nii.gz")

// endingOf gives the ending of a file's name, in small letters; that of a compressed NIfTI file has two parts.
func endingOf(name string) string {
	name = strings.ToLower(path.Base(filepath.ToSlash(name)))
	if strings.HasSuffix(name, ".nii.gz") {
		return ".nii.gz"
	}
	return path.Ext(name)
}

func endings(list string) map[string]bool {
	out := map[string]bool{}
	for _, e := range strings.Fields(list) {
		out["."+e] = true
	}
	return out
}

// promiseOf says what image a file's first bytes or name promise: DICOM, another by its ending, or "" for none.
func (s *Set) promiseOf(name string) string {
	f, err := s.files.open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	b := make([]byte, 132)
	n, _ := f.ReadAt(b, 0) // a shorter file has a shorter beginning
	ending := endingOf(name)
	switch b = b[:n]; {
	case n == 132 && string(b[128:]) == "DICM":
		return "DICOM"
	case strings.HasPrefix(string(b), "\x89PNG"), strings.HasPrefix(string(b), "\xff\xd8\xff"):
		return "picture"
	case imageEndings[ending]:
		return ending
	}
	return ""
}
