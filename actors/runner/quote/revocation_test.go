package quote

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"testing"
	"time"

	sevdata "github.com/google/go-sev-guest/verify/testdata"
	"github.com/google/go-sev-guest/verify/trust"
	tdxdata "github.com/google/go-tdx-guest/testing/testdata"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tee"
)

func lists(t *testing.T, raw ...[]byte) *Lists {
	t.Helper()
	l, err := ParseLists(bytes.Join(raw, nil))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Intel's lists as the library publishes them, of 2023: that of the root, which OpenSSL says is in force until April 2 of 2024 and empty, and that of the
// platforms' authority, in force from 07:27:52 on June 8 until that time on July 8, with 44 certificates, of which the recorded quote's is none. Their SHA-256,
// one behind the other, is what `cat rootcrl.der pckcrl | sha256sum` says.
//
// Spec: tee §2.4 (revocation lists), §4 (3).
func TestRecordedRevocationLists(t *testing.T) {
	both := lists(t, tdxdata.RootCrlBody, tdxdata.PckCrlBody)
	if want := "1e02a3df9c9071487174c00b861c2a4f5acc5a750640aa46810f39206b0e17e0"; both.Hash.Hex() != want {
		t.Errorf("%s, want %s", both.Hash.Hex(), want)
	}
	begins, ends := time.Date(2023, time.June, 8, 7, 27, 52, 0, time.UTC), time.Date(2023, time.July, 8, 7, 27, 52, 0, time.UTC)
	for name, c := range map[string]struct {
		lists  *Lists
		listed digest.Hash
		now    time.Time
		want   error
	}{
		"when it begins":        {both, both.Hash, begins, nil},
		"a second before":       {both, both.Hash, begins.Add(-time.Second), ErrLists},
		"its last second":       {both, both.Hash, ends.Add(-time.Second), nil},
		"when it ends":          {both, both.Hash, ends, ErrLists},
		"the root's alone":      {lists(t, tdxdata.RootCrlBody), digest.Hash{}, recorded, nil},
		"not the root's":        {lists(t, tdxdata.PckCrlBody), digest.Hash{}, begins, ErrLists},
		"others than listed":    {lists(t, tdxdata.PckCrlBody, tdxdata.RootCrlBody), both.Hash, begins, ErrLists},
		"none though listed":    {nil, both.Hash, begins, ErrLists},
		"none, and none listed": {nil, digest.Hash{}, begins, nil},
		"some, and none listed": {both, digest.Hash{}, begins, nil},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := Verify(tee.TDX, tdxdata.RawQuote, &With{Now: c.now, Lists: c.lists, Listed: c.listed})
			if !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
				t.Fatal(err)
			}
			want := digest.Hash{}
			if c.lists != nil {
				want = c.lists.Hash
			}
			if err == nil && f.Lists != want {
				t.Errorf("%+v", f)
			}
		})
	}
	t.Run("changed", func(t *testing.T) {
		raw := bytes.Clone(tdxdata.PckCrlBody)
		raw[bytes.Index(raw, []byte{0x6f, 0xc3, 0x4e, 0x50})] ^= 1 // the first serial number
		if _, err := Verify(tee.TDX, tdxdata.RawQuote, &With{Now: begins, Lists: lists(t, tdxdata.RootCrlBody, raw)}); !errors.Is(err, ErrLists) {
			t.Error(err)
		}
	})
}

// signer is an authority of the test, of which OpenSSL's rules and not ours say what a list is.
type signer struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// issue makes a certificate under an authority, its own root where there is none.
func (s *signer) issue(t *testing.T, name string, serial int64, usage x509.KeyUsage) *signer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: name}, NotBefore: recorded.Add(-time.Hour), NotAfter: recorded.Add(time.Hour),
		BasicConstraintsValid: true, IsCA: usage&x509.KeyUsageCertSign != 0, KeyUsage: usage, SubjectKeyId: []byte(name),
	}
	parent, by := form, key
	if s != nil {
		parent, by = s.cert, s.key
	}
	der, err := x509.CreateCertificate(rand.Reader, form, parent, &key.PublicKey, by)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return &signer{cert, key}
}

