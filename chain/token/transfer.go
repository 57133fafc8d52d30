package token

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Transfer moves tokens of by.
//
// Spec: tokens §5.
func (g *Registry) Transfer(by account.Address, id ID, to account.Address, amount unit.Uint128) error {
	t, err := g.open(id)
	if err != nil {
		return err
	}
	return g.move(t, Move{id, by, to, amount})
}

// TransferFrom moves tokens of another, of which by may spend so many. Nobody has an allowance of their own without granting it. Where the allowance does
// not cover the amount, a grant of token-transfer in the other's scope does, and the allowance stays.
//
// Spec: tokens §5; CIP-2 §7.6.
func (g *Registry) TransferFrom(by account.Address, id ID, from, to account.Address, amount unit.Uint128) error {
	t, err := g.open(id)
	if err != nil {
		return err
	}
	if err := g.lower(id, from, by, amount); err != nil {
		return err
	}
	return g.move(t, Move{id, from, to, amount})
}

// Leg is a transfer of a batch.
type Leg struct {
	Token  ID
	To     account.Address
	Amount unit.Uint128
}

// TransferBatch makes transfers of by, all or none.
//
// Spec: tokens §5 (batch).
func (g *Registry) TransferBatch(by account.Address, legs []Leg) error {
	if len(legs) > params.TokenBatchLegs {
		return fmt.Errorf("%w: %d, and at most %d are allowed", ErrLegs, len(legs), params.TokenBatchLegs)
	}
	for i, l := range legs {
		t, err := g.open(l.Token)
		if err == nil && t.Hook != nil {
			err = ErrBatch
		}
		if err == nil {
			err = g.move(t, Move{l.Token, by, l.To, l.Amount})
		}
		if err != nil {
			return fmt.Errorf("transfer %d of the batch: %w", i, err)
		}
	}
	return nil
}

// move is the transfer, in the order of the text.
//
// Spec: tokens §5.
func (g *Registry) move(t *Token, m Move) error {
	if m.To.IsZero() {
		return ErrZero
	}
	if _, err := g.covered(m.Token, m.From, m.Amount); err != nil {
		return err
	}
	for _, who := range [...]account.Address{m.From, m.To} {
		if err := g.thawed(m.Token, who); err != nil {
			return err
		}
	}
	if t.Hook != nil {
		if err := g.Hooks.Allow(*t.Hook, m); err != nil {
			return err
		}
	}
	if err := g.take(m.Token, m.From, m.Amount); err != nil {
		return err
	}
	if err := g.give(m.Token, m.To, m.Amount); err != nil {
		return err
	}
	if t.Hook != nil {
		if err := g.Hooks.Tell(*t.Hook, m); err != nil {
			return err
		}
	}
	g.moved(TopicTransfer, m.Token, m.From, m.To, m.Amount)
	return nil
}

// Approve sets what a spender may transfer of by's tokens. No amount means without end.
//
// Spec: tokens §3, §5.
func (g *Registry) Approve(by account.Address, id ID, spender account.Address, amount unit.Uint128) error {
	if _, err := g.open(id); err != nil {
		return err
	}
	g.allow(id, by, spender, amount)
	return nil
}

// IncreaseAllowance is Approve, by how much more.
//
// Spec: tokens §3, §4 (21).
func (g *Registry) IncreaseAllowance(by account.Address, id ID, spender account.Address, amount unit.Uint128) error {
	return g.adjust(by, id, spender, amount, unit.Uint128.Add)
}

// DecreaseAllowance is Approve, by how much less; it does not go below zero.
//
// Spec: tokens §3, §4 (22), §5.
func (g *Registry) DecreaseAllowance(by account.Address, id ID, spender account.Address, amount unit.Uint128) error {
	return g.adjust(by, id, spender, amount, unit.Uint128.Sub)
}

func (g *Registry) adjust(
	by account.Address, id ID, spender account.Address, amount unit.Uint128, change func(a, b unit.Uint128) (unit.Uint128, error),
) error {
	if _, err := g.open(id); err != nil {
		return err
	}
	allowed, err := Allowance(g.State, id, by, spender)
	if err != nil {
		return err
	}
	changed, err := change(allowed, amount)
	if err != nil {
		return fmt.Errorf("%w: it is %v, and changes by %v", ErrAllowance, allowed, amount)
	}
	g.allow(id, by, spender, changed)
	return nil
}

func (g *Registry) allow(id ID, owner, spender account.Address, amount unit.Uint128) {
	keep(g.State, allowanceKey(owner, spender, id), amount)
	g.moved(TopicApproval, id, owner, spender, amount)
}

// lower takes from an allowance what is being spent, or from a grant.
func (g *Registry) lower(id ID, owner, spender account.Address, amount unit.Uint128) error {
	allowed, err := Allowance(g.State, id, owner, spender)
	if err != nil {
		return err
	}
	left, err := allowed.Sub(amount)
	if err != nil {
		instead := fmt.Errorf("%w: %v may spend %v of %v, and %v is needed", ErrAllowance, spender, allowed, owner, amount)
		return g.granted(spender, grant.ActorScope(owner), grant.TokenTransfer, amount, instead)
	}
	keep(g.State, allowanceKey(owner, spender, id), left)
	return nil
}
