// Command traffic gives a development network a life to look at: a herd of actors that wake by timers and call to each other, and people who pay each
// other and call actors, until it is interrupted.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
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

//go:embed herd.py
var herd []byte

// species are the names of the actors' programs.
var species = [...]string{"Bison", "Heron", "Mustang", "Otter", "Lynx", "Raven"}

// people is how many accounts pay each other.
const people = 12

func main() {
	url := flag.String("rpc-url", "http://127.0.0.1:4000", "a node of the network")
	chain := flag.Uint64("chain-id", 1, "network")
	animals := flag.Int("actors", 24, "actors of the herd, 4 at least")
	pace := flag.Duration("every", time.Second, "between two submissions")
	size := flag.Int("transactions", 8, "of a submission")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	t := &traffic{client: api.New(*url), chain: *chain, size: *size}
	err := t.prepare(ctx, max(*animals, 4))
	if err == nil {
		err = t.run(ctx, *pace)
	}
	if err != nil && ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, "traffic:", err)
		os.Exit(1)
	}
}

type traffic struct {
	client *api.Client
	chain  uint64
	size   int
	herd   []account.Address
	keys   []*sig.PrivateKey
}

// prepare deploys the herd and funds it and the people.
func (t *traffic) prepare(ctx context.Context, animals int) error {
	faucet := genesis.DevFaucet()
	var list []tx.Instruction
	for i := range animals {
		code, err := pvm.CanonicalSource(bytes.Replace(herd, []byte("Animal"), []byte(species[i%len(species)]), 1))
		if err != nil {
			return err
		}
		salt := digest.Keccak256(fmt.Appendf(nil, "animal %d of %d", i, time.Now().UnixNano()))
		t.herd = append(t.herd, account.DeriveActor(faucet.Address(), account.Salt(salt), account.CodeHash(code)))
		list = append(list, &tx.Deploy{Code: code, Salt: salt[:]})
	}
	for i := range people {
		secret := digest.Keccak256(fmt.Appendf(nil, "traffic person %d", i))
		key, err := sig.ParsePrivateKey(secret[:])
		if err != nil {
			return err
		}
		t.keys = append(t.keys, key)
		list = append(list, &tx.Transfer{To: key.Address(), Amount: 10_000 * unit.CBY})
	}
	for i, addr := range t.herd {
		near := []string{t.herd[(i+1)%animals].String()}
		if i%3 == 0 {
			near = append(near, t.herd[(i*7+5)%animals].String())
		}
		payload, err := json.Marshal(map[string]any{"near": near, "every": 4 + i*7%37, "far": 2 + i%4})
		if err != nil {
			return err
		}
		list = append(list, &tx.FundActor{Actor: addr, Amount: 2_000 * unit.CBY}, &tx.Execute{To: addr, Handler: []byte("init"), Payload: payload})
	}
	for len(list) > 0 {
		part := list[:min(len(list), 16)]
		list = list[len(part):]
		if err := t.settled(ctx, faucet, part); err != nil {
			return err
		}
	}
	fmt.Printf("%d actors and %d people; the first actor is %v\n", animals, people, t.herd[0])
	return nil
}

// settled submits and waits for the last receipt.
func (t *traffic) settled(ctx context.Context, key *sig.PrivateKey, list []tx.Instruction) error {
	hash, err := t.submit(ctx, key, list)
	if err != nil {
		return err
	}
	x, err := t.client.Receipt(ctx, hash, 100*time.Millisecond)
	if err == nil && !x.Success {
		err = fmt.Errorf("%s: %v", hash, x.Error)
	}
	return err
}

// run sends until ctx ends, from one person after the other. What the node refuses is not sent again.
func (t *traffic) run(ctx context.Context, pace time.Duration) error {
	tick := time.NewTicker(pace)
	defer tick.Stop()
	for turn := 0; ; turn++ {
		var list []tx.Instruction
		for i := range t.size {
			n := turn*t.size + i
			if i%2 == 0 {
				to := t.keys[(n*5+1)%people].Address()
				list = append(list, &tx.Transfer{To: to, Amount: unit.Amount(1+n%50) * unit.CBY / 10})
				continue
			}
			payload := fmt.Appendf(nil, `{"far": %d}`, 1+n%4)
			list = append(list, &tx.Execute{To: t.herd[n*11%len(t.herd)], Handler: []byte("shout"), Payload: payload})
		}
		if _, err := t.submit(ctx, t.keys[turn%people], list); err != nil && ctx.Err() == nil {
			fmt.Fprintln(os.Stderr, "traffic:", err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// submit sends instructions with ascending nonces and gives the last one's hash.
func (t *traffic) submit(ctx context.Context, key *sig.PrivateKey, list []tx.Instruction) (string, error) {
	var fees wire.Basefee
	if err := t.client.Read(ctx, "/basefee", &fees); err != nil {
		return "", err
	}
	owner, err := t.client.Account(ctx, key.Address().String())
	if err != nil {
		return "", err
	}
	data, hash := codec.AppendLen([]byte{1}, len(list)), ""
	for i, in := range list {
		one := &tx.Tx{
			ChainID: t.chain, Nonce: owner.Nonce + uint64(i), Instruction: in, CyclesLimit: 2_000_000, CellsLimit: 40_000, From: key.Address(),
			MaxFeePerCycle: 10 * fees.CycleBasefee, MaxFeePerCell: 10 * fees.CellBasefee,
		}
		if _, calls := in.(*tx.Execute); !calls {
			one.CyclesLimit, one.CellsLimit = 1_000_000, 40_000
		}
		one.Signature = key.Sign(one.SigningHash())
		hash = one.SigningHash().String()
		data = append(data, one.Encode()...)
	}
	reply, err := t.client.Submit(ctx, data)
	if err == nil && len(reply.Errors) > 0 {
		for _, refused := range reply.Errors {
			if refused != nil {
				return hash, refused
			}
		}
	}
	return hash, err
}
