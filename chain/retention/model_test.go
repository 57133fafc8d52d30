package retention

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The model keeps contracts in a map and looks at all of them in the last block of each epoch: no queue, no next audit; whether an epoch is one of an audit is
// asked of its number.
type model struct {
	contracts map[digest.Hash]*modelContract
	coins     map[account.Address]int64 // what everybody has gained
	lost      unit.Amount               // by strikes, in all
}

type modelContract struct {
	by        int
	p         Policy
	escrow    unit.Amount
	providers map[int]*modelProvider
}

type modelProvider struct {
	stake    unit.Amount
	from     uint64
	answered uint64 // the epoch of the last audit that is over
	strikes  uint8
}

// due reports whether an epoch ends a stretch that a provider is paid for.
func (c *modelContract) due(p *modelProvider, epoch uint64) bool {
	inside := epoch >= c.p.Start && epoch < c.p.End && epoch >= p.from && epoch > p.answered
	return inside && ((epoch-c.p.Start+1)%c.p.Cadence == 0 || epoch == c.p.End-1)
}

// over ends an audit.
func (m *model) over(c *modelContract, n int, epoch uint64, right bool) {
	p := c.providers[n]
	if right || c.p.Penalty == Slash {
		pay := c.p.Rate * unit.Amount(epoch+1-p.from)
		c.escrow -= pay
		m.coins[keeper(n)] += int64(pay)
	}
	p.from, p.answered = epoch+1, epoch
	if right {
		return
	}
	loss := c.p.Slash + c.p.Stake*unit.Amount(c.p.SlashBPS)/10_000
	loss = min(loss, p.stake)
	p.stake -= loss
	m.lost += loss
	if p.strikes++; p.strikes == c.p.Strikes {
		m.coins[keeper(n)] += int64(p.stake)
		delete(c.providers, n)
	}
}

// turn is the end of an epoch's last block.
func (m *model) turn(epoch uint64) {
	for id, c := range m.contracts {
		for n, p := range c.providers {
			if c.due(p, epoch) {
				m.over(c, n, epoch, false)
			}
		}
		if epoch+1 == c.p.End+10 {
			for n, p := range c.providers {
				m.coins[keeper(n)] += int64(p.stake)
			}
			m.coins[operator(c.by)] += int64(c.escrow)
			delete(m.contracts, id)
		}
	}
}

type duel struct {
	*world
	model
	r     *rand.Rand
	turns byte
}

func (d *duel) any() (digest.Hash, *modelContract) {
	var ids []digest.Hash
	for id := range d.contracts {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b digest.Hash) int { return cmp.Compare(string(a[:]), string(b[:])) })
	if len(ids) == 0 {
		return digest.Hash{}, &modelContract{}
	}
	id := ids[d.r.IntN(len(ids))]
	return id, d.contracts[id]
}

func (d *duel) now() uint64 { return EpochOf(d.world.m.Height) }

func (d *duel) create() {
	if len(d.contracts) > 8 {
		return
	}
	start := d.now() + 1 + d.r.Uint64N(3)
	p := Policy{
		Start: start, End: start + 1 + d.r.Uint64N(12), Replicas: uint8(1 + d.r.IntN(4)), Cadence: 1 + d.r.Uint64N(5), Samples: uint8(1 + d.r.IntN(3)),
		Rate: unit.Amount(1 + d.r.Uint64N(99)), Stake: unit.Amount(1_000 + d.r.Uint64N(999)), Penalty: Penalty(d.r.IntN(3)), Strikes: uint8(1 + d.r.IntN(4)),
	}
	switch {
	case p.Penalty == NoPay:
	case d.r.IntN(2) == 0:
		p.Slash = unit.Amount(1 + d.r.Uint64N(1_000))
	default:
		p.SlashBPS = 1 + d.r.Uint64N(10_000)
	}
	by := d.r.IntN(4)
	coins := p.Rate*unit.Amount(p.End-p.Start)*unit.Amount(p.Replicas) + unit.Amount(d.r.IntN(2))
	d.turns++
	d.try(nil, operator(by), coins, func() error {
		id, err := d.world.m.Create(operator(by), digest.Hash{d.turns, byte(d.now()), byte(d.now() >> 8)}, Request{Blobs: blobs(files()), Policy: p}, coins)
		d.contracts[id] = &modelContract{by: by, p: p, escrow: coins, providers: map[int]*modelProvider{}}
		return err
	})
	d.coins[operator(by)] -= int64(coins)
}

func (d *duel) accept() {
	id, c := d.any()
	n := d.r.IntN(8)
	var want error
	switch {
	case c.p.End == 0:
		want = ErrNotFound
	case d.now()+1 >= c.p.End:
		want = ErrOver
	case c.providers[n] != nil:
		want = ErrTaken
	case len(c.providers) == int(c.p.Replicas):
		want = ErrSeat
	}
	d.try(want, keeper(n), c.p.Stake, func() error { return d.world.m.Accept(keeper(n), id, "", c.p.Stake) })
	if want == nil {
		d.coins[keeper(n)] -= int64(c.p.Stake)
		c.providers[n] = &modelProvider{stake: c.p.Stake, from: max(d.now()+1, c.p.Start)}
	}
}

