package model

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
)

// readStream puts a stream of server-sent events together. A stream ends with [DONE] or with a finish reason; one that does neither was cut.
// Lines are read whole, so a character that is split between two packets stays whole. At most limit bytes are read.
func readStream(body io.Reader, limit int64) (Reply, *Failure) {
	var g gathered
	var raw bytes.Buffer
	in := bufio.NewReaderSize(io.TeeReader(io.LimitReader(body, limit+1), &raw), 64<<10)
	for {
		line, err := in.ReadBytes('\n')
		if int64(raw.Len()) > limit {
			return Reply{}, tooMuch(limit, raw.Bytes())
		}
		ended, failed := g.line(bytes.TrimSpace(line))
		if failed != nil {
			failed.Raw = raw.Bytes()
			return Reply{}, failed
		}
		switch {
		case ended, errors.Is(err, io.EOF) && g.finished:
			return g.done(raw.Bytes()), nil
		case errors.Is(err, io.EOF):
			return Reply{}, &Failure{Kind: CutShort, Status: http.StatusOK, Message: "the stream ended within the answer", Raw: raw.Bytes()}
		case err != nil && g.finished: // all was said before the connection broke
			return g.done(raw.Bytes()), nil
		case err != nil:
			return Reply{}, broken(err, raw.Bytes())
		}
	}
}

// line takes one line of a stream: comments and empty data are ignored.
func (g *gathered) line(line []byte) (ended bool, failed *Failure) {
	if data, ok := bytes.CutPrefix(line, []byte("error:")); ok { // older llama-server
		return false, classify(http.StatusOK, nil, []byte(`{"error":`+string(data)+`}`), 0)
	}
	data, ok := bytes.CutPrefix(line, []byte("data:"))
	data = bytes.TrimSpace(data)
	if !ok || len(data) == 0 {
		return false, nil
	}
	if string(data) == "[DONE]" {
		return true, nil
	}
	if !json.Valid(data) && !bytes.Contains(data, []byte("Infinity")) {
		return false, &Failure{Kind: CutShort, Status: http.StatusOK, Message: "a piece of the stream is no JSON: " + clip(string(data))}
	}
	c, err := readJSON(data)
	if err != nil {
		return false, &Failure{Kind: NotUnderstood, Status: http.StatusOK, Message: "a piece of the stream is no answer: " + clip(string(data))}
	}
	if len(c.Choices) == 0 && readError(data).found {
		return false, classify(http.StatusOK, nil, data, 0)
	}
	g.add(c)
	return false, nil
}

// tooMuch is the failure of a body over its limit.
func tooMuch(limit int64, raw []byte) *Failure {
	const kept = 64 << 10
	return &Failure{Kind: NotUnderstood, Status: http.StatusOK, Message: "the answer is longer than the profile allows: over " + megabytes(limit), Raw: raw[:min(len(raw), kept)]}
}

// broken is the failure of a connection that ended while a body was read.
func broken(err error, raw []byte) *Failure {
	return &Failure{Kind: CutShort, Status: http.StatusOK, Message: "the connection broke within the answer: " + clip(strings.TrimSpace(err.Error())), Raw: raw}
}
