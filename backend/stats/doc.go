// Package stats holds the statistics of measurement.md as pure functions of numbers: dependence between rows and intervals that respect it,
// agreement of readers, and the formulas on chains that need nothing but numbers.
//
// Rows come as clusters: a list of lists of values. What cannot be estimated is said by a second result, or by an Estimate with its reason, never by NaN.
package stats
