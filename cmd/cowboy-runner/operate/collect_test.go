package operate

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/runner"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
)

// The port for reveals of others answers over HTTP and, with a certificate, over TLS; it is closed with the runner. Without listen there is none, and a
// certificate that is not there is named.
func TestPortForReveals(t *testing.T) {
	dir := t.TempDir()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, kind string, data []byte) error {
		return os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}), 0o600)
	}
	if err := errors.Join(write("cert.pem", "CERTIFICATE", der), write("key.pem", "PRIVATE KEY", private)); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		listen, cert, key string
		scheme            string // "" for no port
		fails             bool
	}{
		"none":                {},
		"plain":               {listen: "127.0.0.1:0", scheme: "http"},
		"with a certificate":  {listen: "127.0.0.1:0", cert: "cert.pem", key: "key.pem", scheme: "https"},
		"with one that lacks": {listen: "127.0.0.1:0", cert: "absent.pem", key: "key.pem", fails: true},
		"no address":          {listen: "nowhere", fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			r := newRunning(dir, &config{}, &log)
			r.config.Aggregator = collecting{Listen: c.listen, Cert: c.cert, Key: c.key}
			if has := r.config.Aggregator.collects() != nil; has != (c.listen != "") {
				t.Errorf("it takes reveals of others: %v", has)
			}
			stop, err := r.aggregates(NewClient(api.New("http://127.0.0.1:1"), nil), runner.NewHandle())
			if (err != nil) != c.fails {
				t.Fatal(err)
			}
			at := regexp.MustCompile(`127\.0\.0\.1:\d+`).FindString(log.String())
			if (at != "") != (c.scheme != "") {
				t.Fatalf("%q", log.String())
			}
			if c.scheme == "" {
				if err == nil {
					stop()
				}
				return
			}
			client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}}
			ask := func() (*http.Response, error) {
				return client.Post(c.scheme+"://"+at+"/reveals/7", "application/octet-stream", bytes.NewReader(make([]byte, 100)))
			}
			answer, err := ask()
			if err != nil {
				t.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, answer.Body)
			_ = answer.Body.Close()
			if answer.StatusCode != http.StatusBadRequest || answer.ProtoMajor != 1 {
				t.Errorf("%d by HTTP/%d", answer.StatusCode, answer.ProtoMajor)
			}
			stop()
			if answer, err := ask(); err == nil {
				_ = answer.Body.Close()
				t.Error("it answers when it has stopped")
			}
		})
	}
}
