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
		again := noop.at(k)
		out[k] = OriginOf(right(k), wrongParent, told.at(k) != nil, same(told.at(k), &gold[k]), again == nil || same(again, own.at(k)))
	}
	return out
}

// OriginOf tells where one answer comes from: is it right, is a parent wrong, was there a run told the right earlier answers and was that
// right, and did the identical run say the same (true where there was none).
func OriginOf(right, wrongParent, wasTold, toldRight, sameAgain bool) Origin {
	switch {
	case right && wrongParent:
		return CorrectDespite
	case right:
		return Correct
	case !wrongParent:
		return NewError
	case !wasTold, !sameAgain:
		return OriginUndetermined
	case toldRight:
		return Inherited
	}
	return WrongBoth
}
