package report

import _ "embed"

// schema is made from Document by TestSchema (go test ./backend/report -update).
//
//go:embed schemas/report.json
var schema []byte

// JSONSchema gives the JSON Schema (2020-12) of report.json.
func JSONSchema() []byte { return append([]byte(nil), schema...) }
