package token

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Release moves tokens that a system actor keeps for others to whom they are now for. No hook is asked or told, so that a token that was given one since
// cannot stop it; who is frozen neither sends nor receives. Rejects: ErrUnknown, ErrBusy, ErrFrozen, ErrBalance.
//
// Spec: tokens §5.
func (g *Registry) Release(id ID, keeper, to account.Address, amount unit.Uint128) error {
	if _, err := g.open(id); err != nil {
		return err
	}
	for _, who := range [...]account.Address{keeper, to} {
		if err := g.thawed(id, who); err != nil {
			return err
		}
	}
	return g.Return(id, keeper, to, amount)
}

// Return gives tokens that a system actor keeps back to whom it has them from. No hook is asked or told, and nobody's freeze is in the way: an account that is
// frozen has its tokens, and cannot use them. It is for the end of a block, where no hook runs. Reject: ErrBalance.
func (g *Registry) Return(id ID, keeper, to account.Address, amount unit.Uint128) error {
	if err := g.take(id, keeper, amount); err != nil {
		return err
	}
	if err := g.give(id, to, amount); err != nil {
		return err
	}
	g.moved(TopicTransfer, id, keeper, to, amount)
	return nil
}
