package explorer

import (
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
)

var cardAddress = account.Address{0xca, 0x4d}

// Banks implements Source.
func (f *fake) Banks(after uint32) (wire.Banks, error) {
	if after > 0 {
		return wire.Banks{}, nil
	}
	signer := cardAddress.String()
	return wire.Banks{
		Banks:  []wire.Bank{{ID: 1, Name: "<b>Hay</b>", Status: "Paused", Operator: signer, Signer: &signer, Reserve: signer}},
		Tokens: []wire.BankPeg{{TokenID: wire.Hash(txHash), Units: 3, Per: 7_000_000_000}}, NextCursor: 1,
	}, nil
}

// Card implements Source.
func (f *fake) Card(a account.Address) (wire.Card, error) {
	if a != cardAddress {
		return wire.Card{}, errUnknown
	}
	most := "9000000000"
	return wire.Card{
		Address: a.String(), BankID: 1, Status: "Frozen", Owner: a.String(), Agent: a.String(), Balance: "5", Default: true,
		Kinds:  []string{"send", "custom:91"},
		Window: []wire.CardSpent{{Tier: "hour", Spent: "1500000000", Cap: &most}, {Tier: "day", Spent: "340282366920938463463374607431768211455"}},
	}, nil
}

// Cards implements Source.
func (f *fake) Cards(who account.Address, _ *account.Address) (wire.Cards, error) {
	if who != (account.Address{1}) {
		return wire.Cards{}, nil
	}
	return wire.Cards{Owned: []string{cardAddress.String()}}, nil
}

// The page of banks, and what an account's page says of a card.
//
// Spec: gateway-payments-streams §G.1; node-rpc-cli §2.6.
func TestBanks(t *testing.T) {
	for _, x := range []struct{ page, want string }{
		{"banks", "&lt;b&gt;Hay"}, {"banks", `<span class="bad">Paused</span>`}, {"banks", `<td class="num">7</td>`}, {"banks", `href="?cursor=1"`},
		{"banks?cursor=1", "There is no bank."}, {"account/" + cardAddress.String(), "Frozen, of <a"},
		{"account/" + cardAddress.String(), "<dt>Spent this hour</dt><dd>1.5 CBY of 9 CBY</dd>"},
		{"account/" + cardAddress.String(), "<dd>340282366920938463463374607431768211455</dd>"},
		{"account/" + cardAddress.String(), "send, custom:91"}, {"account/" + account.Address{1}.String(), "<dt>Owns cards</dt>"},
	} {
		t.Run(x.page+" "+x.want, func(t *testing.T) {
			r, body := get(t, New(&fake{}, nobody), Path+x.page)
			if r.StatusCode != 200 || !strings.Contains(body, x.want) {
				t.Errorf("%d, no %q in %s", r.StatusCode, x.want, body)
			}
		})
	}
}
