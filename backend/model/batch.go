package model

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// BatchSchema names the form of a batch's manifest.
const BatchSchema = "plumbline.batch/1"

// BatchStyle says who is to answer a batch.
type BatchStyle string

// The styles of a batch.
const (
	OpenAIBatch BatchStyle = "openai" // uploaded: pictures stand in the lines
	VLLMBatch   BatchStyle = "vllm"   // vllm run-batch: pictures lie beside and are named by file:// (--allowed-local-media-path)
	RayBatch    BatchStyle = "ray"    // Ray Data LLM: rows of messages and sampling_params, pictures beside
)

// The limits of a batch file as OpenAI states them, and of what is read back.
const (
	MostBatchRequests = 50000
	MostBatchBytes    = 200 * 1000 * 1000
	mostCustomID      = 64
	mostResultLine    = 64 << 20
	batchManifest     = "batch.json"
)

// Batch is the manifest of a batch, batch.json beside its files: what was asked, so that what is missing can be told.
type Batch struct {
	Schema   string         `json:"schema"`
	Profile  string         `json:"profile"`
	Model    string         `json:"model"`
	Style    BatchStyle     `json:"style"`
	Run      string         `json:"run,omitempty"` // that it belongs to
	Stage    int            `json:"stage"`         // the k of its questions: one stage of each chain at a time; 0: chains stand at several
	Files    []BatchFile    `json:"files"`
	Requests []BatchRequest `json:"requests"`
}

// BatchFile is one shard.
type BatchFile struct {
	Path     string        `json:"path"` // beside the manifest
	Requests int           `json:"requests"`
	Bytes    int64         `json:"bytes"`
	SHA256   review.Digest `json:"sha256"`
}

// BatchRequest is one line that was written.
type BatchRequest struct {
	ID     string        `json:"custom_id"`
	Chain  string        `json:"chain"`
	Digest review.Digest `json:"request_digest"` // of the body
	Prompt review.Digest `json:"prompt_digest"`
	Runes  int           `json:"runes"` // of the prompt, against a silent cut
	Drawn  bool          `json:"drawn,omitempty"`
}

// BatchItem is one request to write. ID comes back with its result; Chain says which chain it belongs to.
type BatchItem struct {
	ID      string
	Chain   string
	Stage   int // the k of its question
	Request Request
}

// BatchOptions say how a batch is written; the zero value is OpenAI's style with OpenAI's limits.
type BatchOptions struct {
	Style        BatchStyle
	Run          string // that the batch belongs to
	MostRequests int    // of a file; 0: MostBatchRequests
	MostBytes    int64  // of a file; 0: MostBatchBytes
}

// BatchWriter writes the files of a batch into a folder. Memory does not grow with the pictures.
type BatchWriter struct {
	dir     string
	profile Profile
	options BatchOptions
	batch   Batch
	ids     map[string]bool
	chains  map[string]bool
	fitted  fitted
	images  map[string]bool
	shard   *os.File
	buffer  *bufio.Writer
	hash    interface {
		io.Writer
		Sum([]byte) []byte
	}
	lines int
	bytes int64
}

