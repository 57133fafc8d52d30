package block

import (
	"bytes"
	"cmp"
	"container/heap"
	"math/bits"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Limits bound what Select may choose.
type Limits struct {
	Budgets     Budgets
	TimerDemand unit.Cycles                       // cycles the due timers may use
	Basefees    [params.LaneCount]params.Basefees // already scaled by lane
	MaxTxs      int
	MaxBytes    int // of the transactions' encodings together
}

// headerReserve is what Select leaves of a block's bytes to the header and the
// count of transactions; an encoded header is below 600 bytes.
const headerReserve = 1 << 10

// NewLimits is the protocol's limits at the given global basefees and timer
// demand, or unit.ErrOverflow if a lane multiplier takes a basefee out of range.
// Spec: WP §6.3, §17.9; node-rpc-cli §3.
func NewLimits(p *params.Params, fees params.Basefees, timerDemand unit.Cycles) (Limits, error) {
	l := Limits{
		Budgets:     ProtocolBudgets(),
		TimerDemand: timerDemand,
		MaxTxs:      params.MaxBlockTxs,
		MaxBytes:    params.MaxBlockBytes - headerReserve,
	}
	for lane := range params.LaneCount {
		scaled, err := p.Lanes.Scale(fees, lane)
		if err != nil {
			return Limits{}, err
		}
		l.Basefees[lane] = scaled
	}
	return l, nil
}

// EffectiveFee is what a transaction is worth to a proposer, a 128-bit number of
// base units: its intrinsic costs alone, each at the lesser of the maximum fee
// and basefee plus tip. fees are the lane's basefees.
//
//	intrinsic_cycles × min(max_fee_per_cycle, basefee_cycle + tip_per_cycle)
//	+ intrinsic_cells × min(max_fee_per_cell, basefee_cell + tip_per_cell)
//
// Spec: WP §6.4.
type EffectiveFee struct{ Hi, Lo uint64 }

// NewEffectiveFee computes the fee of v. Intrinsic costs are below 2²⁴, so the sum
// stays far below 2¹²⁸.
// Spec: WP §6.4.
func NewEffectiveFee(v tx.Verified, fees params.Basefees) EffectiveFee {
	t, cost := v.Tx(), v.Intrinsic()
	cycle := min(t.MaxFeePerCycle, saturatingAdd(fees.Cycle, t.MaxPriorityFeePerCycle))
	cell := min(t.MaxFeePerCell, saturatingAdd(fees.Cell, t.MaxPriorityFeePerCell))
	hi1, lo1 := bits.Mul64(uint64(cost.Cycles), cycle)
	hi2, lo2 := bits.Mul64(uint64(cost.Cells), cell)
	lo, carry := bits.Add64(lo1, lo2, 0)
	hi, _ := bits.Add64(hi1, hi2, carry)
	return EffectiveFee{hi, lo}
}

// saturatingAdd is exact here: its result only ever meets a min with a uint64.
func saturatingAdd(a, b uint64) uint64 {
	sum, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		return 1<<64 - 1
	}
	return sum
}

// Compare orders fees: negative, zero or positive.
func (f EffectiveFee) Compare(g EffectiveFee) int {
	if c := cmp.Compare(f.Hi, g.Hi); c != 0 {
		return c
	}
	return cmp.Compare(f.Lo, g.Lo)
}

// Select chooses the transactions of a block, in no meaningful order. Each lane
// fills with the highest effective fee first, ties by the smaller tx_hash; a
// sender's transactions are taken in nonce order without a gap, whatever their
// lanes. System is served first, then Runner, then User; when none of them can
// take more within its own budget, User goes on into what the others left.
//
// The caller offers, for each sender, transactions of which the lowest nonce is
// the account's next. Of two with one nonce the better paying counts. A
// transaction whose maximum fee is below its lane's basefee ends its sender's
// chain.
// Spec: WP §6.3, §6.4, §17.9.
func Select(candidates []tx.Verified, limits Limits) []tx.Verified {
	s := selection{limits: limits, usage: NewUsage(limits.Budgets, limits.TimerDemand)}
	for _, chain := range chains(candidates, limits) {
		s.offer(chain)
	}
	s.drain(false)
	s.ready, s.waiting = s.waiting, nil
	heap.Init(&s.ready)
	s.drain(true)
	return s.chosen
}

