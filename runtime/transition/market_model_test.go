package transition

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// bid draws what an order offers: nothing, which takes the default policy, or numbers on both sides of the lane's basefee, few enough to meet again.
func (o *modelOrder) bid(r *rand.Rand) {
	if r.IntN(3) > 0 {
		o.most = price(8_000 + 4_000*r.Uint64N(5))
	}
	if r.IntN(3) > 0 {
		o.priority = price([]uint64{0, 1_000, 1_000, 2_000, 9_000}[r.IntN(5)])
	}
	o.tier = timer.Tier(r.IntN(4))
}

// marketModel re-tells scheduler-timers §9 with fractions and a list that is sorted in every block. What timers are, and what handlers do to
// them, is the timerModel's.
type marketModel struct {
	timerModel
	basefee, tip uint64
	burned       uint64
	fires        []map[byte]uint64 // by height
	ids          map[uint64]timer.ID
}

const modelCap = 250_000 // §9.4

// bids is what a timer offers beyond the lane's basefee; ok is false if it bids less than that.
func (m *marketModel) bids(o *modelOrder) (priority uint64, ok bool) {
	most := 2 * m.basefee
	priority = m.tip * []uint64{timer.Standard: 10, timer.Economy: 8, timer.Fast: 15, timer.Urgent: 25}[o.tier] / 10
	if o.most != nil {
		most = *o.most
	}
	if o.priority != nil {
		priority = *o.priority
	}
	if most < m.basefee {
		return 0, false
	}
	return min(priority, most-m.basefee), true
}

// weights is W of every owner, from the fires of the last 1,000 blocks.
func (m *marketModel) weights() map[byte]*big.Rat {
	fires := map[byte]uint64{}
	for h := m.height - min(m.height, 1_000); h < m.height; h++ {
		for owner, n := range m.fires[h] {
			fires[owner] += n
		}
	}
	var counts []uint64
	for _, n := range fires {
		counts = append(counts, n)
	}
	slices.Sort(counts)
	median := big.NewRat(1, 1)
	if n := len(counts); n > 0 {
		median.SetFrac64(int64(counts[(n-1)/2]+counts[n/2]), 2)
	}
	if median.Cmp(big.NewRat(1, 1)) < 0 {
		median.SetInt64(1)
	}
	weights := map[byte]*big.Rat{}
	for owner := byte(1); owner < 10; owner++ {
		w := new(big.Rat).Quo(new(big.Rat).SetUint64(fires[owner]), median)
		w.Sub(big.NewRat(3, 1), w)
		weights[owner] = clip(w, big.NewRat(1, 1), big.NewRat(2, 1))
	}
	return weights
}

func clip(x, low, high *big.Rat) *big.Rat {
	if x.Cmp(low) < 0 {
		return low
	}
	if x.Cmp(high) > 0 {
		return high
	}
	return x
}

// judge gives why a timer is dead, "" if it is not. waits: it bids too little, and stays.
func (m *marketModel) judge(t *modelTimer) (reason string, priority uint64, waits bool) {
	if m.height > t.expires {
		return "expired", 0, false
	}
	if m.height-t.height > modelSkips {
		return "dead", 0, false
	}
	priority, ok := m.bids(t.order)
	if !ok {
		return "", 0, true
	}
	if !t.order.stranger && m.balances[t.owner] < min(t.order.gas, modelCap)*(modelFloor+m.basefee+priority)+modelCells*modelFloor {
		return "unfunded", 0, false
	}
	return "", priority, false
}

// round sorts the due timers by their place among those of their owner, then by age: dead ones are taken away in this order.
func (m *marketModel) round() []modelTimer {
	var list []modelTimer
	place := map[uint64]int{}
	for _, t := range m.timers {
		if t.height <= m.height {
			list = append(list, t)
		}
	}
	age := func(a, b modelTimer) int { return slices.Compare([]uint64{a.height, a.seq}, []uint64{b.height, b.seq}) }
	slices.SortFunc(list, age)
	owned := map[byte]int{}
	for _, t := range list {
		place[t.label] = owned[t.owner]
		owned[t.owner]++
	}
	slices.SortStableFunc(list, func(a, b modelTimer) int { return place[a.label] - place[b.label] })
	return list
}

