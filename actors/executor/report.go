package executor

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// CancelToken tells one job from all others for whoever may want to take it back. It carries nothing.
type CancelToken struct{ _ byte }

// ErrAbandoned answers a job that was taken back.
var ErrAbandoned = errors.New("executor: the job was taken back")

// Slow is a turn that took longer than one turn may.
type Slow struct {
	Height unit.Height
	Kind   block.Kind
	ID     digest.Hash     // of the transaction, message, timer or deferred call
	Actor  account.Address // that ran
	Took   time.Duration   // of a processor where that is known
	Ended  bool            // before its time, so that it would have taken longer
}

// Error implements error: a Slow is the reason for which a transaction is left out.
func (s *Slow) Error() string {
	return fmt.Sprintf("executor: %v %v of %v was stopped after %v", s.Kind, s.ID, s.Actor, s.Took.Round(time.Millisecond))
}

// Broken is a turn that broke the machine: whoever ran it panicked.
type Broken struct {
	Kind  block.Kind
	ID    digest.Hash     // of the transaction, message, timer or deferred call
	Actor account.Address // that ran
}

// Report is what the executor saw of one job.
type Report struct {
	Mode   transition.Mode
	Height unit.Height
	// Txs are the transactions of the block, if it was executed to its end; all but those in Slow were executed in time.
	Txs  []tx.Verified
	Slow []Slow
	// Longest is the transaction that took longest of those that handed a turn out; zero where none did.
	Longest Slow
	// Cut is the transaction whose turn was ended, or not waited for, since the budget of a build was spent, where the block holds none and this one is not
	// in Slow: a busy machine needs long for little work. Zero where there is none.
	Cut digest.Hash
	// Owed is how long the turns took that a block has to hold and that come behind its transactions.
	Owed time.Duration
}

// interrupt is raised for the turn that is out, by the executor, and looked at by whoever runs the turn.
type interrupt struct{ raised atomic.Bool }

// Raised implements drain.Interrupt.
func (i *interrupt) Raised() bool { return i.raised.Load() }
