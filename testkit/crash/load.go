package crash

import (
	"context"
	_ "embed"
	"fmt"
	"sync"

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

// senders is how many accounts send at once.
const senders = 8

// actorSource is the actor the load calls: it counts, sends itself a message and keeps a timer running.
//
//go:embed load.py
var actorSource []byte

// load sends transfers and actor calls without end. What a killed node forgot is sent again with the nonce the restarted
// node asks for.
type load struct {
	client *api.Client
	keys   []*sig.PrivateKey
	actor  account.Address
	mu     sync.Mutex
}

func newLoad(client *api.Client) (*load, error) {
	l := &load{client: client}
	for i := range senders {
		secret := digest.Keccak256([]byte(fmt.Sprintf("crash sender %d", i)))
		key, err := sig.ParsePrivateKey(secret[:])
		if err != nil {
			return nil, err
		}
		l.keys = append(l.keys, key)
	}
	source, err := pvm.CanonicalSource(actorSource)
	if err != nil {
		return nil, err
	}
	actorSource = source
	l.actor = account.DeriveActor(genesis.DevFaucet().Address(), account.Salt{}, account.CodeHash(source))
	return l, nil
}

// run sends until ctx ends.
func (l *load) run(ctx context.Context) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.prepare(ctx) != nil {
		return
	}
	var wg sync.WaitGroup
	for i, key := range l.keys {
		wg.Add(1)
		go func() {
			defer wg.Done()
			l.sender(ctx, i, key)
		}()
	}
	wg.Wait()
}

// wait returns when run has ended.
func (l *load) wait() {
	l.mu.Lock()
	defer l.mu.Unlock()
}

// prepare funds the senders and deploys the actor, once in the life of the chain.
func (l *load) prepare(ctx context.Context) error {
	faucet := genesis.DevFaucet()
	owner, err := l.client.Account(ctx, faucet.Address().String())
	if err != nil {
		return err
	}
	if owner.Nonce >= senders+2 {
		return nil
	}
	instructions := []tx.Instruction{}
	for _, key := range l.keys {
		instructions = append(instructions, &tx.Transfer{To: key.Address(), Amount: 1_000_000 * unit.CBY})
	}
	instructions = append(instructions,
		&tx.Deploy{Code: actorSource, InitHandler: []byte("init"), InitPayload: []byte("{}")},
		&tx.FundActor{Actor: l.actor, Amount: 100_000 * unit.CBY})
	for i, in := range instructions {
		if uint64(i) >= owner.Nonce {
			if err := l.send(ctx, faucet, uint64(i), in, 10_000_000, 1_000_000); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *load) sender(ctx context.Context, number int, key *sig.PrivateKey) {
	for turn := 0; ctx.Err() == nil; turn++ {
		owner, err := l.client.Account(ctx, key.Address().String())
		if err != nil {
			return
		}
		if (turn+number)%4 == 0 {
			in := &tx.Execute{To: l.actor, Handler: []byte("poke"), Payload: []byte(fmt.Sprint(number))}
			_ = l.send(ctx, key, owner.Nonce, in, 1_000_000, 100_000)
			continue
		}
		_ = l.send(ctx, key, owner.Nonce, &tx.Transfer{To: l.keys[(number+1)%senders].Address(), Amount: 1}, 21_000, 0)
	}
}

func (l *load) send(ctx context.Context, key *sig.PrivateKey, nonce uint64, in tx.Instruction, cycles unit.Cycles, cells unit.Cells) error {
	var fees wire.Basefee
	if err := l.client.Read(ctx, "/basefee", &fees); err != nil {
		return err
	}
	t := &tx.Tx{
		ChainID: 1, Nonce: nonce, Instruction: in, CyclesLimit: cycles, CellsLimit: cells, From: key.Address(),
		MaxFeePerCycle: 2 * fees.CycleBasefee, MaxFeePerCell: 2 * fees.CellBasefee,
	}
	t.Signature = key.Sign(t.SigningHash())
	_, err := l.client.Submit(ctx, append(codec.AppendLen([]byte{1}, 1), t.Encode()...))
	return err
}
