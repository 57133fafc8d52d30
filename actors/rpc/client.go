package rpc

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
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

const (
	// clientsMost bounds the clients that are told apart; those beyond share what one of them may ask for.
	clientsMost = 4_096
	// sweepEvery is how often those are forgotten that ask for nothing.
	sweepEvery = time.Second
	// forwardsMost bounds the addresses of a header that are looked at, from its end.
	forwardsMost = 16
)

// clients counts what each client asks for.
type clients struct {
	limits ClientLimits

	mu    sync.Mutex
	of    map[netip.Addr]*client
	swept time.Time
}

// client is what one asks for. rate is nil where there is no limit.
type client struct {
	rate              *rate.Limiter
	requests, streams int
}

func newClients(limits ClientLimits) *clients {
	return &clients{limits: limits, of: map[netip.Addr]*client{}}
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
	return c.enter(r, now, func(x *client) (*int, int, string) {
		if x.rate != nil && !x.rate.AllowN(now, 1) {
			return nil, 0, fmt.Sprintf("one address may ask %d times a second", c.limits.RequestsPerSecond)
		}
		if follows(r) {
			return nil, 0, "" // its place is a stream's
		}
		return &x.requests, c.limits.Requests, fmt.Sprintf("%d requests of one address are answered at the same time", c.limits.Requests)
	})
}

// stream counts an open event stream, as request does.
func (c *clients) stream(r *http.Request, now time.Time) (leave func(), why string) {
	return c.enter(r, now, func(x *client) (*int, int, string) {
		return &x.streams, c.limits.Streams, fmt.Sprintf("one address may have %d event streams open", c.limits.Streams)
	})
}

// enter takes one more of what take names, up to a limit.
func (c *clients) enter(r *http.Request, now time.Time, take func(*client) (count *int, most int, why string)) (leave func(), why string) {
	from := clientAt(r.RemoteAddr)
	if from.IsLoopback() {
		return func() {}, ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	x := c.find(from, now)
	count, most, why := take(x)
	if count == nil || most == 0 {
		if count == nil {
			return func() {}, why
		}
		return func() {}, ""
	}
	if *count >= most {
		return nil, why
	}
	*count++
	return sync.OnceFunc(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		*count--
	}), ""
}

// find gives the count of a client; one that comes when there are too many shares that of others.
func (c *clients) find(from netip.Addr, now time.Time) *client {
	if x := c.of[from]; x != nil {
		return x
	}
	if len(c.of) >= clientsMost && now.Sub(c.swept) >= sweepEvery {
		c.swept = now
		for a, x := range c.of { // order-free: each is judged for itself
			if x.requests == 0 && x.streams == 0 && (x.rate == nil || x.rate.TokensAt(now) >= float64(x.rate.Burst())) {
				delete(c.of, a)
			}
		}
	}
	if len(c.of) >= clientsMost {
		from = netip.Addr{}
		if x := c.of[from]; x != nil {
			return x
		}
	}
	x := &client{}
	if n := c.limits.RequestsPerSecond; n > 0 {
		x.rate = newLimiter(n, time.Second)
	}
	c.of[from] = x
	return x
}
