package rpc

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"
)

// each gives a server that believes this machine's X-Forwarded-For, so that requests come from wherever the test says.
func each(t *testing.T, l ClientLimits) *httptest.Server {
	t.Helper()
	l.Proxies = append(l.Proxies, netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.9.0.0/16"))
	return serve(t, newFake(3), func(c *Config) { c.Limits.Each, c.Limits.RequestsPerSecond = l, 0 })
}

// as asks for a path in the name of a client.
func as(t *testing.T, url string, from ...string) *http.Response {
	t.Helper()
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range from {
		req.Header.Add("X-Forwarded-For", f)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

// One client's rate is its own: an IPv4 address, a network of 64 bits in IPv6, whatever port it comes from. The clock of the test stands still. This machine is
// not counted. Spec: node-rpc-cli §1 (rate limits).
func TestClientRate(t *testing.T) {
	s := each(t, ClientLimits{RequestsPerSecond: 2})
	for i, c := range []struct {
		from []string
		want int
	}{
		{[]string{"203.0.113.1"}, 200},
		{[]string{"203.0.113.1:5000"}, 200},
		{[]string{"203.0.113.1"}, 429},
		{[]string{"203.0.113.2"}, 200},
		{[]string{"2001:db8::1"}, 200},
		{[]string{"[2001:db8::2]:80"}, 200},
		{[]string{"2001:db8::3"}, 429},
		{[]string{"2001:db8:0:1::1"}, 200},
		{[]string{"203.0.113.3, 203.0.113.1"}, 429},            // what the client itself wrote stands before what the proxy saw
		{[]string{"203.0.113.3", "203.0.113.1"}, 429},          // in a line of its own, too
		{[]string{"203.0.113.4, 10.9.0.7"}, 200},               // a proxy behind a proxy
		{[]string{"203.0.113.4, 10.9.0.7, 10.9.1.1:443"}, 200}, // and another
		{[]string{"203.0.113.4, 10.9.0.7"}, 429},
		{nil, 200}, {nil, 200}, {nil, 200}, // this machine
		{[]string{"somebody"}, 200}, {[]string{"somebody"}, 200}, {[]string{"somebody"}, 200},
	} {
		t.Run(fmt.Sprint(i, c.from), func(t *testing.T) {
			if resp := as(t, s.URL+"/height", c.from...); resp.StatusCode != c.want {
				t.Errorf("%s", resp.Status)
			} else if c.want == 429 && resp.Header.Get("Retry-After") != "1" {
				t.Error("nothing says when to come again")
			}
		})
	}
}

// Whoever is no configured proxy says nothing about who it is.
func TestForwardedByNobody(t *testing.T) {
	c := newClients(ClientLimits{Proxies: []netip.Prefix{netip.MustParsePrefix("10.9.0.0/16")}})
	for _, remote := range []string{"203.0.113.9:1", "[2001:db8::1]:1", "nonsense"} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = remote
		r.Header.Set("X-Forwarded-For", "198.51.100.1")
		if got := c.forwarded(r).RemoteAddr; got != remote {
			t.Errorf("%s became %s", remote, got)
		}
	}
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.RemoteAddr = "[::ffff:10.9.1.2]:1"
	r.Header.Set("X-Forwarded-For", "198.51.100.1")
	if got := c.forwarded(r).RemoteAddr; got != "198.51.100.1:0" {
		t.Errorf("a proxy's client is %s", got)
	}
}

// One client has so many streams open and no more; one that ends makes room for another.
func TestClientStreams(t *testing.T) {
	s := each(t, ClientLimits{Streams: 1})
	first := as(t, s.URL+"/stream?cursor=0.0", "203.0.113.1")
	if first.StatusCode != 200 {
		t.Fatal(first.Status)
	}
	if _, err := bufio.NewReader(first.Body).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if resp := as(t, s.URL+"/stream", "203.0.113.1"); resp.StatusCode != 429 {
		t.Errorf("a second stream: %s", resp.Status)
	}
	if resp := as(t, s.URL+"/stream?cursor=0.0", "203.0.113.2"); resp.StatusCode != 200 {
		t.Errorf("another client's: %s", resp.Status)
	}
	_ = first.Body.Close()
	for as(t, s.URL+"/stream?cursor=0.0", "203.0.113.1").StatusCode != 200 { // until the server has found out; the test's own deadline ends it
	}
}

// Leaving twice is leaving once: a request's place is given back once, however its handler ends.
func TestLeavingTwice(t *testing.T) {
	c, now := newClients(ClientLimits{Requests: 2}), time.Unix(0, 0)
	r := httptest.NewRequest(http.MethodGet, "/height", nil)
	r.RemoteAddr = "203.0.113.1:7"
	first, _ := c.request(r, now)
	if _, why := c.request(r, now); why != "" {
		t.Fatal(why)
	}
	first()
	first()
	if _, why := c.request(r, now); why != "" {
		t.Errorf("after one ended: %s", why)
	}
	if leave, why := c.request(r, now); leave != nil || why == "" {
		t.Error("it left twice")
	}
}
