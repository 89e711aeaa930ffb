package model

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"plumbline/backend/fault"
)

// BatchResult is what came back for one request: a reply, or why there is none.
type BatchResult struct {
	Request BatchRequest
	Reply   Reply
	Failed  *Failure // nil: there is a reply
}

// BatchRead counts what was read.
type BatchRead struct {
	Answered int      `json:"answered"`
	Failed   int      `json:"failed"`
	Missing  []string `json:"missing"` // custom_ids without any line, in the order asked
	Unknown  int      `json:"unknown"` // lines of requests that this batch did not ask
	Repeated int      `json:"repeated"`
	Problems []string `json:"problems"` // lines that are none; at most a hundred
}

const mostProblems = 100

// resultLine is a line of an OpenAI or vLLM result, or a row of Ray Data LLM.
type resultLine struct {
	ID       string `json:"custom_id"`
	Response *struct {
		Status int             `json:"status_code"`
		Body   json.RawMessage `json:"body"`
	} `json:"response"`
	Error     json.RawMessage `json:"error"` // null, a string or an object
	Generated *string         `json:"generated_text"`
	Tokens    int             `json:"num_generated_tokens"`
	Input     int             `json:"num_input_tokens"`
}

// Read reads result files of a batch, in any order of files and lines, and hands each request's result to keep once: a reply counts before a
// failure of the same request, so the results of a second try may be read together with those of the first. A line that is no result is a
// problem and the rest goes on.
func (b Batch) Read(ctx context.Context, results []io.Reader, keep func(BatchResult) error) (BatchRead, error) {
	out := BatchRead{Missing: []string{}, Problems: []string{}}
	asked := make(map[string]BatchRequest, len(b.Requests))
	for _, r := range b.Requests {
		asked[r.ID] = r
	}
	answered, failures := map[string]bool{}, map[string]*Failure{}
	line := func(n, file int, raw []byte) error {
		result, err := readResult(raw)
		request, known := asked[result.id]
		switch {
		case err != nil:
			out.problem("file %d, line %d: %v", file+1, n, err)
		case !known:
			out.Unknown++
		case answered[result.id]:
			out.Repeated++
		case result.failed != nil:
			failures[result.id] = result.failed
		default:
			reply, failed := request.check(result.reply)
			if failed != nil {
				failures[result.id] = failed
				return nil
			}
			answered[result.id] = true
			out.Answered++
			return keep(BatchResult{Request: request, Reply: reply})
		}
		return nil
	}
	for i, r := range results {
		if err := eachLine(ctx, r, func(n int, raw []byte) error { return line(n, i, raw) }, func(n int) {
			out.problem("file %d, line %d: longer than %s", i+1, n, megabytes(mostResultLine))
		}); err != nil {
			return out, fault.In("read batch", b.Profile, err)
		}
	}
	for _, r := range b.Requests {
		f, failed := failures[r.ID]
		switch {
		case answered[r.ID]:
		case failed:
			out.Failed++
			if err := keep(BatchResult{Request: r, Failed: f}); err != nil {
				return out, err
			}
		default:
			out.Missing = append(out.Missing, r.ID)
		}
	}
	return out, nil
}

func (r *BatchRead) problem(format string, args ...any) {
	if len(r.Problems) < mostProblems {
		r.Problems = append(r.Problems, fmt.Sprintf(format, args...))
	}
}

// check flags what Ask flags of a reply, and finds a prompt that was cut without a word.
func (r BatchRequest) check(reply Reply) (Reply, *Failure) {
	if least := r.Runes / mostRunesPerToken; reply.Usage.Prompt > 0 && reply.Usage.Prompt < least {
		return Reply{}, silentlyCut(reply, least)
	}
	if r.Drawn {
		reply.Flags = append(reply.Flags, FlagDrawn)
	}
	reply.Attempts = 1
	return reply, nil
}

type parsedResult struct {
	id     string
	reply  Reply
	failed *Failure
}

// readResult reads one line: a success has a response with a body; a failure has an error that is a string or an object, a response that is
// null, or one whose body is null or itself an error.
func readResult(raw []byte) (parsedResult, error) {
	var l resultLine
	if err := json.Unmarshal(raw, &l); err != nil {
		if err = json.Unmarshal(withoutInfinity(raw), &l); err != nil {
			return parsedResult{}, errors.New("it is no JSON of a result: " + clip(err.Error()))
		}
	}
	if l.ID == "" {
		return parsedResult{}, errors.New("it has no custom_id")
	}
	result := parsedResult{id: l.ID}
	null := func(m json.RawMessage) bool { return len(m) == 0 || string(bytes.TrimSpace(m)) == "null" }
	switch {
	case l.Generated != nil && null(l.Error): // Ray
		result.reply = Reply{Text: *l.Generated, Raw: bytes.Clone(raw), Usage: Usage{l.Input, l.Tokens}}
	case l.Response != nil && !null(l.Response.Body) && null(l.Error) && (l.Response.Status == http.StatusOK || l.Response.Status == 0):
		result.reply, result.failed = readCompletion(l.Response.Body)
	case l.Response != nil && !null(l.Response.Body):
		result.failed = classify(l.Response.Status, nil, l.Response.Body, 0)
	default:
		status := 0
		if l.Response != nil {
			status = l.Response.Status
		}
		body := raw
		if !null(l.Error) {
			body = []byte(`{"error":` + string(l.Error) + `}`)
		}
		result.failed = classify(status, nil, body, 0)
		if null(l.Error) {
			result.failed.Message = "neither an answer nor an error came"
		}
		result.failed.Raw = bytes.Clone(raw)
	}
	return result, nil
}

// eachLine hands out the lines that are not blank, counted from 1; tooLong is told of one that is longer than a result can be, which is
// skipped without being held in memory.
func eachLine(ctx context.Context, r io.Reader, line func(n int, raw []byte) error, tooLong func(n int)) error {
	in := bufio.NewReaderSize(r, 256<<10)
	var raw []byte
	long := false
	for n := 1; ; {
		piece, err := in.ReadSlice('\n')
		if !long {
			raw = append(raw, piece...)
		}
		if len(raw) > mostResultLine {
			long, raw = true, nil
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if stop := ctx.Err(); stop != nil {
			return stop
		}
		if long {
			tooLong(n)
		} else if text := bytes.TrimSpace(raw); len(text) > 0 {
			if err := line(n, text); err != nil {
				return err
			}
		}
		if err != nil {
			return nil
		}
		n, raw, long = n+1, raw[:0], false
	}
}
