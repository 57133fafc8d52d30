package signer

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"time"
)

// Names of certificates.
const (
	ServerName = "signer"
	NodeName   = "node"
)

// ValidFor is how long a certificate is valid.
const ValidFor = 10 * 365 * 24 * time.Hour

// ErrCertificate reports a certificate or its key that cannot be used.
var ErrCertificate = errors.New("signer: bad certificate")

// NewCertificate draws an Ed25519 key and signs a certificate for one side with it. Both are PEM.
func NewCertificate(name string, now time.Time) (certificate, key []byte, err error) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return nil, nil, err
	}
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "cowboy " + name}, DNSNames: []string{name},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(ValidFor), KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}, BasicConstraintsValid: true,
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, public, private)
	if err != nil {
		return nil, nil, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), nil
}

// TLS is a side's configuration: its own certificate and key, and the other side's certificate, the only one it believes. All are PEM. An error wraps
// ErrCertificate.
func TLS(certificate, key, other []byte) (*tls.Config, error) {
	own, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCertificate, err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(other) {
		return nil, fmt.Errorf("%w: the other side's cannot be read", ErrCertificate)
	}
	return &tls.Config{
		Certificates: []tls.Certificate{own}, MinVersion: tls.VersionTLS13, ServerName: ServerName,
		RootCAs: pool, ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert,
	}, nil
}

// Expiry is when a certificate ends. An error wraps ErrCertificate.
func Expiry(certificate []byte) (time.Time, error) {
	block, _ := pem.Decode(certificate)
	if block == nil {
		return time.Time{}, fmt.Errorf("%w: no PEM", ErrCertificate)
	}
	c, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return time.Time{}, fmt.Errorf("%w: %w", ErrCertificate, err)
	}
	return c.NotAfter, nil
}
