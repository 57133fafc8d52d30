package quote

import (
	"bytes"
	"crypto/x509"
	"encoding/asn1"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// Bounds of revocation lists that are read.
const (
	MaxLists     = 16
	MaxListBytes = 4 << 20 // of all of them
)

// Errors of revocation lists.
var (
	// ErrLists reports lists that are not those the chain lists by their hash, are none, or say nothing of the quote's certificates now.
	ErrLists = errors.New("quote: not the revocation lists that the quote's certificates are to be held against")
	// ErrRevoked reports a certificate that its issuer has revoked.
	ErrRevoked = errors.New("quote: a certificate is revoked")
)

// Lists are the revocation lists that certificates are held against.
type Lists struct {
	// Hash is what UpdateCollateral lists them by: SHA-256 of the lists (DER), one behind another. Of a file that has them so it is the file's.
	Hash digest.Hash
	list []*x509.RevocationList
}

// ParseLists reads revocation lists: DER, one behind another, or blocks of PEM ("X509 CRL"). Error: ErrLists.
//
// Spec: tee §2.4 (CollateralSnapshot: revocation lists).
func ParseLists(raw []byte) (*Lists, error) {
	if len(raw) > MaxListBytes {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrLists, MaxListBytes)
	}
	whole := raw
	if block, _ := pem.Decode(raw); block != nil {
		whole = nil
		for rest := raw; ; {
			if block, rest = pem.Decode(rest); block == nil {
				break
			}
			if block.Type != "X509 CRL" {
				return nil, fmt.Errorf("%w: a block of %q", ErrLists, block.Type)
			}
			whole = append(whole, block.Bytes...)
		}
	}
	l := &Lists{Hash: digest.SHA256(whole)}
	for len(whole) > 0 {
		var one asn1.RawValue
		rest, err := asn1.Unmarshal(whole, &one)
		if err != nil || len(l.list) == MaxLists {
			return nil, fmt.Errorf("%w: at most %d lists in DER or PEM", ErrLists, MaxLists)
		}
		crl, err := x509.ParseRevocationList(one.FullBytes)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrLists, err)
		}
		l.list, whole = append(l.list, crl), rest
	}
	if len(l.list) == 0 {
		return nil, ErrLists
	}
	return l, nil
}

// DER is the lists, one behind another.
func (l *Lists) DER() (whole []byte) {
	for _, one := range l.list {
		whole = append(whole, one.Raw...)
	}
	return whole
}

// listed are the lists that a quote's certificates are held against: those that are given, which have to be the ones the chain lists. nil is none, where the
// chain lists none. Error: ErrLists.
func (w *With) listed() (*Lists, error) {
	switch {
	case w.Lists == nil && w.Listed.IsZero():
		return nil, nil
	case w.Lists == nil:
		return nil, fmt.Errorf("%w: the chain lists %s, and none are given", ErrLists, w.Listed)
	case !w.Listed.IsZero() && w.Listed != w.Lists.Hash:
		return nil, fmt.Errorf("%w: the chain lists %s, these are %s", ErrLists, w.Listed, w.Lists.Hash)
	}
	return w.Lists, nil
}

// check holds a chain of certificates, from the one that signed to the root, to the lists: no list of an issuer in the chain has a certificate of that issuer's
// in the chain, each of these lists is signed by its issuer and in force, and the root's is among them. Lists of issuers that are not in the chain are those
// of other platforms. Errors: ErrLists, ErrRevoked.
//
// Spec: tee §4 (3: the chain of certificates to a root of the snapshot).
func (l *Lists) check(chain []*x509.Certificate, now time.Time) error {
	rooted := false
	for i, issuer := range chain {
		for _, crl := range l.list {
			if !bytes.Equal(crl.RawIssuer, issuer.RawSubject) {
				continue
			}
			if err := inForce(crl, issuer, now); err != nil {
				return fmt.Errorf("%w: the list of %q: %w", ErrLists, issuer.Subject, err)
			}
			rooted = rooted || i == len(chain)-1
			if i == 0 {
				continue
			}
			// What the issuer has certified is the certificate before it; the root has certified itself too.
			for _, of := range [...]*x509.Certificate{chain[i-1], issuer} {
				revoked := slices.ContainsFunc(crl.RevokedCertificateEntries, func(e x509.RevocationListEntry) bool {
					return e.SerialNumber.Cmp(of.SerialNumber) == 0
				})
				if revoked && bytes.Equal(of.RawIssuer, issuer.RawSubject) {
					return fmt.Errorf("%w: %q", ErrRevoked, of.Subject)
				}
			}
		}
	}
	if !rooted {
		return fmt.Errorf("%w: there is no list of the root", ErrLists)
	}
	return nil
}

// inForce holds a list to its issuer and to the time. Lists with an extension that is critical are of parts of what an issuer has revoked, and refused.
func inForce(crl *x509.RevocationList, issuer *x509.Certificate, now time.Time) error {
	if err := crl.CheckSignatureFrom(issuer); err != nil {
		return err
	}
	for _, e := range crl.Extensions {
		if e.Critical {
			return fmt.Errorf("extension %s", e.Id)
		}
	}
	switch {
	case now.Before(crl.ThisUpdate):
		return fmt.Errorf("it is of %s", crl.ThisUpdate.Format(time.RFC3339))
	case crl.NextUpdate.IsZero() || !now.Before(crl.NextUpdate):
		return fmt.Errorf("it has expired at %s", crl.NextUpdate.Format(time.RFC3339))
	}
	return nil
}
