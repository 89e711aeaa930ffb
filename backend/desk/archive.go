package desk

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"plumbline/backend/dicomweb"
	"plumbline/backend/fault"
	"plumbline/backend/model"
	"plumbline/backend/review"
)

// Archive is what an address of a DICOMweb service says by itself: nobody is asked for it, not even where its name leads.
type Archive struct {
	Address string `json:"address"` // of the service
	Host    string `json:"host"`
	Reach   string `json:"reach"` // loopback, private, public; "": a name, which is looked up once somebody agrees
	Plain   bool   `json:"plain"` // http: what goes over the network can be read on the way
	Study   string `json:"study"` // that the address names, or ""
}

// Logins of an archive: by a name and a password, by a token, or by what the keyring of this machine keeps for it. "" is none.
const (
	LoginByName  = "name"
	LoginByToken = "token"
	LoginKept    = "kept"
)

// ArchiveLogin is how somebody logs in at an archive. It is stored nowhere but, where Keep says so, in the keyring of the operating system.
type ArchiveLogin struct {
	By     string `json:"by"` // "", name, token, kept
	User   string `json:"user"`
	Secret string `json:"secret"` // password or token
	Keep   bool   `json:"keep"`   // keep it in the keyring, once the server has taken it
}

// ArchiveAsk is what every question to an archive says.
type ArchiveAsk struct {
	Address string       `json:"address"`
	Agreed  string       `json:"agreed"` // the host that somebody agreed to contact; this machine needs no consent
	Login   ArchiveLogin `json:"login"`
}

// ArchiveSearch says which studies are looked for: "" is any.
type ArchiveSearch struct {
	Patient  string `json:"patient"` // the archive's number of the patient, or a part of it
	Modality string `json:"modality"`
	From     string `json:"from"` // of the study's day, as 2026-01-31
	To       string `json:"to"`
	Skip     int    `json:"skip"` // how many were shown before
}

// Found are studies of an archive to choose from.
type Found struct {
	Studies []dicomweb.Study `json:"studies"`
	More    bool             `json:"more"` // there are others behind these
	Note    string           `json:"note"` // what else is to be said, or ""
}

// Archive reads the address of a DICOMweb service, or of a study in one, and asks nobody. Fault: Usage.
func (d *Desk) Archive(_ context.Context, address string) (Archive, error) {
	p, err := dicomweb.ParseServer(strings.TrimSpace(address))
	if err != nil {
		return Archive{}, err
	}
	host := p.Root.Hostname()
	return Archive{Address: p.Root.String(), Host: host, Reach: string(dicomweb.Unasked(host)), Plain: p.Root.Scheme == "http", Study: p.Study}, nil
}

// FindStudies asks which studies an archive has. Faults: as dicomweb.Find; Refused without the consent to contact its host; NotFound where
// the keyring keeps no login for it.
func (d *Desk) FindStudies(ctx context.Context, ask ArchiveAsk, wanted ArchiveSearch) (Found, error) {
	place, options, err := d.archive(ask)
	if err != nil {
		return Found{}, err
	}
	studies, more, err := dicomweb.Find(ctx, place.Root, dicomweb.Wanted(wanted), options)
	if err != nil {
		return Found{}, err
	}
	return Found{Studies: studies, More: more, Note: keepLogin(place, ask.Login)}, nil
}

// FetchStudies brings studies from an archive into dir ("": a folder of the program's own, the same for the same studies) and imports that
// folder. An instance that cannot be had is a problem, and the others are imported.
//
// Faults: as dicomweb.Fetch and Import; Refused without the consent to contact the host; Usage without a study. A cancelled fetch goes on
// where it was when it is asked for again.
func (d *Desk) FetchStudies(ctx context.Context, ask ArchiveAsk, studies []string, dir string) (Imported, error) {
	const op = "fetch studies"
	place, options, err := d.archive(ask)
	if err != nil {
		return Imported{}, err
	}
	if len(studies) == 0 {
		return Imported{}, fault.New(fault.Usage, op, place.String(), "at least one study expected")
	}
	if dir == "" {
		dir = d.fetchedInto(place, studies)
	}
	problems := []review.Problem{}
	all := 0
	for i, uid := range studies {
		one, err := dicomweb.Parse(place.Root.String() + "/studies/" + uid)
		if err != nil {
			return Imported{}, err
		}
		if len(studies) == 1 {
			one.Series = place.Series
		}
		options.Tell = ofStudy(d.options.Tell, i, len(studies))
		n, wrong, err := dicomweb.Fetch(ctx, one, dir, options)
		if err != nil {
			return Imported{}, err
		}
		all += n
		problems = append(problems, wrong...)
	}
	if all == 0 {
		return Imported{}, fault.New(fault.Endpoint, op, place.String(), "none of %d instances could be had; the first: %s", len(problems), problems[0].Text)
	}
	got, err := d.Import(ctx, dir)
	if err != nil {
		return Imported{}, err
	}
	got.Problems = append(problems, got.Problems...)
	return got, d.within(op, func(r *room) error {
		r.acting.Lock()
		defer r.acting.Unlock()
		r.problems = append(problems, r.problems...)
		return nil
	})
}

