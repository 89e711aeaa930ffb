package stats

// An Origin says where a stage's answer comes from (measurement.md, 8).
type Origin string

// The origins of an answer; a parent is a stage that it builds on.
const (
	Correct            Origin = "correct"                       // right, no parent wrong
	CorrectDespite     Origin = "correct_despite_wrong_earlier" // right, a parent wrong
	NewError           Origin = "new"                           // wrong, no parent wrong
	Inherited          Origin = "inherited"                     // wrong, a parent wrong, right when told the right earlier answers
	WrongBoth          Origin = "wrong_both"                    // wrong, a parent wrong, wrong all the same
	OriginUndetermined Origin = "undetermined"                  // that run is missing, or the identical run says something else
)

// Answers are those of one run, a stage each; nil where there is none.
type Answers []*string

// at is the answer of stage k, nil where the run or the answer is missing.
func (a Answers) at(k int) *string {
	if k >= len(a) {
		return nil
	}
	return a[k]
}

func same(a, b *string) bool { return a != nil && b != nil && *a == *b }

// Origins tells for each stage where its answer comes from: own is the run looked at (a missing answer is wrong), told the run that was given
// the right earlier answers and noop the identical run again (either may be missing, as a whole or in part). parents[k] lists the stages
// that stage k builds on, from 0; nil: all earlier ones.
func Origins(gold []string, own, told, noop Answers, parents [][]int) []Origin {
	out := make([]Origin, len(gold))
	right := func(k int) bool { return same(own.at(k), &gold[k]) }
	for k := range gold {
		wrongParent := false
		if parents == nil {
			for j := range k {
				wrongParent = wrongParent || !right(j)
			}
		} else {
			for _, j := range parents[k] {
				wrongParent = wrongParent || !right(j)
			}
		}
		switch again := noop.at(k); {
		case right(k) && wrongParent:
			out[k] = CorrectDespite
		case right(k):
			out[k] = Correct
		case !wrongParent:
			out[k] = NewError
		case told.at(k) == nil, again != nil && !same(again, own.at(k)):
			out[k] = OriginUndetermined
		case same(told.at(k), &gold[k]):
			out[k] = Inherited
		default:
			out[k] = WrongBoth
		}
	}
	return out
}
