package operate

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quic-go/quic-go/http3"
	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/actors/gateway"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/wallet"
	"github.com/cowboyinc/cowboy-go/net/door"
)

// One port answers over HTTP/1.1, HTTP/2 and HTTP/3 with the development authority's certificate, and says so to who came over TCP.
//
// Spec: gateway-payments-streams §B.
func TestVersionsOfHTTP(t *testing.T) {
	o := &Options{HTTPS: "127.0.0.1:0", Dir: t.TempDir()}
	serves := func(_ context.Context, host string) error {
		if host != "shop.cow" {
			return errors.New("nobody's")
		}
		return nil
	}
	says := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Proto) })
	l, err := o.listen(says, serves, door.ConnectionLimits{}, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	l.serve(func(err error) { t.Error(err) })
	defer func() {
		if err := l.close(); err != nil {
			t.Error(err)
		}
	}()
	text, err := os.ReadFile(filepath.Join(o.Dir, gateway.AuthorityFile))
	roots := x509.NewCertPool()
	if err != nil || !roots.AppendCertsFromPEM(text) {
		t.Fatal(err)
	}
	config := func() *tls.Config { return &tls.Config{RootCAs: roots, ServerName: "shop.cow"} }
	third := &http3.Transport{TLSClientConfig: config()}
	defer third.Close()
	first := &http.Transport{TLSClientConfig: config()}
	defer first.CloseIdleConnections()
	second := &http.Transport{TLSClientConfig: config(), ForceAttemptHTTP2: true}
	defer second.CloseIdleConnections()
	for want, transport := range map[string]http.RoundTripper{"HTTP/1.1": first, "HTTP/2.0": second, "HTTP/3.0": third} {
		t.Run(want, func(t *testing.T) {
			x, err := (&http.Client{Transport: transport}).Get(l.addresses[0])
			if err != nil {
				t.Fatal(err)
			}
			defer x.Body.Close()
			body, err := io.ReadAll(x.Body)
			if err != nil || string(body) != want || want != "HTTP/3.0" && !strings.Contains(x.Header.Get("Alt-Svc"), "h3=") {
				t.Errorf("%q %v %v", body, x.Header, err)
			}
		})
	}
}

// A host that nobody has is refused in the handshake, by each version.
//
// Spec: gateway-payments-streams §B.
func TestHostsOfNobody(t *testing.T) {
	o := &Options{HTTPS: "127.0.0.1:0", Dir: t.TempDir()}
	no := func(context.Context, string) error { return errors.New("nobody's") }
	l, err := o.listen(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was asked") }), no, door.ConnectionLimits{}, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	l.serve(func(err error) { t.Error(err) })
	defer func() {
		if err := l.close(); err != nil {
			t.Error(err)
		}
	}()
	config := &tls.Config{InsecureSkipVerify: true, ServerName: "shop.cow"} //nolint:gosec // whoever answers is wrong
	third := &http3.Transport{TLSClientConfig: config.Clone()}
	defer third.Close()
	second := &http.Transport{TLSClientConfig: config, ForceAttemptHTTP2: true}
	for name, transport := range map[string]http.RoundTripper{"over TCP": second, "over QUIC": third} {
		t.Run(name, func(t *testing.T) {
			x, err := (&http.Client{Transport: transport}).Get(l.addresses[0])
			if err == nil {
				_ = x.Body.Close()
				t.Error("it was answered")
			}
		})
	}
}

// What is wrong on the command line ends with 2, what is wrong otherwise with 1.
func TestUsage(t *testing.T) {
	key := filepath.Join(t.TempDir(), "key")
	if err := (wallet.Key{31: 1}).Save(key, false); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args []string
		code int
		says string
	}{
		"no key":        {[]string{"serve"}, 2, "private-key"},
		"a missing key": {[]string{"serve", "--private-key", "missing.pem"}, 1, "missing.pem"},
		"nowhere":       {[]string{"serve", "--private-key", "missing.pem", "--https", ""}, 2, "--http"},
		"two sources": {[]string{"serve", "--private-key", key, "--https", "127.0.0.1:0", "--acme", "https://127.0.0.1:1/dir", "--tls-cert", "x"}, 2,
			"--acme"},
		"no roots": {[]string{"serve", "--private-key", key, "--https", "127.0.0.1:0", "--acme", "https://127.0.0.1:1/dir", "--acme-ca", key}, 1,
			"holds no certificate"},
		"a file of none": {[]string{"serve", "--private-key", "missing.pem", "--static-mib", "0"}, 2, "from 1 to 100 MiB"},
		"of 100 MiB":     {[]string{"serve", "--private-key", "missing.pem", "--static-mib", "100"}, 1, "missing.pem"},
		"of 101 MiB":     {[]string{"serve", "--private-key", "missing.pem", "--static-mib", "101"}, 2, "from 1 to 100 MiB"},
		"no cache":       {[]string{"serve", "--private-key", "missing.pem", "--cache-gib", "0"}, 2, "at least 1 GiB"},
		"a cache of 1":   {[]string{"serve", "--private-key", "missing.pem", "--cache-gib", "1"}, 1, "missing.pem"},
		"another word":   {[]string{"fly"}, 2, "fly"},
		"its version":    {[]string{"version"}, 0, ""},
		"a wrong length": {[]string{"serve", "--private-key", "k", "--heartbeat", "soon"}, 2, "heartbeat"},
	} {
		t.Run(name, func(t *testing.T) {
			var out, failed bytes.Buffer
			if c.args[0] == "serve" {
				c.args = append(c.args, "--data-dir", t.TempDir())
			}
			if code := Main(c.args, &out, &failed); code != c.code || !strings.Contains(failed.String(), c.says) {
				t.Errorf("%d %q, want %d", code, failed.String(), c.code)
			}
		})
	}
}

// TestFilesAreFetchedWithinBounds: another relay is asked after 100 ms, and for eight chunks of a file at a time.
//
// Spec: gateway-payments-streams §B (hedge fetch 100 ms, 8 concurrent shards).
func TestFilesAreFetchedWithinBounds(t *testing.T) {
	f, err := openFiles(nil, t.TempDir(), 1<<20, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	if f.client.Late != 100*time.Millisecond || f.client.Chunks != 8 {
		t.Errorf("another relay after %v, %d chunks at a time", f.client.Late, f.client.Chunks)
	}
}
