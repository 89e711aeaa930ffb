package desk

import (
	"context"
	"slices"
	"strings"

	"plumbline/backend/review"
)

// ConditionList is what conditions are joined of.
type ConditionList struct {
	Names []review.ConditionName `json:"names"`
	Sets  []review.ConditionSet  `json:"sets"` // names that stand for several conditions
	Fills []string               `json:"fills"`
}

// ConditionList gives the names that conditions are joined of, and those that stand for several conditions.
func (d *Desk) ConditionList() ConditionList {
	return ConditionList{Names: review.ConditionNames(), Sets: review.ConditionSets(), Fills: review.Fills()}
}

// CheckedCondition says what a condition changes, and with which of the others that were asked about it can be compared.
type CheckedCondition struct {
	Asked   string         `json:"asked"`
	Name    string         `json:"name"`    // as the program writes it; "" where it cannot be read
	Trouble string         `json:"trouble"` // why it cannot be read
	Changes []string       `json:"changes"` // the fields that are not as in original
	With    []ComparedWith `json:"with"`    // the others that differ in one field
	Alone   string         `json:"alone"`   // why it is compared with none of the others, in words
	Add     []string       `json:"add"`     // conditions with which it could be compared, where it stands alone
}

// ComparedWith is a condition that differs in one field from another.
type ComparedWith struct {
	Name  string `json:"name"`
	Field string `json:"field"`
}

// CheckConditions reads conditions and says which of them can be compared: two that differ in one field alone.
func (d *Desk) CheckConditions(_ context.Context, asked []string) ([]CheckedCondition, error) {
	out := []CheckedCondition{}
	var read []review.Condition
	for _, text := range asked {
		c, err := review.ParseCondition(text)
		row := CheckedCondition{Asked: text, Changes: []string{}, With: []ComparedWith{}, Add: []string{}}
		if err != nil {
			row.Trouble = err.Error()
		} else {
			row.Name = c.Name()
			row.Changes = c.Differences(review.Condition{Image: "original", Given: "own"})
		}
		out, read = append(out, row), append(read, c)
	}
	for i := range out {
		row := &out[i]
		if row.Trouble != "" {
			continue
		}
		for k, other := range out {
			if fields := read[i].Differences(read[k]); k != i && other.Trouble == "" && len(fields) == 1 {
				row.With = append(row.With, ComparedWith{other.Name, fields[0]})
			}
		}
		if len(row.With) == 0 && len(out) > 1 && len(row.Changes) > 0 {
			row.Alone, row.Add = alone(read, i)
		}
	}
	return out, nil
}

// alone says why a condition is compared with none of the others, and what would stand beside it.
func alone(all []review.Condition, i int) (why string, add []string) {
	why, add = "it differs from every other chosen condition in more than one field; a comparison changes one", []string{}
	parts := strings.Split(all[i].Name(), "+")
	for k := range parts {
		name := strings.Join(slices.Delete(slices.Clone(parts), k, k+1), "+")
		if name == "" {
			name = "original"
		}
		c, err := review.ParseCondition(name)
		if err == nil && len(all[i].Differences(c)) == 1 && !slices.ContainsFunc(all, func(o review.Condition) bool { return o.Name() == c.Name() }) {
			add = append(add, c.Name())
		}
	}
	return why, add
}
