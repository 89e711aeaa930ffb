package stats

import "strings"

// What M3CoTBench reports of chains of reasoning (arXiv 2601.08758), from labels of its steps. There the judge is a hosted model; here a person or a
// local model gives the labels, so published numbers are not reproduced.

// StepLabels counts what was said of one item: gold steps and those of them that were matched, then steps of the model that claim something (a
// restatement of the question is none) and those of them that match.
type StepLabels struct{ Gold, Recalled, Said, Matching int }

// StepMatch is precision and recall as means over the items that have steps of the kind, and F1 as the harmonic mean of the two means.
func StepMatch(items []StepLabels) (precision, recall, f1 Estimate) {
	var p, r, np, nr float64
	for _, x := range items {
		if x.Said > 0 {
			p, np = p+float64(x.Matching)/float64(x.Said), np+1
		}
		if x.Gold > 0 {
			r, nr = r+float64(x.Recalled)/float64(x.Gold), nr+1
		}
	}
	precision, recall, f1 = missing("no step that claims something"), missing("no gold step"), missing("precision and recall are needed, one of them above 0")
	if np > 0 {
		precision = known(p / np)
	}
	if nr > 0 {
		recall = known(r / nr)
	}
	if sum := precision.Value + recall.Value; np > 0 && nr > 0 && sum > 0 {
		f1 = known(2 * precision.Value * recall.Value / sum)
	}
	return precision, recall, f1
}

// PathConsistency holds the paths of each kind of question against the most frequent one of the kind (of several, the one met first): the mean
// similarity of a kind, and of these the mean in which each kind counts the same.
func PathConsistency(kinds [][][]string) Estimate {
	sum, n := 0.0, 0.0
	for _, paths := range kinds {
		if len(paths) == 0 {
			continue
		}
		counts := map[string]int{}
		for _, p := range paths {
			counts[strings.Join(p, "\x00")]++
		}
		mode := paths[0]
		for _, p := range paths[1:] {
			if counts[strings.Join(p, "\x00")] > counts[strings.Join(mode, "\x00")] {
				mode = p
			}
		}
		alike := 0.0
		for _, p := range paths {
			alike += PathSimilarity(p, mode)
		}
		sum, n = sum+alike/float64(len(paths)), n+1
	}
	if n == 0 {
		return missing("no path")
	}
	return known(sum / n)
}

// Ratio is a over b: steps a second, or time with reasoning over time without.
func Ratio(a, b float64) Estimate {
	if b == 0 {
		return missing("nothing to divide by")
	}
	return known(a / b)
}

// BoxReward is GEMeX's reward of grounding (arXiv 2506.17939): 1 where as many boxes are cited as there are and their mean IoU, matched, is above
// .75; else 0.
func BoxReward(cited, reference []Rectangle) Estimate {
	if len(reference) == 0 {
		return missing("no reference box")
	}
	if len(cited) != len(reference) {
		return known(0)
	}
	overlap := make([][]float64, len(cited))
	for i, a := range cited {
		for _, b := range reference {
			e := IoU(a, b)
			if !e.Estimable {
				return e
			}
			overlap[i] = append(overlap[i], e.Value)
		}
	}
	if m := MeanIoU(overlap); !m.Estimable || m.Value <= .75 {
		return known(0)
	}
	return known(1)
}
