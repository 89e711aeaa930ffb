// Package formats reads other people's records: benchmarks, logs of evaluations, tables of predictions. One file for each format brings them to
// the nouns of review: cases, truth, chains with what made them, labels; and lists what is wrong in them by file, line and field.
//
// It reads and changes nothing, it knows no reader and no workspace. What may tell the right answer is marked hidden: it never stands among the
// problems that anybody sees. Every size that a file claims is bounded (limits.go).
package formats
