package desk_test

import "testing"

// BenchmarkReportOfRuns makes the report of a study whose runs made 20,000 chains, read from the disk one by one.
func BenchmarkReportOfRuns(b *testing.B) {
	const cases = 2000
	conditions := []string{"original", "noop", "occ/tissue+given:orig", "ctl/tissue+given:orig", "none", "swap", "suggest-right", "suggest-wrong", "none+suggest-right", "no-context"}
	boss := afterRuns(b, cases, conditions)
	for b.Loop() {
		doc, err := boss.Desk.Report(b.Context())
		if err != nil || doc.Data.Chains < cases*len(conditions) {
			b.Fatalf("%d chains, %v", doc.Data.Chains, err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(cases*len(conditions)), "us/chain")
}
