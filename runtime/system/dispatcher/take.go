package dispatcher

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// TopicWaiting is the event of a job that waits; its data is the job's name (Name).
const TopicWaiting = "job.waiting"

// Open tells whether a block is of a developer's network: it has administrators and one validator.
//
// Spec: governance-staking B10 (administrators of local networks).
func Open(b *drain.Block, s stake.Reader) (bool, error) {
	if len(b.Params.Administrators) == 0 {
		return false, nil
	}
	if ok, err := stake.Exists(s); err != nil || !ok {
		return false, err
	}
	n, err := stake.Size(s, b.Height)
	return n == 1, err
}

// Decide says what becomes of a job; ok is false for one that has to wait.
type Decide func(*Job) (a Answer, ok bool, err error)

// Takes tells whether a turn is a job's delivery.
func Takes(t *drain.Turn) bool {
	return t.Native && t.Kind == block.Message && t.Target == account.System(account.JobDispatcher)
}

// Take runs the delivery of a job. An error is a failing state source, or what decide errs with.
//
// Spec: sdk §9.1, §9.6; runner-marketplace §5 (callback).
func Take(t *drain.Turn, decide Decide) (drain.Outcome, error) {
	job, err := Read(t.Sender, t.Block.Height, t.Payload.Data)
	if err != nil || !t.Payload.Structured {
		return t.Failed(fee.Use{}, drain.FaultInput, ErrJob.Error()), nil
	}
	a, ok, err := decide(job)
	if err != nil {
		return drain.Outcome{}, err
	}
	out := drain.Outcome{Turn: t.Number}
	switch {
	case !ok:
		err = wait(t, job, &out)
	case !a.Lost:
		err = answer(t, job, a, &out)
	}
	if code, rejected := fault(err); rejected {
		return t.Failed(fee.Use{}, code, err.Error()), nil
	}
	return out, err
}

// fault gives the code of a reject of this package or of the mailbox.
func fault(err error) (code uint16, rejected bool) {
	if errors.Is(err, ErrFull) || errors.Is(err, ErrReply) {
		return drain.FaultLimit, true
	}
	return drain.FaultOf(err)
}

// wait keeps a job until somebody answers it.
func wait(t *drain.Turn, job *Job, out *drain.Outcome) error {
	c, err := load(t.Overlay)
	if err != nil {
		return err
	}
	w := Waiting{Origin: t.Origin, Actor: job.Actor, Height: job.Height, Payload: t.Payload.Data}
	if err := c.keepWaiting(t.Overlay, &w); err != nil {
		return err
	}
	c.save(t.Overlay)
	out.Enqueued = 1
	out.Events = []block.Event{{
		Actor: account.System(account.JobDispatcher), Topic: []byte(TopicWaiting), Data: []byte(Name(job, w.Number)),
	}}
	return nil
}

// answer sends an answer at once, or keeps it until it is due.
func answer(t *drain.Turn, job *Job, a Answer, out *drain.Outcome) error {
	reply, err := job.reply(a)
	if err != nil {
		return err
	}
	copies := uint32(max(a.Copies, 1))
	if t.Fanout+copies > params.FanoutPerTx {
		return mailbox.ErrFanout
	}
	if a.Delay == 0 {
		for range copies {
			if err := send(t.Overlay, t.Block, &Late{Origin: t.Origin, Actor: job.Actor, Reply: reply}); err != nil {
				return err
			}
		}
		out.Enqueued, out.Fanout = copies, copies
		return nil
	}
	c, err := load(t.Overlay)
	if err != nil {
		return err
	}
	l := Late{Due: t.Block.Height + a.Delay, Origin: t.Origin, Actor: job.Actor, Copies: copies, Reply: reply}
	if err := c.keepLate(t.Overlay, &l); err != nil {
		return err
	}
	c.save(t.Overlay)
	out.Enqueued = 1
	return nil
}

