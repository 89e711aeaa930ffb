// Package dataset turns a folder or file into cases: our own format (dataset.json, cases.jsonl, chains/), any folder of images, and other people's
// records (package formats).
//
// It reads only: nothing is ever written into a dataset, which may lie on a read-only share. What it learns goes into an Index, which may be
// deleted at any time. It never hears of readers, and truth and origins never enter the Index: they are streamed by LoadTruth and LoadOrigins
// for whoever may see them. Trouble in files comes back as problems beside the good part.
package dataset
