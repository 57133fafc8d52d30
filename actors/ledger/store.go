package ledger

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/light"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// ErrAbsent reports a block, receipt or transaction the store does not hold.
var ErrAbsent = errors.New("ledger: not held")

// Final is a finalized block and everything it led to. Nobody changes it afterwards.
type Final struct {
	Block        *block.Block
	Hash         digest.Hash
	Receipts     []*block.Receipt
	Flows        *flow.Sheet // what became of coins; nil where nobody knows
	State        *state.Commit
	Certificates []*sig.Certificate // what made it final: at least a Finalization
}

// Height is the block's.
func (f *Final) Height() unit.Height { return f.Block.Header.Height }

// Place is where a transaction is.
type Place struct {
	Height unit.Height
	Index  uint32 // among the block's receipts
}

// Store keeps finalized blocks. Append is called by one goroutine, everything else by many. Errors other than ErrAbsent mean
// that our machine failed.
type Store interface {
	// Append makes the next blocks durable, in order; when it returns, a crash at any instant keeps them. A crash before keeps some first ones of them.
	Append(list ...*Final) error
	// State is the state after the newest block.
	State() *state.Commit
	// Header is the newest block's.
	Header() *block.Header
	// Block gives a block by height.
	Block(height unit.Height) (*block.Block, error)
	// Receipts gives a block's receipts by height.
	Receipts(height unit.Height) ([]*block.Receipt, error)
	// Flows gives what became of a block's coins, by height; nil where the block was kept without.
	Flows(height unit.Height) (*flow.Sheet, error)
	// Certificates gives what made a block final; none for genesis.
	Certificates(height unit.Height) ([]*sig.Certificate, error)
	// Encoded gives a block's encoding and what made it final, for others; none of either for genesis.
	Encoded(height unit.Height) ([]byte, []*sig.Certificate, error)
	// HeightOf finds a block by its hash.
	HeightOf(hash digest.Hash) (unit.Height, error)
	// Transaction finds the receipt of a transaction, message, timer fire or deferred call by its identity.
	Transaction(id digest.Hash) (Place, error)
	// At gives the state after an earlier block, ErrAbsent if the store no longer keeps it.
	At(height unit.Height) (*state.Commit, error)
	// First is the lowest height above the genesis whose block is held, or 0 when all are. Blocks below it, but the genesis, are ErrAbsent,
	// with a *store.PrunedError that names it; so are the receipts of a block that came with a snapshot.
	First() unit.Height
	// EpochProof gives the way out of an epoch, for light clients and for nodes that start from a snapshot; ErrAbsent for an epoch that is not over.
	EpochProof(epoch uint64) (*light.EpochProof, error)
	// Keep keeps an epoch proof that was verified. Any goroutine may call it.
	Keep(x *light.EpochProof) error
	// Close releases the store; nothing is lost without it.
	Close() error
}

// Maintainer is a Store that has to tidy up now and then, on a goroutine of its own.
type Maintainer interface {
	// Due reports whether it is time to.
	Due() bool
	// Maintain tidies up beside the writer and readers. An error means that our machine failed.
	Maintain() error
}
