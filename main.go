// Plumbline's window. Everything lives in app and backend; main stays at the root so that stock `wails build` works.
package main

import (
	"os"

	"plumbline/app"
)

func main() { os.Exit(app.Main()) }
