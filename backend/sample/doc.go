// Package sample writes the synthetic sample study: 24 cases of 12 patients that never were, with known truth and recorded chains of the
// control models. The same seed gives the same bytes on every machine.
package sample
