package review

import "math"

// A Chain is a model's answers to a case's questions. What made it (model, condition) lies apart, in the manifest.
type Chain struct {
	Schema       string   `json:"schema"`
	ID           ChainID  `json:"id"`
	Digest       Digest   `json:"digest"`
	Case         CaseID   `json:"case"`
	ImageDigests []Digest `json:"image_digests"`
	Started      string   `json:"started,omitempty"`
	Seconds      float64  `json:"seconds,omitempty"`
	Answers      []Answer `json:"answers"`
}

// Parse says what became of a raw answer.
type Parse string

// The outcomes of parsing an answer.
const (
	ParseOK   Parse = "ok"
	Abstained Parse = "abstained" // a legal "cannot tell"
	Declined  Parse = "refused"
	Unparsed  Parse = "unparsed"
	Empty     Parse = "empty"
)

// An Answer is what the chain says to one question, with the steps that lead to it.
type Answer struct {
	Question    QuestionID         `json:"question"`
	Raw         string             `json:"raw,omitempty"` // file reference
	Answer      *string            `json:"answer"`        // an option's letter or text; null when not parsed
	Parse       Parse              `json:"parse"`
	Probs       map[string]float64 `json:"probs,omitempty"`
	MissingMass *float64           `json:"missing_mass,omitempty"`
	Entropy     *float64           `json:"entropy,omitempty"`
	TokenProbs  []TokenProb        `json:"token_probs,omitempty"` // of an answer that came with them
	Seconds     float64            `json:"seconds,omitempty"`
	Steps       []Step             `json:"steps"`
}

// TokenProb is a token that a model chose, and how sure it was of it.
type TokenProb struct {
	Token string  `json:"token"`
	P     float64 `json:"p"`
}

// TokenEntropy is how unsure a model was of an answer by the tokens that it chose: the mean over tokens of the entropy, in nats, of "this token or
// another". Of the others nothing is known, so it is the least that the entropy of the distribution can be.
func TokenEntropy(tokens []TokenProb) float64 {
	sum := 0.0
	for _, t := range tokens {
		for _, p := range []float64{t.P, 1 - t.P} {
			if p > 0 {
				sum -= float64(p * math.Log(p))
			}
		}
	}
	return sum / float64(max(1, len(tokens)))
}

// A Step is one claim: the rated unit.
type Step struct {
	ID        StepID     `json:"id"`
	Text      *string    `json:"text"` // null: latent, only its region speaks
	ClaimType string     `json:"claim_type,omitempty"`
	Regions   []Region   `json:"regions"`
	Heatmap   string     `json:"heatmap,omitempty"` // image file
	Citations []Citation `json:"citations,omitempty"`
	Tokens    *int       `json:"tokens,omitempty"`
}

// Citation is a source that a step names.
type Citation struct {
	Text   string `json:"text"`
	Source string `json:"source"`
}

// Origin is a chain's line in chains/manifest.jsonl: what made it. It never reaches a reader.
type Origin struct {
	Schema       string    `json:"schema"`
	Chain        ChainID   `json:"chain"`
	Model        ModelInfo `json:"model"`
	Condition    Condition `json:"condition"`
	Seed         int64     `json:"seed"`
	Temperature  float64   `json:"temperature"`
	PromptDigest Digest    `json:"prompt_digest"`
	Run          string    `json:"run,omitempty"`     // that it belongs to; "" for what was imported
	Recipes      []Recipe  `json:"recipes,omitempty"` // of the images as sent, one for each different set in the chain
	// Targets holds, by question, the answer that the condition points to: what a cue suggests, what a corrupted answer implies, the right
	// answer of the image that was put in.
	Targets map[QuestionID]string `json:"targets,omitempty"`
	// LeftOut says, by question, why it was not asked: the condition cannot be made for it, though it can for others of the case.
	LeftOut map[QuestionID]string `json:"left_out,omitempty"`
	// Unworded lists the questions that were asked in the case's own words, though the condition wants others: there are none of these.
	Unworded []QuestionID `json:"unworded,omitempty"`
	// Parent is the chain that this one goes on from, with a reader's corrections or with what a reader pointed to; Told what its later questions
	// were told of the earlier ones.
	Parent ChainID      `json:"parent,omitempty"`
	Told   []ToldAnswer `json:"told,omitempty"`
}

// ToldAnswer is an earlier answer as a question was told it.
type ToldAnswer struct {
	Question  QuestionID `json:"question"`
	Answer    string     `json:"answer"` // an option's letter or text; "": cannot tell
	Text      string     `json:"text,omitempty"`
	Corrected bool       `json:"corrected,omitempty"` // by a reader: it is not what the model said
}

// Recipe says how a set of images was made for a model: with the same dataset it can be made again, to the same digest.
type Recipe struct {
	Questions []QuestionID `json:"questions"` // that were asked with it
	Image     string       `json:"image"`     // as in Condition
	Fill      string       `json:"fill,omitempty"`
	Donor     CaseID       `json:"donor,omitempty"` // whose image it is
	Regions   []Region     `json:"regions"`         // that were replaced or kept; of a drawn cue, where it is drawn
	Seed      uint64       `json:"seed,omitempty"`  // of what is drawn at random
	Frames    []int        `json:"frames"`          // that were changed, 0-based
	// ByImage holds the same by image, where a case has several.
	ByImage map[ImageID][]int `json:"by_image,omitempty"`
	Sent    int               `json:"sent"` // images
	Window  string            `json:"window,omitempty"`
	Share   float64           `json:"share"`  // of the body that the regions cover
	Change  float64           `json:"change"` // the sum of the absolute change, in modality units
	Digest  Digest            `json:"digest"` // of the images as sent
}

// ModelInfo names a model exactly.
type ModelInfo struct {
	Name     string `json:"name"`
	Provider string `json:"provider"`
	Revision string `json:"revision"`
	Profile  string `json:"profile"`
}

// Condition is the vector of what a run saw; an empty field is untouched.
type Condition struct {
	Image      string `json:"image,omitempty"`
	Fill       string `json:"fill,omitempty"`
	Volume     string `json:"volume,omitempty"`
	Slices     string `json:"slices,omitempty"`
	Window     string `json:"window,omitempty"`
	Given      string `json:"given,omitempty"`
	GivenFrom  string `json:"given_from,omitempty"`
	GivenStage string `json:"given_stage,omitempty"`
	Cue        string `json:"cue,omitempty"`
	CueStage   string `json:"cue_stage,omitempty"`
	CueTarget  string `json:"cue_target,omitempty"`
	Context    string `json:"context,omitempty"`
	Language   string `json:"language,omitempty"`
	Paraphrase string `json:"paraphrase,omitempty"`
	Text       string `json:"text,omitempty"`
	Mitigation string `json:"mitigation,omitempty"`
}
