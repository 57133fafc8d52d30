package transport

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"testing"
)

// FuzzCertificate: a stranger's certificate proves an ed25519 key or nothing, whatever else it says; more than one prove nothing.
func FuzzCertificate(f *testing.F) {
	key, err := NewKey(rand.Reader)
	if err != nil {
		f.Fatal(err)
	}
	own, err := certificate(key)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(own.Certificate[0])
	f.Add([]byte{0x30, 0x03, 0x02, 0x01, 0x01})
	f.Fuzz(func(t *testing.T, der []byte) {
		c, err := x509.ParseCertificate(der)
		if err != nil {
			return // TLS ends the handshake
		}
		k, err := proven(tls.ConnectionState{PeerCertificates: []*x509.Certificate{c}})
		want, ok := c.PublicKey.(ed25519.PublicKey)
		if ok != (err == nil) || ok && PublicKey(want) != k {
			t.Errorf("%x: %v", der, err)
		}
		if _, err := proven(tls.ConnectionState{PeerCertificates: []*x509.Certificate{c, c}}); err == nil {
			t.Error("two certificates prove a key")
		}
	})
}
