package volume

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

// duel is the model beside the chain.
type duel struct {
	*world
	model
	r       *rand.Rand
	content map[digest.Hash]map[uint64]*content
	names   uint64
}

// any is a volume that there is, the same for the same numbers.
func (d *duel) any() (digest.Hash, *modelVolume) {
	var ids []digest.Hash
	for id := range d.model.volumes {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b digest.Hash) int { return cmp.Compare(string(a[:]), string(b[:])) })
	if len(ids) == 0 {
		return digest.Hash{}, nil
	}
	id := ids[d.r.IntN(len(ids))]
	return id, d.model.volumes[id]
}

// Ten thousand random calls and blocks: the chain and the model agree about every coin, status and weight.
//
// Spec: storage-cbfs §2, §3.1, §4, §6.
func TestAgainstModel(t *testing.T) {
	w := newWorld(t)
	w.g.Terms.Rent.EpochBlocks, w.g.Terms.Rent.GraceBlocks, w.g.Terms.Proof.Interval = 200, modelGrace, 1<<40
	w.g.Terms.Proof.Window, w.g.Terms.Policy.WindowMs, w.g.Terms.Policy.Enabled = modelWindow, 1<<40, false
	d := &duel{world: w, r: rand.New(rand.NewPCG(4, 4)), content: map[digest.Hash]map[uint64]*content{}}
	d.model = model{
		now: 10, ends: 209, epoch: 1, fresh: true, volumes: map[digest.Hash]*modelVolume{}, relays: map[account.Address]*modelRelay{},
		asked: map[modelSlot]*modelAsk{}, coins: map[account.Address]unit.Amount{},
	}
	for n := range 9 {
		w.join(n)
		d.relays[holder(n)] = &modelRelay{stake: 5_000 * cby, since: 1}
		d.coins[holder(n)] -= 5_000 * cby
	}
	acts := []func(){
		d.create, d.commit, d.commit, d.commit, d.confirm, d.confirm, d.confirm, d.fund, d.remove, d.restore, d.expire, d.hand, d.ask, d.ask, d.prove, d.prove,
		d.stake, d.pass, d.pass, d.pass,
	}
	for n := range 10_000 {
		acts[d.r.IntN(len(acts))]()
		if n%10 == 0 {
			d.compare(n)
		}
	}
	for _, topic := range [...]string{
		relay.TopicMissed, relay.TopicFraud, relay.TopicProven, relay.TopicPaid, relay.TopicVoid, TopicGone, TopicMoved, TopicBilled,
	} {
		t.Run(topic, func(t *testing.T) {
			if w.count(topic) == 0 {
				t.Error("it never happened")
			}
		})
	}
}

// compare holds the chain to the model.
func (d *duel) compare(n int) {
	d.t.Helper()
	d.sums()
	k, err := relay.LoadClock(d.s)
	d.must(err)
	if k.Epoch != d.epoch || k.Pool != d.pool || k.Pot != d.pot || k.Left != d.left || d.g.Burned != d.burned || uint64(k.Bounty) != d.bounty ||
		!d.fresh && k.Weight != d.whole || d.balance(Home()) != d.fuel {
		d.t.Fatalf("act %d: %+v burned %d, want %+v", n, *k, d.g.Burned, d.model)
	}
	ids, list, err := List(d.s, digest.Hash{}, 1_000)
	d.must(err)
	if len(list) != len(d.model.volumes) {
		d.t.Fatalf("act %d: %d volumes, want %d", n, len(list), len(d.model.volumes))
	}
	for i, v := range list {
		want := d.model.volumes[ids[i]]
		if v.Owner != owner(want.owner) || v.Status != want.status || v.Raw != want.raw || v.Reserve != want.reserve || v.Accrued != want.accrued ||
			v.Expires != want.expires {
			d.t.Fatalf("act %d at %d: %+v, want %+v", n, d.now, v, want)
		}
	}
	for i := range 10 {
		for _, who := range [...]account.Address{owner(byte(i)), holder(i)} {
			if got := d.balance(who) - 1_000_000*cby; got != d.coins[who] {
				d.t.Fatalf("act %d: %v has gained %d, want %d", n, who, int64(got), int64(d.coins[who]))
			}
		}
		if want := d.relays[holder(i)]; want != nil {
			if r := d.world.relay(i); r.Stake != want.stake || int(r.Misses) != want.misses || r.Shards != d.model.shards(holder(i)) {
				d.t.Fatalf("act %d: %+v, want %+v", n, r, want)
			}
		}
	}
}

