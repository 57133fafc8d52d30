package work

import (
	"compress/gzip"
	"context"
	"crypto/x509"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
)

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}

func fetch(url string) *job.Spec {
	return &job.Spec{Kind: job.HTTP, HTTP: &job.HTTPJob{URL: url, Method: "GET"}}
}

// zeros writes until it is stopped.
func zeros(w io.Writer) {
	block := make([]byte, 64<<10)
	for {
		if _, err := w.Write(block); err != nil {
			return
		}
	}
}

// hostile is a server of what strangers send. It counts what reached it.
func hostile(t *testing.T) (*httptest.Server, *atomic.Int64) {
	count := new(atomic.Int64)
	mux := http.NewServeMux()
	mux.HandleFunc("/plain", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Method", r.Method+" "+r.Header.Get("X-Job"))
		_, _ = io.Copy(w, r.Body)
		fmt.Fprint(w, "hello")
	})
	mux.HandleFunc("/gzip", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		fmt.Fprint(z, "hello")
		_ = z.Close()
	})
	mux.HandleFunc("/large", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(2<<30))
		zeros(w)
	})
	mux.HandleFunc("/endless", func(w http.ResponseWriter, _ *http.Request) { zeros(w) })
	mux.HandleFunc("/bomb", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		zeros(gzip.NewWriter(w))
	})
	mux.HandleFunc("/brotli", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Encoding", "br") })
	mux.HandleFunc("/torn", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "10")
		fmt.Fprint(w, "hello")
	})
	mux.HandleFunc("/loop", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/loop", http.StatusFound) })
	mux.HandleFunc("/once", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/plain", http.StatusFound) })
	mux.HandleFunc("/to", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Query().Get("u"), http.StatusFound)
	})
	mux.HandleFunc("/hang", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/status/", func(w http.ResponseWriter, r *http.Request) {
		var n int
		_, _ = fmt.Sscanf(r.URL.Path, "/status/%d", &n)
		w.WriteHeader(n)
	})
	mux.HandleFunc("/headers", func(w http.ResponseWriter, _ *http.Request) {
		for i := range 1000 {
			w.Header().Set(fmt.Sprintf("X-%d", i), strings.Repeat("x", 200))
		}
	})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		count.Add(1)
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server, count
}

// Answers of all sorts: what is taken, and how each that is not taken is called.
// Spec: runner-marketplace §2.2 (Http), §2.6 (SourceAttestation).
func TestFetch(t *testing.T) {
	server, _ := hostile(t)
	h := &HTTP{Private: loopback}
	for path, kind := range map[string]ErrorKind{
		"/large": TooLarge, "/endless": TooLarge, "/bomb": TooLarge, "/brotli": Permanent, "/torn": Transient, "/loop": Permanent,
		"/status/404": Permanent, "/status/429": Transient, "/status/408": Transient, "/status/503": Transient, "/headers": Transient,
		"/to?u=http://user@127.0.0.1/": Permanent, "/to?u=ftp://127.0.0.1/": Transient,
	} {
		t.Run(path, func(t *testing.T) {
			_, err := h.Do(within(t, time.Minute), fetch(server.URL+path))
			wantKind(t, err, kind)
		})
	}
	t.Run("/hang", func(t *testing.T) {
		_, err := h.Do(within(t, 50*time.Millisecond), fetch(server.URL+"/hang"))
		wantKind(t, err, Transient)
	})
	for _, path := range []string{"/plain", "/gzip", "/once"} {
		t.Run(path, func(t *testing.T) {
			out, err := h.Do(within(t, time.Minute), fetch(server.URL+path))
			if err != nil || string(out.Data) != "hello" {
				t.Fatalf("%q, %v", out.Data, err)
			}
			// Keccak-256 of "hello", as published with many Ethereum libraries.
			const hash = "1c8aff950685c2ed4bc3174f3472287b56d9517b9c948127319a09a7a36deac8"
			if s := out.Source; hex.EncodeToString(s.Response[:]) != hash || s.Status != 200 || s.Certificate != nil || s.FetchedAt == 0 ||
				path == "/once" && s.URL != server.URL+"/plain" {
				t.Errorf("%+v", s)
			}
		})
	}
	t.Run("method, headers and body", func(t *testing.T) {
		spec := fetch(server.URL + "/plain")
		spec.HTTP.Method, spec.HTTP.Body, spec.HTTP.Headers = "POST", []byte("oh "), []job.Pair{{Name: "X-Job", Value: "7"}}
		out, err := h.Do(within(t, time.Minute), spec)
		if err != nil || string(out.Data) != "oh hello" {
			t.Fatalf("%q, %v", out.Data, err)
		}
		found := false
		for _, p := range out.Source.Headers {
			found = found || p == job.Pair{Name: "x-method", Value: "POST 7"}
		}
		if !found {
			t.Errorf("%v", out.Source.Headers)
		}
	})
}

