package gateway

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/caddyserver/certmagic"
	"github.com/mholt/acmez/v3"
	"go.uber.org/zap"
)

// errNoName says that nobody answers for a host.
var errNoName = errors.New("gateway: nobody answers for this host")

// Serves reports whether an actor answers for a host, which is when it may have a certificate: nil, or why not. The node is asked within the bounds of
// hosts that are looked up.
//
// Spec: gateway-payments-streams §A.3 (status of a name), §B.
func (d *Door) Serves(ctx context.Context, host string) error {
	name, err := d.name(ctx, host)
	if _, known := d.memory.known.Get(host); err != nil && known {
		return nil // a node that is away for a moment is told of by an answer
	}
	if err == nil && (name.Status != "active" || name.HTTP == nil) {
		err = errNoName
	}
	return err
}

// Gate asks whether a host may have a certificate before anything is done for the handshake: before keys, before a certificate is looked for, made or ordered.
// A client that names no host has none, nor one whose host cannot be a name; local is let through where it is not "".
func Gate(serves func(ctx context.Context, host string) error, local string, next certificates) certificates {
	return func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
		host := strings.ToLower(hello.ServerName)
		if local != "" && (host == local || host == "") {
			return next(hello)
		}
		if !nameable(host) {
			return nil, fmt.Errorf("%w: %.64q", errNoName, host)
		}
		if err := serves(hello.Context(), host); err != nil {
			return nil, err
		}
		return next(hello)
	}
}

// certificates is tls.Config.GetCertificate.
type certificates = func(*tls.ClientHelloInfo) (*tls.Certificate, error)

// ACME says where certificates for names come from, and who may have one.
type ACME struct {
	Directory string         // address of the authority's directory
	Email     string         // of the operator, whom the authority may write to; may be ""
	Roots     *x509.CertPool // that the authority's own certificate is checked against; nil: the system's
	Dir       string         // where keys and certificates are kept
	Host      string         // where the gateway listens for HTTPS
	Port      int            // likewise
	Renew     float64        // the share of a certificate's life that is left when it is renewed; 0: a third
	Serves    func(ctx context.Context, host string) error
	Observe   func(what, host string, err error) // may be nil; must not wait
}

// Certificates are kept, ordered when the first client of a name comes, and renewed while they last. Close ends that.
type Certificates struct {
	cache *certmagic.Cache
	get   certificates
}

// NewCertificates gives the certificates of an authority that speaks ACME. It proves that it has a host by the gateway's own port (TLS-ALPN-01).
//
// Spec: RFC 8555; RFC 8737.
func NewCertificates(a ACME) *Certificates {
	quiet := zap.NewNop()
	c := new(Certificates)
	var config *certmagic.Config
	c.cache = certmagic.NewCache(certmagic.CacheOptions{
		Capacity: keptCertificates, Logger: quiet, GetConfigForCert: func(certmagic.Certificate) (*certmagic.Config, error) { return config, nil },
	})
	config = certmagic.New(c.cache, certmagic.Config{
		OnDemand: &certmagic.OnDemandConfig{DecisionFunc: a.Serves}, Storage: &certmagic.FileStorage{Path: a.Dir}, Logger: quiet, OnEvent: a.told,
		RenewalWindowRatio: a.Renew, OCSP: certmagic.OCSPConfig{DisableStapling: true},
	})
	config.Issuers = []certmagic.Issuer{certmagic.NewACMEIssuer(config, certmagic.ACMEIssuer{
		CA: a.Directory, TestCA: a.Directory, Email: a.Email, Agreed: true, TrustedRoots: a.Roots, DisableHTTPChallenge: true, ListenHost: a.Host,
		AltTLSALPNPort: a.Port, CertObtainTimeout: time.Minute, Logger: quiet,
	})}
	gated := Gate(a.Serves, "", config.GetCertificate)
	c.get = func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
		if len(hello.SupportedProtos) == 1 && hello.SupportedProtos[0] == acmez.ACMETLS1Protocol {
			return config.GetCertificate(hello) // the authority's own question, answered while an order is open and else refused
		}
		return gated(hello)
	}
	return c
}

// told tells the operator what became of an order.
func (a *ACME) told(_ context.Context, event string, data map[string]any) error {
	if a.Observe == nil || event != "cert_obtained" && event != "cert_failed" {
		return nil
	}
	host, _ := data["identifier"].(string)
	err, _ := data["error"].(error)
	what := "certificate"
	if renewed, _ := data["renewal"].(bool); renewed {
		what = "renewal"
	}
	a.Observe(what, host, err)
	return nil
}

// TLS is the configuration of a server.
func (c *Certificates) TLS() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.get, NextProtos: []string{"h2", "http/1.1", acmez.ACMETLS1Protocol}}
}

// Close ends renewals.
func (c *Certificates) Close() { c.cache.Stop() }
