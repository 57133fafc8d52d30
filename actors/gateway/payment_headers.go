package gateway

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/payment"
	"github.com/cowboyinc/cowboy-go/chain/payment/present"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The headers of payments.
//
// Spec: gateway-payments-streams §F (MPP, x402).
const (
	headerRequired  = "Payment-Required"
	headerSignature = "Payment-Signature"
	headerResponse  = "Payment-Response"
	headerReceipt   = "Payment-Receipt"
	methodCowboy    = "cowboy"
	intentCharge    = "charge"
)

// errHeader says that a header of a payment cannot be read.
var errHeader = errors.New("the header of the payment is not of its form")

// offered is a payment that came with a request.
type offered struct {
	payment payment.Payment
	mpp     bool // by Authorization; by PAYMENT-SIGNATURE otherwise
	network string
	held    bool // its amount is held for this request already
}

// payload is what a client signs, in either form.
type payload struct {
	Intent        string `json:"intent"` // hexadecimal digits of the canonical encoding
	Signature     string `json:"signature"`
	Authorization *struct {
		From        string `json:"from"`
		To          string `json:"to"`
		Value       string `json:"value"`
		ValidAfter  string `json:"validAfter"`
		ValidBefore string `json:"validBefore"`
		Nonce       string `json:"nonce"`
	} `json:"authorization"`
}

func unhex(text string, into []byte) bool {
	raw, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
	return err == nil && len(raw) == len(into) && copy(into, raw) == len(into)
}

// read reads what a client signed.
func (p *payload) read() (payment.Payment, error) {
	if p.Intent != "" {
		raw, err := hex.DecodeString(strings.TrimPrefix(p.Intent, "0x"))
		if err != nil {
			return payment.Payment{}, errHeader
		}
		i, err := payment.DecodeIntent(raw)
		if err != nil {
			return payment.Payment{}, errHeader
		}
		return payment.Payment{Intent: &i}, nil
	}
	w := p.Authorization
	if w == nil {
		return payment.Payment{}, errHeader
	}
	var a payment.Authorization
	var err [3]error
	a.Value, err[0] = unit.ParseUint128(w.Value)
	a.ValidAfter, err[1] = strconv.ParseUint(w.ValidAfter, 10, 64)
	a.ValidBefore, err[2] = strconv.ParseUint(w.ValidBefore, 10, 64)
	ok := unhex(w.From, a.From[:]) && unhex(w.To, a.To[:]) && unhex(w.Nonce, a.Nonce[:]) && unhex(p.Signature, a.Signature[:])
	if !ok || errors.Join(err[:]...) != nil {
		return payment.Payment{}, errHeader
	}
	if v := &a.Signature[len(a.Signature)-1]; *v >= 27 {
		*v -= 27 // as wallets of Ethereum write it
	}
	return payment.Payment{Authorization: &a}, nil
}

// offer reads the payment that came with a request; nil where none did.
//
// Spec: gateway-payments-streams §F (Authorization: Payment; PAYMENT-SIGNATURE).
func (t *Paywall) offer(h http.Header) (*offered, error) {
	var raw json.RawMessage
	o := new(offered)
	if value := h.Get("Authorization"); len(value) >= 8 && strings.EqualFold(value[:8], "Payment ") {
		c, err := present.ReadCredential(t.secret, value)
		if err != nil {
			return nil, err
		}
		until, err := time.Parse(time.RFC3339, c.Challenge.Expires)
		if err != nil || !t.now().Before(until) {
			return nil, errLate
		}
		raw, o.mpp = c.Payload, true
	} else if value := h.Get(headerSignature); value != "" {
		s, err := present.ReadPaymentSignature(value)
		if err != nil {
			return nil, err
		}
		raw, o.network = s.Payload, s.Accepted.Network
	} else {
		return nil, nil
	}
	var p payload
	if json.Unmarshal(raw, &p) != nil {
		return nil, errHeader
	}
	var err error
	o.payment, err = p.read()
	return o, err
}

// networkOf is the chain by CAIP-2, and as wallets of Ethereum call it.
func networkOf(chainID uint64) (own, ethereum string) {
	id := strconv.FormatUint(chainID, 10)
	return "cowboy:" + id, "eip155:" + id
}

// charged is what a client of ours is told beside the standard's fields.
type charged struct {
	Gateway     string `json:"gateway"`
	Actor       string `json:"actor"`
	RequestHash string `json:"requestHash"`
	ValidBefore uint64 `json:"validBefore"` // a block
	ChainID     uint64 `json:"chainId"`
	PassID      string `json:"passId,omitempty"` // what it is made of: keccak256("CowboyPass\x01" ‖ actor ‖ holder)
}

