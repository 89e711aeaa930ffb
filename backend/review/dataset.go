package review

import "slices"

// Dataset describes a folder of cases (dataset.json).
type Dataset struct {
	Schema     string    `json:"schema"`
	Name       string    `json:"name"`
	Version    string    `json:"version"`
	Licence    Licence   `json:"licence"`
	Source     string    `json:"source"`
	StagePack  StagePack `json:"stage_pack"`
	Languages  []string  `json:"languages"`
	ClusterKey string    `json:"cluster_key"` // "patient", "case", "article" or "image": how far identity goes
	Notes      string    `json:"notes"`
}

// Licence says what may be done with the data.
type Licence struct {
	Name         string `json:"name"`
	URL          string `json:"url"`
	Redistribute bool   `json:"redistribute"`
	Credentialed bool   `json:"credentialed"`
}

// StagePack names the stages of the chain; stages and categories are data.
type StagePack struct {
	Stages []Stage `json:"stages"`
}

// Stage is one stage of a chain, K counted from 1.
type Stage struct {
	K          int      `json:"k"`
	Name       string   `json:"name"`
	Categories []string `json:"categories"`
}

// A Case is what is read together: images, context and questions.
type Case struct {
	Schema      string     `json:"schema"`
	ID          CaseID     `json:"id"`
	Patient     PatientID  `json:"patient,omitempty"`
	Study       string     `json:"study,omitempty"` // DICOM's sense
	Images      []Image    `json:"images"`          // may be empty: text only
	FramesShown []int      `json:"frames_shown"`    // 0-based; empty: all
	Context     Context    `json:"context"`
	Language    string     `json:"language,omitempty"`
	Group       string     `json:"group,omitempty"` // paraphrase group
	Level       string     `json:"level,omitempty"` // word, sentence, semantic, language
	Source      Source     `json:"source"`
	Questions   []Question `json:"questions"`
}

// Shows says whether frame n (0-based) of an image of so many is among those that the case shows: to readers and to models. An image of one
// frame is always shown.
func (c Case) Shows(n, frames int) bool {
	return frames == 1 || len(c.FramesShown) == 0 || slices.Contains(c.FramesShown, n)
}

// Image names a picture of a case: one file, one multi-frame file, or one series.
type Image struct {
	ID           ImageID   `json:"id"`
	Path         string    `json:"path,omitempty"`   // file or folder, relative to the dataset, with forward slashes
	Series       string    `json:"series,omitempty"` // Series Instance UID; narrows a folder, or stands alone
	Kind         ImageKind `json:"kind"`
	Modality     string    `json:"modality,omitempty"`
	DerivedFrom  ImageID   `json:"derived_from,omitempty"`
	Intervention string    `json:"intervention,omitempty"`
}

// The interventions by which an image is the counterpart of the one that it is derived from: a supplied pair. It is used by conditions and
// never shown beside that one. Both have the same size and the same meaning of stored values.
const (
	Removed  = "remove" // the same image without its finding
	Inserted = "insert" // the same image with a finding put in
)

// ImageKind says how the frames of an image belong together.
type ImageKind string

// The kinds of image.
const (
	SingleImage ImageKind = "image"  // one frame
	FrameSet    ImageKind = "frames" // several frames without a place in space (a clip)
	Volume      ImageKind = "volume" // frames in order along their normal
)

// Context is the card of a case: what a reader and a model may be told beside the images.
type Context struct {
	Age           string            `json:"age,omitempty"`
	Sex           string            `json:"sex,omitempty"`
	Ethnicity     string            `json:"ethnicity,omitempty"`
	History       string            `json:"history,omitempty"`
	EarlierReport string            `json:"earlier_report,omitempty"`
	Vitals        map[string]string `json:"vitals,omitempty"`
}

// Source says where a record was imported from.
type Source struct {
	Format string `json:"format,omitempty"`
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	ID     string `json:"id,omitempty"`
}

// A Question is asked at a stage.
type Question struct {
	ID          QuestionID   `json:"id"`
	K           int          `json:"k"`
	Stage       string       `json:"stage"`
	SourceStage string       `json:"source_stage,omitempty"`
	Category    string       `json:"category,omitempty"`
	Text        string       `json:"text"`
	Options     []Option     `json:"options"` // empty: free text
	Parents     []QuestionID `json:"parents"` // empty: all earlier ones
}

// Option is one answer to choose; an answer is stored as its letter.
type Option struct {
	Letter string `json:"letter"`
	Text   string `json:"text"`
}

// Truth is what is known of one question. It never lies beside the questions and never reaches a reader.
type Truth struct {
	Schema      string        `json:"schema"`
	Case        CaseID        `json:"case"`
	Question    QuestionID    `json:"question"`
	Gold        *string       `json:"gold"`    // an option's letter, or text where there are no options; null: unknown
	Present     *bool         `json:"present"` // gold asserts something present
	Evidence    []Region      `json:"evidence"`
	Side        string        `json:"side,omitempty"` // "left", "right", "both" or empty
	Implies     []Implication `json:"implies"`
	Expectation string        `json:"expectation,omitempty"`
	Inserted    *InsertedGold `json:"inserted,omitempty"` // once the finding of the case's counterpart is put in
}

// InsertedGold is what is known of a question where a finding is put into the image that has none.
type InsertedGold struct {
	Gold     *string  `json:"gold"`     // as of Truth
	Evidence []Region `json:"evidence"` // where the finding lies, in the image that the counterpart belongs to
}

// Implication says what a wrong earlier answer would make of this one.
type Implication struct {
	IfQuestion QuestionID `json:"if_question"`
	IfAnswer   string     `json:"if_answer"`
	Answer     string     `json:"answer"`
}

// Problem is something wrong in somebody's file, listed beside the result. It never stops the rest.
type Problem struct {
	File  string `json:"file"`            // relative to what was opened
	Line  int    `json:"line,omitempty"`  // 1-based; 0: the whole file
	Field string `json:"field,omitempty"` // the field or part at fault
	Text  string `json:"text"`            // what is wrong and what was expected
}

// Progress is one report of a long operation. Total 0 means: not known yet.
type Progress struct {
	Op    string `json:"op"`
	Done  int    `json:"done"`
	Total int    `json:"total"`
	Of    string `json:"of,omitempty"` // what is being worked on
}

// Tell receives progress; it is called often and must be quick. Never nil inside the program: see Quiet.
type Tell func(Progress)

// Quiet tells nobody.
func Quiet(Progress) {}
