package formats

import (
	"cmp"
	"slices"

	"plumbline/backend/review"
)

// Shape is one kind of file of a format and its fields.
type Shape struct {
	Path   string   `json:"path"`
	Fields []string `json:"fields"`
}

// Format is one kind of records that can be read.
type Format struct {
	Name    string  `json:"name"`
	Title   string  `json:"title"`
	Files   []Shape `json:"files"`
	Cluster string  `json:"cluster_key"` // how far identity goes: patient, case, article, image
	Note    string  `json:"note,omitempty"`
}

// format is a Format and how it is read.
type format struct {
	Format
	id        string // where a format has several kinds of file: which; "": its name
	licence   review.Licence
	when      turn       // it is read
	asks      bool       // its records need a table of patients
	container string     // the list of records in a log
	needs     [][]string // sets of fields: where a record has all of one set, it may be of this format
	never     []string   // fields that it does not have
	open      func(w *work) (each func(row), end func())
}

// turn says when files of a format are read.
type turn int

const (
	early turn = iota - 1 // what is known of cases before they come
	normally
	answering // after the cases that they answer
)

// plainly is open of a format that keeps nothing between records.
func plainly(each func(w *work, r row)) func(*work) (func(row), func()) {
	return func(w *work) (func(row), func()) { return func(r row) { each(w, r) }, nil }
}

// registered lists the formats; the first that fits a file is its format.
func registered() []format {
	return []format{
		inspectFormat(), helmFormat(), lmmsEvalFormat(),
		prm800kFormat(), parcFormat(), imrmcFormat(), radFactFormat(),
		vqaRADFormat(), cSlakeFormat(), slakeFormat(), omniMedVQAFormat(), pmcVQAFormat(), medXpertQAFormat(), mimicCXRVQAFormat(),
		sChainFormat(), m3CoTFormat(), m3CoTTypesFormat(), m3CoTPredictionsFormat(), echoBenchFormat(), cotEvalFormat(), cotReadersFormat(),
		expertCFGFormat(), expertCFGOutputFormat(), geMeXFormat(), thinkVGFormat(), drVDFormat(), drVDJointFormat(),
		msCXRFormat(), msCXRCocoFormat(), vinDrFormat(), vinDrLabelsFormat(), gmaiFormat(), vlmEvalKitFormat(),
		llavaFormat(), llavaAnswersFormat(), pathVQAFormat(),
	}
}

// Formats lists what can be read.
func Formats() []Format {
	var out []Format
	for _, f := range registered() {
		if i := slices.IndexFunc(out, func(o Format) bool { return o.Name == f.Name }); i >= 0 {
			out[i].Files = append(out[i].Files, f.Files...)
			continue
		}
		out = append(out, f.Format)
	}
	slices.SortFunc(out, func(a, b Format) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// formatOf finds a format, or one kind of its files.
func formatOf(id string) (format, bool) {
	for _, f := range registered() {
		if f.key() == id {
			return f, true
		}
	}
	return format{}, false
}

// key tells kinds of files apart.
func (f format) key() string { return cmp.Or(f.id, f.Name) }

// Known says whether a name is that of a format.
func Known(name string) bool {
	_, known := formatOf(name)
	return known
}

// LicenceOf gives what may be done with records of a format, as far as its makers say.
func LicenceOf(name string) review.Licence {
	f, _ := formatOf(name)
	return f.licence
}

// notes says what a reader of the records should know.
func (f format) notes() []string {
	var out []string
	switch f.Cluster {
	case "image":
		out = append(out, f.Title+": identity is known for images only; whether patients are independent cannot be verified.")
	case "case", "article":
		out = append(out, f.Title+": identity is known by "+f.Cluster+", not by patient.")
	}
	if f.Note != "" {
		out = append(out, f.Note)
	}
	return out
}

// Licences that sets come under.
func licence(name, url string, redistribute bool) review.Licence {
	return review.Licence{Name: name, URL: url, Redistribute: redistribute}
}

// credentialed is the licence of PhysioNet's sets.
func credentialed(of string) review.Licence {
	return review.Licence{Name: of + ": PhysioNet Credentialed Health Data Use Agreement", URL: "https://physionet.org", Credentialed: true}
}

// unlicensed is said of what comes without one.
func unlicensed(of string) review.Licence { return review.Licence{Name: of + ": no licence found"} }

// NameOf gives the format to which a kind of file belongs.
func NameOf(id string) string {
	f, _ := formatOf(id)
	return f.Name
}