// due is the timers' part of a block, in which transactions have used so many cycles of each actor.
func (m *marketModel) due(used map[byte]uint64) {
	removals := uint64(m.config.GCCyclesPerBlock) / 1_000
	retire := func(label uint64, reason string) {
		m.met[reason]++
		if removals > 0 {
			removals--
			m.met["removed"]++
			m.timers = slices.DeleteFunc(slices.Clone(m.timers), func(t modelTimer) bool { return t.label == label })
			m.lines = append(m.lines, fmt.Sprintf("%d %s", label, reason))
		}
	}
	weights := m.weights()
	type ranked struct {
		modelTimer
		score *big.Rat
	}
	var list []ranked
	for _, t := range m.round() {
		reason, priority, waits := m.judge(&t)
		switch {
		case reason != "":
			retire(t.label, reason)
		case waits:
			m.met["waits"]++
		default:
			list = append(list, ranked{t, new(big.Rat).Mul(weights[t.owner], new(big.Rat).SetUint64(priority))})
		}
	}
	slices.SortFunc(list, func(a, b ranked) int {
		if c := b.score.Cmp(a.score); c != 0 {
			return c
		}
		x, y := m.ids[a.label], m.ids[b.label]
		return bytes.Compare(x[:], y[:])
	})
	var filled, tips = uint64(0), []uint64(nil)
	fires := map[byte]uint64{}
	var aside []ranked
	for _, burst := range []bool{false, true} {
		for _, x := range list {
			limit := min(x.order.gas, modelCap)
			if !burst && used[x.owner] >= modelShare {
				aside = append(aside, x)
				continue
			}
			if filled+limit > modelLane {
				m.met["full"]++
				continue
			}
			at := slices.IndexFunc(m.timers, func(t modelTimer) bool { return t.label == x.label && t.seq == x.seq })
			if at < 0 {
				m.met["gone"]++
				continue
			}
			reason, priority, _ := m.judge(&m.timers[at])
			if reason != "" {
				retire(x.label, reason)
				continue
			}
			if burst {
				m.met["burst"]++
			}
			tips = append(tips, priority)
			cost := m.fire(at, limit, priority)
			filled += cost
			used[x.owner] += cost
			fires[x.owner]++
		}
		list = aside
	}
	m.close(filled, tips)
	m.fires[m.height] = fires
}

// fire runs a timer and tells what it used.
func (m *marketModel) fire(at int, limit, priority uint64) (cost uint64) {
	t := m.timers[at]
	m.timers = slices.Delete(slices.Clone(m.timers), at, at+1)
	if t.order.every > 0 {
		t.height, t.seq = m.height+t.order.every, m.next
		m.next++
		m.timers = append(m.timers, t)
	}
	rate := modelFloor + m.basefee + priority
	most := limit*rate + modelCells*modelFloor
	if !t.order.stranger {
		m.balances[t.owner] -= most
	}
	word := "failed"
	cost = limit
	if limit > modelHand {
		cost = min(limit, modelHand+t.order.uses)
		if m.do(t.owner, t.order.steps, false, t.order.fault) {
			word = "fired"
		}
	}
	if !t.order.stranger {
		m.balances[t.owner] += most - cost*rate
	}
	m.met[word]++
	m.lines = append(m.lines, fmt.Sprintf("%d %s", t.label, word))
	return cost
}

// close moves the lane's basefee by (use − ½)/½ of it, an eighth at most, with the change rounded down, and notes the median of what was offered.
func (m *marketModel) close(filled uint64, tips []uint64) {
	m.burned += filled * m.basefee
	change := new(big.Rat).Sub(new(big.Rat).SetFrac64(int64(filled), modelLane), big.NewRat(1, 2))
	change = clip(change.Quo(change, big.NewRat(1, 2)), big.NewRat(-1, 8), big.NewRat(1, 8))
	change.Mul(change, new(big.Rat).SetUint64(m.basefee))
	whole := new(big.Int).Quo(change.Num(), change.Denom()) // towards zero
	moved := int64(m.basefee) + whole.Int64()
	if uint64(moved) != m.basefee {
		m.met["moved"]++
	}
	m.basefee = max(uint64(moved), modelFloor)
	m.tip = 0
	if slices.Sort(tips); len(tips) > 0 {
		m.tip = tips[(len(tips)-1)/2]
	}
}

// The fee market's order against a list that is sorted anew in every block: which timers fire, which wait, which are taken away and in which
// order, what each costs, the lane's basefee, the priority of the default policy and what was burned. One chain is long enough for fires to
// leave the fairness window.
//
// Spec: WP §5.1b; scheduler-timers §9.
func TestTimerMarketAgainstModel(t *testing.T) {
	met := map[string]int{}
	for seed := range uint64(10) {
		blocks := 60
		if seed == 4 && !testing.Short() {
			blocks = 1_200
		}
		duel(t, seed, blocks, met)
	}
	for _, what := range []string{"fired", "failed", "expired", "unfunded", "full", "burst", "waits", "gone", "moved"} {
		if met[what] < 20 {
			t.Errorf("%s only %d times: %v", what, met[what], met)
		}
	}
	if left := met["expired"] + met["unfunded"] - met["removed"]; left < 20 {
		t.Errorf("dead timers left for another block only %d times", left)
	}
}

