package export

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"plumbline/backend/review"
)

// samples writes rows for trainers: a file for each part of the split, and beside it where each row is from.
type samples struct {
	*job
	files map[string]*file // by name
	lists map[string]bool  // files that hold one JSON array
}

func newSamples(j *job) *samples {
	return &samples{job: j, files: map[string]*file{}, lists: map[string]bool{}}
}

// from says where a row is from; the trainer's file does not hold it.
type from struct {
	Case     review.CaseID     `json:"case"`
	Cluster  string            `json:"cluster_id"`
	Split    string            `json:"split"`
	Chain    review.ChainID    `json:"chain,omitempty"`
	Question review.QuestionID `json:"question,omitempty"`
	Step     review.StepID     `json:"step,omitempty"`
	Rule     string            `json:"rule,omitempty"` // by which a pair was made
	Label    Label             `json:"label"`
}

// rowLine is a line of rows.jsonl.
type rowLine struct {
	File string `json:"file"`
	Row  int    `json:"row"` // from 0
	from
}

// partFile names the file of a part: "sft.json" of "train" is "sft.train.json".
func partFile(name, part string) string {
	return base(name) + "." + part + name[len(base(name)):]
}

// row appends v to the file of the case's part. A name that ends in .json holds an array, one in .jsonl lines.
func (s *samples) row(name string, c *Case, f from, v any) error {
	f.Case, f.Cluster, f.Split = c.ID, c.Cluster, s.partOf(c)
	name = partFile(name, f.Split)
	x, open := s.files[name]
	if !open {
		var err error
		if x, err = s.create(name); err != nil {
			return err
		}
		s.files[name] = x
		s.lists[name] = strings.HasSuffix(name, ".json")
	}
	at := x.rows
	write := x.line
	if s.lists[name] {
		write = list{x}.item
	}
	if err := write(v); err != nil {
		return err
	}
	s.label(f.Label)
	return s.trail.line(rowLine{name, at, f})
}

// close ends the arrays.
func (s *samples) close() error {
	for _, name := range sortedKeys(s.files) {
		if s.lists[name] {
			if err := (list{s.files[name]}).end(); err != nil {
				return err
			}
		}
	}
	return nil
}

// tallied counts a case as written where rows came of it, else as left aside for why.
func (s *samples) tallied(c *Case, rows int, why string) error {
	if rows > 0 {
		s.counts.wrote(unitCases, 1)
		return nil
	}
	return s.counts.left(unitCases, string(c.ID), why)
}

// notListed is why a case is left aside that a given split does not name.
const notListed = "the list of the split does not name it"

// picture writes a frame as PNG, once, and gives its path in the export; "" where it cannot be drawn.
func (j *job) picture(ctx context.Context, c *Case, s review.Stack, frame int) (string, error) {
	if frame < 0 || frame >= len(s.Frames) || s.Frames[frame].Problem != "" {
		return "", nil
	}
	at := "images/" + name(string(c.ID)) + "/" + name(string(s.Image))
	if len(s.Frames) > 1 {
		at += fmt.Sprintf("-%04d", frame) // 0-based, as in our records
	}
	at += ".png"
	if _, written := j.pictures[at]; written {
		return at, nil
	}
	b, err := j.Picture(ctx, c.ID, s.Image, frame)
	if err != nil {
		return "", err
	}
	j.pictures[at] = string(c.ID)
	return at, j.put(at, b)
}

// shown gives the frames of an image that go into a sample: all, or at even distances the most that are asked for; those that a case shows
// where it says so.
func (j *job) shown(c *Case, s review.Stack) []int {
	var all []int
	for i, f := range s.Frames {
		if f.Problem == "" && c.Shows(i, len(s.Frames)) {
			all = append(all, i)
		}
	}
	if len(all) <= j.Frames {
		return all
	}
	if j.Frames == 1 {
		return all[len(all)/2 : len(all)/2+1]
	}
	out := make([]int, j.Frames)
	for i := range out {
		out[i] = all[i*(len(all)-1)/(j.Frames-1)]
	}
	return out
}

// images writes the pictures of a case, in order, and gives their paths.
func (s *samples) images(ctx context.Context, c *Case) ([]string, error) {
	out := []string{}
	for _, st := range c.Stacks {
		for _, n := range s.shown(c, st) {
			path, err := s.picture(ctx, c, st, n)
			if err != nil {
				return nil, err
			}
			if path != "" {
				out = append(out, path)
			}
		}
	}
	return out, nil
}

