package transition

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// modelTimer is a timer as the digest describes it, without any of the tiers, indexes and queues of the chain's own. An order holds what a handler does.
type modelTimer struct {
	label       uint64
	owner       byte
	height, seq uint64
	expires     uint64
	order       *modelOrder
}

// modelOrder is what was asked for, which never changes.
type modelOrder struct {
	label    uint64
	distance uint64 // from the block that schedules
	every    uint64
	lifetime uint64 // of the expiry, from the block that schedules
	gas      uint64
	stranger bool // the transaction's sender is to pay
	uses     uint64
	fault    bool
	steps    []modelStep // of the handler

	most, priority *uint64 // what it bids for a cycle
	tier           timer.Tier
}

// modelStep is one thing a handler does.
type modelStep struct {
	kind   byte // s(chedule), c(ancel), e(xtend), p(ay all but an amount to somebody)
	order  *modelOrder
	label  uint64
	amount uint64
}

// timerModel re-tells scheduler-timers §2.2, §4, §6 and §7 with a slice of timers and the choice about dead timers of docs/choices.md.
type timerModel struct {
	config   timer.Config
	height   uint64
	timers   []modelTimer
	balances map[byte]uint64
	next     uint64 // insertion
	lines    []string
	met      map[string]int
}

const (
	modelFloor = 10_000 // base units a cycle and a cell cost at the floor
	modelCells = 550_000
	modelLane  = 8_888_890
	modelShare = 1_000_000 // cycles of an actor in a block before others have had a turn
	modelSkips = 256
	// modelHand is what handing a fire to its handler takes out of the fire's own cycles (docs/choices.md, Blocks and the order of work).
	modelHand = 5_000
)

// costs is what a fire uses, and whether it reaches its handler.
func (o *modelOrder) costs() (cycles uint64, reached bool) {
	if o.gas <= modelHand {
		return o.gas, false
	}
	return modelHand + o.uses, true
}

// do performs a handler's steps for an actor, all or none.
func (m *timerModel) do(actor byte, steps []modelStep, signed, fault bool) bool {
	timers, balance, next := slices.Clone(m.timers), m.balances[actor], m.next
	ok := !fault
	for _, s := range steps {
		ok = ok && m.step(actor, s, signed)
	}
	if !ok {
		m.timers, m.balances[actor], m.next = timers, balance, next
	}
	return ok
}

func (m *timerModel) step(actor byte, s modelStep, signed bool) bool {
	at := slices.IndexFunc(m.timers, func(t modelTimer) bool { return t.label == s.label })
	switch s.kind {
	case 's':
		o, held := s.order, 0
		for _, t := range m.timers {
			if t.owner == actor {
				held++
			}
		}
		height, expires := m.height+o.distance, m.height+o.lifetime
		if o.every > 0 {
			height = m.height + o.every
		}
		switch {
		case height <= m.height, o.gas == 0, o.gas > uint64(m.config.MaxCyclesPerFire), held >= int(m.config.MaxTimersPerActor),
			expires < height, o.lifetime > m.config.MaxTTLBlocks, o.stranger && !signed:
			return false
		}
		m.timers = append(m.timers, modelTimer{o.label, actor, height, m.next, expires, o})
		m.next++
	case 'c':
		if at < 0 {
			return true
		}
		if m.timers[at].owner != actor {
			return false
		}
		m.timers = slices.Delete(slices.Clone(m.timers), at, at+1)
	case 'e':
		if at < 0 || m.timers[at].owner != actor || s.amount == 0 {
			return false
		}
		m.timers = slices.Clone(m.timers)
		m.timers[at].expires = m.height + min(s.amount, m.config.MaxTTLBlocks)
	case 'p':
		m.balances[actor] = min(m.balances[actor], s.amount)
	}
	return true
}

// due is the timers' part of a block.
func (m *timerModel) due() {
	removals := uint64(m.config.GCCyclesPerBlock) / 1_000
	behind, used := map[byte]int{}, map[byte]uint64{}
	visited := map[uint64]bool{}
	lane := uint64(modelLane)
	var aside []uint64
	try := func(label uint64, burst bool) (goOn bool) {
		at := slices.IndexFunc(m.timers, func(t modelTimer) bool { return t.label == label })
		if at < 0 {
			return true
		}
		t := m.timers[at]
		reason := ""
		switch {
		case m.height > t.expires:
			reason = "expired"
		case m.height-t.height > modelSkips:
			reason = "dead"
		case !t.order.stranger && m.balances[t.owner] < (t.order.gas+modelCells)*modelFloor:
			reason = "unfunded"
		}
		if reason != "" {
			behind[t.owner]++
			m.met[reason]++
			if removals > 0 {
				removals--
				m.met["removed"]++
				m.timers = slices.Delete(slices.Clone(m.timers), at, at+1)
				m.lines = append(m.lines, fmt.Sprintf("%d %s", t.label, reason))
			}
			return true
		}
		if !burst && used[t.owner] >= modelShare {
			aside = append(aside, label)
			return true
		}
		if t.order.gas > lane {
			m.met["full"]++
			return false
		}
		if burst {
			m.met["burst"]++
		}
		cost, _ := t.order.costs()
		lane -= cost
		used[t.owner] += cost
		m.fire(at)
		return true
	}
	for {
		first := -1
		for i, t := range m.timers {
			if t.height > m.height || visited[t.label] {
				continue
			}
			if first < 0 || before(behind, &t, &m.timers[first]) {
				first = i
			}
		}
		if first < 0 {
			break
		}
		visited[m.timers[first].label] = true
		if !try(m.timers[first].label, false) {
			return
		}
	}
	for _, label := range aside {
		if !try(label, true) {
			return
		}
	}
}

