package gateway

import (
	"context"
	"crypto/tls"
	"crypto/x509"
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
