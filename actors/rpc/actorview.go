package rpc

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/index"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// storageBytes is how many bytes of an actor's storage one page is filled up to.
const storageBytes = 512 << 10

// maxScan bounds the timers one question looks at.
const maxScan = 100_000

// Account implements Backend. The nonce counts waiting transactions, so that a client that asks for it between two
// submissions gets the next free one.
func (n *Node) Account(addr account.Address) (wire.Account, error) {
	t, err := n.tip()
	if err != nil {
		return wire.Account{}, err
	}
	a, ok, err := account.Find(t.State, addr)
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
	a, ok, err := account.Find(t.State, addr)
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
	last, size := "", 0
	err = t.State.Scan(prefix, from, int(limit)+1, func(key, value []byte) bool {
		if uint64(len(w.Storage)) == limit || size > storageBytes {
			w.NextCursor = last
			return false
		}
		last = wire.Hex(key[len(prefix):])
		w.Storage[last] = wire.Hex(value)
		size += len(key) + len(value)
		return true
	})
	return w, err
}

// viewManifest fills in what an actor may do, and what of it goes out of use, as the next block will see it.
//
// Spec: ENT §9.11 (flagged in on-chain queries and explorer UIs).
func viewManifest(w *wire.Actor, from state.Reader, addr account.Address, height unit.Height) error {
	w.Executable = true
	raw, found, err := from.Lookup(entitle.Key(addr))
	if err != nil || !found {
		return err
	}
	m, err := entitle.Parse(raw)
	if err != nil {
		return err
	}
	governed, err := params.Load(from)
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
	return n.logs(addr, index.Target, offset, limit)
}

// Sent implements Backend.
func (n *Node) Sent(addr account.Address, offset, limit uint64) (wire.Logs, error) {
	return n.logs(addr, index.Sender, offset, limit)
}

// logs gives the receipts that concern an address in a role.
func (n *Node) logs(addr account.Address, role index.Role, offset, limit uint64) (wire.Logs, error) {
	entries, total, err := n.Index.Newest(addr, role, offset, limit)
	reply := wire.Logs{Address: addr.String(), Logs: []wire.Receipt{}, TotalCount: total}
	if err != nil {
		return reply, refusal(err)
	}
	reply.Logs, err = n.receiptsOf(entries)
	return reply, err
}

// receiptsOf gives the receipts that are listed, as far as a page has room for them.
func (n *Node) receiptsOf(entries []index.Place) ([]wire.Receipt, error) {
	list, reader := []wire.Receipt{}, receiptReader{node: n}
	for _, e := range entries {
		if reader.page.full() {
			break
		}
		r, err := reader.at(e)
		if err != nil {
			return list, err
		}
		list = append(list, r)
	}
	return list, nil
}

// Events implements Backend. Without a cursor it gives the newest events; with one, those after it, and the cursor to go on
// with. Either way they are in the order they were emitted.
func (n *Node) Events(addr account.Address, after string, limit uint64) (wire.Events, error) {
	reply := wire.Events{Address: addr.String(), Events: []wire.Event{}}
	found := &emitted{reader: receiptReader{node: n}, actor: addr.String(), place: -1, limit: int(limit)}
	if after == "" {
		entries, total, err := n.Index.Newest(addr, index.Emitter, 0, limit)
		if err == nil {
			err = found.newest(entries)
		}
		reply.TotalCount = total
		if err != nil {
			return reply, refusal(err)
		}
	} else {
		height, place, err := parseCursor(after)
		if err != nil {
			return reply, err
		}
		found.height, found.place = height, place
		err = found.following(func(height unit.Height, at uint32) ([]index.Place, error) {
			return n.Index.From(addr, index.Emitter, index.Place{Height: height, Index: at}, limit)
		})
		if err != nil {
			return reply, refusal(err)
		}
	}
	reply.Events = append(reply.Events, found.list...)
	if len(reply.Events) > 0 {
		reply.NextCursor = reply.Events[len(reply.Events)-1].Cursor
	}
	return reply, nil
}

// emitted collects an actor's events for a page, in the order they were emitted.
type emitted struct {
	reader receiptReader
	actor  string
	height uint64 // those behind this place
	place  int
	limit  int
	list   []wire.Event
}

// of gives the events of a receipt that are asked for.
func (x *emitted) of(e index.Place) (list []wire.Event, err error) {
	r, err := x.reader.at(e)
	if err != nil {
		return nil, err
	}
	for _, event := range r.Events {
		if event.Actor == x.actor && later(event.Cursor, x.height, x.place) {
			list = append(list, event)
		}
	}
	return list, nil
}

// newest collects the last events of receipts, which are listed newest first.
func (x *emitted) newest(entries []index.Place) error {
	for _, e := range entries {
		if len(x.list) >= x.limit || x.reader.page.full() {
			break
		}
		list, err := x.of(e)
		if err != nil {
			return err
		}
		slices.Reverse(list)
		x.list = append(x.list, list...)
	}
	x.list = x.list[:min(len(x.list), x.limit)]
	slices.Reverse(x.list)
	return nil
}

// following collects the first events behind the place from the receipts that from lists, in the order of the chain, from a height and an index on. It goes
// on until there is one, so that a page without any is the end.
func (x *emitted) following(from func(height unit.Height, at uint32) ([]index.Place, error)) error {
	height, at := unit.Height(x.height), uint32(0)
	for len(x.list) < x.limit && (len(x.list) == 0 || !x.reader.page.full()) {
		entries, err := from(height, at)
		if err != nil || len(entries) == 0 {
			return err
		}
		for _, e := range entries {
			if len(x.list) >= x.limit || len(x.list) > 0 && x.reader.page.full() {
				break
			}
			list, err := x.of(e)
			if err != nil {
				return err
			}
			x.list, height, at = append(x.list, list...), e.Height, e.Index+1
		}
	}
	x.list = x.list[:min(len(x.list), x.limit)]
	return nil
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
		err = timer.Owned(t.State, addr, maxScan, func(id timer.ID) bool {
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
	var page filling
	for i := offset; i < uint64(len(ids)) && uint64(len(reply.Timers)) < limit && !page.full(); i++ {
		one, ok, err := timer.Load(r, ids[i])
		if err != nil {
			return reply, err
		}
		if ok {
			page.take(len(one.Payload))
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
