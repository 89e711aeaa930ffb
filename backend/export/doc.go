// Package export writes what was read for other people's programs.
package export
