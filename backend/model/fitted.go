package model

import (
	"crypto/sha256"
	"fmt"
	"sync"

	"plumbline/backend/fault"
)

// fitted remembers the pictures of the last requests as they are sent: the stages of a chain send the same ones, and decoding them again
// would cost more than all else of a request.
type fitted struct {
	mu    sync.Mutex
	order [][sha256.Size]byte
	url   map[[sha256.Size]byte]string
	bytes int
}

const mostFitted = 128 << 20 // bytes of addresses

// urls gives the pictures as addresses, in order.
func (c *fitted) urls(form ImageForm, images []Image) ([]string, error) {
	if len(images) > mostImages {
		return nil, fault.New(fault.Invalid, "prepare images", "", "%d images are more than %d", len(images), mostImages)
	}
	urls := make([]string, len(images))
	for n, i := range images {
		key := sha256.Sum256(i.Bytes)
		c.mu.Lock()
		url, known := c.url[key]
		c.mu.Unlock()
		if !known {
			fit, _, _, err := form.Fit(i)
			if err != nil {
				return nil, fault.In("prepare image", fmt.Sprint(n+1), err)
			}
			url = dataURL(fit)
			c.keep(key, url)
		}
		urls[n] = url
	}
	return urls, nil
}

// keep adds one and lets the oldest go.
func (c *fitted) keep(key [sha256.Size]byte, url string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.url[key]; known || len(url) > mostFitted/4 {
		return
	}
	if c.url == nil {
		c.url = map[[sha256.Size]byte]string{}
	}
	c.url[key], c.order, c.bytes = url, append(c.order, key), c.bytes+len(url)
	for c.bytes > mostFitted {
		oldest := c.order[0]
		c.bytes -= len(c.url[oldest])
		delete(c.url, oldest)
		c.order = c.order[1:]
	}
}
