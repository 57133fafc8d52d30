package rpc

import (
	"strconv"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/index"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/entitlement"
)

// maxScan bounds the timers one question looks at.
const maxScan = 100_000

// Account implements Backend. The nonce counts waiting transactions, so that a client that asks for it between two
// submissions gets the next free one.
func (n *Node) Account(addr account.Address) (wire.Account, error) {
	t, err := n.tip()
	if err != nil {
		return wire.Account{}, err
	}
	a, ok, err := record(t.State, addr)
	if err != nil {
		return wire.Account{}, err
	}
	if !ok {
		return wire.Account{}, errNotFound
	}
	reply := wire.Account{Address: addr.String(), Nonce: a.Nonce, Balance: uint64(a.Balance)}
	if next, waiting := n.Pool.NextNonce(addr); waiting && next > a.Nonce {
		reply.Nonce = next
	}
	return reply, nil
}

// actor reads an actor's record.
func (n *Node) actor(addr account.Address) (account.Account, error) {
	t, err := n.tip()
	if err != nil {
		return account.Account{}, err
	}
	a, ok, err := record(t.State, addr)
	if err == nil && (!ok || a.Kind == account.External) {
		err = errNotFound
	}
	return a, err
}

// Actor implements Backend.
func (n *Node) Actor(addr account.Address, after []byte, limit uint64) (wire.Actor, error) {
	a, err := n.actor(addr)
	if err != nil {
		return wire.Actor{}, err
	}
	t, err := n.tip()
	if err != nil {
		return wire.Actor{}, err
	}
	w := viewActor(addr, &a)
	if err := viewManifest(&w, t.State, addr, t.Header.Height); err != nil {
		return wire.Actor{}, err
	}
	prefix := account.Key(account.KindStorage, addr)
	var from []byte
	if len(after) > 0 {
		from = append(append(from, prefix...), after...)
	}
	last := ""
	err = t.State.Scan(prefix, from, int(limit)+1, func(key, value []byte) bool {
		if uint64(len(w.Storage)) == limit {
			w.NextCursor = last
			return false
		}
		last = wire.Hex(key[len(prefix):])
		w.Storage[last] = wire.Hex(value)
		return true
	})
	return w, err
}

// viewManifest fills in what an actor may do, and what of it goes out of use, as the next block will see it.
//
// Spec: ENT §9.11 (flagged in on-chain queries and explorer UIs).
func viewManifest(w *wire.Actor, from state.Reader, addr account.Address, height unit.Height) error {
	w.Executable = true
	raw, found, err := from.Lookup(entitlement.Key(addr))
	if err != nil || !found {
		return err
	}
	m, err := entitlement.Parse(raw)
	if err != nil {
		return err
	}
	governed, err := params.Load(state.ReadOnly{Reader: from})
	if err != nil {
		return err
	}
	w.Entitlements = make([]wire.Entitlement, len(m.Grants))
	for i := range m.Grants {
		g := &m.Grants[i]
		e := wire.Entitlement{ID: g.ID, State: "active", Params: g.Plain()}
		d, _ := governed.Entitlements.Deprecation(g.ID)
		if governed.Entitlements.Removed(g.ID, height+1) {
			e.State, e.RemovedAt, w.Executable = "removed", uint64(d.Until)+1, false
		} else if _, warns := governed.Entitlements.Warns(g.ID, height+1); warns {
			e.State, e.RemovedAt = "deprecated", uint64(d.Until)+1
		}
		w.Entitlements[i] = e
	}
	return nil
}

// Code implements Backend.
func (n *Node) Code(addr account.Address) (wire.Code, error) {
	a, err := n.actor(addr)
	if err != nil {
		return wire.Code{}, err
	}
	t, err := n.tip()
	if err != nil {
		return wire.Code{}, err
	}
	source, ok, err := t.State.Lookup(account.Key(account.KindCode, account.Address{}, a.CodeHash[:]...))
	if err == nil && !ok {
		err = errNotFound
	}
	return wire.Code{Address: addr.String(), CodeHash: wire.Hex(a.CodeHash[:]), Code: string(source)}, err
}

// Logs implements Backend.
func (n *Node) Logs(addr account.Address, offset, limit uint64) (wire.Logs, error) {
	entries, total, err := n.Index.Newest(addr, index.Target, offset, limit)
	reply := wire.Logs{Address: addr.String(), Logs: []wire.Receipt{}, TotalCount: total}
	if err != nil {
		return reply, refusal(err)
	}
	reader := receiptReader{node: n}
	for _, e := range entries {
		r, err := reader.at(index.Place{Height: e.Height, Index: e.Index})
		if err != nil {
			return reply, err
		}
		reply.Logs = append(reply.Logs, r)
	}
	return reply, nil
}

