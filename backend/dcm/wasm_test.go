package dcm

import (
	"bytes"
	"context"
	"image"
	"image/jpeg"
	"testing"
)

// An instance serves again after a success, since a new one costs as much as a frame, and is thrown away after an error.
func TestInstancesAreUsedAgain(t *testing.T) {
	needsCodecs(t)
	var packed bytes.Buffer
	if err := jpeg.Encode(&packed, image.NewGray(image.Rect(0, 0, 16, 8)), nil); err != nil {
		t.Fatal(err)
	}
	p := pixelSpec{rows: 8, columns: 16, samples: 1, allocated: 8, stored: 8, photometric: "MONOCHROME2"}
	code, err := codecFiles.ReadFile(codecFile)
	if err != nil {
		t.Fatal(err)
	}
	c := newWasmCodecs(code, cacheFolder(), 1)
	var first *instance
	for range 3 {
		if _, err := c.decode(context.Background(), codecJPEG, packed.Bytes(), p); err != nil {
			t.Fatal(err)
		}
		if len(c.idle) != 1 {
			t.Fatal("after a success no instance waits to be used again")
		}
		in := <-c.idle
		if first == nil {
			first = in
		}
		if in != first {
			t.Fatal("another instance was made")
		}
		c.idle <- in
	}
	if _, err := c.decode(context.Background(), codecJPEG, packed.Bytes()[:packed.Len()/3], p); err == nil {
		t.Fatal("half a frame was decoded")
	}
	if len(c.idle) != 0 {
		t.Error("an instance waits after an error")
	}
}
