package stats_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"plumbline/backend/stats"
)

func TestGoldenMRMC(t *testing.T) {
	var scores [][]float64
	var want struct{ Mean, VarR, VarC, VarE, SE, ICC2_1 float64 }
	reference(t, "own_mrmc_matrix", &scores)
	reference(t, "own_mrmc", &want)
	got := stats.TwoWay(scores)
	is(t, "mean", got.Mean, want.Mean)
	is(t, "varR", got.VarReader, want.VarR)
	is(t, "varC", got.VarCase, want.VarC)
	is(t, "varE", got.VarError, want.VarE)
	is(t, "se", got.SE, want.SE)
	is(t, "ICC(2,1)", got.ICC, want.ICC2_1)
}

// The example of four judges and six targets of Shrout and Fleiss, whose ICC(2,1) is .29.
func TestShroutAndFleiss(t *testing.T) {
	got := stats.TwoWay([][]float64{{9, 6, 8, 7, 10, 6}, {2, 1, 4, 1, 5, 2}, {5, 3, 6, 2, 6, 4}, {8, 2, 8, 6, 9, 7}})
	if math.Abs(got.ICC.Value-.2898) > 5e-5 {
		t.Errorf("ICC %+v", got.ICC)
	}
}

func TestMRMCNotEstimable(t *testing.T) {
	one := stats.TwoWay([][]float64{{1, 0, 1}})
	is(t, "mean of one reader", one.Mean, 2./3)
	isNone(t, "se of one reader", one.SE, "two readers and two cases")
	isNone(t, "se of one case", stats.TwoWay([][]float64{{1}, {0}}).SE, "two readers and two cases")
	isNone(t, "mean of nothing", stats.TwoWay(nil).Mean, "no score")
	flat := stats.TwoWay([][]float64{{.1, .1, .1}, {.1, .1, .1}, {.1, .1, .1}})
	is(t, "varC without variation", flat.VarCase, 0)
	isNone(t, "ICC without variation", flat.ICC, "no variation")
	isNone(t, "ICC of error alone", stats.TwoWay([][]float64{{0, 1}, {1, 0}}).ICC, "beyond error")
}

func TestMRMCProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cases := rapid.IntRange(2, 6).Draw(t, "cases")
		scores := rapid.SliceOfN(rapid.SliceOfN(rapid.Float64Range(0, 3), cases, cases), 2, 4).Draw(t, "scores")
		turned := slices.Clone(scores)
		slices.Reverse(turned)
		a, b := stats.TwoWay(scores), stats.TwoWay(turned)
		alike(t, []stats.Estimate{a.Mean, a.VarReader, a.VarCase, a.VarError, a.SE}, []stats.Estimate{b.Mean, b.VarReader, b.VarCase, b.VarError, b.SE})
		if a.VarReader.Value < 0 || a.VarCase.Value < 0 || a.ICC.Value > 1+exact {
			t.Fatalf("%+v", a)
		}
	})
}

func TestGoldenDependence(t *testing.T) {
	var clusters [][]float64
	reference(t, "own_clusters", &clusters)
	got := stats.Describe(clusters)
	for key, e := range map[string]stats.Estimate{"own_icc1": got.ICC, "own_deff_kish": got.DEFF, "own_n_eff": got.NEff, "own_mean": got.Mean,
		"own_cluster_se": got.SE, "own_naive_se": got.SENaive, "own_empirical_deff": got.DEFFEmpirical} {
		isGolden(t, key, e)
	}
	for _, key := range []string{"edge_single", "edge_constant", "edge_negative_icc", "edge_differences"} {
		var want edge
		reference(t, key, &want)
		got := stats.Describe(want.Clusters)
		for name, pair := range map[string]struct {
			got  stats.Estimate
			want *float64
		}{"icc": {got.ICC, want.ICC}, "deff": {got.DEFF, want.DEFF}, "n_eff": {got.NEff, want.NEff}, "mean": {got.Mean, &want.Mean}, "se": {got.SE, &want.SE}, "naive": {got.SENaive, &want.SENaive}} {
			if pair.want == nil {
				isNone(t, key+" "+name, pair.got, "no variance")
			} else {
				is(t, key+" "+name, pair.got, *pair.want)
			}
		}
	}
	isNone(t, "empirical DEFF without variance", stats.Describe([][]float64{{1, 1}, {1}}).DEFFEmpirical, "no variance")
	isNone(t, "SE of one cluster", stats.Describe([][]float64{{1, 0}}).SE, "two clusters")
	isNone(t, "mean of nothing", stats.Describe(nil).Mean, "no row")
}

