package netfault

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// load sends transfers from the faucet, some at a time, to one node after the other.
type load struct {
	nodes []*node
	every time.Duration
	batch int
	sent  atomic.Uint64
}

// chainID is that of a development network: it has a faucet.
const chainID = 100

// run sends until ctx ends. What a killed node forgot is sent again with the nonce that the others ask for.
func (l *load) run(ctx context.Context) {
	tick := time.NewTicker(l.every)
	defer tick.Stop()
	faucet := genesis.DevFaucet()
	next, stale := uint64(0), 0
	for turn := 0; ; turn++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		n := l.nodes[turn%len(l.nodes)]
		if !n.running() {
			continue
		}
		brief, cancel := context.WithTimeout(ctx, time.Second)
		owner, err := n.client.Account(brief, faucet.Address().String())
		if err == nil {
			if stale++; owner.Nonce > next || stale > 20 {
				next, stale = owner.Nonce, 0
			}
			err = l.submit(brief, n, next)
		}
		cancel()
		if err == nil {
			next += uint64(l.batch)
			l.sent.Add(uint64(l.batch))
		}
	}
}

// submit sends one batch of transfers with ascending nonces.
func (l *load) submit(ctx context.Context, n *node, nonce uint64) error {
	faucet := genesis.DevFaucet()
	data := codec.AppendLen([]byte{1}, l.batch)
	for i := range l.batch {
		t := &tx.Tx{
			ChainID: chainID, Nonce: nonce + uint64(i), Instruction: &tx.Transfer{To: account.Address{7, byte(i)}, Amount: 1}, CyclesLimit: 21_000,
			From: faucet.Address(), MaxFeePerCycle: 1_000_000, MaxFeePerCell: 1_000_000,
		}
		t.Signature = faucet.Sign(t.SigningHash())
		data = append(data, t.Encode()...)
	}
	_, err := n.client.Submit(ctx, data)
	return err
}
