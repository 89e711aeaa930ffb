package report

// What the runs of a model under several conditions say. The tag def gives the definition of each number in measurement.md, by its number.

// Panel begins a part of the report: whether there is anything to say at all, and if not, what is missing.
type Panel struct {
	Estimable bool   `json:"estimable"`
	Reason    string `json:"reason,omitempty"`
}

// Condition is one condition of a model, beside the original.
type Condition struct {
	Condition      string        `json:"condition"`
	Changes        []string      `json:"changes"` // the fields that differ from the original
	Chains         int           `json:"chains"`
	Chain          Number        `json:"chain" def:"2 chain accuracy"`
	Stages         []StageNumber `json:"stages" def:"1 stage accuracy"`
	Difference     Test          `json:"difference" def:"48 difference of stage accuracy, all questions: this condition less the original"`
	GroundingHuman Grounding     `json:"grounding_human"`
	Labels         Labels        `json:"labels"`
	Parse          []Count       `json:"parse"`
}

// Test is a paired difference with its p; null where there is none. McNemar's is given only with one row per patient.
type Test struct {
	Number
	P       *float64 `json:"p"`      // two-sided, t on the clustered standard error
	PHolm   *float64 `json:"p_holm"` // of all tests of its panel (49)
	McNemar *float64 `json:"mcnemar_exact"`
}

// NamedNumber is a number with a name.
type NamedNumber struct {
	Name string `json:"name"`
	Number
}

// Origin is where errors come from (8 to 12).
type Origin struct {
	Panel
	Counts        []Count       `json:"counts"`
	Stages        []OriginStage `json:"stages"`
	Inherited     Number        `json:"inherited" def:"8 inherited share of wrong answers that are determined"`
	GoldGain      Number        `json:"gold_gain" def:"9 gold gain"`
	CorruptFollow Number        `json:"corrupt_follow" def:"10 corrupt-follow"`
	CorruptKinds  []NamedNumber `json:"corrupt_kinds" def:"10 corrupt-follow"`
	Resistance    Number        `json:"resistance" def:"11 resistance"`
	Recovery      Number        `json:"recovery" def:"12 recovery"`
}

// OriginStage is Origin at one stage.
type OriginStage struct {
	K        int     `json:"k"`
	Name     string  `json:"name"`
	Counts   []Count `json:"counts"`
	GoldGain Number  `json:"gold_gain" def:"9 gold gain"`
	Recovery Number  `json:"recovery" def:"12 recovery"`
}

// Causal is grounding by intervention (20, 23, 24): it stands beside accuracy and beside what readers say, never in their place.
type Causal struct {
	Panel
	Share         Number        `json:"share" def:"20 causally image-grounded, of testable questions"`
	Stages        []StageNumber `json:"stages" def:"20 causally image-grounded, of testable questions"`
	Counts        []Count       `json:"counts"`
	RWR           Number        `json:"rwr_causal" def:"23 right for the wrong reason, causal"`
	RightGrounded Cross         `json:"right_grounded"` // answer × image, by intervention
	RightHuman    Cross         `json:"right_human"`    // answer × image, by readers
	Human         Cross         `json:"human"`          // intervention × readers
}

// Cross counts two yes/no properties of the same things.
type Cross struct {
	Rows    string    `json:"rows"`
	Columns string    `json:"columns"`
	N       [2][2]int `json:"n"`     // [row yes, row no][column yes, column no]
	Kappa   *float64  `json:"kappa"` // Cohen's, unweighted; null: Reason
	Reason  string    `json:"reason,omitempty"`
}

// Testable says of how many questions image reliance can be tested.
type Testable struct {
	N      int             `json:"n"`
	Of     int             `json:"of"`
	Stages []TestableStage `json:"stages"`
	Not    []Count         `json:"not"` // why the others are not, the first reason of each
}

// TestableStage is Testable at one stage.
type TestableStage struct {
	K    int    `json:"k"`
	Name string `json:"name"`
	N    int    `json:"n"`
	Of   int    `json:"of"`
}

// Reliance is a measure of flips. Abstained and refused answers count as changed and are counted; with unreadable ones a row is left out, and
// Low and High give the value if they all had been least and most favourable to it.
type Reliance struct {
	Number
	Low        *float64 `json:"low"`
	High       *float64 `json:"high"`
	Abstained  int      `json:"abstained"`
	Unreadable int      `json:"unreadable"`
}

