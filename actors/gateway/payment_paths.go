package gateway

import (
	"context"
	"net/http"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/payment"
)

// paymentPath begins the paths that tell of prices, none of which costs anything.
//
// Spec: gateway-payments-streams §F (paths under /_cowboy/payment/).
const paymentPath = "/_cowboy/payment/"

// prices answers what lies under paymentPath: policy, quote?method=&path=, budget, pass/{holder} and subscription?holder=.
//
// Spec: gateway-payments-streams §F.
func (d *Door) prices(w http.ResponseWriter, r *http.Request, actor account.Address, name wire.Name) {
	what := strings.TrimPrefix(r.URL.Path, paymentPath)
	if d.Paywall == nil || r.Method != http.MethodGet && r.Method != http.MethodHead {
		refuse(w, http.StatusNotFound, errNoSuchPath, "the gateway has nothing here")
		return
	}
	x, err := d.Paywall.of(r.Context(), actor)
	if err != nil {
		unreachable(w, err)
		return
	}
	if x.policy == nil {
		refuse(w, http.StatusNotFound, errNoSuchPath, "the actor has no payment policy")
		return
	}
	q := r.URL.Query()
	holder, isPass := strings.CutPrefix(what, "pass/")
	switch {
	case what == "policy":
		writeJSON(w, http.StatusOK, x.wire)
	case what == "budget":
		writeJSON(w, http.StatusOK, map[string]uint64{"budget_balance": x.wire.Balance, "budget_spent_today": x.wire.SpentToday})
	case what == "openapi.json":
		d.describe(w, r, actor, name)
	case what == "quote":
		d.quote(w, r, actor, name, x)
	case isPass:
		d.holder(w, r.Context(), actor, holder)
	case what == "subscription":
		d.holder(w, r.Context(), actor, q.Get("holder"))
	default:
		refuse(w, http.StatusNotFound, errNoSuchPath, "the gateway has nothing here")
	}
}

// quote says what a request without a body and a query would cost.
func (d *Door) quote(w http.ResponseWriter, r *http.Request, actor account.Address, name wire.Name, x *terms) {
	q := r.URL.Query()
	res := &payment.Resource{
		Gateway: d.Paywall.gateway, Actor: actor, Method: strings.ToUpper(q.Get("method")), Path: q.Get("path"), Rest: payment.Rest(name.FQDN, "", nil),
	}
	if res.Method == "" {
		res.Method = http.MethodGet
	}
	price := x.policy.PriceOf(res.Method, res.Path)
	if !x.policy.Enabled || price == nil || price.Mode == payment.Free || price.Amount.IsZero() {
		writeJSON(w, http.StatusOK, map[string]any{"free": true})
		return
	}
	writeJSON(w, http.StatusOK, d.Paywall.required(x, price, res, "https://"+name.FQDN+res.Path, ""))
}

// holder says what an account has of the actor's passes and epochs.
func (d *Door) holder(w http.ResponseWriter, ctx context.Context, actor account.Address, text string) {
	who, err := account.ParseAddress(strings.TrimPrefix(text, "did:cowboy:"))
	if err != nil {
		refuse(w, http.StatusBadRequest, errBadRequest, "a holder is an address, or did:cowboy: and an address")
		return
	}
	ctx, cancel := context.WithTimeout(ctx, nodeWithin)
	defer cancel()
	v, err := d.Paywall.cashier.Holder(ctx, actor, who)
	if err != nil {
		unreachable(w, err)
		return
	}
	writeJSON(w, http.StatusOK, v)
}
