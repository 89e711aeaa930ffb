package review

import (
	"embed"
	"slices"
	"strings"
)

// schemas are made from the nouns by TestSchemas (go test ./backend/review -update).
//
//go:embed schemas/*.json
var schemas embed.FS

// SchemaNames lists the records that have a published JSON Schema.
func SchemaNames() []string {
	files, err := schemas.ReadDir("schemas")
	if err != nil {
		panic(err) // a part of the program
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = strings.TrimSuffix(f.Name(), ".json")
	}
	slices.Sort(names)
	return names
}

// SchemaOf gives the JSON Schema (2020-12) of a record by its name ("case", "protocol"), false where there is none.
func SchemaOf(name string) ([]byte, bool) {
	if !slices.Contains(SchemaNames(), name) {
		return nil, false
	}
	b, err := schemas.ReadFile("schemas/" + name + ".json")
	return b, err == nil
}
