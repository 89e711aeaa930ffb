// Package report computes what the labels and answers of a study say, as one document for machines (report.json) and people (report.html).
//
// Accuracy (were the answers right?) and grounding (did the image carry them?) stand beside each other and are never blended into one number.
// Formulas and their numbers are those of measurement.md; what there is not enough data for is "not estimable", with the reason.
package report
