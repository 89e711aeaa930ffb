package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plumbline/backend/review"
)

// numbersFile writes what metrics reads.
func numbersFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "numbers.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// measured runs metrics on an object.
func measured(t *testing.T, text string) map[string]any {
	t.Helper()
	return decoded[map[string]any](t, plumb(t, 0, "metrics", "--json", numbersFile(t, text)))
}

// number follows a path of keys with points between.
func number(t *testing.T, v any, path string) any {
	t.Helper()
	for key := range strings.SplitSeq(path, ".") {
		m, ok := v.(map[string]any)
		if v, ok = m[key], ok && m[key] != nil; !ok {
			t.Fatalf("no %s of %s in %v", key, path, m)
		}
	}
	return v
}

// golden are the numbers that an independent program computed.
func golden(t *testing.T) map[string]json.RawMessage {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "stats", "testdata", "reference.json"))
	if err != nil {
		t.Fatal(err)
	}
	return decoded[map[string]json.RawMessage](t, string(b))
}

func TestMetricsMeetTheReference(t *testing.T) {
	g := golden(t)
	rows := decoded[[]json.RawMessage](t, string(g["own_ratings_r1r2r3 (0=not,1=partly,2=grounded)"]))
	effects, cells := decoded[map[string]float64](t, string(g["own_mediation"])), string(g["own_mediation_inputs"])
	mrmc, wilson := decoded[map[string]float64](t, string(g["own_mrmc"])), decoded[[]float64](t, string(g["own_wilson_18_of_24"]))
	one := func(key string) float64 { return decoded[float64](t, string(g[key])) }
	three := measured(t, fmt.Sprintf(`{"ratings":%s,"levels":[0,1,2],"clusters":%s,"calibration":{"confidence":%s,"correct":%s},"counts":[7,2,1],"options":4,
		"boxes":{"a":[30,30,70,70],"b":[10,10,50,50]},"mediation":%s,"mrmc":%s,"mcnemar":{"b":12,"c":3},"wilson":{"x":18,"n":24},
		"paths":{"a":["m","o","c","k"],"b":["m","c","o"]}}`,
		g["own_ratings_r1r2r3 (0=not,1=partly,2=grounded)"], g["own_clusters"], g["own_conf"], g["own_corr"], cells, g["own_mrmc_matrix"]))
	two := measured(t, fmt.Sprintf(`{"ratings":[%s,%s],"levels":3}`, rows[0], rows[1]))
	coders := measured(t, `{"ratings":[[1,2,3,3,2,1,4,1,2,null,null,null],[1,2,3,3,2,2,4,1,2,5,null,3],[null,3,3,3,2,3,4,2,2,5,1,null],[1,2,3,3,2,4,4,1,2,5,1,null]],"levels":5}`)
	for _, c := range []struct {
		in   map[string]any
		path string
		want float64
	}{
		{two, "ratings.cohen.unweighted", one("own_cohen_unw_r1r2")}, {two, "ratings.cohen.linear", one("own_cohen_lin_r1r2")},
		{two, "ratings.cohen.quadratic", one("own_cohen_quad_r1r2")}, {two, "ratings.percent", 8. / 12},
		{three, "ratings.fleiss", one("own_fleiss")}, {three, "ratings.alpha.nominal", one("own_alpha_nominal")},
		{three, "ratings.alpha.ordinal", one("own_alpha_ordinal")}, {three, "ratings.ac1", one("own_gwet_ac1")},
		{coders, "ratings.alpha.nominal", one("krippendorff_2011_nominal (published .743)")},
		{coders, "ratings.alpha.ordinal", one("krippendorff_2011_ordinal (published .815)")},
		{coders, "ratings.alpha.interval", one("krippendorff_2011_interval (published .849)")},
		{three, "clusters.mean", one("own_mean")}, {three, "clusters.icc", one("own_icc1")}, {three, "clusters.deff", one("own_deff_kish")},
		{three, "clusters.n_eff", one("own_n_eff")}, {three, "clusters.se", one("own_cluster_se")}, {three, "clusters.se_naive", one("own_naive_se")},
		{three, "clusters.deff_empirical", one("own_empirical_deff")}, {three, "calibration.brier", one("own_brier")}, {three, "calibration.ece", one("own_ece10")},
		{three, "counts.entropy", one("own_entropy_norm_7_2_1_of_4")}, {three, "boxes.iou", one("own_iou (10,10,50,50)x(30,30,70,70)")},
		{three, "boxes.pixel_precision", one("own_pixprec pred(30,30,70,70) ref(10,10,50,50)")},
		{three, "mediation.te", effects["TE"]}, {three, "mediation.nde", effects["NDE"]}, {three, "mediation.nie", effects["NIE"]},
		{three, "mediation.pnie", effects["PNIE"]}, {three, "mediation.tnde", effects["TNDE"]}, {three, "mediation.int", effects["INT"]},
		{three, "mrmc.mean", mrmc["mean"]}, {three, "mrmc.var_reader", mrmc["varR"]}, {three, "mrmc.var_case", mrmc["varC"]},
		{three, "mrmc.var_error", mrmc["varE"]}, {three, "mrmc.se", mrmc["se"]}, {three, "mrmc.icc", mrmc["ICC2_1"]},
		{three, "mcnemar.p", one("own_mcnemar_exact_b12_c3")}, {three, "wilson.low", wilson[0]}, {three, "wilson.high", wilson[1]},
		{three, "paths.lcs", one("own_lcs_sim m,o,c,k vs m,c,o")},
	} {
		if got, ok := number(t, c.in, c.path).(float64); !ok || math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s = %v, want %v", c.path, number(t, c.in, c.path), c.want)
		}
	}
	if len(three) != 10 {
		t.Errorf("the answer has the keys %v", sortedKeys(three))
	}
}

