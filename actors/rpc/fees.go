package rpc

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/query"
	"github.com/cowboyinc/cowboy-go/actors/recent"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/net/door"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// What GET /fees/history gives.
const (
	historyMost      = 256 // blocks
	historyUsual     = 20
	percentilesMost  = 20
	outlookBlocks    = 100 // whose prices an estimate tells of
	outlookKept      = 4   // blocks whose percentiles are kept
	outlookAhead     = 64  // blocks for which it bounds them: 97/96 to this power is 1.95
	refusedNoHistory = "this node does not hold these blocks"
)

// fees adds the calls about what transactions cost.
func (s *server) fees(mux *http.ServeMux) {
	b := s.Backend
	mux.HandleFunc("POST /estimate", s.estimate)
	mux.HandleFunc("GET /fees/history", func(w http.ResponseWriter, r *http.Request) {
		newest, blocks, percentiles, err := historyOf(r, b.Height().Height)
		if err != nil {
			s.fail(w, err)
			return
		}
		reply, err := b.FeeHistory(newest, blocks, percentiles)
		s.answer(w, reply, err)
	})
}

// feeCalls describes them.
func feeCalls() []Call {
	return []Call{
		{"post", "/estimate", "what one transaction, signed or not, would use, lead to and cost, with limits that fit it", nil, "application/octet-stream",
			wire.Estimate{}},
		{"get", "/fees/history", "prices, use and tips of blocks",
			[]string{"newest:integer:last block, default the newest", "blocks:integer:how many", "percentiles:string:of tips, ascending, 0 to 100, by commas"},
			"", wire.FeeHistory{}},
	}
}

// estimate answers POST /estimate.
func (s *server) estimate(w http.ResponseWriter, r *http.Request) {
	list, err := s.readSubmission(r)
	switch {
	case err != nil:
	case len(list) != 1:
		err = badRequest("one transaction is estimated at a time")
	case list[0].Tx == nil:
		err = refuse(http.StatusBadRequest, 1011, "")
	}
	if err != nil {
		s.fail(w, err)
		return
	}
	reply, err := s.Backend.Estimate(r.Context(), door.SourceAt(r.RemoteAddr), list[0].Tx)
	s.answer(w, reply, err)
}

// historyOf reads what of the past is asked for.
func historyOf(r *http.Request, tip uint64) (newest, blocks uint64, percentiles []uint64, err error) {
	if newest, err = number(r, "newest", tip); err != nil {
		return
	}
	if blocks, err = number(r, "blocks", historyUsual); err != nil {
		return
	}
	switch {
	case newest > tip:
		err = refuse(http.StatusNotFound, 4004, fmt.Sprintf("the newest final block is %d", tip))
	case blocks == 0 || blocks > historyMost:
		err = badRequest(fmt.Sprintf("blocks is 1 to %d", historyMost))
	}
	text := r.URL.Query().Get("percentiles")
	if err != nil || text == "" {
		return newest, min(blocks, newest+1), nil, err
	}
	for _, one := range strings.Split(text, ",") {
		p, bad := strconv.ParseUint(one, 10, 64)
		if bad != nil || p > 100 || len(percentiles) > 0 && p < percentiles[len(percentiles)-1] || len(percentiles) == percentilesMost {
			return 0, 0, nil, badRequest(fmt.Sprintf("percentiles are at most %d whole numbers from 0 to 100, ascending, by commas", percentilesMost))
		}
		percentiles = append(percentiles, p)
	}
	return newest, min(blocks, newest+1), percentiles, nil
}

