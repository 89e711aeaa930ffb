package main

import (
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"plumbline/backend/desk"
	"plumbline/backend/dicomweb"
	"plumbline/backend/fault"
)

// secretVariable may hold the password or token of an archive. An argument never does: others on the machine can see arguments.
const secretVariable = "PLUMBLINE_ARCHIVE_SECRET"

// archiveLogin is how the command line logs in at an archive.
type archiveLogin struct {
	user        string
	token, kept bool
}

func (l *archiveLogin) flags(c *cobra.Command) {
	c.Flags().StringVar(&l.user, "user", "", "log in at the archive by this name; the password comes from "+secretVariable+", else the terminal is asked")
	c.Flags().BoolVar(&l.token, "token", false, "log in at the archive by a token, from "+secretVariable+", else the terminal is asked")
	c.Flags().BoolVar(&l.kept, "kept-login", false, "log in at the archive by what the keyring keeps for it")
	c.MarkFlagsMutuallyExclusive("user", "token", "kept-login")
}

// ask makes the ask of an archive: whoever names an address on the command line agrees that its host is contacted, but for a public one,
// where public says so.
func (l archiveLogin) ask(ctx context.Context, f *face, p dicomweb.Place, public bool) (desk.ArchiveAsk, error) {
	a := desk.ArchiveAsk{Address: p.String(), Agreed: p.Root.Hostname()}
	if dicomweb.Unasked(a.Agreed) != dicomweb.Loopback && !public {
		reach, err := dicomweb.ReachOf(ctx, a.Agreed)
		if err != nil {
			return a, err
		}
		if reach == dicomweb.Public {
			return a, fault.New(fault.Refused, "ask archive", p.String(), "%s is a public host: it would learn this machine's address and the UIDs asked for; --public-host agrees to that", a.Agreed)
		}
	}
	switch {
	case l.kept:
		a.Login.By = desk.LoginKept
		return a, nil
	case l.user != "":
		a.Login.By, a.Login.User = desk.LoginByName, l.user
	case l.token:
		a.Login.By = desk.LoginByToken
	default:
		return a, nil
	}
	if a.Login.Secret = os.Getenv(secretVariable); a.Login.Secret != "" {
		return a, nil
	}
	var err error
	a.Login.Secret, err = ask(f, map[bool]string{true: "Token: ", false: "Password: "}[l.token])
	return a, err
}

// studiesCommand lists what an archive has, so that one of it can be imported.
func studiesCommand(f *face) *cobra.Command {
	var wanted desk.ArchiveSearch
	var public bool
	var login archiveLogin
	c := &cobra.Command{
		Use: "studies ADDRESS", Short: "Studies of a DICOMweb archive, each with the address that import takes", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := dicomweb.ParseServer(args[0])
			if err != nil {
				return err
			}
			ask, err := login.ask(c.Context(), f, p, public)
			if err != nil {
				return err
			}
			d := desk.New(desk.Options{})
			found, err := d.FindStudies(c.Context(), ask, wanted)
			if err != nil {
				return err
			}
			if f.json {
				return f.print(found)
			}
			for _, s := range found.Studies {
				f.say("%s/studies/%s\n    %s  %s  %s  %d images  %s", p.Root, s.UID, s.Date, strings.Join(s.Modalities, " "), s.Patient, s.Instances, s.Description)
			}
			if found.More {
				f.say("there are more: narrow the search, or go on with --skip %d", wanted.Skip+len(found.Studies))
			}
			if len(found.Studies) == 0 {
				return fault.New(fault.NotFound, "find studies", p.String(), "no study fits")
			}
			return nil
		},
	}
	c.Flags().StringVar(&wanted.Patient, "patient", "", "the archive's number of the patient, or a part of it")
	c.Flags().StringVar(&wanted.Modality, "modality", "", "CT, MR, …")
	c.Flags().StringVar(&wanted.From, "from", "", "the first day, as 2026-01-31")
	c.Flags().StringVar(&wanted.To, "to", "", "the last day")
	c.Flags().IntVar(&wanted.Skip, "skip", 0, "how many to leave out at the beginning")
	c.Flags().BoolVar(&public, "public-host", false, "agree that a host outside private networks learns this machine's address and what is searched for")
	login.flags(c)
	return c
}
