package peers_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/node"
	"github.com/cowboyinc/cowboy-go/actors/peers"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/net/transport"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// plain runs no Python: the chain of these tests holds transfers.
type plain struct{}

func (plain) Run(*drain.Turn) (drain.Outcome, error) {
	return drain.Outcome{}, errors.New("no Python here")
}

// validator is a whole node whose link is QUIC.
type validator struct {
	*node.Node
	network *member
}

func newValidator(t testing.TB, spec *genesis.Spec, rank int, others []transport.Target) *validator {
	t.Helper()
	store, err := ledger.NewMemory(spec, state.Config{})
	if err != nil {
		t.Fatal(err)
	}
	config := node.Config{
		Genesis: spec, Store: store, Journal: disk.NewMemory(), Shares: disk.NewMemory(),
		NewRunner: func() drain.Runner { return plain{} }, Interval: time.Millisecond,
		Timeouts: simplex.Timeouts{Leader: 500, Certification: 750, Retry: 500, Skip: 2_000, Fetch: 200, Settle: 50, Leave: 25},
	}
	if config.Validator, err = node.DevValidator(rank, len(spec.Validators)); err != nil {
		t.Fatal(err)
	}
	v := &validator{}
	name := string(rune('a' + rank))
	v.network = prepare(name, func(s *peers.Subsystem) { s.Book.Persistent = others })
	config.Link = v.network.Handle
	if v.Node, err = node.New(config); err != nil {
		t.Fatal(err)
	}
	if err := v.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := v.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	v.network.start(t)
	return v
}

func (v *validator) await(t testing.TB, height unit.Height) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	if err := v.Ledger.Await(ctx, height); err != nil {
		t.Fatalf("no block %d: %v\n%s", height, err, v.Status().Text())
	}
}

// Four validators over QUIC make one chain; a transaction given to one is in a block; when one's network fails and is restarted,
// it comes back to the same chain.
//
// Spec: WP §6.1, §6.2, "Network Layer".
func TestChainOverQUIC(t *testing.T) {
	spec, err := genesis.Devnet(1, 4)
	if err != nil {
		t.Fatal(err)
	}
	var all []*validator
	var targets []transport.Target
	for rank := range 4 {
		v := newValidator(t, spec, rank, targets)
		targets = append(targets, v.network.target())
		all = append(all, v)
	}
	for _, v := range all {
		v.await(t, 5)
	}
	key := genesis.DevFaucet()
	to := account.Address{7}
	pay := &tx.Tx{
		ChainID: 1, Instruction: &tx.Transfer{To: to, Amount: 5}, CyclesLimit: 100_000, CellsLimit: 1_000, MaxFeePerCycle: 20_000,
		MaxFeePerCell: 20_000, From: key.Address(),
	}
	pay.Signature = key.Sign(pay.SigningHash())
	errs, err := all[3].Lanes.Submit(t.Context(), [][]byte{pay.Encode()})
	if err != nil || errs[0] != nil {
		t.Fatal(err, errs)
	}
	waitFor(t, func() bool { _, pending := all[3].Lanes.Pending(pay.SigningHash()); return !pending })
	all[1].network.fail()
	before := all[0].Ledger.Finalized()
	for _, v := range all {
		v.await(t, before+10)
	}
	hashes := map[unit.Height]digest.Hash{}
	paid := 0
	for i, v := range all {
		for h := unit.Height(0); h <= before+10; h++ {
			b, err := v.Ledger.Block(h)
			if err != nil {
				t.Fatal(err)
			}
			if other, ok := hashes[h]; ok && other != b.Hash() {
				t.Fatalf("validator %d has another block %d", i, h)
			}
			hashes[h] = b.Hash()
			if i == 0 {
				paid += len(b.Txs)
			}
		}
	}
	if paid != 1 {
		t.Errorf("%d transactions were included", paid)
	}
}
