package experiment

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"image/png"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"plumbline/backend/fault"
	"plumbline/backend/model"
	"plumbline/backend/pixels"
	"plumbline/backend/review"
)

// mostSent is how many frames of one image are sent; of more, so many are taken at even distances.
const mostSent = 64

// notApplicable says why a condition makes no sense for a case. It is counted and no failure.
type notApplicable struct{ why string }

func (e notApplicable) Error() string { return e.why }

func unfit(format string, args ...any) error { return notApplicable{fmt.Sprintf(format, args...)} }

// picture is a set of images ready to be sent, with how it was made.
type picture struct {
	images   []model.Image
	sent     []model.Sent // of each image, which frame of which image of the case it is
	geometry model.Geometry
	recipe   review.Recipe
}

// wanted says which picture a question needs: what is equal is made once.
type wanted struct {
	of      *subject
	image   string
	fill    string
	volume  string
	slices  string
	window  string
	cue     string // drawn
	right   bool
	regions []review.Region // of the evidence
	seed    uint64
}

func (w wanted) key() string {
	return strings.Join([]string{string(w.of.ID), w.image, w.fill, w.volume, w.slices, w.window, w.cue, fmt.Sprint(w.right), regionKey(w.regions)}, "\x00")
}

func regionKey(regions []review.Region) string {
	var b strings.Builder
	number := func(n *int) int {
		if n == nil {
			return -1
		}
		return *n
	}
	for _, r := range regions {
		fmt.Fprintln(&b, r.Image, r.Shape, number(r.Frame), number(r.From), number(r.To), r.Coords)
	}
	return b.String()
}

// want works out what picture question q is asked with. A question without local evidence of its own goes with all of the case's.
func (u *subject) want(c review.Condition, q review.Question, seed int64) (wanted, error) {
	w := wanted{of: u, image: c.Image, fill: c.Fill, volume: c.Volume, slices: c.Slices, window: c.Window, seed: hashOf(fmt.Sprint(seed), string(u.ID), "pixels")}
	if w.image == "noop" || w.image == "" {
		w.image = "original"
	}
	if w.volume == "full" {
		w.volume = ""
	}
	w.cue, w.right = drawn(c)
	if len(u.stacks) == 0 && w.image != "none" {
		return w, unfit("the case has no image")
	}
	switch w.image {
	case "none":
		if w.cue+w.volume+w.slices+w.window != "" {
			return w, unfit("no image is sent, and so none can be changed")
		}
	case "mirror":
		if u.truth[q.ID].Side == "" && !u.sided() {
			return w, unfit("no question of the case has a side")
		}
	case "swap":
		if u.donor == nil {
			return w, unfit("no other patient's image of the same kind has other right answers")
		}
	}
	if !w.local() {
		return w, nil
	}
	if w.regions = u.evidence(q); len(w.regions) == 0 {
		w.regions = u.allEvidence()
	}
	if len(w.regions) == 0 {
		return w, unfit("the case has no local evidence")
	}
	if w.volume != "" && w.volume != "shuffle" && u.stacks[0].Kind != review.Volume {
		return w, unfit("the image is no volume")
	}
	return w, nil
}

// sided says whether any question has a side.
func (u *subject) sided() bool {
	for _, t := range u.truth {
		if t.Side != "" {
			return true
		}
	}
	return false
}

// replaces says whether the evidence or a control region is replaced, or all else.
func (w wanted) replaces() bool {
	return slices.Contains([]string{"occ", "ctl", "only", "onlyctl"}, w.image)
}

// changes says whether pixels are changed where the evidence lies, or where its control does.
func (w wanted) changes() bool {
	return w.replaces() || w.cue != "" || w.volume == "slab-occ" || w.volume == "slab-ctl"
}

// local says whether a picture rests on the evidence.
func (w wanted) local() bool { return w.changes() || w.volume == "key" || w.volume == "drop" }

// recipe begins the recipe of a picture.
func (w wanted) recipe() review.Recipe {
	return review.Recipe{Image: w.image, Fill: w.fill, Regions: []review.Region{}, Frames: []int{}, Seed: w.seed}
}

