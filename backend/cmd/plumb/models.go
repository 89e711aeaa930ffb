package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"plumbline/backend/desk"
	"plumbline/backend/fault"
	"plumbline/backend/model"
	"plumbline/backend/review"
)

// modelLine is a model as `plumb models` lists it.
type modelLine struct {
	Name      string           `json:"name"`
	Kind      string           `json:"kind"` // control or profile
	Does      string           `json:"does,omitempty"`
	Host      string           `json:"host,omitempty"`
	Model     string           `json:"model,omitempty"`
	Consent   *model.Consent   `json:"consent,omitempty"`
	Abilities *model.Abilities `json:"abilities,omitempty"`
}

// modelsCommand lists the built-in controls and the workspace's profiles. Nothing is sent anywhere; only probe asks a server.
func modelsCommand(f *face) *cobra.Command {
	c := &cobra.Command{
		Use: "models", Short: "Built-in control models and profiles of model servers", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			out := []modelLine{}
			for _, m := range model.Controls() {
				out = append(out, modelLine{Name: m.Name(), Kind: "control", Does: m.Does})
			}
			var problems []error
			if f.workspace != "" {
				profiles, bad, err := model.LoadProfiles(desk.ProfilesDir(f.workspace))
				if err != nil {
					return err
				}
				problems = bad
				for _, p := range profiles {
					out = append(out, modelLine{Name: p.Name, Kind: "profile", Host: p.BaseURL, Model: p.Model, Consent: p.Consent, Abilities: p.Abilities})
				}
			}
			if f.json {
				if err := f.print(map[string]any{"models": out}); err != nil {
					return err
				}
			} else {
				for _, m := range out {
					f.say("%s\t%s\t%s", m.Name, m.Kind, strings.TrimSpace(m.Does+" "+m.Host+" "+m.Model))
				}
			}
			return badProfiles(f, problems)
		},
	}
	c.AddCommand(probeModel(f), addModel(f), keyModel(f), allowModel(f), routeModel(f))
	return c
}

// badProfiles tells of the profiles that cannot be used.
func badProfiles(f *face, problems []error) error {
	for _, p := range problems {
		fmt.Fprintln(f.diag, "plumb:", p)
	}
	if len(problems) > 0 {
		return fault.New(fault.Partial, "list models", "", "%d profiles cannot be used", len(problems))
	}
	return nil
}

// profilesIn gives the workspace in which profiles lie.
func (f *face) profilesIn(op, of string) (string, error) {
	if f.workspace == "" {
		return "", fault.New(fault.Usage, op, of, "name the workspace with --workspace DIR or PLUMBLINE_WORKSPACE")
	}
	return f.workspace, nil
}

// probeModel asks a server what it can and keeps the answer in the profile.
func probeModel(f *face) *cobra.Command {
	return &cobra.Command{
		Use: "probe NAME", Short: "Ask the server of a profile what it can, and keep the answer", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			workspace, err := f.profilesIn("find model", args[0])
			if err != nil {
				return err
			}
			p, err := desk.ProbeProfile(c.Context(), workspace, args[0])
			if err != nil {
				return err
			}
			a := p.Abilities
			if f.json {
				return f.print(modelLine{Name: p.Name, Kind: "profile", Host: p.BaseURL, Model: p.Model, Consent: p.Consent, Abilities: a})
			}
			f.say("models %s\timages %v\tjson_schema %v\tgrammar %v\tlogprobs %v\trepeats %v\treasons %v\t%s", strings.Join(a.Models, ", "), a.Images, a.JSONSchema, a.Grammar, a.Logprobs, a.Repeats, a.Reasons, a.TokenLimit)
			for _, name := range slices.Sorted(maps.Keys(a.Notes)) {
				f.say("%s: %s", name, a.Notes[name])
			}
			return nil
		},
	}
}

// addModel brings a profile into the workspace. A consent in the file is left behind: it is given here, by whom it is asked of.
func addModel(f *face) *cobra.Command {
	return &cobra.Command{
		Use: "add FILE", Short: "Check a profile and bring it into the workspace", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			workspace, err := f.profilesIn("add model", args[0])
			if err != nil {
				return err
			}
			file, err := os.Open(args[0])
			if err != nil {
				return fault.In("add model", args[0], err)
			}
			defer file.Close()
			b, err := io.ReadAll(io.LimitReader(file, 1<<20))
			if err != nil {
				return fault.In("add model", args[0], err)
			}
			p, err := model.ReadProfile(b)
			if err != nil {
				return fault.In("add model", args[0], err)
			}
			if err := desk.AddProfile(workspace, p); err != nil {
				return err
			}
			if f.json {
				return f.print(modelLine{Name: p.Name, Kind: "profile", Host: p.BaseURL, Model: p.Model})
			}
			f.say("%s is there", filepath.Base(p.Name))
			return nil
		},
	}
}

// keyModel keeps the key of a profile in the keyring. It is read from standard input: a command line can be read by others.
func keyModel(f *face) *cobra.Command {
	return &cobra.Command{
		Use: "key NAME", Short: "Keep the key of a profile, read from standard input, in the system's keyring; an empty line takes it out", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			workspace, err := f.profilesIn("find model", args[0])
			if err != nil {
				return err
			}
			line, err := bufio.NewReader(io.LimitReader(c.InOrStdin(), 64<<10)).ReadString('\n')
			if err != nil && err != io.EOF {
				return fault.In("read key", args[0], err)
			}
			return desk.KeepProfileKey(workspace, args[0], line)
		},
	}
}

// allowModel writes down that somebody agrees to send things to a public host.
func allowModel(f *face) *cobra.Command {
	var by, host string
	var images bool
	c := &cobra.Command{
		Use: "allow NAME --host HOST --by WHO [--images]", Short: "Consent to send questions and cards (and images) to the public host of a profile", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			workspace, err := f.profilesIn("find model", args[0])
			if err != nil {
				return err
			}
			p, err := desk.AllowProfile(workspace, args[0], host, by, images, time.Now())
			if err != nil {
				return err
			}
			f.say("%s may be sent %s", host, strings.Join(p.Consent.Sends, ", "))
			return nil
		},
	}
	c.Flags().StringVar(&host, "host", "", "the host, as in the profile's address")
	c.Flags().StringVar(&by, "by", "", "who consents")
	c.Flags().BoolVar(&images, "images", false, "images too")
	return c
}

// routeModel says which model was best on the cases that are most like one.
func routeModel(f *face) *cobra.Command {
	return &cobra.Command{
		Use: "route CASE", Short: "The model that was right most often on the cases most like CASE, and why", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return f.atDesk(c.Context(), false, review.Quiet, func(d *desk.Desk) error {
				v, err := d.RouteCase(c.Context(), args[0])
				if err != nil {
					return err
				}
				if f.json {
					return f.print(v)
				}
				f.say("%s\t%s", v.Model, v.Reason)
				return nil
			})
		},
	}
}