// ofStudy tells of one study among several.
func ofStudy(tell review.Tell, i, all int) review.Tell {
	if all == 1 {
		return tell
	}
	return func(p review.Progress) {
		p.Of = fmt.Sprintf("study %d of %d", i+1, all)
		tell(p)
	}
}

// archive reads an ask and checks that its host may be contacted.
func (d *Desk) archive(ask ArchiveAsk) (dicomweb.Place, dicomweb.Options, error) {
	p, err := dicomweb.ParseServer(strings.TrimSpace(ask.Address))
	if err != nil {
		return dicomweb.Place{}, dicomweb.Options{}, err
	}
	host := p.Root.Hostname()
	if dicomweb.Unasked(host) != dicomweb.Loopback && !strings.EqualFold(ask.Agreed, host) {
		return p, dicomweb.Options{}, fault.New(fault.Refused, "ask archive", p.Root.String(),
			"%s would be contacted and would learn this machine's address and what is asked for: agree to that, naming %s, to go on", host, host)
	}
	login, err := ask.Login.open(p)
	return p, dicomweb.Options{Public: strings.EqualFold(ask.Agreed, host), Login: login, Tell: d.options.Tell}, err
}

// open gives the login as the server wants it.
func (l ArchiveLogin) open(p dicomweb.Place) (dicomweb.Login, error) {
	switch l.By {
	case "":
		return dicomweb.Login{}, nil
	case LoginByName:
		return dicomweb.Login{User: l.User, Password: l.Secret}, nil
	case LoginByToken:
		return dicomweb.Login{Bearer: l.Secret}, nil
	case LoginKept:
		var login dicomweb.Login
		secret, err := keyOf(p).Secret()
		if err == nil && json.Unmarshal([]byte(secret), &login) != nil {
			err = fault.New(fault.Damaged, "fetch login", p.Root.Host, "what the keyring keeps is no login: log in again and keep it")
		}
		return login, err
	}
	return dicomweb.Login{}, fault.New(fault.Usage, "log in", p.Root.Host, "by %q; one of %s, %s, %s expected", l.By, LoginByName, LoginByToken, LoginKept)
}

// keyOf names the entry of the keyring for a server.
func keyOf(p dicomweb.Place) model.Key { return model.Key{Keyring: "dicomweb " + p.Root.String()} }

// keepLogin puts a login that the server has taken into the keyring where that was asked for, and says so where it could not be.
func keepLogin(p dicomweb.Place, l ArchiveLogin) string {
	if !l.Keep || l.By != LoginByName && l.By != LoginByToken {
		return ""
	}
	login, err := l.open(p)
	var secret []byte
	if err == nil {
		secret, err = json.Marshal(login)
	}
	if err == nil {
		err = keyOf(p).Keep(string(secret))
	}
	if err != nil {
		return "The login could not be kept, and has to be given again next time: " + err.Error()
	}
	return ""
}

// fetchedInto names the folder for studies of an archive: the same one for the same studies, by a name that tells of nobody.
func (d *Desk) fetchedInto(p dicomweb.Place, studies []string) string {
	sorted := slices.Sorted(slices.Values(studies))
	digest := string(review.DigestOf([]byte(p.String() + "\n" + strings.Join(sorted, "\n"))))[len("sha256:"):][:8]
	return filepath.Join(d.options.Folders.Data, "archives", plainName(strings.ReplaceAll(p.Root.Hostname(), ".", "-"))+"-"+digest)
}