// Estimate implements Backend.
//
// Spec: WP §17.10.
func (n *Node) Estimate(ctx context.Context, client netip.Addr, t *tx.Tx) (wire.Estimate, error) {
	if n.Service == nil {
		return wire.Estimate{}, errNoQueries
	}
	tip, err := n.tip()
	if err != nil {
		return wire.Estimate{}, err
	}
	r, err := n.Service.Assess(ctx, client, transition.Parent{Header: tip.Header, Hash: tip.Hash, State: tip.State}, t, time.Now())
	if err != nil {
		return wire.Estimate{}, executed(err)
	}
	reply := wire.Estimate{BlockHeight: uint64(tip.Header.Height), Ahead: r.Ahead, Follows: []wire.Followed{}, AccessList: []wire.Access{}}
	if r.Refused != nil {
		refused := wireError(r.Refused)
		reply.Refused = &refused
		return reply, nil
	}
	x := wire.FromReceipt(r.Receipt, digest.Hash{}, tip.Header.Height+1, 0, t)
	reply.Success, reply.CyclesUsed, reply.CellsUsed = x.Success, x.CyclesUsed, x.CellsUsed
	reply.ReturnData, reply.ReturnText, reply.ActorAddress, reply.Error = x.ReturnData, x.ReturnText, x.ActorAddress, x.Error
	reply.Failure, reply.Missing, reply.Printed = r.Failure, r.Missing, n.printed(r.Printed)
	reply.Covered = !r.Lent
	p, err := params.Load(tip.State)
	if err != nil {
		return reply, err
	}
	if reply.Outlook, err = n.outlook(tip, p, tx.LaneOf(t.Instruction)); err != nil {
		return reply, err
	}
	fill(&reply, &r, t)
	return reply, price(&reply)
}

// fill tells what follows, the limits that fit, and the access list.
func fill(w *wire.Estimate, r *query.Assessed, t *tx.Tx) {
	for _, x := range r.Follows {
		w.Follows = append(w.Follows, wire.Followed{
			Kind: x.Kind.String(), Target: x.Target.String(), Success: x.Status == block.Success, Cycles: uint64(x.CyclesUsed), Cells: uint64(x.CellsUsed),
			Why: x.Fault.Text,
		})
	}
	w.FollowsCycles, w.FollowsCells, w.More, w.Timers = uint64(r.Use.Cycles), uint64(r.Use.Cells), r.More, uint64(r.Timers)
	w.AccessList = accessList(r.Touched)
	floor := t.Intrinsic()
	w.IntrinsicCycles, w.IntrinsicCells = uint64(floor.Cycles), uint64(floor.Cells)
	fits := r.Limits(t)
	w.CyclesLimit, w.CellsLimit = uint64(fits.Cycles), uint64(fits.Cells)
}

// accessList gathers keys by their addresses. A key without an address is under that of the chain, 0.
func accessList(list []transition.Touch) []wire.Access {
	at := map[account.Address]int{}
	out := []wire.Access{}
	for _, k := range list {
		addr, rest := account.Address{}, k.Key
		if len(k.Key) >= 2+account.AddressSize {
			addr, rest = account.Address(k.Key[2:]), append(slices.Clone(k.Key[:2]), k.Key[2+account.AddressSize:]...)
		}
		i, ok := at[addr]
		if !ok {
			i = len(out)
			at[addr] = i
			out = append(out, wire.Access{Address: addr.String(), Reads: []string{}, Writes: []string{}})
		}
		if k.Written {
			out[i].Writes = append(out[i].Writes, hex.EncodeToString(rest))
		} else {
			out[i].Reads = append(out[i].Reads, hex.EncodeToString(rest))
		}
	}
	return out
}

// price says what it costs.
func price(w *wire.Estimate) error {
	used := fee.Use{Cycles: unit.Cycles(w.CyclesUsed + w.FollowsCycles), Cells: unit.Cells(w.CellsUsed + w.FollowsCells)}
	cost, err := used.Cost(fee.Rates{Cycle: w.Outlook.CycleBasefee, Cell: w.Outlook.CellBasefee})
	if err != nil {
		return badRequest("the fee does not fit 64 bits")
	}
	limit := fee.Use{Cycles: unit.Cycles(w.CyclesLimit), Cells: unit.Cells(w.CellsLimit)}
	most, err := limit.Cost(fee.Rates{Cycle: w.Outlook.MostPerCycle, Cell: w.Outlook.MostPerCell})
	if err != nil {
		most = ^unit.Amount(0)
	}
	w.Fee, w.MostFee = uint64(cost), uint64(most)
	return nil
}