func TestGoldenCalibration(t *testing.T) {
	var p, y []float64
	reference(t, "own_conf", &p)
	reference(t, "own_corr", &y)
	isGolden(t, "own_brier", stats.Brier(p, y))
	isGolden(t, "own_ece10", stats.ECE(p, y))
	isNone(t, "brier of nothing", stats.Brier(nil, nil), "no answer")
	isNone(t, "ECE of nothing", stats.ECE(nil, nil), "no answer")
	// .1 belongs to the first bin with 0, 1 to the last with .95
	is(t, "ECE at the edges", stats.ECE([]float64{0, .1, .95, 1}, []float64{1, 0, 1, 1}), (.9+.05)/4)
}

func TestGoldenEntropy(t *testing.T) {
	isGolden(t, "own_entropy_norm_7_2_1_of_4", stats.Entropy([]float64{7, 2, 1}, 4))
	is(t, "all the same", stats.Entropy([]float64{5, 0}, 2), 0)
	is(t, "evenly", stats.Entropy([]float64{3, 3, 3}, 3), 1)
	isNone(t, "of nothing", stats.Entropy([]float64{0, 0}, 2), "no answer")
	isNone(t, "of one option", stats.Entropy([]float64{3}, 1), "two options")
}

func TestGoldenBoxes(t *testing.T) {
	a, b := stats.Rectangle{10, 10, 50, 50}, stats.Rectangle{30, 30, 70, 70}
	isGolden(t, "own_iou (10,10,50,50)x(30,30,70,70)", stats.IoU(a, b))
	isGolden(t, "own_pixprec pred(30,30,70,70) ref(10,10,50,50)", stats.PixelPrecision(b, a))
	is(t, "a small one within", stats.PixelPrecision(stats.Rectangle{20, 20, 30, 30}, a), 1)
	is(t, "and the other way", stats.PixelPrecision(a, stats.Rectangle{20, 20, 30, 30}), 1./16)
	is(t, "apart", stats.IoU(a, stats.Rectangle{60, 0, 70, 90}), 0)
	none := stats.Rectangle{50, 50, 10, 10}
	isNone(t, "IoU of nothing", stats.IoU(none, none), "encloses nothing")
	isNone(t, "precision of nothing", stats.PixelPrecision(none, a), "encloses nothing")
	is(t, "IoU with nothing", stats.IoU(none, a), 0)
}

func TestGoldenMediation(t *testing.T) {
	var cells stats.Cells
	var want struct{ TE, NDE, NIE, PNIE, TNDE, INT float64 }
	reference(t, "own_mediation_inputs", &cells)
	reference(t, "own_mediation", &want)
	got := stats.Mediate(cells)
	for name, pair := range map[string]struct {
		got  stats.Estimate
		want float64
	}{"TE": {got.TE, want.TE}, "NDE": {got.NDE, want.NDE}, "NIE": {got.NIE, want.NIE}, "PNIE": {got.PNIE, want.PNIE}, "TNDE": {got.TNDE, want.TNDE}, "INT": {got.INT, want.INT}} {
		is(t, name, pair.got, pair.want)
	}
	isNone(t, "TE of nothing", stats.Mediate(stats.Cells{}).TE, "no question")
}

func TestEffectsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "n")
		y := rapid.SliceOfN(rapid.Float64Range(0, 1), n, n)
		e := stats.Mediate(stats.Cells{Y11: y.Draw(t, "y11"), Y00: y.Draw(t, "y00"), Y10: y.Draw(t, "y10"), Y01: y.Draw(t, "y01")})
		for name, gap := range map[string]float64{"TE = NDE + NIE": e.TE.Value - e.NDE.Value - e.NIE.Value,
			"TE = TNDE + PNIE": e.TE.Value - e.TNDE.Value - e.PNIE.Value, "INT = NIE − PNIE": e.INT.Value - e.NIE.Value + e.PNIE.Value} {
			if math.Abs(gap) > exact {
				t.Fatalf("%s is off by %v", name, gap)
			}
		}
	})
}

// run makes the answers of a run; "" is none.
func run(list ...string) stats.Answers {
	out := stats.Answers{}
	for _, s := range list {
		if s == "" {
			out = append(out, nil)
		} else {
			out = append(out, &s)
		}
	}
	return out
}

func TestOrigins(t *testing.T) {
	gold := []string{"CT", "Lung", "Nodule", "Malignant"}
	for key, got := range map[string][]stats.Origin{
		"own_chain":             stats.Origins(gold, run("CT", "Liver", "Cyst", "Malignant"), run("CT", "Liver", "Nodule", "Malignant"), nil, nil),
		"own_chain_parents":     stats.Origins(gold, run("MR", "Lung", "Cyst", "Malignant"), run("MR", "Lung", "Nodule", "Malignant"), nil, [][]int{{}, {}, {1}, {2}}),
		"own_chain_no_gold_run": stats.Origins(gold, run("CT", "Liver", "Cyst", "Malignant"), nil, nil, nil),
		"own_chain2":            stats.Origins(gold, run("MR", "Lung", "Cyst", "Benign"), run("MR", "Lung", "Cyst", "Malignant"), nil, nil),
	} {
		var want []stats.Origin
		reference(t, key, &want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", key, got, want)
		}
	}
	own, told := run("MR", "Liver", "", "Benign"), run("CT", "Lung", "Nodule", "")
	for _, c := range []struct {
		name string
		noop stats.Answers
		want []stats.Origin
	}{
		{"a missing answer is wrong, a missing told answer leaves open", nil, []stats.Origin{stats.NewError, stats.Inherited, stats.Inherited, stats.OriginUndetermined}},
		{"what does not repeat leaves open", run("MR", "Lung", "Cyst", "Benign"), []stats.Origin{stats.NewError, stats.OriginUndetermined, stats.OriginUndetermined, stats.OriginUndetermined}},
		{"an identical run without an answer says nothing", run("", "", "", ""), []stats.Origin{stats.NewError, stats.Inherited, stats.Inherited, stats.OriginUndetermined}},
	} {
		if got := stats.Origins(gold, own, told, c.noop, nil); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestGoldenMcNemar(t *testing.T) {
	var want float64
	reference(t, "own_mcnemar_exact_b12_c3", &want)
	for _, c := range []struct {
		b, c int
		want float64
	}{{12, 3, want}, {3, 12, want}, {0, 0, 1}, {5, 5, 1}, {0, 1, 1}, {0, 2, .5}, {0, 5, 2. / 32}, {0, 10000, 0}} {
		near(t, fmt.Sprint(c.b, c.c), stats.McNemar(c.b, c.c), c.want)
	}
}

func TestPathSimilarity(t *testing.T) {
	var want float64
	reference(t, "own_lcs_sim m,o,c,k vs m,c,o", &want)
	near(t, "golden", stats.PathSimilarity([]string{"modality", "observation", "conclusion", "knowledge"}, []string{"modality", "conclusion", "observation"}), want)
	near(t, "both empty", stats.PathSimilarity(nil, nil), 1)
	near(t, "one empty", stats.PathSimilarity(nil, []string{"a"}), 0)
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 8)
		a, b := path.Draw(t, "a"), path.Draw(t, "b")
		if x, y := stats.PathSimilarity(a, b), stats.PathSimilarity(b, a); x != y || x < 0 || x > 1 || stats.PathSimilarity(a, a) != 1 {
			t.Fatalf("%v and %v", x, y)
		}
	})
}
