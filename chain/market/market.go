package market

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// Market is the Job Dispatcher during one turn, or at the end of one block. Methods that return a reject may have written before they found it: the caller
// undoes the turn.
type Market struct {
	State      state.Store
	Params     *params.Params
	Height     unit.Height // of the block
	Time       uint64      // of the block: seconds since 1970
	Round      sig.Round   // the block was proposed in
	ParentView uint64      // the round of the parent block, in its own epoch
	Beacon     sig.Seed    // what the block may read: the seed of the round before. Where there is none, a seed of round 0 that begins with the genesis hash
	Registry   *runner.Registry
	Verifier   Verifier // nil: nobody judges, and nothing is revealed
	Volumes    Volumes  // nil: nobody mints tokens of volumes
	Emit       func(topic string, data []byte)
	Look       func(runners int) error          // pays for runners that are looked at; nil: nobody does
	Bill       func(addr account.Address) error // has an actor pay its rent before it is given coins; nil: nobody is billed

	// Held is what the coin held for jobs has grown by, less what went out of it: the caller adds it to the escrow at the end of the block (AddEscrow).
	Held int64
	// Burned is what was burned of it, in base units, for the caller to take out of the supply.
	Burned unit.Amount

	// Asked are the jobs about which actors of checks are to be asked at the end of this block.
	Asked []*Task

	judged int // work to judge results, so far in this end of a block
	paid   int // tranches behind runners who were paid, likewise
}

// Verifier is the Result Verifier as the dispatcher needs it. Its methods run at the end of a block, on m's state; an error is a failure of this machine.
//
// What they may call of m: Pay and Burn, which take coins out of what is held for the job; Registry, to score and to slash. What becomes of the job, its
// runners and its queues is the dispatcher's: they write nothing of Job or Selection.
//
// Spec: WP §5.3, §9; runner-marketplace §5, §6, §8.
type Verifier interface {
	// Judge runs the job's mode over what was revealed in time, once the window is closed or all who had committed themselves revealed. reveals are in the
	// order of the addresses and Threshold of t.Job at least. A nil result is none: the attempt failed, and the job fails for the reason (at most
	// MaxReasonBytes) unless another attempt follows. With ErrAsked it is asked again when the actor of a check has ruled, or has not in time.
	Judge(m *Market, t *Task, reveals []*Reveal) (result *Result, reason string, err error)
	// Unrevealed is told of each runner that committed itself and did not reveal in the window, before Judge and whether there is a result or not.
	Unrevealed(m *Market, t *Task, runner account.Address) error
	// Reproduced is told what the second run of a deterministic job says of it.
	Reproduced(m *Market, t *Task, result *Result, r *Rerun) error
	// Settle says who gets what of the escrow of a job whose dispute window is over, its price shared out by a split. What that leaves goes back to the
	// submitter.
	Settle(m *Market, t *Task, result *Result, split params.Split) *verify.Shares
	// Reward pays a runner what Settle said; earned says that it is the price of a result, and no recovered fee.
	Reward(m *Market, t *Task, p *verify.Payment, earned bool) error
}

// Volumes is the Storage Manager as the dispatcher needs it. Its methods run on m's state, for jobs that volumes are attached to.
//
// Spec: WP §5.3; storage-cbfs §2.5.
type Volumes interface {
	// Attach holds the attachments of a job that is submitted to its submitter's volumes, and takes their fee. It may reject.
	Attach(t *Task) error
	// Mint gives the runners of an attempt their tokens, and Unmint ends them. An error is a failure of this machine.
	Mint(t *Task) error
	Unmint(t *Task) error
}

// Task is a job with all that is known of it.
type Task struct {
	ID        digest.Hash
	Job       *Job
	Spec      *job.Spec
	Selection *Selection // nil before the draw
}

// Topics of the events of 0x02. The data of each begins with the job's identity; numbers are UInt.
const (
	TopicSubmitted = "job.submitted" // submitter(20) ‖ job_kind(1) ‖ M ‖ N ‖ escrow
	TopicAssigned  = "job.assigned"  // attempt ‖ deadline ‖ list of runners, the aggregator among them ‖ aggregator(20)
	TopicRevealing = "job.revealing" // the last block reveals are taken in
	TopicVerified  = "job.verified"  // consensus_count ‖ the block it is paid for in
	TopicCompleted = "job.completed" // what came back to the submitter
	TopicFailed    = "job.failed"    // what came back to the submitter ‖ Bytes reason
	TopicCancelled = "job.cancelled" // what came back to the submitter
)

func (m *Market) emit(topic string, id digest.Hash, data ...[]byte) {
	all := append([]byte(nil), id[:]...)
	for _, d := range data {
		all = append(all, d...)
	}
	m.Emit(topic, all)
}

func number[T ~uint32 | ~uint64](n T) []byte { return codec.AppendUint(nil, uint64(n)) }

func (m *Market) save(t *Task) { m.State.Set(jobKey(t.ID), t.Job.Encode()) }

// find reads a job that there is. A reject: ErrUnknown.
func (m *Market) find(id digest.Hash) (*Job, error) {
	j, err := Load(m.State, id)
	if err == nil && j == nil {
		err = ErrUnknown
	}
	return j, err
}

// Open reads a job that has not been trimmed, with all that is known of it. A reject: ErrUnknown.
func (m *Market) Open(id digest.Hash) (*Task, error) {
	j, err := m.find(id)
	if err != nil {
		return nil, err
	}
	t := &Task{ID: id, Job: j}
	if t.Spec, err = LoadSpec(m.State, id); err == nil && t.Spec == nil {
		err = ErrUnknown
	}
	if err == nil {
		t.Selection, err = LoadSelection(m.State, id)
	}
	return t, err
}

// schedule sets the block at whose end something becomes of a job: that of its status, or the last in which whoever awaits it can be told.
func (m *Market) schedule(t *Task, at unit.Height) {
	if j := t.Job; j.Until > 0 && j.Status < Challengeable && (at == 0 || at >= j.Until) {
		at = max(j.Until-1, m.Height)
	}
	if t.Job.Due == at {
		return
	}
	if t.Job.Due > 0 {
		m.State.Delete(heightKey(underDue, t.Job.Due, t.ID))
	}
	if t.Job.Due = at; at > 0 {
		m.State.Set(heightKey(underDue, at, t.ID), nil)
	}
}

// Pay gives somebody a part of what is held for a job. It is no more than that: an overdraft is an error of unit.
//
// Spec: runner-marketplace §5.2.
func (m *Market) Pay(t *Task, to account.Address, amount unit.Amount) error {
	if amount == 0 {
		return nil
	}
	if err := m.take(t, amount); err != nil {
		return err
	}
	if m.Bill != nil {
		if err := m.Bill(to); err != nil {
			return err
		}
	}
	return account.Credit(m.State, to, amount)
}

// Burn destroys a part of what is held for a job.
//
// Spec: WP §8.4; runner-marketplace §5.2.
func (m *Market) Burn(t *Task, amount unit.Amount) error {
	if err := m.take(t, amount); err != nil {
		return err
	}
	m.Burned += amount
	return nil
}

func (m *Market) take(t *Task, amount unit.Amount) error {
	left, err := t.Job.Escrow.Sub(amount)
	if err != nil {
		return err
	}
	t.Job.Escrow = left
	m.Held -= int64(amount)
	return nil
}
