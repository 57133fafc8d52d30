package rpc

import (
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tee"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// bindingOf adds to a runner what it has set that its jobs run in, as the block at a height finds it, and the nonce that it asked for.
//
// Spec: tee §2.3.
func bindingOf(v *wire.Runner, view state.Reader, addr account.Address, now unit.Height) error {
	b, err := tee.LoadBinding(view, addr)
	if err != nil {
		return err
	}
	if b != nil {
		status, err := b.Status(view, now)
		if err != nil {
			return err
		}
		v.Binding = wire.ViewBinding(b, status)
	}
	a, err := tee.LoadAsked(view, addr)
	if err == nil && a != nil {
		v.BindingNonce = &wire.BindingNonce{Nonce: wire.Hash(a.Nonce), AskedAt: uint64(a.At)}
	}
	return err
}