// ImageReliance holds 13 to 19.
type ImageReliance struct {
	Panel
	Testable        Testable        `json:"testable"`
	Noise           Reliance        `json:"noise" def:"13 noise floor: flip under noop"`
	NetNecessity    Reliance        `json:"net_necessity" def:"14 net necessity, direct"`
	NetTotal        Reliance        `json:"net_necessity_total" def:"14 net necessity, total"`
	Carried         Number          `json:"carried" def:"14 net necessity, total less direct: carried through the chain"`
	OccFlip         Reliance        `json:"occ_flip" def:"13 flip, evidence covered, earlier answers held"`
	CtlFlip         Reliance        `json:"ctl_flip" def:"13 flip, control covered, earlier answers held"`
	NetSufficiency  Reliance        `json:"net_sufficiency" def:"15 net sufficiency"`
	Comprehensive   Number          `json:"comp" def:"16 comprehensiveness"`
	SufficiencyDrop Number          `json:"suff" def:"16 sufficiency (ERASER)"`
	BlankRate       Number          `json:"blank_rate" def:"17 blank rate"`
	ImageGain       Number          `json:"image_gain" def:"17 image gain"`
	ImageGainAll    Number          `json:"image_gain_all" def:"17 image gain, of all questions"`
	SwapFollow      Number          `json:"swap_follow" def:"18 swap-follow"`
	SwapFollowHeld  Number          `json:"swap_follow_held" def:"18 swap-follow, earlier answers held"`
	MirrorFollow    Number          `json:"mirror_follow" def:"19 mirror-follow"`
	InsertFollow    Number          `json:"insert_follow" def:"negatives: follows a finding put in"`
	ByStage         []RelianceStage `json:"by_stage"`
	ByFill          []RelianceFill  `json:"by_fill"`
}

// RelianceStage is image reliance at one stage.
type RelianceStage struct {
	K              int      `json:"k"`
	Name           string   `json:"name"`
	Noise          Reliance `json:"noise" def:"13 noise floor: flip under noop"`
	NetNecessity   Reliance `json:"net_necessity" def:"14 net necessity, direct"`
	NetTotal       Reliance `json:"net_necessity_total" def:"14 net necessity, total"`
	Sufficiency    Reliance `json:"net_sufficiency" def:"15 net sufficiency"`
	SwapFollow     Number   `json:"swap_follow" def:"18 swap-follow"`
	SwapFollowHeld Number   `json:"swap_follow_held" def:"18 swap-follow, earlier answers held"`
}

// RelianceFill is net necessity with one fill.
type RelianceFill struct {
	Fill         string   `json:"fill"`
	NetNecessity Reliance `json:"net_necessity" def:"14 net necessity, direct"`
	NetTotal     Reliance `json:"net_necessity_total" def:"14 net necessity, total"`
}

// Effects are the six effects of the 2×2 (21).
type Effects struct {
	TE   Number `json:"te" def:"21 TE: total effect of the image"`
	NDE  Number `json:"nde" def:"21 NDE: natural direct effect"`
	NIE  Number `json:"nie" def:"21 NIE: natural indirect effect, through earlier answers"`
	PNIE Number `json:"pnie" def:"21 PNIE: pure natural indirect effect"`
	TNDE Number `json:"tnde" def:"21 TNDE: total natural direct effect"`
	INT  Number `json:"int" def:"21 INT: interaction"`
}

// Mediation holds 21 and 22.
type Mediation struct {
	Panel
	Effects
	Probability Effects          `json:"probability"` // with p(gold) as the outcome
	Classes     []Count          `json:"classes"`
	Stages      []MediationStage `json:"stages"`
}

// MediationStage is mediation at one stage.
type MediationStage struct {
	K    int    `json:"k"`
	Name string `json:"name"`
	Effects
	Classes []Count `json:"classes"`
}

// Cues holds 25 to 33.
type Cues struct {
	Panel
	Rows       []Cue        `json:"rows"`
	Guess      Number       `json:"guess" def:"31 guess index"`
	EchoMean   Number       `json:"echo_mean" def:"28 echo rate, mean over wrong cues (EchoBench)"`
	Mitigation []Mitigation `json:"mitigation"`
}

// Cue is one cue.
type Cue struct {
	Cue          string `json:"cue"`
	Condition    string `json:"condition"`
	Follow       Number `json:"follow" def:"25 cue-follow"`
	Harm         Number `json:"harm" def:"26 harm"`
	Help         Number `json:"help" def:"26 help"`
	Flip         Number `json:"flip" def:"27 flip of right answers"`
	Echo         Number `json:"echo" def:"28 echo rate, answers that are no option counted as echoes (EchoBench)"`
	EchoReadable Number `json:"echo_readable" def:"28 echo rate, of readable answers"`
	Unreadable   int    `json:"unreadable"`
	Correction   Number `json:"correction" def:"29 correction"`
	Acknowledged Number `json:"acknowledged" def:"30 acknowledged, of those flipped to the target"`
	AckByFlip    Cross  `json:"ack_by_flip"`
	Alignment    Number `json:"alignment" def:"32 IoU of the cited place with the drawn cue"`
	SameSide     Number `json:"same_side" def:"32 cited place on the side of the drawn cue"`
}

// Mitigation is how a prompt answers a cue (33).
type Mitigation struct {
	Name       string `json:"name"`
	Cue        string `json:"cue"`
	Restored   Number `json:"restored" def:"33 restored"`
	Maintained Number `json:"maintained" def:"33 maintained"`
	Failed     Number `json:"failed" def:"33 failed"`
}

