package dicomweb

import (
	"context"
	"io"
	"net/http"
	"net/url"

	"plumbline/backend/fault"
)

// Login is what a server wants to know of whoever asks: a name with a password, or a token, or nothing. It goes to that host alone.
type Login struct{ User, Password, Bearer string }

// none tells that the server is asked without a login.
func (l Login) none() bool { return l == Login{} }

// server is an archive that may be asked.
type server struct {
	root  *url.URL
	http  *http.Client
	login Login
}

// connect finds out how far away a server is and whether it may be asked. Nothing is sent yet but the look-up of its name.
func connect(ctx context.Context, root *url.URL, o Options) (*server, error) {
	const op = "ask archive"
	host := root.Hostname()
	reach, err := ReachOf(ctx, host)
	switch {
	case err != nil:
		return nil, err
	case reach == Public && !o.Public:
		return nil, fault.New(fault.Refused, op, root.String(), "%s is a public host: it would learn this machine's address and the UIDs asked for; agree to that to go on", host)
	case reach == Public && root.Scheme != "https" && !o.Login.none():
		return nil, fault.New(fault.Refused, op, root.String(), "%s is a public host and the address is not https: the login could be read on the way", host)
	}
	return &server{root: root, http: client(reach), login: o.Login}, nil
}

// get asks the server.
func (s *server) get(ctx context.Context, path, accept string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.root.String()+path, nil)
	if err != nil {
		return nil, fault.New(fault.Usage, "ask server", "", "%w", err)
	}
	r.Header.Set("Accept", accept)
	switch {
	case s.login.Bearer != "":
		r.Header.Set("Authorization", "Bearer "+s.login.Bearer)
	case s.login.User != "":
		r.SetBasicAuth(s.login.User, s.login.Password)
	}
	res, err := s.http.Do(r)
	if err != nil {
		if ctx.Err() != nil {
			return nil, fault.In("ask server", "", ctx.Err())
		}
		return nil, fault.New(fault.Endpoint, "ask server", s.root.Host, "%w", err)
	}
	return res, nil
}

// answer gives a list as bytes of DICOM JSON; nil: there is nothing.
func (s *server) answer(ctx context.Context, op, path string) ([]byte, error) {
	res, err := s.get(ctx, path, "application/dicom+json")
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	switch res.StatusCode {
	case http.StatusOK:
	case http.StatusNoContent, http.StatusNotFound:
		return nil, nil
	default:
		return nil, s.unwilling(res, op, "")
	}
	b, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	if err != nil {
		return nil, fault.New(fault.Endpoint, op, "", "%w", err)
	}
	if len(b) > maxAnswer {
		return nil, fault.New(fault.Endpoint, op, "", "a list of more than %d MiB", maxAnswer>>20)
	}
	return b, nil
}

// unwilling says why a server does not give what it was asked for.
func (s *server) unwilling(res *http.Response, op, of string) error {
	switch {
	case res.StatusCode == http.StatusUnauthorized && s.login.none():
		return fault.New(fault.Refused, op, of, "the server wants a login")
	case res.StatusCode == http.StatusUnauthorized:
		return fault.New(fault.Refused, op, of, "the server does not know this login")
	case res.StatusCode == http.StatusForbidden:
		return fault.New(fault.Refused, op, of, "the server does not give this to this login")
	}
	return fault.New(fault.Endpoint, op, of, "the server answers %s", res.Status)
}
