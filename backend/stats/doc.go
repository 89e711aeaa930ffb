// Package stats holds the statistics of measurement.md as pure functions of numbers: dependence between rows and intervals that respect it.
//
// Rows come as clusters: a list of lists of values. What cannot be estimated is said by a second result, never by NaN.
package stats
