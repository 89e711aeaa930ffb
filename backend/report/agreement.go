package report

// An Agreement says how far readers gave the same answers to one thing that they are asked (measurement.md, 41), over all stages or at one.
// The dimensions "evidence" (of steps) and "own_evidence" (of questions) compare regions: their headline is IoU.
//
// Nil is a number that cannot be estimated: Reasons says why, by the field's JSON name.
type Agreement struct {
	Dimension string   `json:"dimension"` // a field of the rubric, "error.wrong_location" and the like for one of several choices, or "own_answer": said before a chain was seen
	Stage     string   `json:"stage"`     // "": all stages
	K         int      `json:"k"`         // of the stage, 0: all
	Reader    string   `json:"reader"`    // "": between readers; else of this reader's first and second read of the same
	Scale     string   `json:"scale"`     // nominal, ordinal or region
	Levels    []string `json:"levels"`    // all of the rubric, in order; any other answer counts as missing

	Items    int `json:"n_items"`   // on which somebody used a level, or marked a region
	Pairable int `json:"n_paired"`  // of those, with two readers or more (who marked an area)
	Readers  int `json:"n_readers"` // who used a level, or marked a region
	Ratings  int `json:"n_ratings"`
	Clusters int `json:"clusters"` // of the items with two readers or more
	LeftOut  int `json:"left_out"` // signed answers to another version of the chain or rubric, in a training case, or to what is no longer there

	Percent        *float64 `json:"percent"` // 0 to 1, the mean over pairs of readers
	Alpha          *float64 `json:"alpha"`   // Krippendorff's, on Scale: the headline
	AlphaNominal   *float64 `json:"alpha_nominal"`
	AlphaOrdinal   *float64 `json:"alpha_ordinal"`
	AlphaInterval  *float64 `json:"alpha_interval"`
	Kappa          *float64 `json:"kappa"` // Cohen's, of two readers
	KappaLinear    *float64 `json:"kappa_linear"`
	KappaQuadratic *float64 `json:"kappa_quadratic"`
	Fleiss         *float64 `json:"fleiss"`
	AC1            *float64 `json:"ac1"`

	IoU *float64 `json:"iou"` // of regions, mean over items of the mean over pairs of readers who both marked an area

	Estimable bool              `json:"estimable"` // of the headline: Alpha or IoU
	Reason    string            `json:"reason"`    // why the headline, or its interval, is none
	Interval  []float64         `json:"interval"`  // of the headline, 95 %: low and high; empty: none
	Method    string            `json:"method"`    // of the interval
	Resamples int               `json:"resamples"`
	Seed      uint64            `json:"seed"`
	Reasons   map[string]string `json:"reasons"`

	TwoWay *TwoWay `json:"two_way"` // of support, between readers over all stages; else null
}

// TwoWay generalises to other readers and other cases (measurement.md, 50): of each reader the mean support, 0 to 3, in each cluster that
// every reader rated, as a two-way analysis of variance. Clusters stand for cases, since cases of one patient are not independent.
type TwoWay struct {
	Readers   int      `json:"readers"`
	Clusters  int      `json:"clusters"`
	Mean      *float64 `json:"mean"`
	SE        *float64 `json:"se"`         // of the mean
	VarReader *float64 `json:"var_reader"` // floored at 0
	VarCase   *float64 `json:"var_case"`   // floored at 0
	VarError  *float64 `json:"var_error"`
	ICC       *float64 `json:"icc"`    // ICC(2,1)
	Reason    string   `json:"reason"` // why ICC is none
}

// An Overturn is the overturn rate (measurement.md, 41) in one dimension: of the items that a person decided, the share whose final value is
// not what was said before adjudication; by the majority, which is an answer that more than half of the reads gave, or by one reader in the
// first read of the item. An item counts where the final value or a read has an answer in the dimension; to give none where the other has
// one is another answer. Without a majority, as of two readers who differ, an item does not count for it but is counted in NoMajority. What
// was taken over as unanimous cannot be overturned and does not count.
type Overturn struct {
	Dimension  string    `json:"dimension"` // as in Agreement
	Reader     string    `json:"reader"`    // "": the majority
	Items      int       `json:"n_items"`
	Overturned int       `json:"overturned"`
	NoMajority int       `json:"no_majority"`
	Clusters   int       `json:"clusters"`
	Rate       *float64  `json:"rate"` // null: not estimable, for Reason
	Interval   []float64 `json:"interval"`
	Method     string    `json:"method"`
	Reason     string    `json:"reason"` // why there is no rate, or no interval
}
