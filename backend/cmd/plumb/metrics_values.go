package main

import (
	"encoding/json"
	"fmt"
	"math"

	"plumbline/backend/stats"
)

// rectangular refuses rows of different lengths.
func rectangular[T any](rows [][]T, row, cells string) error {
	for i := range rows {
		if len(rows[i]) != len(rows[0]) {
			return fmt.Errorf("%s %d has %d %s, the first has %d", row, i+1, len(rows[i]), cells, len(rows[0]))
		}
	}
	return nil
}

// numbers refuses null among numbers.
func numbers(list []*float64, name string) ([]float64, error) {
	out := make([]float64, len(list))
	for i, v := range list {
		if v == nil {
			return nil, fmt.Errorf("%s %d: a number expected, found null", name, i+1)
		}
		out[i] = *v
	}
	return out, nil
}

func clusterMetrics(b, _ []byte) (any, error) {
	rows, err := strict[[][]*float64](b)
	if err != nil {
		return nil, err
	}
	clusters := [][]float64{}
	for i, row := range rows {
		if len(row) == 0 {
			return nil, fmt.Errorf("cluster %d has no row", i+1)
		}
		values, err := numbers(row, fmt.Sprintf("cluster %d, row", i+1))
		if err != nil {
			return nil, err
		}
		clusters = append(clusters, values)
	}
	return stats.Describe(clusters), nil
}

// truth is right or wrong: 1 or 0, true or false.
type truth float64

// UnmarshalJSON takes 0, 1, false and true.
func (t *truth) UnmarshalJSON(b []byte) error {
	switch string(b) {
	case "0", "false":
		*t = 0
	case "1", "true":
		*t = 1
	default:
		return fmt.Errorf("0 or 1 expected, found %.20s", b)
	}
	return nil
}

func calibrationMetrics(b, _ []byte) (any, error) {
	in, err := strict[struct {
		Confidence []*float64 `json:"confidence"`
		Correct    []truth    `json:"correct"`
	}](b)
	if err != nil {
		return nil, err
	}
	p, err := numbers(in.Confidence, "confidence")
	if err != nil {
		return nil, err
	}
	if len(p) != len(in.Correct) {
		return nil, fmt.Errorf("%d confidences and %d answers", len(p), len(in.Correct))
	}
	y := make([]float64, len(p))
	for i := range p {
		if p[i] < 0 || p[i] > 1 {
			return nil, fmt.Errorf("confidence %d: 0 to 1 expected, found %v", i+1, p[i])
		}
		y[i] = float64(in.Correct[i])
	}
	return map[string]stats.Estimate{"brier": stats.Brier(p, y), "ece": stats.ECE(p, y)}, nil
}

func countMetrics(b, with []byte) (any, error) {
	list, err := strict[[]*float64](b)
	if err != nil {
		return nil, err
	}
	counts, err := numbers(list, "count")
	if err != nil {
		return nil, err
	}
	used := 0
	for i, c := range counts {
		if c < 0 || c != math.Trunc(c) {
			return nil, fmt.Errorf("count %d: a whole number from 0 on expected, found %v", i+1, c)
		}
		if c > 0 {
			used++
		}
	}
	options := len(counts)
	if len(with) > 0 {
		if options, err = optionsOf(with); err != nil {
			return nil, err
		}
	}
	if options < used {
		return nil, fmt.Errorf("options: %d of them, but %d answers were given", options, used)
	}
	return map[string]stats.Estimate{"entropy": stats.Entropy(counts, options)}, nil
}

// optionsOf takes how many options there are, or their list.
func optionsOf(b []byte) (int, error) {
	var list []json.RawMessage
	if json.Unmarshal(b, &list) == nil && list != nil {
		return len(list), nil
	}
	n, err := strict[int](b)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("options: how many there are expected, found %.20s", b)
	}
	return n, nil
}

func boxMetrics(b, _ []byte) (any, error) {
	in, err := strict[struct {
		A []*float64 `json:"a"`
		B []*float64 `json:"b"`
	}](b)
	if err != nil {
		return nil, err
	}
	var boxes [2]stats.Rectangle
	for i, list := range [][]*float64{in.A, in.B} {
		name := "ab"[i : i+1]
		values, err := numbers(list, name)
		if err != nil {
			return nil, err
		}
		if len(values) != 4 {
			return nil, fmt.Errorf("%s: x0, y0, x1, y1 expected, found %d numbers", name, len(values))
		}
		boxes[i] = stats.Rectangle(values)
	}
	return map[string]stats.Estimate{"iou": stats.IoU(boxes[0], boxes[1]), "pixel_precision": stats.PixelPrecision(boxes[0], boxes[1])}, nil
}

