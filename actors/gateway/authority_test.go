package gateway

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// A client that trusts the authority, and nothing else, is served over HTTP/2 and HTTP/1.1 for names of the network, and for no others.
//
// Spec: gateway-payments-streams §B.
func TestAuthority(t *testing.T) {
	dir := t.TempDir()
	first, err := OpenAuthority(dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	again, err := OpenAuthority(dir, time.Now)
	if err != nil || !again.certificate.Equal(first.certificate) {
		t.Fatalf("another authority in the same directory: %v", err)
	}
	if info, err := os.Stat(filepath.Join(dir, "authority-key.pem")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key: %v %v", info, err)
	}
	text, err := os.ReadFile(filepath.Join(dir, AuthorityFile))
	roots := x509.NewCertPool()
	if err != nil || !roots.AppendCertsFromPEM(text) {
		t.Fatal(err)
	}
	w := newWorld()
	w.query = answered(cbor.Pair{Key: "status", Value: 200}, cbor.Pair{Key: "body", Value: "hello"})
	d := NewDoor(Door{Node: w, Handle: NewHandle(), Address: self, Clock: supervision.RealClock{}})
	server := httptest.NewUnstartedServer(d)
	server.Config = NewServer(d, nil, nil)
	server.Config.Protocols.SetHTTP2(true)
	server.EnableHTTP2 = true
	server.TLS = &tls.Config{GetCertificate: again.Certificate}
	server.StartTLS()
	server.TLS.Certificates = nil
	defer server.Close()
	for name, c := range map[string]struct {
		serve, host string
		http2       bool
		status      int // 0: no connection
	}{
		"HTTP/2":                   {host, host, true, 200},
		"HTTP/1.1":                 {host, host, false, 200},
		"a name of a top level":    {"shop.cow", "shop.cow", true, 404},
		"a host outside":           {"example.org", "example.org", true, 0},
		"the network itself":       {"cowboy.network", "cowboy.network", true, 0},
		"another host's answer":    {host, "mute.cowboy.network", true, 421},
		"another host's, by HTTP1": {host, "mute.cowboy.network", false, 421},
	} {
		t.Run(name, func(t *testing.T) {
			transport := &http.Transport{
				TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: c.serve}, ForceAttemptHTTP2: c.http2,
				DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
					return (&net.Dialer{}).DialContext(ctx, "tcp", server.Listener.Addr().String())
				},
			}
			defer transport.CloseIdleConnections()
			r, err := http.NewRequest("GET", "https://"+c.host+"/", http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			x, err := transport.RoundTrip(r)
			if err != nil {
				if c.status != 0 {
					t.Fatal(err)
				}
				return
			}
			defer x.Body.Close()
			if _, err := io.Copy(io.Discard, x.Body); err != nil {
				t.Error(err)
			}
			if x.StatusCode != c.status || (x.ProtoMajor == 2) != c.http2 {
				t.Errorf("%s %d, want %d", x.Proto, x.StatusCode, c.status)
			}
		})
	}
}

// An authority lasts ten years of 365 days and a certificate 30 days, of which it is served for 20; those of the newest 1,024 hosts are kept.
func TestTimesOfCertificates(t *testing.T) {
	start := time.Unix(1_800_000_000, 0)
	now := start
	a, err := OpenAuthority(t.TempDir(), func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	if want := start.Add(3_650 * 24 * time.Hour); !a.certificate.NotAfter.Equal(want) {
		t.Errorf("the authority lasts until %v, want %v", a.certificate.NotAfter, want)
	}
	certificate := func(n int) *tls.Certificate {
		c, err := a.Certificate(&tls.ClientHelloInfo{ServerName: fmt.Sprintf("shop-%d.cow", n)})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	first := certificate(0)
	if want := start.Add(30 * 24 * time.Hour); !first.Leaf.NotAfter.Equal(want) {
		t.Errorf("a certificate lasts until %v, want %v", first.Leaf.NotAfter, want)
	}
	now = start.Add(20*24*time.Hour - time.Nanosecond)
	early := certificate(0)
	now = start.Add(20 * 24 * time.Hour)
	if late := certificate(0); early != first || late == first {
		t.Errorf("the same before 20 days: %v, and then: %v", early == first, late == first)
	}
	var kept [1_024]*tls.Certificate
	for n := range kept {
		kept[n] = certificate(n)
	}
	same := certificate(0) == kept[0]
	certificate(1_024)
	if third, second := certificate(2), certificate(1); !same || third != kept[2] || second == kept[1] {
		t.Errorf("the first of 1,024 is kept: %v; the third and the second of 1,025: %v %v", same, third == kept[2], second == kept[1])
	}
}

// A heartbeat is sent when the sender starts and again after every interval, and none where the interval is 0.
//
// Spec: gateway-payments-streams §B (heartbeat).
func TestHeartbeats(t *testing.T) {
	clock := supervision.NewVirtualClock(time.Unix(0, 0))
	beats := make(chan error, 8)
	handle := NewHandle()
	tree, err := supervision.New(Tree(func() *Sender {
		return &Sender{Handle: handle, Node: newWorld(), Every: time.Minute, Clock: clock, Observe: func(_ string, err error) { beats <- err }}
	}), supervision.Config{})
	if err != nil {
		t.Fatal(err)
	}
	tree.Spawn()
	for range 3 {
		if err := <-beats; err != nil {
			t.Error(err)
		}
		clock.Advance(time.Minute)
	}
	<-beats
	if err := tree.Stop(context.Background()); err != nil {
		t.Error(err)
	}
}

// After a heartbeat that failed the next one comes five seconds later, or when it would have come anyway.
//
// Spec: gateway-payments-streams §B (heartbeat).
func TestHeartbeatsThatFail(t *testing.T) {
	for every, next := range map[time.Duration]time.Duration{time.Minute: 5 * time.Second, 4 * time.Second: 4 * time.Second} {
		t.Run(every.String(), func(t *testing.T) {
			start := time.Unix(0, 0)
			clock := supervision.NewVirtualClock(start)
			w := newWorld()
			w.down = errors.New("down")
			s := &Sender{Handle: NewHandle(), Node: w, Every: every, Clock: clock}
			s.beat()
			if !clock.Next() || clock.Now().Sub(start) != next {
				t.Errorf("after %v, want %v", clock.Now().Sub(start), next)
			}
		})
	}
}
