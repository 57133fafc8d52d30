package gateway

import (
	"context"
	"encoding/hex"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/payment"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Cashier is the PaymentGate as a gateway sees it. Every method may be called from many goroutines. An error may be a *Refused; any other says that the node
// does not answer.
type Cashier interface {
	// Terms reads an actor's policy; a *Refused with status 404 says that it has none.
	Terms(ctx context.Context, actor account.Address) (wire.PaymentPolicy, error)
	// Holder reads what an account has of an actor's passes and epochs.
	Holder(ctx context.Context, actor, holder account.Address) (wire.PaymentHolder, error)
	// Tokens reads what an account has of a token.
	Tokens(ctx context.Context, token payment.Asset, holder account.Address) (unit.Uint128, error)
	// Payment reads what is remembered of a payment; a *Refused with status 404 says that nothing is.
	Payment(ctx context.Context, k payment.Key) (wire.Payment, error)
	// Pay runs a method of the PaymentGate in a transaction of the gateway's account, waits until a block has it, and gives the transaction's hash. A fault is
	// a *Refused.
	Pay(ctx context.Context, method string, args cbor.Map) (hash string, err error)
}

// Bounds of what a paywall remembers, and times.
const (
	termsFor      = time.Second // Spec: gateway-payments-streams §F (policies are cached for one block)
	settleWithin  = 30 * time.Second
	collectEvery  = time.Second
	quoteBlocks   = 300 // from a quote to the last block, or second, of its payment
	maxShown      = 65_536
	maxUnderWay   = 1_024
	payerHeader   = "X-Cowboy-Payer"
	paymentHeader = "X-Cowboy-Payment"
)

// Paywall asks for payments, holds them to what they are for, and has them settled. It is safe for many goroutines.
type Paywall struct {
	cashier Cashier
	gateway account.Address
	secret  []byte // of challenges
	now     func() time.Time

	terms *expirable.LRU[account.Address, *terms]
	owed  *expirable.LRU[receipt.ID, bool] // requests whose answers are not paid for yet

	mu     sync.Mutex
	open   map[payment.Key]bool // payments that are being used now
	tokens *expirable.LRU[payment.Key, bool]
}

// NewPaywall makes a paywall for a gateway. The secret binds its challenges.
func NewPaywall(c Cashier, gateway account.Address, secret []byte, now func() time.Time) *Paywall {
	return &Paywall{
		cashier: c, gateway: gateway, secret: secret, now: now, open: map[payment.Key]bool{},
		terms:  expirable.NewLRU[account.Address, *terms](rememberedActors, nil, termsFor),
		owed:   expirable.NewLRU[receipt.ID, bool](maxShown, nil, payment.MaxHold*time.Second),
		tokens: expirable.NewLRU[payment.Key, bool](maxShown, nil, 2*quoteBlocks*time.Second),
	}
}

// terms are an actor's policy with what the newest block adds.
type terms struct {
	policy *payment.Policy // nil: none
	wire   wire.PaymentPolicy
}

// of reads an actor's terms, asking the node at most once a second.
func (t *Paywall) of(ctx context.Context, actor account.Address) (*terms, error) {
	if x, ok := t.terms.Get(actor); ok {
		return x, nil
	}
	ctx, cancel := context.WithTimeout(ctx, nodeWithin)
	defer cancel()
	x := new(terms)
	v, err := t.cashier.Terms(ctx, actor)
	var refused *Refused
	switch {
	case errors.As(err, &refused) && refused.Status == http.StatusNotFound:
	case err != nil:
		return nil, err
	default:
		raw, err := hex.DecodeString(v.Encoded)
		if err != nil {
			return nil, err
		}
		if x.policy, err = payment.DecodePolicy(raw); err != nil {
			return nil, err
		}
		x.wire = v
	}
	t.terms.Add(actor, x)
	return x, nil
}

// The answers of a paywall that is not satisfied, as clients read them.
var (
	errUsed   = errors.New("the payment was used before, or is being used")
	errNotFor = errors.New("the payment is for something else than this request, or its price has changed")
	errLate   = errors.New("the payment is too old, or lasts too long")
	errSigned = errors.New("the payment is not signed by its payer for this chain")
	errEmpty  = errors.New("the payer has not enough for it")
)

// charge is what is done about a request's price once its handler has answered.
type charge struct {
	paywall  *Paywall
	terms    *terms
	price    *payment.Price
	resource *payment.Resource
	offered  *offered // nil: the actor's budget pays
	verdict  payment.Verdict
	held     bool // verify_payment has been run
}

// decide says what becomes of a request: a charge, nil for one that costs nothing, or why it has to be paid first.
//
// Spec: gateway-payments-streams §F (free, subscription, pass, budget, payment of the request, 402).
func (t *Paywall) decide(ctx context.Context, x *terms, res *payment.Resource, o *offered) (c *charge, verdict payment.Verdict, err error) {
	ask := payment.Request{
		Method: res.Method, Path: res.Path, Now: unit.Height(x.wire.Height) + 1, Budget: unit.Wide(x.wire.Balance + x.wire.Refill),
		Today:   unit.Wide(x.wire.SpentToday),
		Seconds: x.wire.Paid,
	}
	price := x.policy.PriceOf(res.Method, res.Path)
	var why error
	if o != nil && price != nil && price.Mode != payment.Free && !price.Amount.IsZero() {
		if why, err = t.weigh(ctx, x, price, res, o, &ask); err != nil {
			return nil, 0, err
		}
	}
	d := payment.Decide(x.policy, &ask)
	switch d.Verdict {
	case payment.ByFree:
		return nil, d.Verdict, nil
	case payment.Required, payment.Unavailable:
		return nil, d.Verdict, why
	case payment.ByBudget:
		o = nil
	}
	return &charge{paywall: t, terms: x, price: d.Price, resource: res, offered: o, verdict: d.Verdict}, d.Verdict, nil
}

// weigh holds an offered payment to the request, and notes in ask what it is good for. why says what is wrong with it.
func (t *Paywall) weigh(ctx context.Context, x *terms, price *payment.Price, res *payment.Resource, o *offered, ask *payment.Request) (why, err error) {
	ctx, cancel := context.WithTimeout(ctx, nodeWithin)
	defer cancel()
	k := o.payment.Key()
	has, err := t.cashier.Holder(ctx, res.Actor, k.Payer)
	if err != nil {
		return nil, err
	}
	if why = t.genuine(x, price, res, &o.payment); why != nil {
		return why, nil
	}
	kind := o.payment.Kind()
	if kind == payment.PayEpoch {
		if _, used := t.tokens.Get(k); used {
			return errUsed, nil
		}
		if has.ActiveUntil == 0 {
			return errEmpty, nil
		}
		until := unit.Height(has.ActiveUntil)
		ask.Subscribed = &until
		return nil, nil
	}
	known, err := t.cashier.Payment(ctx, k)
	var refused *Refused
	switch {
	case errors.As(err, &refused) && refused.Status == http.StatusNotFound:
	case err != nil:
		return nil, err
	case known.Status != payment.Verified.String() || known.Gateway != t.gateway.String() || known.Request != wire.Hash(res.Hash()):
		return errUsed, nil
	default:
		o.held = true // by an attempt whose handler did not answer well
	}
	balance := unit.Wide(has.Balance)
	if kind == payment.PayRequest && !o.held && !price.Asset.IsZero() {
		if balance, err = t.cashier.Tokens(ctx, price.Asset, k.Payer); err != nil {
			return nil, err
		}
	}
	switch {
	case kind == payment.PayPass && (o.held || has.Credits > 0):
		ask.Credits, ask.Expires = 1, ask.Now
	case kind == payment.PayRequest && (o.held || balance.Cmp(price.Amount) >= 0):
		ask.Paid = true
	default:
		return errEmpty, nil
	}
	return nil, nil
}

// genuine holds a payment to the request, its price, its time and its signature, as the chain will.
//
// Spec: gateway-payments-streams §F (verify_payment).
func (t *Paywall) genuine(x *terms, price *payment.Price, res *payment.Resource, p *payment.Payment) error {
	next, seconds := unit.Height(x.wire.Height)+1, uint64(t.now().Unix())
	var err error
	if a := p.Authorization; a != nil {
		if !price.Asset.IsZero() {
			return errNotFor
		}
		if left := a.ValidBefore - min(a.ValidBefore, seconds); left < payment.Headroom || left > payment.MaxHold {
			return errLate
		}
		err = a.Verify(x.wire.ChainID, seconds, res.PayTo(), price.Amount, sig.Default())
	} else {
		i := *p.Intent
		if left := i.ValidBefore - min(i.ValidBefore, next); left < payment.Headroom || left > payment.MaxHold {
			return errLate
		}
		w := &payment.Wanted{Kind: i.Kind, Actor: res.Actor, RequestHash: res.Hash()}
		switch {
		case i.Kind == payment.PayRequest:
			w.Amount, w.Asset = price.Amount, price.Asset
		case i.Kind == payment.PayPass && i.PassID != payment.PassOf(res.Actor, i.Payer):
			return errNotFor
		}
		err = i.Verify(x.wire.ChainID, next, w, sig.Default())
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, payment.ErrSignature):
		return errSigned
	case errors.Is(err, payment.ErrExpired):
		return errLate
	}
	return errNotFor
}

