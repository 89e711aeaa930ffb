// Package report computes what the labels and answers of a study say, as one document for machines (report.json) and people (report.html).
//
// Accuracy (were the answers right?) and grounding (did the image carry them?) stand beside each other and are never blended into one number.
// Where each formula of measurement.md is computed, and the test that holds it against numbers by hand or against golden.json:
//
//	1–7    accuracy.go       TestAccuracyByHand, TestParentsOfAQuestion; by held-out split TestSplits
//	8–12   origin.go         TestOriginByHand, TestCorruptionByHand; stats.Origins against golden.json
//	13–15  reliance.go       TestImageRelianceByHand, TestNotTestable
//	16     reliance.go       TestProbabilitiesByHand
//	17–19  reliance.go       TestImageRelianceByHand, TestTableOfControls (experiment); negatives TestInsertFollowByHand
//	20,23,24 causal.go, grounding.go  TestImageRelianceByHand, TestGroundingByHand, TestReportOfPoorStudies (cmd/plumb)
//	21,22  mediate.go        TestMediationByHand; stats.Mediate against golden.json, TestEffectsAddUp
//	25–33  cues.go, echo.go  TestCuesByHand
//	34–36  consistency.go    TestConsistencyByHand; stats.Entropy, PathSimilarity against golden.json
//	37     reasoning.go, confident.go  TestTextAndContextByHand, TestIntervalOfTheArea, TestConfidentByHand; stats TestAOC
//	38     reasoning.go      TestTextAndContextByHand; stats TestMonotone
//	39     places.go         TestLocalisationByHand; stats TestMeanIoU, TestMatchingIsBest, TestPlacesInVolumes
//	40     calibration.go    TestProbabilitiesByHand, TestIntervalsOfRanksMeet; stats.Brier, ECE against golden.json, TestAUROC, TestRiskCoverage, TestInfluence
//	41     desk/agreement*.go, stats/kappa.go, krippendorff.go  published examples and golden.json; desk/adjudicate_overturn.go TestOverturns
//	42     dataset/cluster.go
//	43–47  number.go, stats/bootstrap.go, cluster.go, interval.go  golden.json with its edges, TestFewClustersByHand, TestIntervalsNeedClusters,
//	       TestIntervalsOfDifferencesStayWithinReach, TestCoverageOfIntervals and, at length, BenchmarkCoverage
//	48,49  compare.go, stats/holm.go, mcnemar.go  TestComparisonsOfPatients, TestRunsStandApart, TestHolm, golden.json
//	50     stats/mrmc.go     golden.json, TestShroutAndFleiss; as a file TestSuspicionByHand
//	51     export
//
// A study is read chain by chain into columns (arm.go), so that memory grows by some tens of bytes an answer: BenchmarkReportGrowth.
//
// Formulas and their numbers are those of measurement.md; what there is not enough data for is "not estimable", with the reason.
package report
