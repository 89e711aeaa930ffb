package dataset

import (
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"plumbline/backend/dcm"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// stackRow is a stack as it lies in the index, with where its frames are.
type stackRow struct {
	Stack   review.Stack `json:"stack"`
	Files   []string     `json:"files"` // relative to the root
	At      [][2]int     `json:"at"`    // per frame: which of Files, and its number there
	Study   string       `json:"study,omitempty"`
	Patient string       `json:"patient,omitempty"` // a stand-in for the identity in the file
	Objects []string     `json:"objects,omitempty"` // files of the same study that draw over images, relative to the root
}

// group turns headers of image files into stacks. DICOM files of a series belong together; any other file stands alone. Files that dcm takes
// for copies of others are in no stack; of two copies the one without trouble stays.
func group(headers []dcm.Header, rel map[string]string) (rows []stackRow, copies []string) {
	headers = slices.Clone(headers)
	slices.SortStableFunc(headers, func(a, b dcm.Header) int { return troubled(a) - troubled(b) })
	byPath := map[string]dcm.Header{}
	var series []dcm.Header
	var stacks []review.Stack
	for _, h := range headers {
		byPath[h.Path] = h
		if h.SeriesUID == "" {
			stacks = append(stacks, dcm.Group([]dcm.Header{h})...)
			continue
		}
		series = append(series, h)
	}
	stacks = append(stacks, dcm.Group(series)...)
	used := map[string]bool{}
	for _, st := range stacks {
		if len(st.Frames) == 0 {
			continue
		}
		row := stackRow{Stack: st}
		number := map[string]int{}
		for _, f := range st.Frames {
			used[f.Path] = true
			if _, known := number[f.Path]; !known {
				number[f.Path] = len(row.Files)
				row.Files = append(row.Files, rel[f.Path])
			}
			row.At = append(row.At, [2]int{number[f.Path], f.FileFrame})
		}
		h := byPath[st.Frames[0].Path]
		row.Study, row.Patient = h.StudyUID, standIn(h.PatientID)
		rows = append(rows, row)
	}
	for _, h := range headers {
		if !used[h.Path] {
			copies = append(copies, rel[h.Path])
		}
	}
	slices.Sort(copies)
	return rows, copies
}

// troubled counts the frames of a file that cannot be shown.
func troubled(h dcm.Header) (n int) {
	for _, f := range h.Frames {
		if f.Problem != "" {
			n++
		}
	}
	return n
}

// isCopy is what is said of a file that group leaves out.
const isCopy = "a copy of another file (the same instance at the same place); left out"

// standIn gives the code under which a patient's identity in a file is known here: the identity itself goes nowhere.
func standIn(patient string) string {
	if patient == "" {
		return ""
	}
	return "P-" + string(review.DigestOf([]byte("patient/" + patient)))[len("sha256:"):][:10]
}

// restore puts the places of the frames back, which JSON does not carry.
func (r *stackRow) restore(dir string) error {
	if len(r.At) != len(r.Stack.Frames) {
		return fmt.Errorf("%d places for %d frames", len(r.At), len(r.Stack.Frames))
	}
	for i := range r.Stack.Frames {
		at := r.At[i]
		if at[0] < 0 || at[0] >= len(r.Files) {
			return fmt.Errorf("no file %d", at[0])
		}
		f := &r.Stack.Frames[i]
		f.Index, f.Path, f.FileFrame = i, filepath.Join(dir, filepath.FromSlash(r.Files[at[0]])), at[1]
	}
	return nil
}

// stack takes a stack from the index.
func (s *Set) stack(key string) (stackRow, error) {
	var row stackRow
	b, err := s.ix.Get(bucketStacks, key)
	if err != nil {
		return row, err
	}
	if b != nil {
		err = json.Unmarshal(b, &row)
	}
	if err == nil && b != nil {
		err = row.restore(s.root.dir)
	}
	if err != nil || b == nil {
		return row, fault.New(fault.Damaged, "look up in index", key, "the index does not hold this image; delete index.db and open again")
	}
	return row, nil
}

// noteFrames notes the frames of a stack that cannot be shown, one problem a file, and says how many can.
func noteFrames(id review.CaseID, row stackRow, t *troubles) (good int) {
	told := map[int]bool{}
	for i, f := range row.Stack.Frames {
		if f.Problem == "" {
			good++
			continue
		}
		if file := row.At[i][0]; !told[file] {
			told[file] = true
			t.addf(id, row.Files[file], 0, "", "frame %d: %s", row.At[i][1], f.Problem)
		}
	}
	return good
}

// stem is a file's path without its ending. What the ending is in small letters may have more bytes.
func stem(rel string) string {
	const volume = ".nii.gz"
	if at := len(rel) - len(volume); at >= 0 && strings.EqualFold(rel[at:], volume) {
		return rel[:at]
	}
	return strings.TrimSuffix(rel, path.Ext(rel))
}
