// Package report computes what the labels and answers of a study say, as one document for machines (report.json) and people (report.html).
//
// Accuracy (were the answers right?) and grounding (did the image carry them?) stand beside each other and are never blended into one number.
// Where each formula of measurement.md is computed, and the test that holds it against numbers by hand or against golden.json:
//
//	1–7    accuracy.go       TestAccuracyByHand, TestParentsOfAQuestion
//	8–12   origin.go         TestOriginByHand, TestCorruptionByHand; stats.Origins against golden.json
//	13–15  reliance.go       TestImageRelianceByHand, TestNotTestable
//	16     reliance.go       TestProbabilitiesByHand
//	17–19  reliance.go       TestImageRelianceByHand, TestTableOfControls (experiment)
//	20,23,24 causal.go, grounding.go  TestImageRelianceByHand, TestGroundingByHand
//	21,22  mediate.go        TestMediationByHand; stats.Mediate against golden.json
//	25–33  cues.go           TestCuesByHand
//	34–36  consistency.go    TestConsistencyByHand; stats.Entropy, PathSimilarity against golden.json
//	37,38  reasoning.go      TestTextAndContextByHand
//	39     places.go         TestLocalisationByHand; stats TestMeanIoU, TestPlacesInVolumes
//	40     calibration.go    TestProbabilitiesByHand; stats.Brier, ECE against golden.json
//	41     desk/agreement*.go, stats/kappa.go, krippendorff.go  published examples and golden.json
//	42     dataset/cluster.go
//	43–47  number.go, stats/bootstrap.go, cluster.go, interval.go  golden.json, TestCoverageOfIntervals
//	48,49  compare.go, stats/holm.go, mcnemar.go  TestComparisonsOfPatients, TestHolm
//	50     stats/mrmc.go     golden.json
//	51     export
//
// Formulas and their numbers are those of measurement.md; what there is not enough data for is "not estimable", with the reason.
package report