func rawJSON(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		return nil // of types of this package, which all have a form
	}
	return data
}

// required lists the ways to pay for a request.
//
// Spec: gateway-payments-streams §F (x402; cowboy:exact, exact, cowboy:pass, cowboy:epoch).
func (t *Paywall) required(x *terms, price *payment.Price, res *payment.Resource, url, why string) *present.PaymentRequired {
	own, ethereum := networkOf(x.wire.ChainID)
	extra := rawJSON(charged{
		t.gateway.String(), res.Actor.String(), wire.Hash(res.Hash()), x.wire.Height + quoteBlocks, x.wire.ChainID, "",
	})
	p := &present.PaymentRequired{X402Version: present.Version402, Error: why, Resource: present.Resource{URL: url}}
	add := func(scheme, network, amount, asset string, to account.Address, extra json.RawMessage) {
		p.Accepts = append(p.Accepts, present.Requirements{
			Scheme: scheme, Network: network, Amount: amount, Asset: asset, PayTo: to.String(), MaxTimeoutSeconds: quoteBlocks, Extra: extra,
		})
	}
	amount := price.Amount.String()
	if price.Asset.IsZero() { // the standard's scheme names an asset by an address, which tokens have none of
		add(present.SchemeExact, ethereum, amount, payment.Home().String(), res.PayTo(), rawJSON(map[string]string{
			"name": payment.DomainName, "version": payment.DomainVersion, "assetTransferMethod": "eip3009",
		}))
	}
	add(present.SchemeCowboyExact, own, amount, payment.AssetText(price.Asset), x.policy.Treasury, extra)
	if x.policy.Pass != nil {
		add(present.SchemePass, own, "0", payment.AssetName, x.policy.Treasury, extra)
	}
	if x.policy.Epoch != nil {
		add(present.SchemeEpoch, own, "0", payment.AssetName, x.policy.Treasury, extra)
	}
	return p
}

// ask answers 402 with every way to pay, and with why what came is not enough.
//
// Spec: gateway-payments-streams §F (402, WWW-Authenticate: Payment, PAYMENT-REQUIRED).
func (t *Paywall) ask(w http.ResponseWriter, x *terms, res *payment.Resource, host, url string, why error) {
	price := x.policy.PriceOf(res.Method, res.Path)
	text := "PAYMENT-SIGNATURE header is required"
	if why != nil {
		text = why.Error()
	}
	p := t.required(x, price, res, url, text)
	own, _ := networkOf(x.wire.ChainID)
	request := base64.RawURLEncoding.EncodeToString(rawJSON(map[string]any{ // in the order of the names, in which clients write it again (RFC 8785)
		"amount": price.Amount.String(), "currency": payment.AssetText(price.Asset), "recipient": x.policy.Treasury.String(), "network": own,
		"details": map[string]any{
			"gateway": t.gateway.String(), "actor": res.Actor.String(), "requestHash": wire.Hash(res.Hash()), "validBefore": x.wire.Height + quoteBlocks,
			"chainId": x.wire.ChainID,
		},
	}))
	c, err := present.NewChallenge(t.secret, present.Challenge{
		Realm: host, Method: methodCowboy, Intent: intentCharge, Request: request,
		Expires: t.now().Add(quoteBlocks * time.Second).UTC().Format(time.RFC3339),
	})
	h := w.Header()
	if err == nil {
		h.Set("Www-Authenticate", c.Header())
	}
	h.Set(headerRequired, p.Header())
	h.Set("Cache-Control", "no-store")
	h.Set(errorHeader, errPayment)
	writeJSON(w, http.StatusPaymentRequired, p)
}

// tell says in the headers of an answer that it was paid for, in the manner in which it was.
//
// Spec: gateway-payments-streams §F (Payment-Receipt, PAYMENT-RESPONSE).
func (c *charge) tell(h http.Header, hash string) {
	if c.offered == nil || hash == "" {
		return
	}
	if c.offered.mpp {
		r := present.Receipt{Status: "success", Method: methodCowboy, Timestamp: c.paywall.now().UTC().Format(time.RFC3339), Reference: hash}
		h.Set(headerReceipt, r.Header())
		return
	}
	payer := c.offered.payment.Key().Payer
	r := present.SettlementResponse{Success: true, Transaction: hash, Network: c.offered.network, Payer: payer.String()}
	h.Set(headerResponse, r.Header())
}

// failed says in the headers why a payment was not settled.
func (o *offered) failed(h http.Header, why error) {
	if o == nil || o.mpp {
		return
	}
	payer := o.payment.Key().Payer
	r := present.SettlementResponse{ErrorReason: why.Error(), Network: o.network, Payer: payer.String()}
	h.Set(headerResponse, r.Header())
}