// candidate is a transaction with its rank; rest are its sender's later ones.
type candidate struct {
	tx   tx.Verified
	lane Lane
	fee  EffectiveFee
	rest []candidate
}

// chains groups candidates by sender in nonce order, one per nonce, cut at the
// first gap and at the first unaffordable basefee. The order of the result is
// that of the senders' addresses.
func chains(candidates []tx.Verified, limits Limits) [][]candidate {
	all := make([]candidate, 0, len(candidates))
	for _, v := range candidates {
		lane := v.Lane()
		all = append(all, candidate{tx: v, lane: lane, fee: NewEffectiveFee(v, limits.Basefees[lane])})
	}
	slices.SortFunc(all, func(a, b candidate) int {
		ta, tb := a.tx.Tx(), b.tx.Tx()
		if c := ta.From.Compare(tb.From); c != 0 {
			return c
		}
		if c := cmp.Compare(ta.Nonce, tb.Nonce); c != 0 {
			return c
		}
		return a.compare(b)
	})
	var out [][]candidate
	for len(all) > 0 {
		var chain []candidate
		chain, all = cutSender(all, limits)
		if len(chain) > 0 {
			out = append(out, chain)
		}
	}
	return out
}

// cutSender takes the first sender's candidates off a sorted list.
func cutSender(all []candidate, limits Limits) (chain, rest []candidate) {
	sender := all[0].tx.Tx().From
	end := 0
	for end < len(all) && all[end].tx.Tx().From == sender {
		end++
	}
	group, rest := all[:end], all[end:]
	next := group[0].tx.Tx().Nonce
	for _, c := range group {
		t := c.tx.Tx()
		if t.Nonce < next {
			continue // a worse offer for a nonce already taken
		}
		fees := limits.Basefees[c.lane]
		if t.Nonce > next || t.MaxFeePerCycle < fees.Cycle || t.MaxFeePerCell < fees.Cell {
			break
		}
		chain = append(chain, c)
		next++
	}
	return chain, rest
}

// compare ranks the better candidate first: higher fee, then smaller hash.
func (c candidate) compare(d candidate) int {
	if k := d.fee.Compare(c.fee); k != 0 {
		return k
	}
	a, b := c.tx.Hash(), d.tx.Hash()
	return bytes.Compare(a[:], b[:])
}

// selection is the state of one Select.
type selection struct {
	limits  Limits
	usage   Usage
	bytes   int
	chosen  []tx.Verified
	ready   ranking // heads of the senders' chains
	waiting ranking // heads that only spilled capacity can take
}

func (s *selection) offer(chain []candidate) {
	if len(chain) > 0 {
		head := chain[0]
		head.rest = chain[1:]
		heap.Push(&s.ready, head)
	}
}

// drain takes ready heads until none is left. A head that does not fit its lane
// leaves with its sender's later transactions; a User head waits for the spill.
func (s *selection) drain(spill bool) {
	for s.ready.Len() > 0 && len(s.chosen) < s.limits.MaxTxs {
		c := heap.Pop(&s.ready).(candidate)
		if s.bytes+c.tx.Size() > s.limits.MaxBytes {
			continue
		}
		if !s.usage.reserve(s.limits.Budgets, c.lane, c.tx.Tx().CyclesLimit, spill) {
			if c.lane == LaneUser && !spill {
				s.waiting = append(s.waiting, c)
			}
			continue
		}
		s.bytes += c.tx.Size()
		s.chosen = append(s.chosen, c.tx)
		s.offer(c.rest)
	}
}

// ranking is a heap of heads: lane priority first, then candidate.compare.
type ranking []candidate

func (r ranking) Len() int { return len(r) }

func (r ranking) Less(i, j int) bool {
	if r[i].lane != r[j].lane {
		return r[i].lane < r[j].lane // System, Timer, Runner, User: the order of WP §6.3
	}
	return r[i].compare(r[j]) < 0
}

func (r ranking) Swap(i, j int) { r[i], r[j] = r[j], r[i] }

// Push implements heap.Interface.
func (r *ranking) Push(x any) { *r = append(*r, x.(candidate)) }

// Pop implements heap.Interface.
func (r *ranking) Pop() any {
	last := len(*r) - 1
	c := (*r)[last]
	*r = (*r)[:last]
	return c
}

// senderOf is the key transactions of one account share.
func senderOf(v tx.Verified) account.Address { return v.Tx().From }
