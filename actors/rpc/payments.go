package rpc

import (
	"encoding/hex"
	"net/http"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/payment"
	"github.com/cowboyinc/cowboy-go/chain/rent"
)

// payments adds the calls about payments over HTTP.
//
// Spec: gateway-payments-streams §F.
func (s *server) payments(mux *http.ServeMux) {
	mux.HandleFunc("GET /actor/{addr}/payments", s.byAddress(func(_ *http.Request, a account.Address) (any, error) { return s.Backend.PaymentPolicy(a) }))
	mux.HandleFunc("GET /actor/{addr}/payments/{holder}", s.byAddress(func(r *http.Request, a account.Address) (any, error) {
		holder, err := account.ReadAddress(r.PathValue("holder"))
		if err != nil {
			return nil, badAddress(err)
		}
		return s.Backend.PaymentHolder(a, holder)
	}))
	mux.HandleFunc("GET /payment/{addr}/{form}/{nonce}", s.byAddress(func(r *http.Request, a account.Address) (any, error) {
		k := payment.Key{Payer: a}
		switch r.PathValue("form") {
		case "intent":
		case "authorization":
			k.Form = payment.ByAuthorization
		default:
			return nil, badRequest("the form of a payment is intent or authorization")
		}
		raw, err := hex.DecodeString(trim0x(r.PathValue("nonce")))
		if err != nil || len(raw) != digest.Size {
			return nil, badRequest("a nonce has 64 hexadecimal digits")
		}
		copy(k.Nonce[:], raw)
		return s.Backend.Payment(k)
	}))
}

// paymentCalls describes them.
func paymentCalls() []Call {
	return []Call{
		{"get", "/actor/{addr}/payments", "what requests over HTTP cost an actor's clients, and its budget", nil, "", wire.PaymentPolicy{}},
		{"get", "/actor/{addr}/payments/{holder}", "what an account has of an actor's passes and epochs", nil, "", wire.PaymentHolder{}},
		{"get", "/payment/{addr}/{form}/{nonce}", "what is remembered of a payment of an account, by its nonce; form is intent or authorization", nil, "",
			wire.Payment{}},
	}
}

// PaymentPolicy implements Backend. Spec: gateway-payments-streams §F (get_policy, budget_balance).
func (n *Node) PaymentPolicy(actor account.Address) (v wire.PaymentPolicy, err error) {
	t, err := n.tip()
	if err != nil {
		return v, err
	}
	view := t.State.Overlay()
	p, err := payment.LoadPolicy(view, actor)
	if err != nil {
		return v, err
	}
	if p == nil {
		return v, refuse(http.StatusNotFound, 4004, "the actor has no payment policy")
	}
	v = wire.ViewPolicy(p)
	f, err := payment.LoadFunds(view, actor)
	if err != nil {
		return v, err
	}
	if f != nil {
		f.At(t.Header.Height, t.Header.TimestampMs/1_000)
		v.Balance, v.SpentToday, v.Paid = uint64(f.Balance), uint64(f.Today), f.Count
	}
	v.ChainID, v.Height = n.ChainID, uint64(t.Header.Height)
	if p.Budget == nil || p.Budget.Refill.IsZero() {
		return v, nil
	}
	a, err := account.Load(view, actor)
	if err != nil {
		return v, err
	}
	governed, err := params.Load(t.State)
	if err != nil {
		return v, err
	}
	book, err := rent.Open(t.State, governed, t.Header.Height)
	if err == nil {
		v.Refill = uint64(payment.Refills(book.Spendable, p, &a))
	}
	return v, err
}

// PaymentHolder implements Backend. Spec: gateway-payments-streams §F (pass_balance, epoch_status).
func (n *Node) PaymentHolder(actor, holder account.Address) (v wire.PaymentHolder, err error) {
	t, err := n.tip()
	if err != nil {
		return v, err
	}
	view := t.State.Overlay()
	id := payment.PassOf(actor, holder)
	v.PassID = wire.Hash(id)
	c, err := payment.LoadCredits(view, id)
	if err != nil {
		return v, err
	}
	if c != nil && c.Expires > t.Header.Height {
		v.Credits, v.ExpiresAt = c.Left, uint64(c.Expires)
	}
	until, err := payment.Subscribed(view, actor, holder)
	if err != nil {
		return v, err
	}
	if until != nil && *until > t.Header.Height {
		v.ActiveUntil = uint64(*until)
	}
	a, err := account.Load(view, holder)
	v.Balance = uint64(a.Balance)
	return v, err
}

// Payment implements Backend. Spec: gateway-payments-streams §F.
func (n *Node) Payment(k payment.Key) (v wire.Payment, err error) {
	t, err := n.tip()
	if err != nil {
		return v, err
	}
	x, err := payment.LoadRecord(t.State.Overlay(), k)
	if err != nil {
		return v, err
	}
	if x == nil {
		return v, refuse(http.StatusNotFound, 4004, "nothing is remembered of this payment")
	}
	return wire.ViewPayment(k, x), nil
}
