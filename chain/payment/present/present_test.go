package present

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// Identifiers by Python's hmac and base64: urlsafe_b64encode(hmac.new(secret, '|'.join(fields).encode(), sha256).digest()).rstrip(b'=').
//
// Spec: gateway-payments-streams §F (id = base64url(HMAC-SHA256(secret, realm|method|intent|request|expires|digest|opaque))).
func TestChallengeIDs(t *testing.T) {
	for want, x := range map[string]struct {
		secret string
		c      Challenge
	}{
		"Yd8XrE5vRfb5ZlDve3ouZWqplh5VvuSiZjUDTvGKvgU": {"secret", Challenge{
			Realm: "api.example", Method: "cowboy", Intent: "charge", Request: "eyJhbW91bnQiOiI1In0", Expires: "2026-11-23T08:00:00Z", Digest: "sha-256=:x:",
			Opaque: "o1",
		}},
		"Xqb5V25uZ00OBB_eMFI5DwH4gsKi1DR5CE_QyvG7u8Q": {"secret", Challenge{Realm: "api.example", Method: "cowboy", Intent: "charge", Request: "e30"}},
		"dMOIdGl4C_BXoB9_1v4GSDJMV-ZNTo7Vy9INo5l3PIE": {strings.Repeat("k", 64), Challenge{}},
	} {
		t.Run(want, func(t *testing.T) {
			c, err := NewChallenge([]byte(x.secret), x.c)
			if err != nil || c.ID != want {
				t.Fatal(c.ID, err)
			}
			text := `{"challenge":` + jsonOf(t, c) + `,"source":"did:cowboy:0x1","payload":{"intent":"00"}}`
			value := "Payment " + base64.RawURLEncoding.EncodeToString([]byte(text))
			back, err := ReadCredential([]byte(x.secret), value)
			if err != nil || back.Challenge != c || back.Source != "did:cowboy:0x1" || string(back.Payload) != `{"intent":"00"}` {
				t.Errorf("%+v %v", back, err)
			}
			if _, err := ReadCredential([]byte("another"), value); !errors.Is(err, ErrChallenge) {
				t.Error(err)
			}
		})
	}
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A challenge is written as the scheme has it, and one whose fields could be read as others is not made, nor taken: "a|b" and "" have the same
// bytes under the code as "a" and "b".
//
// Spec: gateway-payments-streams §F (WWW-Authenticate: Payment).
func TestChallenge(t *testing.T) {
	c := Challenge{ID: "x", Realm: "r", Method: "cowboy", Intent: "charge", Request: "e30"}
	if got, want := c.Header(), `Payment id="x", realm="r", method="cowboy", intent="charge", request="e30"`; got != want {
		t.Error(got)
	}
	c.Expires, c.Opaque = "2026-11-23T08:00:00Z", "o"
	if got := c.Header(); !strings.HasSuffix(got, `, expires="2026-11-23T08:00:00Z", opaque="o"`) {
		t.Error(got)
	}
	for _, text := range []string{`a|b`, `a"b`, `a\b`, "a\nb", "ä"} {
		t.Run(text, func(t *testing.T) {
			if _, err := NewChallenge(nil, Challenge{Realm: text}); !errors.Is(err, ErrHeader) {
				t.Error(err)
			}
			forged := Challenge{Realm: text}
			forged.ID = forged.bind(nil)
			value := "Payment " + base64.RawURLEncoding.EncodeToString([]byte(`{"challenge":`+jsonOf(t, forged)+`,"payload":{}}`))
			if _, err := ReadCredential(nil, value); !errors.Is(err, ErrChallenge) {
				t.Error(err)
			}
		})
	}
	for name, value := range map[string]string{
		"nothing": "", "another scheme": "Basic e30", "no base64": "Payment !", "no JSON": "Payment " + base64.RawURLEncoding.EncodeToString([]byte("{")),
		"no payload": "Payment e30", "too long": "Payment " + strings.Repeat("A", MaxHeaderBytes),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := ReadCredential(nil, value); !errors.Is(err, ErrHeader) {
				t.Error(err)
			}
		})
	}
	r := Receipt{Status: "success", Method: "cowboy", Timestamp: "2026-11-23T08:00:00Z", Reference: "0x01"}
	raw, err := base64.RawURLEncoding.DecodeString(r.Header())
	if want := `{"status":"success","method":"cowboy","timestamp":"2026-11-23T08:00:00Z","reference":"0x01"}`; err != nil || string(raw) != want {
		t.Errorf("%s %v", raw, err)
	}
}

// The headers of x402's own document, byte for byte: what it says a server sends is what this sends, and what it says a client sends is read.
// Source: x402, specs/transports-v2/http.md.
//
// Spec: gateway-payments-streams §F (x402).
func TestX402(t *testing.T) {
	extra := json.RawMessage(`{"name":"USDC","version":"2"}`)
	usdc := Requirements{
		Scheme: SchemeExact, Network: "eip155:84532", Amount: "10000", Asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
		PayTo: "0x209693Bc6afc0C5328bA36FaF03C514EF312287C", MaxTimeoutSeconds: 60, Extra: extra,
	}
	resource := Resource{URL: "https://api.example.com/premium-data", Description: "Access to premium market data", MimeType: "application/json"}
	required := PaymentRequired{X402Version: Version402, Error: "PAYMENT-SIGNATURE header is required", Resource: resource, Accepts: []Requirements{usdc}}
	for want, got := range map[string]string{
		exampleRequired: required.Header(),
		exampleSettled: (&SettlementResponse{
			Success: true, Transaction: "0x1234567890abcdef1234567890abcdef1234567890abcdef1234567890abcdef", Network: "eip155:84532",
			Payer: "0x857b06519E91e3A54538791bDbb0E22373e36b66",
		}).Header(),
		exampleFailed: (&SettlementResponse{ErrorReason: "insufficient_funds", Network: "eip155:84532"}).Header(),
	} {
		t.Run(want[:20], func(t *testing.T) {
			if got != want {
				t.Errorf("%s\nwant %s", got, want)
			}
		})
	}
	p, err := ReadPaymentSignature(exampleSignature)
	if err != nil || *p.Resource != resource || jsonOf(t, p.Accepted) != jsonOf(t, usdc) || !strings.Contains(string(p.Payload), `"validBefore":"1740672154"`) {
		t.Errorf("%+v %v", p, err)
	}
	for name, value := range map[string]string{
		"nothing": "", "no base64": "!", "version 1": base64.StdEncoding.EncodeToString([]byte(`{"x402Version":1,"payload":{}}`)),
		"no payload": base64.StdEncoding.EncodeToString([]byte(`{"x402Version":2}`)), "too long": strings.Repeat("A", MaxHeaderBytes+4),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := ReadPaymentSignature(value); !errors.Is(err, ErrHeader) {
				t.Error(err)
			}
		})
	}
}