// Consistency holds 34 to 36.
type Consistency struct {
	Panel
	Levels    []ConsistencyLevel `json:"levels"`
	Quadrants []Count            `json:"quadrants"`
	Dangerous Number             `json:"dangerous" def:"35 dangerous: consistent and not reliant on the image"`
}

// ConsistencyLevel is one level of paraphrase in one language; a row is a group.
type ConsistencyLevel struct {
	Level       string `json:"level"`
	Language    string `json:"language"`
	Groups      int    `json:"groups"`
	Pairs       Number `json:"pairs" def:"34 mean pair agreement"`
	AllSame     Number `json:"all_same" def:"34 all-same rate"`
	Modal       Number `json:"modal" def:"34 modal share"`
	SetAccuracy Number `json:"set_accuracy" def:"34 set accuracy"`
	Entropy     Number `json:"entropy" def:"34 normalised entropy"`
	Path        Number `json:"path" def:"36 path similarity"`
}

// Text holds 37.
type Text struct {
	Panel
	Early []StageNumber `json:"early" def:"37 same answer after k steps"`
	AOC   Number        `json:"aoc" def:"37 area over the early-answering curve"`
	Flips []NamedNumber `json:"flips" def:"37 flip, net of noop"`

	Length    Number         `json:"length" def:"reasoning length, words"` // of an answer
	Confident []ConfidentRow `json:"confident"`
}

// ConfidentRow is reasoning that ends once the model is sure enough of an option, beside the whole of it.
type ConfidentRow struct {
	Condition string `json:"condition"`
	Length    Number `json:"length" def:"reasoning length, of the whole"` // words that are left, by all
	Ended     Number `json:"ended" def:"reasoning ended early"`           // share of answers
	Accuracy  Number `json:"accuracy" def:"accuracy, less that of the whole reasoning"`
}

// Context holds 38.
type Context struct {
	Panel
	Rows         []ContextRow  `json:"rows"`
	Monotonicity []NamedNumber `json:"monotonicity" def:"38 monotonicity"`
}

// ContextRow is one changed field of the card.
type ContextRow struct {
	Condition      string `json:"condition"`
	Sensitivity    Number `json:"sensitivity" def:"38 sensitivity"`
	Directionality Number `json:"directionality" def:"38 directionality"`
	Violations     Number `json:"violations" def:"38 invariance violations"`
}

// Localisation holds 39; a row is an answer that cites a place and has evidence.
type Localisation struct {
	Panel
	IoU       Number        `json:"iou" def:"39 IoU of all that is cited with all evidence"`
	MeanIoU   Number        `json:"miou" def:"39 mIoU, matched"`
	Half      Number        `json:"acc_half" def:"39 Acc@.5"`
	Pointing  Number        `json:"pointing" def:"39 pointing game"`
	Precision Number        `json:"precision" def:"39 pixel precision"`
	Entailed  Number        `json:"entailed" def:"39 spatially entailed"`
	WrongSide Number        `json:"wrong_side" def:"39 wrong-side rate"`
	Frames    Number        `json:"frames" def:"39 frame-range Dice"`
	Cited     int           `json:"cited"` // answers that cite a place
	Of        int           `json:"of"`    // answers to questions with local evidence
	Stages    []StageNumber `json:"stages" def:"39 IoU of all that is cited with all evidence"`
}

// Calibration holds 40; confidence is the probability of the answer given.
type Calibration struct {
	Panel
	Brier   Number      `json:"brier" def:"40 Brier"`
	ECE     Number      `json:"ece" def:"40 ECE, 10 right-closed bins"`
	AUROC   Number      `json:"auroc" def:"40 AUROC of confidence for a right answer"`
	AURC    Number      `json:"aurc" def:"40 AURC"`
	Trigger Number      `json:"trigger" def:"40 trigger AUROC: entropy over the options for a wrong answer"`
	Defer   Number      `json:"defer" def:"40 defer rate"`
	Gain    Number      `json:"gain" def:"40 after the expert less before"`
	Harm    Number      `json:"harm" def:"40 harm: right before, wrong after the expert"`
	Bins    []Bin       `json:"bins"`
	Curve   []RiskPoint `json:"curve"`
}

// Bin is one bin of confidence.
type Bin struct {
	Low        float64  `json:"low"`
	High       float64  `json:"high"`
	N          int      `json:"n"`
	Confidence *float64 `json:"confidence"` // mean
	Accuracy   *float64 `json:"accuracy"`
}

// RiskPoint is the share of wrong answers among the most confident part.
type RiskPoint struct {
	Coverage float64 `json:"coverage"`
	Risk     float64 `json:"risk"`
}

// Comparison is a paired difference of two models, or of two conditions of a model: A less B.
type Comparison struct {
	A    string `json:"a"` // keys of models
	B    string `json:"b"`
	What string `json:"what"`
	Test `def:"48 paired difference, A less B"`
}

// Split is the report of one part of a held-out split.
type Split struct {
	Name   string  `json:"name"`
	Cases  int     `json:"cases"`
	Models []Model `json:"models"`
}