// send puts an answer into its actor's mailbox. What comes from outside of the chain begins at depth 0 again.
func send(s Store, b *drain.Block, l *Late) error {
	_, err := mailbox.Enqueue(s, b.Limits, b.Height, mailbox.Message{
		Sender: account.System(account.JobDispatcher), Target: l.Actor, Payload: l.Reply, Structured: true, Origin: l.Origin,
	})
	return err
}

// Scripted decides by the scripts in the state: the newest of those a job is in the scope of.
func Scripted(s Store, threshold int) Decide {
	return func(j *Job) (a Answer, ok bool, err error) {
		list, err := Scripts(s)
		if err != nil {
			return a, false, err
		}
		for i := len(list) - 1; i >= 0; i-- {
			if !list[i].holds(j) {
				continue
			}
			if err := spend(s, &list[i]); err != nil {
				return a, false, err
			}
			a, err = list[i].Reply.answer(threshold)
			return a, err == nil, err
		}
		return a, false, nil
	}
}

// spend counts a job of a script for so many.
func spend(s Store, one *Script) error {
	switch one.Jobs {
	case 0:
		return nil
	case 1:
		c, err := load(s)
		if err == nil {
			c.removeScript(s, one)
			c.save(s)
		}
		return err
	}
	one.Jobs--
	s.Set(entryKey(nameScript, one.Number), one.Append(nil))
	return nil
}

// Sent is what became of an answer that was due.
type Sent struct {
	Origin   digest.Hash
	Messages uint32 // that were sent now
	Done     bool   // nothing of it is left
}

// Send sends the answers that are due, and lets go of jobs that have waited for MaxLate blocks, or wait on a network that is not a developer's any more. An
// actor whose mailbox is full has its answer a block later; one that is gone has none.
//
// Spec: sdk §9.6; WP §3.3 (mailbox capacity).
func Send(s Store, b *drain.Block) ([]Sent, error) {
	c, err := load(s)
	if err != nil || c.Waiting+c.Late == 0 {
		return nil, err
	}
	list, err := abandon(s, b, &c)
	if err != nil {
		return nil, err
	}
	due, err := lates(s, b.Height)
	if err != nil {
		return nil, err
	}
	for i := range due {
		one, err := c.deliver(s, b, &due[i])
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	if len(list) > 0 {
		c.save(s)
	}
	return list, nil
}

// deliver sends what is left of an answer.
func (c *counters) deliver(s Store, b *drain.Block, l *Late) (Sent, error) {
	sent, size := Sent{Origin: l.Origin, Done: true}, len(l.encode())
	for l.Copies > 0 {
		err := send(s, b, l)
		var full *mailbox.Full
		if errors.As(err, &full) {
			sent.Done = false
			c.Bytes -= uint64(size - len(l.encode()))
			s.Set(entryKey(nameLate, uint64(l.Due), l.Number), l.encode())
			return sent, nil
		}
		if _, rejected := fault(err); err != nil && !rejected {
			return sent, err
		}
		if err == nil {
			sent.Messages++
		}
		l.Copies--
	}
	c.dropLate(s, l, size)
	return sent, nil
}

// abandon lets go of the jobs that have waited for MaxLate blocks, and of all of them where nobody can answer any more.
func abandon(s Store, b *drain.Block, c *counters) (list []Sent, err error) {
	if c.Waiting == 0 {
		return nil, nil
	}
	open, err := Open(b, s)
	if err != nil {
		return nil, err
	}
	var gone []Waiting
	err = scan(s, nameWaiting, func(key, value []byte) (bool, error) {
		w, err := readWaiting(lastNumber(key), value)
		if err != nil || open && w.Height+MaxLate > b.Height {
			return false, err // the others came later
		}
		gone = append(gone, w)
		return true, nil
	})
	for i := range gone {
		c.dropWaiting(s, &gone[i])
		list = append(list, Sent{Origin: gone[i].Origin, Done: true})
	}
	return list, err
}
