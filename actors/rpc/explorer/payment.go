package explorer

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// paymentParts notes what requests over HTTP cost an actor's clients.
//
// Spec: gateway-payments-streams §F.
func (s *site) paymentParts(addr account.Address, p *accountPage) {
	if policy, err := s.source.PaymentPolicy(addr); err == nil {
		p.Prices = &policy
	}
}

// inCoins is a number of base units in CBY.
func inCoins(digits string) string {
	if n, err := unit.ParseUint128(digits); err == nil && n.Hi == 0 {
		return unit.Amount(n.Lo).CBY() + " CBY"
	}
	return digits
}
