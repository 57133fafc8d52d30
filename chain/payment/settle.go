package payment

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Verify takes a payment for a request at a gateway and holds its amount, or a credit of its pass, until it is settled or expires. Rejects: ErrPolicy,
// ErrFree, ErrSpent, ErrOther, ErrExpired, ErrSignature, ErrFunds, ErrToken, ErrCredits.
//
// Spec: gateway-payments-streams §F (verify_payment; an intent is Quoted, Verified, then Settled or Expired).
func (b *Book) Verify(pay *Payment, r *Resource) error {
	x, _, err := b.check(pay, r)
	if err != nil {
		return err
	}
	if err := b.take(pay, x); err != nil {
		return err
	}
	if err := b.hold(x.coins()); err != nil {
		return err
	}
	k := pay.Key()
	b.remember(k, x)
	b.tellVerified(k, x)
	return nil
}

// Settle pays an actor what the payment of a request at a gateway gives: what Verify has held for that gateway and request, or, where it was not asked, what
// it would hold. The same payment settles once. Rejects: those of Verify, ErrTreasury.
//
// Spec: gateway-payments-streams §F (settle_payment; a nonce counts once a payer, again is replay).
func (b *Book) Settle(pay *Payment, r *Resource) error {
	k := pay.Key()
	x, err := LoadRecord(b.State, k)
	if err != nil {
		return err
	}
	var p *Policy
	if x == nil {
		if x, p, err = b.check(pay, r); err != nil {
			return err
		}
		if err := b.take(pay, x); err != nil {
			return err
		}
		b.State.Set(dueKey(x.Expires, dueSpent, k.Append(nil)), nil)
	} else {
		switch {
		case x.Status != Verified || x.Gateway != r.Gateway || x.Request != r.Hash():
			return ErrSpent
		case b.Height >= x.Expires:
			return ErrExpired
		}
		if p, err = LoadPolicy(b.State, x.Actor); err != nil {
			return err
		}
		if err := b.release(x.coins()); err != nil {
			return err
		}
	}
	var fee unit.Uint128
	switch {
	case !x.Asset.IsZero():
		fee, err = b.payTokens(p, x)
	case !x.Amount.IsZero():
		var coins unit.Amount
		coins, err = b.pay(p, x.coins())
		fee = unit.Wide(uint64(coins))
	}
	if err != nil {
		return err
	}
	x.Status = Settled
	b.State.Set(at(underSpent, k.Append(nil)), x.Append(nil))
	b.tellSettled(k, x, fee)
	return nil
}

// coins are those in a payment: none in one of tokens, or with a credit.
func (x *Record) coins() unit.Amount {
	if !x.Asset.IsZero() {
		return 0
	}
	return unit.Amount(x.Amount.Lo)
}

// check holds a payment to a request and what it costs now, and gives what is to be remembered of it. The price is that of the policy in this block: one that
// changed after it was quoted is ErrOther, and nobody loses anything.
func (b *Book) check(pay *Payment, r *Resource) (*Record, *Policy, error) {
	p, err := b.policy(r.Actor)
	if err != nil {
		return nil, nil, err
	}
	price := p.PriceOf(r.Method, r.Path)
	if price == nil || price.Mode == Free || price.Amount.IsZero() {
		return nil, nil, ErrFree
	}
	if was, err := LoadRecord(b.State, pay.Key()); err != nil {
		return nil, nil, err
	} else if was != nil {
		return nil, nil, ErrSpent
	}
	x := &Record{Actor: r.Actor, Gateway: r.Gateway, Request: r.Hash(), Kind: pay.Kind()}
	var left uint64
	var verify func() error
	switch {
	case pay.Authorization != nil:
		a := pay.Authorization
		if !price.Asset.IsZero() { // what it names as its contract is the gate's coins
			return nil, nil, ErrOther
		}
		x.Amount, x.Until = price.Amount, a.ValidBefore
		left = a.ValidBefore - min(a.ValidBefore, b.Seconds)
		verify = func() error { return a.Verify(b.ChainID, b.Seconds, r.PayTo(), price.Amount, b.Recover) }
	default:
		i, w := pay.Intent, &Wanted{Kind: pay.Intent.Kind, Actor: r.Actor, RequestHash: x.Request}
		switch i.Kind {
		case PayRequest:
			x.Amount, w.Amount = price.Amount, price.Amount
			x.Asset, w.Asset = price.Asset, price.Asset
		case PayPass:
			if i.PassID != PassOf(r.Actor, i.Payer) {
				return nil, nil, ErrOther
			}
		default: // a subscription is shown, and not used up
			return nil, nil, ErrOther
		}
		left = uint64(i.ValidBefore - min(i.ValidBefore, b.Height))
		verify = func() error { return i.Verify(b.ChainID, b.Height, w, b.Recover) }
	}
	if left < Headroom || left > MaxHold {
		return nil, nil, ErrExpired
	}
	x.Expires = b.Height + unit.Height(left)
	return x, p, verify()
}

