// Package dicomweb brings studies from an archive that speaks DICOMweb (PS3.18: QIDO-RS to find, WADO-RS to retrieve). It only reads there.
//
// Files come into a folder, each under a name made of its UID, written whole or not at all; one that is there is not asked for again. So a
// second fetch costs one question, and a fetch that was cut short goes on. From there on they are files like others.
//
// The network is off unless an address is named. This machine (loopback) and private networks may be asked; a public host only by consent.
// A redirect to another host is not followed, and what a server answers is bounded.
package dicomweb

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"plumbline/backend/fault"
)

// Reach says how far away a host is.
type Reach string

// The reaches, near to far.
const (
	Loopback Reach = "loopback" // this machine
	Private  Reach = "private"  // a private network (RFC 1918, 4193, link-local)
	Public   Reach = "public"   // anywhere else, and every name that leads to a public address
)

// IsAddress tells whether what was named as a source is an address of a server and no path.
func IsAddress(source string) bool {
	return strings.HasPrefix(source, "http://") || strings.HasPrefix(source, "https://")
}

// Place is a study, or a series of it, in an archive.
type Place struct {
	Root   *url.URL // of the DICOMweb service: …/dicom-web
	Study  string
	Series string // "" for the whole study
}

// Parse reads an address as …/studies/UID or …/studies/UID/series/UID. Fault: Usage.
func Parse(address string) (Place, error) {
	p, err := ParseServer(address)
	if err == nil && p.Study == "" {
		err = fault.New(fault.Usage, "read address", address, "it names no study; as http://host:8042/dicom-web/studies/UID expected")
	}
	return p, err
}

// ParseServer reads an address as Parse does, or that of the service alone: then no study is named. Fault: Usage.
func ParseServer(address string) (Place, error) {
	fail := func(why string) (Place, error) {
		return Place{}, fault.New(fault.Usage, "read address", hide(address), "%s; as http://host:8042/dicom-web or http://host:8042/dicom-web/studies/UID expected", why)
	}
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return fail("no address of a server")
	case u.User != nil:
		return fail("a name and password do not belong in an address")
	case u.RawQuery != "" || u.Fragment != "":
		return fail("it has a query or fragment")
	}
	root, rest, found := strings.Cut(strings.TrimRight(u.Path, "/"), "/studies/")
	parts := strings.Split(rest, "/")
	p := Place{Root: &url.URL{Scheme: u.Scheme, Host: u.Host, Path: strings.TrimSuffix(root, "/studies")}}
	switch {
	case !found:
		return p, nil
	case len(parts) == 1:
		p.Study = parts[0]
	case len(parts) == 3 && parts[1] == "series":
		p.Study, p.Series = parts[0], parts[2]
	default:
		return fail("it names neither a study nor a series")
	}
	if !isUID(p.Study) || p.Series != "" && !isUID(p.Series) {
		return fail("its UID is none")
	}
	return p, nil
}

// hide keeps a password out of messages.
func hide(address string) string {
	if u, err := url.Parse(address); err == nil && u.User != nil {
		u.User = nil
		return u.String()
	}
	return address
}

// isUID tells digits and dots (PS3.5 9.1).
func isUID(s string) bool {
	return s != "" && len(s) <= 64 && strings.Trim(s, "0123456789.") == "" && s[0] != '.' && s[len(s)-1] != '.' && !strings.Contains(s, "..")
}

// String gives the address without what a server may have in it beside.
func (p Place) String() string {
	s := p.Root.String()
	if p.Study != "" {
		s += "/studies/" + p.Study
	}
	if p.Series != "" {
		s += "/series/" + p.Series
	}
	return s
}

// Unasked tells how far away a host is without asking anybody: "" where its name would have to be looked up.
func Unasked(host string) Reach {
	if a, err := netip.ParseAddr(host); err == nil {
		return reachOf(a)
	}
	if strings.EqualFold(host, "localhost") {
		return Loopback
	}
	return ""
}

// ReachOf finds how far away a host is: the farthest of the addresses that its name leads to.
func ReachOf(ctx context.Context, host string) (Reach, error) {
	addresses := []netip.Addr{}
	if a, err := netip.ParseAddr(host); err == nil {
		addresses = append(addresses, a)
	} else if addresses, err = net.DefaultResolver.LookupNetIP(ctx, "ip", host); err != nil {
		return "", fault.New(fault.Endpoint, "look up host", host, "%w", err)
	}
	out := Loopback
	for _, a := range addresses {
		switch r := reachOf(a); {
		case r == Public:
			return Public, nil
		case r == Private:
			out = Private
		}
	}
	return out, nil
}

func reachOf(a netip.Addr) Reach {
	switch a = a.Unmap(); {
	case a.IsLoopback():
		return Loopback
	case a.IsPrivate() || a.IsLinkLocalUnicast():
		return Private
	}
	return Public
}

// client gives the HTTP client for one host. Each connection goes to an address of the reach that was agreed to, so that a name that leads
// elsewhere the next time is refused; a redirect stays on the host.
func client(agreed Reach) *http.Client {
	dialer := net.Dialer{Timeout: 10 * time.Second}
	transport := &http.Transport{
		Proxy:                 nil, // a proxy would be another host
		MaxIdleConnsPerHost:   workers,
		ResponseHeaderTimeout: time.Minute,
		TLSHandshakeTimeout:   10 * time.Second,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			c, err := dialer.DialContext(ctx, network, address)
			if err != nil {
				return nil, err
			}
			to, err := netip.ParseAddrPort(c.RemoteAddr().String())
			if err == nil && further(reachOf(to.Addr()), agreed) {
				err = fmt.Errorf("the host leads to %s, a %s address, where a %s one was agreed to", to.Addr(), reachOf(to.Addr()), agreed)
			}
			if err != nil {
				c.Close()
				return nil, err
			}
			return c, nil
		},
	}
	return &http.Client{Transport: transport, CheckRedirect: func(r *http.Request, via []*http.Request) error {
		switch from := via[0].URL; {
		case r.URL.Host != from.Host || from.Scheme == "https" && r.URL.Scheme != "https":
			return fmt.Errorf("the server sends us on to %s; another host is not followed", r.URL.Host)
		case len(via) > 4:
			return fmt.Errorf("the server sends us on more than 4 times")
		}
		return nil
	}}
}

func further(a, b Reach) bool {
	far := map[Reach]int{Loopback: 0, Private: 1, Public: 2}
	return far[a] > far[b]
}
