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
	"plumbline/backend/review"
)

// importCommand makes a folder of cases or of images the dataset of the workspace.
func importCommand(f *face) *cobra.Command {
	var format string
	var public bool
	var login archiveLogin
	c := &cobra.Command{
		Use: "import PATH", Short: "Bring a dataset, a folder or zip archive of images, one image, or a study by its DICOMweb address into the workspace",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if dicomweb.IsAddress(args[0]) {
				return f.importStudy(c.Context(), args[0], public, login)
			}
			if err := checkFormat(format, args[0]); err != nil {
				return err
			}
			tell, end := f.tell()
			defer end()
			return f.atDesk(c.Context(), true, tell, func(d *desk.Desk) error {
				return f.bring(c.Context(), d, args[0], end)
			})
		},
	}
	c.Flags().StringVar(&format, "format", "auto", "auto, or what PATH must be: "+dataset.Plumbline+", "+dataset.Images)
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

// checkFormat refuses a path that is not of the format asked for.
func checkFormat(want, path string) error {
	known := []string{"auto", dataset.Plumbline, dataset.Images}
	if !slices.Contains(known, want) {
		return fault.New(fault.Usage, "import", path, "format %q is not known; one of %s expected", want, strings.Join(known, ", "))
	}
	if want == "auto" {
		return nil
	}
	found, err := dataset.FormatOf(path)
	if err == nil && found != want {
		err = fault.New(fault.Invalid, "import", path, "this is of format %s, not %s", found, want)
	}
	return err
}

// bring imports and says what came.
func (f *face) bring(ctx context.Context, d *desk.Desk, path string, end func()) error {
	got, err := d.Import(ctx, path)
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
