package operate

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/actors/gateway"
	"github.com/cowboyinc/cowboy-go/net/door"
)

// flooded is a gateway's port over HTTP/3, with a handler that counts how many requests it has at a time.
type flooded struct {
	address string
	config  *tls.Config
	open    atomic.Int64
	most    atomic.Int64
	asked   atomic.Int64
}

func newFlooded(t *testing.T) *flooded {
	t.Helper()
	f := &flooded{}
	o := &Options{HTTPS: "127.0.0.1:0", Dir: t.TempDir()}
	l, err := o.listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.asked.Add(1)
		for n := f.open.Add(1); ; {
			if most := f.most.Load(); n <= most || f.most.CompareAndSwap(most, n) {
				break
			}
		}
		defer f.open.Add(-1)
		if r.URL.Path == "/wait" {
			<-r.Context().Done()
			return
		}
		fmt.Fprint(w, "served")
	}), func(context.Context, string) error { return nil }, door.ConnectionLimits{}, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	l.serve(func(err error) { t.Error(err) })
	t.Cleanup(func() {
		if err := l.close(); err != nil {
			t.Error(err)
		}
	})
	text, err := os.ReadFile(filepath.Join(o.Dir, gateway.AuthorityFile))
	roots := x509.NewCertPool()
	if err != nil || !roots.AppendCertsFromPEM(text) {
		t.Fatal(err)
	}
	f.address, f.config = strings.TrimPrefix(l.addresses[0], "https://"), &tls.Config{RootCAs: roots, ServerName: "shop.cow", NextProtos: []string{"h3"}}
	return f
}

// dial opens a connection of its own.
func (f *flooded) dial(t *testing.T) *quic.Conn {
	t.Helper()
	conn, err := quic.DialAddr(t.Context(), f.address, f.config.Clone(), &quic.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseWithError(0, "") })
	return conn
}

// serves asks as anybody does.
func (f *flooded) serves(t *testing.T, what string) {
	t.Helper()
	third := &http3.Transport{TLSClientConfig: f.config.Clone()}
	defer third.Close()
	x, err := (&http.Client{Transport: third}).Get("https://" + f.address + "/")
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	defer x.Body.Close()
	if body, err := io.ReadAll(x.Body); err != nil || string(body) != "served" {
		t.Errorf("%s: %q %v", what, body, err)
	}
}

// Whatever one connection does, it has no more than 100 requests at a time, and others are served: requests that are reset at once, that are never ended, with
// headers beyond their bound, streams with garbage, frames that promise more than comes, streams of unknown kinds, and a settings frame that comes twice.
//
// Spec: gateway-payments-streams §B; RFC 9114 §10.5.
func TestFloodsOverHTTP3(t *testing.T) {
	ask := func(t *testing.T, f *flooded, path string) *http.Request {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+f.address+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for name, flood := range map[string]func(t *testing.T, f *flooded){
		"resets": func(t *testing.T, f *flooded) {
			c := (&http3.Transport{}).NewClientConn(f.dial(t))
			for range 2_000 {
				s, err := c.OpenRequestStream(t.Context())
				if err != nil {
					return // the gateway has had enough
				}
				_ = s.SendRequestHeader(ask(t, f, "/"))
				s.CancelWrite(0x10c)
				s.CancelRead(0x10c)
			}
		},
		"requests that never end": func(t *testing.T, f *flooded) {
			conn := f.dial(t)
			c := (&http3.Transport{}).NewClientConn(conn)
			for range 100 {
				s, err := c.OpenRequestStream(t.Context())
				if err == nil {
					err = s.SendRequestHeader(ask(t, f, "/wait"))
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if s, err := conn.OpenStream(); err == nil { // which does not wait
				t.Errorf("stream %d beyond the bound", s.StreamID())
			}
		},
		"large headers": func(t *testing.T, f *flooded) {
			rest := 5 * 32 // a field takes its name, its value and 32 bytes (RFC 9114 §4.2.2)
			for _, text := range []string{":method", "GET", ":scheme", "https", ":authority", f.address, ":path", "/", "x-large"} {
				rest += len(text)
			}
			for i, size := range []int{32<<10 - 1, 32 << 10, 32<<10 + 1} {
				c := (&http3.Transport{DisableCompression: true}).NewClientConn(f.dial(t))
				r := ask(t, f, "/")
				r.Header.Set("User-Agent", "") // none
				r.Header.Set("X-Large", strings.Repeat("x", size-rest))
				status := 0
				if x, err := c.RoundTrip(r); err == nil {
					_ = x.Body.Close()
					status = x.StatusCode
				}
				if served := status == http.StatusOK; served != (i < 2) || f.asked.Load() != int64(min(i+1, 2)) {
					t.Errorf("%d bytes of headers: %d, %d requests", size, status, f.asked.Load())
				}
			}
		},
		"garbage": func(t *testing.T, f *flooded) {
			for _, bytes := range []string{
				strings.Repeat("\xff", 1_000), "\x01\xff\xff\xff\xff\xff\xff\xff\xff", "\x01\x80\x01\x00\x00", "\x00\x04abcd", "\x21\x40\x00", "",
			} {
				conn := f.dial(t)
				s, err := conn.OpenStreamSync(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				_, _ = s.Write([]byte(bytes))
				_ = s.Close()
				u, err := conn.OpenUniStreamSync(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				_, _ = u.Write([]byte("\x00\x04\x00\x04\x00" + bytes)) // settings, and settings again
			}
			if f.asked.Load() != 0 {
				t.Error("it reached the handler")
			}
		},
		"many connections": func(t *testing.T, f *flooded) {
			for range 100 {
				conn := f.dial(t)
				s, err := conn.OpenStreamSync(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				_, _ = s.Write([]byte{0x01}) // a frame of headers begins
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFlooded(t)
			flood(t, f)
			f.serves(t, name)
			if most := f.most.Load(); most > 101 {
				t.Errorf("%d at a time", most)
			}
		})
	}
}
