package lines

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"math/big"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"golang.org/x/time/rate"

	"github.com/cowboyinc/cowboy-go/actors/push/protocol"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Directory tells of the chain's validators.
type Directory interface {
	Validators(ctx context.Context) (*Sight, error)
}

// Pressure is how much a runner does and takes.
type Pressure struct {
	Active, Most uint64
	Accepting    bool
}

// Dispatcher is whom jobs are for.
type Dispatcher interface {
	// Pushed decides on an assignment, and answers when what it decided is durable.
	Pushed(ctx context.Context, a *protocol.Assignment) (protocol.AckStatus, string)
	// Hurry says that the chain has something new.
	Hurry()
	// Pressure is how much there is to do; and the newest height the runner's node told of.
	Pressure() (p Pressure, height uint64)
}

// Commands.
type (
	tick struct{}
	seen struct {
		sight *Sight
		err   error
	}
	rose struct{ talk *talk } // a validator has shown who it is
	fell struct {
		key     sig.BLSPublicKey
		talk    *talk // nil where it did not come about
		why     string
		forLong bool
	}
	heard  struct{ key sig.BLSPublicKey } // an assignment that is taken
	result struct {
		id  digest.Hash
		raw []byte
	}
	progress struct {
		id       digest.Hash
		fraction uint8
		detail   string
	}
)

// Line is what is told of a validator.
type Line struct {
	Validator string `json:"validator"` // its voting key
	Endpoint  string `json:"endpoint"`
	Connected bool   `json:"connected"`
	Lingers   bool   `json:"lingers,omitempty"` // it is none of the subset any more
	Pushed    uint64 `json:"pushed"`            // jobs that came from it
	Why       string `json:"why,omitempty"`     // it is not connected
}

// Status is what is told of all of them.
type Status struct {
	Subset int    `json:"subset"` // so many validators are to be connected to
	Lines  []Line `json:"lines"`
}

// Connected counts those that are.
func (s *Status) Connected() (n int) {
	for i := range s.Lines {
		if s.Lines[i].Connected {
			n++
		}
	}
	return n
}

// Handle is how others use a runner's lines, over restarts.
type Handle struct {
	inbox  *supervision.Inbox
	status atomic.Pointer[Status]
}

// NewHandle gives the handle of lines that are to be started.
func NewHandle() *Handle {
	h := &Handle{inbox: supervision.NewInbox("lines", 1_024)}
	h.status.Store(&Status{Lines: []Line{}})
	return h
}

// Inbox is the subsystem's inbox.
func (h *Handle) Inbox() *supervision.Inbox { return h.inbox }

// Status is where things stand.
func (h *Handle) Status() Status { return *h.status.Load() }

// Result sends a signed transaction about a job to all that are connected. It does not wait.
func (h *Handle) Result(id digest.Hash, raw []byte) { h.inbox.Send(result{id, raw}) }

// Progress tells all that are connected how far a job is. It does not wait, and may come to nothing.
func (h *Handle) Progress(id digest.Hash, fraction uint8, detail string) {
	h.inbox.Send(progress{id, fraction, detail})
}

// progressMost is how much of the progress of jobs a validator is told in a second: of the 32 frames it takes, most are for commitments and reveals.
const progressMost = 8

// Beat is the time between two heartbeats: a block.
//
// Spec: runner-marketplace §11 (heartbeat).
const Beat = time.Second

// Lines is the supervised actor that keeps a runner connected.
type Lines struct {
	Handle       *Handle
	Key          *sig.PrivateKey
	ChainID      uint64
	Directory    Directory
	Dispatcher   Dispatcher
	Capabilities []string
	Clock        supervision.Clock
	Observe      func(what, validator string, err error) // may be nil; must not wait

	state  *state
	talks  map[sig.BLSPublicKey]*talk
	own    ed25519.PrivateKey // of TLS; whose it is the handshake shows
	ctx    context.Context
	cancel context.CancelFunc
	timer  supervision.Deadline
	looked time.Time // zero: the chain is being looked at
	beaten time.Time
	blind  string        // why the last look failed
	pace   *rate.Limiter // of what is told of the progress of jobs
}

// Receive is the subsystem's one switch.
func (s *Lines) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *actor.Started:
		s.start()
	case *actor.Stopping, *actor.Restarting:
		s.stop()
		return
	case tick:
		s.tick()
	case seen:
		s.seen(command)
	case rose:
		s.rose(command.talk)
	case fell:
		s.fell(command)
	case heard:
		if l := s.state.lines[command.key]; l != nil {
			l.pushed++
		}
	case result:
		for _, t := range s.talks { // order-free: each gets it
			t.send(&protocol.Result{ID: command.id, Transaction: command.raw})
		}
	case progress:
		if !s.pace.AllowN(s.Clock.Now(), 1) {
			return
		}
		for _, t := range s.talks { // order-free: each gets it
			t.send(&protocol.Progress{ID: command.id, Fraction: uint64(command.fraction), Detail: command.detail})
		}
	default:
		return
	}
	s.publish()
}

