package executor

import (
	"errors"
	"fmt"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/supervision"
)

const (
	// inboxCapacity bounds waiting jobs; the proposer and the replica have at most a few out.
	inboxCapacity = 64
	// workerCapacity is above one because the turn of an abandoned attempt may still wait.
	workerCapacity = 16
)

// Execute asks for a block to be built or verified. Reply is called once from the executor; it must only send a command. Without a Parent the block
// stands on the one that was executed just before, so that blocks can be asked for one behind the other; if that is not its parent the answer is
// ErrParent.
type Execute struct {
	Parent transition.Parent
	Job    transition.Job
	// Budget is how long a build may take. When it is spent no further transaction is taken, and the one whose turn is out is told to end. If that has not
	// ended after another eighth of the budget, or the build after twice the budget, all transactions are left out. Zero: as long as it takes. What the
	// block has to hold is never left out.
	Budget time.Duration
	// Cancel names the job for Abandon; nil if nobody will.
	Cancel *CancelToken
	Reply  func(Executed)
}

// ErrParent answers a block without a Parent that does not stand on the block that was executed before it.
var ErrParent = errors.New("executor: the block executed before is not the parent")

// Executed answers Execute. Err is a *transition.Invalid, ErrParent or ErrAbandoned, and of a build the *Evidence of a turn that broke the machine; other
// failures of the machine are never answered. Of a build, the reasons in Result.Refused may be transition.ErrTime and *Slow as well.
type Executed struct {
	Result   *transition.Result
	Err      error
	Attempts int // 1 unless a turn was lost
}

// key names one turn of one attempt.
type key struct {
	job, attempt uint64
	turn         uint32
}

// Turn hands a turn and its overlay to whoever runs it. It implements supervision.Abandoner: a turn whose holder failed
// reports itself lost.
type Turn struct {
	Turn *drain.Turn
	key  key
	home *Handle
	work time.Duration // of a processor, once that is known
}

// Worked notes how long a processor was at the turn, which may be less than the time that has passed.
func (t *Turn) Worked(d time.Duration) { t.work = d }

// Done gives the turn back with its outcome.
func (t *Turn) Done(o drain.Outcome) { t.home.inbox.Reply(outcome{t.key, t.work, o}) }

// Interrupted gives the turn back without an outcome: it was to end, and has. Its overlay may hold writes of it.
func (t *Turn) Interrupted() { t.home.inbox.Reply(interrupted{t.key, t.work}) }

// Failed gives the turn back without one: err is a failure of this machine.
func (t *Turn) Failed(err error) { t.home.inbox.Reply(lost{t.key, err}) }

// Abandoned implements supervision.Abandoner.
func (t *Turn) Abandoned(cause error) { t.Failed(cause) }

// Counted implements supervision.Counted: the executor stops over a turn that fails twice, or does without it.
func (t *Turn) Counted() {}

// String names the turn in failure reports.
func (t *Turn) String() string {
	return fmt.Sprintf("height %d turn %d attempt %d", t.Turn.Block.Height, t.key.turn, t.key.attempt)
}

type outcome struct {
	key     key
	work    time.Duration
	outcome drain.Outcome
}

type interrupted struct {
	key  key
	work time.Duration
}

// The ends of a job's time, and a job that is taken back.
type (
	spent   struct{ job uint64 }
	overrun struct {
		job  uint64
		deaf bool // only a turn that was told to end is meant
	}
	abandon struct{ token *CancelToken }
)

type lost struct {
	key   key
	cause error
}

// Performer runs turns and answers each with Done or Failed.
type Performer interface {
	Perform(t *Turn) supervision.Delivery
}

// Handle is how others ask the executor.
type Handle struct{ inbox *supervision.Inbox }

// NewHandle makes the handle, with the inbox the tree declares.
func NewHandle() *Handle { return &Handle{supervision.NewInbox("executor", inboxCapacity)} }

// Inbox is the subsystem's inbox.
func (h *Handle) Inbox() *supervision.Inbox { return h.inbox }

// Execute asks for a block.
func (h *Handle) Execute(e Execute) supervision.Delivery { return h.inbox.Send(e) }

// Abandon takes a job back: it is answered with ErrAbandoned unless it has been answered. Whoever runs its turn is told to end it and is not waited for.
func (h *Handle) Abandon(e *CancelToken) { h.inbox.Reply(abandon{e}) }

// Worker is the handle of one PVM worker.
type Worker struct{ inbox *supervision.Inbox }

// NewWorker makes the handle of the n-th worker.
func NewWorker(n int) *Worker {
	return &Worker{supervision.NewInbox(fmt.Sprintf("pvm-%d", n), workerCapacity)}
}

// Inbox is the worker's inbox.
func (w *Worker) Inbox() *supervision.Inbox { return w.inbox }

// Perform implements Performer.
func (w *Worker) Perform(t *Turn) supervision.Delivery { return w.inbox.Send(t) }

// Performers finds who runs a turn.
type Performers struct {
	// Workers run Python turns; what comes after a turn that one of them lost, or was left alone with, is given to the next.
	Workers []Performer
	// System are the system actors by address; Reserved answers for every other reserved address.
	System   map[account.Address]Performer
	Reserved Performer
}

func (p *Performers) pick(t *drain.Turn, lost uint64) Performer {
	if !t.Native {
		return p.Workers[lost%uint64(len(p.Workers))]
	}
	if s := p.System[t.Target]; s != nil {
		return s
	}
	return p.Reserved
}
