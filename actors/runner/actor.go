package runner

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/push/protocol"
	"github.com/cowboyinc/cowboy-go/actors/runner/lines"
	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Event is something an operator may want to know of.
type Event struct {
	What string // "ended", "unsent", "poll", "worked", "rejected", "promised", "declined", "crashed"
	Job  digest.Hash
	Text string
	Err  error
}

// Handle is how others reach a runner's dispatcher, over its restarts.
type Handle struct {
	inbox, courier *supervision.Inbox
	messengers     [messengers]*supervision.Inbox
	pressure       atomic.Pointer[pressure]
}

// pressure is what the dispatcher publishes.
type pressure struct {
	lines.Pressure
	height uint64
}

// NewHandle gives the handle of a dispatcher that is to be started.
func NewHandle() *Handle {
	h := &Handle{inbox: supervision.NewInbox("dispatcher", 4096), courier: supervision.NewInbox("courier", 4096)}
	for i := range h.messengers {
		h.messengers[i] = supervision.NewInbox(fmt.Sprintf("messenger-%d", i), 256)
	}
	h.pressure.Store(&pressure{})
	return h
}

var _ lines.Dispatcher = (*Handle)(nil)

// Pushed implements lines.Dispatcher.
func (h *Handle) Pushed(ctx context.Context, a *protocol.Assignment) (protocol.AckStatus, string) {
	p := pushed{a, make(chan verdict, 1)}
	if h.inbox.Send(p) != supervision.Accepted {
		return protocol.Rejected, "the dispatcher has too much to do"
	}
	select {
	case v := <-p.reply:
		return v.status, v.why
	case <-ctx.Done():
		return protocol.Rejected, "the connection ended"
	}
}

// Offer brings a reveal that another runner hands over, and what posting it may cost, and gives what is made of it.
func (h *Handle) Offer(ctx context.Context, id digest.Hash, reveal *verify.Reveal, cost unit.Amount) (says Reply, why string) {
	o := offering{&offer{id, reveal, cost}, make(chan said, 1)}
	if h.inbox.Send(o) != supervision.Accepted {
		return Declined, "the dispatcher has too much to do"
	}
	select {
	case r := <-o.reply:
		return r.reply, r.why
	case <-ctx.Done():
		return Declined, "the connection ended"
	}
}

// Hurry implements lines.Dispatcher.
func (h *Handle) Hurry() { h.inbox.Send(hurry{}) }

// Pressure implements lines.Dispatcher.
func (h *Handle) Pressure() (lines.Pressure, uint64) {
	p := h.pressure.Load()
	return p.Pressure, p.height
}

// Result brings what a worker made, and reports whether it is in the journal, or needed no more.
func (h *Handle) Result(data []byte) bool {
	b := brought{data, make(chan bool, 1)}
	return h.inbox.Send(b) == supervision.Accepted && <-b.reply
}

// Progress brings how far a worker of a capability is with a job. It does not wait, and may come to nothing.
func (h *Handle) Progress(capability string, data []byte) { h.inbox.Send(progressed{capability, data}) }

// Open gives the specification of a job that waits in a queue, or is at work there; nil for any other.
func (h *Handle) Open(id digest.Hash, queue string) *job.Spec {
	o := opened{id, queue, make(chan []byte, 1)}
	if h.inbox.Send(o) != supervision.Accepted {
		return nil
	}
	spec, err := job.Decode(<-o.reply)
	if err != nil || spec.ID != id {
		return nil
	}
	return spec
}

// Drain takes no more jobs and gives a channel that is closed when none is open and the chain was told so, or no node could be.
func (h *Handle) Drain() <-chan struct{} {
	d := drain{make(chan struct{})}
	h.inbox.Send(d)
	return d.reply
}

// Status gives what the dispatcher says of itself; false where it does not answer.
func (h *Handle) Status() (Status, bool) {
	s := status{make(chan Status, 1)}
	if h.inbox.Send(s) != supervision.Accepted {
		return Status{}, false
	}
	v, ok := <-s.reply
	return v, ok
}

