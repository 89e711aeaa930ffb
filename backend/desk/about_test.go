package desk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every module that go.mod requires for the programs has its licence on the list.
func TestEveryLicenceIsKnown(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	tools := []string{"honnef.co/go/tools", "github.com/BurntSushi/toml"} // of the checks, in no program
	n := 0
	for line := range strings.Lines(string(b)) {
		module, version, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "require ")), " ")
		if !strings.HasPrefix(version, "v") || strings.HasPrefix(module, tools[0]) || module == tools[1] {
			continue
		}
		n++
		if licenceOf(module) == unknownLicence {
			t.Errorf("the licence of %s is not on the list", module)
		}
	}
	if n < 10 {
		t.Errorf("only %d modules were found in go.mod", n)
	}
	a := about()
	if a.Version != Version || !strings.Contains(a.Notice, "Not for diagnosis") || a.Licences[0].Name != "plumbline" {
		t.Errorf("%+v", a)
	}
}