// make prepares a picture.
func (s Study) make(ctx context.Context, w wanted) (picture, error) {
	p := picture{recipe: w.recipe()}
	if w.image == "none" {
		p.recipe.Digest = digestOf(nil)
		return p, nil
	}
	from := w.of
	if w.image == "swap" {
		from, p.recipe.Donor = w.of.donor, w.of.donor.ID
	}
	for k := range from.stacks {
		if err := s.addStack(ctx, w, from, k, &p); err != nil {
			return p, err
		}
	}
	if len(p.images) == 0 {
		return p, unfit("the case has no frame of an image to send")
	}
	if w.local() && len(p.recipe.Regions) == 0 {
		return p, unfit("the evidence lies in no image that is sent")
	}
	if (w.changes() || w.image == "insert") && len(p.recipe.Frames) == 0 {
		return p, unfit("nothing that is sent would be changed")
	}
	p.geometry.Images = len(p.images)
	p.recipe.Sent, p.recipe.Digest = len(p.images), digestOf(p.images)
	return p, nil
}

// addStack loads one image of the case, changes it as wanted and adds its frames as they are sent.
func (s Study) addStack(ctx context.Context, w wanted, from *subject, k int, p *picture) error {
	c, send, err := s.changed(ctx, w, from, k, p)
	if err != nil || c == nil {
		return err
	}
	for _, n := range send {
		frame, data := c.Frame(n)
		img, err := pixels.ShowDefault(frame, data)
		if err != nil {
			return fault.In("show frame", string(from.ID), err)
		}
		var b bytes.Buffer
		if err := (&png.Encoder{CompressionLevel: png.NoCompression}).Encode(&b, img); err != nil {
			return fault.In("encode frame", string(from.ID), err)
		}
		p.images = append(p.images, model.Image{MIME: "image/png", Bytes: b.Bytes()})
		sent := model.Sent{Image: w.imageOf(k), Whole: c.Frames() == 1, Columns: img.Bounds().Dx(), Rows: img.Bounds().Dy(), Turned: frame.ExifOrientation}
		if !sent.Whole {
			sent.Frame = &n
		}
		p.sent = append(p.sent, sent)
	}
	return nil
}

// imageOf names the k-th image of the case, in which places are told also where another patient's stands for it; "" where the case has none.
func (w wanted) imageOf(k int) review.ImageID {
	if k >= len(w.of.stacks) {
		return ""
	}
	return w.of.stacks[k].Image
}

// changed loads those frames of one image of the case that are sent, changes them as wanted and says which they are, in order; nil where none
// is. Frames keep their numbers; what is not sent is not changed, and no control lies in it: it would have no effect.
func (s Study) changed(ctx context.Context, w wanted, from *subject, k int, p *picture) (*pixels.Changeable, []int, error) {
	stack := from.stacks[k]
	send, err := w.choose(stack, from.Case)
	if err != nil || len(send) == 0 {
		return nil, nil, err
	}
	frames, samples := slices.Clone(stack.Frames), make([]review.Samples, len(stack.Frames))
	for _, n := range send {
		if frames[n], samples[n], err = s.Source.Samples(ctx, from.ID, stack.Image, n); err != nil {
			return nil, nil, err
		}
	}
	c, err := pixels.NewChangeable(frames, samples)
	if err != nil {
		return nil, nil, unfit("image %s: %v", stack.Image, err)
	}
	if err := w.rewindow(frames); err != nil {
		return nil, nil, err
	}
	id := w.imageOf(k)
	if err := s.change(ctx, w, id, stack, c, p); err != nil {
		return nil, nil, err
	}
	g, window := geometryOf(frames, samples, c.First(), len(send))
	if p.geometry.Images == 0 {
		p.geometry, p.recipe.Window = g, window
	}
	p.geometry = p.geometry.Common(g)
	changed := c.Changed()
	p.recipe.Frames = append(p.recipe.Frames, changed...)
	if len(from.stacks) > 1 && len(changed) > 0 {
		if p.recipe.ByImage == nil {
			p.recipe.ByImage = map[review.ImageID][]int{}
		}
		p.recipe.ByImage[cmp.Or(id, stack.Image)] = changed
	}
	p.recipe.Change += c.Change()
	return c, send, nil
}