// Limits of bytes and redirects one below, at, and one above.
func TestFetchLimits(t *testing.T) {
	server, _ := hostile(t)
	for most, ok := range map[int64]bool{4: false, 5: true, 6: true} {
		t.Run(fmt.Sprint(most), func(t *testing.T) {
			_, err := (&HTTP{Private: loopback, MaxBytes: most}).Do(within(t, time.Minute), fetch(server.URL+"/plain"))
			if (err == nil) != ok {
				t.Error(err)
			}
		})
	}
	hops := new(atomic.Int64)
	chain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if hops.Add(-1) >= 0 {
			http.Redirect(w, r, "/", http.StatusFound)
		}
	}))
	defer chain.Close()
	for n, ok := range map[int64]bool{2: true, 3: true, 4: false} {
		t.Run(fmt.Sprintf("%d redirects", n), func(t *testing.T) {
			hops.Store(n)
			_, err := (&HTTP{Private: loopback, Redirects: 3}).Do(within(t, time.Minute), fetch(chain.URL))
			if (err == nil) != ok {
				t.Error(err)
			}
		})
	}
}

// What is no public address is not reached, by address, by name or by redirect, and bad addresses are no jobs.
func TestClosedAddresses(t *testing.T) {
	server, count := hostile(t)
	port := server.URL[strings.LastIndexByte(server.URL, ':'):]
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "10.1.2.3", "169.254.169.254", "0.0.0.0", "[fe80::1]",
		"[64:ff9b::7f00:1]",
		"100.100.100.200", "[2002:7f00:1::]", "192.168.0.1", "172.31.255.255", "[fd00::1]", "224.0.0.1", "255.255.255.255"} {
		t.Run(host, func(t *testing.T) {
			_, err := (&HTTP{}).Do(within(t, 10*time.Second), fetch("http://"+host+port+"/plain"))
			wantKind(t, err, Permanent)
		})
	}
	for _, url := range []string{"file:///etc/passwd", "http://", "gopher://x/", "http://a:b@example.org/", "%"} {
		t.Run(url, func(t *testing.T) {
			_, err := (&HTTP{}).Do(within(t, 10*time.Second), fetch(url))
			wantKind(t, err, Permanent)
		})
	}
	spec := fetch("http://example.org/")
	spec.HTTP.Headers = []job.Pair{{Name: "host", Value: "127.0.0.1"}}
	_, err := (&HTTP{}).Do(within(t, 10*time.Second), spec)
	wantKind(t, err, Permanent)
	if count.Load() != 0 {
		t.Errorf("%d requests arrived", count.Load())
	}
	d := &dialer{}
	for text, open := range map[string]bool{"172.15.255.255": true, "172.16.0.0": false, "172.31.255.255": false, "172.32.0.0": true, "9.255.255.255": true,
		"11.0.0.0": true, "100.63.255.255": true, "100.64.0.0": false, "100.128.0.0": true, "2606:4700::1111": true, "fbff::1": true, "fc00::": false} {
		t.Run(text, func(t *testing.T) {
			if d.open(netip.MustParseAddr(text)) != open {
				t.Error("it is not as it should be")
			}
		})
	}
}

// rebinding answers with an address that is open once, and then with one that is not.
type rebinding struct{ asked atomic.Int64 }

func (r *rebinding) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	if r.asked.Add(1) == 1 {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}
	return []netip.Addr{netip.MustParseAddr("127.0.0.2")}, nil
}

// A name that changes its address leads nowhere that is not open: each connection resolves once, and dials what it checked.
func TestRebinding(t *testing.T) {
	server, count := hostile(t)
	port := server.URL[strings.LastIndexByte(server.URL, ':'):]
	resolver := &rebinding{}
	h := &HTTP{Private: loopback, Resolver: resolver}
	out, err := h.Do(within(t, time.Minute), fetch("http://rebind.example"+port+"/plain"))
	if err != nil || string(out.Data) != "hello" || resolver.asked.Load() != 1 {
		t.Fatalf("%q, %v after %d questions", out.Data, err, resolver.asked.Load())
	}
	resolver.asked.Store(0)
	_, err = h.Do(within(t, time.Minute), fetch("http://rebind.example"+port+"/once"))
	if wantKind(t, err, Permanent); count.Load() != 2 {
		t.Errorf("%d requests arrived", count.Load())
	}
}

// Over TLS the result names the certificate; another's certificate is no result, and nothing leads out of TLS.
func TestFetchTLS(t *testing.T) {
	plain, count := hostile(t)
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/out" {
			http.Redirect(w, r, plain.URL+"/plain", http.StatusFound)
			return
		}
		fmt.Fprint(w, "hello")
	}))
	defer server.Close()
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	h := &HTTP{Private: loopback, Roots: roots}
	out, err := h.Do(within(t, time.Minute), fetch(server.URL))
	if err != nil || out.Source.Certificate == nil || *out.Source.Certificate != digest.SHA256(server.Certificate().Raw) {
		t.Fatalf("%+v, %v", out.Source, err)
	}
	_, err = h.Do(within(t, time.Minute), fetch(server.URL+"/out"))
	if wantKind(t, err, Permanent); count.Load() != 0 {
		t.Error("it left TLS")
	}
	_, err = (&HTTP{Private: loopback}).Do(within(t, time.Minute), fetch(server.URL))
	wantKind(t, err, Permanent)
}
