package work

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"time"
)

// Resolver finds the addresses of a name. *net.Resolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// closed are the ranges that are no public unicast addresses of one host: those of RFC 6890 and its successors, with what embeds IPv4.
var closed = func() (list []netip.Prefix) {
	for _, text := range []string{
		"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24",
		"192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
		"::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10",
		"fec0::/10", "ff00::/8",
	} {
		list = append(list, netip.MustParsePrefix(text))
	}
	return list
}()

// dialer connects to addresses that strangers name.
type dialer struct {
	resolver Resolver
	allowed  []netip.Prefix // though they are closed
}

func (d *dialer) open(addr netip.Addr) bool {
	addr = addr.Unmap().WithZone("")
	for _, p := range d.allowed {
		if p.Contains(addr) {
			return true
		}
	}
	for _, p := range closed {
		if p.Contains(addr) {
			return false
		}
	}
	return addr.IsValid()
}

// Public is a way to servers that others name: it connects to public addresses, and to those of the ranges that are allowed besides.
func Public(allowed []netip.Prefix) *http.Transport {
	d := &dialer{net.DefaultResolver, allowed}
	return &http.Transport{
		DialContext: d.dial, ForceAttemptHTTP2: true, TLSHandshakeTimeout: 10 * time.Second, ResponseHeaderTimeout: time.Minute, IdleConnTimeout: time.Minute,
		MaxResponseHeaderBytes: mostHeaderBytes, MaxConnsPerHost: 8,
	}
}

// dial resolves a name and connects to the first address that is open. What it checked is what it dials. A job that leads to closed addresses fails for good,
// and the runner says so on the chain: were it silent, whoever posts such jobs would lower the reputation of every runner.
func (d *dialer) dial(ctx context.Context, network, at string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(at)
	if err != nil {
		return nil, err
	}
	list := []netip.Addr{}
	if literal, err := netip.ParseAddr(host); err == nil {
		list = append(list, literal)
	} else if list, err = d.resolver.LookupNetIP(ctx, "ip", host); err != nil {
		return nil, err
	}
	last := fail(Permanent, "%s has no public address", host)
	for _, addr := range list {
		if !d.open(addr) {
			continue
		}
		c, err := (&net.Dialer{Timeout: 10 * time.Second}).DialContext(ctx, network, net.JoinHostPort(addr.Unmap().String(), port))
		if err == nil {
			return c, nil
		}
		last = err
	}
	return nil, last
}
