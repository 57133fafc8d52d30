package rpc

import (
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/cowboyinc/cowboy-go/net/door"
)

// ClientLimits bound what one client may ask for: an IPv4 address, or a network of 64 bits in IPv6. Clients on the node's own machine are not bounded. The zero
// value bounds nobody.
type ClientLimits struct {
	RequestsPerSecond int // 0 = no limit
	Requests          int // that are answered at the same time; 0 = no limit
	Streams           int // open event streams; 0 = no limit
	// Proxies are the networks whose X-Forwarded-For tells the client. Nobody else's is read.
	Proxies []netip.Prefix
}

// DefaultClientLimits leave what all clients together may ask for to several of them.
func DefaultClientLimits() ClientLimits {
	return ClientLimits{RequestsPerSecond: 50, Requests: 32, Streams: 100}
}

// forwardsMost bounds the addresses of a header that are looked at, from its end.
const forwardsMost = 16

// clients counts what each client asks for.
type clients struct {
	limits ClientLimits

	mu       sync.Mutex
	underway *underway
}

func newClients(limits ClientLimits) *clients {
	return &clients{limits: limits, underway: newUnderway(limits)}
}

// forwarded gives the request as the client's that a trusted proxy sent it for: the last address of X-Forwarded-For that is no trusted proxy itself.
func (c *clients) forwarded(r *http.Request) *http.Request {
	remote, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || len(c.limits.Proxies) == 0 || !c.trusted(remote.Addr()) {
		return r
	}
	list := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	from := remote.Addr()
	for i := len(list) - 1; i >= max(0, len(list)-forwardsMost) && c.trusted(from); i-- {
		next, ok := forwardedAddress(strings.TrimSpace(list[i]))
		if !ok {
			break
		}
		from = next
	}
	out := *r
	out.RemoteAddr = netip.AddrPortFrom(from, 0).String()
	return &out
}

// forwardedAddress reads an address as proxies write it, with or without a port.
func forwardedAddress(text string) (netip.Addr, bool) {
	if at, err := netip.ParseAddrPort(text); err == nil {
		return at.Addr(), true
	}
	a, err := netip.ParseAddr(strings.Trim(text, "[]"))
	return a, err == nil
}

func (c *clients) trusted(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	for _, p := range c.limits.Proxies {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// request counts a request; leave ends it. A request that is refused has why.
func (c *clients) request(r *http.Request, now time.Time) (leave func(), why string) {
	kind := plainRequest
	if follows(r) {
		kind = followRequest
	}
	return c.enter(r, kind, now)
}

// stream counts an open event stream, as request does.
func (c *clients) stream(r *http.Request, now time.Time) (leave func(), why string) {
	return c.enter(r, openStream, now)
}

func (c *clients) enter(r *http.Request, kind asking, now time.Time) (leave func(), why string) {
	from := door.SourceAt(r.RemoteAddr)
	if from.IsLoopback() {
		return func() {}, ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	count, why := c.underway.enter(from, kind, now)
	if why != "" {
		return nil, why
	}
	return sync.OnceFunc(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		count.leave()
	}), ""
}
