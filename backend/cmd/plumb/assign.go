package main

import (
	"github.com/spf13/cobra"

	"plumbline/backend/desk"
)

// assignCommand makes the assignments that protocol and cases ask for and that are not there yet.
func assignCommand(f *face) *cobra.Command {
	return standingCommand(f, "assign", "assign the cases to the readers by the protocol (coordinator's seat)", (*desk.Desk).Assign)
}
