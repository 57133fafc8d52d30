package quote

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"time"

	"github.com/google/go-sev-guest/abi"
	sevproto "github.com/google/go-sev-guest/proto/sevsnp"
	sevverify "github.com/google/go-sev-guest/verify"
	"github.com/google/go-sev-guest/verify/trust"
	tdxabi "github.com/google/go-tdx-guest/abi"
	tdxproto "github.com/google/go-tdx-guest/proto/tdx"
	tdxverify "github.com/google/go-tdx-guest/verify"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tee"
)

// MaxQuote bounds what is read, in bytes.
const MaxQuote = tee.MaxCAE

// Errors.
var (
	ErrType = errors.New("quote: no quotes of this type are verified here")
	ErrForm = errors.New("quote: not a quote of this type")
	ErrCert = errors.New("quote: the certificates do not lead to a trusted root, or did not sign the quote")
)

// With is what a quote is verified with.
type With struct {
	Certificate []byte              // sev: the certificate of the chip's or the loaded key, DER
	Root        *x509.CertPool      // tdx, nitro: roots that are trusted; nil: of tdx Intel's, of nitro none
	AMD         *trust.AMDRootCerts // sev: a root that is trusted; nil: AMD's for the product
	Now         time.Time           // certificates and revocation lists have to be valid then
	Lists       *Lists              // revocation lists that certificates are held against; nil: none
	Listed      digest.Hash         // the hash that the chain's collateral lists them by; zero: it lists none
}

// Facts is what a verified quote says.
type Facts struct {
	Type   tee.Type
	Report tee.Report
	TCB    tee.TCB
	Root   digest.Hash // SHA-256 of the certificate that the chain ends in
	Lists  digest.Hash // of the revocation lists that have none of the certificates; zero: none were looked at
}

// Verify verifies a quote of a type, and holds its certificates to the revocation lists. Errors: ErrType, ErrForm, ErrCert, with what the library says;
// ErrLists, ErrRevoked.
//
// Spec: tee §2.4, §4 (3, 4, 5).
func Verify(t tee.Type, raw []byte, with *With) (*Facts, error) {
	if len(raw) > MaxQuote {
		return nil, ErrForm
	}
	verify, known := map[tee.Type]func([]byte, *With) (*Facts, []*x509.Certificate, error){tee.TDX: tdx, tee.SEV: sev, tee.Nitro: nitro}[t]
	if !known {
		return nil, ErrType
	}
	lists, err := with.listed()
	if err != nil {
		return nil, err
	}
	f, chain, err := verify(raw, with)
	if err != nil {
		return nil, err
	}
	f.Root = digest.SHA256(chain[len(chain)-1].Raw)
	if lists != nil {
		if err := lists.check(chain, with.Now); err != nil {
			return nil, err
		}
		f.Lists = lists.Hash
	}
	return f, nil
}

// tdx verifies a quote, and gives the certificates from the one that signed to the root.
func tdx(raw []byte, with *With) (*Facts, []*x509.Certificate, error) {
	parsed, err := tdxabi.QuoteToProto(raw)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrForm, err)
	}
	q, ok := parsed.(*tdxproto.QuoteV4)
	if !ok {
		return nil, nil, ErrForm
	}
	if err := tdxverify.TdxQuote(q, &tdxverify.Options{Now: with.Now, TrustedRoots: with.Root}); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrCert, err)
	}
	text := q.GetSignedData().GetCertificationData().GetQeReportCertificationData().GetPckCertificateChainData().GetPckCertChain()
	f, body := &Facts{Type: tee.TDX}, q.GetTdQuoteBody()
	var chain []*x509.Certificate
	for {
		block, rest := pem.Decode(text)
		if block == nil {
			break
		}
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, nil, fmt.Errorf("%w: %w", ErrCert, err)
		}
		chain, text = append(chain, c), rest
	}
	if len(chain) == 0 {
		return nil, nil, ErrCert
	}
	copy(f.Report.Measurement[:], body.GetMrTd())
	copy(f.Report.Data[:], body.GetReportData())
	copy(f.TCB[:], body.GetTeeTcbSvn())
	return f, chain, nil
}

// sev verifies a report, and gives the certificates as tdx does.
func sev(raw []byte, with *With) (*Facts, []*x509.Certificate, error) {
	report, err := abi.ReportToProto(raw)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrForm, err)
	}
	info, err := abi.ParseSignerInfo(report.GetSignerInfo())
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrForm, err)
	}
	chain := &sevproto.CertificateChain{VcekCert: with.Certificate}
	if info.SigningKey == abi.VlekReportSigner {
		chain = &sevproto.CertificateChain{VlekCert: with.Certificate}
	}
	root := with.AMD
	if root == nil {
		if root, err = sevRoot(report, with.Certificate, info.SigningKey); err != nil {
			return nil, nil, fmt.Errorf("%w: %w", ErrCert, err)
		}
	}
	chain.AskCert, chain.ArkCert = root.ProductCerts.Ask.Raw, root.ProductCerts.Ark.Raw
	options := &sevverify.Options{Now: with.Now, DisableCertFetching: true, TrustedRoots: map[string][]*trust.AMDRootCerts{root.GetProductLine(): {root}}}
	if err := sevverify.SnpAttestation(&sevproto.Attestation{Report: report, CertificateChain: chain}, options); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrCert, err)
	}
	leaf, err := x509.ParseCertificate(with.Certificate)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrCert, err)
	}
	f := &Facts{Type: tee.SEV}
	copy(f.Report.Measurement[:], report.GetMeasurement())
	copy(f.Report.Data[:], report.GetReportData())
	for i := range 8 { // the order of the firmware's ABI: little-endian
		f.TCB[i] = byte(report.GetReportedTcb() >> (8 * i))
	}
	issuer := root.ProductCerts.Ask
	if info.SigningKey == abi.VlekReportSigner && root.ProductCerts.Asvk != nil {
		issuer = root.ProductCerts.Asvk
	}
	return f, []*x509.Certificate{leaf, issuer, root.ProductCerts.Ark}, nil
}
