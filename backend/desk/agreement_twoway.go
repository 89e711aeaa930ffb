package desk

import (
	"plumbline/backend/report"
	"plumbline/backend/stats"
)

// twoWay analyses each reader's mean value in each cluster that every reader rated.
func twoWay(r stats.Ratings, cluster []int) *report.TwoWay {
	type cell struct {
		sum float64
		n   int
	}
	cells := make([]map[int]cell, len(r.By))
	var order []int // clusters as they come
	met := map[int]bool{}
	for i, row := range r.By {
		cells[i] = map[int]cell{}
		for item, level := range row {
			if level == 0 {
				continue
			}
			c := cells[i][cluster[item]]
			cells[i][cluster[item]] = cell{c.sum + r.Values[level-1], c.n + 1}
		}
	}
	for _, c := range cluster {
		if !met[c] {
			met[c] = true
			order = append(order, c)
		}
	}
	scores := make([][]float64, len(r.By))
	for _, c := range order {
		all := true
		for i := range cells {
			all = all && cells[i][c].n > 0
		}
		for i := range cells {
			if all {
				scores[i] = append(scores[i], cells[i][c].sum/float64(cells[i][c].n))
			}
		}
	}
	m := stats.TwoWay(scores)
	out := &report.TwoWay{
		Readers: len(r.By), Mean: m.Mean.Pointer(), SE: m.SE.Pointer(), VarReader: m.VarReader.Pointer(), VarCase: m.VarCase.Pointer(),
		VarError: m.VarError.Pointer(), ICC: m.ICC.Pointer(), Reason: m.ICC.Reason,
	}
	if len(scores) > 0 {
		out.Clusters = len(scores[0])
	}
	return out
}
