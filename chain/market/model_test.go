package market

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// plainJob is a job as the second model has it.
type plainJob struct {
	id       digest.Hash
	status   Status
	held     unit.Amount
	price    unit.Amount
	members  int
	attempt  uint32
	retries  uint32
	timeout  unit.Height
	drawn    unit.Height // awaiting: the block it is drawn in
	deadline unit.Height
	selected []account.Address
	silent   map[account.Address]bool
}

// plainMarket does with lists what the market does with queues: it looks at every job in every block. Who was drawn it takes from the market; that those were
// candidates, and how many there had to be, it works out itself.
type plainMarket struct {
	*world
	jobs    []*plainJob
	busy    map[account.Address]uint32
	balance unit.Amount // of the submitter
	runners int
}

func (p *plainMarket) candidates(j *plainJob) (list []account.Address) {
	for n := range p.runners {
		addr := person(n)
		r, ok, err := runner.Load(p.overlay, addr)
		if err != nil || !ok {
			p.t.Fatal(err)
		}
		awake := r.Status == runner.Active && r.Heard+100 >= p.Height
		trusted := r.Reputation.Milli() >= 60_000 && r.Registered+3_600 <= p.Height ||
			r.Reputation.Milli() >= 49_500 && p.busy[addr] == 0 && j.price <= 10*unit.CBY
		if awake && trusted && p.busy[addr] < 3 && !j.silent[addr] {
			list = append(list, addr)
		}
	}
	return list
}

// give takes down whom the market gave the job to, who were among those who could do it.
func (p *plainMarket) give(j *plainJob, from []account.Address) {
	s := p.selection(j.id)
	if len(s.Selected) != j.members || s.Attempt != j.attempt {
		p.t.Fatalf("block %d: %+v, want %d runners in attempt %d", p.Height, s, j.members, j.attempt)
	}
	for i, addr := range s.Selected {
		if from != nil && !slices.Contains(from, addr) || slices.Contains(s.Selected[:i], addr) {
			p.t.Fatalf("block %d: %v cannot do it, or is there twice", p.Height, addr)
		}
		p.busy[addr]++
	}
	j.selected, j.status, j.deadline = s.Selected, Assigned, p.Height+j.timeout
}

// endBlock ends a block. What it draws for committees is frozen candidates; what it draws anew is checked against those who could do it then.
func (p *plainMarket) endBlock() {
	height := p.Height
	var ended []*plainJob
	for _, j := range p.jobs {
		if j.status == Assigned && j.deadline == height {
			ended = append(ended, j)
		}
	}
	slices.SortFunc(ended, func(a, b *plainJob) int { return slices.Compare(a.id[:], b.id[:]) })
	p.must(p.End())
	for _, j := range p.jobs {
		if j.status == AwaitingSeed && j.drawn == height {
			p.give(j, nil)
		}
	}
	for _, j := range ended {
		for _, addr := range j.selected {
			j.silent[addr] = true
			p.busy[addr]--
		}
		able := p.candidates(j)
		least := 1
		if j.members > 1 {
			least = 3
		}
		if j.attempt == j.retries || len(able) < least {
			j.status, p.balance, j.held = Failed, p.balance+j.held, 0
			continue
		}
		j.attempt++
		j.members = min(j.members, len(able))
		p.give(j, able)
	}
	p.must(AddEscrow(p.overlay, p.Held))
	p.Held = 0
	p.check()
	p.at(height + 1)
}

func (p *plainMarket) compare() {
	p.t.Helper()
	if got := p.world.balance(submitter); got != p.balance {
		p.t.Fatalf("block %d: the submitter has %d, want %d", p.Height, got, p.balance)
	}
	for n := range p.runners {
		if got := p.active(person(n)); got != p.busy[person(n)] {
			p.t.Fatalf("block %d: runner %d has %d jobs, want %d", p.Height, n, got, p.busy[person(n)])
		}
		list, err := ByRunner(p.overlay, person(n), digest.Hash{}, 0)
		if err != nil || len(list) != int(p.busy[person(n)]) {
			p.t.Fatalf("block %d: runner %d is listed with %d jobs: %v", p.Height, n, len(list), err)
		}
	}
	for _, j := range p.jobs {
		if got, err := Load(p.overlay, j.id); err != nil || got == nil || got.Status != j.status || got.Escrow != j.held || got.Attempt != j.attempt {
			p.t.Fatalf("block %d: %+v, want %v, attempt %d, %d held: %v", p.Height, got, j.status, j.attempt, j.held, err)
		}
	}
}