func TestMetricsOfChains(t *testing.T) {
	for name, chain := range map[string]string{
		"own_chain":             `"own":["CT","Liver","Cyst","Malignant"],"gold_run":["CT","Liver","Nodule","Malignant"],"parents":null,"noop":null`,
		"own_chain_parents":     `"own":["MR","Lung","Cyst","Malignant"],"gold_run":["MR","Lung","Nodule","Malignant"],"parents":[[],[],[1],[2]]`,
		"own_chain_no_gold_run": `"own":["CT","Liver","Cyst","Malignant"],"gold_run":null`,
		"own_chain2":            `"own":["MR","Lung","Cyst","Benign"],"gold_run":["MR","Lung","Cyst","Malignant"]`,
	} {
		got := number(t, measured(t, `{"chain":{"gold":["CT","Lung","Nodule","Malignant"],`+chain+`}}`), "chain.origin")
		if want := decoded[any](t, string(golden(t)[name])); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestMetricsNotEstimable(t *testing.T) {
	for _, c := range []struct{ in, path, reason string }{
		{`{"ratings":[["g","g"],["g","g"]],"levels":["a","b","g"]}`, "ratings.cohen.linear", "no variation"},
		{`{"ratings":[["g","g"],["g","g"]]}`, "ratings.ac1", "no variation"},
		{`{"ratings":[[1,2],[1,null]]}`, "ratings.alpha.nominal", "no variation"},
		{`{"ratings":[[0,1]],"levels":2}`, "ratings.percent", "two readers"},
		{`{"ratings":[],"levels":2}`, "ratings.fleiss", "no item"},
		{`{"ratings":[["a","b"],["a","b"]]}`, "ratings.alpha.interval", "words"},
		{`{"ratings":[[0],[0],[1]],"levels":2}`, "ratings.cohen.unweighted", "of two readers, found 3"},
		{`{"clusters":[[1,1],[1,1]]}`, "clusters.deff", "no variance"},
		{`{"clusters":[]}`, "clusters.mean", "no row"},
		{`{"clusters":[[1e308,1e308]]}`, "clusters.mean", "too large"},
		{`{"calibration":{"confidence":[],"correct":[]}}`, "calibration.ece", "no answer"},
		{`{"counts":[0,0],"options":2}`, "counts.entropy", "no answer"},
		{`{"boxes":{"a":[1,1,1,1],"b":[1,1,1,1]}}`, "boxes.iou", "encloses nothing"},
		{`{"mediation":{"y11":[],"y00":[],"y10":[],"y01":[]}}`, "mediation.te", "no question"},
		{`{"mrmc":[[1,2]]}`, "mrmc.se", "two readers"},
		{`{"mrmc":[[1,2],[1,null]]}`, "mrmc.mean", "not fully crossed: reader 2, case 2"},
		{`{"wilson":{"x":0,"n":0}}`, "wilson.low", "no observation"},
	} {
		out := measured(t, c.in)
		if number(t, out, c.path+".estimable") != false || !strings.Contains(number(t, out, c.path+".reason").(string), c.reason) {
			t.Errorf("%s: %v, want %q", c.in, number(t, out, c.path), c.reason)
		}
	}
	if number(t, measured(t, `{"ratings":[["g","g"],["g","g"]]}`), "ratings.percent") != 1. {
		t.Error("readers who always say the same agree on every item")
	}
	if number(t, measured(t, `{"wilson":{"x":0,"n":5}}`), "wilson.low") != 0. {
		t.Error("a share is not under 0")
	}
}

func TestMetricsInvalid(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{``, "not valid JSON"},
		{"{\n \"wilson\": {\"x\": 1,\n \"n\": }}", "line 3, column 7: not valid JSON"},
		{`{"wilson":{"x":1,"n":2}} {}`, "line 1, column 26"},
		{`{"ratings":[[NaN]]}`, "line 1, column 14"},
		{`[1]`, "one JSON object expected"},
		{"{\n \"kappas\": 1}", `line 2, column 9: the key "kappas" is not known; known are ratings, levels, clusters`},
		{`{"mrmc":[[1]],"mrmc":[[2]]}`, `the key "mrmc" is there twice`},
		{`{"levels":3}`, "levels goes with ratings, which is missing"},
		{`{"options":3}`, "options goes with counts, which is missing"},
		{`{"ratings":3}`, "ratings: a list expected, found number"},
		{`{"ratings":[[0,1],[0]],"levels":2}`, "reader 2 has 1 items, the first has 2"},
		{`{"ratings":[[0,7],[0,1]],"levels":[0,1]}`, "reader 1, item 2: 7 is none of the levels"},
		{`{"ratings":[[0,true]]}`, "a number, a word or null expected, found true"},
		{`{"ratings":[[0]],"levels":[1,1]}`, "levels: null, or 1 twice"},
		{`{"ratings":[[0]],"levels":1000000000}`, "levels: 1 to 1000 expected"},
		{`{"ratings":[[0]],"levels":{}}`, "levels: a list of all levels"},
		{`{"clusters":[[1],[]]}`, "cluster 2 has no row"},
		{`{"clusters":[[1,null]]}`, "cluster 1, row 2: a number expected, found null"},
		{`{"calibration":{"confidence":[0.5],"correct":[]}}`, "1 confidences and 0 answers"},
		{`{"calibration":{"confidence":[1.5],"correct":[1]}}`, "confidence 1: 0 to 1 expected"},
		{`{"calibration":{"confidence":[0.5],"correct":[2]}}`, "0 or 1 expected, found 2"},
		{`{"calibration":{"confidence":[0.5],"right":[1]}}`, `unknown field "right"`},
		{`{"counts":[1,-1]}`, "count 2: a whole number"},
		{`{"counts":[1,1,1],"options":2}`, "options: 2 of them, but 3 answers were given"},
		{`{"counts":[1],"options":"two"}`, "options: how many there are expected"},
		{`{"boxes":{"a":[1,2,3],"b":[1,2,3,4]}}`, "a: x0, y0, x1, y1 expected, found 3 numbers"},
		{`{"mediation":{"y11":[1],"y00":[1],"y10":[1],"y01":[]}}`, "y01 has 0 questions, y11 has 1"},
		{`{"chain":{"gold":["a",null],"own":["a","b"]}}`, "gold 2: an answer expected"},
		{`{"chain":{"gold":["a"],"own":[]}}`, "own has 0 answers, gold has 1"},
		{`{"chain":{"gold":["a"],"own":["a"],"parents":[[0]]}}`, "parents of stage 0: earlier stages"},
		{`{"chain":{"gold":["a"],"own":["a"],"parents":[]}}`, "parents has 0 stages"},
		{`{"mrmc":[[1,2],[1]]}`, "reader 2 has 1 cases"},
		{`{"mcnemar":{"b":-1,"c":3}}`, "b and c: 0 to 1000000 expected"},
		{`{"mcnemar":{"b":1}}`, "b and c"},
		{`{"mcnemar":{"b":1.5,"c":3}}`, "b: a whole number expected, found number 1.5"},
		{`{"wilson":{"x":3,"n":2}}`, "x successes in n"},
		{`{"paths":{"a":["m"]}}`, "two lists of at most 10000 steps"},
		{`{"mrmc":[[` + strings.Repeat(" ", review.MaxRecord) + `1]]}`, "at most 16777216 bytes"},
		{strings.Repeat("[", 1_000_000), "exceeded max depth"},
	} {
		t.Run(fmt.Sprintf("%.60s", c.in), func(t *testing.T) {
			if _, words := said5(t, "metrics", numbersFile(t, c.in)); !strings.Contains(words, c.want) {
				t.Errorf("%q, want %q", words, c.want)
			}
		})
	}
	plumb(t, 3, "metrics", filepath.Join(t.TempDir(), "none.json"))
	plumb(t, 2, "metrics")
}

// said5 runs a command that ends with 5 and gives both of its outputs.
func said5(t *testing.T, args ...string) (out, diag string) {
	t.Helper()
	var o, d strings.Builder
	if got := run(t.Context(), args, &o, &d); got != 5 {
		t.Errorf("exit %d, want 5: %s", got, d.String())
	}
	return o.String(), d.String()
}

func TestMetricsAsText(t *testing.T) {
	out := plumb(t, 0, "metrics", numbersFile(t, `{"mcnemar":{"b":12,"c":3},"mrmc":[[1,2]],"chain":{"gold":["a","b"],"own":["a","c"]}}`))
	for _, want := range []string{"mcnemar.p\t0.0351562\n", "mrmc.icc\tnot estimable: two readers", "mrmc.mean\t1.5\n", "chain.origin\tcorrect new\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in %s", want, out)
		}
	}
}

// Whatever bytes come, metrics answers or says why not, and what it answers can be written as JSON.
func FuzzMetrics(f *testing.F) {
	f.Add([]byte(`{"ratings":[[0,1,null],["a",1,2]],"levels":3,"clusters":[[1,0],[1]]}`))
	f.Add([]byte(`{"calibration":{"confidence":[0.1],"correct":[true]},"counts":[3,1],"options":4,"boxes":{"a":[0,0,1,1],"b":[0,0,2,2]}}`))
	f.Add([]byte(`{"chain":{"gold":["a","b"],"own":["a",null],"parents":[[],[0]]},"mrmc":[[1,2],[2,1]],"wilson":{"x":1,"n":3},"paths":{"a":[],"b":["x"]}}`))
	f.Add([]byte(`{"mediation":{"y11":[1e308],"y00":[-1e308],"y10":[0],"y01":[1]},"mcnemar":{"b":1,"c":1}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		out, err := metrics(b)
		if err != nil {
			return
		}
		if _, err := json.Marshal(out); err != nil {
			t.Fatal(err)
		}
	})
}
