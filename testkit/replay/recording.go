package replay

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// Recording is the chain of a data directory.
type Recording struct {
	spec  *genesis.Spec
	chain *ledger.Disk
}

// ErrAbsent says that a directory holds no chain.
var ErrAbsent = errors.New("replay: there is no chain in the directory")

// Open opens the data directory of a node of a network. It errs with ErrAbsent, disk.ErrLocked while a node uses it, and what package store says of
// a chain that is another network's or damaged.
func Open(dir string, spec *genesis.Spec) (*Recording, error) {
	path := filepath.Join(dir, "chain")
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%w: %s", ErrAbsent, dir)
	}
	d, err := disk.NewDirectory(path)
	if err != nil {
		return nil, err
	}
	chain, err := ledger.OpenDisk(d, "", spec, store.Options{Window: store.Archive})
	if err != nil {
		return nil, err
	}
	return &Recording{spec, chain}, nil
}

// Close releases the directory.
func (r *Recording) Close() error { return r.chain.Close() }

// Height is the newest block's.
func (r *Recording) Height() unit.Height { return r.chain.Header().Height }

// Block gives a recorded block and its receipts.
func (r *Recording) Block(height unit.Height) (*block.Block, []*block.Receipt, error) {
	b, err := r.chain.Block(height)
	if err != nil {
		return nil, nil, err
	}
	receipts, err := r.chain.Receipts(height)
	return b, receipts, err
}

// Chain executes the recorded blocks up to a height in the kit and gives the chain there. Anything that differs fails the test.
func (r *Recording) Chain(t testing.TB, height unit.Height) *testkit.Chain {
	t.Helper()
	c := testkit.NewChainFrom(t, r.spec)
	for h := unit.Height(1); h <= height; h++ {
		b, receipts, err := r.Block(h)
		if err != nil {
			t.Fatal(err)
		}
		if result := c.Replay(b, receipts); result.Header.Hash() != b.Hash() {
			t.Fatalf("block %d has another hash", h)
		}
	}
	return c
}

// Run executes all that a development network of one validator recorded and gives the chain, to go on with.
func Run(t testing.TB, dir string) *testkit.Chain {
	t.Helper()
	spec, err := genesis.Devnet(testkit.ChainID, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Open(dir, spec)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	return r.Chain(t, r.Height())
}
