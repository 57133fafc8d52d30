package bank

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// world is a chain with a bank of bob's, ann with money, and her card for an agent.
type world struct {
	*Registry
	t      testing.TB
	events []string
	card   account.Address
}

var (
	ann, bob, agent, stranger = filled(0xa1), filled(0xb0), filled(0xa9), filled(0x77)
	governor                  = account.System(account.Governance)
)

const rich = 1_000_000_000

func newWorld(t testing.TB) *world {
	w := &world{t: t, Registry: &Registry{
		State: state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay(), ChainID: 42, Height: 100, Recoverer: sig.Default(),
		Governs:  func(a account.Address) bool { return a == governor },
		Receives: func(account.Address) error { return nil },
	}}
	w.Emit = func(topic string, _ []byte) { w.events = append(w.events, topic) }
	w.Tokens = &token.Registry{State: w.State, Emit: func(string, []byte) {}}
	for _, who := range [...]account.Address{ann, bob, stranger} {
		w.must(account.Credit(w.State, who, rich))
	}
	w.must(w.SetOperator(governor, 1, bob))
	w.card = w.issue(Terms{Bank: 1, Agent: agent})
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) issue(t Terms) account.Address {
	w.t.Helper()
	card, err := w.Issue(ann, t)
	w.must(err)
	return card
}

func (w *world) balance(who account.Address) unit.Amount {
	w.t.Helper()
	a, err := account.Load(w.State, who)
	w.must(err)
	return a.Balance
}

// charge has a card pay, and gives the coins to nobody.
func (w *world) charge(card account.Address, coins unit.Amount) error {
	w.t.Helper()
	p, err := Open(w.State, card)
	w.must(err)
	if err := p.Admit(w.Height, &Use{Kind: Kind{Family: Send}}); err != nil {
		return err
	}
	return p.Charge(w.State, w.Height, coins)
}

func (w *world) spent(card account.Address) (amounts [Tiers]unit.Uint128) {
	w.t.Helper()
	window, err := LoadWindow(w.State, card)
	w.must(err)
	for t, s := range window.At(w.Height) {
		amounts[t] = s.Amount
	}
	return amounts
}