// outlook tells what a unit costs in a lane.
func (n *Node) outlook(tip *ledger.Tip, p *params.Params, lane params.Lane) (w wire.Outlook, err error) {
	fees, err := fee.LoadBasefees(tip.State)
	if err != nil {
		return w, err
	}
	now, err := p.Lanes.Scale(fees, lane)
	if err != nil {
		return w, err
	}
	w = wire.Outlook{Lane: lane.String(), CycleBasefee: now.Cycle, CellBasefee: now.Cell, Ahead: outlookAhead}
	full := fee.Use{Cycles: params.BlockCycles, Cells: unit.Cells(^uint64(0))}
	high, low := fees, fees
	for range outlookAhead {
		high, low = fee.NextBasefees(p.Basefee, high, full), fee.NextBasefees(p.Basefee, low, fee.Use{})
	}
	if high, err = p.Lanes.Scale(high, lane); err != nil {
		high = fee.Rates{Cycle: ^uint64(0), Cell: ^uint64(0)}
	}
	if low, err = p.Lanes.Scale(low, lane); err != nil {
		return w, err
	}
	w.MostPerCycle, w.MostPerCell, w.LeastPerCycle, w.LeastPerCell = high.Cycle, high.Cell, low.Cycle, low.Cell
	of, err := percentiles(&n.prices, tip.Hash, tip.Header.Height, n.Ledger.Header)
	w.Blocks, w.CyclePercent, w.CellPercent = of.Blocks, of.CyclePercent, of.CellPercent
	return w, err
}

// percentiles gives Blocks, CyclePercent and CellPercent of the blocks up to the one with a hash and height; they are read once for a hash, which is what
// everybody asks for until the next block.
func percentiles(known *recent.Table[digest.Hash, wire.Outlook], hash digest.Hash, height unit.Height, header func(unit.Height) (*block.Header, error)) (
	w wire.Outlook, err error,
) {
	if w, ok := known.Find(hash); ok {
		return w, nil
	}
	var cycle, cell []uint64
	for h := height; len(cycle) < outlookBlocks; h-- {
		one, err := header(h)
		if errors.Is(err, ledger.ErrAbsent) {
			break
		}
		if err != nil {
			return w, err
		}
		cycle, cell = append(cycle, one.CycleBasefee), append(cell, one.CellBasefee)
		if h == 0 {
			break
		}
	}
	slices.Sort(cycle)
	slices.Sort(cell)
	w = wire.Outlook{
		Blocks:       uint64(len(cycle)),
		CyclePercent: wire.Spread{P10: rank(cycle, 10), P50: rank(cycle, 50), P90: rank(cycle, 90)},
		CellPercent:  wire.Spread{P10: rank(cell, 10), P50: rank(cell, 50), P90: rank(cell, 90)},
	}
	known.Put(hash, w, outlookKept)
	return w, nil
}

// rank is the least of sorted numbers that so many in a hundred do not exceed; 0 of none.
func rank(sorted []uint64, percent uint64) uint64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(max(uint64(len(sorted))*percent, 1)+99)/100-1]
}

