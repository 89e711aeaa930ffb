package dcm

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"plumbline/backend/review"
)

// Group puts files together that belong to one image and their frames in order. A series becomes one stack, or several where it holds
// frames of another plane, size or frame of reference (a localizer), or the same places more than once (phases, echoes). Every frame knows
// its file. Stacks come in order of their series number and UID.
//
// A file that is a copy of another is left out and said: of the same instance, place and bytes (only then are files read here), or damaged.
//
// Frames with a place in space are ordered by it, along their normal; never by file name or instance number. The image id is the series UID
// (or the path of a picture), with #2, #3 … for the further stacks of a series.
func Group(headers []Header) []review.Stack {
	series := map[string][]*entry{}
	var names []string
	kept, copies := withoutCopies(headers)
	for _, h := range kept {
		for n := range h.Frames {
			f := h.Frames[n]
			f.Path, f.FileFrame = h.Path, n
			key := h.seriesKey()
			if series[key] == nil {
				names = append(names, key)
			}
			series[key] = append(series[key], &entry{header: h, frame: f, mark: h.mark(n)})
		}
	}
	slices.SortStableFunc(names, func(a, b string) int {
		x, y := series[a][0].header, series[b][0].header
		return cmp.Or(cmp.Compare(x.StudyUID, y.StudyUID), cmp.Compare(x.SeriesNumber, y.SeriesNumber), cmp.Compare(a, b))
	})
	out := []review.Stack{}
	for _, name := range names {
		for i, part := range split(series[name]) {
			s := stackOf(part)
			if n := copies[name]; n > 0 && i == 0 {
				s.Reasons = append(s.Reasons, fmt.Sprintf("copies of files left out: %d", n))
			}
			s.Image = review.ImageID(name)
			if i > 0 {
				s.Image = review.ImageID(fmt.Sprintf("%s#%d", name, i+1))
			}
			out = append(out, s)
		}
	}
	return out
}

// withoutCopies gives one file of each, in the order given; of copies one that can be shown. copies counts those left out by series.
func withoutCopies(headers []Header) (kept []*Header, copies map[string]int) {
	copies = map[string]int{}
	alike := map[string][]int{} // where in kept are the files of an identity
next:
	for i := range headers {
		h := &headers[i]
		same := h.identity()
		if same != "" {
			for _, at := range alike[same] {
				other := kept[at]
				if !h.troubled() && !other.troubled() && (h.Size != other.Size || differ(h, other)) {
					continue
				}
				if other.troubled() && !h.troubled() {
					kept[at] = h
				}
				copies[h.seriesKey()]++
				continue next
			}
		}
		alike[same] = append(alike[same], len(kept))
		kept = append(kept, h)
	}
	return kept, copies
}

// differ compares two files of the same size; files that cannot be read do not differ.
func differ(a, b *Header) bool {
	one, err := a.reopen()
	if err != nil {
		return false
	}
	defer one.close()
	two, err := b.reopen()
	if err != nil {
		return false
	}
	defer two.close()
	from, to := io.NewSectionReader(one, 0, one.size), io.NewSectionReader(two, 0, two.size)
	x, y := make([]byte, 1<<16), make([]byte, 1<<16)
	for {
		n, errX := io.ReadFull(from, x)
		m, _ := io.ReadFull(to, y)
		if n != m || !bytes.Equal(x[:n], y[:m]) {
			return true
		}
		if errX != nil {
			return false
		}
	}
}

// reopen opens the file of a header again.
func (h *Header) reopen() (*source, error) {
	if h.open == nil {
		return Opener(OpenFile).source(h.Path)
	}
	return h.open.source(h.Path)
}

// troubled tells whether the file cannot be shown whole.
func (h *Header) troubled() bool {
	for _, f := range h.Frames {
		if f.Problem != "" {
			return true
		}
	}
	return false
}

// identity is the same for copies of a file; "" where the file has none. Files of one identity are copies where they have the same bytes or one
// is damaged: else one is the other in another encoding, a picture of its own. The instance alone does not do: some tools that remove names
// give all files of a series the same one.
func (h *Header) identity() string {
	if h.InstanceUID == "" || len(h.Frames) == 0 {
		return ""
	}
	f := h.Frames[0]
	return fmt.Sprint(h.SeriesUID, "|", h.InstanceUID, "|", h.InstanceNumber, "|", h.AcquisitionNumber, "|", h.TransferSyntax, "|",
		len(h.Frames), "|", f.Rows, f.Columns, f.BitsAllocated, f.Photometric, "|", f.Position)
}

// entry is one frame with the file it came from.
type entry struct {
	header *Header
	frame  review.Frame
	mark   Mark
	plane  string  // what frames of one stack share
	depth  float64 // along the normal
	note   string  // why the frames of its series are in several stacks
}

// seriesKey names what a file belongs to. A projection (a film, an ultrasound still) is an image of its own; so is a file of many frames.
func (h *Header) seriesKey() string {
	if Projection(h.Modality) && h.InstanceUID != "" {
		return h.InstanceUID
	}
	switch {
	case h.SeriesUID == "":
		return h.Path
	case len(h.Frames) > 1 && h.InstanceUID != "":
		return h.InstanceUID
	}
	return h.SeriesUID
}

