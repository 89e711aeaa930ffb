// Package export writes what was read for other people's programs: trainers, statisticians, viewers, other sites.
//
// Every export is a folder with a manifest (Manifest): files with their SHA-256, what came in, what went out and what was left aside and
// why, licence flags, and where the labels are from. A folder is written under a temporary name and renamed once it is whole.
package export
