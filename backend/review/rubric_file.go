package review

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a rubric may hold at most.
const (
	maxOptions    = 30
	maxRubricWord = 200 // bytes of a label
)

// rubricFile is a rubric as it is written: what is absent of a field is as GRD v1 has it.
type rubricFile struct {
	Schema  string      `json:"schema"`
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Digest  Digest      `json:"digest"` // as shown; computed anew
	Step    []fieldFile `json:"step"`
	Chain   []fieldFile `json:"chain"`
}

type fieldFile struct {
	Name     string            `json:"name"`
	Kind     string            `json:"kind"`
	Options  []string          `json:"options"`
	Asked    *When             `json:"asked"`
	Required []string          `json:"required"`
	Label    string            `json:"label"`
	Labels   map[string]string `json:"labels"`
	Keys     map[string]string `json:"keys"`
}

// RestoreRubric reads a rubric of any version. It names fields of GRD v1 in the order in which they are asked; options, what is required,
// labels and keys may be its own, everything else is as there. A field of JSON that it does not know is an error; Problems tells whether
// readers can be asked by it.
func RestoreRubric(b []byte) (Rubric, error) {
	if _, err := restore[rubricFile](b, RubricSchema); err != nil {
		return Rubric{}, err
	}
	var file rubricFile
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		return Rubric{}, inWords(err)
	}
	grd := GRD()
	r := Rubric{Name: file.Name, Version: file.Version}
	for _, f := range file.Step {
		r.Step = append(r.Step, f.over(grd.Step))
	}
	for _, f := range file.Chain {
		r.Chain = append(r.Chain, f.over(grd.Chain))
	}
	supports := supportsOf(r.Step)
	for i := range r.Step { // a grade that is not offered decides nothing
		w := &r.Step[i].Asked
		w.Support = slices.DeleteFunc(slices.Clone(w.Support), func(s string) bool { return !slices.Contains(supports, s) })
	}
	return r.sealed(), nil
}

// over fills in what a field leaves out.
func (f fieldFile) over(standard []Field) Field {
	out := Field{Name: f.Name, Kind: f.Kind, Options: f.Options, Required: f.Required, Label: f.Label, Labels: f.Labels, Keys: f.Keys}
	if f.Asked != nil {
		out.Asked = *f.Asked
	}
	i := slices.IndexFunc(standard, func(s Field) bool { return s.Name == f.Name })
	if i < 0 {
		return out
	}
	s := standard[i]
	if f.Kind == "" {
		out.Kind = s.Kind
	}
	if f.Options == nil {
		out.Options = s.Options
	}
	if f.Required == nil {
		out.Required = s.Required
	}
	if f.Asked == nil {
		out.Asked = s.Asked
	}
	return out
}

// supportsOf gives the grades that a step can be given.
func supportsOf(fields []Field) []string {
	for _, f := range fields {
		if f.Name == "support" {
			return f.Options
		}
	}
	return nil
}

// complain notes what is wrong with a field.
type complain func(field, format string, args ...any)

// Problems lists by field why readers cannot be asked by the rubric; none where they can.
func (r Rubric) Problems() []Problem {
	all := []Problem{}
	wrong := func(field, format string, args ...any) {
		all = append(all, Problem{Field: field, Text: fmt.Sprintf(format, args...)})
	}
	grd := GRD()
	for field, name := range map[string]string{"name": r.Name, "version": r.Version} {
		if !rubricName.MatchString(name) {
			wrong(field, "1 to 64 letters, digits, spaces, '-', '_' or '.' expected, found %q", name)
		}
	}
	if r.Called() == grd.Called() && r.Digest != grd.Digest {
		wrong("version", "GRD version 1 is the program's own: a changed rubric needs a version of its own")
	}
	slices.SortFunc(all, func(a, b Problem) int { return strings.Compare(a.Field, b.Field) })
	supports := supportsOf(r.Step)
	if len(supports) == 0 {
		wrong("step", "the field support expected: every step is graded")
	}
	checkFields(r.Step, grd.Step, "step", supports, wrong)
	checkFields(r.Chain, grd.Chain, "chain", nil, wrong)
	return all
}

var (
	rubricName   = regexp.MustCompile(`^[\pL\pN][\pL\pN _.-]{0,63}$`)
	rubricOption = regexp.MustCompile(`^[a-z0-9_]{1,40}$`)
)

// checkFields looks at the fields of one card, whose keys are live together.
func checkFields(fields, standard []Field, card string, supports []string, wrong complain) {
	seen, keys := map[string]bool{}, map[string]string{}
	for i, f := range fields {
		at := fmt.Sprintf("%s[%d]", card, i)
		s := slices.IndexFunc(standard, func(s Field) bool { return s.Name == f.Name })
		switch {
		case s < 0:
			wrong(at+".name", "one of %s expected, found %q", strings.Join(names(standard), ", "), f.Name)
			continue
		case seen[f.Name]:
			wrong(at+".name", "%s stands here twice", f.Name)
			continue
		}
		seen[f.Name] = true
		f.checkShape(standard[s], at, supports, wrong)
		f.checkOptions(standard[s], at, wrong)
		f.checkWords(at, wrong)
		f.checkRequired(at, supports, wrong)
		f.checkKeys(at, keys, wrong)
	}
}

