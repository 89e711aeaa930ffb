package main

import "github.com/spf13/cobra"

// commands lists every command in the order of the help text; each has a file of its own.
var commands = []func(*face) *cobra.Command{
	sampleCommand, checkCommand, framesCommand, probeCommand, renderCommand, volumeCommand,
	importCommand, casesCommand, chainsCommand, protocolCommand, assignCommand, readersCommand,
	rateCommand, readingsCommand, agreeCommand, reportCommand, verifyCommand, metricsCommand, versionCommand,
}
