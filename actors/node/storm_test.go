package node

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/lanes"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/supervision"
)

var rounds = flag.Int("rounds", 30, "seeded rounds of injected panics")

// scripted stands for the PVM: a deployment makes an actor, the handler "fan" sends two messages, every other call counts itself.
type scripted struct{}

func (scripted) Run(t *drain.Turn) (drain.Outcome, error) {
	if t.Native {
		return system.Run(t, nil)
	}
	out := drain.Outcome{Turn: t.Number, Used: fee.Use{Cycles: min(1_000, t.Limit.Cycles)}}
	if d, ok := t.Payload.Instruction.(*tx.Deploy); ok {
		addr := deployed(t.Sender, d.Salt)
		a := account.Account{Kind: account.Actor, CodeHash: digest.Hash{1}, Creator: t.Sender, CreatedAt: t.Block.Height}
		t.Overlay.Set(addr.Key(), a.Encode())
		out.Created = &addr
		return out, nil
	}
	if t.Payload.Handler == "fan" {
		for range 2 {
			_, err := mailbox.Enqueue(t.Overlay, t.Block.Limits, t.Block.Height, mailbox.Message{
				Sender: t.Target, Target: t.Target, Handler: "count", Origin: t.Origin, Depth: t.Depth + 1,
			})
			if err != nil {
				return t.Failed(out.Used, drain.FaultActor, err.Error()), nil
			}
			out.Enqueued++
			out.Fanout++
		}
	}
	key := account.KeyString(account.KindStorage, t.Target, "calls")
	n, _, err := t.Overlay.Lookup(key)
	if err != nil {
		return out, err
	}
	t.Overlay.Set(key, append(append([]byte(nil), n...), byte(len(n))))
	return out, nil
}

func deployed(creator account.Address, salt []byte) account.Address {
	h := digest.Keccak256(creator[:], salt)
	return account.Address(h[:account.AddressSize])
}

// story is what a user does in every round: the same transactions in the same order, of every kind that travels a different way.
func story(w *wallet) [][]byte {
	actorAddr := deployed(w.key.Address(), []byte{7})
	execute := func(to account.Address, handler string) []byte {
		return w.sign(&tx.Execute{To: to, Handler: []byte(handler)})
	}
	list := [][]byte{
		w.sign(&tx.Deploy{Code: []byte("pass"), Salt: []byte{7}}, func(t *tx.Tx) { t.CyclesLimit = 200_000 }),
		execute(actorAddr, "count"),
		w.transfer(1),
		w.sign(&tx.UpdateTimerConfig{Config: params.Genesis().Timer}),
		execute(account.System(account.JobDispatcher), "submit"),
		execute(account.Address{18: 0x00, 19: 0x77}, "reserved"),
		execute(actorAddr, "fan"),
	}
	for h := range unit.Height(3) {
		list = append(list, w.sign(&tx.TimerSchedule{Actor: actorAddr, Height: 6 + h, Handler: []byte("count")}))
	}
	for i := byte(2); i < 8; i++ {
		list = append(list, w.transfer(i), execute(actorAddr, "count"))
	}
	return list
}

// stage runs a whole node on one goroutine from a seed.
type stage struct {
	t     *testing.T
	node  *Node
	clock *supervision.VirtualClock
	seq   *supervision.Sequence
	seed  uint64
	// due maps a subsystem to the number of the command it is to panic on, counted from its start.
	due      map[string]int
	seen     map[string]int
	injected []string

	raw     [][]byte
	settled []bool // taken, or known to the node already
	asked   []bool // an answer is outstanding
	lost    int    // gaps the client had to go back to
}

func newStage(t *testing.T, seed uint64) *stage { return newStageOn(t, seed, nil) }

// newStageOn is a stage whose configuration was changed.
func newStageOn(t *testing.T, seed uint64, edit func(*Config)) *stage {
	s := &stage{
		t: t, clock: supervision.NewVirtualClock(time.UnixMilli(genesis.DevnetTimestampMs)), seq: supervision.NewSequence(seed), seed: seed,
		due: map[string]int{}, seen: map[string]int{},
	}
	c := devConfig(t)
	c.Interval = time.Second
	c.NewRunner = func() drain.Runner { return scripted{} }
	c.Supervision = supervision.Config{Clock: s.clock, Scheduler: s.seq, Seed: seed, Inject: s.inject}
	if edit != nil {
		edit(&c)
	}
	n, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	s.node = n
	s.raw = story(&wallet{key: genesis.DevFaucet()})
	s.settled, s.asked = make([]bool, len(s.raw)), make([]bool, len(s.raw))
	return s
}

