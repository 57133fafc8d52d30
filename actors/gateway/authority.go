package gateway

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/cowboyinc/cowboy-go/chain/route"
)

// AuthorityFile is the certificate that clients of a development network trust, in the directory of the authority.
const AuthorityFile = "authority.pem"

// Bounds and times of certificates.
const (
	authorityLasts   = 10 * 365 * 24 * time.Hour
	certificateLasts = 30 * 24 * time.Hour
	keptCertificates = 1_024
)

// Authority signs certificates for names of the network, on development networks, where no public authority does. It is safe for many goroutines.
type Authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	leaf        *ecdsa.PrivateKey // of all certificates
	kept        *lru.Cache[string, *tls.Certificate]
	now         func() time.Time
}

// OpenAuthority reads the authority of a directory, or makes one there.
func OpenAuthority(dir string, now func() time.Time) (*Authority, error) {
	data, err := os.ReadFile(filepath.Join(dir, AuthorityFile))
	if errors.Is(err, os.ErrNotExist) {
		if err := makeAuthority(dir, now()); err != nil {
			return nil, err
		}
		data, err = os.ReadFile(filepath.Join(dir, AuthorityFile))
	}
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(data)
	if block == nil {
		return nil, fmt.Errorf("gateway: %s holds no certificate", AuthorityFile)
	}
	a := &Authority{now: now}
	if a.certificate, err = x509.ParseCertificate(block.Bytes); err != nil {
		return nil, err
	}
	if data, err = os.ReadFile(filepath.Join(dir, "authority-key.pem")); err != nil {
		return nil, err
	}
	if block, _ = pem.Decode(data); block == nil {
		return nil, errors.New("gateway: authority-key.pem holds no key")
	}
	if a.key, err = x509.ParseECPrivateKey(block.Bytes); err != nil {
		return nil, err
	}
	if a.leaf, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		return nil, err
	}
	a.kept, err = lru.New[string, *tls.Certificate](keptCertificates)
	return a, err
}

func serial() *big.Int {
	var raw [16]byte
	_, _ = rand.Read(raw[:]) // never fails
	raw[0] &= 0x7f
	return new(big.Int).SetBytes(raw[:])
}

// makeAuthority writes a new authority, the key for its owner's eyes alone.
func makeAuthority(dir string, now time.Time) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	template := &x509.Certificate{
		SerialNumber: serial(), Subject: pkix.Name{CommonName: "Cowboy development gateway"}, NotBefore: now.Add(-time.Hour), NotAfter: now.Add(authorityLasts),
		IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true, KeyUsage: x509.KeyUsageCertSign,
		PermittedDNSDomainsCritical: true, PermittedDNSDomains: permitted(),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return err
	}
	private, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: private})
	if err := os.WriteFile(filepath.Join(dir, "authority-key.pem"), text, 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, AuthorityFile), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o644)
}

// permitted are the ends of the network's names and localhost: an authority of a development network signs for nothing else.
func permitted() []string {
	list := []string{"localhost"}
	for s := route.Network; s.End() != ""; s++ {
		list = append(list, strings.TrimPrefix(s.End(), "."))
	}
	return list
}

// Certificate signs for the host a client asks for, for tls.Config.GetCertificate.
func (a *Authority) Certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	host := strings.ToLower(hello.ServerName)
	if host == "" {
		host = "localhost"
	}
	if _, _, err := route.ParseHost(host); err != nil && host != "localhost" {
		return nil, fmt.Errorf("gateway: no certificate for %.64q", host)
	}
	now := a.now()
	if c, ok := a.kept.Get(host); ok && now.Before(c.Leaf.NotAfter.Add(-certificateLasts/3)) {
		return c, nil
	}
	template := &x509.Certificate{
		SerialNumber: serial(), DNSNames: []string{host}, NotBefore: now.Add(-time.Hour), NotAfter: now.Add(certificateLasts),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, &a.leaf.PublicKey, a.key)
	if err != nil {
		return nil, err
	}
	c := &tls.Certificate{Certificate: [][]byte{der, a.certificate.Raw}, PrivateKey: a.leaf}
	if c.Leaf, err = x509.ParseCertificate(der); err != nil {
		return nil, err
	}
	a.kept.Add(host, c)
	return c, nil
}
