package model

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// ProfileSchema names the form of a profile's file.
const ProfileSchema = "plumbline.profile/1"

// Profile says how a model behind an OpenAI-compatible server is talked to. It holds no secret: Key says where one is found.
type Profile struct {
	Schema      string               `json:"schema"`
	Name        string               `json:"name"`
	BaseURL     string               `json:"base_url"` // up to and with the version: http://127.0.0.1:8080/v1
	Model       string               `json:"model"`
	Revision    string               `json:"revision,omitempty"` // where the server does not tell it
	Key         Key                  `json:"key"`
	Concurrency int                  `json:"concurrency,omitempty"` // requests at a time; 0: 1
	Timeouts    Timeouts             `json:"timeouts"`
	Retries     *int                 `json:"retries,omitempty"`    // of what is transient; absent: 4
	MaxTokens   int                  `json:"max_tokens,omitempty"` // of an answer; 0: 1024. There is always a limit
	TokenLimit  string               `json:"token_limit,omitempty"`
	MaxReplyMB  int                  `json:"max_reply_mb,omitempty"` // of a body; 0: 16
	Whole       bool                 `json:"whole,omitempty"`        // answers come in one piece and not as a stream. llama-server stops for a closed stream only
	Image       ImageForm            `json:"image"`
	Boxes       review.BoxConvention `json:"boxes"`
	Logprobs    int                  `json:"logprobs,omitempty"`   // likeliest tokens asked for in each place; 0: none
	Structured  string               `json:"structured,omitempty"` // json_schema, grammar; "": the prompt alone asks for JSON
	Form        Form                 `json:"form,omitempty"`       // of the answer: letter, prose; "": JSON with steps and places
	Temperature float64              `json:"temperature,omitempty"`
	Template    string               `json:"template,omitempty"`  // of the prompt; "": staged
	Consent     *Consent             `json:"consent,omitempty"`   // needed for a public host
	Abilities   *Abilities           `json:"abilities,omitempty"` // as probed
	Extra       ExtraOptions         `json:"extra,omitempty"`     // further fields of the request's body
}

// ExtraOptions are fields of the request's body that a server knows and this program does not: top_k, chat_template_kwargs.
type ExtraOptions map[string]json.RawMessage

// The names of the limit on an answer's tokens.
const (
	MaxTokens           = "max_tokens"            // the default: every server but OpenAI's newest models knows it
	MaxCompletionTokens = "max_completion_tokens" // Ollama ignores it
)

// The ways to make a server enforce a form of the answer.
const (
	ByPrompt  = ""
	BySchema  = "json_schema"
	ByGrammar = "grammar" // of llama-server
)

// Timeouts are in seconds; 0 takes the default.
type Timeouts struct {
	Connect float64 `json:"connect,omitempty"` // 10
	Idle    float64 `json:"idle,omitempty"`    // without a byte, once an answer has begun; 60
	Total   float64 `json:"total,omitempty"`   // of one try; 600
}

// ImageForm says how pictures are sent.
type ImageForm struct {
	MIME     string `json:"mime,omitempty"`      // image/png (the default) or image/jpeg
	LongSide int    `json:"long_side,omitempty"` // at most, in pixels; 0: as they are
	Multiple int    `json:"multiple,omitempty"`  // sides are whole multiples of so many pixels, so that the server need not resize; 0: 1
	Quality  int    `json:"quality,omitempty"`   // of a JPEG, 1–100; 0: 92
}

// Consent is somebody's permission to send things to a public host.
type Consent struct {
	Host  string   `json:"host"`
	Sends []string `json:"sends"` // what they were told is sent: see the Sends constants
	By    string   `json:"by"`
	At    string   `json:"at"` // RFC 3339
}

// What a consent names.
const (
	SendsText   = "text"   // questions, options, the card, earlier answers
	SendsImages = "images" // pictures
)

// What a profile falls back on.
const (
	defaultMaxTokens = 1024
	defaultRetries   = 4
	defaultReplyMB   = 16
	mostConcurrent   = 1024
	mostProfile      = 1 << 20 // bytes of a profile's file
)

// Check says in words what is wrong with a profile; nil when it can be used.
func (p Profile) Check() error {
	u, err := url.Parse(p.BaseURL)
	switch {
	case p.Name == "" || strings.ContainsAny(p.Name, "/\\\x00") || strings.HasPrefix(p.Name, ".") || len(p.Name) > 64:
		return p.wrong("name", "must be 1 to 64 characters without / and \\ and not begin with a point")
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return p.wrong("base_url", "must be an http or https address such as http://127.0.0.1:8080/v1")
	case u.User != nil:
		return p.wrong("base_url", "must not hold a user or password: a key belongs in the keyring or an environment variable")
	case u.RawQuery != "" || u.Fragment != "":
		return p.wrong("base_url", "must end before ? and #")
	case p.Model == "":
		return p.wrong("model", "must name the model")
	case p.Concurrency < 0 || p.Concurrency > mostConcurrent:
		return p.wrong("concurrency", "must be 0 to %d", mostConcurrent)
	case p.Retries != nil && (*p.Retries < 0 || *p.Retries > 20):
		return p.wrong("retries", "must be 0 to 20")
	case p.MaxTokens < 0 || p.MaxReplyMB < 0 || p.MaxReplyMB > 1024:
		return p.wrong("max_tokens, max_reply_mb", "must not be negative, nor the reply over 1024 MB")
	case p.TokenLimit != "" && p.TokenLimit != MaxTokens && p.TokenLimit != MaxCompletionTokens:
		return p.wrong("token_limit", "must be %s or %s", MaxTokens, MaxCompletionTokens)
	case p.Logprobs < 0 || p.Logprobs > 20:
		return p.wrong("logprobs", "must be 0 to 20")
	case p.Form != FormSteps && p.Form != FormLetter && p.Form != FormProse:
		return p.wrong("form", "must be letter, prose or absent")
	case !(p.Temperature >= 0 && p.Temperature <= 10):
		return p.wrong("temperature", "must be 0 to 10")
	case p.Structured != ByPrompt && p.Structured != BySchema && p.Structured != ByGrammar:
		return p.wrong("structured", "must be %s, %s or absent", BySchema, ByGrammar)
	}
	for _, t := range []float64{p.Timeouts.Connect, p.Timeouts.Idle, p.Timeouts.Total} {
		if !(t >= 0 && t <= 86400) {
			return p.wrong("timeouts", "must be 0 to 86400 seconds")
		}
	}
	for name := range p.Extra {
		if slices.Contains(ownFields, name) {
			return p.wrong("extra", "must not hold %s: the program writes it", name)
		}
	}
	if _, err := templateOf(or(p.Template, stagedTemplate)); err != nil {
		return p.wrong("template", "must be one of those that come with the program")
	}
	if why := p.Image.fault(); why != "" {
		return p.wrong("image", "%s", why)
	}
	if why := p.Boxes.Fault(); why != "" {
		return p.wrong("boxes", "%s", why)
	}
	return nil
}

