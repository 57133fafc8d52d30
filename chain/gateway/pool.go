package gateway

import (
	"math/big"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// advance counts the gateway's healthy blocks before a height, by the epochs of the pool they lie in. Nothing is counted of the time after it began to leave.
func (p *Profile) advance(e *Epoch, c Config, to unit.Height) {
	if p.Epoch < e.Number {
		if p.Epoch+1 == e.Number {
			p.Before = p.Up
		} else {
			p.Before = 0
		}
		p.Up, p.Epoch = 0, e.Number
	}
	healthy := min(to, p.Heartbeat+unit.Height(c.Health))
	if p.Leaving != nil {
		healthy = min(healthy, unit.Height(*p.Leaving))
	}
	overlap := func(from, until unit.Height) uint64 {
		from, until = max(from, p.Counted), min(until, healthy)
		if until <= from {
			return 0
		}
		return uint64(until - from)
	}
	p.Before += overlap(e.Closed, e.Began)
	p.Up += overlap(e.Began, to)
	p.Counted = max(p.Counted, to)
}

// Payment is what a gateway got of the pool.
type Payment struct {
	To     account.Address
	Amount unit.Amount
}

// Walk does a block's part of sharing out the pool, once at its end: it closes the epoch whose time is over, and looks at WalkPerBlock gateways at most.
// mayHold reports whether an address may keep coins; the share of one that may not stays in the pool. What it gives is credited already.
//
// Spec: gateway-payments-streams §B (reward per epoch).
func Walk(s state.Store, c Config, pool Pool, at unit.Height, mayHold func(account.Address) (bool, error)) ([]Payment, error) {
	e, err := LoadEpoch(s)
	if err != nil {
		return nil, err
	}
	if uint64(at-e.Began) >= pool.Blocks {
		pot, err := InPool(s)
		if err != nil {
			return nil, err
		}
		e = Epoch{Number: e.Number + 1, Began: at, Closed: e.Began, Pot: pot}
		if pot > 0 {
			e.Phase = Summing
		}
		s.Set(single(nameEpoch), e.Append(nil))
		return nil, nil
	}
	var paid []Payment
	switch e.Phase {
	case Summing:
		err = e.sum(s, c, at)
	case Paying:
		paid, err = e.pay(s, pool, mayHold)
	default:
		return nil, nil
	}
	if err == nil {
		s.Set(single(nameEpoch), e.Append(nil))
	}
	return paid, err
}

// next lists the gateways a block looks at, and moves the phase on with the last of them.
func (e *Epoch) next(s state.Store, then Phase) ([]Located, error) {
	list, err := List(s, e.Cursor, WalkPerBlock)
	if err != nil {
		return nil, err
	}
	if len(list) < WalkPerBlock {
		e.Phase, e.Cursor = then, nil
	} else {
		last := list[len(list)-1].Address
		e.Cursor = &last
	}
	return list, nil
}

// sum notes the shares of some gateways.
func (e *Epoch) sum(s state.Store, c Config, at unit.Height) error {
	list, err := e.next(s, Paying)
	if err != nil {
		return err
	}
	for i := range list {
		p := &list[i].Profile
		p.advance(e, c, at)
		p.Shared, p.Weight, p.Uptime = e.Number, 0, p.Before
		if p.Before > 0 {
			p.Weight = p.Stake
		}
		e.Weight, e.Uptime = e.Weight+p.Weight, e.Uptime+p.Uptime // below the supply, and below a year's blocks for each gateway
		s.Set(profileKey(list[i].Address), p.Append(nil))
	}
	return nil
}

// pay gives some gateways their shares.
func (e *Epoch) pay(s state.Store, pool Pool, mayHold func(account.Address) (bool, error)) (paid []Payment, err error) {
	list, err := e.next(s, Resting)
	if err != nil || e.Uptime == 0 {
		return nil, err
	}
	left, err := InPool(s)
	if err != nil {
		return nil, err
	}
	for _, one := range list {
		if one.Profile.Shared != e.Number || one.Profile.Uptime == 0 {
			continue
		}
		amount := Share(e.Pot, pool, one.Profile.Weight, e.Weight, one.Profile.Uptime, e.Uptime)
		if ok, err := mayHold(one.Address); err != nil {
			return nil, err
		} else if !ok || amount == 0 {
			continue
		}
		if left, err = left.Sub(amount); err != nil {
			return nil, err
		}
		if err := account.Credit(s, one.Address, amount); err != nil {
			return nil, err
		}
		paid = append(paid, Payment{one.Address, amount})
	}
	setNumber(s, namePool, uint64(left))
	return paid, nil
}

// Share is a gateway's part of a pot, rounded down: by the weights for its part of all stake and for its part of all healthy blocks. The wholes are not
// zero.
//
// Spec: gateway-payments-streams §B (pool × (5000·stake + 5000·uptime) / Σ).
func Share(pot unit.Amount, pool Pool, stake, stakes unit.Amount, uptime, uptimes uint64) unit.Amount {
	n := func(x uint64) *big.Int { return new(big.Int).SetUint64(x) }
	mul := func(list ...uint64) *big.Int {
		product := big.NewInt(1)
		for _, x := range list {
			product.Mul(product, n(x))
		}
		return product
	}
	part := mul(pool.StakeBPS, uint64(stake), uptimes)
	part.Add(part, mul(pool.UptimeBPS, uptime, uint64(stakes)))
	part.Mul(part, n(uint64(pot)))
	part.Quo(part, mul(pool.StakeBPS+pool.UptimeBPS, uint64(stakes), uptimes))
	return unit.Amount(part.Uint64())
}
