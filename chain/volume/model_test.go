package volume

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The model keeps what the documents say in maps and looks at all of it in every block: no queues, no sweeps, no places among others.
type model struct {
	now, ends     unit.Height
	epoch         uint64
	fresh         bool // the epoch's first block is not over
	volumes       map[digest.Hash]*modelVolume
	relays        map[account.Address]*modelRelay
	asked         map[modelSlot]*modelAsk
	coins         map[account.Address]unit.Amount // what accounts have gained, modulo 2^64
	burned, fuel  unit.Amount
	pool, pot     unit.Amount
	past, left    unit.Amount
	whole, bounty uint64
}

type modelSlot struct {
	volume digest.Hash
	slot   int
}

type modelVolume struct {
	owner            byte
	status           Status
	raw              uint64
	billed           uint64
	since, expires   unit.Height
	reserve, accrued unit.Amount
	version          uint64 // of the content
	holders          []account.Address
	held             []modelHeld
}

// modelHeld is the content a relay has confirmed.
type modelHeld struct {
	version    uint64 // 0: none
	bytes      uint64
	superseded unit.Height
}

type modelRelay struct {
	stake          unit.Amount
	since, barred  uint64
	weight         uint64
	misses         int
	evicted, drain bool
}

type modelAsk struct {
	relay    account.Address
	by       byte
	deadline unit.Height
	drawn    unit.Height // the first block in which it can be answered
}

func (v *modelVolume) slot() uint64 { return (v.raw + 3) / 4 }

func (v *modelVolume) mibs() uint64 { return (v.slot()*6 + 1<<20 - 1) >> 20 }

func (v *modelVolume) shards(slot int) uint64 { return (v.held[slot].bytes + 1<<20 - 1) >> 20 }

const (
	modelGrace  = 300
	modelWindow = 150
)

func (m *model) share(amount unit.Amount) {
	m.burned += amount / 10
	m.pool += amount / 50
	m.pot += amount - amount/10 - amount/50
}

func (m *model) bill(v *modelVolume) {
	if v.status == Collecting {
		return
	}
	for ; v.billed < m.epoch; v.billed++ {
		due := unit.Amount(v.mibs()) * 1_000_000
		if v.accrued == 0 && v.reserve >= due {
			v.reserve -= due
			m.share(due)
			continue
		}
		if v.accrued += due; v.status == Active {
			v.status, v.since = Grace, m.now
		}
	}
}

func (m *model) penalize(r *modelRelay, amount unit.Amount) {
	amount = min(amount, r.stake)
	r.stake -= amount
	if r.barred = m.epoch; !m.fresh {
		m.whole -= r.weight
		r.weight = 0
	}
	m.share(amount)
}

func (m *model) void(at modelSlot) {
	if a := m.asked[at]; a != nil {
		m.coins[owner(a.by)] += 11 * cby
		delete(m.asked, at)
	}
}

func (m *model) reward(a *modelAsk) {
	bounty := unit.Amount(0)
	if m.pool > 1_000*cby {
		bounty = min(5*cby, m.pool-1_000*cby, 500*cby-unit.Amount(m.bounty))
	}
	m.pool -= bounty
	m.bounty += uint64(bounty)
	m.coins[owner(a.by)] += 11*cby + bounty
}

// volumesEnd is what the end of a block does to volumes.
func (m *model) volumesEnd() {
	for id, v := range m.volumes { // what becomes of one is nothing to the others
		switch {
		case v.status == Deleted && m.now >= v.since+modelGrace:
			m.bill(v)
			for slot := range v.held {
				m.void(modelSlot{id, slot})
				v.held[slot] = modelHeld{}
			}
			paid := min(v.reserve, v.accrued)
			m.share(paid)
			m.coins[owner(v.owner)] += v.reserve - paid
			v.status, v.since, v.reserve, v.accrued = Collecting, m.now, 0, 0
		case v.status == Collecting && m.now >= v.since+86_400:
			delete(m.volumes, id)
		case v.status <= Grace && v.expires > 0 && m.now >= v.expires, v.status == Grace && m.now >= v.since+modelGrace:
			m.bill(v)
			v.status, v.since, v.expires = Deleted, m.now, 0
		}
	}
	if !m.fresh {
		return
	}
	for id, v := range m.volumes {
		m.bill(v)
		for slot := range v.held {
			if h := &v.held[slot]; h.version > 0 && h.superseded > 0 && m.now >= h.superseded+86_400 {
				m.void(modelSlot{id, slot})
				*h = modelHeld{}
			}
		}
	}
}

// relaysEnd is what it does to relays.
func (m *model) relaysEnd() {
	for at, a := range m.asked {
		if m.now < a.deadline {
			continue
		}
		delete(m.asked, at)
		r := m.relays[a.relay]
		if !r.evicted {
			r.misses++
		}
		m.penalize(r, 50*cby)
		if r.misses >= 3 && !r.evicted {
			m.penalize(r, 2_000*cby)
			r.evicted = true
		}
		m.reward(a)
	}
	if m.fresh {
		whole := m.whole
		m.whole, m.fresh = 0, false
		for addr, r := range m.relays {
			if whole > 0 {
				paid := mulDiv(m.past, r.weight, whole)
				m.left -= paid
				m.coins[addr] += paid
			}
			r.weight = 0
			if !r.evicted && r.barred < m.epoch {
				r.weight = m.shards(addr) * min(m.epoch-r.since, 90)
			}
			m.whole += r.weight
		}
	}
	if m.now >= m.ends {
		m.past = m.pot + m.left
		m.left, m.pot, m.bounty = m.past, 0, 0
		if m.whole == 0 {
			m.pot, m.past, m.left = m.past, 0, 0
		}
		m.epoch, m.ends, m.fresh = m.epoch+1, m.now+200, true
	}
}

func mulDiv(a unit.Amount, n, d uint64) unit.Amount {
	q, err := a.MulDiv(n, d)
	if err != nil {
		panic(err)
	}
	return q
}

func (m *model) shards(addr account.Address) (n uint64) {
	for _, v := range m.volumes {
		for slot, who := range v.holders {
			if who == addr {
				n += v.shards(slot)
			}
		}
	}
	return n
}
