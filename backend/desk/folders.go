package desk

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"plumbline/backend/fault"
	"plumbline/backend/review"
	"plumbline/backend/store"
)

// Folders are the places outside any workspace where the program keeps things.
type Folders struct {
	Data   string // new workspaces and the sample study
	Config string // preferences and the list of recent workspaces
	State  string // the log, and what makes this machine itself
}

// DefaultFolders gives the folders of this person on this machine. PLUMBLINE_HOME puts all of them into one folder; XDG_DATA_HOME,
// XDG_CONFIG_HOME and XDG_STATE_HOME are respected where such folders are the custom.
func DefaultFolders() (Folders, error) {
	const op = "find the folders of the program"
	if home := os.Getenv("PLUMBLINE_HOME"); home != "" {
		home, err := filepath.Abs(home)
		return Folders{Data: home, Config: home, State: home}, fault.In(op, home, err)
	}
	config, err := os.UserConfigDir()
	if err != nil {
		return Folders{}, fault.New(fault.IO, op, "", "%w", err)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return Folders{}, fault.New(fault.IO, op, "", "%w", err)
	}
	f := Folders{Config: filepath.Join(config, "plumbline")}
	f.Data, f.State = f.Config, f.Config
	if runtime.GOOS != "windows" && runtime.GOOS != "darwin" {
		f.Data, f.State = filepath.Join(home, ".local", "share", "plumbline"), filepath.Join(home, ".local", "state", "plumbline")
	}
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		f.Data = filepath.Join(dir, "plumbline")
	}
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		f.State = filepath.Join(dir, "plumbline")
	}
	return f, nil
}

// OpenLog opens the program's log for adding. It holds ids and kinds of failure only: never names, texts or paths.
func (f Folders) OpenLog() (zerolog.Logger, io.Closer, error) {
	path := filepath.Join(f.State, "plumbline.log")
	if err := os.MkdirAll(f.State, 0o700); err != nil {
		return zerolog.Nop(), nil, fault.New(fault.IO, "open log", path, "%w", err)
	}
	out, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return zerolog.Nop(), nil, fault.New(fault.IO, "open log", path, "%w", err)
	}
	return zerolog.New(out).With().Timestamp().Logger(), out, nil
}

// machine gives the id of this machine for a workspace in a folder. It comes from a random number that never leaves the machine, so a copy
// of the folder on another machine, or in another place here, begins a hash chain of its own instead of forking this one.
func (f Folders) machine(workspace, dir string) (review.MachineID, error) {
	path := filepath.Join(f.State, "machine")
	secret, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		if secret, err = newSecret(path); err != nil {
			return "", err
		}
	}
	if err != nil {
		return "", fault.New(fault.IO, "know this machine", path, "%w", err)
	}
	hash := review.DigestOf([]byte(string(secret) + "\x00" + workspace + "\x00" + dir))
	return review.MachineID("m-" + hash[len("sha256:"):][:20]), nil
}

// newSecret makes the machine's random number.
func newSecret(path string) ([]byte, error) {
	return keepFirst("know this machine", path, []byte(uuid.NewString()))
}

// keepFirst writes a file that only this person can read, and gives what it holds; where two programs do so at once, both take the first.
func keepFirst(op, path string, secret []byte) ([]byte, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fault.New(fault.IO, op, path, "%w", err)
	}
	mine := path + "-" + uuid.NewString()
	if err := store.Replace(mine, secret); err != nil {
		return nil, err
	}
	defer os.Remove(mine) // it lives on under its other name
	if err := os.Link(mine, path); err != nil && !errors.Is(err, os.ErrExist) {
		if err := os.Rename(mine, path); err != nil { // a file system without links
			return nil, fault.New(fault.IO, op, path, "%w", err)
		}
	}
	return os.ReadFile(path)
}

// maxRecent is how many workspaces are remembered.
const maxRecent = 12

func (f Folders) recentFile() string { return filepath.Join(f.Config, "recent.json") }

// recent lists the workspaces opened before that are still there, newest first. A list that cannot be read is an empty one.
func (f Folders) recent() []string {
	b, _ := os.ReadFile(f.recentFile())
	var all []string
	_ = json.Unmarshal(b, &all)
	return slices.DeleteFunc(append([]string{}, all...), func(dir string) bool { return !isWorkspace(dir) })
}

// remember puts a workspace at the head of the list.
func (f Folders) remember(dir string) error {
	others := slices.DeleteFunc(f.recent(), func(d string) bool { return d == dir })
	all := append([]string{dir}, others...)
	return f.save(f.recentFile(), all[:min(len(all), maxRecent)])
}

// save writes v as JSON into a folder that is made where it is missing.
func (f Folders) save(path string, v any) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fault.New(fault.IO, "write", path, "%w", err)
	}
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return store.Replace(path, append(b, '\n'))
}

func (f Folders) preferencesFile() string { return filepath.Join(f.Config, "preferences.json") }