func (d *duel) pass() {
	blocks := 1 + d.r.IntN(30)
	if d.r.IntN(400) == 0 {
		blocks = 90_000
	}
	for range blocks {
		d.must(d.world.m.End())
		d.must(d.g.End())
		d.volumesEnd()
		d.relaysEnd()
		d.now++
		d.at(d.now)
	}
	for n := range 9 {
		if r := d.relays[holder(n)]; !r.evicted && !r.drain {
			d.must(d.g.Heartbeat(holder(n)))
		}
	}
}

func (d *duel) create() {
	by := byte(d.r.IntN(4))
	if len(d.model.volumes) > 12 {
		return
	}
	coins := 1_000*cby + unit.Amount(d.r.Uint64N(200_000_000))
	d.names++
	name := "v" + string(rune('a'+d.names/676%26)) + string(rune('a'+d.names/26%26)) + string(rune('a'+d.names%26))
	well := 0
	for _, r := range d.relays {
		if !r.evicted && !r.drain {
			well++
		}
	}
	if well < 6 {
		d.try(relay.ErrCapacity, func() error { _, err := d.world.create(by, name, coins); return err })
		return
	}
	id, err := d.world.create(by, name, coins)
	d.must(err)
	v := &modelVolume{owner: by, billed: d.epoch, since: d.now, reserve: coins - 1_000*cby, held: make([]modelHeld, 6)}
	p, err := relay.LoadPlacement(d.s, id)
	d.must(err)
	for _, s := range p.Slots {
		v.holders = append(v.holders, s.Relay)
	}
	d.model.volumes[id], d.content[id] = v, map[uint64]*content{}
	d.coins[owner(by)] -= coins
	d.burned, d.fuel, d.pot = d.burned+100*cby, d.fuel+20*cby, d.pot+880*cby
}

func (d *duel) commit() {
	id, v := d.any()
	if v == nil {
		return
	}
	next := modelVolume{raw: d.r.Uint64N(30 << 20)}
	c := fill(d.volume(id), next.raw, d.r.Uint64())
	run := func() error { return d.world.m.Commit(owner(v.owner), id, nil, c.Commit) }
	if v.status != Collecting {
		was := *v
		mark := d.model
		d.bill(v)
		fee := unit.Amount(0)
		if next.slot() > v.slot() {
			fee = unit.Amount((next.slot()*6-v.slot()*6+1<<20-1)>>20) * 10_000
		}
		if v.status == Active && v.reserve >= fee+unit.Amount(next.mibs())*1_000_000 {
			d.must(run())
			v.reserve -= fee
			d.share(fee)
			v.raw = next.raw
			for slot := range v.held {
				if h := &v.held[slot]; h.superseded == 0 {
					h.superseded = d.now
				}
			}
			v.version++
			d.content[id][v.version] = c
			return
		}
		reject := map[Status]error{Active: ErrReserve, Grace: ErrReserve, Deleted: ErrDeleted}[v.status]
		*v, d.model = was, mark
		d.try(reject, run)
		return
	}
	d.try(ErrCollected, run)
}

func (d *duel) confirm() {
	id, v := d.any()
	if v == nil || v.status == Collecting || v.version == 0 || v.raw == 0 {
		return
	}
	slot := d.r.IntN(6)
	c := d.content[id][v.version]
	run := func() error { return d.world.m.Confirm(v.holders[slot], id, uint8(slot), c.Shards) }
	if d.relays[v.holders[slot]].evicted {
		d.try(relay.ErrStatus, run)
		return
	}
	d.must(run())
	v.held[slot] = modelHeld{version: v.version, bytes: v.slot()}
}

func (d *duel) fund() {
	id, v := d.any()
	if v == nil {
		return
	}
	by, coins := byte(d.r.IntN(4)), 1+unit.Amount(d.r.Uint64N(100_000_000))
	run := func() error { return d.topUp(by, id, coins) }
	if v.status == Collecting {
		d.try(ErrCollected, run)
		return
	}
	d.must(run())
	d.coins[owner(by)] -= coins
	d.bill(v)
	v.reserve += coins
	if v.accrued > 0 && v.reserve >= v.accrued {
		v.reserve -= v.accrued
		d.share(v.accrued)
		if v.accrued = 0; v.status == Grace {
			v.status, v.since = Active, d.now
		}
	}
}

func (d *duel) remove() {
	id, v := d.any()
	if v == nil || d.r.IntN(4) > 0 {
		return
	}
	run := func() error { return d.world.m.Delete(owner(v.owner), id) }
	switch v.status {
	case Deleted:
		d.try(ErrDeleted, run)
	case Collecting:
		d.try(ErrCollected, run)
	default:
		d.must(run())
		d.bill(v)
		v.status, v.since, v.expires = Deleted, d.now, 0
	}
}

