package bank

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// step is an operation with what became of it: the coins of ann, bob, the stranger and the card, its status and owner, whether it is the agent's default, and
// what it has spent in the last hour and day.
type step struct {
	name    string
	now     unit.Height
	args    []any
	outcome string
	coins   [4]unit.Amount
	status  string
	owner   string
	favored bool
	spent   [2]uint64
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *step) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&s.name, &s.now, &s.args, &s.outcome, &s.coins, &s.status, &s.owner, &s.favored, &s.spent})
}

func (s *step) number(i int) uint64 { return uint64(s.args[i].(float64)) }

var people = map[string]account.Address{"ann": ann, "bob": bob, "agent": agent, "stranger": stranger}

// life is a card while its steps are played.
type life struct {
	*world
	charged []unit.Height
}

// play does one step.
func (l *life) play(s *step) error {
	by := func() account.Address { return people[s.args[0].(string)] }
	switch s.name {
	case "deposit":
		return l.Deposit(by(), l.card, unit.Wide(s.number(1)))
	case "withdraw":
		return l.Withdraw(by(), l.card, by(), nil, unit.Wide(s.number(1)))
	case "close":
		return l.Close(by(), l.card, by())
	case "set_default":
		return l.SetDefault(by(), agent, &l.card)
	case "unset_default":
		return l.SetDefault(by(), agent, nil)
	case "renew":
		var until *unit.Height
		if s.args[1] != nil {
			at := unit.Height(s.number(1))
			until = &at
		}
		return l.Renew(by(), l.card, until)
	case "set_policy":
		return l.SetPolicy(by(), l.card, capped())
	case "transfer":
		return l.TransferOwnership(by(), l.card, people[s.args[1].(string)], s.args[2].(bool))
	case "freeze":
		return l.Freeze(by(), l.card, nil)
	case "unfreeze":
		return l.Unfreeze(by(), l.card)
	case "pause":
		return l.Pause(by(), 1)
	case "unpause":
		return l.Unpause(by(), 1)
	case "settle":
		_, err := Refund(l.State, l.card, unit.Amount(s.number(1)), l.charged[s.number(0)])
		return err
	}
	err := l.charge(l.card, unit.Amount(s.number(0)))
	if err == nil {
		l.charged = append(l.charged, s.now)
	}
	return err
}

// capped is a policy of 1,000 an hour and 3,000 a day.
func capped() (p Policy) {
	hour, day := unit.Wide(1_000), unit.Wide(3_000)
	p.PerHourCap, p.PerDayCap = &hour, &day
	return p
}

// Every step of sixteen random lives of a card ends as a program has it that was written from the document alone: the reject, each coin, status, owner, and
// what was spent. Amounts are around caps and balances, heights around expiries and the edges of periods: one below, at and above.
//
// Spec: gateway-payments-streams §G.2 (201 to 209, RenewCard, TransferOwnership), §G.3, §G.4.
func TestLivesAsTheDocumentHasThem(t *testing.T) {
	var runs [][]json.RawMessage
	if golden.Recorded(t, "testdata/cards.json", &runs); len(runs) != 16 {
		t.Fatal(len(runs))
	}
	rejects := map[string]error{
		"": nil, "paused": ErrPaused, "not paused": ErrNotPaused, "frozen": ErrFrozen, "not frozen": ErrNotFrozen, "expired": ErrExpired, "closed": ErrClosed,
		"cap": ErrCap, "funds": ErrFunds, "locked": ErrLocked, "owner": ErrOwner, "operator": ErrOperator, "agent": ErrAgent, "default": ErrDefault,
		"card": ErrCard, "amount": ErrAmount,
	}
	met := map[string]bool{}
	for i, run := range runs {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			l := &life{world: newWorld(t)}
			var expires *unit.Height
			l.must(json.Unmarshal(run[0], &expires))
			l.card = l.issue(Terms{Bank: 1, Agent: agent, Expires: expires, Policy: capped()})
			for _, who := range [...]account.Address{ann, bob, stranger} {
				l.must(account.Debit(l.State, who, rich-100_000))
			}
			for n, raw := range run[1:] {
				var s step
				l.must(json.Unmarshal(raw, &s))
				l.Height = s.now
				if err := l.play(&s); !errors.Is(err, rejects[s.outcome]) || (err == nil) != (s.outcome == "") {
					t.Fatalf("%d, %s %v at %d: %v, want %q", n, s.name, s.args, s.now, err, s.outcome)
				}
				met[s.outcome] = true
				l.holds(n, &s)
			}
		})
	}
	if len(met) != len(rejects) { // each of them is met
		t.Errorf("steps end with %v", met)
	}
}

// holds compares the card and everybody's coins with what the program has.
func (l *life) holds(n int, s *step) {
	l.t.Helper()
	for i, who := range [...]account.Address{ann, bob, stranger, l.card} {
		if got := l.balance(who); got != s.coins[i] {
			l.t.Fatalf("%d, %s %v at %d: %d at place %d, want %v", n, s.name, s.args, s.now, got, i, s.coins)
		}
	}
	c, err := LoadCard(l.State, l.card)
	l.must(err)
	now, is, err := Default(l.State, agent)
	l.must(err)
	spent := l.spent(l.card)
	got := step{status: c.StatusAt(s.now).String(), favored: is && now == l.card, spent: [2]uint64{spent[0].Lo, spent[1].Lo}}
	if got.status != s.status || c.Owner != people[s.owner] || got.favored != s.favored || got.spent != s.spent {
		l.t.Fatalf("%d, %s %v at %d: %+v of %v, want %+v", n, s.name, s.args, s.now, got, c.Owner, *s)
	}
}
