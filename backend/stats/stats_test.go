package stats_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"pgregory.net/rapid"

	"plumbline/backend/stats"
)

const exact = 1e-9

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > exact {
		t.Errorf("%s = %.15g, want %.15g", what, got, want)
	}
}

// edge is one of the golden records: null where nothing can be estimated.
type edge struct {
	Clusters [][]float64 `json:"clusters"`
	ICC      *float64    `json:"icc"`
	DEFF     *float64    `json:"deff"`
	NEff     *float64    `json:"n_eff"`
	Mean     float64     `json:"mean"`
	SE       float64     `json:"se"`
	SENaive  float64     `json:"se_naive"`
}

func golden(t *testing.T, key string, into any) {
	t.Helper()
	b, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(all[key], into); err != nil {
		t.Fatalf("%s: %v", key, err)
	}
}

func TestGoldenEdges(t *testing.T) {
	for _, name := range []string{"edge_single", "edge_constant", "edge_negative_icc", "edge_differences"} {
		t.Run(name, func(t *testing.T) {
			var want edge
			golden(t, name, &want)
			check(t, want)
		})
	}
}

func TestGoldenClusters(t *testing.T) {
	var want edge
	var empirical float64
	want.ICC, want.DEFF, want.NEff = new(float64), new(float64), new(float64)
	for key, into := range map[string]any{"own_clusters": &want.Clusters, "own_icc1": want.ICC, "own_deff_kish": want.DEFF, "own_n_eff": want.NEff,
		"own_mean": &want.Mean, "own_cluster_se": &want.SE, "own_naive_se": &want.SENaive, "own_empirical_deff": &empirical} {
		golden(t, key, into)
	}
	check(t, want)
	se, _ := stats.SE(want.Clusters)
	near(t, "empirical DEFF", math.Pow(se/stats.NaiveSE(want.Clusters), 2), empirical)
}

func check(t *testing.T, want edge) {
	t.Helper()
	icc, ok := stats.ICC(want.Clusters)
	if ok != (want.ICC != nil) {
		t.Errorf("ICC estimable: %v", ok)
	} else if ok {
		near(t, "ICC", icc, *want.ICC)
	}
	deff, ok := stats.DEFF(want.Clusters)
	if ok != (want.DEFF != nil) {
		t.Errorf("DEFF estimable: %v", ok)
	} else if ok {
		n := 0
		for _, c := range want.Clusters {
			n += len(c)
		}
		near(t, "DEFF", deff, *want.DEFF)
		near(t, "n_eff", float64(n)/deff, *want.NEff)
	}
	near(t, "mean", stats.Mean(want.Clusters), want.Mean)
	se, ok := stats.SE(want.Clusters)
	if !ok {
		t.Error("no standard error with two clusters")
	}
	near(t, "SE", se, want.SE)
	near(t, "naive SE", stats.NaiveSE(want.Clusters), want.SENaive)
}

func TestWilson(t *testing.T) {
	var want []float64
	golden(t, "own_wilson_18_of_24", &want)
	low, high := stats.Wilson(18, 24)
	near(t, "low", low, want[0])
	near(t, "high", high, want[1])
}

// The points are those of printed tables of Student's t.
func TestStudentT(t *testing.T) {
	for df, want := range map[int]float64{1: 12.7062047362, 2: 4.3026527297, 3: 3.1824463053, 9: 2.2621571629, 10: 2.2281388520, 18: 2.1009220402, 30: 2.0422724563} {
		if got := stats.StudentT975(df); math.Abs(got-want) > 1e-8 {
			t.Errorf("t with %d degrees of freedom = %.10f, want %.10f", df, got, want)
		}
	}
}

// sequence makes g clusters of two rows; the first `ones` rows are 1.
func sequence(g, ones int) [][]float64 {
	out := make([][]float64, g)
	for i := range out {
		out[i] = []float64{0, 0}
		for j := range out[i] {
			if i*2+j < ones {
				out[i][j] = 1
			}
		}
	}
	return out
}