func mediationMetrics(b, _ []byte) (any, error) {
	in, err := strict[struct {
		Y11 []*float64 `json:"y11"`
		Y00 []*float64 `json:"y00"`
		Y10 []*float64 `json:"y10"`
		Y01 []*float64 `json:"y01"`
	}](b)
	if err != nil {
		return nil, err
	}
	var cells stats.Cells
	for _, c := range []struct {
		name string
		in   []*float64
		out  *[]float64
	}{{"y11", in.Y11, &cells.Y11}, {"y00", in.Y00, &cells.Y00}, {"y10", in.Y10, &cells.Y10}, {"y01", in.Y01, &cells.Y01}} {
		if *c.out, err = numbers(c.in, c.name); err != nil {
			return nil, err
		}
		if len(c.in) != len(in.Y11) {
			return nil, fmt.Errorf("%s has %d questions, y11 has %d", c.name, len(c.in), len(in.Y11))
		}
	}
	return stats.Mediate(cells), nil
}

// chainInput is one chain: an answer for each stage.
type chainInput struct {
	Gold    []*string     `json:"gold"`
	Own     stats.Answers `json:"own"`
	GoldRun stats.Answers `json:"gold_run"`
	Parents [][]int       `json:"parents"`
	Noop    stats.Answers `json:"noop"`
}

func chainMetrics(b, _ []byte) (any, error) {
	in, err := strict[chainInput](b)
	if err != nil {
		return nil, err
	}
	gold := make([]string, len(in.Gold))
	for i, g := range in.Gold {
		if g == nil {
			return nil, fmt.Errorf("gold %d: an answer expected, found null", i+1)
		}
		gold[i] = *g
	}
	n := len(gold)
	for _, run := range []struct {
		name    string
		answers stats.Answers
		may     bool // be missing as a whole
	}{{"own", in.Own, false}, {"gold_run", in.GoldRun, true}, {"noop", in.Noop, true}} {
		if len(run.answers) != n && !(run.may && run.answers == nil) {
			return nil, fmt.Errorf("%s has %d answers, gold has %d", run.name, len(run.answers), n)
		}
	}
	if in.Parents != nil && len(in.Parents) != n {
		return nil, fmt.Errorf("parents has %d stages, gold has %d", len(in.Parents), n)
	}
	for k, list := range in.Parents {
		for _, p := range list {
			if p < 0 || p >= k {
				return nil, fmt.Errorf("parents of stage %d: earlier stages, from 0, expected, found %d", k, p)
			}
		}
	}
	return map[string][]stats.Origin{"origin": stats.Origins(gold, in.Own, in.GoldRun, in.Noop, in.Parents)}, nil
}

func mrmcMetrics(b, _ []byte) (any, error) {
	rows, err := strict[[][]*float64](b)
	if err != nil {
		return nil, err
	}
	if err := rectangular(rows, "reader", "cases"); err != nil {
		return nil, err
	}
	scores := [][]float64{}
	for i, row := range rows {
		values, err := numbers(row, fmt.Sprintf("reader %d, case", i+1))
		if err != nil {
			none := stats.Estimate{Reason: "not fully crossed: " + err.Error()}
			return stats.MRMC{Mean: none, VarReader: none, VarCase: none, VarError: none, SE: none, ICC: none}, nil
		}
		scores = append(scores, values)
	}
	return stats.TwoWay(scores), nil
}

// mostPairs is as far as the exact test keeps nine places.
const mostPairs = 1_000_000

func mcnemarMetrics(b, _ []byte) (any, error) {
	in, err := strict[struct {
		B *int `json:"b"`
		C *int `json:"c"`
	}](b)
	if err != nil {
		return nil, err
	}
	if in.B == nil || in.C == nil || *in.B < 0 || *in.C < 0 || *in.B > mostPairs || *in.C > mostPairs {
		return nil, fmt.Errorf("b and c: 0 to %d expected", mostPairs)
	}
	return map[string]stats.Estimate{"p": estimate(stats.McNemar(*in.B, *in.C))}, nil
}

func wilsonMetrics(b, _ []byte) (any, error) {
	in, err := strict[struct {
		X *float64 `json:"x"`
		N *float64 `json:"n"`
	}](b)
	if err != nil {
		return nil, err
	}
	if in.X == nil || in.N == nil || *in.X < 0 || *in.X > *in.N {
		return nil, fmt.Errorf("x successes in n expected, 0 ≤ x ≤ n")
	}
	if *in.N == 0 {
		none := stats.Estimate{Reason: "no observation"}
		return map[string]stats.Estimate{"low": none, "high": none}, nil
	}
	low, high := stats.Wilson(*in.X, *in.N)
	return map[string]stats.Estimate{"low": estimate(max(0, low)), "high": estimate(min(1, high))}, nil
}

// longestPath keeps the comparison of two paths under a second.
const longestPath = 10_000

func pathMetrics(b, _ []byte) (any, error) {
	in, err := strict[struct {
		A []string `json:"a"`
		B []string `json:"b"`
	}](b)
	if err != nil {
		return nil, err
	}
	if in.A == nil || in.B == nil || len(in.A) > longestPath || len(in.B) > longestPath {
		return nil, fmt.Errorf("a and b: two lists of at most %d steps expected", longestPath)
	}
	return map[string]stats.Estimate{"lcs": estimate(stats.PathSimilarity(in.A, in.B))}, nil
}
