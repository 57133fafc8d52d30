package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/session/voucher"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// rejects are the names that testdata/outcomes.py has for them.
var rejects = map[string]error{
	"amount": ErrAmount, "expiry": ErrExpiry, "funds": ErrFunds, "party": ErrParty, "status": ErrStatus, "early": ErrEarly, "stale": voucher.ErrStale,
	"cumulative": voucher.ErrAmount, "deposit": voucher.ErrDeposit, "expired": voucher.ErrExpired, "signature": voucher.ErrSignature, "": nil,
}

// step is an operation with what became of it: of the coins, those of payer, escrow, runner, treasury, and what was burned.
type step struct {
	name    string
	now     unit.Height
	args    []any
	outcome string
	coins   [5]unit.Amount
	status  string
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *step) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&s.name, &s.now, &s.args, &s.outcome, &s.coins, &s.status})
}

func (s *step) number(i int) uint64 { return uint64(s.args[i].(float64)) }

// Every step of forty random lives ends as a program has it that was written from the document alone: the reject, each coin, the status. Amounts, heights and
// nonces are around their limits: one below, at and above.
//
// Spec: gateway-payments-streams §D (52 to 56).
func TestLivesAsTheDocumentHasThem(t *testing.T) {
	var runs [][]step
	if golden.Recorded(t, "testdata/outcomes.json", &runs); len(runs) != 40 {
		t.Fatal(len(runs))
	}
	met := map[string]int{}
	for i, steps := range runs {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			w := newWorld(t)
			keys := map[string]*sig.PrivateKey{"payer": w.payer, "runner": w.runner, "stranger": secretOf("stranger")}
			var id digest.Hash
			for n, s := range steps {
				w.now = s.now
				err := w.play(&id, &s, keys)
				if !errors.Is(err, rejects[s.outcome]) || (err == nil) != (s.outcome == "") {
					t.Fatalf("%d, %s %v at %d: %v, want %q", n, s.name, s.args, s.now, err, s.outcome)
				}
				met[s.name+" "+s.outcome]++
				w.holds(s.coins[0], s.coins[1], s.coins[2], s.coins[3], s.coins[4])
				if s.status != "" && w.status(id).Status.String() != s.status {
					t.Fatalf("%d: %s, want %s", n, w.status(id).Status, s.status)
				}
			}
		})
	}
	for name := range rejects { // each of them is met
		found := false
		for _, op := range [...]string{"open", "deposit", "settle", "close", "finalize"} {
			found = found || met[op+" "+name] > 0
		}
		if !found {
			t.Errorf("no step ends with %q", name)
		}
	}
}

// play does one step.
func (w *world) play(id *digest.Hash, s *step, keys map[string]*sig.PrivateKey) error {
	by := func() account.Address { return keys[s.args[0].(string)].Address() }
	switch s.name {
	case "open":
		opened, err := w.open(s.number(0), unit.Amount(s.number(1)), unit.Height(s.number(2)))
		if err == nil {
			*id = opened
		}
		return err
	case "deposit":
		return w.do(func(b *Book) error { return b.Deposit(by(), *id, unit.Amount(s.number(1))) })
	case "settle":
		v := voucher.Voucher{Session: *id, Cumulative: unit.Wide(s.number(1)), Nonce: s.number(2), Expires: unit.Height(s.number(3))}
		return w.settle(keys[s.args[0].(string)], v, keys[s.args[4].(string)])
	case "close":
		return w.do(func(b *Book) error { return b.Close(by(), *id) })
	}
	return w.do(func(b *Book) error { return b.Finalize(*id) })
}
