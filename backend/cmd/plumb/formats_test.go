package main

import (
	"encoding/json"
	"testing"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

func TestSchemasByCommand(t *testing.T) {
	for _, name := range review.SchemaNames() {
		var s struct {
			Title string `json:"title"`
		}
		if err := json.Unmarshal([]byte(plumb(t, 0, "formats", "--schema", name)), &s); err != nil || s.Title == "" {
			t.Errorf("%s: %q, %v", name, s.Title, err)
		}
	}
	plumb(t, fault.Usage.Exit(), "formats", "--schema", "nothing")
	plumb(t, fault.Usage.Exit(), "formats", "--schema=")
}
