package model

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"

	"plumbline/backend/fault"
)

// Reach says how far away an address is.
type Reach string

// The reaches, from near to far.
const (
	Loopback Reach = "loopback" // this machine
	Private  Reach = "private"  // an address that is not routed on the internet (RFC 1918, 4193, 6598, link-local)
	Public   Reach = "public"
)

// carrier is shared address space (RFC 6598), as VPNs between workstations use it.
var carrier = netip.MustParsePrefix("100.64.0.0/10")

// reachOf tells how far away an address is. An unspecified address connects to this machine.
func reachOf(a netip.Addr) Reach {
	a = a.Unmap()
	switch {
	case a.IsLoopback() || a.IsUnspecified():
		return Loopback
	case a.IsPrivate() || a.IsLinkLocalUnicast() || carrier.Contains(a):
		return Private
	}
	return Public
}

// Reach looks a profile's host up and gives the farthest of its addresses.
func (p Profile) Reach(ctx context.Context) (Reach, error) {
	host := p.Host()
	if a, err := netip.ParseAddr(host); err == nil {
		return reachOf(a), nil
	}
	addresses, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return "", fault.New(fault.Endpoint, "look up host", host, "%w", err)
	}
	far := Loopback
	for _, a := range addresses {
		if r := reachOf(a); r == Public || r == Private && far == Loopback {
			far = r
		}
	}
	return far, nil
}

// Host is the name or address in a profile's URL, without the port.
func (p Profile) Host() string {
	u, err := url.Parse(p.BaseURL)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// Allowed says whether a profile may be sent things so far away; images says whether pictures are among them. The error is a refusal that
// names what would be sent, and where.
func (p Profile) Allowed(reach Reach, images bool) error {
	if reach != Public {
		return nil
	}
	sends, what := []string{SendsText}, "questions, options, the patient's card and earlier answers"
	if images {
		sends, what = append(sends, SendsImages), what+", and the images"
	}
	host := p.Host()
	if !strings.HasPrefix(p.BaseURL, "https://") {
		return fault.New(fault.Refused, "ask model", p.Name, "%s is a public host and the address is not https: everything could be read on the way", host)
	}
	if c := p.Consent; c != nil && strings.EqualFold(c.Host, host) && !slices.ContainsFunc(sends, func(s string) bool { return !slices.Contains(c.Sends, s) }) {
		return nil
	}
	return fault.New(fault.Refused, "ask model", p.Name, "%s is a public host and would be sent %s: this needs a consent that names the host and %s",
		host, what, strings.Join(sends, ", "))
}

// tooFar is the refusal to connect to an address that is farther away than was allowed.
type tooFar struct{ why error }

func (e *tooFar) Error() string { return e.why.Error() }
func (e *tooFar) Unwrap() error { return e.why }

// guard refuses, at the moment of connecting, an address that is not allowed: a name may point elsewhere than when it was looked up.
func (p Profile) guard(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("the address %q to connect to cannot be read", address)
	}
	if err := p.Allowed(reachOf(at.Addr()), false); err != nil {
		return &tooFar{err}
	}
	return nil
}