// revokes is a list of the authority's, in force for the hour of its certificates.
func (s *signer) revokes(t *testing.T, change func(l *x509.RevocationList), serials ...int64) []byte {
	t.Helper()
	form := &x509.RevocationList{Number: big.NewInt(1), ThisUpdate: recorded.Add(-time.Minute), NextUpdate: recorded.Add(time.Minute)}
	for _, n := range serials {
		form.RevokedCertificateEntries = append(form.RevokedCertificateEntries, x509.RevocationListEntry{
			SerialNumber: big.NewInt(n), RevocationTime: recorded.Add(-time.Minute),
		})
	}
	if change != nil {
		change(form)
	}
	der, err := x509.CreateRevocationList(rand.Reader, form, s.cert, s.key)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

// A chain of a root (serial number 1), an authority between (2) and an enclave's certificate (3), held against lists that the test's own authorities make.
//
// Spec: tee §2.4 (revocation lists), §4 (3).
func TestRevokedCertificates(t *testing.T) {
	const authority = x509.KeyUsageCertSign | x509.KeyUsageCRLSign
	var none *signer
	root := none.issue(t, "root", 1, authority)
	between := root.issue(t, "between", 2, authority)
	leaf := between.issue(t, "enclave", 3, x509.KeyUsageDigitalSignature)
	other := none.issue(t, "other", 1, authority)
	twin := none.issue(t, "root", 1, authority) // another key of the root's name
	pool := x509.NewCertPool()
	pool.AddCert(root.cert)
	enclave := newAuthority(t)
	enclave.key = leaf.key
	d := document{
		Module: "i-1", Digest: "SHA384", PCRs: map[uint64][]byte{0: bytes.Repeat([]byte{7}, 48)}, Certificate: leaf.cert.Raw,
		Bundle: [][]byte{root.cert.Raw, between.cert.Raw},
	}
	raw := enclave.attest(t, d)
	clean := root.revokes(t, nil)
	end := func(l *x509.RevocationList) { l.NextUpdate = recorded }
	for name, c := range map[string]struct {
		lists [][]byte
		want  error
	}{
		"nothing revoked":                      {[][]byte{clean, between.revokes(t, nil)}, nil},
		"others revoked":                       {[][]byte{root.revokes(t, nil, 3, 4), between.revokes(t, nil, 1, 2, 4)}, nil},
		"the enclave's":                        {[][]byte{clean, between.revokes(t, nil, 5, 3)}, ErrRevoked},
		"the authority's between":              {[][]byte{root.revokes(t, nil, 2), between.revokes(t, nil)}, ErrRevoked},
		"the root's own":                       {[][]byte{root.revokes(t, nil, 1)}, ErrRevoked},
		"in the second list of the same":       {[][]byte{clean, root.revokes(t, nil, 2)}, ErrRevoked},
		"no list of the authority between":     {[][]byte{clean}, nil},
		"no list of the root":                  {[][]byte{between.revokes(t, nil)}, ErrLists},
		"a list of another authority":          {[][]byte{clean, other.revokes(t, nil, 1, 2, 3)}, nil},
		"a list of another authority alone":    {[][]byte{other.revokes(t, nil)}, ErrLists},
		"a list by another of the root's name": {[][]byte{clean, twin.revokes(t, nil)}, ErrLists},
		"an expired list of the root":          {[][]byte{root.revokes(t, end)}, ErrLists},
		"an expired list between":              {[][]byte{clean, between.revokes(t, end)}, ErrLists},
		"an expired list of another authority": {[][]byte{clean, other.revokes(t, end)}, nil},
		"a second before it expires": {[][]byte{root.revokes(t, func(l *x509.RevocationList) {
			l.NextUpdate = recorded.Add(time.Second)
		})}, nil},
		"a list to come": {[][]byte{root.revokes(t, func(l *x509.RevocationList) {
			l.ThisUpdate = recorded.Add(time.Second)
		})}, ErrLists},
		"a list that begins now": {[][]byte{root.revokes(t, func(l *x509.RevocationList) { l.ThisUpdate = recorded })}, nil},
		"a list of a part": {[][]byte{root.revokes(t, func(l *x509.RevocationList) {
			l.ExtraExtensions = []pkix.Extension{{Id: []int{2, 5, 29, 28}, Critical: true, Value: []byte{0x30, 0}}} // issuingDistributionPoint
		})}, ErrLists},
	} {
		t.Run(name, func(t *testing.T) {
			l := lists(t, c.lists...)
			f, err := Verify(tee.Nitro, raw, &With{Root: pool, Now: recorded, Lists: l, Listed: l.Hash})
			if !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
				t.Fatal(err)
			}
			if err == nil && (f.Lists != digest.SHA256(bytes.Join(c.lists, nil)) || f.Root != digest.SHA256(root.cert.Raw)) {
				t.Errorf("%+v", f)
			}
		})
	}
}