// Two thousand operations of submitters and runners, none of whom ever answers: after each the market is what the second model says, to the base unit.
//
// Spec: WP §5.3; CIP-2 §6; runner-marketplace §3 (6, 8), §4.1, §5, §5.1.
func TestAgainstAPlainMarket(t *testing.T) {
	const runners = 12
	for seed := range uint64(2) {
		d := rand.New(rand.NewPCG(seed, 20))
		w := newWorld(t, runners)
		p := &plainMarket{world: w, busy: map[account.Address]uint32{}, balance: w.balance(submitter), runners: runners}
		refused := 0
		for op := range 1_000 {
			switch k := d.IntN(100); {
			case k < 30:
				refused += p.randomJob(d, op)
			case k < 40 && len(p.jobs) > 0:
				j := p.jobs[len(p.jobs)-1-d.IntN(min(len(p.jobs), 3))] // of the newest
				mark := p.overlay.Mark()
				err := p.Cancel(j.id, submitter)
				if (err == nil) != (j.status == AwaitingSeed) {
					t.Fatalf("cancelling a job that is %v: %v", j.status, err)
				}
				if err != nil {
					p.overlay.Revert(mark)
				} else {
					j.status, p.balance, j.held = Cancelled, p.balance+j.held, 0
				}
			case k < 70:
				p.must(p.Registry.Heartbeat(person(d.IntN(runners)), d.IntN(8) > 0))
			case k < 80: // who was silent as a beginner is given no job again
				p.trust(person(d.IntN(runners)), []uint64{50, 100, 100}[d.IntN(3)])
			default:
				for range 1 + d.IntN(6) {
					p.endBlock()
				}
			}
			p.compare()
		}
		ends := map[Status]int{}
		for _, j := range p.jobs {
			ends[j.status]++
		}
		if ends[Failed] < 20 || ends[Cancelled] < 3 || refused < 3 {
			t.Errorf("seed %d: the walk went past too little: %v, %d refused", seed, ends, refused)
		}
	}
}

// randomJob submits a job, and says 1 where it is refused, which the model foretells.
func (p *plainMarket) randomJob(d *rand.Rand, op int) int {
	j := &plainJob{
		status: Assigned, timeout: unit.Height(1 + d.IntN(20)), retries: uint32(d.IntN(5)), members: 1, silent: map[account.Address]bool{},
		price: unit.Amount(1+d.IntN(15)) * unit.CBY,
	}
	j.held = j.price + unit.CBY
	spec := ask(func(s *job.Spec) {
		s.MaxPrice, s.TimeoutBlocks, s.Bounds.MaxRetries = j.price, uint64(j.timeout), j.retries
		if d.IntN(2) == 0 {
			s.Verification.Mode, s.Verification.Runners = job.ModeMajorityVote, uint32(3+d.IntN(3))
			j.members = int(s.Verification.Runners)
		}
	})
	j.retries = min(j.retries, 3)
	able := p.candidates(j)
	mark, held := p.overlay.Mark(), p.Held
	t, err := p.Submit(digest.SHA256([]byte{byte(op), byte(op >> 8)}), spec, submitter, nil, 0)
	if enough := len(able) >= min(j.members, 3) && len(able) > 0; (err == nil) != enough {
		p.t.Fatalf("block %d: %d can do it: %v", p.Height, len(able), err)
	}
	if err != nil {
		if !errors.Is(err, ErrNoRunners) {
			p.t.Fatal(err)
		}
		p.overlay.Revert(mark)
		p.Held = held
		return 1
	}
	j.id = t.ID
	p.balance -= j.held
	if j.members > 1 {
		j.members = min(j.members, len(able))
		j.status, j.drawn = AwaitingSeed, p.Height+3
	} else {
		p.give(j, able)
	}
	p.jobs = append(p.jobs, j)
	return 0
}
