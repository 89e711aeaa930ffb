package backend

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// floors lists every package by how far down it stands. Imports go down only: add a package, add it here.
var floors = [][]string{
	{"backend/review", "backend/fault", "backend/testfiles"},
	{"backend/dcm", "backend/pixels", "backend/formats", "backend/store", "backend/stats", "backend/model", "backend/phantom", "backend/dicomweb"},
	{"backend/dataset", "backend/sample", "backend/experiment", "backend/report", "backend/export", "backend/bundle"},
	{"backend/desk"},
	{"backend/cmd/plumb", "app", "backend/desktest", "build/fill"},
	{"."},
}

// data packages hold files, or stand alone as tools of the build; no floor is theirs.
var data = map[string]bool{"frontend": true, "backend": true, "build/looks": true}

// owners says which packages may know an outside library, and why nobody else may.
var owners = []struct {
	library string
	owners  []string
	why     string
}{
	{"github.com/wailsapp/wails", []string{"app"}, "the desktop face is the only Go that knows the window system"},
	{"github.com/suyashkumar/dicom", []string{"backend/dcm"}, "its panics and its open channels stop in dcm"},
	{"github.com/tetratelabs/wazero", []string{"backend/dcm"}, "codecs are dcm's business"},
	{"go.etcd.io/bbolt", []string{"backend/store"}, "only store knows how records lie on disk"},
	{"github.com/rs/zerolog", []string{"backend/desk", "app", "backend/cmd/plumb"}, "everything below returns faults and problems; the faces log"},
	{"github.com/corona10/goimagehash", []string{"backend/experiment"}, "only routing compares pictures by their hash"},
	{"filippo.io/age", []string{"backend/bundle"}, "only bundle knows how a package is locked"},
	{"github.com/zalando/go-keyring", []string{"backend/model"}, "only a model server has a key, and only model asks for it"},
	{"github.com/invopop/jsonschema", []string{"backend/review", "backend/report"}, "the published schemas are made of the nouns, in tests"},
	{"github.com/santhosh-tekuri/jsonschema", []string{"backend/review", "backend/report", "backend/desktest", "backend/cmd/plumb"}, "it reads published schemas as another program would, in tests"},
	{"golang.org/x/sys", []string{"backend/store"}, "only store exchanges folders in one step"},
	{"golang.org/x/term", []string{"backend/cmd/plumb"}, "only the command line sits at a terminal"},
	{"github.com/parquet-go/parquet-go", []string{"backend/export", "backend/formats"}, "only export writes Parquet, and formats reads it"},
	{"github.com/xuri/excelize", []string{"backend/formats"}, "only formats reads workbooks"},
	{"github.com/klauspost/compress", []string{"backend/formats"}, "only formats unpacks zstd"},
	{"github.com/spf13/cobra", []string{"backend/cmd/plumb"}, "the command line is one face"},
}

type listed struct {
	ImportPath   string
	Imports      []string
	TestImports  []string
	XTestImports []string
}

func TestImportsGoDown(t *testing.T) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,TestImports,XTestImports", "./...")
	cmd.Dir = ".."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	floorOf := map[string]int{}
	for i, floor := range floors {
		for _, p := range floor {
			floorOf[p] = i
		}
	}
	seen := 0
	for d := json.NewDecoder(strings.NewReader(string(out))); ; seen++ {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		checkPackage(t, floorOf, p)
	}
	if seen < 5 {
		t.Errorf("only %d packages were looked at", seen)
	}
}

func checkPackage(t *testing.T, floorOf map[string]int, p listed) {
	name := short(p.ImportPath)
	floor, known := floorOf[name]
	if !known && !data[name] {
		t.Errorf("%s stands on no floor: add it to floors_test.go", name)
		return
	}
	for _, imported := range p.Imports {
		if strings.HasPrefix(imported, "plumbline") {
			target := short(imported)
			if f, ok := floorOf[target]; ok && known && f >= floor {
				t.Errorf("%s imports %s: imports go down, never sideways or up; what both need belongs on a lower floor", name, target)
			}
			continue
		}
		for _, o := range owners {
			if strings.HasPrefix(imported, o.library) && !slices.Contains(o.owners, name) {
				t.Errorf("%s imports %s: %s", name, imported, o.why)
			}
		}
	}
}

func short(path string) string {
	if path == "plumbline" {
		return "."
	}
	return strings.TrimPrefix(path, "plumbline/")
}