// safeID is a custom_id that every server takes.
var safeID = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,64}$`)

// NewBatchWriter begins a batch in a folder that is empty or not there. Public hosts need the consent of the profile as for asking, if the
// batch is of OpenAI's style: it is made to be uploaded.
func NewBatchWriter(dir string, p Profile, o BatchOptions) (*BatchWriter, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	o.Style, o.MostRequests, o.MostBytes = or(o.Style, OpenAIBatch), or(o.MostRequests, MostBatchRequests), or(o.MostBytes, MostBatchBytes)
	if !slices.Contains([]BatchStyle{OpenAIBatch, VLLMBatch, RayBatch}, o.Style) || o.MostRequests < 1 || o.MostBytes < 1 {
		return nil, fault.New(fault.Usage, "write batch", dir, "style must be openai, vllm or ray, and the limits positive")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fault.In("write batch", dir, err)
	}
	inside, err := os.ReadDir(dir)
	if err != nil {
		return nil, fault.In("write batch", dir, err)
	}
	if len(inside) > 0 {
		return nil, fault.New(fault.Refused, "write batch", dir, "the folder is not empty: results of another batch could be taken for this one's")
	}
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil, fault.In("write batch", dir, err)
	}
	return &BatchWriter{
		dir: absolute, profile: p, options: o, ids: map[string]bool{}, chains: map[string]bool{}, images: map[string]bool{},
		batch: Batch{Schema: BatchSchema, Profile: p.Name, Model: p.Model, Style: o.Style, Run: o.Run, Files: []BatchFile{}, Requests: []BatchRequest{}},
	}, nil
}

// Add writes one request. It is refused where the id is taken or no id, the chain already has a request in this batch (its next stage needs
// the answer of this one), or the line alone is over the limit: one bad line would fail a whole file.
func (w *BatchWriter) Add(item BatchItem) error {
	refuse := func(format string, args ...any) error {
		return fault.New(fault.Invalid, "write batch", item.ID, format, args...)
	}
	switch {
	case !safeID.MatchString(item.ID):
		return refuse("custom_id must be 1 to %d of A–Z, a–z, 0–9 and ._:-", mostCustomID)
	case w.ids[item.ID]:
		return refuse("custom_id is taken: results come back in any order and could not be told apart")
	case item.Chain == "" || w.chains[item.Chain]:
		return refuse("chain %q must be named and have one request only: a later stage needs the answer of the earlier", item.Chain)
	}
	item.Request.Form = or(item.Request.Form, w.profile.Form)
	line, body, err := w.line(item)
	if err != nil {
		return err
	}
	if int64(len(line)) > w.options.MostBytes {
		return refuse("the line of %d bytes is over the limit of a whole file, %d", len(line), w.options.MostBytes)
	}
	if w.shard != nil && (w.lines == w.options.MostRequests || w.bytes+int64(len(line)) > w.options.MostBytes) {
		if err := w.endShard(); err != nil {
			return err
		}
	}
	if err := w.write(line); err != nil {
		return fault.In("write batch", w.dir, err)
	}
	w.ids[item.ID], w.chains[item.Chain] = true, true
	if len(w.batch.Requests) == 0 {
		w.batch.Stage = item.Stage
	} else if w.batch.Stage != item.Stage {
		w.batch.Stage = 0
	}
	w.batch.Requests = append(w.batch.Requests, BatchRequest{
		ID: item.ID, Chain: item.Chain, Digest: review.DigestOf(body), Prompt: PromptDigest(item.Request), Runes: len([]rune(item.Request.Prompt)),
		Drawn: w.profile.drawsLetter(item.Request) && w.profile.Logprobs > 0,
	})
	return nil
}

// line writes a request's line and gives its body apart.
func (w *BatchWriter) line(item BatchItem) (line, body []byte, err error) {
	urls, err := w.urls(item.Request.Images)
	if err != nil {
		return nil, nil, fault.In("write batch", item.ID, err)
	}
	p := w.profile
	p.Whole = true
	if body, err = p.body(item.Request, urls, or(p.TokenLimit, MaxTokens)); err != nil {
		return nil, nil, fault.In("write batch", item.ID, err)
	}
	if w.options.Style == RayBatch {
		line, err = rayRow(item.ID, body)
	} else {
		line, err = json.Marshal(struct {
			ID     string          `json:"custom_id"`
			Method string          `json:"method"`
			URL    string          `json:"url"`
			Body   json.RawMessage `json:"body"`
		}{item.ID, "POST", "/v1/chat/completions", body})
	}
	if err != nil {
		return nil, nil, fault.In("write batch", item.ID, err)
	}
	return append(line, '\n'), body, nil
}

// urls gives the addresses of pictures; in vLLM's and Ray's styles they are files named by what they hold, so nothing of a patient is in a name.
func (w *BatchWriter) urls(images []Image) ([]string, error) {
	if w.options.Style == OpenAIBatch {
		return w.fitted.urls(w.profile.Image, images)
	}
	urls := make([]string, len(images))
	for n, i := range images {
		fit, _, _, err := w.profile.Image.Fit(i)
		if err != nil {
			return nil, fault.In("prepare image", fmt.Sprint(n+1), err)
		}
		sum := sha256.Sum256(fit.Bytes)
		name := hex.EncodeToString(sum[:]) + "." + strings.TrimPrefix(fit.MIME, "image/")
		path := filepath.Join(w.dir, "images", name)
		if !w.images[name] {
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				return nil, err
			}
			if err := writeWhole(path, func(f *os.File) error { _, err := f.Write(fit.Bytes); return err }); err != nil {
				return nil, err
			}
			w.images[name] = true
		}
		urls[n] = "file://" + filepath.ToSlash(path)
	}
	return urls, nil
}

// OpenBatch reads the manifest of a batch's folder.
func OpenBatch(dir string) (Batch, error) {
	b, err := os.ReadFile(filepath.Join(dir, batchManifest))
	if err != nil {
		return Batch{}, fault.In("read batch", dir, err)
	}
	var batch Batch
	if err := json.NewDecoder(bytes.NewReader(b)).Decode(&batch); err != nil {
		return Batch{}, fault.New(fault.Damaged, "read batch", dir, "batch.json is no manifest: %w", err)
	}
	if batch.Schema != BatchSchema {
		return Batch{}, fault.New(fault.Invalid, "read batch", dir, "schema is %q, expected %q", batch.Schema, BatchSchema)
	}
	return batch, nil
}
