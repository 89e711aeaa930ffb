package dataset

import (
	"context"
	"fmt"

	"plumbline/backend/dcm"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// Heat loads the heatmap that a step of a chain names: a file below the dataset, as review.Step.Heatmap has it. It is read anew each time.
// Faults: NotFound for a name that leads to no file of the dataset, the rest as dcm.LoadHeat.
func (s *Set) Heat(ctx context.Context, name string) (dcm.Heat, error) {
	const op = "load heatmap"
	at := s.root.locate(name)
	if at.wrong == "" && (at.outside || !at.info.Mode().IsRegular()) {
		at.wrong = "no file below the dataset"
	}
	if at.wrong != "" {
		return dcm.Heat{}, fault.New(fault.NotFound, op, name, "%s", at.wrong)
	}
	h, err := dcm.LoadHeat(ctx, at.path, s.files.open)
	return h, fault.In(op, name, err)
}

// checkHeatmaps notes the steps whose heatmap is not there.
func (s *Set) checkHeatmaps(c review.Chain, note noted) {
	for i, a := range c.Answers {
		for j, step := range a.Steps {
			if step.Heatmap == "" {
				continue
			}
			if at := s.root.locate(step.Heatmap); at.wrong != "" {
				note(fmt.Sprintf("answers[%d].steps[%d].heatmap", i, j), "%s: %s", short(step.Heatmap), at.wrong)
			}
		}
	}
}