// take takes what a payment gives: coins or tokens of its payer, or a credit.
func (b *Book) take(pay *Payment, x *Record) error {
	switch {
	case !x.Asset.IsZero():
		return b.debitTokens(pay.Key().Payer, x)
	case x.Kind == PayRequest:
		return b.debit(pay.Key().Payer, x.coins())
	}
	id := pay.Intent.PassID
	c, err := LoadCredits(b.State, id)
	if err != nil {
		return err
	}
	if c == nil || c.Left == 0 || c.Expires < b.Height {
		return ErrCredits
	}
	c.Left--
	b.State.Set(at(underPass, id[:]), c.Append(nil))
	return nil
}

func (b *Book) remember(k Key, x *Record) {
	rest := k.Append(nil)
	b.State.Set(at(underSpent, rest), x.Append(nil))
	b.State.Set(dueKey(x.Expires, dueSpent, rest), nil)
}

// Sweep forgets payments, passes and subscriptions whose time is over, the oldest first and most of them at once, and gives back what was held of payments
// that were not settled. Its work does not depend on how many there are.
//
// Spec: gateway-payments-streams §F (Expired).
func (b *Book) Sweep(most int) (n int, err error) {
	prefix := at(underDue)
	var list [][]byte
	err = b.State.Scan(prefix, nil, most, func(key, _ []byte) bool {
		rest := key[len(prefix):]
		if len(rest) <= 9 || unit.Height(binary.BigEndian.Uint64(rest)) > b.Height {
			return false
		}
		list = append(list, append([]byte(nil), key...))
		return true
	})
	if err != nil {
		return 0, err
	}
	for _, key := range list {
		b.State.Delete(key)
		what, rest := key[len(prefix)+8], key[len(prefix)+9:]
		again := unit.Height(0)
		switch what {
		case dueSpent:
			again, err = b.expire(rest)
		case duePass:
			again, err = b.lapse(at(underPass, rest), func(data []byte) (unit.Height, error) {
				c, err := decodeCredits(data)
				return c.Expires, err
			})
		default:
			again, err = b.lapse(at(underEpoch, rest), func(data []byte) (unit.Height, error) {
				h, err := decodeHeight(data)
				return *h, err
			})
		}
		if err != nil {
			return 0, err
		}
		if again > 0 {
			b.State.Set(dueKey(again, what, rest), nil)
		}
	}
	return len(list), nil
}

// lapse removes an entry whose last height is over, and gives when it will be if it is not yet.
func (b *Book) lapse(key []byte, last func([]byte) (unit.Height, error)) (again unit.Height, err error) {
	data, ok, err := b.State.Lookup(key)
	if err != nil || !ok {
		return 0, err
	}
	until, err := last(data)
	if err != nil {
		return 0, err
	}
	if until >= b.Height {
		return until + 1, nil
	}
	b.State.Delete(key)
	return 0, nil
}

// expire forgets a payment that can no longer be shown, and gives back what was held of it. An authorization counts by the time of blocks: where they come
// faster than one a second it is looked at again.
func (b *Book) expire(rest []byte) (again unit.Height, err error) {
	key := at(underSpent, rest)
	x, err := state.Find(b.State, key, decodeRecord)
	if err != nil || x == nil {
		return 0, err
	}
	if x.Status == Verified {
		if err := b.refund(rest, x); err != nil {
			return 0, err
		}
	}
	if b.Seconds < x.Until {
		if x.Status == Verified {
			x.Status = Expired
		}
		b.State.Set(key, x.Append(nil))
		return b.Height + unit.Height(x.Until-b.Seconds), nil
	}
	b.State.Delete(key)
	return 0, nil
}

// refund gives back what is held of a payment.
func (b *Book) refund(rest []byte, x *Record) error {
	payer := account.Address(rest[:account.AddressSize])
	switch {
	case !x.Asset.IsZero():
		if err := b.Tokens.Return(x.Asset, Home(), payer, x.Amount); err != nil {
			return err
		}
	case x.Kind == PayPass:
		id := PassOf(x.Actor, payer)
		c, err := LoadCredits(b.State, id)
		if err != nil {
			return err
		}
		if c != nil && c.Left < MaxCredits {
			c.Left++
			b.State.Set(at(underPass, id[:]), c.Append(nil))
		}
	default:
		if err := b.release(x.coins()); err != nil {
			return err
		}
		if err := b.credit(payer, x.coins()); err != nil {
			return err
		}
	}
	b.tellRefunded(rest, x)
	return nil
}