// before orders two due timers: the one whose owner has fewer dead ones behind it, the one due first, the one scheduled first.
func before(behind map[byte]int, a, b *modelTimer) bool {
	x, y := []uint64{uint64(behind[a.owner]), a.height, a.seq}, []uint64{uint64(behind[b.owner]), b.height, b.seq}
	return slices.Compare(x, y) < 0
}

func (m *timerModel) fire(at int) {
	t := m.timers[at]
	m.timers = slices.Delete(slices.Clone(m.timers), at, at+1)
	if t.order.every > 0 {
		t.height, t.seq = m.height+t.order.every, m.next
		m.next++
		m.timers = append(m.timers, t)
	}
	most := (t.order.gas + modelCells) * modelFloor
	if !t.order.stranger {
		m.balances[t.owner] -= most
	}
	word := "fired"
	cost, reached := t.order.costs()
	if !reached || !m.do(t.owner, t.order.steps, false, t.order.fault) {
		word = "failed"
	}
	if !t.order.stranger {
		m.balances[t.owner] += most - cost*modelFloor
	}
	m.met[word]++
	m.lines = append(m.lines, fmt.Sprintf("%d %s", t.label, word))
}

// timerActors runs the same orders on the chain.
type timerActors struct {
	orders map[uint64]*modelOrder
	ids    map[uint64]timer.ID // by label
	labels map[timer.ID]uint64
}

func (a *timerActors) handle(c *call) *block.Fault {
	data := c.turn.Payload.Data
	o := a.orders[binary.BigEndian.Uint64(data)]
	c.use(unit.Cycles(o.uses), 0)
	for _, s := range o.steps {
		if err := a.step(c, s); err != nil {
			return must(c, err)
		}
	}
	if o.fault {
		return &block.Fault{Code: drain.FaultCall, Text: "on purpose"}
	}
	return nil
}

func (a *timerActors) step(c *call, s modelStep) error {
	now, overlay, self := c.turn.Block.Height, c.turn.Overlay, c.turn.Target
	switch s.kind {
	case 's':
		o := s.order
		q := timer.Request{
			Height: now + unit.Height(o.distance), Every: o.every, Handler: "order", Payload: binary.BigEndian.AppendUint64(nil, o.label),
			GasLimit: gas(unit.Cycles(o.gas)), ExpiresAt: until(now + unit.Height(o.lifetime)),
			MaxFee: o.most, MaxPriority: o.priority, Tier: o.tier,
		}
		if o.stranger {
			payer := person(1)
			q.Payer = &payer
		}
		id, err := c.schedule(q)
		if err == nil {
			a.ids[o.label], a.labels[id] = id, o.label
		}
		return err
	case 'c':
		id, known := a.ids[s.label]
		if !known {
			return nil
		}
		_, err := timer.Cancel(overlay, &self, id)
		return err
	case 'e':
		_, err := timer.Extend(overlay, c.turn.Block.Params.Timer, now, &self, a.ids[s.label], now+unit.Height(s.amount))
		return err
	}
	return move(overlay, self, person(9), unit.Amount(s.amount))
}

// move leaves an account an amount at most and gives another one the rest.
func move(s state.Store, from, to account.Address, leave unit.Amount) error {
	a, err := account.Load(s, from)
	if err != nil || a.Balance <= leave {
		return err
	}
	return account.Move(s, from, to, a.Balance-leave)
}

// draw makes an order up: mostly sound, now and then one that is refused; its handler may have orders of its own.
func draw(r *rand.Rand, orders map[uint64]*modelOrder, depth int) *modelOrder {
	o := &modelOrder{label: uint64(len(orders)), gas: []uint64{550_000, 20_000, 20_000, 5_000}[r.IntN(4)], uses: 1_000, distance: 1 + r.Uint64N(6),
		lifetime: 4 + r.Uint64N(30)}
	orders[o.label] = o
	if heavy := orders[0].gas; heavy > 0 && r.IntN(4) > 0 {
		o.gas, o.uses = heavy, 545_000
	}
	if r.IntN(5) == 0 {
		o.every = 1 + r.Uint64N(4)
	}
	if r.IntN(4) == 0 {
		o.stranger = true
	}
	o.fault = r.IntN(10) == 0
	switch r.IntN(40) {
	case 0:
		o.distance = 0
	case 1:
		o.gas = 550_001
	case 2:
		o.gas, o.uses = 0, 0
	case 3:
		o.lifetime = 41
	}
	if orders[0].most != nil {
		o.bid(r)
	}
	if depth > 0 && o.every == 0 && r.IntN(3) == 0 { // an order that is given twice would have two timers of one label
		o.steps = drawSteps(r, orders, depth-1)
	}
	return o
}

