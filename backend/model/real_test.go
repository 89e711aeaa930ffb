package model

import (
	"bytes"
	"context"
	"errors"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"plumbline/backend/fault"
	"plumbline/backend/review"
	"plumbline/backend/testfiles"
)

// realServer gives a profile of a llama-server with a tiny model of a kind.
func realServer(t testing.TB, kind string) Profile {
	t.Helper()
	return Profile{Schema: ProfileSchema, Name: kind, BaseURL: testfiles.Llama(t, kind) + "/v1", Model: "tiny", Concurrency: 2, MaxTokens: 200, Boxes: review.BoxConvention{Space: review.SpacePixels}}
}

func endpointOf(t testing.TB, p Profile) *Endpoint {
	t.Helper()
	e, err := NewEndpoint(p, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

func TestRealServers(t *testing.T) {
	for _, kind := range []string{"idefics3", "qwen25vl"} {
		t.Run(kind, func(t *testing.T) {
			p := realServer(t, kind)
			e := endpointOf(t, p)
			a, err := e.Probe(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%+v", a)
			if !a.ModelKnown || !a.Images || !a.JSONSchema || !a.Grammar || !a.Logprobs || !a.Repeats || a.Context == 0 || a.Revision == "" {
				t.Errorf("abilities %+v", a)
			}
			t.Run("schema", func(t *testing.T) { realSchema(t, p, BySchema) })
			t.Run("grammar", func(t *testing.T) { realSchema(t, p, ByGrammar) })
			t.Run("probabilities", func(t *testing.T) { realProbabilities(t, p) })
			t.Run("stream", func(t *testing.T) { realStream(t, p) })
			t.Run("overflow", func(t *testing.T) { realOverflow(t, p) })
			t.Run("cancel", func(t *testing.T) { realCancel(t, p) })
		})
	}
}

// realSchema sees the server hold the form of the answer, also in noise.
func realSchema(t *testing.T, p Profile, way string) {
	p.Structured, p.MaxTokens = way, 3000
	r := request()
	r.Images = []Image{film(t, 1)}
	reply, err := endpointOf(t, p).Ask(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	a, flags := Expect{Question: sideQuestion(), Number: 1, Sent: []Sent{{Image: "i", Whole: true, Columns: 384, Rows: 320}}, Boxes: p.Boxes}.Interpret(reply)
	if reply.Finish == "stop" && (a.Parse != "ok" && a.Parse != "abstained" || slices.Contains(flags, FlagOffForm)) {
		t.Errorf("%s %v of %q", a.Parse, flags, reply.Text)
	}
	if reply.Finish == "length" && a.Parse != "unparsed" {
		t.Errorf("%s though the answer was cut: %q", a.Parse, reply.Text)
	}
	t.Logf("%s, %s, %d steps, flags %v, %d tokens", reply.Finish, a.Parse, len(a.Steps), flags, reply.Usage.Completion)
}

// realProbabilities sees all letters listed, and other pictures and seeds have their effect.
func realProbabilities(t *testing.T, p Profile) {
	p.Structured, p.Logprobs = ByGrammar, 5
	e := endpointOf(t, p)
	of := func(side float64) Probabilities {
		r := request()
		r.Form, r.Images = FormLetter, []Image{film(t, side)}
		reply, err := e.Ask(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := OptionProbabilities(reply, r.Letters)
		sum := 0.
		for _, v := range got.Of {
			sum += v
		}
		if !ok || len(got.Of) != 4 || math.Abs(sum-1) > 1e-9 || got.Missing > 1e-3 {
			t.Errorf("%+v of %q, want all four letters", got, reply.Text)
		}
		return got
	}
	if left, right := of(1), of(-1); left.Of["A"] == right.Of["A"] && left.Of["B"] == right.Of["B"] {
		t.Errorf("the picture has no effect on the probabilities: %v", left)
	}
}

func realStream(t *testing.T, p Profile) {
	streamed, err := endpointOf(t, p).Ask(context.Background(), Request{Prompt: "Say it.", Seed: 5, Form: FormProse})
	if err != nil {
		t.Fatal(err)
	}
	p.Whole = true
	whole, err := endpointOf(t, p).Ask(context.Background(), Request{Prompt: "Say it.", Seed: 5, Form: FormProse})
	if err != nil {
		t.Fatal(err)
	}
	if streamed.Finish != whole.Finish || streamed.Usage.Completion == 0 || len(streamed.Raw) == 0 {
		t.Errorf("streamed %q (%s, %+v), whole %q (%s)", streamed.Text, streamed.Finish, streamed.Usage, whole.Text, whole.Finish)
	}
}

func realOverflow(t *testing.T, p Profile) {
	_, err := endpointOf(t, p).Ask(context.Background(), Request{Prompt: strings.Repeat("a long history ", 2000), Form: FormProse})
	var f *Failure
	if !errors.As(err, &f) || f.Kind != TooLong || f.Attempts != 1 {
		t.Errorf("%v, want a prompt that is too long, asked once", err)
	}
}

// realCancel sees the server's places free again after a cancellation in the middle of a long answer.
func realCancel(t *testing.T, p Profile) {
	p.MaxTokens = 3900
	p.Extra = ExtraOptions{"ignore_eos": []byte("true")}
	e := endpointOf(t, p)
	ctx, cancel := context.WithTimeout(context.Background(), 150*time.Millisecond)
	defer cancel()
	_, err := e.Ask(ctx, Request{Prompt: "Go on and on.", Form: FormProse})
	if fault.KindOf(err) != fault.Cancelled {
		t.Fatalf("%v, want cancelled", err)
	}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for range 100 {
		r, err := http.Get(strings.TrimSuffix(p.BaseURL, "/v1") + "/slots")
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		_, err = b.ReadFrom(r.Body)
		r.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), `"is_processing":true`) {
			return
		}
		<-tick.C
	}
	t.Error("the server works on 2 s after the cancellation")
}
