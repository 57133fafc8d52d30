package quote

import (
	"crypto/x509"

	"github.com/google/go-sev-guest/abi"
	"github.com/google/go-sev-guest/kds"
	sevproto "github.com/google/go-sev-guest/proto/sevsnp"
	"github.com/google/go-sev-guest/verify/trust"
)

// sevRoot is AMD's root for the product of a report: newer reports name it, of older ones the certificate of the chip's key does.
func sevRoot(report *sevproto.Report, certificate []byte, signer abi.ReportSigner) (*trust.AMDRootCerts, error) {
	if fms := report.GetCpuid1EaxFms(); fms != 0 {
		return trust.GetDefaultRootCerts(kds.ProductLineFromFms(fms))
	}
	cert, err := x509.ParseCertificate(certificate)
	if err != nil {
		return nil, err
	}
	extensions, err := kds.CertificateExtensions(cert, signer)
	if err != nil {
		return nil, err
	}
	return trust.GetDefaultRootCerts(kds.ProductLineOfProductName(extensions.ProductName))
}
