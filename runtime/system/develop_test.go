package system_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system"
	"github.com/cowboyinc/cowboy-go/runtime/system/develop"
	"github.com/cowboyinc/cowboy-go/runtime/system/dispatcher"
)

// development is a call of 0x09 by an administrator on a fresh network of so many validators.
func development(t *testing.T, validators int, handler string, payload []byte) *drain.Turn {
	t.Helper()
	spec, err := genesis.Devnet(1, validators)
	if err != nil {
		t.Fatal(err)
	}
	in := &tx.Execute{To: account.System(account.Governance), Handler: []byte(handler), Payload: payload}
	x := turn(in, in.To)
	if err := spec.Build(x.Overlay); err != nil {
		t.Fatal(err)
	}
	if x.Block.Params, err = params.Load(x.Overlay); err != nil {
		t.Fatal(err)
	}
	x.Block.Limits = mailbox.Limits{Capacity: 1_000, Depth: 4}
	x.Limit = fee.Use{Cycles: 10_000, Cells: 100}
	x.Sender, x.Payload.Handler, x.Payload.Data = genesis.DevFaucet().Address(), handler, payload
	actor := account.Account{Kind: account.Actor, StorageBytes: 10}
	x.Overlay.Set(account.Address{0xac}.Key(), actor.Encode())
	return x
}

func held(t *testing.T, x *drain.Turn, addr account.Address) account.Account {
	t.Helper()
	a, err := account.Load(x.Overlay, addr)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestDevelopers: an administrator of a network with one validator sets balances and storage and sends as anybody; a mistake is a fault that says
// what was expected, and nobody else is answered.
//
// Spec: governance-staking B10; WP §9.
func TestDevelopers(t *testing.T) {
	actor, bob := account.Address{0xac}, account.Address{0xb0}
	balance := &develop.SetBalance{Address: bob, Balance: 7 * unit.CBY}
	write := &develop.SetStorage{Actor: actor, Key: []byte("n"), Value: []byte("41")}
	send := &develop.Send{From: bob, To: actor, Handler: "tick", Payload: []byte("x")}
	for _, c := range []struct {
		name       string
		validators int
		handler    string
		payload    []byte
		edit       func(*drain.Turn)
		fault      uint16
	}{
		{"balance", 1, develop.HandlerSetBalance, balance.Encode(), nil, 0},
		{"storage", 1, develop.HandlerSetStorage, write.Encode(), nil, 0},
		{"send", 1, develop.HandlerSend, send.Encode(), nil, 0},
		{"two validators", 2, develop.HandlerSetBalance, balance.Encode(), nil, drain.FaultUnavailable},
		{"a stranger", 1, develop.HandlerSetBalance, balance.Encode(), func(x *drain.Turn) { x.Sender = bob }, drain.FaultUnavailable},
		{"another address", 1, develop.HandlerSetBalance, balance.Encode(), func(x *drain.Turn) { x.Target = account.System(account.Treasury) },
			drain.FaultUnavailable},
		{"another handler", 1, "dev.fly", balance.Encode(), nil, drain.FaultUnavailable},
		{"half a balance", 1, develop.HandlerSetBalance, balance.Encode()[:20], nil, drain.FaultInput},
		{"the administrator's own", 1, develop.HandlerSetBalance, (&develop.SetBalance{Address: genesis.DevFaucet().Address()}).Encode(), nil,
			drain.FaultInput},
		{"more than there is", 1, develop.HandlerSetBalance, (&develop.SetBalance{Address: bob, Balance: 1 << 63}).Encode(), nil, drain.FaultValue},
		{"no key", 1, develop.HandlerSetStorage, (&develop.SetStorage{Actor: actor}).Encode(), nil, drain.FaultInput},
		{"a long key", 1, develop.HandlerSetStorage, (&develop.SetStorage{Actor: actor, Key: make([]byte, 33)}).Encode(), nil, drain.FaultInput},
		{"storage of a system actor", 1, develop.HandlerSetStorage, (&develop.SetStorage{Actor: account.System(account.Governance), Key: []byte("n")}).Encode(),
			nil, drain.FaultActor},
		{"storage of nobody", 1, develop.HandlerSetStorage, (&develop.SetStorage{Actor: bob, Key: []byte("n")}).Encode(), nil, drain.FaultActor},
		{"no cycles", 1, develop.HandlerSetStorage, write.Encode(), func(x *drain.Turn) { x.Limit.Cycles = 1 }, drain.FaultCycles},
		{"a message to nobody", 1, develop.HandlerSend, (&develop.Send{From: bob, To: bob, Handler: "x"}).Encode(), nil, drain.FaultActor},
		{"bytes behind a message", 1, develop.HandlerSend, append(send.Encode(), 0), nil, drain.FaultInput},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := development(t, c.validators, c.handler, c.payload)
			if c.edit != nil {
				c.edit(x)
			}
			out, err := system.Run(x, nil)
			switch {
			case err != nil:
				t.Errorf("%s: %v", c.name, err)
			case c.fault == 0 && out.Fault != nil, c.fault != 0 && (out.Fault == nil || out.Fault.Code != c.fault):
				t.Errorf("%s: %+v, want %d", c.name, out.Fault, c.fault)
			case c.name == "balance":
				if got := held(t, x, bob).Balance; got != 7*unit.CBY {
					t.Errorf("bob holds %d", got)
				}
			case c.name == "storage":
				value, _, err := x.Overlay.Lookup(account.KeyString(account.KindStorage, actor, "n"))
				if got := held(t, x, actor).StorageBytes; err != nil || string(value) != "41" || got != 13 {
					t.Errorf("storage %q of %d bytes, %v", value, got, err)
				}
				x.Payload.Data = (&develop.SetStorage{Actor: actor, Key: []byte("n"), Remove: true}).Encode()
				if out, err := system.Run(x, nil); err != nil || out.Fault != nil || x.Overlay.Has(account.KeyString(account.KindStorage, actor, "n")) ||
					held(t, x, actor).StorageBytes != 10 {
					t.Errorf("removal: %+v %v", out.Fault, err)
				}
			case c.name == "send":
				if got := held(t, x, actor).MailboxCount; got != 1 || out.Enqueued != 1 || out.Fanout != 1 || len(out.Return) != 32 {
					t.Errorf("%d messages, %+v", got, out)
				}
			}
		})
	}
}

