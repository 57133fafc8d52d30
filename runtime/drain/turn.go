package drain

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/event"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/protocol"
	"github.com/cowboyinc/cowboy-go/chain/rent"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Turn is one top-level execution handed to whoever runs it. The overlay travels with it: until the Outcome is given back, its holder
// is the only one who may touch the overlay.
type Turn struct {
	Number  uint32 // of the block's deliveries; the Outcome repeats it
	Kind    block.Kind
	Native  bool             // the target is a system actor: run it with runtime/system, else with runtime/host
	Target  account.Address  // the actor that runs, or the system actor that owns the instruction
	Sender  account.Address  // what the handler sees as its sender
	ID      digest.Hash      // transaction, message, timer or deferred identity
	TxHash  digest.Hash      // what the handler sees: the transaction, the origin of injected work, zero for a timer
	Origin  digest.Hash      // whose pool pays for what the turn enqueues
	Signer  *account.Address // who signed the transaction that is executing; nil for injected work
	Nonce   uint64           // of the transaction, or a number no other injected turn has
	Depth   uint8            // 0 for a transaction or timer; of a message or deferred call, its own
	Checked uint32           // weight of the signatures that turns before this one checked in the block
	Hashed  uint64           // bytes that turns before this one had the host hash in the block
	Fresh   *Fresh           // programs that turns before this one loaded in the block, to which it adds; nil: none, and nobody asks
	Sent    uint32           // messages, deferred calls and timers that turns before this one put into state, extended or cancelled in the block
	Fanout  uint32           // messages and timers the origin has enqueued before this turn
	Value   unit.Amount      // coins that came with it; they are on the target's balance already
	Limit   fee.Use          // what the turn may use; intrinsic costs are paid already
	Room    unit.Cycles      // what hooks of events that the turn emits may use beside it
	Payload Payload
	Block   *Block
	Overlay *state.Overlay
	// Migration is the upgrade that the turn prepares: the target is given other code. Nil for all other turns.
	Migration *govern.Pending
	// Batch is the hooks of an earlier emit that the turn runs. Nil for all other turns.
	Batch *event.Batch
	// Interrupt, if set, may end the turn before it has an outcome. It changes no outcome.
	Interrupt Interrupt
}

// Interrupt lets whoever gave a turn away have it end early.
type Interrupt interface {
	// Raised says whether the turn is to end. It is asked often.
	Raised() bool
}

// ErrInterrupted is what a Runner gives for a turn that ended because its Interrupt was raised. The turn has no outcome; the overlay may hold writes of
// it, which are to be undone.
var ErrInterrupted = errors.New("drain: the turn was interrupted")

// Payload is what a turn delivers.
type Payload struct {
	// Instruction is the transaction's; nil for injected work.
	Instruction tx.Instruction
	// Handler is the handler to call, "" when a message's payload names it.
	Handler string
	Data    []byte
	// Structured says that Data is canonical CBOR and is delivered decoded.
	Structured bool
}

// Block is what a turn may know of the block it runs in. It is shared by all turns and not modified.
type Block struct {
	ChainID     uint64
	Height      unit.Height
	TimestampMs uint64
	ParentHash  digest.Hash
	Beacon      []byte      // the parent round's seed signature, or the genesis hash where there is none
	Round       block.Round // the block was proposed in
	ParentView  uint64      // of the parent block, in its own epoch
	Seed        sig.Seed    // Beacon with its round; where there is none, of round 0, and its signature begins with the genesis hash
	Proposer    account.Address
	Protocol    *protocol.Version // nil: the first
	Codes       govern.Pointers   // of system actors; those it does not name run their first native edition
	Params      *params.Params
	Basefees    params.Basefees
	Limits      mailbox.Limits
	Rent        *rent.Book // nil: nobody is billed
}

// Version is what holds in the block.
func (b *Block) Version() *protocol.Version {
	if b.Protocol == nil {
		return protocol.First()
	}
	return b.Protocol
}

// Outcome is the answer to a Turn.
type Outcome struct {
	Turn    uint32
	Used    fee.Use      // at most the turn's limit
	Fault   *block.Fault // nil: success. With a fault the overlay's writes since the turn began are undone by the transition
	Return  []byte
	Events  []block.Event
	Created *account.Address
	// Enqueued counts the messages and deferred calls the turn put into state; each may draw from the origin's pool.
	Enqueued uint32
	// Fanout counts the messages and timers among what the turn enqueued.
	Fanout uint32
	// Checked is the weight of the signatures the turn checked, with a fault too.
	Checked uint32
	// Hashed counts the bytes that the turn had the host hash, with a fault too.
	Hashed uint64
	// Fresh is the weight of the programs the turn added to its Fresh, with a fault too.
	Fresh uint32
	// Sent counts the messages, deferred calls and timers the turn put into state, extended or cancelled, with a fault too.
	Sent uint32
	// Hooks is what hooks of events used, at most the turn's Room, with a fault too. It counts towards the block and nobody's limit.
	Hooks fee.Use
	// Fires is what those hooks owe, with a fault too.
	Fires []event.Fire
	// Burned is coin the turn destroyed besides fees.
	Burned unit.Amount
	// Sums are what the turn adds to sums of the block.
	Sums []Sum
	// Flows say where coins went: causes of Burned, and what was put into pots. They are for people alone.
	Flows []flow.Line
}

// SumID names a sum of the block: a chapter's, under a name the chapter gives it.
type SumID struct {
	Chapter tx.Chapter
	Name    string
}

// Sum is an amount to add to a sum of the block. Chapters bound their sums by the supply, so that they fit.
type Sum struct {
	ID    SumID
	Delta int64
}

// Failed is the outcome of a turn that used its whole limit or part of it and failed.
func (t *Turn) Failed(used fee.Use, code uint16, text string) Outcome {
	return Outcome{Turn: t.Number, Used: used, Fault: &block.Fault{Code: code, Text: text}}
}

// Runner runs one turn on the overlay it carries. An error is a failure of this machine; the block's validity is then unknown.
type Runner interface {
	Run(t *Turn) (Outcome, error)
}
