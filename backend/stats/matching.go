package stats

import "math"

// MeanIoU is the mean IoU of the best one-to-one matching of cited and right places over the larger number of the two, so that a missed and an
// extra place both cost (measurement.md, 39; Kuhn, Nav. Res. Logist. Q. 2:83, 1955). overlap[i][j] is the IoU of cited i and right j.
func MeanIoU(overlap [][]float64) Estimate {
	rows := len(overlap)
	if rows == 0 || len(overlap[0]) == 0 {
		return missing("no place on one of the sides")
	}
	n := max(rows, len(overlap[0]))
	cost := make([][]float64, n)
	for i := range cost {
		cost[i] = make([]float64, n)
		for j := range cost[i] {
			if i < rows && j < len(overlap[0]) {
				cost[i][j] = -overlap[i][j]
			}
		}
	}
	return known(-cheapest(cost) / float64(n))
}

// cheapest is the least total of a square matrix with one entry of each row and column, by shortest augmenting paths.
func cheapest(cost [][]float64) float64 {
	n := len(cost)
	u, v := make([]float64, n+1), make([]float64, n+1)
	match := make([]int, n+1) // row of each column, from 1; 0: none
	for row := 1; row <= n; row++ {
		match[0] = row
		least, from, done := make([]float64, n+1), make([]int, n+1), make([]bool, n+1)
		for j := range least {
			least[j] = math.Inf(1)
		}
		column := 0
		for match[column] != 0 {
			done[column] = true
			next, delta := 0, math.Inf(1)
			for j := 1; j <= n; j++ {
				if done[j] {
					continue
				}
				if c := cost[match[column]-1][j-1] - u[match[column]] - v[j]; c < least[j] {
					least[j], from[j] = c, column
				}
				if least[j] < delta {
					delta, next = least[j], j
				}
			}
			for j := range n + 1 {
				if done[j] {
					u[match[j]] += delta
					v[j] -= delta
				} else {
					least[j] -= delta
				}
			}
			column = next
		}
		for column != 0 {
			match[column] = match[from[column]]
			column = from[column]
		}
	}
	sum := 0.0
	for j := 1; j <= n; j++ {
		sum += cost[match[j]-1][j-1]
	}
	return sum
}
