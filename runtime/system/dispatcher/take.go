package dispatcher

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// TopicWaiting is the event of a job that waits; its data is the job's name (Name).
const TopicWaiting = "job.waiting"

// Refuse answers a job that is to have an answer by some block where nobody can give one: on a network without runners. Any other job is refused with
// ErrNoHandler, as a message to an address whose chapter is not built.
//
// Spec: sdk §10.4, §10.5 (awaits end).
func Refuse(e *chapter.Env, r chapter.Request) error {
	job, err := Read(e.Sender, e.Block.Height, r.Data)
	if err != nil || !r.Structured || job.Until == 0 {
		return chapter.ErrNoHandler
	}
	return answer(e, job, failure("failed", "this network has no runners"))
}

// Serves reports whether jobs are answered: by scripts of a developer's network, or by registered runners.
func Serves(b *drain.Block, s state.Reader) (bool, error) {
	open, err := Open(b, s)
	if err != nil || open {
		return open, err
	}
	return Runners(s)
}

// Open tells whether a block is of a developer's network: it has administrators and one validator.
//
// Spec: governance-staking B10 (administrators of local networks).
func Open(b *drain.Block, s state.Reader) (bool, error) {
	if len(b.Params.Administrators) == 0 {
		return false, nil
	}
	if ok, err := stake.Exists(s); err != nil || !ok {
		return false, err
	}
	n, err := stake.Size(s, b.Height)
	return n == 1, err
}

// Market hands a job to registered runners. A refusal is why it does not take the job, which has left nothing behind then.
type Market func(e *chapter.Env, j *Job) (refusal, err error)

// there reports whether the market has runners.
func (m Market) there(s state.Reader) (bool, error) {
	if m == nil {
		return false, nil
	}
	return Runners(s)
}

// Runners reports whether runners are registered.
//
// Spec: runner-marketplace §2.5.
func Runners(s state.Reader) (bool, error) {
	list, err := runner.List(s, nil, 1)
	return len(list) > 0, err
}

// Offer hands a job to the market of a network without scripts. Where it has no runners the job is refused (Refuse); one that is to have an answer by some
// block and that the market does not take is told why.
//
// Spec: sdk §9.6, §10.4; runner-marketplace §3 (6).
func Offer(e *chapter.Env, r chapter.Request, market Market) error {
	there, err := market.there(e.State)
	if err != nil {
		return err
	}
	if !there {
		return Refuse(e, r)
	}
	job, err := Read(e.Sender, e.Block.Height, r.Data)
	if err != nil || !r.Structured {
		return ErrJob
	}
	refusal, err := market(e, job)
	if err != nil || refusal == nil {
		return err
	}
	if job.Until == 0 {
		return refusal
	}
	return answer(e, job, failure("failed", refusal.Error()))
}

// Decide says what becomes of a job; ok is false for one that has to wait.
type Decide func(*Job) (a Answer, ok bool, err error)

// Take runs the delivery of a job. An error is a reject, a failing state source, or what decide errs with.
//
// Spec: sdk §9.1, §9.6; runner-marketplace §5 (callback).
func Take(e *chapter.Env, r chapter.Request, decide Decide) error {
	return Market(nil).take(e, r, decide)
}

// take is Take where what decide leaves open goes to the market, and waits if the market does not take it.
func (m Market) take(e *chapter.Env, r chapter.Request, decide Decide) error {
	job, err := Read(e.Sender, e.Block.Height, r.Data)
	if err != nil || !r.Structured {
		return ErrJob
	}
	err = m.end(e, job, r.Data, decide)
	if job.Until > 0 && (errors.Is(err, ErrFull) || errors.Is(err, ErrReply)) { // what awaits it is to go on
		return answer(e, job, failure("failed", err.Error()))
	}
	return err
}

// end does what becomes of a job, or keeps the job.
func (m Market) end(e *chapter.Env, job *Job, data []byte, decide Decide) error {
	a, ok, err := decide(job)
	switch {
	case err != nil:
		return err
	case ok:
		return answer(e, job, a)
	}
	there, err := m.there(e.State)
	if err != nil {
		return err
	}
	if there {
		if refusal, err := m(e, job); err != nil || refusal == nil {
			return err
		}
	}
	return wait(e, job, data)
}

