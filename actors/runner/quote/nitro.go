package quote

import (
	"crypto/ecdsa"
	"crypto/x509"
	"fmt"

	"github.com/fxamacker/cbor/v2"
	"github.com/veraison/go-cose"

	"github.com/cowboyinc/cowboy-go/chain/tee"
)

// maxBundle is how many certificates a bundle may have.
const maxBundle = 16

// document is an attestation document of a Nitro enclave.
type document struct {
	Module      string            `cbor:"module_id"`
	Digest      string            `cbor:"digest"`
	Timestamp   uint64            `cbor:"timestamp"`
	PCRs        map[uint64][]byte `cbor:"pcrs"`
	Certificate []byte            `cbor:"certificate"`
	Bundle      [][]byte          `cbor:"cabundle"`
	PublicKey   []byte            `cbor:"public_key"`
	UserData    []byte            `cbor:"user_data"`
	Nonce       []byte            `cbor:"nonce"`
}

// nitro verifies the COSE_Sign1 of an attestation document: ES384 by the key of its certificate, which the bundle leads to a root. The measurement is PCR0, the
// report data what the enclave put into user_data.
//
// Spec: tee §2.4 (Nitro is verified directly).
func nitro(raw []byte, with *With) (*Facts, []*x509.Certificate, error) {
	var m cose.UntaggedSign1Message
	if err := m.UnmarshalCBOR(raw); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrForm, err)
	}
	limits, err := cbor.DecOptions{MaxArrayElements: maxBundle, MaxMapPairs: 64, MaxNestedLevels: 8}.DecMode()
	if err != nil {
		return nil, nil, err
	}
	var d document
	if err := limits.Unmarshal(m.Payload, &d); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrForm, err)
	}
	pcr := d.PCRs[0]
	if d.Digest != "SHA384" || len(pcr) != tee.MeasurementSize || len(d.UserData) > tee.ReportSize {
		return nil, nil, ErrForm
	}
	chain, err := d.chain(with)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrCert, err)
	}
	key, ok := chain[0].PublicKey.(*ecdsa.PublicKey)
	if !ok {
		return nil, nil, ErrCert
	}
	verifier, err := cose.NewVerifier(cose.AlgorithmES384, key)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrCert, err)
	}
	if err := m.Verify(nil, verifier); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrCert, err)
	}
	f := &Facts{Type: tee.Nitro}
	copy(f.Report.Measurement[:], pcr)
	copy(f.Report.Data[:], d.UserData)
	return f, chain, nil
}

// chain leads the document's certificate to a trusted root, which is the last one.
func (d *document) chain(with *With) ([]*x509.Certificate, error) {
	leaf, err := x509.ParseCertificate(d.Certificate)
	if err != nil {
		return nil, err
	}
	between := x509.NewCertPool()
	for _, raw := range d.Bundle {
		c, err := x509.ParseCertificate(raw)
		if err != nil {
			return nil, err
		}
		between.AddCert(c)
	}
	roots := with.Root
	if roots == nil {
		roots = x509.NewCertPool() // not the machine's
	}
	chains, err := leaf.Verify(x509.VerifyOptions{
		Roots: roots, Intermediates: between, CurrentTime: with.Now, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny},
	})
	if err != nil {
		return nil, err
	}
	return chains[0], nil
}
