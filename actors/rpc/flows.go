package rpc

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/cowboyinc/cowboy-go/actors/index"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/treasury"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// Blocks that GET /flows tells of: at most, and where no range is given.
const (
	flowsMost  = 500
	flowsUsual = 60
)

// flows adds the calls about coins.
func (s *server) flows(mux *http.ServeMux) {
	b := s.Backend
	mux.HandleFunc("GET /flows", func(w http.ResponseWriter, r *http.Request) {
		from, to, err := heights(r, b.Height().Height)
		if err != nil {
			s.fail(w, err)
			return
		}
		reply, err := b.Flows(from, to)
		s.answer(w, reply, err)
	})
	mux.HandleFunc("GET /flows/{name}", func(w http.ResponseWriter, r *http.Request) {
		reply, err := b.FlowSeries(r.PathValue("name"))
		s.answer(w, reply, err)
	})
	mux.HandleFunc("GET /supply", func(w http.ResponseWriter, _ *http.Request) {
		reply, err := b.Supply()
		s.answer(w, reply, err)
	})
}

// heights reads a range of blocks, by default the newest ones.
func heights(r *http.Request, tip uint64) (from, to uint64, err error) {
	if to, err = number(r, "to", tip); err != nil {
		return 0, 0, err
	}
	if from, err = number(r, "from", max(to, flowsUsual)-flowsUsual+1); err != nil {
		return 0, 0, err
	}
	switch {
	case to > tip:
		return 0, 0, refuse(http.StatusNotFound, 4004, fmt.Sprintf("the newest final block is %d", tip))
	case from > to:
		return 0, 0, badRequest("from is at most to")
	case to-from >= flowsMost:
		return 0, 0, badRequest(fmt.Sprintf("at most %d blocks are told of at once; GET /flows/%s has longer times", flowsMost, wire.SeriesHours))
	}
	return from, to, nil
}

// flowCalls describes them.
func flowCalls() []Call {
	return []Call{
		{"get", "/flows", "what blocks minted, burned by cause, put into pots and took out of them",
			[]string{"from:integer:first block", "to:integer:last block, default the newest"}, "", wire.Flows{}},
		{"get", "/flows/{name}", "the same in equal stretches of time: minutes, quarters or hours", nil, "", wire.Flows{}},
		{"get", "/supply", "all coins: genesis, minted, burned, held and in genesis buckets", nil, "", wire.Supply{}},
	}
}

func viewFlow(s *flow.Sheet) wire.Flow {
	w := wire.Flow{
		SupplyBefore: uint64(s.Before()), Supply: uint64(s.Supply),
		Minted: map[string]uint64{}, Burned: map[string]uint64{}, In: map[string]uint64{}, Out: map[string]uint64{}, Paid: map[string]uint64{},
	}
	for _, l := range s.Lines {
		of := [...]map[string]uint64{flow.Minted: w.Minted, flow.Burned: w.Burned, flow.In: w.In, flow.Out: w.Out, flow.Paid: w.Paid}[l.Kind]
		of[l.Label] = uint64(l.Amount)
	}
	return w
}

// Flows implements Backend.
func (n *Node) Flows(from, to uint64) (wire.Flows, error) {
	reply := wire.Flows{From: from, To: to, Entries: []wire.Flow{}}
	var total flow.Sheet
	for h := from; h <= to; h++ {
		sheet, err := n.Ledger.Flows(unit.Height(h))
		if errors.Is(err, ledger.ErrAbsent) || err == nil && sheet == nil {
			continue
		}
		if err != nil {
			return reply, err
		}
		total.Merge(sheet)
		one := viewFlow(sheet)
		one.Height = h
		reply.Entries = append(reply.Entries, one)
	}
	if len(reply.Entries) == 0 && from > 0 {
		return reply, refuse(http.StatusGone, 4010, "this node keeps no flows of these blocks")
	}
	reply.Total = viewFlow(&total)
	return reply, nil
}

// resolution is that of a series by its name.
func resolution(name string) (index.Resolution, error) {
	switch name {
	case wire.SeriesMinutes:
		return index.Minutes, nil
	case wire.SeriesQuarters:
		return index.Quarters, nil
	case wire.SeriesHours:
		return index.Hours, nil
	}
	return 0, refuse(http.StatusNotFound, 4004, fmt.Sprintf("the series are %s, %s, %s", wire.SeriesMinutes, wire.SeriesQuarters, wire.SeriesHours))
}

// FlowSeries implements Backend.
func (n *Node) FlowSeries(name string) (wire.Flows, error) {
	r, err := resolution(name)
	if err != nil {
		return wire.Flows{}, err
	}
	list, err := n.Index.Flows(r)
	reply := wire.Flows{EachMs: uint64(r.Each().Milliseconds()), Slots: uint64(r.Slots()), Entries: make([]wire.Flow, 0, len(list))}
	var total flow.Sheet
	for i := range list {
		total.Merge(&list[i].Sheet)
		one := viewFlow(&list[i].Sheet)
		one.Start = list[i].Slot * reply.EachMs
		reply.Entries = append(reply.Entries, one)
	}
	reply.Total = viewFlow(&total)
	return reply, err
}

// Supply implements Backend.
//
// Spec: WP §8.1–§8.4.
func (n *Node) Supply() (w wire.Supply, err error) {
	t, err := n.tip()
	if err != nil {
		return w, err
	}
	record, err := fee.LoadSupply(t.State)
	if err != nil {
		return w, err
	}
	total, err := record.Total()
	if err != nil {
		return w, err
	}
	w = wire.Supply{
		Height: uint64(t.Header.Height), Genesis: uint64(record.Genesis), Minted: uint64(record.Minted), Burned: uint64(record.Burned),
		Total: uint64(total), Held: map[string]uint64{}, Buckets: []wire.Bucket{},
	}
	w.Circulating = w.Total
	pots, err := transition.Pots(t.State)
	if err != nil {
		return w, err
	}
	for _, p := range pots {
		w.Held[p.Name] = uint64(p.Held)
		w.Circulating -= uint64(p.Held)
	}
	buckets, err := treasury.LoadBuckets(t.State)
	if err != nil {
		return w, err
	}
	for _, b := range buckets {
		a, err := account.Load(t.State, b.Address())
		if err != nil {
			return w, err
		}
		w.Buckets = append(w.Buckets, wire.Bucket{
			Name: b.Name, Address: b.Address().String(), Amount: uint64(b.Amount), Balance: uint64(a.Balance),
			Releasable: uint64(b.Releasable(t.Header.Height)), Terms: b.Terms,
		})
		if b.Address() != account.System(account.Treasury) {
			w.Locked += uint64(a.Balance)
		}
	}
	w.Circulating -= w.Locked
	sheet, since, ok, err := n.Index.AllFlows()
	if ok && err == nil {
		one := viewFlow(&sheet)
		w.Flowed, w.Since = &one, uint64(since)
	}
	return w, err
}