// rivals now and then has the first timer that is scheduled in a row cancel the next one, which is due with it.
func rivals(r *rand.Rand, steps []modelStep) {
	if len(steps) < 2 || steps[0].kind != 's' || steps[1].kind != 's' || r.IntN(2) == 0 {
		return
	}
	if a, b := steps[0].order, steps[1].order; a.every == 0 && b.every == 0 {
		a.distance = b.distance
		a.steps = append(a.steps, modelStep{kind: 'c', label: b.label})
	}
}

// duel runs a chain of random timers beside the model.
func duel(t *testing.T, seed uint64, blocks int, met map[string]int) {
	r := rand.New(rand.NewPCG(seed, 51))
	heavy := &modelOrder{gas: 550_000 * (seed % 2), most: price(0)} // in every other chain many fires fill the lane
	actors := &timerActors{map[uint64]*modelOrder{0: heavy}, map[uint64]timer.ID{}, map[timer.ID]uint64{}}
	c := newChain(t, script{"order": actors.handle}, func(p *params.Params) { p.Hybrid.ActivationHeight = 2 })
	config := params.Genesis().Timer
	config.MaxTimersPerActor, config.MaxTTLBlocks = 7+uint32(r.IntN(30)), 40
	config.GCCyclesPerBlock = unit.Cycles(1_000 + r.IntN(4_000))
	if heavy.gas > 0 {
		config.MaxTimersPerActor, config.GCCyclesPerBlock = 100, 20_000
	}
	c.edit(func(s state.Store) { s.Set(params.StateKey(params.KeyTimer), config.Append(nil)) }, 2)
	for n := byte(2); n < 10; n++ {
		c.mine(c.sign(person(n), &tx.Transfer{To: actorAt(n), Amount: 9_000 * unit.CBY}))
	}
	c.mine(c.sign(admin, &tx.Transfer{To: actorAt(1), Amount: 9_000 * unit.CBY}))
	m := &marketModel{timerModel: timerModel{config: config, balances: map[byte]uint64{}, met: met}, basefee: modelFloor, ids: actors.ids}
	m.fires = make([]map[byte]uint64, int(c.tip.Header.Height)+2+blocks)
	for n := byte(1); n < 10; n++ {
		m.balances[n] = uint64(c.account(actorAt(n)).Balance)
	}
	for range blocks {
		m.height = uint64(c.tip.Header.Height) + 1
		m.lines = nil
		var txs []tx.Verified
		for range r.IntN(14) + 20*int(seed%2) {
			n := byte(1 + r.IntN(9))
			if r.IntN(3) == 0 {
				n = 1 // a busy one, for the weights
			}
			o := &modelOrder{label: uint64(len(actors.orders)), uses: 1_000, fault: r.IntN(20) == 0}
			actors.orders[o.label] = o
			o.steps = drawSteps(r, actors.orders, 2)
			rivals(r, o.steps)
			txs = append(txs, c.sign(person(1), &tx.Execute{To: actorAt(n), Handler: []byte("order"),
				Payload: binary.BigEndian.AppendUint64(nil, o.label)}))
			m.lines = append(m.lines, fmt.Sprint("transaction ", m.do(n, o.steps, true, o.fault)))
		}
		result := c.mine(txs...)
		used := map[byte]uint64{}
		for _, x := range result.Receipts[:len(txs)] {
			used[x.Target[19]] += uint64(x.CyclesUsed)
		}
		m.due(used)
		if got := timerLines(actors, result.Receipts); !slices.Equal(got, m.lines) {
			t.Fatalf("seed %d, block %d:\n%s\nwant\n%s", seed, m.height, strings.Join(got, "\n"), strings.Join(m.lines, "\n"))
		}
		market, err := timer.LoadMarket(c.tip.State.Overlay())
		if want := (timer.Market{Basefee: m.basefee, Tip: m.tip, Burned: unit.Amount(m.burned)}); err != nil || market != want {
			t.Fatalf("seed %d, block %d: %+v, want %+v (%v)", seed, m.height, market, want, err)
		}
		for n := byte(1); n < 10; n++ {
			if got := uint64(c.account(actorAt(n)).Balance); got != m.balances[n] {
				t.Fatalf("seed %d, block %d: actor %d has %d, want %d", seed, m.height, n, got, m.balances[n])
			}
		}
	}
}
