package host

import (
	"io"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
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
	// Scratch, if it is given, is filled in: what surrounds the scratch actor.
	Scratch *Scratch
}

// Offline makes a machine whose pvm_host belongs to a scratch actor that is alone on an empty chain: what depends on nobody else works, and
// nothing is kept. Its memory and program cache are the only things it shares with hosts.
func (p *Programs) Offline(o Offline) (*pvm.Machine, error) {
	f := &Invocation{self: scratchAddress, mode: Deferred, form: Form{Permissions: true, Modes: true}}
	around := o.Scratch
	if around == nil {
		around = new(Scratch)
	} else {
		around.jobs = true
	}
	if err := around.open(f); err != nil {
		return nil, err
	}
	f.exchange = func(replacement) error { return raise(NotAvailable, "there is nothing to upgrade outside of a chain") }
	f.spawn = func(childRequest) (account.Address, error) {
		return account.Address{}, raise(NotAvailable, "there is nobody to spawn outside of a chain")
	}
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