// begin takes a payment for the time of a request, so that two requests do not use it at once; for one that changes something it has the amount held.
//
// Spec: gateway-payments-streams §F (a nonce counts once a payer; Verified).
func (c *charge) begin(ctx context.Context) error {
	if c.offered == nil {
		return nil
	}
	k := c.offered.payment.Key()
	if err := c.paywall.enter(k); err != nil {
		return err
	}
	c.held = c.offered.held
	if c.verdict == payment.BySubscription {
		c.paywall.tokens.Add(k, true)
		return nil
	}
	if m := c.resource.Method; c.held || m == http.MethodGet || m == http.MethodHead {
		return nil
	}
	_, err := c.send(ctx, "verify_payment")
	if err != nil {
		c.paywall.leave(k)
		return err
	}
	c.held = true
	return nil
}

// end lets go of a payment.
func (c *charge) end() {
	if c.offered != nil {
		c.paywall.leave(c.offered.payment.Key())
	}
}

// enter begins to use a payment. Errors: errUsed for one that is being used, ErrBusy where as many are as may be.
func (t *Paywall) enter(k payment.Key) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.open[k]:
		return errUsed
	case len(t.open) >= maxUnderWay:
		return ErrBusy
	}
	t.open[k] = true
	return nil
}

func (t *Paywall) leave(k payment.Key) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.open, k)
}

// settle has the request paid for, after its handler has answered well. hash is that of the transaction, "" where there is none.
//
// Spec: gateway-payments-streams §F (settle only after 2xx or 3xx; settle_payment, deduct_budget).
func (c *charge) settle(ctx context.Context) (hash string, err error) {
	switch c.verdict {
	case payment.BySubscription:
		return "", nil
	case payment.ByBudget:
		return c.send(ctx, "deduct_budget")
	}
	return c.send(ctx, "settle_payment")
}

// send runs a method of the PaymentGate for the request.
func (c *charge) send(ctx context.Context, method string) (string, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleWithin)
	defer cancel()
	r := c.resource
	args := cbor.Map{{Key: "actor", Value: r.Actor[:]}, {Key: "method", Value: r.Method}, {Key: "path", Value: r.Path}}
	if c.offered != nil {
		args = append(args, cbor.Pair{Key: "payment", Value: c.offered.payment.Append(nil)}, cbor.Pair{Key: "rest", Value: r.Rest[:]})
	}
	c.paywall.terms.Remove(r.Actor) // the budget is another now
	return c.paywall.cashier.Pay(ctx, method, args)
}
