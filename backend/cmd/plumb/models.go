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
	c.AddCommand(probeModel(f), addModel(f), keyModel(f), allowModel(f))
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

// profileOf finds a profile of the workspace.
func (f *face) profileOf(name string) (model.Profile, error) {
	if f.workspace == "" {
		return model.Profile{}, fault.New(fault.Usage, "find model", name, "name the workspace with --workspace DIR or PLUMBLINE_WORKSPACE")
	}
	profiles, problems, err := model.LoadProfiles(desk.ProfilesDir(f.workspace))
	if err != nil {
		return model.Profile{}, err
	}
	at := slices.IndexFunc(profiles, func(p model.Profile) bool { return p.Name == name })
	if at >= 0 {
		return profiles[at], nil
	}
	for _, p := range problems {
		if strings.Contains(p.Error(), name+".json") {
			return model.Profile{}, p
		}
	}
	return model.Profile{}, fault.New(fault.NotFound, "find model", name, "no profile of this name; plumb models add FILE brings one")
}

// probeModel asks a server what it can and keeps the answer in the profile.
func probeModel(f *face) *cobra.Command {
	return &cobra.Command{
		Use: "probe NAME", Short: "Ask the server of a profile what it can, and keep the answer", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := f.profileOf(args[0])
			if err != nil {
				return err
			}
			secret, err := p.Key.Secret()
			if err != nil {
				return err
			}
			e, err := model.NewEndpoint(p, secret)
			if err != nil {
				return err
			}
			defer e.Close()
			a, err := e.Probe(c.Context())
			if err != nil {
				return err
			}
			p.Abilities, p.TokenLimit = &a, a.TokenLimit
			if err := model.SaveProfile(desk.ProfilesDir(f.workspace), p); err != nil {
				return err
			}
			if f.json {
				return f.print(modelLine{Name: p.Name, Kind: "profile", Host: p.BaseURL, Model: p.Model, Consent: p.Consent, Abilities: &a})
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
			if f.workspace == "" {
				return fault.New(fault.Usage, "add model", args[0], "name the workspace with --workspace DIR or PLUMBLINE_WORKSPACE")
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
			for _, m := range model.Controls() {
				if m.Name() == p.Name {
					return fault.New(fault.Refused, "add model", p.Name, "a built-in control model has this name")
				}
			}
			p.Consent, p.Abilities = nil, nil
			if err := model.SaveProfile(desk.ProfilesDir(f.workspace), p); err != nil {
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
			p, err := f.profileOf(args[0])
			if err != nil {
				return err
			}
			line, err := bufio.NewReader(io.LimitReader(c.InOrStdin(), 64<<10)).ReadString('\n')
			if err != nil && err != io.EOF {
				return fault.In("read key", args[0], err)
			}
			if p.Key.Keyring == "" {
				p.Key = model.Key{Keyring: p.Name}
			}
			if err := p.Key.Keep(strings.TrimSpace(line)); err != nil {
				return err
			}
			return model.SaveProfile(desk.ProfilesDir(f.workspace), p)
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
			p, err := f.profileOf(args[0])
			if err != nil {
				return err
			}
			if by == "" || host == "" {
				return fault.New(fault.Usage, "allow model", p.Name, "name the host with --host and who consents with --by")
			}
			p.Consent = &model.Consent{Host: host, Sends: []string{model.SendsText}, By: by, At: time.Now().UTC().Format(time.RFC3339)}
			if images {
				p.Consent.Sends = append(p.Consent.Sends, model.SendsImages)
			}
			if err := p.Allowed(model.Public, images); err != nil {
				return err
			}
			if err := model.SaveProfile(desk.ProfilesDir(f.workspace), p); err != nil {
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
