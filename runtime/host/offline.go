package host

import (
	"io"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// Offline describes a machine for tools that import cowboy_sdk outside of a chain.
type Offline struct {
	Meter       *object.Meter // nil: unlimited
	MemoryLimit int64         // 0: as on chain
	Stdout      io.Writer     // of print; nil discards
	// Natives and Library add modules to those an actor can import.
	Natives map[string]pvm.NativeModule
	Library func(name string) (*pvm.Program, bool)
}

// Offline makes a machine whose pvm_host belongs to a scratch actor that is alone on an empty chain: what depends on nobody else works, and
// nothing is kept. Its memory and program cache are the only things it shares with hosts.
func (p *Programs) Offline(o Offline) (*pvm.Machine, error) {
	overlay := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	f := &Frame{
		self: account.Address{0: 0xff, account.AddressSize - 1: 0xff}, native: true, mode: Deferred, form: Form{Permissions: true, Modes: true},
	}
	sender := f.self
	f.sender = &sender
	w, err := newWork(&drain.Turn{Kind: block.Transaction, Overlay: overlay, Block: &drain.Block{Params: params.Genesis()}})
	if err != nil {
		return nil, err
	}
	f.work = w
	f.run = func(nested) (nestedResult, error) {
		return nestedResult{}, raise(ActorNotFound, "there is no other actor outside of a chain")
	}
	f.exchange = func(replacement) error { return raise(NotAvailable, "there is nothing to upgrade outside of a chain") }
	natives := map[string]pvm.NativeModule{moduleName: fillModule}
	for name, build := range o.Natives { // order-free: a copy
		natives[name] = build
	}
	m := pvm.New(pvm.Config{
		Meter: o.Meter, MemoryLimit: o.MemoryLimit, RecursionLimit: params.RecursionDepth, Natives: natives, Stdout: o.Stdout,
		Library: func(name string) (*pvm.Program, bool) {
			if o.Library != nil {
				if program, ok := o.Library(name); ok {
					return program, true
				}
			}
			return p.library(name)
		},
	})
	m.Inner().Host = f
	f.meter = machineMeter{m.Inner()}
	return m, nil
}
