package present

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
)

// MaxHeaderBytes bounds a header that a client sends.
const MaxHeaderBytes = 16 << 10

// The rejects.
var (
	ErrHeader    = errors.New("present: the header is not of this form")
	ErrChallenge = errors.New("present: the challenge is not one of this server's")
)

// Challenge asks for a payment: WWW-Authenticate: Payment.
//
// Spec: gateway-payments-streams §F (MPP: id, realm, method, intent, expires, request, digest).
type Challenge struct {
	ID      string `json:"id"`
	Realm   string `json:"realm"`
	Method  string `json:"method"`  // of payment, such as "cowboy"
	Intent  string `json:"intent"`  // such as "charge"
	Request string `json:"request"` // base64url of the JSON that says what is to be paid
	Expires string `json:"expires,omitempty"`
	Digest  string `json:"digest,omitempty"` // of the request's body
	Opaque  string `json:"opaque,omitempty"`
}

// bind is the challenge's id: base64url(HMAC-SHA256(secret, realm|method|intent|request|expires|digest|opaque)), without padding; what is absent is an empty
// slot.
//
// Spec: gateway-payments-streams §F (MPP).
func (c *Challenge) bind(secret []byte) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(strings.Join([]string{c.Realm, c.Method, c.Intent, c.Request, c.Expires, c.Digest, c.Opaque}, "|")))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// NewChallenge gives a challenge its id. A field with a bar, a quotation mark or a backslash would be read as another: ErrHeader.
func NewChallenge(secret []byte, c Challenge) (Challenge, error) {
	if !c.plain() {
		return Challenge{}, ErrHeader
	}
	c.ID = c.bind(secret)
	return c, nil
}

// plain reports whether no field could be mistaken for two.
func (c *Challenge) plain() bool {
	for _, s := range [...]string{c.Realm, c.Method, c.Intent, c.Request, c.Expires, c.Digest, c.Opaque} {
		for i := range len(s) {
			if s[i] < ' ' || s[i] > '~' || s[i] == '|' || s[i] == '"' || s[i] == '\\' {
				return false
			}
		}
	}
	return true
}

// Header is the value of WWW-Authenticate.
func (c *Challenge) Header() string {
	var b strings.Builder
	b.WriteString(`Payment id="` + c.ID + `", realm="` + c.Realm + `", method="` + c.Method + `", intent="` + c.Intent + `", request="` + c.Request + `"`)
	for _, p := range [...][2]string{{"expires", c.Expires}, {"digest", c.Digest}, {"opaque", c.Opaque}} {
		if p[1] != "" {
			b.WriteString(", " + p[0] + `="` + p[1] + `"`)
		}
	}
	return b.String()
}

// Credential answers a challenge: Authorization: Payment.
type Credential struct {
	Challenge Challenge       `json:"challenge"`
	Source    string          `json:"source,omitempty"` // who pays, such as "did:cowboy:0x…"
	Payload   json.RawMessage `json:"payload"`
}

// ReadCredential reads the value of Authorization and holds its challenge to the server's secret; that it has not expired is the caller's to see. Rejects:
// ErrHeader, ErrChallenge.
//
// Spec: gateway-payments-streams §F (Authorization: Payment with base64url JSON).
func ReadCredential(secret []byte, value string) (c Credential, err error) {
	scheme, rest, _ := strings.Cut(value, " ")
	if len(value) > MaxHeaderBytes || !strings.EqualFold(scheme, "Payment") {
		return c, ErrHeader
	}
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(strings.TrimSpace(rest), "="))
	if err != nil || json.Unmarshal(raw, &c) != nil || len(c.Payload) == 0 {
		return Credential{}, ErrHeader
	}
	if !c.Challenge.plain() || !hmac.Equal([]byte(c.Challenge.ID), []byte(c.Challenge.bind(secret))) {
		return Credential{}, ErrChallenge
	}
	return c, nil
}

// Receipt says what became of a payment: Payment-Receipt.
type Receipt struct {
	Status    string `json:"status"` // "success"
	Method    string `json:"method"`
	Timestamp string `json:"timestamp"` // RFC 3339
	Reference string `json:"reference"` // the hash of the transaction
}

// Header is the value of Payment-Receipt: base64url JSON.
func (r *Receipt) Header() string { return encode(base64.RawURLEncoding, r) }

// encode is JSON as a header has it: no spaces, no line end, nothing escaped for a page.
func encode(as *base64.Encoding, v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return "" // a RawMessage that is no JSON
	}
	return as.EncodeToString([]byte(strings.TrimSuffix(b.String(), "\n")))
}
