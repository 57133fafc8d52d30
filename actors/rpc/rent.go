package rpc

import (
	"encoding/hex"
	"errors"
	"net/http"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/rent"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Bounds of a page of entries: one value may be as large as state allows.
const (
	entriesPage  = 1_000
	entriesBytes = 1 << 20
)

// rent adds the calls about rent.
func (s *server) rent(mux *http.ServeMux) {
	b := s.Backend
	mux.HandleFunc("GET /actor/{addr}/rent", s.byAddress(func(_ *http.Request, a account.Address) (any, error) { return b.Rent(a) }))
	mux.HandleFunc("GET /actor/{addr}/cycles", s.lineCosts)
	mux.HandleFunc("GET /actor/{addr}/entries", s.byAddress(func(r *http.Request, a account.Address) (any, error) {
		height, err := number(r, "height", 0)
		if err != nil {
			return nil, err
		}
		after, err := hex.DecodeString(trim0x(r.URL.Query().Get("cursor")))
		if err != nil || len(after) > params.MaxStateKeyBytes {
			return nil, badRequest("cursor is not one this node gave")
		}
		return b.StoredEntries(a, height, after)
	}))
}

// rentCalls describes them.
func rentCalls() []Call {
	return []Call{
		{"get", "/actor/{addr}/rent", "what an actor's bytes cost, what it owes, and what restoring it takes", nil, "", wire.Rent{}},
		{"get", "/actor/{addr}/cycles", "cycles by line of an actor's source, over its newest executions", nil, "", wire.LineCosts{}},
		{"get", "/actor/{addr}/entries", "an actor's storage as it was after a block, in the order of its keys",
			[]string{"height:integer:of the block, default the newest", "cursor:string:those after this one"}, "", wire.StoredEntries{}},
	}
}

// Rent implements Backend. Spec: rent §5 (status).
func (n *Node) Rent(addr account.Address) (w wire.Rent, err error) {
	t, err := n.tip()
	if err != nil {
		return w, err
	}
	view := t.State.Overlay()
	p, err := params.Load(view)
	if err != nil {
		return w, err
	}
	book, err := rent.Open(view, p, t.Header.Height+1)
	if err != nil {
		return w, err
	}
	s, err := book.Look(view, addr)
	switch {
	case errors.Is(err, rent.ErrNoActor):
		return w, errNotFound
	case errors.Is(err, rent.ErrExempt):
		return w, badRequest("system actors pay no rent")
	case err != nil:
		return w, err
	}
	return viewRent(addr, &s, p), nil
}

func viewRent(addr account.Address, s *rent.Status, p *params.Params) wire.Rent {
	w := wire.Rent{
		Address: addr.String(), State: s.State(), Epoch: s.Epoch, EpochEnds: uint64(s.Until), Bytes: s.Bytes,
		Quota: max(s.Account.QuotaBytes, p.Limits.BaseQuotaBytes), EpochRent: uint64(s.Due), YearRent: uint64(s.Year()),
		PaidThrough: s.PaidThrough(), Balance: uint64(s.Account.Balance), Reserve: uint64(s.Reserve), Missed: s.Account.RentMissed,
		Survives: s.Terms.Eviction, Debt: uint64(s.Record.Debt), Payoff: uint64(s.Owed), Bond: uint64(s.Record.Bond),
	}
	if n, ok := s.BalanceEpochs(); ok {
		w.BalanceEpochs = &n
	}
	if d := s.Record.Dormant; d != nil {
		w.Dormant = &wire.Dormant{
			Epoch: d.Epoch, Height: uint64(d.Height), Pruned: d.Pruned, Root: wire.Hex(d.Root[:]), Entries: d.Entries, Bytes: d.Bytes,
			Restored: d.Restored, Cost: uint64(s.RestorationCost()),
		}
	}
	return w
}

// StoredEntries implements Backend. A height of 0 is the newest.
//
// Spec: rent §9 (archive nodes are expected to have the data).
func (n *Node) StoredEntries(addr account.Address, number uint64, after []byte) (w wire.StoredEntries, err error) {
	height := unit.Height(number)
	if height == 0 {
		height = n.Ledger.Finalized()
	}
	commit, err := n.stateAt(height)
	if err != nil {
		return w, err
	}
	w = wire.StoredEntries{Height: uint64(height), Entries: []wire.StoredEntry{}}
	prefix := account.Key(account.KindStorage, addr)
	var from []byte
	if len(after) > 0 {
		from = append(account.Key(account.KindStorage, addr), after...)
	}
	size := 0
	err = commit.Scan(prefix, from, entriesPage+1, func(key, value []byte) bool {
		if len(w.Entries) == entriesPage || size > entriesBytes {
			w.Cursor = w.Entries[len(w.Entries)-1].Key
			return false
		}
		size += len(key) + len(value)
		w.Entries = append(w.Entries, wire.StoredEntry{Key: hex.EncodeToString(key[len(prefix):]), Value: hex.EncodeToString(value)})
		return true
	})
	return w, err
}
