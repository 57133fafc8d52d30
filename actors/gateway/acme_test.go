package gateway

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/letsencrypt/pebble/v2/ca"
	"github.com/letsencrypt/pebble/v2/db"
	"github.com/letsencrypt/pebble/v2/va"
	"github.com/letsencrypt/pebble/v2/wfe"
	"github.com/miekg/dns"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// resolver answers every question for an address with this machine's own.
func resolver(t *testing.T) string {
	t.Helper()
	socket, err := net.Listen("tcp", "127.0.0.1:0") // as the authority asks
	if err != nil {
		t.Fatal(err)
	}
	s := &dns.Server{Listener: socket, Handler: dns.HandlerFunc(func(w dns.ResponseWriter, q *dns.Msg) {
		m := new(dns.Msg).SetReply(q)
		if q.Question[0].Qtype == dns.TypeA {
			header := dns.RR_Header{Name: q.Question[0].Name, Rrtype: dns.TypeA, Class: dns.ClassINET, Ttl: 1}
			m.Answer = append(m.Answer, &dns.A{Hdr: header, A: net.IPv4(127, 0, 0, 1)})
		}
		_ = w.WriteMsg(m)
	})}
	ended := make(chan error, 1)
	up := make(chan struct{})
	s.NotifyStartedFunc = func() { close(up) }
	go func() { ended <- s.ActivateAndServe() }()
	<-up
	t.Cleanup(func() {
		if err := errors.Join(s.Shutdown(), <-ended); err != nil {
			t.Error(err)
		}
	})
	return socket.Addr().String()
}

// authority is the test authority of Let's Encrypt's authors, which proves hosts at a port of this machine. It gives the server and what its certificates are
// checked against.
func authority(t *testing.T, port int) (*httptest.Server, *x509.CertPool) {
	t.Helper()
	t.Setenv("PEBBLE_VA_NOSLEEP", "1")
	t.Setenv("PEBBLE_WFE_NONCEREJECT", "0")
	t.Setenv("PEBBLE_AUTHZREUSE", "0")
	quiet := log.New(io.Discard, "", 0)
	store := db.NewMemoryStore()
	signer := ca.New(quiet, store, "", "ecdsa", 0, 1, map[string]ca.Profile{"default": {Description: "default"}})
	prover := va.New(quiet, 1, port, false, resolver(t), store)
	front := wfe.New(quiet, store, prover, signer, nil, false, false, 1, 1)
	server := httptest.NewTLSServer(front.Handler())
	t.Cleanup(server.Close)
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(signer.GetRootCert(0).PEM()) {
		t.Fatal("no root")
	}
	return server, roots
}

// An authority that speaks ACME signs for a name when its first client comes, and again while it lasts; the chain says who may have a certificate, and whoever
// may not is refused before anybody is asked for one. A gateway that starts again has what was signed.
//
// Spec: gateway-payments-streams §B; RFC 8555 §7; RFC 8737 §3.
func TestACME(t *testing.T) {
	socket, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := socket.Addr().(*net.TCPAddr).Port
	server, roots := authority(t, port)
	trusted := x509.NewCertPool()
	trusted.AddCert(server.Certificate())
	w := newWorld()
	w.names["other.cow"] = wire.Name{FQDN: "other.cow", Actor: page.String(), Status: "active", HTTP: w.names[host].HTTP}
	var mu sync.Mutex
	var told []string
	door := NewDoor(Door{Node: w, Clock: supervision.RealClock{}})
	terms := ACME{
		Directory: server.URL + "/dir", Roots: trusted, Dir: t.TempDir(), Host: "127.0.0.1", Port: port, Serves: door.Serves,
		Observe: func(what, host string, err error) {
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				host += " " + err.Error()
			}
			told = append(told, what+" "+host)
		},
	}
	serve := func(socket net.Listener, terms ACME) func() {
		c := NewCertificates(terms)
		s := NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {}), c.TLS(), log.New(io.Discard, "", 0))
		go func() { _ = s.ServeTLS(socket, "", "") }()
		return func() {
			_ = s.Close()
			c.Close()
		}
	}
	hello := func(host string) (*x509.Certificate, error) {
		dialer := &tls.Dialer{Config: &tls.Config{ServerName: host, RootCAs: roots}}
		conn, err := dialer.DialContext(t.Context(), "tcp", socket.Addr().String())
		if err != nil {
			return nil, err
		}
		defer conn.Close()
		return conn.(*tls.Conn).ConnectionState().PeerCertificates[0], nil
	}
	end := serve(socket, terms)
	first, err := hello(host)
	if err != nil {
		t.Fatal(err, told)
	}
	again, err := hello(strings.ToUpper(host))
	if err != nil || !bytes.Equal(again.Raw, first.Raw) {
		t.Errorf("the second client: %v", err)
	}
	if second, err := hello("other.cow"); err != nil || second.DNSNames[0] != "other.cow" {
		t.Errorf("another name: %v", err)
	}
	for _, no := range []string{"nobody.cowboy.network", "late.cowboy.network", "mute.cowboy.network", "example.com", ""} {
		if _, err := hello(no); err == nil {
			t.Errorf("%q has a certificate", no)
		}
	}
	mu.Lock()
	if want := "certificate " + host + ", certificate other.cow"; strings.Join(told, ", ") != want {
		t.Errorf("%q, want %q", told, want)
	}
	told = nil
	mu.Unlock()
	end()

	// Again, over the same directory: what was signed is there, and is renewed, since all of its life is said to be its last part.
	if socket, err = net.Listen("tcp", socket.Addr().String()); err != nil {
		t.Fatal(err)
	}
	terms.Renew = 1
	defer serve(socket, terms)()
	for {
		now, err := hello(host)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(now.Raw, first.Raw) {
			break // or the test ends by its own time
		}
	}
}

// Nothing is asked of whoever signs before the chain has said yes.
//
// Spec: gateway-payments-streams §A.3, §B.
func TestGate(t *testing.T) {
	for name, c := range map[string]struct {
		host, local string
		passes      bool
		asked       int
	}{
		"a name":             {host, "", true, 1},
		"in capitals":        {strings.ToUpper(host), "", true, 1},
		"nobody's":           {"nobody.cow", "", false, 1},
		"a stranger's":       {"example.com", "", false, 1}, // a domain outside of the network may be attached
		"none at all":        {"example", "", false, 0},
		"no host":            {"", "", false, 0},
		"this machine":       {"localhost", "localhost", true, 0},
		"no host, at home":   {"", "localhost", true, 0},
		"elsewhere":          {"localhost", "", false, 0},
		"a long host":        {strings.Repeat("a", 300) + ".cow", "", false, 0},
		"a name with a path": {host + "/x", "", false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			asked, signed := 0, 0
			get := Gate(func(_ context.Context, h string) error {
				if asked++; h != host {
					return errNoName
				}
				return nil
			}, c.local, func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
				signed++
				return nil, nil
			})
			if _, err := get(&tls.ClientHelloInfo{ServerName: c.host}); (err == nil) != c.passes || asked != c.asked || (signed == 1) != c.passes {
				t.Errorf("%v, asked %d, signed %d", err, asked, signed)
			}
		})
	}
}
