// Package backend is the library under both faces; see floors_test.go for which package may import which.
package backend