func TestMeanIntervalByClusters(t *testing.T) {
	for _, c := range []struct {
		name     string
		clusters [][]float64
		ok       bool
		method   stats.Method
	}{
		{"9 clusters: none", sequence(9, 9), false, ""},
		{"9 clusters at the bound: none", sequence(9, 18), false, ""},
		{"10 clusters", sequence(10, 10), true, stats.FewClusters},
		{"19 clusters", sequence(19, 10), true, stats.FewClusters},
		{"20 clusters", sequence(20, 10), true, stats.Percentile},
		{"at 1", sequence(12, 24), true, stats.AtBound},
		{"at 0", sequence(30, 0), true, stats.AtBound},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := stats.MeanInterval(c.clusters, true, 2000, 7)
			if ok != c.ok || got.Method != c.method {
				t.Fatalf("got %v %q, want %v %q", ok, got.Method, c.ok, c.method)
			}
			if mean := stats.Mean(c.clusters); ok && (got.Low > mean || got.High < mean || got.Low < 0 || got.High > 1) {
				t.Errorf("interval %v does not hold %v within 0 and 1", got, mean)
			}
		})
	}
}

// By hand: p = 10/24 over 12 clusters of two, five of them all ones, gives SE = sqrt(12/11 * sum)/24 and t(11) = 2.2009851601.
func TestFewClustersByHand(t *testing.T) {
	p := 10.0 / 24
	se := math.Sqrt(12.0/11*(5*math.Pow(2-2*p, 2)+7*math.Pow(2*p, 2))) / 24
	l, h := math.Log(p/(1-p)), 2.2009851600916384*se/(p*(1-p))
	got, _ := stats.MeanInterval(sequence(12, 10), true, 2000, 7)
	near(t, "low", got.Low, 1/(1+math.Exp(-(l-h))))
	near(t, "high", got.High, 1/(1+math.Exp(-(l+h))))
}

func TestWilsonAtBoundUsesClusters(t *testing.T) {
	got, _ := stats.MeanInterval(sequence(12, 24), true, 2000, 7)
	low, _ := stats.Wilson(12, 12)
	near(t, "low", got.Low, low)
}

func TestBootstrapIsReproducible(t *testing.T) {
	variance := func(seed uint64) float64 {
		mean := func(s []float64) (float64, bool) { return s[0] + s[1], true }
		_, _, v, _ := stats.Bootstrap(sequence(24, 20), mean, 2000, seed)
		return v
	}
	if variance(7) != variance(7) {
		t.Error("the same seed gave two numbers")
	}
	if variance(7) == variance(8) {
		t.Error("another seed gave the same number")
	}
}

func TestBootstrapRefusesWhatRarelyHasAValue(t *testing.T) {
	clusters := sequence(24, 1)
	rare := func(s []float64) (float64, bool) { return s[0], s[0] > 0 }
	if _, _, _, ok := stats.Bootstrap(clusters, rare, 500, 1); ok {
		t.Error("a statistic that one resample in three lacks got an interval")
	}
}

// The order of clusters and of rows in them says nothing.
func TestOrderSaysNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clusters := rapid.SliceOfN(rapid.SliceOfN(rapid.SampledFrom([]float64{0, 1}), 1, 5), 2, 8).Draw(t, "clusters")
		turned := make([][]float64, len(clusters))
		for i, c := range clusters {
			back := make([]float64, len(c))
			for j, y := range c {
				back[len(c)-1-j] = y
			}
			turned[len(clusters)-1-i] = back
		}
		a, okA := stats.DEFF(clusters)
		b, okB := stats.DEFF(turned)
		if okA != okB || math.Abs(a-b) > exact {
			t.Fatalf("DEFF %v %v and %v %v", a, okA, b, okB)
		}
		if okA && a < 1 {
			t.Fatalf("DEFF %v under 1", a)
		}
		x, _ := stats.SE(clusters)
		y, _ := stats.SE(turned)
		if math.Abs(x-y) > exact {
			t.Fatalf("SE %v and %v", x, y)
		}
	})
}
