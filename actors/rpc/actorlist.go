package rpc

import (
	"net/http"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/runtime/outline"
)

const (
	// scannedAccounts bounds what one page of actors looks at: the state keeps accounts of people and actors in one order.
	scannedAccounts = 5_000
	// actorPage bounds the actors of a page.
	actorPage = 500
	// keptOutlines is how many interface documents are remembered.
	keptOutlines = 64
	// keptOutlineSource is the longest source whose document is remembered, in bytes: most sources, and 64 of them take little.
	keptOutlineSource = 64 << 10
)

// actors adds the calls that list and describe actors.
func (s *server) actors(mux *http.ServeMux) {
	mux.HandleFunc("GET /actors", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		var after, creator *account.Address
		for name, into := range map[string]**account.Address{"cursor": &after, "creator": &creator} { // order-free: each into its own place
			if text := q.Get(name); text != "" {
				addr, err := account.ReadAddress(text)
				if err != nil {
					s.fail(w, badRequest(name+": "+AddressFault(err)))
					return
				}
				*into = &addr
			}
		}
		limit, err := number(r, "limit", defaultPage)
		if err != nil {
			s.fail(w, err)
			return
		}
		list, err := s.Backend.Actors(creator, after, int(min(max(limit, 1), actorPage)))
		s.answer(w, list, err)
	})
	mux.HandleFunc("GET /actor/{addr}/interface", s.byAddress(func(_ *http.Request, a account.Address) (any, error) { return s.Backend.Interface(a) }))
}

// actorCalls describes them.
func actorCalls() []Call {
	return []Call{
		{"get", "/actors", "actors by address; a page looks at so many accounts, and may hold fewer actors than asked for and yet have a next one",
			[]string{"cursor:string:those after this address", "creator:string:only those this account deployed",
				"limit:integer:how many, 50 unless told, at most 500"},
			"", wire.Actors{}},
		{"get", "/actor/{addr}/interface", "an actor's handlers, read off its source: what they take, who may call them, what their author wrote", nil, "",
			outline.Document{}},
	}
}

// Actors implements Backend. What a request costs is bounded by the accounts it looks at, however few of them are actors.
func (n *Node) Actors(creator, after *account.Address, limit int) (wire.Actors, error) {
	reply := wire.Actors{Actors: []wire.ListedActor{}}
	t, err := n.tip()
	if err != nil {
		return reply, err
	}
	reply.Height = uint64(t.Header.Height)
	var from []byte
	if after != nil {
		from = account.Key(account.KindAccount, *after)
	}
	seen, last := 0, account.Address{}
	var damaged error
	err = t.State.Scan(account.KindPrefix(account.KindAccount), from, scannedAccounts+1, func(key, value []byte) bool {
		if seen == scannedAccounts || len(reply.Actors) == limit {
			reply.NextCursor = last.String()
			return false
		}
		seen++
		_, addr, _, ok := account.SplitKey(key)
		if !ok {
			return true
		}
		last = addr
		a, err := account.Decode(value)
		if err != nil {
			damaged = err
			return false
		}
		if a.Kind == account.Actor && (creator == nil || a.Creator == *creator) {
			reply.Actors = append(reply.Actors, wire.ListedActor{
				Address: addr.String(), CodeHash: wire.Hex(a.CodeHash[:]), Creator: a.Creator.String(), CreatedAt: uint64(a.CreatedAt),
				Balance: uint64(a.Balance), StorageBytes: a.StorageBytes, TimerCount: uint64(a.Timers), MailboxCount: a.MailboxCount,
			})
		}
		return true
	})
	if err == nil {
		err = damaged
	}
	return reply, err
}

// Interface implements Backend.
func (n *Node) Interface(addr account.Address) (*outline.Document, error) {
	a, err := n.actor(addr)
	if err != nil {
		return nil, err
	}
	if known, ok := n.outlines.Find(a.CodeHash); ok {
		return known, nil
	}
	t, err := n.tip()
	if err != nil {
		return nil, err
	}
	source, ok, err := t.State.Lookup(account.Key(account.KindCode, account.Address{}, a.CodeHash[:]...))
	if err == nil && !ok {
		err = errNotFound
	}
	if err != nil {
		return nil, err
	}
	d, err := outline.Of(source)
	if err != nil {
		return nil, err // a deployment has compiled it
	}
	if len(source) <= keptOutlineSource {
		n.outlines.Put(digest.Hash(a.CodeHash), d, keptOutlines)
	}
	return d, nil
}