// Dispatcher is the supervised actor of one identity.
type Dispatcher struct {
	Handle  *Handle
	Key     *sig.PrivateKey
	Genesis digest.Hash
	Disk    disk.Disk
	Fleet   []string // capabilities
	MaxOpen int      // 0 for DefaultMaxOpen
	Every   time.Duration
	Clock   supervision.Clock
	Observe func(Event) // may be nil; must not wait
	// Tell has validators told how far a job is; it may be nil, and must not wait.
	Tell func(id digest.Hash, fraction uint8, detail string)
	// HandOver has aggregators post this runner's reveals; there are messengers then.
	HandOver bool
	Collects *Collecting // nil: no reveals of others are taken

	state   *state
	journal *journal
	asked   bool
	polled  time.Time // when it was asked last
	next    supervision.Deadline
	waiting []chan struct{}
}

// Receive is the subsystem's one switch.
func (s *Dispatcher) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *actor.Started:
		s.start()
	case *actor.Stopping, *actor.Restarting:
		s.stop()
	case due:
		s.poll()
	case heard:
		s.heard(command)
	case failed:
		s.failed(command)
	case brought:
		s.brought(command)
	case progressed:
		if n, ok := s.state.progressed(command.queue, command.data); ok && s.Tell != nil {
			s.Tell(n.id, n.fraction, n.detail)
		}
	case opened:
		e := s.state.open[command.id]
		if e == nil || !e.queued || e.result != nil || e.queue != command.queue {
			command.reply <- nil
			return
		}
		command.reply <- e.spec
	case pushed:
		s.pushed(command)
	case handed:
		s.handed(command)
	case offering:
		s.offered(command)
	case hurry:
		s.hurry()
	case drain:
		s.state.draining = true
		s.waiting = append(s.waiting, command.reply)
		s.perform()
		s.hurry()
	case beaten:
		s.state.parted = !command.accepting
		s.perform()
	case status:
		command.reply <- s.status()
	}
}

func must(err error) {
	if err != nil {
		panic(&supervision.Fatal{Err: err})
	}
}

func (s *Dispatcher) start() {
	j, b, err := openJournal(s.Disk, s.Key.Address(), s.Genesis)
	must(err)
	most := s.MaxOpen
	if most == 0 {
		most = DefaultMaxOpen
	}
	s.journal, s.state = j, &state{book: b, key: s.Key, fleet: s.Fleet, maxOpen: most, hands: s.HandOver, collects: s.Collects}
	s.publish()
	s.poll()
}

func (s *Dispatcher) stop() {
	if s.next != nil {
		s.next.Stop()
	}
	if s.journal != nil {
		_ = s.journal.file.Close()
		s.journal = nil
	}
}

func (s *Dispatcher) observe(e Event) {
	if s.Observe != nil {
		s.Observe(e)
	}
}

func (s *Dispatcher) poll() {
	s.polled = s.Clock.Now()
	if s.asked = s.Handle.courier.Send(errand{asking{s.state.known()}, s.Handle.inbox}) == supervision.Accepted; !s.asked {
		s.later()
	}
}

func (s *Dispatcher) later() { s.within(s.Every) }

func (s *Dispatcher) within(wait time.Duration) {
	s.next = s.Clock.AfterFunc(wait, func() { s.Handle.inbox.Reply(due{}) })
}

// hurryGap is the least time between two polls that somebody else asks for.
const hurryGap = 100 * time.Millisecond

// hurry polls now, or as soon as may be: whoever asks for it may be a validator that lies.
func (s *Dispatcher) hurry() {
	if s.asked || s.next == nil || !s.next.Stop() {
		return // a poll is under way, or due
	}
	if wait := min(hurryGap, s.Every) - s.Clock.Now().Sub(s.polled); wait > 0 {
		s.within(wait)
		return
	}
	s.poll()
}

// pushed decides on a job that a validator brings.
func (s *Dispatcher) pushed(command pushed) {
	v := s.state.pushed(command.assignment)
	s.perform()
	command.reply <- v
	if v.status == protocol.Rejected {
		s.observe(Event{What: "rejected", Job: command.assignment.ID, Text: v.why})
	}
}

// publish tells how much there is to do.
func (s *Dispatcher) publish() {
	d := s.state
	most := uint64(d.maxOpen)
	s.Handle.pressure.Store(&pressure{lines.Pressure{Active: uint64(len(d.open)), Most: most, Accepting: !d.draining}, d.height})
}

func (s *Dispatcher) heard(command heard) {
	if s.asked { // an answer to an earlier instance is as good, and asks for no poll of its own
		s.asked = false
		s.later()
	}
	if command.err != nil {
		s.observe(Event{What: "poll", Err: command.err})
		s.state.parted = s.state.draining
	} else {
		s.state.polled(command.view)
	}
	s.perform()
}

