package review

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// FieldLine finds the line (1-based) of a JSON document on which a field's value ends, the field written as in "readers[1].role". Of a
// field that is not there it gives the line of the innermost part around it that is; 0 where the document cannot be read.
func FieldLine(b []byte, field string) int {
	w := walker{d: json.NewDecoder(bytes.NewReader(b)), at: map[string]int{}}
	if w.value("") != nil {
		return 0
	}
	for {
		if offset, found := w.at[field]; found {
			return bytes.Count(b[:offset], []byte("\n")) + 1
		}
		i := max(bytes.LastIndexByte([]byte(field), '.'), bytes.LastIndexByte([]byte(field), '['))
		if i < 0 {
			return 1
		}
		field = field[:i]
	}
}

// walker notes where the values of a JSON document stand: a scalar's last byte, the opening bracket of anything else.
type walker struct {
	d  *json.Decoder
	at map[string]int
}

func (w walker) value(path string) error {
	token, err := w.d.Token()
	if err != nil {
		return err
	}
	w.at[path] = int(w.d.InputOffset())
	bracket, opens := token.(json.Delim)
	if !opens {
		return nil
	}
	for i := 0; w.d.More(); i++ {
		part := fmt.Sprintf("%s[%d]", path, i)
		if bracket == '{' {
			name, err := w.d.Token()
			if err != nil {
				return err
			}
			if part = fmt.Sprint(name); path != "" {
				part = path + "." + part
			}
		}
		if err := w.value(part); err != nil {
			return err
		}
	}
	_, err = w.d.Token()
	return err
}
