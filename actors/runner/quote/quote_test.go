package quote

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"errors"
	"math/big"
	"testing"
	"time"

	"github.com/fxamacker/cbor/v2"
	sevdata "github.com/google/go-sev-guest/verify/testdata"
	tdxdata "github.com/google/go-tdx-guest/testing/testdata"
	"github.com/veraison/go-cose"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tee"
)

// recorded is the time at which the certificates of the recorded quotes are valid.
var recorded = time.Date(2024, time.January, 1, 0, 0, 0, 0, time.UTC)

// What OpenSSL and the documents say of the recorded quotes: tee_tcb_svn as the quote's bytes 48 to 63; the four versions by which AMD's key service names the
// certificate of the chip (blSPL 2, teeSPL 0, snpSPL 5, ucodeSPL 68); SHA-256 fingerprints of "Intel SGX Root CA" and "ARK-Milan" by `openssl x509
// -fingerprint`.
const (
	tdxTCB       = "03000400000000000000000000000000"
	sevTCB       = "02000000000005440000000000000000"
	intelRoot    = "44a0196b2b99f889b8e149e95b807a350e7424964399e885a7cbb8ccfab674d3"
	amdMilanRoot = "69d063b45344d26a2e94e1f4210de49ef555308287d4c174445c95639a540bcd"
)

// The libraries publish a quote of a production machine with TDX and a report of one with SEV-SNP. Both are verified to their vendors' roots, and the chain
// reads at its places what the libraries parse.
//
// Spec: tee §2.2 (REPORTDATA), §4 (3, 4, 5), §8 (6).
func TestRecordedQuotes(t *testing.T) {
	for name, c := range map[string]struct {
		kind tee.Type
		raw  []byte
		with With
		tcb  string
		root string // of the vendor's published root certificate, DER
	}{
		"tdx": {tee.TDX, tdxdata.RawQuote, With{Now: recorded}, tdxTCB, intelRoot},
		"sev": {tee.SEV, sevdata.AttestationBytes, With{Now: recorded, Certificate: sevdata.VcekBytes}, sevTCB, amdMilanRoot},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := Verify(c.kind, c.raw, &c.with)
			if err != nil {
				t.Fatal(err)
			}
			read, err := tee.ReadReport(c.kind, c.raw)
			if err != nil || read != f.Report || f.Report.Measurement == [tee.MeasurementSize]byte{} {
				t.Errorf("the chain reads %x, %v; the library %x", read, err, f.Report)
			}
			if got := hex.EncodeToString(f.TCB[:]); got != c.tcb {
				t.Errorf("versions %s, want %s", got, c.tcb)
			}
			if f.Root.Hex() != c.root {
				t.Errorf("root %s, want %s", f.Root.Hex(), c.root)
			}
			for what, change := range map[string]func(raw []byte, with *With) []byte{
				"the report's data changed": func(raw []byte, _ *With) []byte { raw[bytes.Index(raw, f.Report.Data[:])] ^= 1; return raw },
				"the measurement changed":   func(raw []byte, _ *With) []byte { raw[bytes.Index(raw, f.Report.Measurement[:])] ^= 1; return raw },
				"cut":                       func(raw []byte, _ *With) []byte { return raw[:len(raw)/2] },
				"nothing":                   func([]byte, *With) []byte { return nil },
				"too long":                  func(raw []byte, _ *With) []byte { return append(raw, make([]byte, MaxQuote)...) },
				"after its certificates":    func(raw []byte, with *With) []byte { with.Now = recorded.AddDate(60, 0, 0); return raw },
			} {
				t.Run(what, func(t *testing.T) {
					with := c.with
					raw := change(bytes.Clone(c.raw), &with)
					if _, err := Verify(c.kind, raw, &with); !errors.Is(err, ErrForm) && !errors.Is(err, ErrCert) {
						t.Errorf("%v", err)
					}
				})
			}
		})
	}
	t.Run("another root", func(t *testing.T) {
		if _, err := Verify(tee.TDX, tdxdata.RawQuote, &With{Now: recorded, Root: x509.NewCertPool()}); !errors.Is(err, ErrCert) {
			t.Errorf("%v", err)
		}
	})
	t.Run("no certificate", func(t *testing.T) {
		if _, err := Verify(tee.SEV, sevdata.AttestationBytes, &With{Now: recorded}); !errors.Is(err, ErrCert) {
			t.Errorf("%v", err)
		}
	})
	t.Run("sgx", func(t *testing.T) {
		if _, err := Verify(tee.SGX, nil, &With{}); !errors.Is(err, ErrType) {
			t.Errorf("%v", err)
		}
	})
}