func (s *Dispatcher) failed(command failed) {
	var id digest.Hash
	switch act := command.act.(type) {
	case putting:
		if t, err := readTask(act.data); err == nil {
			id = t.id
			s.state.lost(id)
		}
	case committing:
		id = act.id
		s.state.unsent(id, isCommitting)
	case revealing:
		if id = act.id; act.reveal.Runner == s.Key.Address() {
			s.state.unsent(id, isRevealing)
		} else {
			s.state.unposted(id, act.reveal.Runner)
		}
	case crashing:
		id = act.id
		s.state.unexcused(id)
	case beating:
		s.state.beat, s.state.parted = 0, !act.accepting // tried, which is all that can be waited for
		defer s.perform()
	}
	s.observe(Event{What: "unsent", Job: id, Text: fmt.Sprintf("%T", command.act), Err: command.err})
}

func (s *Dispatcher) brought(command brought) {
	d, err := readDone(command.data)
	if err != nil {
		s.observe(Event{What: "worked", Err: err})
		command.reply <- false
		return
	}
	s.state.finished(&d, uint64(s.Clock.Now().Unix()))
	s.perform()
	command.reply <- true
	if d.failed {
		s.observe(Event{What: "worked", Job: d.id, Text: "and failed", Err: &work.Error{
			Kind: d.kind, Err: errors.New(strings.TrimPrefix(string(d.body), d.kind.String()+": ")), // which the worker's error began with
		}})
	}
}

// perform syncs what was decided, and then does it.
func (s *Dispatcher) perform() {
	d := s.state
	must(s.journal.add(d.records))
	must(s.journal.trim(d.book))
	for _, act := range d.acts {
		e := errand{act, s.Handle.inbox}
		if h, ok := act.(*handing); ok {
			if s.Handle.messengers[h.to[0]%messengers].Send(e) != supervision.Accepted {
				e.Abandoned(supervision.ErrStopped)
			}
		} else if s.Handle.courier.Send(e) != supervision.Accepted {
			s.failed(failed{act, supervision.ErrStopped})
		}
	}
	for _, e := range d.tell {
		s.observe(e)
	}
	for _, e := range d.endings {
		s.observe(Event{What: "ended", Job: e.id, Text: e.why})
	}
	d.records, d.acts, d.endings, d.tell = nil, nil, nil, nil
	s.publish()
	if d.hurried {
		d.hurried = false
		s.hurry()
	}
	if d.draining && d.parted && len(d.open) == 0 {
		for _, reply := range s.waiting {
			close(reply)
		}
		s.waiting = nil
	}
}

func (s *Dispatcher) status() Status {
	v := Status{Height: s.state.height, Open: len(s.state.open), Draining: s.state.draining, Jobs: []string{}, Working: []AtWork{}}
	v.Polled, v.Pushed, v.Promised = s.state.taken[0], s.state.taken[1], s.state.kept
	for i, id := range s.state.ids() {
		e := s.state.open[id]
		if e.result != nil {
			v.Results++
		}
		if i < 100 {
			v.Jobs = append(v.Jobs, id.Hex())
			if e.begun && e.result == nil {
				v.Working = append(v.Working, AtWork{id.Hex(), e.fraction, e.detail})
			}
		}
	}
	return v
}

// Courier is the supervised actor that talks to the chain and puts jobs into queues. It waits for each answer.
type Courier struct {
	Chain Chain
	Queue Queue
}

// courierWithin bounds one thing a courier does.
const courierWithin = 20 * time.Second

// Receive does one thing.
func (c *Courier) Receive(ctx actor.Context) {
	command, ok := ctx.Message().(errand)
	if !ok {
		return
	}
	within, cancel := context.WithTimeout(context.Background(), courierWithin)
	defer cancel()
	var err error
	switch act := command.act.(type) {
	case asking:
		view, err := c.Chain.Poll(within, act.known)
		command.from.Reply(heard{view, err})
	case putting:
		err = c.Queue.Put(within, act.queue, act.key, act.data)
	case committing:
		err = c.Chain.Commit(within, act.id, act.commitment)
	case revealing:
		err = c.Chain.Reveal(within, act.id, act.reveal)
	case crashing:
		err = c.Chain.Crash(within, act.id, act.signal)
	case beating:
		if err = c.Chain.Heartbeat(within, act.accepting); err == nil {
			command.from.Reply(beaten(act))
		}
	}
	if err != nil {
		command.from.Reply(failed{command.act, err})
	}
}
