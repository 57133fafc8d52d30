package simplex_test

import (
	"container/heap"
	"encoding/binary"
	"fmt"
	"hash"
	"hash/fnv"
	"math/rand/v2"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// world is a discrete-event simulation of one cluster on one goroutine: everything that happens is decided by the seed.
type world struct {
	rnd    *rand.Rand
	now    simplex.Millis
	queue  agenda
	serial uint64
	trace  hash.Hash64
	events int

	plan   plan
	keys   keyring
	nodes  []*node
	blocks map[digest.Hash][]byte
	final  map[uint64]digest.Hash
	wrong  []string // violations

	builtAt map[digest.Hash]simplex.Millis
	finalAt map[uint64]simplex.Millis // on the last node to hear of it

	chaos     bool
	severed   map[[2]int]bool // while chaos lasts
	lost      map[[2]int]bool // for good
	accused   map[string]int
	charges   map[charged]bool
	committed int
	halves    int
	messages  int
	bytes     int
	waits     int // views that lasted until a leader deadline, on node 0
}

// plan is what a run consists of.
type plan struct {
	seed      uint64
	n         int
	faulty    map[uint32]string // conduct by rank
	observers int
	stakes    []unit.Amount
	delay     [2]simplex.Millis                 // least and most
	latency   func(from, to int) simplex.Millis // in place of delay, if set
	loss, dup float64                           // while chaos lasts
	crash     float64                           // chance per step, while chaos lasts
	split     simplex.Millis                    // mean time between partitions while chaos lasts; 0: none
	pace      simplex.Millis
	patience  simplex.Millis
	relay     simplex.Millis
	tell      simplex.Millis
	leave     simplex.Millis
	settle    simplex.Millis
	busy      uint64 // of that many blocks that a node builds one is not idle; 0: none is idle
	chaos     simplex.Millis
	last      uint64 // height of the epoch's last block
	keys      keyring
	trusting  bool // the checkers verify no certificates: for measurements
}

type item struct {
	at     simplex.Millis
	serial uint64
	run    func()
}

type agenda []item

func (a agenda) Len() int { return len(a) }
func (a agenda) Less(i, j int) bool {
	return a[i].at < a[j].at || a[i].at == a[j].at && a[i].serial < a[j].serial
}
func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(x any)   { *a = append(*a, x.(item)) }
func (a *agenda) Pop() any {
	last := (*a)[len(*a)-1]
	*a = (*a)[:len(*a)-1]
	return last
}

var quick = simplex.Timeouts{Leader: 1_000, Certification: 1_500, Retry: 2_000, Skip: 6_000, Fetch: 400}

func newWorld(p plan) *world {
	w := &world{
		rnd: rand.New(rand.NewPCG(p.seed, 0x5eed)), plan: p, keys: p.keys, trace: fnv.New64a(),
		blocks: map[digest.Hash][]byte{}, final: map[uint64]digest.Hash{0: anchor},
		builtAt: map[digest.Hash]simplex.Millis{}, finalAt: map[uint64]simplex.Millis{},
		severed: map[[2]int]bool{}, lost: map[[2]int]bool{}, accused: map[string]int{}, charges: map[charged]bool{}, chaos: p.chaos > 0,
	}
	if w.keys == nil {
		w.keys = newFake(p.n)
		if p.settle > 0 {
			w.keys = newThrifty(p.n)
		}
	}
	for rank := range uint32(p.n) {
		w.addNode(rank, p.faulty[rank])
		if p.faulty[rank] == "twin" {
			w.addNode(rank, "twin")
		}
	}
	for range p.observers {
		w.addNode(simplex.Observer, "")
	}
	for _, n := range w.nodes {
		n.boot()
	}
	if w.chaos && p.split > 0 {
		w.after(w.between(0, p.split), w.partition)
	}
	if w.chaos {
		w.after(p.chaos, w.heal)
	}
	return w
}

func (w *world) config(rank uint32) simplex.Config {
	stakes := w.plan.stakes
	if stakes == nil {
		for range w.plan.n {
			stakes = append(stakes, 100)
		}
	}
	timeouts := quick
	timeouts.Settle, timeouts.Patience, timeouts.Relay = w.plan.settle, w.plan.patience, w.plan.relay
	timeouts.Tell, timeouts.Leave = w.plan.tell, w.plan.leave
	return simplex.Config{
		Namespace: namespace, Stakes: stakes, Self: rank, Anchor: anchor, LastHeight: w.plan.last,
		Timeouts: timeouts, Retention: 5, Scheme: w.keys,
	}
}

func (w *world) verifier() *simplex.EvidenceVerifier {
	return &simplex.EvidenceVerifier{
		Namespace: namespace, Validators: w.plan.n, Anchor: anchor, LastHeight: w.plan.last, Scheme: w.keys, Inspect: inspect,
	}
}

func (w *world) after(d simplex.Millis, run func()) {
	w.serial++
	heap.Push(&w.queue, item{w.now + d, w.serial, run})
}

func (w *world) between(lo, hi simplex.Millis) simplex.Millis {
	if hi <= lo {
		return lo
	}
	return lo + simplex.Millis(w.rnd.Uint64N(uint64(hi-lo+1)))
}

func (w *world) chance(p float64) bool { return p > 0 && w.rnd.Float64() < p }

// step runs one event and reports whether there was one.
func (w *world) step() bool {
	if len(w.queue) == 0 {
		return false
	}
	it := heap.Pop(&w.queue).(item)
	w.now = it.at
	w.events++
	it.run()
	return true
}

// run lets time pass until done or the deadline, and reports whether done.
func (w *world) run(until simplex.Millis, done func() bool) bool {
	for len(w.queue) > 0 && w.queue[0].at <= until && len(w.wrong) == 0 {
		w.step()
		if done != nil && done() {
			return true
		}
	}
	return done != nil && done()
}

func (w *world) violation(format string, args ...any) {
	w.wrong = append(w.wrong, fmt.Sprintf("t=%d: ", w.now)+fmt.Sprintf(format, args...))
}

func (w *world) log(node int, what string, data []byte) {
	var head [16]byte
	binary.BigEndian.PutUint64(head[:], uint64(w.now))
	binary.BigEndian.PutUint64(head[8:], uint64(node))
	w.trace.Write(head[:])
	w.trace.Write([]byte(what))
	w.trace.Write(data)
}

// partition cuts links, one way or both, for a while.
func (w *world) partition() {
	if !w.chaos {
		return
	}
	clear(w.severed)
	switch w.rnd.IntN(3) {
	case 0: // two groups
		side := make([]bool, len(w.nodes))
		for i := range side {
			side[i] = w.rnd.IntN(2) == 0
		}
		for i := range w.nodes {
			for j := range w.nodes {
				if side[i] != side[j] {
					w.severed[[2]int{i, j}] = true
				}
			}
		}
	case 1: // single links, one way
		for i := range w.nodes {
			for j := range w.nodes {
				if w.rnd.IntN(3) == 0 {
					w.severed[[2]int{i, j}] = true
				}
			}
		}
	}
	w.after(w.between(w.plan.split/2, 2*w.plan.split), w.partition)
}

// heal ends all trouble but the faulty nodes'.
func (w *world) heal() {
	w.chaos = false
	clear(w.severed)
	for _, n := range w.nodes {
		if !n.up {
			n.boot()
		}
	}
}

// transmit sends bytes from one node to another.
func (w *world) transmit(from, to int, data []byte) {
	w.messages++
	w.bytes += len(data)
	if w.lost[[2]int{from, to}] || w.chaos && (w.severed[[2]int{from, to}] || w.chance(w.plan.loss)) {
		return
	}
	copies := 1
	if w.chaos && w.chance(w.plan.dup) {
		copies = 2
	}
	for range copies {
		delay := w.between(w.plan.delay[0], w.plan.delay[1])
		if w.plan.latency != nil {
			delay = w.plan.latency(from, to)
		}
		w.after(delay, func() { w.nodes[to].deliver(from, data) })
	}
}
