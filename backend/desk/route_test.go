package desk_test

import (
	"strings"
	"testing"

	"plumbline/backend/fault"
)

// Of the recorded chains of the sample study the model that sees is the one to ask, and the reason names the cases.
func TestRouteCase(t *testing.T) {
	d := sampleDesk(t)
	v, err := d.RouteCase(t.Context(), "case-01")
	if err != nil || v.Model != "oracle-pixels" || len(v.Neighbours) != 5 || len(v.Candidates) < 2 || !strings.Contains(v.Reason, string(v.Neighbours[0].Case)) {
		t.Errorf("%+v, %v", v, err)
	}
	if _, err := d.RouteCase(t.Context(), "case-99"); fault.KindOf(err) != fault.NotFound {
		t.Errorf("no such case: %v", err)
	}
}
