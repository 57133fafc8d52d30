package explorer

import (
	"net/http"
	"strconv"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// banks is the page of banks, and of the tokens that their cards may pay in.
//
// Spec: gateway-payments-streams §G.1.
func (s *site) banks(r *http.Request) (view, error) {
	after, err := strconv.ParseUint("0"+r.URL.Query().Get("cursor"), 10, 32)
	if err != nil {
		return view{}, errUnknown
	}
	list, err := s.source.Banks(uint32(after))
	if err != nil {
		return view{}, err
	}
	return view{Page: "banks", Title: "Banks", Active: "tokens", Live: after == 0, Data: &list}, nil
}

// cardParts notes what an account has to do with cards.
func (s *site) cardParts(addr account.Address, p *accountPage) (err error) {
	if card, err := s.source.Card(addr); err == nil {
		p.Card = &card
	}
	p.Cards, err = s.source.Cards(addr, nil)
	return err
}

// quantity is a number of the smallest units of what a card pays in: coins in CBY.
func quantity(c *wire.Card, digits string) string {
	if n, err := strconv.ParseUint(digits, 10, 64); err == nil && c.Token == nil {
		return unit.Amount(n).CBY() + " CBY"
	}
	return digits
}