func drawSteps(r *rand.Rand, orders map[uint64]*modelOrder, depth int) (steps []modelStep) {
	for range 1 + r.IntN(3) {
		switch n := r.IntN(12); {
		case n < 8:
			steps = append(steps, modelStep{kind: 's', order: draw(r, orders, depth)})
		case n < 9:
			steps = append(steps, modelStep{kind: 'c', label: 1 + r.Uint64N(uint64(len(orders)))})
		case n < 10:
			steps = append(steps, modelStep{kind: 'e', label: 1 + r.Uint64N(uint64(len(orders))), amount: r.Uint64N(60)})
		case n < 11 && orders[0].gas == 0 && r.IntN(6) == 0: // what a fire may cost to the unit, and one unit less
			steps = append(steps, modelStep{kind: 'p', amount: ([]uint64{550_000, 20_000, 5_000}[r.IntN(3)]+modelCells)*modelFloor - r.Uint64N(2)})
		}
	}
	return steps
}

// Random actors schedule, cancel and extend timers and intervals, run out of coins and fill the lane; what fires, what is dropped, in which order, what is
// left of every balance and how many timers each has are those of a model that knows a slice and no index. What a handler did before it failed is undone.
//
// Spec: WP §5.1a; scheduler-timers §2.2, §4, §6, §7.
func TestTimersAgainstModel(t *testing.T) {
	met := map[string]int{}
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 5))
		heavy := &modelOrder{gas: 550_000 * (seed % 2)} // in every other chain many fires fill the lane
		actors := &timerActors{map[uint64]*modelOrder{0: heavy}, map[uint64]timer.ID{}, map[timer.ID]uint64{}}
		c := newChain(t, script{"order": actors.handle})
		config := params.Genesis().Timer
		config.MaxTimersPerActor, config.MaxTTLBlocks = 7+uint32(r.IntN(30)), 40
		config.GCCyclesPerBlock = unit.Cycles(1_000 + r.IntN(4_000))
		c.edit(func(s state.Store) { s.Set(params.StateKey(params.KeyTimer), config.Append(nil)) }, 2)
		m := &timerModel{config: config, balances: map[byte]uint64{}, met: met}
		for n := byte(1); n < 10; n++ {
			m.balances[n] = uint64(c.account(actorAt(n)).Balance)
		}
		for range 50 {
			m.height = uint64(c.tip.Header.Height) + 1
			m.lines = nil
			var txs []tx.Verified
			for range r.IntN(12) {
				n := byte(1 + r.IntN(9))
				o := &modelOrder{label: uint64(len(actors.orders)), uses: 1_000, fault: r.IntN(20) == 0}
				actors.orders[o.label] = o
				o.steps = drawSteps(r, actors.orders, 2)
				txs = append(txs, c.sign(person(1), &tx.Execute{To: actorAt(n), Handler: []byte("order"),
					Payload: binary.BigEndian.AppendUint64(nil, o.label)}))
				m.lines = append(m.lines, fmt.Sprint("transaction ", m.do(n, o.steps, true, o.fault)))
			}
			m.due()
			result := c.mine(txs...)
			if got := timerLines(actors, result.Receipts); !slices.Equal(got, m.lines) {
				t.Fatalf("seed %d, block %d:\n%s\nwant\n%s", seed, m.height, strings.Join(got, "\n"), strings.Join(m.lines, "\n"))
			}
			for n := byte(1); n < 10; n++ {
				held := 0
				for _, x := range m.timers {
					if x.owner == n {
						held++
					}
				}
				if a := c.account(actorAt(n)); uint64(a.Balance) != m.balances[n] || int(a.Timers) != held {
					t.Fatalf("seed %d, block %d: actor %d has %d and %d timers, want %d and %d", seed, m.height, n, a.Balance, a.Timers, m.balances[n], held)
				}
			}
		}
	}
	for _, what := range []string{"fired", "failed", "expired", "unfunded", "full", "burst"} {
		if met[what] < 20 {
			t.Errorf("%s only %d times: %v", what, met[what], met)
		}
	}
	if left := met["expired"] + met["unfunded"] - met["removed"]; left < 20 {
		t.Errorf("dead timers left for another block only %d times", left)
	}
}

// timerLines tells receipts as the model does.
func timerLines(a *timerActors, receipts []*block.Receipt) (lines []string) {
	for _, x := range receipts {
		if x.Kind != block.Timer {
			lines = append(lines, fmt.Sprint("transaction ", x.Status == block.Success))
			continue
		}
		word := "fired"
		switch {
		case x.Status == block.Faulted:
			word = "failed"
		case x.Status == block.Dropped:
			word = map[uint16]string{drain.FaultTimerExpired: "expired", drain.FaultTimerDead: "dead", drain.FaultTimerUnfunded: "unfunded"}[x.Fault.Code]
		}
		lines = append(lines, fmt.Sprintf("%d %s", a.labels[digest.Hash(x.ID)], word))
	}
	return lines
}