func (s *stage) inject(subsystem string, command any) {
	s.seen[subsystem]++
	if s.due[subsystem] == s.seen[subsystem] {
		delete(s.due, subsystem)
		s.injected = append(s.injected, fmt.Sprintf("%s on %T", subsystem, command))
		panic("injected")
	}
}

// submit behaves like a patient client: one transaction after the other, again if it was told to, never two of which the node has not
// answered the first. The pool is not durable, and router and lane failing at the same time may lose what waits; the client then learns of the
// gap and goes back to it.
func (s *stage) submit() {
	for i := range s.raw {
		if s.settled[i] {
			continue
		}
		if !s.asked[i] {
			s.asked[i] = true
			d := s.node.Lanes.Admit(lanes.Submit{Raw: s.raw[i : i+1], Reply: func(r []lanes.Result) { s.answered(i, r[0].Err) }})
			if d != supervision.Accepted {
				s.asked[i] = false
			}
		}
		return
	}
}

func (s *stage) answered(i int, err error) {
	s.asked[i] = false
	var nonce *tx.NonceError
	if errors.As(err, &nonce) {
		if nonce.Gap() {
			for lost := int(nonce.Want); lost <= i; lost++ {
				s.settled[lost] = false
			}
			s.lost++
			return
		}
		err = nil // it was included meanwhile
	}
	if class, ok := tx.ClassOf(err); err == nil || errors.Is(err, lanes.ErrKnown) {
		s.settled[i] = true
	} else if ok && !errors.Is(err, lanes.ErrBusy) {
		s.t.Errorf("seed %d: transaction %d: %v", s.seed, i, class)
	}
}

func (s *stage) run(until func() bool) bool {
	for range 4_000 {
		s.submit()
		s.seq.Run(1 + int(s.seed%7))
		if until() {
			return true
		}
		if !s.seq.Step() && !s.clock.Next() {
			s.submit()
			if !s.seq.Step() {
				return false
			}
		}
	}
	return false
}

// done: every transaction of the story is final, and the timers have fired.
func (s *stage) done() bool {
	t := s.node.Ledger.Tip()
	if t == nil || t.Header.Height < 9 {
		return false
	}
	return s.nonce() == uint64(len(s.raw))
}

func (s *stage) nonce() uint64 {
	data, _, err := s.node.Ledger.Tip().State.Lookup(genesis.DevFaucet().Address().Key())
	if err != nil {
		s.t.Fatal(err)
	}
	a, err := account.Decode(data)
	if err != nil {
		s.t.Fatal(err)
	}
	return a.Nonce
}

// check executes the whole chain again without actors: every root must come out the same, and no coin may be lost.
func (s *stage) check() {
	top := s.node.Ledger.Finalized()
	kept, err := s.node.Ledger.At(top) // now: the node may run on and prune it
	if err != nil {
		s.t.Fatalf("seed %d: state of block %d: %v", s.seed, top, err)
	}
	root := kept.Root()
	first, err := ledger.Genesis(s.node.config.Genesis, state.Config{}, state.NewMemory(state.Config{}))
	if err != nil {
		s.t.Fatal(err)
	}
	parent := transition.Parent{Header: &first.Block.Header, State: first.State}
	for h := unit.Height(1); h <= top; h++ {
		b, err := s.node.Ledger.Block(h)
		if err != nil {
			s.t.Fatal(err)
		}
		r, err := transition.Apply(parent, transition.Job{Header: b.Header, Txs: verifyAll(s.t, b)}, scripted{})
		if err != nil {
			s.t.Fatalf("seed %d: block %d diverges: %v", s.seed, h, err)
		}
		parent = transition.Parent{Header: &b.Header, State: r.State}
		s.checkCertificates(b, h)
	}
	if err := transition.CheckSupply(parent.State); err != nil {
		s.t.Errorf("seed %d: %v", s.seed, err)
	}
	if root != parent.State.Root() {
		s.t.Errorf("seed %d: state of block %d: %v, undisturbed %v", s.seed, top, root, parent.State.Root())
	}
}

func (s *stage) checkCertificates(b *block.Block, h unit.Height) {
	certificates, err := s.node.Ledger.Certificates(h)
	if err != nil || len(certificates) != 2 || certificates[1].Kind != sig.Finalization ||
		certificates[0].Subject.BlockHash != b.Hash() || certificates[1].Subject.BlockHash != b.Hash() {
		s.t.Errorf("seed %d: block %d: certificates %v, %v", s.seed, h, certificates, err)
	}
}