func names(fields []Field) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = f.Name
	}
	return out
}

// checkShape refuses another kind of answer, or another time to ask, than the program knows how to show.
func (f Field) checkShape(standard Field, at string, supports []string, wrong complain) {
	if f.Kind != standard.Kind {
		wrong(at+".kind", "%s is a %s, found %q", f.Name, standard.Kind, f.Kind)
	}
	a, s := f.Asked, standard.Asked
	with := slices.DeleteFunc(slices.Clone(s.Support), func(v string) bool { return !slices.Contains(supports, v) })
	if !slices.Equal(list(a.Support), list(with)) || a.Latent != s.Latent || a.Region != s.Region || a.Later != s.Later || a.CueRun != s.CueRun {
		wrong(at+".asked", "when %s is asked cannot be changed; leave it out", f.Name)
	}
}

// fixed are the fields whose options have a meaning that the program computes with: a rubric may only leave some out.
func fixed(name string) bool {
	return name == "support" || name == "significance" || name == "missed" || name == "radpeer" || name == "cue_ack"
}

func (f Field) checkOptions(standard Field, at string, wrong complain) {
	at += ".options"
	if len(standard.Options) == 0 {
		if len(f.Options) > 0 {
			wrong(at, "%s has no options of its own", f.Name)
		}
		return
	}
	if least := 2; len(f.Options) < least && f.Kind != KindMissed || len(f.Options) > maxOptions {
		wrong(at, "%d to %d options expected, found %d", least, maxOptions, len(f.Options))
	}
	for i, o := range f.Options[:min(len(f.Options), maxOptions)] {
		one := fmt.Sprintf("%s[%d]", at, i)
		switch {
		case slices.Contains(f.Options[:i], o):
			wrong(one, "%s stands here twice", o)
		case f.Kind == KindNumber && (len(o) != 1 || o < "1" || o > "9" || i > 0 && o <= f.Options[i-1]):
			wrong(one, "numbers of 1 to 9, rising, expected, found %q", o)
		case fixed(f.Name) && !slices.Contains(standard.Options, o):
			wrong(one, "one of %s expected, found %q: %s is computed with", strings.Join(standard.Options, ", "), o, f.Name)
		case !rubricOption.MatchString(o):
			wrong(one, "1 to 40 small letters, digits or '_' expected, found %q", o)
		}
	}
}

// checkWords looks at what people are shown.
func (f Field) checkWords(at string, wrong complain) {
	plain := func(field, text string) {
		if len(text) > maxRubricWord || strings.ContainsFunc(text, unicode.IsControl) || !utf8.ValidString(text) {
			wrong(field, "at most %d bytes of one line expected", maxRubricWord)
		}
	}
	plain(at+".label", f.Label)
	for _, o := range slices.Sorted(maps.Keys(f.Labels)) {
		field := at + ".labels." + o
		if !slices.Contains(f.Options, o) {
			wrong(field, "%s has no option %q", f.Name, o)
		}
		plain(field, f.Labels[o])
	}
}

func (f Field) checkRequired(at string, supports []string, wrong complain) {
	if f.Name == "support" && !slices.Contains(f.Required, Always) {
		wrong(at+".required", `["*"] expected: every step is graded`)
	}
	if f.Name == "cue_ack" && len(f.Required) > 0 {
		wrong(at+".required", "none expected: it is asked after signing")
	}
	for i, s := range f.Required {
		if s != Always && !slices.Contains(supports, s) {
			wrong(fmt.Sprintf("%s.required[%d]", at, i), `"*" or a grade of support expected, found %q`, s)
		}
	}
}

// checkKeys refuses a key that two options of one card have.
func (f Field) checkKeys(at string, taken map[string]string, wrong complain) {
	for _, o := range slices.Sorted(maps.Keys(f.Keys)) {
		key, field, owner := f.Keys[o], at+".keys."+o, f.Name+" "+o
		r, size := utf8.DecodeRuneInString(key)
		switch {
		case !slices.Contains(f.Options, o):
			wrong(field, "%s has no option %q", f.Name, o)
		case size == 0 || size != len(key) || !unicode.IsPrint(r) || unicode.IsSpace(r) || unicode.IsUpper(r):
			wrong(field, "one printed character, no capital, expected, found %q", key)
		case taken[key] != "":
			wrong(field, "key %s is that of %s and of %s", key, taken[key], owner)
		default:
			taken[key] = owner
		}
	}
}
