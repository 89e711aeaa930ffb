// Package frontend embeds the built page.
package frontend

import "embed"

// Dist holds frontend/dist: empty but for .gitkeep until the page is built.
//
//go:embed all:dist
var Dist embed.FS
