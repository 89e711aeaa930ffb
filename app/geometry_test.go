package app

import (
	"os"
	"path/filepath"
	"testing"
)

func TestLoadGeometry(t *testing.T) {
	first := geometry{Width: firstWide, Height: firstTall}
	for _, c := range []struct {
		name, kept string
		want       geometry
	}{
		{"as it was", `{"width":1280,"height":800}`, geometry{Width: 1280, Height: 800}},
		{"maximised", `{"width":1280,"height":800,"maximised":true}`, geometry{Width: 1280, Height: 800, Maximised: true}},
		{"too small to read in", `{"width":10,"height":800}`, first},
		{"cut short", `{"width":1280,`, first},
		{"nothing kept", "", first},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "window.json")
			if c.kept != "" {
				if err := os.WriteFile(path, []byte(c.kept), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if got := loadGeometry(path); got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}
