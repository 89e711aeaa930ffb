package dcm

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"plumbline/backend/review"
)

// codecFiles holds the wasm of the codecs where the build brought it; see codec-notices.md for what is inside.
//
//go:embed all:codec
var codecFiles embed.FS

const codecFile = "codec/dcmjs-native-codecs.wasm"

// decoder unpacks one encapsulated frame.
type decoder interface {
	decode(ctx context.Context, c codec, packed []byte, p pixelSpec) (unpacked, error)
}

// unpacked is what a codec gives: little-endian samples of its own choice of size.
type unpacked struct {
	data   []byte
	planar bool
}

var errNoCodecs = invalid{errors.New("the codecs for such compressed images are not in this build: run ./build/deps and build again")}

// codecs gives the one decoder of the program. When first asked it begins to get ready in the background: that takes some seconds the first
// time on a machine, later 0.2 s.
var codecs = sync.OnceValue(func() decoder {
	code, err := fs.ReadFile(codecFiles, codecFile)
	if err != nil {
		return noCodecs{}
	}
	return newWasmCodecs(code, cacheFolder(), runtime.GOMAXPROCS(0))
})

// HasCodecs tells whether this build can decode JPEG 2000, HTJ2K, JPEG XL and progressive JPEG; the others are our own Go.
func HasCodecs() bool {
	_, err := fs.Stat(codecFiles, codecFile)
	return err == nil
}

// noCodecs is the decoder of a build without them.
type noCodecs struct{}

func (noCodecs) decode(context.Context, codec, []byte, pixelSpec) (unpacked, error) {
	return unpacked{}, errNoCodecs
}

// cacheFolder is where compiled codecs are kept between runs: below PLUMBLINE_CACHE, or in the user's cache; "" where there is none.
func cacheFolder() string {
	if dir := os.Getenv("PLUMBLINE_CACHE"); dir != "" {
		return filepath.Join(dir, "wazero")
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "plumbline", "wazero")
}

// fit turns what a codec gave into canonical samples.
func (p pixelSpec) fit(u unpacked) (review.Samples, error) {
	count := p.rows * p.columns * p.samples
	width := len(u.data) / count
	if width < 1 || width > 4 || width == 3 || len(u.data) != width*count || width > p.width() {
		return review.Samples{}, fmt.Errorf("the codec gave %d bytes for %d samples of %d bits", len(u.data), count, p.allocated)
	}
	data := u.data
	if u.planar {
		data = interleave(data, p.samples, width)
	}
	if p.allocated == 1 {
		for i, v := range data {
			data[i] = min(v, 1)
		}
	}
	if to := p.width(); to > width {
		wide := make([]byte, count*to)
		for i := range count {
			copy(wide[i*to:], data[i*width:(i+1)*width])
		}
		data = wide
	}
	return p.canonical(data), nil
}
