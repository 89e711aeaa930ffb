package model

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"image"
	"image/color"
	_ "image/png" // the form in which images are sent
	"sync"
)

// Oracle searches the pixels it is given for itself and ignores the text around the question: the card, the earlier answers, the cue. It
// knows how the phantom's findings look and nothing of where they are; it can be wrong. Without an image it says that it cannot tell.
//
// The zero value is ready. It remembers what it saw in the latest sets of images, by the hash of their bytes: an experiment shows the same
// pictures many times.
type Oracle struct {
	mu    sync.Mutex
	seen  map[[sha256.Size]byte]*looking
	order [][sha256.Size]byte // of seen, the oldest first
}

// looking is a search under way or done; over is closed when it is done.
type looking struct {
	over chan struct{}
	sight
	err error
}

const remembered = 4096

// Name is "oracle-pixels".
func (*Oracle) Name() string { return "oracle-pixels" }

// Ask looks at the images and picks the option whose text fits what was seen.
func (m *Oracle) Ask(ctx context.Context, r Request) (Reply, error) {
	a, err := understand(r.Prompt)
	if err != nil {
		return Reply{}, err
	}
	if len(r.Images) == 0 {
		return Said{Steps: []Claim{{Text: "There is no image to look at, so I cannot tell.", Type: "no_claim", Places: []Place{}}}}.reply(), nil
	}
	s, err := m.look(ctx, r.Images, a.geometry)
	if err != nil {
		return Reply{}, err
	}
	o, ok := s.choose(a.options)
	if !ok {
		return Said{Steps: []Claim{{Text: "None of the options fits what I see.", Type: "no_claim", Places: []Place{}}}}.reply(), nil
	}
	return Said{Steps: s.explain(a.stage, o), Answer: o.Letter}.reply(), nil
}

// look searches the images, or remembers.
func (m *Oracle) look(ctx context.Context, images []Image, g Geometry) (sight, error) {
	h := sha256.New()
	fmt.Fprintln(h, g)
	for _, i := range images {
		fmt.Fprintln(h, len(i.Bytes))
		h.Write(i.Bytes)
	}
	var key [sha256.Size]byte
	h.Sum(key[:0])
	for {
		l, mine := m.begin(key)
		if mine {
			return m.search(ctx, key, l, images, g)
		}
		select {
		case <-l.over:
		case <-ctx.Done():
			return sight{}, ctx.Err()
		}
		if l.err == nil {
			return l.sight, nil
		}
		// whoever searched was stopped, or the pictures cannot be searched: find out which
	}
}

// begin gives the search of a set of images; mine says that it is the caller who has to do it.
func (m *Oracle) begin(key [sha256.Size]byte) (l *looking, mine bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if l, known := m.seen[key]; known {
		return l, false
	}
	if m.seen == nil {
		m.seen = map[[sha256.Size]byte]*looking{}
	}
	l = &looking{over: make(chan struct{})}
	m.seen[key] = l
	return l, true
}

// search does a search that was begun. One that fails is not remembered.
func (m *Oracle) search(ctx context.Context, key [sha256.Size]byte, l *looking, images []Image, g Geometry) (sight, error) {
	defer close(l.over)
	stack, err := newStack(ctx, images, g)
	if err == nil {
		l.sight = stack.search()
	}
	l.err = err
	m.mu.Lock()
	defer m.mu.Unlock()
	if err != nil {
		delete(m.seen, key)
		return sight{}, err
	}
	if m.order = append(m.order, key); len(m.order) > remembered {
		delete(m.seen, m.order[0])
		m.order = m.order[1:]
	}
	return l.sight, nil
}

// stack is a set of grey pictures turned back into Hounsfield units (for a film: grey values).
type stack struct {
	n, columns, rows int
	geometry         Geometry
	value            []int16 // n × rows × columns
}

const maxPixels = 64 << 20 // in all images of one request

// newStack decodes the images; all must have one size.
func newStack(ctx context.Context, images []Image, g Geometry) (*stack, error) {
	if g.PixelMM <= 0 || g.BetweenMM <= 0 && len(images) > 1 {
		g.PixelMM, g.BetweenMM = 1, 1 // nothing was told: count in pixels
	}
	s := &stack{n: len(images), geometry: g}
	var values [256]int16
	for grey := range values {
		values[grey] = int16(grey)
		if g.Width > 1 { // the window backwards (DICOM PS3.3 C.11.2.1.2.1)
			values[grey] = int16(float64((float64(grey)/255-.5)*(g.Width-1)) + g.Center - .5)
		}
	}
	for i, sent := range images {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		size, _, err := image.DecodeConfig(bytes.NewReader(sent.Bytes))
		if err != nil {
			return nil, fmt.Errorf("image %d: %w", i+1, err)
		}
		if i == 0 {
			s.columns, s.rows = size.Width, size.Height
			if s.columns < 64 || s.rows < 64 || s.n*s.columns*s.rows > maxPixels {
				return nil, fmt.Errorf("%d images of %d × %d pixels are too few or too many to search", s.n, s.columns, s.rows)
			}
			s.value = make([]int16, s.n*s.columns*s.rows)
		}
		if size.Width != s.columns || size.Height != s.rows {
			return nil, fmt.Errorf("image %d has another size than the first", i+1)
		}
		picture, _, err := image.Decode(bytes.NewReader(sent.Bytes))
		if err != nil {
			return nil, fmt.Errorf("image %d: %w", i+1, err)
		}
		s.fill(i, picture, &values)
	}
	return s, nil
}

func (s *stack) fill(i int, picture image.Image, values *[256]int16) {
	out := s.value[i*s.columns*s.rows:]
	if grey, ok := picture.(*image.Gray); ok {
		for row := range s.rows {
			for column, v := range grey.Pix[row*grey.Stride:][:s.columns] {
				out[row*s.columns+column] = values[v]
			}
		}
		return
	}
	b := picture.Bounds()
	for row := range s.rows {
		for column := range s.columns {
			out[row*s.columns+column] = values[color.GrayModel.Convert(picture.At(b.Min.X+column, b.Min.Y+row)).(color.Gray).Y]
		}
	}
}

// search looks for everything the oracle knows.
func (s *stack) search() sight {
	if s.n < 3 {
		return s.searchFilm()
	}
	return s.searchCT()
}
