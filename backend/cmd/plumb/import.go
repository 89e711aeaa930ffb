package main

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"plumbline/backend/dataset"
	"plumbline/backend/desk"
	"plumbline/backend/dicomweb"
	"plumbline/backend/fault"
	"plumbline/backend/formats"
	"plumbline/backend/review"
)

// importCommand makes a folder of cases or of images the dataset of the workspace.
func importCommand(f *face) *cobra.Command {
	var with dataset.With
	var public bool
	var login archiveLogin
	c := &cobra.Command{
		Use: "import PATH", Short: "Bring a dataset, other people's records, a folder or zip archive of images, one image, or a study by its DICOMweb address into the workspace",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if dicomweb.IsAddress(args[0]) {
				return f.importStudy(c.Context(), args[0], public, login)
			}
			if err := checkFormat(with, args[0]); err != nil {
				return err
			}
			tell, end := f.tell()
			defer end()
			return f.atDesk(c.Context(), true, tell, func(d *desk.Desk) error {
				return f.bring(c.Context(), d, args[0], with, end)
			})
		},
	}
	recordFlags(c, &with)
	c.Flags().BoolVar(&public, "public-host", false, "agree that a host outside private networks learns this machine's address and the UIDs asked for")
	login.flags(c)
	return c
}

// importStudy brings a study from a DICOMweb archive into the workspace's own folder, and imports it from there.
func (f *face) importStudy(ctx context.Context, address string, public bool, by archiveLogin) error {
	place, err := dicomweb.Parse(address)
	if err != nil {
		return err
	}
	ask, err := by.ask(ctx, f, place, public)
	if err != nil {
		return err
	}
	tell, end := f.tell()
	defer end()
	return f.atDesk(ctx, true, tell, func(d *desk.Desk) error {
		// One folder for each address, by a name that gives nothing away.
		name := string(review.DigestOf([]byte(place.String())))[len("sha256:"):][:16]
		got, err := d.FetchStudies(ctx, ask, []string{place.Study}, filepath.Join(f.workspace, "dicomweb", name))
		end()
		if err != nil {
			return err
		}
		return f.sayImported(place.String(), got)
	})
}

// recordFlags says how other people's records are taken.
func recordFlags(c *cobra.Command, with *dataset.With) {
	c.Flags().StringVar(&with.Format, "format", "auto", "auto, or what PATH must be: "+strings.Join(formatsKnown(), ", "))
	c.Flags().StringVar(&with.Join, "join", "", "a table (CSV, TSV) of what the records leave out: "+strings.Join(formats.JoinFields(), ", "))
	c.Flags().StringVar(&with.Stages, "stages", "", "a table of how their stages become ours (plumb formats --stages prints the built-in one)")
}

// formatsKnown lists what --format takes.
func formatsKnown() []string {
	out := []string{dataset.Plumbline, dataset.Images}
	for _, f := range dataset.Formats() {
		out = append(out, f.Name)
	}
	return out
}

// checkFormat refuses a format that is not known, and a path that is not of the one asked for; tables are for other people's records.
func checkFormat(with dataset.With, path string) error {
	if known := formatsKnown(); with.Format != "auto" && !slices.Contains(known, with.Format) {
		return fault.New(fault.Usage, "import", path, "format %q is not known; one of auto, %s expected", with.Format, strings.Join(known, ", "))
	}
	found, err := dataset.FormatOf(path, with)
	switch {
	case err != nil:
		return err
	case with.Format != "auto" && found != with.Format:
		return fault.New(fault.Invalid, "import", path, "this is of format %s, not %s", found, with.Format)
	case (with.Join != "" || with.Stages != "") && (found == dataset.Plumbline || found == dataset.Images):
		return fault.New(fault.Usage, "import", path, "--join and --stages are for other people's records; this is of format %s", found)
	}
	return nil
}

// bring imports and says what came.
func (f *face) bring(ctx context.Context, d *desk.Desk, path string, with dataset.With, end func()) error {
	if with.Format == "auto" {
		with.Format = ""
	}
	bring := d.Import
	if with != (dataset.With{}) {
		bring = func(ctx context.Context, path string) (desk.Imported, error) { return d.ImportRecords(ctx, path, with) }
	}
	got, err := bring(ctx, path)
	end()
	if err != nil {
		return err
	}
	return f.sayImported(path, got)
}

// sayImported says what an import brought.
func (f *face) sayImported(path string, got desk.Imported) error {
	if f.json {
		if err := f.print(got); err != nil {
			return err
		}
	} else {
		f.sayCounts(got.Format, got.Name, dataset.Counts{Cases: got.Cases, Chains: got.Chains, Patients: got.Patients, Images: got.Images,
			Frames: got.Frames, Variants: got.Variants, Clusters: got.Clusters, Skipped: got.Skipped})
		f.sayProblems(got.Problems)
	}
	return partly("import", path, got.Problems)
}