func (d *duel) proves() {
	id, c := d.any()
	for n := range 8 {
		p := c.providers[n]
		if p == nil || d.r.IntN(4) == 0 {
			continue
		}
		if !c.due(p, d.now()) || uint64(d.world.m.Height)%600 == 0 {
			d.try(ErrAudit, keeper(n), 0, func() error { _, err := d.world.m.Prove(keeper(n), id, nil); return err })
			continue
		}
		right := d.r.IntN(5) > 0
		d.prove(id, n, right)
		d.over(c, n, d.now(), right)
	}
}

func (d *duel) renew() {
	id, c := d.any()
	if d.r.IntN(4) > 0 || c.p.End == 0 {
		return
	}
	before := c.p.End
	if grace := d.now() >= c.p.End; grace {
		before = d.now() + 1
		if d.r.IntN(3) > 0 {
			return
		}
	}
	end := before + 1 + d.r.Uint64N(6)
	coins := c.p.Rate * unit.Amount(end-before) * unit.Amount(c.p.Replicas)
	d.try(nil, operator(c.by), coins, func() error { return d.world.m.Renew(operator(c.by), id, end, coins) })
	if d.now() >= c.p.End {
		c.p.Start = before
		for _, p := range c.providers {
			p.from = before
		}
	}
	c.p.End = end
	c.escrow += coins
	d.coins[operator(c.by)] -= int64(coins)
}

func (d *duel) leave() {
	id, c := d.any()
	for n, p := range c.providers {
		if d.now() < c.p.End {
			d.try(ErrOver, keeper(n), 0, func() error { return d.world.m.Leave(keeper(n), id) })
			continue
		}
		d.try(nil, keeper(n), 0, func() error { return d.world.m.Leave(keeper(n), id) })
		d.coins[keeper(n)] += int64(p.stake)
		delete(c.providers, n)
	}
}

func (d *duel) cancel() {
	id, c := d.any()
	if d.r.IntN(8) > 0 || len(c.providers) > 0 || c.p.End == 0 {
		return
	}
	d.try(nil, operator(c.by), 0, func() error { return d.world.m.Cancel(operator(c.by), id) })
	d.coins[operator(c.by)] += int64(c.escrow)
	delete(d.contracts, id)
}

// blocks lets up to half an epoch pass.
func (d *duel) blocks() {
	for range 1 + d.r.IntN(300) {
		h := uint64(d.world.m.Height)
		d.pass(d.world.m.Height + 1)
		if (h+1)%600 == 0 {
			d.turn(h / 600)
		}
	}
}

func (d *duel) compare(n int) {
	d.t.Helper()
	d.sums()
	ids, list, err := List(d.s, digest.Hash{}, 1_000)
	d.must(err)
	if len(list) != len(d.contracts) {
		d.t.Fatalf("act %d: %d contracts, want %d", n, len(list), len(d.contracts))
	}
	for i, c := range list {
		want := d.contracts[ids[i]]
		if c.Escrow != want.escrow || len(c.Providers) != len(want.providers) || c.Policy != want.p {
			d.t.Fatalf("act %d in epoch %d: %+v, want %+v", n, d.now(), c, want)
		}
		for k, p := range want.providers {
			one, err := LoadCommitment(d.s, ids[i], keeper(k))
			if err != nil || one.Stake != p.stake || one.Strikes != p.strikes || one.From != p.from {
				d.t.Fatalf("act %d in epoch %d: %+v %v, want %+v", n, d.now(), one, err, p)
			}
		}
	}
	for i := range 8 {
		for _, who := range []account.Address{operator(i % 4), keeper(i)} {
			if got := d.gained(who); got != d.coins[who] {
				d.t.Fatalf("act %d in epoch %d: %v has gained %d, want %d", n, d.now(), who, got, d.coins[who])
			}
		}
	}
	k, err := relay.LoadClock(d.s)
	d.must(err)
	if got := d.g.Burned + k.Pool + k.Pot; got != d.lost {
		d.t.Fatalf("act %d: %d were shared out, want %d", n, got, d.lost)
	}
}

// Ten thousand random calls and stretches of blocks: the chain and the model agree about every coin, seat and strike.
//
// Spec: storage-cbfs §7.
func TestAgainstModel(t *testing.T) {
	d := &duel{world: newWorld(t), r: rand.New(rand.NewPCG(7, 6))}
	d.model = model{contracts: map[digest.Hash]*modelContract{}, coins: map[account.Address]int64{}}
	acts := []func(){d.create, d.create, d.accept, d.accept, d.accept, d.proves, d.proves, d.proves, d.proves, d.renew, d.leave, d.cancel, d.blocks, d.blocks}
	for n := range 10_000 {
		acts[d.r.IntN(len(acts))]()
		if n%5 == 0 {
			d.compare(n)
		}
	}
	seen := map[string]int{}
	for _, e := range d.said {
		seen[e.topic]++
	}
	for _, topic := range []string{TopicCreated, TopicAccepted, TopicAudited, TopicLeft, TopicRenewed, TopicClosed} {
		t.Run(topic, func(t *testing.T) {
			if seen[topic] < 20 {
				t.Errorf("%d times", seen[topic])
			}
		})
	}
}
