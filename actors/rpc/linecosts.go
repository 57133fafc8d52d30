package rpc

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/index"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/net/door"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// What the cycles of an actor's lines are taken from.
const (
	costedRuns   = 100             // newest executions that are looked at
	costedBlocks = 12              // that are executed again for them
	costedTime   = 5 * time.Second // after which no further block is begun
)

// lineCosts answers GET /actor/{addr}/cycles.
func (s *server) lineCosts(w http.ResponseWriter, r *http.Request) {
	addr, err := account.ReadAddress(r.PathValue("addr"))
	if err != nil {
		s.fail(w, badAddress(err))
		return
	}
	c, err := s.Backend.LineCosts(r.Context(), door.SourceAt(r.RemoteAddr), addr)
	s.answer(w, c, err)
}

// LineCosts implements Backend.
func (n *Node) LineCosts(ctx context.Context, client netip.Addr, addr account.Address) (w wire.LineCosts, err error) {
	if n.Service == nil {
		return w, errNoQueries
	}
	code, err := n.Code(addr)
	if err != nil {
		return w, err
	}
	entries, _, err := n.Index.Newest(addr, index.Target, 0, costedRuns)
	if err != nil {
		return w, refusal(err)
	}
	w = wire.LineCosts{Address: addr.String(), CodeHash: code.CodeHash, Lines: []wire.LineCost{}}
	file := host.Profiled([]byte(code.Code))
	lines, begun := map[int]int64{}, time.Now()
	var last unit.Height
	for _, e := range entries { // the newest first
		height := e.Height
		if height == last || height == 0 {
			continue
		}
		if last = height; w.Blocks == costedBlocks || w.Blocks > 0 && time.Since(begun) > costedTime {
			w.Stopped = true
			break
		}
		header, err := n.Ledger.Header(height)
		if err != nil {
			return w, refusal(err)
		}
		c, err := n.Service.Costs(ctx, client, header.Hash(), addr, file, func() (transition.Parent, *block.Block, error) { return n.before(height) })
		if gone := (*Refusal)(nil); errors.As(err, &gone) && w.Blocks > 0 {
			w.Stopped = true // the state before it is not kept
			break
		}
		if err != nil {
			return w, costsError(err)
		}
		w.Blocks++
		w.Newest, w.Oldest = max(w.Newest, uint64(height)), uint64(height)
		w.Runs, w.Cycles, w.Others = w.Runs+c.Runs, w.Cycles+uint64(c.Total), w.Others+uint64(c.Others)
		for line, cycles := range c.Source { // order-free: a sum
			lines[line] += cycles
		}
	}
	for _, line := range slices.Sorted(maps.Keys(lines)) {
		if lines[line] > 0 {
			w.Lines = append(w.Lines, wire.LineCost{Line: line, Cycles: uint64(lines[line])})
			w.Source += uint64(lines[line])
		}
	}
	return w, nil
}

// costsError is the answer where a block could not be executed again.
func costsError(err error) error {
	if refused := (*Refusal)(nil); errors.As(err, &refused) {
		return err
	}
	return executed(err)
}
