package api

import (
	"context"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/actors/runner/paid"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/session"
	"github.com/cowboyinc/cowboy-go/chain/session/voucher"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Sessions reads sessions of payment. It implements the Chain of package actors/runner/paid.
type Sessions struct{ Node *Client }

// Session reads a session, and the height it is as of.
//
// Spec: gateway-payments-streams §D (Session).
func (s Sessions) Session(ctx context.Context, id digest.Hash) (on paid.Session, now unit.Height, err error) {
	var height wire.Height // asked first: what follows is no older
	if err := s.Node.Read(ctx, "/height", &height); err != nil {
		return on, 0, err
	}
	var v wire.Session
	if err := s.Node.Read(ctx, "/session/"+wire.Hash(id), &v); err != nil {
		if NotFound(err) {
			err = session.ErrUnknown
		}
		return on, 0, err
	}
	on.Paid = voucher.Paid{Nonce: v.LastVoucherNonce, Spent: unit.Amount(v.Spent), Deposit: unit.Amount(v.Deposit)}
	on.Expires = unit.Height(v.ExpiresAt)
	if on.Status, err = session.ParseStatus(v.Status); err != nil {
		return on, 0, err
	}
	if on.Payer, err = account.ParseAddress(v.Payer); err != nil {
		return on, 0, err
	}
	if on.Runner, err = account.ParseAddress(v.Runner); err != nil {
		return on, 0, err
	}
	on.Advert, err = digest.ParseHash(v.PriceAdvertDigest)
	return on, unit.Height(height.Height), err
}
