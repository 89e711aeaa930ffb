package stats_test

import (
	"encoding/json"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"plumbline/backend/stats"
	"plumbline/backend/testfiles"
)

// reference reads one of the golden numbers of testdata/reference.json, which an independent program made.
func reference(t *testing.T, key string, into any) {
	t.Helper()
	b, err := os.ReadFile("testdata/reference.json")
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

// The golden numbers carried here are those beside the repository, word for word.
func TestReferenceIsTheSharedOne(t *testing.T) {
	want, err := os.ReadFile(testfiles.Shared(t, "reference", "golden.json"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("testdata/reference.json")
	if err != nil || string(got) != string(want) {
		t.Errorf("testdata/reference.json is another: %v", err)
	}
}

// is compares an estimate with a golden number.
func is(t *testing.T, what string, got stats.Estimate, want float64) {
	t.Helper()
	if !got.Estimable {
		t.Errorf("%s: %s", what, got.Reason)
		return
	}
	near(t, what, got.Value, want)
}

// isGolden compares an estimate with the golden number under key.
func isGolden(t *testing.T, key string, got stats.Estimate) {
	t.Helper()
	var want float64
	reference(t, key, &want)
	is(t, key, got, want)
}

// isNone asks that there is no number, and that the reason says so.
func isNone(t *testing.T, what string, got stats.Estimate, reason string) {
	t.Helper()
	if got.Estimable || got.Value != 0 || !strings.Contains(got.Reason, reason) {
		t.Errorf("%s = %+v, want none because %q", what, got, reason)
	}
}

// read makes ratings of rows of digits, a reader each: '.' is missing, '0' the first level.
func read(levels int, rows ...string) stats.Ratings {
	r := stats.Ratings{Levels: levels}
	for l := range levels {
		r.Values = append(r.Values, float64(l))
	}
	for _, row := range rows {
		by := make([]stats.Level, len(row))
		for i, c := range row {
			if c != '.' {
				by[i] = stats.Level(c - '0' + 1)
			}
		}
		r.By = append(r.By, by)
	}
	return r
}

// table makes the ratings of two readers from a table of counts.
func table(rows [][]int) stats.Ratings {
	r := stats.Ratings{Levels: len(rows), By: make([][]stats.Level, 2)}
	for i, row := range rows {
		for j, n := range row {
			r.By[0] = append(r.By[0], slices.Repeat([]stats.Level{stats.Level(i + 1)}, n)...)
			r.By[1] = append(r.By[1], slices.Repeat([]stats.Level{stats.Level(j + 1)}, n)...)
		}
	}
	return r
}

// own are the three readers of the golden file.
func own(t *testing.T) stats.Ratings {
	var rows [][]int
	reference(t, "own_ratings_r1r2r3 (0=not,1=partly,2=grounded)", &rows)
	r := stats.Ratings{Levels: 3, Values: []float64{0, 1, 2}}
	for _, row := range rows {
		by := make([]stats.Level, len(row))
		for i, v := range row {
			by[i] = stats.Level(v + 1)
		}
		r.By = append(r.By, by)
	}
	return r
}

// krippendorff is the example of four coders and twelve units, levels 1 to 5.
func krippendorff() stats.Ratings {
	return read(5, "012210301...", "0122113014.2", ".2221231140.", "01221330140.")
}

// fleiss is the worked example of 10 subjects, 14 raters and 5 categories.
func fleiss() stats.Ratings {
	rows := [][]int{{0, 0, 0, 0, 14}, {0, 2, 6, 4, 2}, {0, 0, 3, 5, 6}, {0, 3, 9, 2, 0}, {2, 2, 8, 1, 1}, {7, 7, 0, 0, 0}, {3, 2, 6, 3, 0}, {2, 5, 3, 2, 2}, {6, 5, 2, 1, 0}, {0, 2, 2, 3, 7}}
	r := stats.Ratings{Levels: 5, By: make([][]stats.Level, 14)}
	for _, row := range rows {
		reader := 0
		for l, n := range row {
			for range n {
				r.By[reader] = append(r.By[reader], stats.Level(l+1))
				reader++
			}
		}
	}
	return r
}

// A01, A05, A06, to 1e-9 of the reference: Cohen 0.400 of the 2×2 table, Fleiss 0.2099 of the worked table, alpha .743, .815 and .849 of the
// example with missing values.
func TestGoldenAgreement(t *testing.T) {
	all := own(t)
	two := all
	two.By = all.By[:2]
	isGolden(t, "own_cohen_unw_r1r2", stats.Cohen(two, stats.Unweighted))
	isGolden(t, "own_cohen_lin_r1r2", stats.Cohen(two, stats.Linear))
	isGolden(t, "own_cohen_quad_r1r2", stats.Cohen(two, stats.Quadratic))
	isGolden(t, "own_fleiss", stats.Fleiss(all))
	isGolden(t, "own_alpha_nominal", stats.Alpha(all, stats.Nominal))
	isGolden(t, "own_alpha_ordinal", stats.Alpha(all, stats.Ordinal))
	isGolden(t, "own_gwet_ac1", stats.AC1(all))
	isGolden(t, "fleiss_wikipedia (published 0.210)", stats.Fleiss(fleiss()))
	isGolden(t, "cohen_wikipedia (published 0.40)", stats.Cohen(table([][]int{{20, 5}, {10, 15}}), stats.Unweighted))
	isGolden(t, "krippendorff_2011_nominal (published .743)", stats.Alpha(krippendorff(), stats.Nominal))
	isGolden(t, "krippendorff_2011_ordinal (published .815)", stats.Alpha(krippendorff(), stats.Ordinal))
	isGolden(t, "krippendorff_2011_interval (published .849)", stats.Alpha(krippendorff(), stats.IntervalScale))
}

func TestPercentIsTheMeanOverPairs(t *testing.T) {
	is(t, "two", stats.Percent(read(2, "0011", "0111")), .75)
	is(t, "three", stats.Percent(read(2, "0011", "0111", "0000")), (.75+.5+.25)/3)
	is(t, "missing ones leave", stats.Percent(read(2, "0011", "0.1.", "....")), 1)
}

// A04: the table of five levels.
func TestTables(t *testing.T) {
	five := table([][]int{{6, 2, 0, 0, 0}, {1, 5, 2, 0, 0}, {0, 1, 4, 2, 0}, {0, 0, 1, 5, 1}, {0, 0, 0, 1, 4}})
	for _, c := range []struct {
		name string
		got  stats.Estimate
		want float64
	}{ // to four places, as published
		{"five levels, unweighted", stats.Cohen(five, stats.Unweighted), .6051},
		{"five levels, linear", stats.Cohen(five, stats.Linear), .7953},
		{"five levels, quadratic", stats.Cohen(five, stats.Quadratic), .9150},
		{"prevalence paradox, kappa", stats.Cohen(table([][]int{{90, 5}, {5, 0}}), stats.Unweighted), -.0526},
		{"prevalence paradox, AC1", stats.AC1(table([][]int{{90, 5}, {5, 0}})), .8895},
	} {
		if math.Abs(c.got.Value-c.want) > 5e-5 || !c.got.Estimable {
			t.Errorf("%s = %+v, want %v", c.name, c.got, c.want)
		}
	}
}

// By hand: where two neighbouring levels are used, their distance cancels in kappa however many others there are; AC1 and weights between
// further levels know them.
func TestUnusedLevelsCount(t *testing.T) {
	two, three := read(2, "0011", "0111"), read(3, "0011", "0111")
	is(t, "kappa", stats.Cohen(three, stats.Linear), stats.Cohen(two, stats.Linear).Value)
	// pa = 3/4; shares 3/8, 5/8: pe = 15/32 with two levels, 15/64 with three
	is(t, "AC1 of two", stats.AC1(two), (.75-15./32)/(1-15./32))
	is(t, "AC1 of three", stats.AC1(three), (.75-15./64)/(1-15./64))
	// levels 0, 1, 3 of four used: |0−3| counts 3/3, |0−1| 1/3
	is(t, "linear over four levels", stats.Cohen(read(4, "0013", "0133"), stats.Linear), 1-(1./3+2./3)/4/((2.*(1./3+2)+1*(1./3+2*2./3)+1*(1+2./3))/16))
}

// A02: both always the same of five options is 100 % observed and no kappa. A07: what one reader alone rated leaves, and one category that is
// left is not estimable.
func TestNotEstimable(t *testing.T) {
	same, alone, apart := read(5, "2222222222", "2222222222"), read(3, "0120"), read(3, "01..", "..12")
	is(t, "observed without variation", stats.Percent(same), 1)
	every := func(r stats.Ratings) map[string]stats.Estimate {
		return map[string]stats.Estimate{
			"unweighted": stats.Cohen(r, stats.Unweighted), "linear": stats.Cohen(r, stats.Linear), "quadratic": stats.Cohen(r, stats.Quadratic),
			"fleiss": stats.Fleiss(r), "nominal": stats.Alpha(r, stats.Nominal), "ordinal": stats.Alpha(r, stats.Ordinal),
			"interval": stats.Alpha(r, stats.IntervalScale), "ac1": stats.AC1(r),
		}
	}
	for what, got := range every(same) {
		isNone(t, what, got, "no variation")
	}
	for what, got := range every(alone) {
		isNone(t, what+" of one reader", got, "")
	}
	for what, got := range every(apart) {
		isNone(t, what+" of readers without a common item", got, "no item was rated by two readers")
	}
	for what, got := range every(read(3)) {
		isNone(t, what+" of nobody", got, "")
	}
	isNone(t, "percent of one", stats.Percent(alone), "two readers")
	isNone(t, "percent apart", stats.Percent(apart), "no item")
	// what one reader alone rated is no agreement
	isNone(t, "one category left", stats.Alpha(read(3, "01", "0."), stats.Nominal), "no variation")
	isNone(t, "Fleiss with a gap", stats.Fleiss(read(3, "0120", "01.0", "0120")), "same number")
	is(t, "Fleiss without a rated item", stats.Fleiss(read(2, "01.1", "01.0")), stats.Fleiss(read(2, "011", "010")).Value)
	isNone(t, "Cohen of three", stats.Cohen(read(3, "012", "012", "012"), stats.Linear), "two readers, found 3")
	words := read(2, "0011", "0111")
	words.Values = nil
	isNone(t, "interval of words", stats.Alpha(words, stats.IntervalScale), "words")
}

// clustered gives two readers of two items in each of g clusters, who differ in the second item of every third.
func clustered(g int) (stats.Ratings, []int) {
	r, cluster := stats.Ratings{Levels: 3, By: make([][]stats.Level, 2)}, []int{}
	for i := range g {
		l := stats.Level(i%3 + 1)
		other := l
		if i%3 == 0 {
			other = 2
		}
		r.By[0], r.By[1] = append(r.By[0], l, l), append(r.By[1], l, other)
		cluster = append(cluster, i, i)
	}
	return r, cluster
}

func TestAlphaInterval(t *testing.T) {
	for g, want := range map[int]stats.Method{10: stats.FewClusters, 19: stats.FewClusters, 20: stats.Percentile, 60: stats.Percentile} {
		r, cluster := clustered(g)
		got, why := stats.AlphaInterval(r, stats.Ordinal, cluster, 2000, 7)
		alpha := stats.Alpha(r, stats.Ordinal).Value
		if why != "" || got.Method != want || got.Low >= alpha || got.High <= alpha || got.High > 1 {
			t.Errorf("%d clusters: %+v %q around %v", g, got, why, alpha)
		}
		again, _ := stats.AlphaInterval(r, stats.Ordinal, cluster, 2000, 7)
		other, _ := stats.AlphaInterval(r, stats.Ordinal, cluster, 2000, 8)
		if again != got || other == got {
			t.Errorf("%d clusters: the seed does not decide: %+v, %+v, %+v", g, got, again, other)
		}
	}
	r, cluster := clustered(9)
	if _, why := stats.AlphaInterval(r, stats.Ordinal, cluster, 2000, 7); why != "no interval: at least 10 clusters needed, found 9" {
		t.Errorf("9 clusters: %q", why)
	}
	// a tenth cluster that one reader alone rated is none
	r.By[0], r.By[1], cluster = append(r.By[0], 1), append(r.By[1], 0), append(cluster, 9)
	if _, why := stats.AlphaInterval(r, stats.Ordinal, cluster, 2000, 7); !strings.Contains(why, "found 9") {
		t.Errorf("9 clusters and one that counts for nothing: %q", why)
	}
	r, cluster = clustered(30)
	r.By[1] = r.By[0]
	if _, why := stats.AlphaInterval(r, stats.Ordinal, cluster, 2000, 7); !strings.Contains(why, "do not differ") {
		t.Errorf("perfect agreement everywhere: %q", why)
	}
	one := read(3, "2222", "2222")
	if _, why := stats.AlphaInterval(one, stats.Ordinal, []int{0, 1, 2, 3}, 2000, 7); !strings.Contains(why, "no variation") {
		t.Errorf("no variation: %q", why)
	}
}

func TestEstimateAsJSON(t *testing.T) {
	for _, c := range []struct {
		e    stats.Estimate
		want string
	}{
		{stats.Estimate{Value: .25, Estimable: true}, `0.25`},
		{stats.Estimate{Reason: "no variation"}, `{"estimable":false,"reason":"no variation"}`},
	} {
		b, err := json.Marshal(c.e)
		if err != nil || string(b) != c.want {
			t.Errorf("%s, %v; want %s", b, err, c.want)
		}
		var back stats.Estimate
		if err := json.Unmarshal(b, &back); err != nil || !reflect.DeepEqual(back, c.e) {
			t.Errorf("%s reads back as %+v, %v", b, back, err)
		}
	}
	if p := (stats.Estimate{Reason: "none"}).Pointer(); p != nil {
		t.Errorf("%v in place of nothing", *p)
	}
}
