package main

import "github.com/spf13/cobra"

// commands lists every command in the order of the help text; each has a file of its own.
var commands = []func(*face) *cobra.Command{
	sampleCommand, checkCommand, framesCommand, probeCommand, renderCommand, volumeCommand,
	studiesCommand, importCommand, casesCommand, chainsCommand, protocolCommand, rubricCommand, assignCommand, readersCommand,
	rateCommand, readingsCommand, timesCommand, trainingCommand, conditionsCommand, modelsCommand, runCommand, batchCommand, adjudicateCommand, agreeCommand, reportCommand, exportCommand, poolCommand, bundleCommand, verifyCommand, metricsCommand, formatsCommand, benchCommand, versionCommand,
}
