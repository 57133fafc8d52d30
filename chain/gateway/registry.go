package gateway

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Registry is the registry of gateways during one execution. A method that gives a reject has written nothing.
type Registry struct {
	State  state.Store
	Config Config
	Height unit.Height // of the block
}

func checkEndpoint(endpoint string, port uint64) error {
	if endpoint == "" || len(endpoint) > MaxEndpoint || port == 0 || port > 1<<16-1 {
		return ErrEndpoint
	}
	for i := range len(endpoint) {
		if endpoint[i] <= ' ' || endpoint[i] >= 0x7f {
			return ErrEndpoint
		}
	}
	return nil
}

// Register makes an address a gateway, or changes where one answers; the coins, which were taken from an account, are added to its stake. Registering counts
// as a heartbeat. Rejects: ErrEndpoint, ErrStake, ErrLeaving, ErrFull.
//
// Spec: gateway-payments-streams §B (register_gateway).
func (g *Registry) Register(by account.Address, endpoint string, port uint64, coins unit.Amount) error {
	if err := checkEndpoint(endpoint, port); err != nil {
		return err
	}
	p, err := Load(g.State, by)
	fresh := errors.Is(err, ErrUnknown)
	switch {
	case err != nil && !fresh:
		return err
	case p.Leaving != nil:
		return ErrLeaving
	}
	if p.Stake, err = p.Stake.Add(coins); err != nil {
		return err
	}
	if p.Stake < g.Config.MinStake {
		return ErrStake
	}
	if fresh {
		n, err := state.Number(g.State, single(nameCount))
		if err != nil {
			return err
		}
		if n >= MaxGateways {
			return ErrFull
		}
		p.Registered, p.Counted = g.Height, g.Height
		setNumber(g.State, nameCount, n+1)
	} else if err := g.count(&p); err != nil {
		return err
	}
	p.Endpoint, p.Port, p.Heartbeat = endpoint, uint16(port), g.Height
	return g.moved(by, &p, int64(coins))
}

// Heartbeat makes a gateway's health whole. Rejects: ErrUnknown, ErrLeaving.
//
// Spec: gateway-payments-streams §B (heartbeat).
func (g *Registry) Heartbeat(by account.Address) error {
	p, err := Load(g.State, by)
	if err != nil {
		return err
	}
	if p.Leaving != nil {
		return ErrLeaving
	}
	if err := g.count(&p); err != nil {
		return err
	}
	p.Heartbeat = g.Height
	g.State.Set(profileKey(by), p.Append(nil))
	return nil
}

// Unstake has a gateway leave; asked again when the delay is over it removes the gateway and gives what it had staked, which is the caller's to credit.
// Rejects: ErrUnknown, ErrLeaving before the delay is over.
//
// Spec: gateway-payments-streams §B (unstake delay 604,800).
func (g *Registry) Unstake(by account.Address) (back unit.Amount, err error) {
	p, err := Load(g.State, by)
	if err != nil {
		return 0, err
	}
	if p.Leaving == nil {
		if err := g.count(&p); err != nil {
			return 0, err
		}
		now := uint64(g.Height)
		p.Leaving = &now
		g.State.Set(profileKey(by), p.Append(nil))
		return 0, nil
	}
	if uint64(g.Height)-*p.Leaving < g.Config.Unstake {
		return 0, ErrLeaving
	}
	n, err := state.Number(g.State, single(nameCount))
	if err != nil {
		return 0, err
	}
	back, p.Stake = p.Stake, 0
	if err := g.moved(by, &p, -int64(back)); err != nil {
		return 0, err
	}
	g.State.Delete(profileKey(by))
	setNumber(g.State, nameCount, n-1)
	return back, nil
}

// Active gives the gateway an address is. Reject: ErrUnauthorized for one that is not active.
//
// Spec: gateway-payments-streams §B (is_active_gateway).
func (g *Registry) Active(a account.Address) (Profile, error) {
	p, err := Load(g.State, a)
	if errors.Is(err, ErrUnknown) || err == nil && !p.ActiveAt(g.Config, g.Height) {
		err = ErrUnauthorized
	}
	return p, err
}

// count counts a gateway's healthy blocks up to this one.
func (g *Registry) count(p *Profile) error {
	e, err := LoadEpoch(g.State)
	if err == nil {
		p.advance(&e, g.Config, g.Height)
	}
	return err
}

// moved writes a gateway whose stake has changed.
func (g *Registry) moved(a account.Address, p *Profile, delta int64) error {
	stakes, err := state.Number(g.State, single(nameStakes))
	if err != nil {
		return err
	}
	setNumber(g.State, nameStakes, stakes+uint64(delta))
	g.State.Set(profileKey(a), p.Append(nil))
	return nil
}
