package sim

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/testkit/faulty"
)

// Plan is what a run consists of.
type Plan struct {
	Seed       uint64
	Validators int
	Observers  int
	Faulty     map[uint32]string // kind by rank
	Heavy      int               // the stake of the first validator, in those of each other; 0: as much as each other
	Interval   time.Duration     // between blocks
	Timeouts   simplex.Timeouts
	Clients    int  // senders of transactions
	Real       bool // BLS12-381 instead of hashes
	Epoch      int  // blocks of an epoch; 0: the usual number
	Joiners    int  // machines with keys that are in no set and register
	Leavers    int  // of the first set, the last ones, that leave
	Snapshot   int  // how many blocks behind a node fetches a state instead of blocks; 0: never

	Budget time.Duration // for building a block; 0: the usual share of the leader deadline
	Slow   []Slowness

	Delay [2]time.Duration // of a frame, least and most
	Skew  time.Duration    // most a machine's clock differs from the true one

	End time.Duration // when the run ends; 0: when the network has healed and every honest machine made progress

	Schedule Schedule
	Faults   []Fault // what goes wrong for certain

	// What follows goes wrong by chance, as long as the chaos lasts.
	Chaos     time.Duration
	Loss, Dup float64       // of a frame
	Split     time.Duration // mean time between partitions; 0: none
	Crash     time.Duration // mean time between crashes, each of a random machine; 0: none
	Power     bool          // crashes lose what was not synced, and may come inside any write
	Panics    float64       // chance that a command panics its subsystem
	DiskFull  bool          // a disk fills up now and then
	DiskFail  bool          // a sync fails now and then
}

// PlanOf draws a network of 4 to 7 validators with mixed faults, up to f of them Byzantine, from a seed.
func PlanOf(seed uint64) Plan {
	r := rand.New(rand.NewPCG(seed, 0xc0b0))
	p := Plan{
		Seed: seed, Validators: 4 + r.IntN(4), Observers: r.IntN(2), Faulty: map[uint32]string{}, Clients: 1 + r.IntN(2),
		Interval: time.Duration(100+r.IntN(400)) * time.Millisecond,
		Timeouts: simplex.Timeouts{
			Leader: 1_000, Certification: 1_500, Retry: 1_500, Skip: 6_000, Fetch: 400, Settle: []simplex.Millis{300, 700, 0}[seed%3],
			Leave: []simplex.Millis{0, 700, 300, 700}[seed%4],
		},
		Delay: [2]time.Duration{time.Duration(1+r.IntN(10)) * time.Millisecond, time.Duration(10+r.IntN(150)) * time.Millisecond},
		Skew:  time.Duration(r.IntN(150)) * time.Millisecond,
		Chaos: 6 * time.Second, Loss: r.Float64() * 0.1, Dup: r.Float64() * 0.1,
		Split: time.Duration(1_000+r.IntN(3_000)) * time.Millisecond,
		Crash: time.Duration(500+r.IntN(3_000)) * time.Millisecond, Power: r.IntN(2) == 0,
	}
	switch r.IntN(4) {
	case 0:
		p.Split = 0
	case 1:
		p.Crash = 0
	case 2:
		p.Panics = r.Float64() * 0.002
	}
	p.DiskFull, p.DiskFail = r.IntN(6) == 0, r.IntN(6) == 0
	count := sig.Faulty(p.Validators)
	if r.IntN(4) == 0 {
		count = 0
	}
	if r.IntN(4) == 0 {
		p.Schedule = Schedule{Order: PCT, Depth: 1 + r.IntN(4), Steps: 2_000}
	}
	kinds := faulty.Kinds()
	ranks := r.Perm(p.Validators)[:count]
	for _, rank := range ranks {
		p.Faulty[uint32(rank)] = kinds[r.IntN(len(kinds))]
	}
	for _, rank := range ranks {
		if silent := []string{"silent", faulty.Lazy, faulty.Dawdler}; p.Faulty[uint32(rank)] == silent[0] {
			p.Faulty[uint32(rank)] = silent[r.IntN(len(silent))]
		}
	}
	for _, rank := range ranks {
		if p.Faulty[uint32(rank)] == "forger" && r.IntN(2) == 0 {
			p.Faulty[uint32(rank)] = faulty.Spoiler
		}
	}
	return p
}

// Explicit is the plan of the run with every fault that chance brought named, and chance taken out. The same happens in it, event for event.
func (r *Result) Explicit() Plan {
	p := r.Plan
	p.Faults = r.Faults
	p.Loss, p.Dup, p.Split, p.Crash, p.Power, p.Panics, p.DiskFull, p.DiskFail, p.Skew = 0, 0, 0, 0, false, 0, false, false, 0
	return p
}

// Recorded is Explicit with every choice of the schedule named as well.
func (r *Result) Recorded() Plan {
	p := r.Explicit()
	p.Schedule = r.Schedule
	return p
}

// String names the plan by what tells it apart.
func (p Plan) String() string {
	var who []string
	for rank, kind := range p.Faulty { // order-free: sorted below
		who = append(who, fmt.Sprintf("%d %s", rank, kind))
	}
	slices.Sort(who)
	return fmt.Sprintf("seed %d: %d validators, %d observers, faulty [%s]", p.Seed, p.Validators, p.Observers, strings.Join(who, ", "))
}