// Events implements Backend. Without a cursor it gives the newest events; with one, those after it, and the cursor to go on
// with. Either way they are in the order they were emitted.
func (n *Node) Events(addr account.Address, after string, limit uint64) (wire.Events, error) {
	reply := wire.Events{Address: addr.String(), Events: []wire.Event{}}
	var entries []index.Entry
	var err error
	height, place := uint64(0), -1
	if after == "" {
		entries, reply.TotalCount, err = n.Index.Newest(addr, index.Emitter, 0, limit)
		for i, j := 0, len(entries)-1; i < j; i, j = i+1, j-1 {
			entries[i], entries[j] = entries[j], entries[i]
		}
	} else {
		if height, place, err = parseCursor(after); err != nil {
			return reply, err
		}
		entries, err = n.Index.From(addr, index.Emitter, unit.Height(height), 0, limit+1)
	}
	if err != nil {
		return reply, refusal(err)
	}
	reader := receiptReader{node: n}
	for _, e := range entries {
		r, err := reader.at(index.Place{Height: e.Height, Index: e.Index})
		if err != nil {
			return reply, err
		}
		for _, event := range r.Events {
			if event.Actor == addr.String() && later(event.Cursor, height, place) {
				reply.Events = append(reply.Events, event)
			}
		}
	}
	over := len(reply.Events) - int(limit)
	if over > 0 && after == "" {
		reply.Events = reply.Events[over:]
	} else if over > 0 {
		reply.Events = reply.Events[:limit]
	}
	if len(reply.Events) > 0 {
		reply.NextCursor = reply.Events[len(reply.Events)-1].Cursor
	}
	return reply, nil
}

// later tells whether an event's cursor lies behind a place.
func later(cursor string, height uint64, place int) bool {
	h, p, _ := strings.Cut(cursor, ".")
	at, _ := strconv.ParseUint(h, 10, 64)
	index, _ := strconv.Atoi(p)
	return at > height || at == height && index > place
}

// ActorTimers implements Backend: the timers an address owns, the one due first first.
func (n *Node) ActorTimers(addr account.Address, offset, limit uint64) (wire.Timers, error) {
	var ids []timer.ID
	t, err := n.tip()
	if err == nil {
		err = timer.Owned(state.ReadOnly{Reader: t.State}, addr, maxScan, func(id timer.ID) bool {
			ids = append(ids, id)
			return true
		})
	}
	if err != nil {
		return wire.Timers{}, err
	}
	return n.timers(t.State, ids, offset, limit)
}

// TimersAt implements Backend: the timers due at a height, in the order they fire.
func (n *Node) TimersAt(height, offset, limit uint64) (wire.Timers, error) {
	var ids []timer.ID
	t, err := n.tip()
	if err == nil {
		prefix := append(timer.IndexPrefix(), be8(height)...)
		err = t.State.Scan(prefix, nil, maxScan, func(key, value []byte) bool {
			if e, ok := timer.ParseEntry(key, value); ok {
				ids = append(ids, e.ID)
			}
			return true
		})
	}
	if err != nil {
		return wire.Timers{}, err
	}
	return n.timers(t.State, ids, offset, limit)
}

// timers gives a page of the records behind identities.
func (n *Node) timers(r state.Reader, ids []timer.ID, offset, limit uint64) (wire.Timers, error) {
	reply := wire.Timers{Timers: []wire.Timer{}, TotalCount: uint64(len(ids))}
	for i := offset; i < uint64(len(ids)) && uint64(len(reply.Timers)) < limit; i++ {
		one, ok, err := timer.Load(state.ReadOnly{Reader: r}, ids[i])
		if err != nil {
			return reply, err
		}
		if ok {
			reply.Timers = append(reply.Timers, viewTimer(&one))
		}
	}
	return reply, nil
}

// Value implements Backend.
func (n *Node) Value(addr account.Address, key []byte, height *uint64, prove bool) (wire.Value, error) {
	t, err := n.tip()
	if err != nil {
		return wire.Value{}, err
	}
	at, commit := t.Header.Height, t.State
	if height != nil {
		at = unit.Height(*height)
		if commit, err = n.stateAt(at); err != nil {
			return wire.Value{}, err
		}
	}
	full := account.Key(account.KindStorage, addr, key...)
	value, ok, err := commit.Lookup(full)
	if err != nil {
		return wire.Value{}, err
	}
	reply := wire.Value{Address: addr.String(), Key: wire.Hex(key), Height: uint64(at), StateRoot: wire.Hash(commit.Root())}
	if ok {
		text := wire.Hex(value)
		reply.Value = &text
	}
	if prove {
		proof, err := proveState(commit, full, at)
		if err != nil {
			return reply, err
		}
		reply.Proof = &proof
	}
	return reply, nil
}