func (s *Lines) start() {
	_, own, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		panic(err)
	}
	s.pace = rate.NewLimiter(progressMost, progressMost)
	s.own, s.talks = own, map[sig.BLSPublicKey]*talk{}
	s.state = newState(protocol.RunnerParty(s.Key.Compressed()), s.ChainID)
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.look()
	s.tick()
}

func (s *Lines) stop() {
	if s.cancel != nil {
		s.cancel()
	}
	if s.timer != nil {
		s.timer.Stop()
	}
	for _, t := range s.talks { // order-free: all of them end
		t.send(&protocol.Goodbye{Reason: protocol.Stopping})
	}
}

func (s *Lines) told(what string, key sig.BLSPublicKey, err error) {
	if s.Observe != nil {
		s.Observe(what, hex.EncodeToString(key[:8]), err)
	}
}

// look asks for the validators.
func (s *Lines) look() {
	s.looked = time.Time{}
	ctx, h, d := s.ctx, s.Handle, s.Directory
	go func() {
		within, cancel := context.WithTimeout(ctx, 10*time.Second)
		defer cancel()
		v, err := d.Validators(within)
		h.inbox.Reply(seen{v, err})
	}()
}

func (s *Lines) seen(command seen) {
	now := s.Clock.Now()
	s.looked = now
	if command.err != nil {
		if text := command.err.Error(); text != s.blind { // once for all looks that fail alike
			s.blind = text
			s.told("directory", sig.BLSPublicKey{}, command.err)
		}
		return
	}
	s.blind = ""
	s.state.saw(command.sight, now)
	s.dial(now)
}

// tick does what is due, and comes back a beat later, or when somebody is to be dialed.
func (s *Lines) tick() {
	now := s.Clock.Now()
	if !s.looked.IsZero() && now.Sub(s.looked) >= s.state.look() {
		s.look()
	}
	if now.Sub(s.beaten) >= Beat {
		s.beaten = now
		p, height := s.Dispatcher.Pressure()
		for _, t := range s.talks { // order-free: each gets it
			t.beat(s.Key, height, p)
		}
	}
	s.dial(now)
}

func (s *Lines) dial(now time.Time) {
	next := s.state.due(now)
	for _, act := range s.state.acts {
		switch act := act.(type) {
		case dial:
			_, height := s.Dispatcher.Pressure()
			go s.connect(s.ctx, act.to, height)
		case leave:
			if t := s.talks[act.key]; t != nil {
				t.send(&protocol.Goodbye{Reason: protocol.NotInSubset})
			}
		}
	}
	s.state.acts = nil
	wait := Beat
	if !next.IsZero() {
		wait = min(wait, max(next.Sub(now), time.Millisecond))
	}
	if s.timer != nil {
		s.timer.Stop()
	}
	s.timer = s.Clock.AfterFunc(wait, func() { s.Handle.inbox.Reply(tick{}) })
}

func (s *Lines) rose(t *talk) {
	if s.state.lines[t.key] == nil || s.ctx.Err() != nil || t.of != s.ctx {
		t.line.Close(uint64(protocol.Stopping), "")
		return
	}
	s.talks[t.key] = t
	s.state.up(t.key)
	s.told("connected", t.key, nil)
	t.send(&protocol.CapabilityDelta{Added: s.Capabilities[:min(len(s.Capabilities), protocol.MaxChanges)]})
	p, height := s.Dispatcher.Pressure()
	t.beat(s.Key, height, p)
}

func (s *Lines) fell(command fell) {
	if command.talk != nil {
		if s.talks[command.key] != command.talk {
			return // of an instance before this one
		}
		delete(s.talks, command.key)
	}
	now := s.Clock.Now()
	draw, err := rand.Int(rand.Reader, big.NewInt(1_000))
	if err != nil {
		panic(err)
	}
	s.state.down(command.key, command.why, command.forLong, now, int(draw.Int64()))
	s.told("disconnected", command.key, errors.New(command.why))
	s.dial(now)
}

func (s *Lines) publish() {
	v := &Status{Subset: len(s.state.subset), Lines: []Line{}}
	for _, key := range s.state.keys() {
		l := s.state.lines[key]
		v.Lines = append(v.Lines, Line{
			Validator: hex.EncodeToString(key[:]), Endpoint: l.invitation.Endpoint, Connected: l.stands == open, Lingers: l.leaves > 0,
			Pushed: l.pushed, Why: l.why,
		})
	}
	s.Handle.status.Store(v)
}

// Spec declares the lines as a member of a tree.
func Spec(h *Handle, of func() *Lines) supervision.Spec {
	return supervision.Spec{Name: "lines", Inbox: h.inbox, New: func() actor.Actor { return of() }}
}