// wait keeps a job until somebody answers it, and a notice that nobody did. The two count as one pending item, which is the notice's to give back.
func wait(e *chapter.Env, job *Job, payload []byte) error {
	c, err := load(e.State)
	if err != nil {
		return err
	}
	w := Waiting{Origin: e.Turn.Origin, Actor: job.Actor, Height: job.Height, Payload: payload}
	l := Late{Due: job.last(e.Block.Height), Origin: w.Origin, Actor: w.Actor, Copies: 1}
	if job.Until > 0 {
		if l.Reply, err = job.reply(job.noAnswer()); err != nil {
			return err
		}
		if c.Waiting+c.Late+2 > MaxKept || c.Bytes+uint64(len(w.encode())+len(l.encode())) > MaxKeptBytes {
			return ErrFull
		}
	}
	if err := c.keepWaiting(e.State, &w); err != nil {
		return err
	}
	if l.Waits = w.Number + 1; job.Until > 0 {
		if err := c.keepLate(e.State, &l); err != nil {
			return err
		}
	}
	c.save(e.State)
	e.Hold()
	return e.Emit(TopicWaiting, []byte(Name(job, w.Number)))
}

// answer sends an answer at once, or keeps it until it is due. What comes from outside of the chain begins at depth 0 again. One that is lost, or would come
// too late, leaves a notice of that, which comes in time.
func answer(e *chapter.Env, job *Job, a Answer) error {
	if now := e.Block.Height; job.Until > 0 && (a.Lost || !job.inTime(now+a.Delay)) {
		a = job.noAnswer()
		a.Delay = job.last(now) - now
	}
	if a.Lost {
		return nil
	}
	reply, err := job.reply(a)
	if err != nil {
		return err
	}
	copies := uint32(max(a.Copies, 1))
	if e.Effects.Fanout.Count+copies > e.Effects.Fanout.Limit {
		return mailbox.ErrFanout
	}
	if a.Delay == 0 {
		for range copies {
			if _, err := e.Send(mailbox.Message{Sender: e.Self, Target: job.Actor, Payload: reply, Structured: true}); err != nil {
				return err
			}
		}
		return nil
	}
	c, err := load(e.State)
	if err != nil {
		return err
	}
	l := Late{Due: e.Block.Height + a.Delay, Origin: e.Turn.Origin, Actor: job.Actor, Copies: copies, Reply: reply}
	if err := c.keepLate(e.State, &l); err != nil {
		return err
	}
	c.save(e.State)
	e.Hold()
	return nil
}

// fault gives the code of a reject of this package or of the mailbox.
func fault(err error) (code uint16, rejected bool) {
	if errors.Is(err, ErrFull) || errors.Is(err, ErrReply) {
		return drain.FaultLimit, true
	}
	return drain.FaultOf(err)
}

// enqueue puts an answer that was kept into its actor's mailbox.
func enqueue(s state.Store, b *drain.Block, l *Late) error {
	_, err := mailbox.Enqueue(s, b.Limits, b.Height, mailbox.Message{
		Sender: account.System(account.JobDispatcher), Target: l.Actor, Payload: l.Reply, Structured: true, Origin: l.Origin,
	})
	return err
}

// Scripted decides by the scripts in the state: the newest of those a job is in the scope of.
func Scripted(s state.Store, threshold int) Decide {
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
func spend(s state.Store, one *Script) error {
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
// actor whose mailbox is full has its answer a block later; one that is gone has none. bill has an actor pay its rent before it is sent anything.
//
// Spec: sdk §9.6; WP §3.3 (mailbox capacity).
func Send(s state.Store, b *drain.Block, bill func(account.Address) error) ([]Sent, error) {
	c, err := load(s)
	if err != nil || c.Waiting+c.Late == 0 {
		return nil, err
	}
	before := c
	list, err := abandon(s, b, &c)
	if err != nil {
		return nil, err
	}
	due, err := lates(s, b.Height)
	if err != nil {
		return nil, err
	}
	for i := range due {
		if err := bill(due[i].Actor); err != nil {
			return nil, err
		}
		one, err := c.deliver(s, b, &due[i])
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	if c != before {
		c.save(s)
	}
	return list, nil
}

// deliver sends what is left of an answer.
func (c *counters) deliver(s state.Store, b *drain.Block, l *Late) (Sent, error) {
	sent, size := Sent{Origin: l.Origin, Done: true}, len(l.encode())
	if err := c.dropWaited(s, l); err != nil {
		return sent, err
	}
	for l.Copies > 0 {
		err := enqueue(s, b, l)
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
func abandon(s state.Store, b *drain.Block, c *counters) (list []Sent, err error) {
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
		job, bad := gone[i].Job()
		if err = errors.Join(err, bad); err != nil {
			return nil, err
		}
		c.dropWaiting(s, &gone[i])
		if job.Until == 0 { // the notice of another is still to come, and gives back what it holds
			list = append(list, Sent{Origin: gone[i].Origin, Done: true})
		}
	}
	return list, err
}
