package model

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
)

// echo is a server that takes a request in and answers at once.
func echo(tb testing.TB) string {
	answer := []byte(contentBody(goodJSON))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
		w.Write(answer)
	}))
	tb.Cleanup(s.Close)
	return s.URL + "/v1"
}

func spread(b *testing.B, workers int, once func() error) {
	var left atomic.Int64
	left.Store(int64(b.N))
	var wait sync.WaitGroup
	b.ResetTimer()
	for range workers {
		wait.Go(func() {
			for left.Add(-1) >= 0 {
				if err := once(); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
}

// BenchmarkOverhead sets the endpoint beside a bare HTTP client that posts the same bytes and reads the answer, at concurrency 1, 8 and 64
// (performance.md, "model runs: overhead per request"). The picture is one frame of 384 × 320; echo takes no time.
func BenchmarkOverhead(b *testing.B) {
	picture := film(b, 1)
	r := request()
	r.Images = []Image{picture}
	for _, workers := range []int{1, 8, 64} {
		p := Profile{Schema: ProfileSchema, Name: "echo", BaseURL: echo(b), Model: "m", Concurrency: workers}
		body, err := p.body(r, []string{dataURL(picture)}, MaxTokens)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("bare-%d", workers), func(b *testing.B) {
			client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: workers}}
			spread(b, workers, func() error {
				response, err := client.Post(p.BaseURL+"/chat/completions", "application/json", bytes.NewReader(body))
				if err != nil {
					return err
				}
				defer response.Body.Close()
				_, err = io.ReadAll(response.Body)
				return err
			})
		})
		b.Run(fmt.Sprintf("endpoint-%d", workers), func(b *testing.B) {
			e := endpointOf(b, p)
			spread(b, workers, func() error {
				_, err := e.Ask(context.Background(), r)
				return err
			})
		})
	}
}

// BenchmarkMemory asks b.N times (-benchtime 100000x) and tells how much is held after them.
func BenchmarkMemory(b *testing.B) {
	e := endpointOf(b, Profile{Schema: ProfileSchema, Name: "echo", BaseURL: echo(b), Model: "m", Concurrency: 8})
	r := request()
	held := func() float64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc) / (1 << 20)
	}
	before := held()
	spread(b, 8, func() error {
		_, err := e.Ask(context.Background(), r)
		return err
	})
	b.ReportMetric(before, "MB-before")
	b.ReportMetric(held(), "MB-after")
}

// BenchmarkRealServer sets both beside each other on the real server, with an answer of one token.
func BenchmarkRealServer(b *testing.B) {
	p := realServer(b, "idefics3")
	p.MaxTokens, p.Whole = 1, true
	r := request()
	r.Form = FormProse
	body, err := p.body(r, nil, MaxTokens)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("bare", func(b *testing.B) {
		spread(b, 1, func() error {
			response, err := http.Post(p.BaseURL+"/chat/completions", "application/json", bytes.NewReader(body))
			if err != nil {
				return err
			}
			defer response.Body.Close()
			_, err = io.ReadAll(response.Body)
			return err
		})
	})
	b.Run("endpoint", func(b *testing.B) {
		e := endpointOf(b, p)
		spread(b, 1, func() error {
			_, err := e.Ask(context.Background(), r)
			return err
		})
	})
}
