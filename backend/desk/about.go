package desk

import (
	"context"
	"encoding/json"
	"runtime/debug"
	"slices"
	"strings"

	"plumbline/backend/fault"
)

// Version of Plumbline; events name it.
const Version = "0.1.0"

// Notice is what first start and About say.
const Notice = "For research and education. Not a medical device. Not for diagnosis."

// About says what this program is and is made of.
type About struct {
	Version  string    `json:"version"`
	Commit   string    `json:"commit"` // "" where the build does not know it
	Notice   string    `json:"notice"`
	Licences []Licence `json:"licences"`
}

// Licence is one part of the program.
type Licence struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Licence string `json:"licence"` // SPDX
}

// About tells version, commit and the licences of the Go modules inside.
func (d *Desk) About(context.Context) (About, error) { return about(), nil }

func about() About {
	a := About{Version: Version, Notice: Notice, Licences: []Licence{{Name: "plumbline", Version: Version, Licence: "Apache-2.0"}}}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return a
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			a.Commit = s.Value
		}
	}
	a.Licences = append(a.Licences, Licence{Name: "go (runtime and standard library)", Version: info.GoVersion, Licence: "BSD-3-Clause"})
	for _, m := range info.Deps {
		a.Licences = append(a.Licences, Licence{Name: m.Path, Version: m.Version, Licence: licenceOf(m.Path)})
	}
	slices.SortFunc(a.Licences[2:], func(x, y Licence) int { return strings.Compare(x.Name, y.Name) })
	return a
}

// unknownLicence stands for the licence of a module that licenceOf does not know.
const unknownLicence = "see its source"

// licenceOf names the licence of a module as its own LICENSE file does.
func licenceOf(module string) string {
	licences := []struct{ prefix, licence string }{
		{"golang.org/x/", "BSD-3-Clause"}, {"github.com/google/uuid", "BSD-3-Clause"}, {"github.com/spf13/pflag", "BSD-3-Clause"},
		{"filippo.io/", "BSD-3-Clause"}, {"github.com/pkg/browser", "BSD-2-Clause"}, {"github.com/pkg/errors", "BSD-2-Clause"}, {"github.com/gorilla/websocket", "BSD-2-Clause"},
		{"github.com/godbus/dbus", "BSD-2-Clause"}, {"github.com/spf13/cobra", "Apache-2.0"}, {"github.com/tetratelabs/wazero", "Apache-2.0"},
		{"github.com/inconshreveable/mousetrap", "Apache-2.0"}, {"pgregory.net/rapid", "MPL-2.0"},
		{"github.com/invopop/", "MIT"}, {"github.com/santhosh-tekuri/", "Apache-2.0"}, {"github.com/bahlo/", "BSD-3-Clause"}, {"github.com/buger/", "MIT"},
		{"github.com/pb33f/", "Apache-2.0"}, {"go.yaml.in/", "MIT, Apache-2.0"},
		{"github.com/suyashkumar/dicom", "MIT"}, {"github.com/wailsapp/", "MIT"}, {"github.com/leaanthony/", "MIT"}, {"go.etcd.io/bbolt", "MIT"},
		{"github.com/rs/zerolog", "MIT"}, {"github.com/zalando/", "MIT"}, {"github.com/danieljoos/", "MIT"}, {"github.com/mattn/", "MIT"}, {"github.com/rivo/uniseg", "MIT"}, {"github.com/bep/debounce", "MIT"},
		{"github.com/go-ole/go-ole", "MIT"}, {"github.com/jchv/go-winloader", "ISC"}, {"github.com/labstack/", "MIT"}, {"github.com/samber/lo", "MIT"},
		{"github.com/tkrajina/go-reflector", "Apache-2.0"}, {"github.com/valyala/", "MIT"}, {"git.sr.ht/~jackmordaunt/go-toast", "MIT"},
		{"github.com/xuri/", "BSD-3-Clause"}, {"github.com/richardlehane/", "Apache-2.0"}, {"github.com/tiendc/go-deepcopy", "MIT"},
		{"github.com/parquet-go/jsonlite", "MIT"}, {"github.com/parquet-go/", "Apache-2.0"}, {"github.com/andybalholm/brotli", "MIT"}, {"github.com/klauspost/compress", "BSD-3-Clause, Apache-2.0, MIT"},
		{"github.com/pierrec/lz4/", "BSD-3-Clause"}, {"github.com/twpayne/go-geom", "BSD-2-Clause"}, {"google.golang.org/protobuf", "BSD-3-Clause"},
		{"github.com/corona10/goimagehash", "BSD-2-Clause"}, {"github.com/nfnt/resize", "ISC"},
	}
	for _, l := range licences {
		if strings.HasPrefix(module, l.prefix) {
			return l.licence
		}
	}
	return unknownLicence
}

// SetPreferences keeps what the face wants to find again: one JSON object.
func (d *Desk) SetPreferences(_ context.Context, preferences string) error {
	var v map[string]json.RawMessage
	if err := json.Unmarshal([]byte(preferences), &v); err != nil || v == nil {
		return fault.New(fault.Invalid, "save preferences", "", "one JSON object expected")
	}
	return d.options.Folders.save(d.options.Folders.preferencesFile(), v)
}