// rewindow gives frames the window that is wanted.
func (w wanted) rewindow(frames []review.Frame) error {
	if w.window == "" {
		return nil
	}
	window, err := review.ParseWindow(w.window)
	if err != nil {
		return unfit("%v", err)
	}
	for i := range frames {
		if pixels.IsColour(frames[i]) {
			return unfit("a colour image has no window")
		}
		frames[i].Windows, frames[i].VOILUTs, frames[i].VOIFunction, frames[i].WindowComputed = []review.Window{window}, nil, "LINEAR", false
	}
	return nil
}

// geometryOf says in what size and window frames are sent, by the first that can be read. A window is told for Hounsfield units alone:
// elsewhere grey is what it is.
func geometryOf(frames []review.Frame, samples []review.Samples, first, sent int) (model.Geometry, string) {
	g := model.Geometry{Images: sent}
	f := pixels.Windowed(frames[first], samples[first])
	if f.SpacingMM != nil {
		g.PixelMM = f.SpacingMM[0]
	}
	if len(frames) > 1 && frames[0].Position != nil && frames[1].Position != nil && sent == len(frames) {
		sum := 0.0
		for i := range 3 {
			d := frames[1].Position[i] - frames[0].Position[i]
			sum += float64(d * d)
		}
		g.BetweenMM = math.Sqrt(sum)
	}
	window := ""
	if len(f.Windows) > 0 {
		window = fmt.Sprintf("%g/%g", f.Windows[0].Center, f.Windows[0].Width)
		if f.Unit == "HU" {
			g.Center, g.Width = f.Windows[0].Center, f.Windows[0].Width
		}
	}
	return g, window
}

// choose lists the frames of an image of a case that are sent, in order; none where it has none to send. Which frames are picked concerns images
// of several.
func (w wanted) choose(stack review.Stack, of review.Case) ([]int, error) {
	frames := len(stack.Frames)
	several := frames > 1
	picked := func(int) bool { return true }
	if several && w.slices != "" {
		list, err := review.ParseSlices(w.slices)
		if err != nil {
			return nil, unfit("%v", err)
		}
		set := list(frames)
		picked = func(n int) bool { return slices.Contains(set, n) }
	}
	key, drop := several && w.volume == "key", several && w.volume == "drop"
	keys := map[int]bool{}
	if key || drop {
		for _, r := range ofImage(w.regions, stack.Image) {
			if wrong := r.Fault(frames); wrong != "" {
				return nil, unfit("region %s: %s", r.ID, wrong)
			}
			from, to := r.Span(frames)
			for n := from; n <= to; n++ {
				keys[n] = true
			}
		}
	}
	var sent []int
	for n, f := range stack.Frames {
		if f.Problem == "" && of.Shows(n, frames) && picked(n) && !(key && !keys[n]) && !(drop && keys[n]) {
			sent = append(sent, n)
		}
	}
	if all := sent; len(all) > mostSent {
		sent = make([]int, mostSent)
		for i := range sent {
			sent[i] = all[i*(len(all)-1)/(mostSent-1)]
		}
	}
	if w.volume == "shuffle" {
		rand.New(rand.NewPCG(w.seed, 4)).Shuffle(len(sent), func(i, j int) { sent[i], sent[j] = sent[j], sent[i] })
	}
	return sent, nil
}

func ofImage(regions []review.Region, id review.ImageID) []review.Region {
	var out []review.Region
	for _, r := range regions {
		if r.Image == id || r.Image == "" {
			out = append(out, r)
		}
	}
	return out
}

func digestOf(images []model.Image) review.Digest {
	h := sha256.New()
	for _, i := range images {
		d := sha256.Sum256(i.Bytes)
		h.Write(d[:])
	}
	return review.Digest("sha256:" + hex.EncodeToString(h.Sum(nil)))
}

func isUnfit(err error) bool {
	var n notApplicable
	return errors.As(err, &n)
}
