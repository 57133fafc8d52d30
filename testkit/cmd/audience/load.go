package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
)

const (
	chainID = 1
	senders = 32
	batch   = 50 // transactions of one submission
)

// source is the actor the load calls: it counts and says so.
const source = `import pvm_host


def tick(payload):
    raw = pvm_host.get_state("n")
    n = 1 + (0 if raw is None else int.from_bytes(raw, "big"))
    pvm_host.set_state("n", n.to_bytes(8, "big"))
    pvm_host.emit_event("tick", payload)


def nothing(payload):
    return b""
`

// load sends transfers, and a call of an actor in each batch, as fast as the node takes them.
type load struct {
	client *api.Client
	actor  account.Address
	keys   []*sig.PrivateKey
	fees   wire.Basefee
	last   atomic.Pointer[string] // hash of a transaction that was sent
}

// prepare deploys the actor and funds the senders.
func (l *load) prepare(ctx context.Context) error {
	code, err := pvm.CanonicalSource([]byte(source))
	if err != nil {
		return err
	}
	faucet := genesis.DevFaucet()
	l.actor = account.DeriveActor(faucet.Address(), account.Salt{}, account.CodeHash(code))
	list := []tx.Instruction{&tx.Deploy{Code: code}}
	for i := range senders {
		secret := digest.Keccak256(fmt.Appendf(nil, "audience sender %d", i))
		key, err := sig.ParsePrivateKey(secret[:])
		if err != nil {
			return err
		}
		l.keys = append(l.keys, key)
		list = append(list, &tx.Transfer{To: key.Address(), Amount: 100_000 * unit.CBY})
	}
	if err := l.client.Read(ctx, "/basefee", &l.fees); err != nil {
		return err
	}
	owner, err := l.client.Account(ctx, faucet.Address().String())
	if err != nil {
		return err
	}
	hash, err := l.submit(ctx, faucet, owner.Nonce, list)
	if err != nil {
		return err
	}
	x, err := l.client.Receipt(ctx, hash, 20*time.Millisecond)
	if err == nil && x.Status != "success" {
		err = fmt.Errorf("the actor was not deployed: %+v", x)
	}
	return err
}

// run sends until ctx ends, a batch of one sender after the other. What the node sheds is sent again with the nonce it asks for.
func (l *load) run(ctx context.Context) {
	for turn := 0; ctx.Err() == nil; turn++ {
		key := l.keys[turn%senders]
		if turn%senders == 0 {
			_ = l.client.Read(ctx, "/basefee", &l.fees)
		}
		owner, err := l.client.Account(ctx, key.Address().String())
		if err != nil {
			continue
		}
		list := []tx.Instruction{&tx.Execute{To: l.actor, Handler: []byte("tick"), Payload: []byte(`{"n":1}`)}}
		for i := range batch - 1 {
			list = append(list, &tx.Transfer{To: account.Address{7, byte(turn), byte(i)}, Amount: 1})
		}
		if hash, err := l.submit(ctx, key, owner.Nonce, list); err == nil {
			l.last.Store(&hash)
		}
	}
}

// submit sends instructions with ascending nonces and gives the first one's hash.
func (l *load) submit(ctx context.Context, key *sig.PrivateKey, nonce uint64, list []tx.Instruction) (string, error) {
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