func (d *duel) restore() {
	id, v := d.any()
	if v == nil {
		return
	}
	run := func() error { return d.world.m.Undelete(owner(v.owner), id) }
	was, mark := *v, d.model
	d.bill(v)
	switch {
	case v.status == Collecting:
		d.try(ErrCollected, run)
	case v.status != Deleted:
		*v, d.model = was, mark
		d.try(ErrInvalid, run)
	case v.accrued > 0 || v.reserve < unit.Amount(v.mibs())*1_000_000:
		*v, d.model = was, mark
		d.try(ErrReserve, run)
	default:
		d.must(run())
		v.status, v.since = Active, d.now
	}
}

func (d *duel) expire() {
	id, v := d.any()
	if v == nil || v.status > Grace || d.r.IntN(4) > 0 {
		return
	}
	at := d.now + 1 + unit.Height(d.r.Uint64N(2_000))
	d.must(d.world.m.SetExpiry(owner(v.owner), id, at))
	d.bill(v)
	v.expires = at
}

func (d *duel) hand() {
	id, v := d.any()
	if v == nil || v.status > Grace {
		return
	}
	to := (v.owner + 1) % 4
	d.must(d.world.m.Transfer(owner(v.owner), id, owner(to)))
	d.must(d.world.m.Accept(owner(to), id))
	d.bill(v)
	v.owner = to
}

func (d *duel) ask() {
	id, v := d.any()
	if v == nil || v.status == Collecting {
		return
	}
	slot, by := d.r.IntN(6), byte(d.r.IntN(4))
	h, at := v.held[slot], modelSlot{id, slot}
	run := func() error { _, err := d.challenge(by, id, uint8(slot), 11*cby); return err }
	switch {
	case h.version == 0 || h.superseded > 0 && d.now >= h.superseded+86_400:
		d.try(relay.ErrNotFound, run)
	case d.asked[at] != nil:
		d.try(relay.ErrAsked, run)
	case d.relays[v.holders[slot]].evicted:
		d.try(relay.ErrStatus, run)
	default:
		d.must(run())
		d.coins[owner(by)] -= 11 * cby
		d.asked[at] = &modelAsk{v.holders[slot], by, d.now + modelWindow, d.now + 2}
	}
}

// prove answers all challenges that are open, or none of a relay's, and one in twenty falsely.
func (d *duel) prove() {
	for n := range 9 {
		if d.r.IntN(10) == 0 {
			continue
		}
		open, err := relay.OpenChallenges(d.s, holder(n), 1_000)
		d.must(err)
		for _, id := range open {
			c, err := relay.LoadChallenge(d.s, id)
			d.must(err)
			at := modelSlot{c.Volume, int(c.Slot)}
			a := d.asked[at]
			if c.Drawn != (d.now >= a.drawn) {
				d.t.Fatalf("in block %d: %+v", d.now, c)
			}
			if !c.Drawn {
				continue
			}
			proof := d.contentOf(c).answer(c)
			lie := d.r.IntN(20) == 0
			if lie {
				proof.Size++
			}
			right, err := d.g.Prove(c.Relay, id, proof)
			if d.must(err); right == lie {
				d.t.Fatal("it is taken for the other")
			}
			delete(d.asked, at)
			if lie {
				d.penalize(d.relays[c.Relay], 500*cby)
				d.reward(a)
				continue
			}
			d.coins[c.Relay] += cby
			d.coins[owner(a.by)] += 10 * cby
		}
	}
}

// contentOf finds the content whose root a challenge asks for.
func (d *duel) contentOf(c *relay.Challenge) *content {
	for _, one := range d.content[c.Volume] {
		if one.Shards == c.Root {
			return one
		}
	}
	d.t.Fatal("nobody committed this root")
	return nil
}

// stake adds to a relay's stake, so that it can be taken for long, or has it drain.
func (d *duel) stake() {
	n := d.r.IntN(9)
	r := d.relays[holder(n)]
	switch {
	case r.evicted:
		d.try(relay.ErrStatus, func() error { return d.register(n, profile(n), cby) })
	case r.stake < 5_000*cby:
		coins := 5_000*cby - r.stake
		d.try(relay.ErrStake, func() error { return d.register(n, profile(n), coins-1) })
		d.must(d.register(n, profile(n), coins))
		d.must(d.g.Heartbeat(holder(n)))
		d.coins[holder(n)] -= coins
		r.stake, r.drain = r.stake+coins, false
	case !r.drain && d.r.IntN(20) == 0:
		d.must(d.g.Drain(holder(n)))
		r.drain = true
	}
}