func (p Profile) wrong(field, format string, args ...any) error {
	return fault.New(fault.Invalid, "check profile", p.Name, "%s "+format, append([]any{field}, args...)...)
}

func (f ImageForm) fault() string {
	switch {
	case f.MIME != "" && f.MIME != pngType && f.MIME != jpegType:
		return "mime must be image/png or image/jpeg: not every server takes another"
	case f.LongSide < 0 || f.LongSide > 16384 || f.LongSide > 0 && f.LongSide < 16:
		return "long_side must be 0 or 16 to 16384 pixels"
	case f.Multiple < 0 || f.Multiple > 256 || f.LongSide > 0 && f.Multiple > f.LongSide:
		return "multiple must be 0 to 256 pixels and not over long_side"
	case f.Quality < 0 || f.Quality > 100:
		return "quality must be 0 to 100"
	}
	return ""
}

func (p Profile) maxTokens() int   { return or(p.MaxTokens, defaultMaxTokens) }
func (p Profile) concurrency() int { return or(p.Concurrency, 1) }
func (p Profile) maxReply() int64  { return int64(or(p.MaxReplyMB, defaultReplyMB)) << 20 }

func (p Profile) retries() int {
	if p.Retries == nil {
		return defaultRetries
	}
	return *p.Retries
}

func (t Timeouts) connect() time.Duration { return seconds(or(t.Connect, 10)) }
func (t Timeouts) idle() time.Duration    { return seconds(or(t.Idle, 60)) }
func (t Timeouts) total() time.Duration   { return seconds(or(t.Total, 600)) }

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// or gives v, or what stands in for its zero.
func or[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}

// ReadProfile takes a profile's bytes apart. A field that it does not know is refused: a misspelt one would be lost without a word.
func ReadProfile(b []byte) (Profile, error) {
	var p Profile
	d := json.NewDecoder(strings.NewReader(string(b)))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		return Profile{}, fault.New(fault.Invalid, "read profile", "", "it is not a profile's JSON: %w", err)
	}
	if p.Schema != ProfileSchema {
		return Profile{}, fault.New(fault.Invalid, "read profile", p.Name, "schema is %q, expected %q", p.Schema, ProfileSchema)
	}
	return p, p.Check()
}

// LoadProfiles reads every NAME.json of a folder, by name. A folder that is not there holds none; a profile that cannot be used is told in
// problems, and the others are given.
func LoadProfiles(dir string) (profiles []Profile, problems []error, err error) {
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fault.In("read profiles", dir, err)
	}
	for _, e := range entries {
		if e.IsDir() || filepath.Ext(e.Name()) != ".json" {
			continue
		}
		p, err := loadProfile(filepath.Join(dir, e.Name()))
		if err != nil {
			problems = append(problems, fault.In("load profile", e.Name(), err))
			continue
		}
		profiles = append(profiles, p)
	}
	return profiles, problems, nil
}

func loadProfile(path string) (Profile, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Profile{}, err
	}
	if info.Size() > mostProfile {
		return Profile{}, fault.New(fault.Invalid, "read profile", "", "%d bytes are too many for a profile", info.Size())
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return Profile{}, err
	}
	p, err := ReadProfile(b)
	if want := strings.TrimSuffix(filepath.Base(path), ".json"); err == nil && p.Name != want {
		return Profile{}, fault.New(fault.Invalid, "read profile", p.Name, "the file of this name is %s.json", p.Name)
	}
	return p, err
}

// SaveProfile writes DIR/NAME.json whole or not at all.
func SaveProfile(dir string, p Profile) error {
	p.Schema = ProfileSchema
	if err := p.Check(); err != nil {
		return err
	}
	b, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return fault.New(fault.Invalid, "save profile", p.Name, "%w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fault.In("save profile", p.Name, err)
	}
	return fault.In("save profile", p.Name, writeWhole(filepath.Join(dir, p.Name+".json"), func(f *os.File) error {
		_, err := fmt.Fprintf(f, "%s\n", b)
		return err
	}))
}

// writeWhole writes a file under a temporary name, brings it to the disk and then gives it its name.
func writeWhole(path string, write func(*os.File) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // of no effect once it was renamed
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	if err := f.Sync(); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
