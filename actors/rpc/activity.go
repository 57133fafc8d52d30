package rpc

import (
	"net/http"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/index"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// activity adds the calls that the index answers.
//
// Spec: node-rpc-cli §2.6.
func (s *server) activity(mux *http.ServeMux) {
	b := s.Backend
	mux.HandleFunc("GET /series/{name}", func(w http.ResponseWriter, r *http.Request) {
		series, err := b.Series(r.PathValue("name"))
		s.answer(w, series, err)
	})
}

// NewestActors implements Backend: the actors that deployments created, newest first.
func (n *Node) NewestActors(after string, limit uint64) (wire.NewestActors, error) {
	reply := wire.NewestActors{Actors: []wire.ActorSummary{}}
	var before index.Place
	if after != "" {
		height, place, err := parseCursor(after)
		if err != nil {
			return reply, err
		}
		before = index.Place{Height: unit.Height(height), Index: uint32(place)}
	}
	list, total, err := n.Index.Actors(before, int(limit)+1)
	if err != nil {
		return reply, err
	}
	reply.TotalCount = total
	t, err := n.tip()
	if err != nil {
		return reply, err
	}
	for i, c := range list {
		if uint64(i) == limit {
			last := list[i-1].Place
			reply.NextCursor = place{uint64(last.Height), int(last.Index)}.cursor()
			break
		}
		a, ok, err := account.Find(t.State, c.Actor)
		if err != nil {
			return reply, err
		}
		if !ok || a.Kind == account.External {
			continue
		}
		_, receipts, err := n.Index.Newest(c.Actor, index.Target, 0, 0)
		if err != nil {
			return reply, err
		}
		reply.Actors = append(reply.Actors, wire.ActorSummary{
			Address: c.Actor.String(), Creator: a.Creator.String(), CreatedAt: uint64(a.CreatedAt), CodeHash: wire.Hex(a.CodeHash[:]),
			Balance: uint64(a.Balance), MailboxCount: a.MailboxCount, TimerCount: uint64(a.Timers), StorageBytes: a.StorageBytes, Receipts: receipts,
		})
	}
	return reply, nil
}

// Topics implements Backend.
func (n *Node) Topics(prefix string, limit int) ([]wire.Topic, error) {
	list, err := n.Index.Topics(prefix, limit)
	reply := make([]wire.Topic, 0, len(list))
	for _, one := range list {
		reply = append(reply, wire.Topic{Name: one.Name, Actor: one.Actor.String(), Height: uint64(one.Height)})
	}
	return reply, err
}

// Series implements Backend.
func (n *Node) Series(name string) (wire.Series, error) {
	var r index.Resolution
	switch name {
	case wire.SeriesMinutes:
		r = index.Minutes
	case wire.SeriesQuarters:
		r = index.Quarters
	case wire.SeriesHours:
		r = index.Hours
	default:
		names := strings.Join([]string{wire.SeriesMinutes, wire.SeriesQuarters, wire.SeriesHours}, ", ")
		return wire.Series{}, refuse(http.StatusNotFound, 4004, "the series are "+names)
	}
	list, err := n.Index.Series(r)
	reply := wire.Series{EachMs: uint64(r.Each().Milliseconds()), Slots: uint64(r.Slots()), Entries: make([]wire.Activity, 0, len(list))}
	for _, s := range list {
		reply.Entries = append(reply.Entries, wire.Activity{
			Start: s.Slot * reply.EachMs, Blocks: s.Blocks, Transactions: s.Transactions, Messages: s.Messages, Timers: s.Timers, Faults: s.Faults,
			Cycles: s.Cycles, Cells: s.Cells, CycleBasefee: s.CycleBasefee, CellBasefee: s.CellFee,
		})
	}
	return reply, err
}
