package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
)

const (
	chainID = 1
	batch   = 50
	// ahead bounds how many of the sender's transactions wait for a block.
	ahead = 5_000
)

// source is the actor the load calls: it counts and says so.
const source = `import pvm_host


def tick(payload, ctx):
    raw = pvm_host.get_state("n")
    n = 1 + (0 if raw is None else int.from_bytes(raw, "big"))
    pvm_host.set_state("n", n.to_bytes(8, "big"))
    pvm_host.emit_event("tick", payload)
`

// load sends transfers, and a call of an actor in each batch, as fast as the node takes them.
type load struct {
	client *api.Client
	actor  account.Address
	fees   wire.Basefee
	last   atomic.Pointer[string] // hash of a transaction that was sent
}

func (l *load) faucet() account.Address { return genesis.DevFaucet().Address() }

// prepare deploys the actor.
func (l *load) prepare(ctx context.Context) error {
	code, err := account.CanonicalSource([]byte(source))
	if err != nil {
		return err
	}
	l.actor = account.DeriveActor(l.faucet(), account.Salt{}, account.CodeHash(code))
	owner, err := l.client.Account(ctx, l.faucet().String())
	if err != nil {
		return err
	}
	if err := l.client.Read(ctx, "/basefee", &l.fees); err != nil {
		return err
	}
	hash, err := l.submit(ctx, owner.Nonce, []tx.Instruction{&tx.Deploy{Code: code}})
	if err != nil {
		return err
	}
	x, err := l.client.Receipt(ctx, hash, 20*time.Millisecond)
	if err == nil && x.Status != "success" {
		err = fmt.Errorf("the actor was not deployed: %+v", x)
	}
	return err
}

// run sends until ctx ends. What the node sheds is sent again with the nonce it asks for.
func (l *load) run(ctx context.Context) {
	for ctx.Err() == nil {
		owner, err := l.client.Account(ctx, l.faucet().String())
		if err == nil {
			err = l.client.Read(ctx, "/basefee", &l.fees)
		}
		if err != nil {
			time.Sleep(10 * time.Millisecond)
			continue
		}
		for nonce := owner.Nonce; nonce < owner.Nonce+ahead && ctx.Err() == nil; nonce += batch {
			list := []tx.Instruction{&tx.Execute{To: l.actor, Handler: []byte("tick"), Payload: []byte(`{"n":1}`)}}
			for i := range batch - 1 {
				list = append(list, &tx.Transfer{To: account.Address{7, byte(nonce), byte(i)}, Amount: 1})
			}
			hash, err := l.submit(ctx, nonce, list)
			if err != nil {
				break
			}
			l.last.Store(&hash)
		}
	}
}

// submit sends instructions of the faucet with ascending nonces and gives the first one's hash.
func (l *load) submit(ctx context.Context, nonce uint64, list []tx.Instruction) (string, error) {
	key := genesis.DevFaucet()
	data := codec.AppendLen([]byte{1}, len(list))
	hash := ""
	for i, in := range list {
		t := &tx.Tx{
			ChainID: chainID, Nonce: nonce + uint64(i), Instruction: in, CyclesLimit: 100_000, CellsLimit: 5_000, From: key.Address(),
			MaxFeePerCycle: 100 * l.fees.CycleBasefee, MaxFeePerCell: 100 * l.fees.CellBasefee,
		}
		if _, plain := in.(*tx.Transfer); plain {
			t.CyclesLimit, t.CellsLimit = 21_000, 0
		}
		if _, deploys := in.(*tx.Deploy); deploys {
			t.CyclesLimit, t.CellsLimit = 5_000_000, 100_000
		}
		t.Signature = key.Sign(t.SigningHash())
		if i == 0 {
			hash = t.SigningHash().String()
		}
		data = append(data, t.Encode()...)
	}
	_, err := l.client.Submit(ctx, data)
	return hash, err
}