// Projection tells the modalities whose files are an image each, whatever series they are of.
func Projection(modality string) bool {
	switch modality {
	case "CR", "DX", "MG", "IO", "PX", "RG", "XC", "US", "GM", "SM", "OP", "ES":
		return true
	}
	return false
}

// split parts the frames of a series into stacks, the one that starts earliest first.
func split(all []*entry) [][]*entry {
	planes := map[string][]*entry{}
	var order []string
	for _, e := range all {
		e.place()
		if planes[e.plane] == nil {
			order = append(order, e.plane)
		}
		planes[e.plane] = append(planes[e.plane], e)
	}
	var out [][]*entry
	for _, plane := range order {
		for _, e := range planes[plane] {
			if len(order) > 1 {
				e.note = apart(len(order), e.header.Localizer)
			}
		}
		out = append(out, phases(planes[plane])...)
	}
	slices.SortStableFunc(out, func(a, b []*entry) int {
		return cmp.Or(compareBool(a[0].header.Localizer, b[0].header.Localizer), -cmp.Compare(min(len(a), 2), min(len(b), 2)),
			a[0].earlier(b[0]))
	})
	return out
}

func compareBool(a, b bool) int {
	if a == b {
		return 0
	}
	if b {
		return -1
	}
	return 1
}

// place finds what the frame shares with those of its stack, and its depth among them.
func (e *entry) place() {
	f := e.frame
	e.plane = fmt.Sprintf("%d×%d×%d %s", f.Rows, f.Columns, f.Samples, e.header.FrameOfReference)
	if e.header.Localizer {
		e.plane += " localizer"
	}
	if !placedInSpace(f) {
		e.plane += " nowhere"
		return
	}
	e.depth = along(f)
	for _, v := range f.Orientation {
		e.plane += fmt.Sprintf(" %.2f", math.Round(v*100)/100+0) // +0: no minus before a zero
	}
	for _, v := range f.SpacingMM {
		e.plane += fmt.Sprintf(" %.3f", v)
	}
}

// earlier orders frames by what their files say of time and number.
func (e *entry) earlier(o *entry) int {
	a, b := e.header, o.header
	return cmp.Or(cmp.Compare(a.AcquisitionNumber, b.AcquisitionNumber), cmp.Compare(a.InstanceNumber, b.InstanceNumber),
		cmp.Compare(a.Path, b.Path), cmp.Compare(e.frame.FileFrame, o.frame.FileFrame))
}

// sameDepth is how far apart frames of one place may be, in mm.
const sameDepth = 0.01

// crowd gives the most frames that share one place, and of each frame how many came before it in its place.
func crowd(all []*entry) (most int, rank map[*entry]int) {
	rank = make(map[*entry]int, len(all))
	at := slices.Clone(all)
	slices.SortStableFunc(at, func(a, b *entry) int { return cmp.Compare(a.depth, b.depth) })
	n := 0
	for i, e := range at {
		if i > 0 && e.depth-at[i-1].depth < sameDepth {
			n++
		} else {
			n = 0
		}
		rank[e] = n
		most = max(most, n+1)
	}
	return most, rank
}

// ordered sorts frames along their normal.
func ordered(all []*entry) []*entry {
	slices.SortStableFunc(all, func(a, b *entry) int { return cmp.Compare(a.depth, b.depth) })
	return all
}

// stackOf makes a stack of frames in order.
func stackOf(all []*entry) (s review.Stack) {
	h := all[0].header
	s = review.Stack{
		Kind: review.SingleImage, Modality: h.Modality, Description: strings.TrimSpace(h.Description), Series: h.SeriesUID, Space: h.FrameOfReference,
		Synthetic: h.Synthetic, Frames: make([]review.Frame, len(all)), Reasons: []string{},
	}
	for i, e := range all {
		s.Frames[i] = e.frame
		s.Frames[i].Index = i
		s.Synthetic = s.Synthetic && e.header.Synthetic
	}
	defer func() { s.Reasons = append(s.Reasons, notesOf(all)...) }()
	if len(all) == 1 {
		return s
	}
	g := Measure(s.Frames)
	s.Reasons = g.Reasons
	s.Kind = review.FrameSet
	if g.Orientation != nil && placedInSpace(s.Frames[0]) && s.Frames[0].Position != nil && spread(s.Frames) {
		s.Kind = review.Volume
	}
	return s
}

// notesOf gathers what is to be said of a stack beside its geometry, each once.
func notesOf(all []*entry) []string {
	var out []string
	add := func(text string) {
		if text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	for _, e := range all {
		add(e.note)
		for _, n := range e.header.Notes {
			add(n)
		}
	}
	return out
}

// spread tells whether frames lie in more than one place.
func spread(frames []review.Frame) bool {
	return math.Abs(along(frames[len(frames)-1])-along(frames[0])) > sameDepth
}

func sorted(v []float64) []float64 {
	s := slices.Clone(v)
	slices.Sort(s)
	return s
}
