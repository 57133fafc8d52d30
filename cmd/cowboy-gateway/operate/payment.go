package operate

import (
	"context"
	"net/http"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/gateway"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/payment"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// includedEvery is how often the node is asked whether a payment is in a block.
const includedEvery = 200 * time.Millisecond

// Terms implements gateway.Cashier.
func (c *client) Terms(ctx context.Context, actor account.Address) (v wire.PaymentPolicy, err error) {
	return v, Refused(c.wallet.Node.Read(ctx, "/actor/"+actor.String()+"/payments", &v))
}

// Holder implements gateway.Cashier.
func (c *client) Holder(ctx context.Context, actor, holder account.Address) (v wire.PaymentHolder, err error) {
	return v, Refused(c.wallet.Node.Read(ctx, "/actor/"+actor.String()+"/payments/"+holder.String(), &v))
}

// Tokens implements gateway.Cashier.
func (c *client) Tokens(ctx context.Context, token payment.Asset, holder account.Address) (unit.Uint128, error) {
	var v wire.TokenBalance
	if err := Refused(c.wallet.Node.Read(ctx, "/token/"+token.String()+"/balance/"+holder.String(), &v)); err != nil {
		return unit.Uint128{}, err
	}
	return unit.ParseUint128(v.Balance)
}

// Payment implements gateway.Cashier.
func (c *client) Payment(ctx context.Context, k payment.Key) (v wire.Payment, err error) {
	form := "intent"
	if k.Form == payment.ByAuthorization {
		form = "authorization"
	}
	return v, Refused(c.wallet.Node.Read(ctx, "/payment/"+k.Payer.String()+"/"+form+"/"+k.Nonce.String(), &v))
}

// Pay implements gateway.Cashier.
//
// Spec: gateway-payments-streams §F (verify_payment, settle_payment, deduct_budget).
func (c *client) Pay(ctx context.Context, method string, args cbor.Map) (string, error) {
	data, err := cbor.Append(nil, args)
	if err != nil {
		return "", err
	}
	in := &tx.Execute{To: account.System(account.PaymentGate), Handler: []byte(method), Payload: data}
	hash, err := c.sendNamed(ctx, in, tx.Cost{Cycles: 300_000, Cells: 30_000})
	if err != nil {
		return "", err
	}
	name := wire.Hash(hash)
	r, err := c.wallet.Node.Receipt(ctx, name, includedEvery)
	if err != nil {
		return "", Refused(err)
	}
	if c.saw != nil {
		c.saw(r.BlockHeight)
	}
	if !r.Success {
		why := r.Status
		if r.Error != nil {
			why = r.Error.Why
		}
		return name, &gateway.Refused{Status: http.StatusPaymentRequired, Text: why}
	}
	return name, nil
}
