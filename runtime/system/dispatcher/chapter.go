package dispatcher

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// New gives the chapter of jobs as developers' networks have it.
//
// Spec: sdk §9.6; governance-staking B10.
//
// market takes the jobs no script matches, where runners are registered; nil: nobody does.
func New(market Market) *chapter.Chapter {
	return &chapter.Chapter{
		Name: tx.ChapterJob, Homes: []byte{account.JobDispatcher, account.RunnerRegistry, account.ResultVerifier},
		Handlers: []chapter.Handler{{Ways: chapter.ByMessage, Run: func(e *chapter.Env, r chapter.Request) ([]byte, error) {
			if e.Self != account.System(account.JobDispatcher) {
				return nil, chapter.ErrNoHandler
			}
			if open, err := Open(e.Block, e.State); err != nil {
				return nil, err
			} else if !open {
				return nil, Offer(e, r, market)
			}
			return nil, market.take(e, r, Scripted(e.State, int(e.Block.Params.Committee.Threshold)))
		}}},
		End: send, Claims: Claims(),
		Faults: []chapter.Fault{
			{Err: ErrJob, Code: drain.FaultInput},
			{Err: ErrFull, Code: drain.FaultLimit},
			{Err: ErrReply, Code: drain.FaultLimit},
		},
	}
}

// send sends the answers that are due. Each runs on what is left of its job's origin, whose pool counted the job as pending until now.
//
// Spec: sdk §9.6; runner-marketplace §5 (callback).
func send(b *chapter.Boundary) error {
	sent, err := Send(b.State, b.Block, b.Bill)
	if err != nil {
		return err
	}
	for _, x := range sent {
		if err := b.Release(x.Origin, x.Messages, x.Done); err != nil {
			return err
		}
	}
	return nil
}

// Takes tells whether a turn is a job's delivery.
func Takes(t *drain.Turn) bool {
	return t.Native && t.Kind == block.Message && t.Target == account.System(account.JobDispatcher)
}

// Deliver runs the delivery of a job whose fate another decides than the scripts. An error is a failing state source, or what decide errs with.
func Deliver(t *drain.Turn, decide Decide) (drain.Outcome, error) {
	e := chapter.NewEnv(New(nil), t, nil)
	return e.Outcome(nil, Take(e, chapter.Request{Data: t.Payload.Data, Structured: t.Payload.Structured}, decide))
}
