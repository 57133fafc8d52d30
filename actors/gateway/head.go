package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/supervision"
)

// How long a gateway believes that it knows its node's newest block, and when it gives a stream up. A block comes every second, an empty one too; the view of a
// proposer that is down lasts three.
const (
	silentFor   = 3 * time.Second  // after a block of the stream
	oldFor      = 5 * time.Second  // after the block's own time, so that a stream that is late throughout is not believed
	brokenAfter = 15 * time.Second // without a block, as where the chain stands still or the node is gone without a word
	maxBlock    = 8 << 20          // bytes of a block on the stream
)

// reopening is how long after a stream that ended the next is asked for: at once after one that had blocks.
var reopening = supervision.Backoff{Initial: 100 * time.Millisecond, Max: 10 * time.Second}

// Head is the newest final block as a gateway knows it that is a process of its own. It is safe for many goroutines.
type Head struct {
	clock supervision.Clock

	mu     sync.Mutex
	number uint64
	until  time.Time // when it is not known any more
}

// NewHead gives a head of which nothing is known.
func NewHead(clock supervision.Clock) *Head { return &Head{clock: clock} }

// Newest is the highest block that the node has spoken of; known is false while its stream of blocks is down or late, or has not had one yet.
func (h *Head) Newest() (number uint64, known bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.number, h.clock.Now().Before(h.until)
}

// Saw notes that the node has answered from the state after a block.
func (h *Head) Saw(number uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.number = max(h.number, number)
}

// told notes a block of the stream with its own time. One from before what was seen says nothing about the newest.
func (h *Head) told(number uint64, made time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if number < h.number {
		return
	}
	h.number, h.until = number, h.clock.Now().Add(silentFor)
	if old := made.Add(oldFor); old.Before(h.until) {
		h.until = old
	}
}

// lost notes that there is no stream.
func (h *Head) lost() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.until = time.Time{}
}

// Follower is the supervised actor that keeps a head by the node's stream of final blocks, and asks for the next stream when one ends.
type Follower struct {
	Head *Head
	// Open opens the node's final blocks from now on as server-sent events. They go on until the context ends; whoever opened them closes them.
	Open    func(ctx context.Context) (io.ReadCloser, error)
	Observe func(what string, err error) // may be nil; must not wait

	inbox    *supervision.Inbox
	open     *stream              // nil between two
	next     supervision.Deadline // of the stream after
	streams  uint64               // that have ended
	failures int                  // in a row
}

// stream is one that is read.
type stream struct {
	cancel context.CancelFunc
	over   chan struct{} // closed once nobody reads it
}

// ended says that a stream is read no more.
type ended struct {
	of     *stream
	blocks int // that it had
	err    error
}

// reopen asks for the next stream.
type reopen struct{}

// followerInbox is small: the only commands are the follower's own.
const followerInbox = 16

// Following declares the member of a gateway's tree that follows the node.
func Following(follower func() *Follower) supervision.Spec {
	inbox := supervision.NewInbox("follower", followerInbox)
	return supervision.Spec{Name: "follower", Inbox: inbox, StopWithin: 5 * time.Second, New: func() actor.Actor {
		f := follower()
		f.inbox = inbox
		return f
	}}
}

// Receive is the subsystem's one switch.
func (f *Follower) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *actor.Started, reopen:
		f.start()
	case *actor.Stopping, *actor.Restarting:
		f.stop()
	case ended:
		if command.of == f.open {
			f.end(command)
		}
	}
}

// start has a stream read, unless one is.
func (f *Follower) start() {
	if f.open != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	s, inbox := &stream{cancel, make(chan struct{})}, f.inbox
	f.open = s
	go func() {
		defer close(s.over)
		blocks, err := f.read(ctx, cancel)
		inbox.Reply(ended{s, blocks, err})
	}()
}

// stop waits until nobody reads.
func (f *Follower) stop() {
	if f.next != nil {
		f.next.Stop()
	}
	if s := f.open; s != nil {
		f.open = nil
		s.cancel()
		<-s.over
	}
}

// end sets the deadline of the next stream.
func (f *Follower) end(e ended) {
	f.open.cancel()
	f.open = nil
	f.streams++
	if f.failures++; e.blocks > 0 {
		f.failures = 1
	}
	clock, inbox := f.Head.clock, f.inbox
	wait := reopening.Delay(uint64(clock.Now().UnixNano()), 0, f.streams, f.failures)
	f.next = clock.AfterFunc(wait, func() { inbox.Reply(reopen{}) })
	if f.Observe != nil {
		f.Observe("following", e.err)
	}
}

// errStreamEnded is of a stream that ended by itself, or had nothing for so long that it was given up.
var errStreamEnded = errors.New("gateway: the node's stream of blocks has ended")

// read keeps the head by a stream until that ends.
func (f *Follower) read(ctx context.Context, cancel func()) (blocks int, err error) {
	quiet := f.Head.clock.AfterFunc(brokenAfter, cancel)
	defer func() { quiet.Stop() }()
	in, err := f.Open(ctx)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	defer f.Head.lost()
	read(in, maxBlock, func(m *message) bool {
		var b struct {
			Height uint64 `json:"height"`
			Made   int64  `json:"timestamp_ms"`
		}
		if m.Kind != "block" || json.Unmarshal(m.Data, &b) != nil {
			return ctx.Err() == nil
		}
		quiet.Stop()
		quiet = f.Head.clock.AfterFunc(brokenAfter, cancel)
		f.Head.told(b.Height, time.UnixMilli(b.Made))
		blocks++
		return ctx.Err() == nil
	})
	return blocks, errStreamEnded
}