// FuzzDevelop holds the handlers to answering any payload. Spec: governance-staking B10.
func FuzzDevelop(f *testing.F) {
	lost := dispatcher.Reply{Ending: dispatcher.Lost}
	for _, payload := range [][]byte{
		nil, (&develop.SetBalance{}).Encode(), (&develop.SetStorage{Key: []byte("k")}).Encode(), (&develop.Send{Handler: "h"}).Encode(),
		(&dispatcher.Script{Reply: lost}).Append(nil), (&dispatcher.Scope{}).Append(nil), (&dispatcher.ByHand{Job: "c", Reply: lost}).Append(nil),
	} {
		f.Add(byte(len(payload)), payload)
	}
	handlers := [...]string{develop.HandlerSetBalance, develop.HandlerSetStorage, develop.HandlerSend, develop.HandlerSetRunner, develop.HandlerClearRunner,
		develop.HandlerAnswerJob}
	spec, err := genesis.Devnet(1, 1)
	if err != nil {
		f.Fatal(err)
	}
	base := turn(nil, account.System(account.Governance))
	if err := spec.Build(base.Overlay); err != nil {
		f.Fatal(err)
	}
	if base.Block.Params, err = params.Load(base.Overlay); err != nil {
		f.Fatal(err)
	}
	base.Limit, base.Sender = fee.Use{Cycles: 1 << 20, Cells: 1 << 20}, genesis.DevFaucet().Address()
	f.Fuzz(func(t *testing.T, n byte, payload []byte) {
		mark := base.Overlay.Mark()
		base.Payload = drain.Payload{Instruction: &tx.Execute{}, Handler: handlers[int(n)%len(handlers)], Data: payload}
		if _, err := system.Run(base, nil); err != nil {
			t.Fatal(err)
		}
		base.Overlay.Revert(mark)
	})
}