// keyImage writes the one picture that shows regions best: the middle of the frames that the first of them lies in, else the middle frame
// of the first image. It gives the path and where it is; "" where the case has no picture.
func (s *samples) keyImage(ctx context.Context, c *Case, regions []review.Region) (string, frameAt, error) {
	at := frameAt{-1, 0}
	for i, st := range c.Stacks {
		if len(st.Frames) > 0 {
			at = frameAt{i, len(st.Frames) / 2}
			break
		}
	}
	for _, r := range regions {
		if i := c.stackOf(r.Image); i >= 0 && len(c.Stacks[i].Frames) > 0 && r.Shape != review.WholeImage {
			from, to := r.Span(len(c.Stacks[i].Frames))
			at = frameAt{i, (from + to) / 2}
			break
		}
	}
	if at.stack < 0 {
		return "", at, nil
	}
	path, err := s.picture(ctx, c, c.Stacks[at.stack], at.frame)
	return path, at, err
}

// frameAt is a frame of an image of a case.
type frameAt struct{ stack, frame int }

// has tells whether a region lies in the frame.
func (c *Case) has(at frameAt, r review.Region) bool {
	if at.stack < 0 || c.stackOf(r.Image) != at.stack {
		return false
	}
	from, to := r.Span(len(c.Stacks[at.stack].Frames))
	return from <= at.frame && at.frame <= to
}

// stackOf finds the image of a region; a region without an image is of the first.
func (c *Case) stackOf(image review.ImageID) int {
	if image == "" && len(c.Stacks) > 0 {
		return 0
	}
	return slices.IndexFunc(c.Stacks, func(s review.Stack) bool { return s.Image == image })
}

// boxOf gives the box around a region in fractions of the stored image; false for a shape without one.
func boxOf(r review.Region) (b [4]float64, ok bool) {
	switch r.Shape {
	case review.Box, review.Ellipse:
		if len(r.Coords) == 4 {
			return [4]float64(r.Coords), true
		}
	case review.Polygon:
		if len(r.Coords) >= 6 {
			b = [4]float64{1, 1, 0, 0}
			for i := 0; i+1 < len(r.Coords); i += 2 {
				b[0], b[1] = min(b[0], r.Coords[i]), min(b[1], r.Coords[i+1])
				b[2], b[3] = max(b[2], r.Coords[i]), max(b[3], r.Coords[i+1])
			}
			return b, b[0] < b[2] && b[1] < b[3]
		}
	}
	return b, false
}

// turned gives a box of the stored image in the frame as it is shown: EXIF turns pictures.
func turned(b [4]float64, exif int) [4]float64 {
	x, y := [2]float64{b[0], b[2]}, [2]float64{b[1], b[3]}
	flip := func(v [2]float64) [2]float64 { return [2]float64{1 - v[1], 1 - v[0]} }
	switch exif {
	case 2:
		x = flip(x)
	case 3:
		x, y = flip(x), flip(y)
	case 4:
		y = flip(y)
	case 5:
		x, y = y, x
	case 6:
		x, y = flip(y), x
	case 7:
		x, y = flip(y), flip(x)
	case 8:
		x, y = y, flip(x)
	}
	return [4]float64{x[0], y[0], x[1], y[1]}
}

// round4 keeps four decimals, which is a tenth of a pixel of a large image.
func round4(v float64) float64 { return math.Round(v*1e4) / 1e4 }

// boxText writes boxes as chains of reasoning hold them: "[0.5500, 0.6000, 0.9000, 0.9500]", fractions of the picture as shown.
func boxText(regions []review.Region, exif int) string {
	var b strings.Builder
	for _, r := range regions {
		box, ok := boxOf(r)
		if !ok {
			continue
		}
		box = turned(box, exif)
		b.WriteString(" [")
		for i, v := range box {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strconv.FormatFloat(v, 'f', 2, 64))
		}
		b.WriteByte(']')
	}
	return b.String()
}

// exifOf gives how the image of a region is to be turned.
func (c *Case) exifOf(r review.Region) int {
	if i := c.stackOf(r.Image); i >= 0 && len(c.Stacks[i].Frames) > 0 {
		return c.Stacks[i].Frames[0].ExifOrientation
	}
	return 0
}