// FeeHistory implements Backend.
//
// Spec: WP §17.8, §17.10.
func (n *Node) FeeHistory(newest, blocks uint64, percentiles []uint64) (w wire.FeeHistory, err error) {
	t, err := n.tip()
	if err != nil {
		return w, err
	}
	p, err := params.Load(t.State)
	if err != nil {
		return w, err
	}
	w = wire.FeeHistory{Oldest: newest + 1 - blocks, Newest: newest, Percentiles: percentiles}
	for h := w.Oldest; h <= newest; h++ {
		header, err := n.Ledger.Header(unit.Height(h))
		if errors.Is(err, ledger.ErrAbsent) {
			return w, refuse(http.StatusGone, 4010, refusedNoHistory)
		}
		if err != nil {
			return w, err
		}
		w.CycleBasefees, w.CellBasefees = append(w.CycleBasefees, header.CycleBasefee), append(w.CellBasefees, header.CellBasefee)
		w.CyclesPPM = append(w.CyclesPPM, uint64(header.CyclesUsed)*1_000_000/uint64(p.Basefee.CycleTarget))
		w.CellsPPM = append(w.CellsPPM, uint64(header.CellsUsed)*1_000_000/uint64(p.Basefee.CellTarget))
		if percentiles == nil {
			continue
		}
		cycle, cell, err := n.tips(header, p, percentiles)
		if err != nil {
			return w, err
		}
		w.CycleTips, w.CellTips = append(w.CycleTips, cycle), append(w.CellTips, cell)
	}
	next, err := n.behind(t, newest)
	w.CycleBasefees, w.CellBasefees = append(w.CycleBasefees, next.Cycle), append(w.CellBasefees, next.Cell)
	return w, err
}

// behind is what the block behind one charges.
func (n *Node) behind(t *ledger.Tip, height uint64) (fee.Rates, error) {
	if height == uint64(t.Header.Height) {
		return fee.LoadBasefees(t.State)
	}
	header, err := n.Ledger.Header(unit.Height(height + 1))
	if err != nil {
		return fee.Rates{}, refusal(err)
	}
	return fee.Rates{Cycle: header.CycleBasefee, Cell: header.CellBasefee}, nil
}

// weighed is a tip, and how much it counts.
type weighed struct{ tip, weight uint64 }

// tips gives the percentiles of what the transactions of a block tip a unit, by the lanes' multipliers of now.
func (n *Node) tips(h *block.Header, p *params.Params, percentiles []uint64) (cycle, cell []uint64, err error) {
	b, err := n.Ledger.Block(h.Height)
	if err != nil {
		return nil, nil, refusal(err)
	}
	receipts, err := n.Ledger.Receipts(h.Height)
	if err != nil && !errors.Is(err, ledger.ErrAbsent) {
		return nil, nil, err
	}
	used := map[digest.Hash]*block.Receipt{}
	for _, x := range receipts {
		if x.Kind == block.Transaction {
			used[x.ID] = x
		}
	}
	var cycles, cells []weighed
	for _, t := range b.Txs {
		x := used[t.SigningHash()]
		rates, err := p.Lanes.Scale(fee.Rates{Cycle: h.CycleBasefee, Cell: h.CellBasefee}, tx.LaneOf(t.Instruction))
		if x == nil || err != nil {
			continue
		}
		cycles = append(cycles, weighed{min(t.MaxPriorityFeePerCycle, t.MaxFeePerCycle-min(t.MaxFeePerCycle, rates.Cycle)), uint64(x.CyclesUsed)})
		cells = append(cells, weighed{min(t.MaxPriorityFeePerCell, t.MaxFeePerCell-min(t.MaxFeePerCell, rates.Cell)), uint64(x.CellsUsed)})
	}
	return weighedRanks(cycles, percentiles), weighedRanks(cells, percentiles), nil
}

// weighedRanks gives, of each percentile, the least tip that this part of the weight does not exceed; zeros where there is no weight.
func weighedRanks(list []weighed, percentiles []uint64) []uint64 {
	slices.SortFunc(list, func(a, b weighed) int { return cmp.Compare(a.tip, b.tip) })
	all := uint64(0)
	for _, x := range list {
		all += x.weight // at most what a block holds
	}
	out := make([]uint64, len(percentiles))
	for i, p := range percentiles {
		sum := uint64(0)
		for _, x := range list {
			if sum += x.weight; x.weight > 0 && sum*100 >= all*p {
				out[i] = x.tip
				break
			}
		}
	}
	return out
}
