package netfault

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Attack is an actor whose handler "attack" is to keep the validators busy.
type Attack struct{ Name, Source string }

// Struck is what an attack did.
type Struck struct {
	Attack
	Longest time.Duration // between two blocks, from sending on until two blocks after the last transaction
	Cycles  uint64        // used by all its transactions
	Ending  string        // of the first
}

// strikes is how many transactions of strikeCycles cycles an attack sends at once: together all that a block may hold.
const (
	strikes      = int(params.BlockCycles / strikeCycles)
	strikeCycles = 20_000_000
	strikeWithin = 3 * time.Minute
)

// Attacks deploys one actor after the other on a network of processes and sends each a full block of transactions, as anyone could with an ordinary
// client. told is called after each.
//
// Spec: WP §6.1 (a block a second), §4.3.
func Attacks(c Config, list []Attack, told func(Struck)) (Result, error) {
	r := &course{Config: c}
	err := r.watched(func(ctx context.Context) error {
		r.witness.able(true)
		for _, a := range list {
			s, err := r.strike(ctx, a)
			if err != nil {
				return fmt.Errorf("%s: %w", a.Name, err)
			}
			told(s)
		}
		return nil
	})
	return r.result, err
}

// strike deploys one attack and lets it happen.
func (r *course) strike(ctx context.Context, a Attack) (s Struck, err error) {
	ctx, cancel := context.WithTimeout(ctx, strikeWithin)
	defer cancel()
	s.Attack = a
	deployed, err := r.send(ctx, 1, &tx.Deploy{Code: []byte(a.Source), Salt: []byte(fmt.Sprint(time.Now().UnixNano()))}, 15_000_000)
	if err != nil {
		return s, err
	}
	receipt, err := r.nodes[0].client.Receipt(ctx, deployed[0], lookEvery)
	if err != nil {
		return s, err
	}
	if !receipt.Success {
		s.Ending = "not deployed: " + receipt.Error.Why
		return s, nil
	}
	actor, err := account.ParseAddress(receipt.ActorAddress)
	if err != nil {
		return s, err
	}
	watched, done := make(chan time.Duration), make(chan struct{})
	go func() { watched <- r.longest(done) }()
	hashes, err := r.send(ctx, strikes, &tx.Execute{To: actor, Handler: []byte("attack"), Payload: []byte("x")}, strikeCycles)
	var last uint64
	for i := range hashes {
		var x wire.Receipt
		if x, err = r.nodes[0].client.Receipt(ctx, hashes[i], lookEvery); err != nil {
			break
		}
		s.Cycles, last = s.Cycles+x.CyclesUsed, x.BlockHeight
		if i == 0 {
			s.Ending = x.Status
			if x.Error != nil {
				s.Ending = strings.SplitN(x.Error.Why, "\n", 2)[0]
			}
		}
	}
	if err == nil {
		err = r.advance(last+2-min(r.height(), last+2), strikeWithin)
	}
	close(done)
	s.Longest = <-watched
	return s, err
}

// longest is the longest time between two blocks of the first node until done is closed.
func (r *course) longest(done <-chan struct{}) (longest time.Duration) {
	tick := time.NewTicker(lookEvery / 5)
	defer tick.Stop()
	var height uint64
	var moved time.Time
	for {
		select {
		case <-done:
			return longest
		case <-tick.C:
		}
		if h, err := r.nodes[0].height(); err == nil && h > height {
			if now := time.Now(); height > 0 {
				longest, moved = max(longest, now.Sub(moved)), now
			} else {
				moved = now
			}
			height = h
		}
	}
}

// send sends the same instruction n times from the faucet and gives the transactions' hashes.
func (r *course) send(ctx context.Context, n int, in tx.Instruction, cycles unit.Cycles) ([]string, error) {
	faucet, client := genesis.DevFaucet(), r.nodes[0].client
	owner, err := client.Account(ctx, faucet.Address().String())
	if err != nil {
		return nil, err
	}
	data := codec.AppendLen([]byte{1}, n)
	for i := range n {
		t := &tx.Tx{
			ChainID: chainID, Nonce: owner.Nonce + uint64(i), Instruction: in, CyclesLimit: cycles, CellsLimit: 4_000_000,
			From: faucet.Address(), MaxFeePerCycle: 1_000_000, MaxFeePerCell: 1_000_000,
		}
		t.Signature = faucet.Sign(t.SigningHash())
		data = append(data, t.Encode()...)
	}
	reply, err := client.Submit(ctx, data)
	for _, refused := range reply.Errors {
		if refused != nil {
			return nil, fmt.Errorf("not taken: %s", refused.Why)
		}
	}
	return reply.Hashes, err
}