// authority is a root, what it certifies, and the key of that.
type authority struct {
	root *x509.Certificate
	leaf []byte
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	make1 := func(name string, parent *x509.Certificate, signer *ecdsa.PrivateKey) (*x509.Certificate, *ecdsa.PrivateKey) {
		key, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		form := &x509.Certificate{
			SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: recorded.Add(-time.Hour), NotAfter: recorded.Add(time.Hour),
			BasicConstraintsValid: true, IsCA: parent == nil, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		}
		if parent == nil {
			parent, signer = form, key
		}
		der, err := x509.CreateCertificate(rand.Reader, form, parent, &key.PublicKey, signer)
		if err != nil {
			t.Fatal(err)
		}
		cert, err := x509.ParseCertificate(der)
		if err != nil {
			t.Fatal(err)
		}
		return cert, key
	}
	root, signer := make1("root", nil, nil)
	leaf, key := make1("enclave", root, signer)
	return &authority{root, leaf.Raw, key}
}

// attest signs a document as an enclave does.
func (a *authority) attest(t *testing.T, d any) []byte {
	t.Helper()
	payload, err := cbor.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := cose.NewSigner(cose.AlgorithmES384, a.key)
	if err != nil {
		t.Fatal(err)
	}
	m := cose.UntaggedSign1Message{Headers: cose.Headers{Protected: cose.ProtectedHeader{cose.HeaderLabelAlgorithm: cose.AlgorithmES384}}, Payload: payload}
	if err := m.Sign(rand.Reader, nil, signer); err != nil {
		t.Fatal(err)
	}
	raw, err := m.MarshalCBOR()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// Spec: tee §2.4 (Nitro is verified directly, COSE_Sign1).
func TestDocumentsOfNitro(t *testing.T) {
	a, other := newAuthority(t), newAuthority(t)
	pool := func(c *x509.Certificate) *x509.CertPool { p := x509.NewCertPool(); p.AddCert(c); return p }
	good := func() document {
		return document{
			Module: "i-1", Digest: "SHA384", Timestamp: uint64(recorded.UnixMilli()),
			PCRs:        map[uint64][]byte{0: bytes.Repeat([]byte{7}, 48), 1: make([]byte, 48)},
			Certificate: a.leaf, Bundle: [][]byte{a.root.Raw}, UserData: []byte{1, 2, 3},
		}
	}
	for name, c := range map[string]struct {
		change func(d *document)
		signed *authority
		root   *x509.CertPool
		now    time.Time
		want   error
	}{
		"as it is":            {},
		"another root":        {root: pool(other.root), want: ErrCert},
		"no root":             {root: x509.NewCertPool(), want: ErrCert},
		"another's signature": {signed: other, want: ErrCert},
		"after its hour":      {now: recorded.Add(2 * time.Hour), want: ErrCert},
		"another certificate": {change: func(d *document) { d.Certificate = other.leaf }, want: ErrCert},
		"no certificate":      {change: func(d *document) { d.Certificate = nil }, want: ErrCert},
		"another hash":        {change: func(d *document) { d.Digest = "SHA256" }, want: ErrForm},
		"no measurement":      {change: func(d *document) { d.PCRs = nil }, want: ErrForm},
		"a short measurement": {change: func(d *document) { d.PCRs[0] = d.PCRs[0][1:] }, want: ErrForm},
		"too much data":       {change: func(d *document) { d.UserData = make([]byte, 65) }, want: ErrForm},
		"a long bundle":       {change: func(d *document) { d.Bundle = make([][]byte, 17) }, want: ErrForm},
	} {
		t.Run(name, func(t *testing.T) {
			d, by, with := good(), a, &With{Root: pool(a.root), Now: recorded}
			if c.change != nil {
				c.change(&d)
			}
			if c.signed != nil {
				by = c.signed
			}
			if c.root != nil {
				with.Root = c.root
			}
			if !c.now.IsZero() {
				with.Now = c.now
			}
			f, err := Verify(tee.Nitro, by.attest(t, d), with)
			if !errors.Is(err, c.want) {
				t.Fatalf("%v, want %v", err, c.want)
			}
			if c.want != nil {
				return
			}
			if f.Report.Measurement[0] != 7 || f.Report.Data != [tee.ReportSize]byte{1, 2, 3} || f.Root != digest.SHA256(a.root.Raw) {
				t.Errorf("%+v", f)
			}
		})
	}
}

// FuzzVerify: no bytes break a verifier, and none are a quote that were not signed.
//
// Spec: tee §8 (6).
func FuzzVerify(f *testing.F) {
	f.Add(uint8(tee.TDX), tdxdata.RawQuote)
	f.Add(uint8(tee.SEV), sevdata.AttestationBytes)
	f.Add(uint8(tee.Nitro), []byte{0x84, 0x40, 0xa0, 0x40, 0x40})
	f.Fuzz(func(t *testing.T, kind uint8, raw []byte) {
		facts, err := Verify(tee.Type(kind), raw, &With{Now: recorded, Certificate: sevdata.VcekBytes})
		if err != nil {
			return
		}
		if read, err := tee.ReadReport(facts.Type, raw); err != nil || read != facts.Report {
			t.Errorf("the chain reads %x, %v; the library %x", read, err, facts.Report)
		}
	})
}