// The recorded report of SEV-SNP, to AMD's root: a list that AMD's root did not sign is refused, whatever it says.
//
// Spec: tee §4 (3).
func TestListsOfAMD(t *testing.T) {
	certs, err := trust.GetDefaultRootCerts("Milan")
	if err != nil {
		t.Fatal(err)
	}
	var none *signer
	forger := none.issue(t, "ARK-Milan", 1, x509.KeyUsageCertSign|x509.KeyUsageCRLSign)
	forger.cert.RawSubject = certs.ProductCerts.Ark.RawSubject
	of := func(l *Lists) error {
		_, err := Verify(tee.SEV, sevdata.AttestationBytes, &With{Now: recorded, Certificate: sevdata.VcekBytes, Lists: l})
		return err
	}
	if err := of(nil); err != nil {
		t.Error(err)
	}
	if err := of(lists(t, forger.revokes(t, nil))); !errors.Is(err, ErrLists) {
		t.Error(err)
	}
}

// Spec: tee §2.4 (revocation lists).
func TestFormsOfRevocationLists(t *testing.T) {
	text := func(raw []byte) []byte { return pem.EncodeToMemory(&pem.Block{Type: "X509 CRL", Bytes: raw}) }
	root, platform := tdxdata.RootCrlBody, tdxdata.PckCrlBody
	whole := digest.SHA256(append(bytes.Clone(root), platform...))
	for name, c := range map[string]struct {
		raw []byte
		ok  bool
	}{
		"DER":            {append(bytes.Clone(root), platform...), true},
		"PEM":            {append(text(root), text(platform)...), true},
		"nothing":        {nil, false},
		"cut":            {root[:len(root)-1], false},
		"a byte more":    {append(bytes.Clone(root), 0), false},
		"a certificate":  {pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: sevdata.VcekBytes}), false},
		"no list in DER": {sevdata.VcekBytes, false},
		"seventeen":      {bytes.Repeat(root, 17), false},
		"too long":       {make([]byte, MaxListBytes+1), false},
	} {
		t.Run(name, func(t *testing.T) {
			l, err := ParseLists(c.raw)
			if (err == nil) != c.ok || err != nil && !errors.Is(err, ErrLists) {
				t.Fatal(err)
			}
			if c.ok && (l.Hash != whole || len(l.list) != 2) {
				t.Errorf("%s of %d", l.Hash, len(l.list))
			}
		})
	}
	if l, err := ParseLists(bytes.Repeat(root, 16)); err != nil || len(l.list) != MaxLists {
		t.Error(err)
	}
}

// FuzzParseLists: what is read as lists is the same lists when it is written one behind another, and no bytes break the reader.
//
// Spec: tee §2.4 (revocation lists).
func FuzzParseLists(f *testing.F) {
	f.Add(append(bytes.Clone(tdxdata.RootCrlBody), tdxdata.PckCrlBody...))
	f.Add(pem.EncodeToMemory(&pem.Block{Type: "X509 CRL", Bytes: tdxdata.RootCrlBody}))
	f.Fuzz(func(t *testing.T, raw []byte) {
		l, err := ParseLists(raw)
		if err != nil {
			return
		}
		again, err := ParseLists(l.DER())
		if err != nil || again.Hash != l.Hash || len(again.list) != len(l.list) || l.Hash != digest.SHA256(l.DER()) {
			t.Errorf("%d lists, %d again, %v", len(l.list), len(again.list), err)
		}
	})
}