func verifyAll(t *testing.T, b *block.Block) []tx.Verified {
	list := make([]tx.Verified, len(b.Txs))
	for i, one := range b.Txs {
		v, err := tx.Verify(one, 1, sig.Default())
		if err != nil {
			t.Fatal(err)
		}
		list[i] = v
	}
	return list
}

// ends runs until the tree has stopped, and reports whether it has.
func (s *stage) ends() bool {
	return s.run(func() bool {
		select {
		case <-s.node.supervisor.Stopped():
			return true
		default:
			return false
		}
	})
}

func (s *stage) stop() {
	s.node.supervisor.Halt()
	s.ends()
}

// play runs the story once and returns what happened.
func (s *stage) play() {
	s.node.supervisor.Spawn()
	if !s.run(s.done) {
		s.t.Errorf("seed %d, injected %v: the story does not end: height %d, nonce %d of %d, halt %v\n%s", s.seed, s.injected,
			s.node.Ledger.Finalized(), s.nonce(), len(s.raw), s.halted(), s.node.Status().Text())
		return
	}
	if h := s.halted(); h != nil {
		s.t.Errorf("seed %d, injected %v: needless halt: %v", s.seed, s.injected, h)
	}
	s.check()
	s.stop()
}

func (s *stage) halted() *supervision.Halt {
	select {
	case h := <-s.node.Halted():
		return &h
	default:
		return nil
	}
}

func (s *stage) subsystems() (paths []string) {
	var walk func(supervision.Status)
	walk = func(x supervision.Status) {
		if x.Kind == "subsystem" {
			paths = append(paths, x.Path)
		}
		for _, c := range x.Children {
			walk(c)
		}
	}
	walk(s.node.Status())
	return paths
}

func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func runsTurns(path string) bool {
	return strings.HasPrefix(path, "node/core/system/") || strings.HasPrefix(path, "node/core/pvm/")
}

func keys(m map[string]int) []string { return slices.Sorted(maps.Keys(m)) }

// Every subsystem of the tree panics at a random command while blocks execute. The node never stops needlessly and never
// diverges: each chain executes to its own roots without actors, and nothing a client was promised is lost.
//
// Spec: ARCHITECTURE "One block, from bytes to root", "Supervision".
func TestPanicsAnywhere(t *testing.T) {
	calm := newStage(t, 0)
	calm.play()
	busy := map[string]int{} // commands each subsystem handles in an undisturbed round
	for path, n := range calm.seen {
		busy[path] = n
	}
	hit := map[string]int{}
	lost := 0
	for seed := uint64(1); seed <= uint64(*rounds); seed++ {
		s := newStage(t, seed)
		draw := mix(seed)
		var paths []string
		for _, p := range s.subsystems() {
			if busy[p] > 0 {
				paths = append(paths, p)
			}
		}
		for range 1 + seed%3 {
			draw = mix(draw)
			path := paths[draw%uint64(len(paths))]
			draw = mix(draw)
			if runsTurns(path) && slices.ContainsFunc(keys(s.due), runsTurns) {
				continue // a transaction that a block fails over twice is dropped, and over anything else the node is meant to halt
			}
			s.due[path] = 1 + int(draw%uint64(busy[path]))
		}
		s.play()
		for _, what := range s.injected {
			hit[what]++
		}
		if s.lost > 0 {
			lost++
			lanes := func(what string) bool { return strings.HasPrefix(what, "node/intake/lanes/") }
			if len(s.injected) < 2 || !slices.ContainsFunc(s.injected, lanes) {
				t.Errorf("seed %d, injected %v: the pool lost what it had taken", seed, s.injected)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d injected %v", seed, s.injected)
		}
	}
	if len(hit) < min(*rounds/3, 40) {
		t.Errorf("only %d different places were hit: %v", len(hit), hit)
	}
	t.Logf("%d rounds hit %d different places; %d lost waiting transactions with router and lane at once", *rounds, len(hit), lost)
}

// One seed is one history.
func TestStageReplays(t *testing.T) {
	trace := func() (uint64, digest.Hash) {
		s := newStage(t, 11)
		s.due["node/core/executor"] = 9
		s.play()
		return s.seq.Trace(), s.node.Ledger.Tip().Hash
	}
	a, rootA := trace()
	b, rootB := trace()
	if a != b || rootA != rootB {
		t.Errorf("traces %x %x, tips %v %v", a, b, rootA, rootB)
	}
}
