package stats

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
)

// An Estimate is a number, or the reason why there is none. As JSON it is the number itself, or {"estimable": false, "reason": "…"}.
type Estimate struct {
	Value     float64
	Estimable bool
	Reason    string // in words; empty where Estimable
}

// known is the estimate v; a number that overflowed on the way is none.
func known(v float64) Estimate {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return missing("the numbers are too large to compute with")
	}
	return Estimate{Value: v, Estimable: true}
}

// missing says why there is no number.
func missing(format string, args ...any) Estimate {
	return Estimate{Reason: fmt.Sprintf(format, args...)}
}

// unknown is the wire form of an Estimate that is none.
type unknown struct {
	Estimable bool   `json:"estimable"`
	Reason    string `json:"reason"`
}

// MarshalJSON writes the number, or why there is none.
func (e Estimate) MarshalJSON() ([]byte, error) {
	if e.Estimable {
		return json.Marshal(e.Value)
	}
	return json.Marshal(unknown{Reason: e.Reason})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (e *Estimate) UnmarshalJSON(b []byte) error {
	if !bytes.HasPrefix(b, []byte("{")) {
		*e = Estimate{Estimable: true}
		return json.Unmarshal(b, &e.Value)
	}
	var u unknown
	err := json.Unmarshal(b, &u)
	*e = Estimate{Reason: u.Reason}
	return err
}

// Pointer gives the number, or nil where there is none.
func (e Estimate) Pointer() *float64 {
	if !e.Estimable {
		return nil
	}
	return &e.Value
}
