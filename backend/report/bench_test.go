package report

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
)

// sizes of the bench of performance.md: step answers of each model, clusters, models.
const (
	benchRows, benchClusters, benchModels = 1_500_000, 42_432, 14
	benchStages                           = 4
)

// benchTable makes the columns that a large study comes to: subjects by cluster, and one column of answers a model.
func benchTable(rowCount int) (of []*subject, stage []uint8, right [][]float64, size extent) {
	random := rand.New(rand.NewPCG(1, 2))
	clusters := max(20, rowCount*benchClusters/benchRows)
	subjects := make([]subject, clusters)
	for i := range subjects {
		subjects[i] = subject{patient: i, cluster: i, images: []int{i}}
	}
	of, stage, right = make([]*subject, rowCount), make([]uint8, rowCount), make([][]float64, benchModels)
	for i := range of {
		of[i], stage[i] = &subjects[i*clusters/rowCount], uint8(i%benchStages)
	}
	for m := range right {
		right[m] = make([]float64, rowCount)
		lean := make([]float64, clusters)
		for i := range lean {
			lean[i] = .3 + .5*random.Float64()
		}
		for i := range right[m] {
			right[m][i] = bit(random.Float64() < lean[of[i].cluster])
		}
	}
	return of, stage, right, extent{clusters, clusters, clusters}
}

// report computes what the table of a report asks of such columns: of each model accuracy in all and at each stage, each with design effect,
// effective n and an interval of 2,000 cluster bootstraps.
func benchReport(of []*subject, stage []uint8, right [][]float64, size extent) (out []Number) {
	c := counter{7, defaultResamples, size}
	for _, column := range right {
		out = append(out, c.share(rows{of, column}, ""))
		for k := range benchStages {
			var at rows
			for i, s := range stage {
				if int(s) == k {
					at.add(of[i], column[i])
				}
			}
			out = append(out, c.share(at, ""))
		}
	}
	return out
}

// One and a half million step answers of each of fourteen models. With PLUMBLINE_COLUMNS the same columns are written there for numpy.
func BenchmarkColumns(b *testing.B) {
	of, stage, right, size := benchTable(benchRows)
	if dir := os.Getenv("PLUMBLINE_COLUMNS"); dir != "" {
		write := func(name string, value func(i int) uint32) {
			bytes := make([]byte, 0, 4*benchRows)
			for i := range benchRows {
				v := value(i)
				bytes = append(bytes, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
			}
			if err := os.WriteFile(dir+"/"+name, bytes, 0o644); err != nil {
				b.Fatal(err)
			}
		}
		write("cluster", func(i int) uint32 { return uint32(of[i].cluster) })
		write("stage", func(i int) uint32 { return uint32(stage[i]) })
		for m := range right {
			write(fmt.Sprint("right", m), func(i int) uint32 { return uint32(right[m][i]) })
		}
	}
	for b.Loop() {
		for _, n := range benchReport(of, stage, right, size) {
			if len(n.Interval) != 2 {
				b.Fatal(n.Reason)
			}
		}
	}
}

// Time for each answer stays flat as studies grow.
func BenchmarkGrowth(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000, 1_000_000} {
		of, stage, right, size := benchTable(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				benchReport(of, stage, right[:1], size)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/answer")
		})
	}
}
