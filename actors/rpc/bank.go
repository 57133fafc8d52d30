package rpc

import (
	"net/http"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/bank"
)

// banks adds the calls about banks and cards.
//
// Spec: gateway-payments-streams §G.1.
func (s *server) banks(mux *http.ServeMux) {
	mux.HandleFunc("GET /banks", func(w http.ResponseWriter, r *http.Request) {
		after, err := number(r, "cursor", 0)
		if err == nil && after > 1<<32-1 {
			err = badRequest("cursor is not one this node gave")
		}
		if err != nil {
			s.fail(w, err)
			return
		}
		list, err := s.Backend.Banks(uint32(after))
		s.answer(w, list, err)
	})
	mux.HandleFunc("GET /card/{addr}", s.byAddress(func(_ *http.Request, a account.Address) (any, error) { return s.Backend.Card(a) }))
	mux.HandleFunc("GET /account/{addr}/cards", s.byAddress(func(r *http.Request, a account.Address) (any, error) {
		var after *account.Address
		if text := r.URL.Query().Get("cursor"); text != "" {
			at, err := account.ReadAddress(text)
			if err != nil {
				return nil, badRequest("cursor is not one this node gave")
			}
			after = &at
		}
		return s.Backend.Cards(a, after)
	}))
}

// bankCalls describes them.
func bankCalls() []Call {
	return []Call{
		{"get", "/banks", "banks, by number, and the tokens that cards may pay in", []string{"cursor:integer:banks above this number"}, "", wire.Banks{}},
		{"get", "/card/{addr}", "a prepaid card: who may use it, for what, and what it has spent", nil, "", wire.Card{}},
		{"get", "/account/{addr}/cards", "the cards an account owns, and those it is the agent of", []string{
			"cursor:string:cards above this address",
		}, "", wire.Cards{}},
	}
}

// Banks implements Backend. Spec: gateway-payments-streams §G.1.
func (n *Node) Banks(after uint32) (wire.Banks, error) {
	v := wire.Banks{Banks: []wire.Bank{}, Tokens: []wire.BankPeg{}}
	t, err := n.tip()
	if err != nil {
		return v, err
	}
	list, err := bank.Banks(t.State, after, defaultPage)
	if err != nil {
		return v, err
	}
	for i := range list {
		v.Banks = append(v.Banks, wire.ViewBank(&list[i]))
	}
	if len(list) == defaultPage {
		v.NextCursor = list[len(list)-1].ID
	}
	pegs, err := bank.Pegs(t.State)
	for _, p := range pegs {
		v.Tokens = append(v.Tokens, wire.BankPeg{TokenID: p.Token.String(), Units: p.Units, Per: uint64(p.Per)})
	}
	return v, err
}

// Card implements Backend. Spec: gateway-payments-streams §G.1.
func (n *Node) Card(addr account.Address) (wire.Card, error) {
	t, err := n.tip()
	if err != nil {
		return wire.Card{}, err
	}
	p, err := bank.Open(t.State, addr)
	if err == nil && p == nil {
		err = errNotFound
	}
	if err != nil {
		return wire.Card{}, err
	}
	preset, ok, err := bank.Default(t.State, p.Card.Agent)
	return wire.ViewCard(p, ok && preset == addr, t.Header.Height+1), err
}

// Cards implements Backend. Spec: gateway-payments-streams §G.1.
func (n *Node) Cards(who account.Address, after *account.Address) (wire.Cards, error) {
	v := wire.Cards{Owned: []string{}, Held: []string{}}
	t, err := n.tip()
	if err != nil {
		return v, err
	}
	owned, err := bank.OwnedBy(t.State, who, after, defaultPage)
	if err != nil {
		return v, err
	}
	held, err := bank.HeldBy(t.State, who, after, defaultPage)
	if err != nil {
		return v, err
	}
	last := func(list []account.Address) (full *account.Address) {
		if len(list) == defaultPage {
			full = &list[defaultPage-1]
		}
		return full
	}
	// Both lists go on above the lower of the last ones, so that nothing is left out.
	cut := last(owned)
	if other := last(held); other != nil && (cut == nil || other.Compare(*cut) < 0) {
		cut = other
	}
	if cut != nil {
		v.NextCursor = cut.String()
	}
	for _, a := range owned {
		if cut == nil || a.Compare(*cut) <= 0 {
			v.Owned = append(v.Owned, a.String())
		}
	}
	for _, a := range held {
		if cut == nil || a.Compare(*cut) <= 0 {
			v.Held = append(v.Held, a.String())
		}
	}
	preset, ok, err := bank.Default(t.State, who)
	if ok {
		text := preset.String()
		v.Default = &text
	}
	return v, err
}
