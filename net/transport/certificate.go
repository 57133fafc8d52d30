package transport

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"math/big"
	"time"
)

// protocol is the one ALPN name. Versions are told apart in the hello, where the refusal can say what each side speaks.
const protocol = "cowboy"

// certificate wraps the key in the least a certificate can be. Nothing in it but the key means anything.
func certificate(key Key) (tls.Certificate, error) {
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		NotBefore:    time.Unix(0, 0),
		NotAfter:     time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC), // RFC 5280's "no expiry"
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.private.Public(), key.private)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key.private}, nil
}

// secure is the TLS configuration of both roles. TLS 1.3 makes each side sign the handshake's transcript with the key of its
// certificate, which proves the identity; chains, names and dates prove nothing here and are not looked at. There is no
// resumption and no early data, so every connection proves it anew.
//
// Spec: WP §6.2 (QUIC over TLS 1.3).
func secure(key Key) (*tls.Config, error) {
	own, err := certificate(key)
	if err != nil {
		return nil, err
	}
	return &tls.Config{
		Certificates:           []tls.Certificate{own},
		ClientAuth:             tls.RequireAnyClientCert,
		InsecureSkipVerify:     true,
		VerifyConnection:       func(s tls.ConnectionState) error { _, err := proven(s); return err },
		NextProtos:             []string{protocol},
		MinVersion:             tls.VersionTLS13,
		SessionTicketsDisabled: true,
	}, nil
}

// proven is the public key the other side proved.
func proven(s tls.ConnectionState) (PublicKey, error) {
	if len(s.PeerCertificates) != 1 {
		return PublicKey{}, fmt.Errorf("%w: %d certificates", ErrKey, len(s.PeerCertificates))
	}
	key, ok := s.PeerCertificates[0].PublicKey.(ed25519.PublicKey)
	if !ok || len(key) != KeyBytes {
		return PublicKey{}, fmt.Errorf("%w: the certificate's key is not ed25519", ErrKey)
	}
	return PublicKey(key), nil
}
