package rpc

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io/fs"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// certify writes a certificate of a name for this machine, and its key.
func certify(t testing.TB, dir, name string, until time.Time) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(until.Unix()), Subject: pkix.Name{CommonName: name}, NotBefore: time.Unix(0, 0), NotAfter: until,
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: raw}, key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

// A certificate is read again when its files have changed, or when that is asked for; one that cannot be used leaves the old one in place.
func TestCertificate(t *testing.T) {
	dir := t.TempDir()
	soon, late := time.Unix(4e9, 0), time.Unix(5e9, 0)
	cert, key := certify(t, dir, "first", soon)
	now, told := time.Unix(100, 0), []error{}
	c, err := OpenCertificate(cert, key, func(_ time.Time, err error) { told = append(told, err) })
	if err != nil {
		t.Fatal(err)
	}
	c.now, c.looked = func() time.Time { return now }, now
	served := func() string {
		t.Helper()
		pair, err := c.get(nil)
		if err != nil {
			t.Fatal(err)
		}
		return pair.Leaf.Subject.CommonName
	}
	certify(t, dir, "second", late)
	if served() != "first" {
		t.Error("the files were looked at twice within a second")
	}
	now = now.Add(lookAgain)
	if served() != "second" || !c.Expires().Equal(late) || len(told) != 1 || told[0] != nil {
		t.Errorf("after a change: %s until %v, told %v", served(), c.Expires(), told)
	}
	if err := os.WriteFile(key, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	now = now.Add(lookAgain)
	var bad *CertificateError
	if served() != "second" || len(told) != 2 || !errors.As(told[1], &bad) {
		t.Errorf("with a damaged key: %s, told %v", served(), told)
	}
	now = now.Add(lookAgain)
	if served() != "second" || len(told) != 2 {
		t.Errorf("the same files again: told %v", told)
	}
	certify(t, dir, "third", late)
	c.Reload()
	if served() != "third" || told[2] != nil {
		t.Errorf("asked for: %s, told %v", served(), told)
	}
	if _, err := OpenCertificate(cert, filepath.Join(dir, "none"), nil); !errors.As(err, &bad) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a key: %v", err)
	}
}

// TLS 1.2 or later, HTTP/2 where the client speaks it, and the handler's bounds as without.
func TestServesTLS(t *testing.T) {
	cert, key := certify(t, t.TempDir(), "node", time.Unix(4e9, 0))
	c, err := OpenCertificate(cert, key, nil)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Service{Handler: NewHandler(Config{Backend: newFake(3), Limits: DefaultLimits()}), Inbox: NewInbox(), First: listener, TLS: c}
	s.start()
	t.Cleanup(s.stop)
	pool := x509.NewCertPool()
	text, err := os.ReadFile(cert)
	if err != nil || !pool.AppendCertsFromPEM(text) {
		t.Fatal(err)
	}
	for name, want := range map[string]struct {
		config *tls.Config
		two    bool
		proto  int // major version of HTTP; 0: refused
	}{
		"HTTP/2":         {&tls.Config{RootCAs: pool}, true, 2},
		"HTTP/1.1":       {&tls.Config{RootCAs: pool}, false, 1},
		"TLS 1.2":        {&tls.Config{RootCAs: pool, MaxVersion: tls.VersionTLS12}, true, 2},
		"TLS 1.1":        {&tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}, true, 0},
		"nobody's CA":    {&tls.Config{RootCAs: x509.NewCertPool()}, true, 0},
		"another's name": {&tls.Config{RootCAs: pool, ServerName: "elsewhere.example"}, true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			transport := &http.Transport{TLSClientConfig: want.config, ForceAttemptHTTP2: want.two}
			defer transport.CloseIdleConnections()
			resp, err := (&http.Client{Transport: transport}).Get("https://" + listener.Addr().String() + "/height")
			if want.proto == 0 {
				if err == nil {
					_ = resp.Body.Close()
					t.Error("it was taken")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			if resp.ProtoMajor != want.proto || resp.StatusCode != http.StatusOK {
				t.Errorf("%s over %s", resp.Status, resp.Proto)
			}
		})
	}
}
