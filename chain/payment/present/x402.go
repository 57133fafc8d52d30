package present

import (
	"encoding/base64"
	"encoding/json"
)

// Version402 is the version of x402 that is spoken.
const Version402 = 2

// The schemes.
//
// Spec: gateway-payments-streams §F (x402).
const (
	SchemeCowboyExact = "cowboy:exact"
	SchemeExact       = "exact"
	SchemePass        = "cowboy:pass"
	SchemeEpoch       = "cowboy:epoch"
)

// Resource is what is paid for. Source: x402, specs/x402-specification-v2.md.
type Resource struct {
	URL         string `json:"url"`
	Description string `json:"description,omitempty"`
	MimeType    string `json:"mimeType,omitempty"`
}

// Requirements is one way to pay. Source: x402, specs/x402-specification-v2.md.
type Requirements struct {
	Scheme            string          `json:"scheme"`
	Network           string          `json:"network"` // CAIP-2
	Amount            string          `json:"amount"`  // decimal digits, in the asset's smallest units
	Asset             string          `json:"asset"`
	PayTo             string          `json:"payTo"`
	MaxTimeoutSeconds int             `json:"maxTimeoutSeconds"`
	Extra             json.RawMessage `json:"extra,omitempty"`
}

// PaymentRequired is what PAYMENT-REQUIRED holds. Source: x402, specs/transports-v2/http.md.
type PaymentRequired struct {
	X402Version int            `json:"x402Version"`
	Error       string         `json:"error,omitempty"`
	Resource    Resource       `json:"resource"`
	Accepts     []Requirements `json:"accepts"`
}

// Header is the value of PAYMENT-REQUIRED.
func (p *PaymentRequired) Header() string { return encode(base64.StdEncoding, p) }

// PaymentSignature is what PAYMENT-SIGNATURE holds. Source: x402, specs/transports-v2/http.md.
type PaymentSignature struct {
	X402Version int             `json:"x402Version"`
	Resource    *Resource       `json:"resource,omitempty"`
	Accepted    Requirements    `json:"accepted"`
	Payload     json.RawMessage `json:"payload"`
}

// ReadPaymentSignature reads the value of PAYMENT-SIGNATURE. Reject: ErrHeader, for another version too.
//
// Spec: gateway-payments-streams §F (x402).
func ReadPaymentSignature(value string) (p PaymentSignature, err error) {
	if len(value) > MaxHeaderBytes {
		return p, ErrHeader
	}
	raw, err := base64.StdEncoding.DecodeString(value)
	if err != nil || json.Unmarshal(raw, &p) != nil || p.X402Version != Version402 || len(p.Payload) == 0 {
		return PaymentSignature{}, ErrHeader
	}
	return p, nil
}

// SettlementResponse is what PAYMENT-RESPONSE holds. Source: x402, specs/transports-v2/http.md.
type SettlementResponse struct {
	Success     bool   `json:"success"`
	ErrorReason string `json:"errorReason,omitempty"`
	Transaction string `json:"transaction,omitempty"`
	Network     string `json:"network"`
	Payer       string `json:"payer,omitempty"`
}

// Header is the value of PAYMENT-RESPONSE.
func (s *SettlementResponse) Header() string { return encode(base64.StdEncoding, s) }
