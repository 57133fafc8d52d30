package lanes

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/bank"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// card has rich issue a card for ann, with coins on it.
func (o *office) card(policy bank.Policy, coins unit.Amount) (account.Address, *bank.Registry) {
	o.t.Helper()
	g := &bank.Registry{State: o.overlay, Height: o.height, Governs: func(account.Address) bool { return true }, Emit: func(string, []byte) {}}
	card, err := g.Issue(person("rich"), bank.Terms{Bank: 1, Agent: person("ann"), Policy: policy})
	if err == nil {
		err = account.Credit(o.overlay, card, coins)
	}
	if err != nil {
		o.t.Fatal(err)
	}
	return card, g
}

// paid is a transfer at the floor that a card pays.
func (o *office) paid(from string, nonce uint64, card account.Address) tx.Verified {
	o.t.Helper()
	x := &tx.Tx{
		ChainID: 1, Nonce: nonce, Instruction: &tx.Transfer{To: account.Address{9}}, From: person(from), CyclesLimit: 24_000, CellsLimit: 37,
		MaxFeePerCycle: 10_000, MaxFeePerCell: 10_000, Metadata: tx.PayerMetadata(card),
	}
	copy(x.Signature[:], x.From[:])
	v, err := tx.Verify(x, 1, named{})
	if err != nil {
		o.t.Fatal(err)
	}
	return v
}

// A card's balance and caps with one base unit less than a transaction reserves, exactly and one more; a card of somebody else's agent; a policy.
//
// Spec: gateway-payments-streams §G.3 (2); WP §2.2.
func TestAdmissionOfCards(t *testing.T) {
	n := func(v uint64) *unit.Uint128 { x := unit.Wide(v); return &x }
	for name, x := range map[string]struct {
		from   string
		policy bank.Policy
		coins  unit.Amount
		want   error
	}{
		"one coin less":   {"ann", bank.Policy{}, reserved - 1, bank.ErrFunds},
		"exactly":         {"ann", bank.Policy{PerHourCap: n(reserved)}, reserved, nil},
		"one more":        {"ann", bank.Policy{PerMonthCap: n(reserved + 1)}, reserved + 1, nil},
		"a cap too low":   {"ann", bank.Policy{PerDayCap: n(reserved - 1)}, unit.CBY, bank.ErrCap},
		"not its agent":   {"bob", bank.Policy{}, unit.CBY, bank.ErrAgent},
		"not this person": {"ann", bank.Policy{AllowedReceivers: []bank.Receiver{{Address: account.Address{8}}}}, unit.CBY, bank.ErrDenied},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			o.funds["ann"], o.funds["bob"] = 0, 0
			card, _ := o.card(x.policy, x.coins)
			err := o.submit(o.paid(x.from, 0, card))
			if !errors.Is(err, x.want) || x.want != nil && !errors.Is(err, tx.ErrPayer) || x.want == nil && err != nil {
				t.Errorf("%v, want %v", err, x.want)
			}
		})
	}
}

// What a card paid for leaves with its sender's later ones once the card is frozen.
//
// Spec: gateway-payments-streams §G.3, §G.4; WP §6.4.
func TestFrozenCardLeaves(t *testing.T) {
	o := newOffice(t)
	o.funds["ann"] = 0
	card, g := o.card(bank.Policy{}, unit.CBY)
	for nonce := range uint64(2) {
		if err := o.submit(o.paid("ann", nonce, card)); err != nil {
			t.Fatal(err)
		}
	}
	if removed, err := o.book.unpaid(o.view()); err != nil || len(removed) != 0 {
		t.Fatal(removed, err)
	}
	if err := g.Freeze(person("rich"), card, nil); err != nil {
		t.Fatal(err)
	}
	if removed, err := o.book.unpaid(o.view()); err != nil || len(removed) != 2 || len(o.book.items) != 0 {
		t.Error(removed, err)
	}
}
