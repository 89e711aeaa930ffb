package app

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/rs/zerolog"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// pictures is a desk that holds one signed 16-bit frame, one float64 frame, and a bug.
type pictures struct{ acts }

func (pictures) Frame(_ context.Context, caseID, image string, n int) (review.Frame, review.Samples, error) {
	switch {
	case caseID == "bug":
		panic("broken on purpose")
	case caseID != "a/b" || n > 0:
		return review.Frame{}, review.Samples{}, fault.New(fault.NotFound, "show frame", caseID, "no such frame")
	case image == "wide":
		return review.Frame{}, review.Samples{Rows: 1, Columns: 1, PerPixel: 1, BitsAllocated: 64, Float: true, Data: make([]byte, 8)}, nil
	}
	return review.Frame{}, review.Samples{Rows: 1, Columns: 2, PerPixel: 1, BitsAllocated: 16, Signed: true, Data: []byte{1, 0, 0xff, 0xff}}, nil
}

func (pictures) OverlayFrame(_ context.Context, caseID, layer string, n int) (review.Samples, error) {
	switch {
	case layer == "heat":
		return review.Samples{Rows: 1, Columns: 1, PerPixel: 1, BitsAllocated: 32, Float: true, Data: []byte{0, 0, 0x80, 0x3F}}, nil
	case layer != "file-1-1" || n > 0:
		return review.Samples{}, fault.New(fault.NotFound, "show overlay", layer, "nothing is drawn over frame %d", n)
	}
	return review.Samples{Rows: 1, Columns: 2, PerPixel: 1, BitsAllocated: 8, Data: []byte{0, 255}}, nil
}

func TestServe(t *testing.T) {
	f := &face{desk: pictures{}, log: zerolog.Nop()}
	page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("page")) })
	for _, c := range []struct {
		name, method, path string
		status             int
		body, samples      string
	}{
		{"samples, ids escaped", "GET", "/frames/a%2Fb/i/0", 200, "\x01\x00\xff\xff", "int16"},
		{"no such frame", "GET", "/frames/a%2Fb/i/1", 404, "", ""},
		{"negative", "GET", "/frames/a%2Fb/i/-1", 400, "", ""},
		{"no number", "GET", "/frames/a%2Fb/i/x", 400, "", ""},
		{"too short", "GET", "/frames/a%2Fb", 400, "", ""},
		{"only reading", "POST", "/frames/a%2Fb/i/0", 400, "", ""},
		{"not shown", "GET", "/frames/a%2Fb/wide/0", 422, "", ""},
		{"a panic is an answer", "GET", "/frames/bug/i/0", 500, "", ""},
		{"what a file draws", "GET", "/overlays/a%2Fb/file-1-1/0", 200, "\x00\xff", "uint8"},
		{"a heatmap", "GET", "/overlays/a%2Fb/heat/3", 200, "\x00\x00\x80\x3f", "float32"},
		{"nothing drawn, or hidden", "GET", "/overlays/a%2Fb/file-1-1/1", 404, "", ""},
		{"the page", "GET", "/index.html", 200, "page", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			f.serve(page).ServeHTTP(w, httptest.NewRequest(c.method, c.path, nil))
			if w.Code != c.status {
				t.Fatalf("status %d, want %d: %s", w.Code, c.status, w.Body)
			}
			if c.status == 200 && w.Body.String() != c.body {
				t.Errorf("body %q, want %q", w.Body, c.body)
			}
			if got := w.Header().Get("X-Plumbline-Samples"); got != c.samples {
				t.Errorf("samples %q, want %q", got, c.samples)
			}
			if w.Header().Get("Content-Security-Policy") == "" {
				t.Error("no Content-Security-Policy")
			}
		})
	}
}

func TestBoundPanicIsAFault(t *testing.T) {
	a := &App{face: &face{desk: pictures{}, log: zerolog.Nop(), ctx: context.Background()}}
	_, err := bound(a, func(context.Context, acts) (int, error) { panic("broken on purpose") })
	if fault.KindOf(err) != fault.Internal {
		t.Errorf("got %v, want an internal fault", err)
	}
}

func TestCancelEndsWhatRuns(t *testing.T) {
	a := &App{face: &face{desk: pictures{}, log: zerolog.Nop(), ctx: context.Background()}}
	started := make(chan struct{})
	done := make(chan error)
	go func() {
		_, err := bound(a, func(ctx context.Context, _ acts) (int, error) {
			close(started)
			<-ctx.Done()
			return 0, ctx.Err()
		})
		done <- err
	}()
	<-started
	a.Cancel()
	if err := <-done; fault.KindOf(err) != fault.Cancelled {
		t.Errorf("got %v, want cancelled", err)
	}
	if _, err := bound(a, func(ctx context.Context, _ acts) (int, error) { return 1, ctx.Err() }); err != nil {
		t.Errorf("the next call is cancelled too: %v", err)
	}
}

func TestTroubleIsText(t *testing.T) {
	text, ok := trouble(fault.New(fault.Busy, "open workspace", "w", "in use by another program")).(string)
	var got Trouble
	if !ok || json.Unmarshal([]byte(text), &got) != nil {
		t.Fatalf("%q is not JSON text", text)
	}
	want := Trouble{Kind: "busy", Op: "open workspace", Of: "w", Text: "open workspace w: in use by another program"}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
