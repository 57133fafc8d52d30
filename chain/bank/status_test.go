package bank

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Every operation on a card in every status: what the table of the text allows, what it refuses, and with which error. A refusal changes nothing.
//
// Spec: gateway-payments-streams §G.2, §G.4 (card state).
func TestEveryStatus(t *testing.T) {
	operations := map[string]func(w *world, card account.Address) error{
		"charge":   func(w *world, c account.Address) error { return w.charge(c, 1) },
		"deposit":  func(w *world, c account.Address) error { return w.Deposit(ann, c, unit.Wide(7)) },
		"withdraw": func(w *world, c account.Address) error { return w.Withdraw(ann, c, ann, nil, unit.Wide(7)) },
		"policy":   func(w *world, c account.Address) error { return w.SetPolicy(ann, c, Policy{}) },
		"renew":    func(w *world, c account.Address) error { return w.Renew(ann, c, nil) },
		"transfer": func(w *world, c account.Address) error { return w.TransferOwnership(ann, c, stranger, false) },
		"default":  func(w *world, c account.Address) error { return w.SetDefault(ann, agent, &c) },
		"unset":    func(w *world, c account.Address) error { return w.SetDefault(ann, agent, nil) },
		"freeze":   func(w *world, c account.Address) error { return w.Freeze(bob, c, nil) },
		"unfreeze": func(w *world, c account.Address) error { return w.Unfreeze(bob, c) },
		"close":    func(w *world, c account.Address) error { return w.Close(ann, c, ann) },
	}
	closed := map[string]error{"withdraw": nil, "unset": ErrCard}
	for op := range operations {
		if _, said := closed[op]; !said {
			closed[op] = ErrClosed
		}
	}
	table := map[CardStatus]map[string]error{
		CardActive: {"unfreeze": ErrNotFrozen, "close": ErrDefault},
		CardFrozen: {"charge": ErrFrozen, "withdraw": ErrFrozen, "default": ErrFrozen, "freeze": ErrFrozen, "close": ErrFrozen},
		CardExpired: {
			"charge": ErrExpired, "default": ErrExpired, "unfreeze": ErrNotFrozen, "close": ErrDefault,
		},
		CardClosed: closed,
	}
	for status, want := range table {
		for op, run := range operations {
			t.Run(fmt.Sprint(status, " ", op), func(t *testing.T) {
				w := newWorld(t)
				until := unit.Height(105)
				card := w.issue(Terms{Bank: 1, Agent: agent, Expires: &until})
				w.must(w.Deposit(ann, card, unit.Wide(1_000)))
				if status != CardClosed {
					w.must(w.SetDefault(agent, agent, &card))
				}
				switch status {
				case CardFrozen:
					w.must(w.Freeze(bob, card, []byte("reported lost")))
				case CardExpired:
					w.Height = until + 1
				case CardClosed:
					w.must(w.Close(ann, card, ann))
					w.must(account.Credit(w.State, card, 7)) // what came back later
				}
				before, events := fmt.Sprint(w.balance(card), w.balance(ann)), len(w.events)
				c, err := LoadCard(w.State, card)
				w.must(err)
				if got := c.StatusAt(w.Height); got != status {
					t.Fatalf("the card is %v", got)
				}
				if err := run(w, card); !errors.Is(err, want[op]) {
					t.Fatalf("%v, want %v", err, want[op])
				}
				after, err := LoadCard(w.State, card)
				w.must(err)
				if want[op] != nil && (!reflect.DeepEqual(after, c) || fmt.Sprint(w.balance(card), w.balance(ann)) != before || len(w.events) != events) {
					t.Errorf("something changed: %+v, was %+v", after, c)
				}
				if want[op] == nil && op != "charge" && len(w.events) != events+1 {
					t.Errorf("events %v", w.events[events:])
				}
			})
		}
	}
}

// A card is good at its expiry and not one height later; a frozen one that is unfrozen after it is expired; renewed, it is active.
//
// Spec: gateway-payments-streams §G.2 (207, RenewCard), §G.4.
func TestExpiry(t *testing.T) {
	w := newWorld(t)
	until := unit.Height(200)
	card := w.issue(Terms{Bank: 1, Agent: agent, Expires: &until})
	w.must(w.Deposit(ann, card, unit.Wide(1_000)))
	w.Height = 200
	w.must(w.charge(card, 1))
	w.must(w.Freeze(bob, card, nil))
	w.Height = 201
	w.must(w.Unfreeze(bob, card))
	if err := w.charge(card, 1); !errors.Is(err, ErrExpired) {
		t.Error(err)
	}
	until = 201
	if err := w.Renew(ann, card, &until); !errors.Is(err, ErrExpired) {
		t.Error("renewed until now:", err)
	}
	until = 202
	w.must(w.Renew(ann, card, &until))
	w.must(w.charge(card, 1))
	if c, err := LoadCard(w.State, card); err != nil || c.Renewed != 201 {
		t.Errorf("%+v %v", c, err)
	}
}

// Who may do what: nobody but the one that the text names.
//
// Spec: gateway-payments-streams §G.2 (sender).
func TestWhoMay(t *testing.T) {
	w := newWorld(t)
	w.must(w.Deposit(stranger, w.card, unit.Wide(50)))
	other := w.issue(Terms{Bank: 1, Agent: stranger})
	for name, x := range map[string]struct {
		run func(by account.Address) error
		may []account.Address
		err error
	}{
		"withdraw":  {func(by account.Address) error { return w.Withdraw(by, w.card, by, nil, unit.Wide(1)) }, []account.Address{ann}, ErrOwner},
		"policy":    {func(by account.Address) error { return w.SetPolicy(by, w.card, Policy{}) }, []account.Address{ann}, ErrOwner},
		"renew":     {func(by account.Address) error { return w.Renew(by, w.card, nil) }, []account.Address{ann}, ErrOwner},
		"transfer":  {func(by account.Address) error { return w.TransferOwnership(by, w.card, ann, false) }, []account.Address{ann}, ErrOwner},
		"close":     {func(by account.Address) error { return w.Close(by, other, ann) }, []account.Address{ann}, ErrOwner},
		"freeze":    {func(by account.Address) error { return w.Freeze(by, w.card, nil) }, []account.Address{bob}, ErrOperator},
		"default":   {func(by account.Address) error { return w.SetDefault(by, agent, &w.card) }, []account.Address{ann, agent}, ErrAgent},
		"another's": {func(by account.Address) error { return w.SetDefault(by, agent, &other) }, nil, ErrAgent},
		"operator":  {func(by account.Address) error { return w.SetOperator(by, 1, bob) }, []account.Address{bob, governor}, ErrOperator},
		"signer":    {func(by account.Address) error { return w.SetSigner(by, 1, nil) }, []account.Address{bob, governor}, ErrOperator},
		"provider":  {func(by account.Address) error { return w.SettleProvider(by, 1, stranger, nil, unit.Wide(1)) }, []account.Address{bob}, ErrOperator},
	} {
		t.Run(name, func(t *testing.T) {
			w.must(account.Credit(w.State, ReserveOf(1), 10))
			for _, by := range []account.Address{stranger, agent, governor, bob, ann} {
				may := false
				for _, m := range x.may {
					may = may || m == by
				}
				err := x.run(by)
				if may && err != nil || !may && !errors.Is(err, x.err) {
					t.Errorf("%v: %v", by, err)
				}
				if may && name == "freeze" {
					w.must(w.Unfreeze(bob, w.card))
				}
			}
		})
	}
}

// What a pause stops, and what it does not.
//
// Spec: gateway-payments-streams §G.2 (202, 208, 209).
func TestPause(t *testing.T) {
	w := newWorld(t)
	w.must(w.Deposit(ann, w.card, unit.Wide(50)))
	if err := w.Unpause(bob, 1); !errors.Is(err, ErrNotPaused) {
		t.Error(err)
	}
	if err := w.Pause(ann, 1); !errors.Is(err, ErrOperator) {
		t.Error(err)
	}
	w.must(w.Pause(bob, 1))
	if err := w.Pause(bob, 1); !errors.Is(err, ErrPaused) {
		t.Error(err)
	}
	if err := w.Deposit(ann, w.card, unit.Wide(1)); !errors.Is(err, ErrPaused) {
		t.Error(err)
	}
	if _, err := w.Issue(ann, Terms{Bank: 1, Agent: agent}); !errors.Is(err, ErrPaused) {
		t.Error(err)
	}
	if err := w.charge(w.card, 1); !errors.Is(err, ErrPaused) {
		t.Error(err)
	}
	if err := w.Redeem(Voucher{Bank: 1, Card: w.card, Amount: unit.Wide(1)}, [65]byte{}); !errors.Is(err, ErrPaused) {
		t.Error(err)
	}
	w.must(w.Withdraw(ann, w.card, ann, nil, unit.Wide(10)))
	w.must(w.SetPolicy(ann, w.card, Policy{}))
	w.must(w.Unpause(bob, 1))
	w.must(w.charge(w.card, 1))
}

// An agent that comes to own a locked card neither changes its policy nor hands it to somebody who could.
//
// Spec: gateway-payments-streams §G.2 (205, TransferOwnership{set_locked}).
func TestLock(t *testing.T) {
	w := newWorld(t)
	w.must(w.TransferOwnership(ann, w.card, agent, true))
	if err := w.SetPolicy(agent, w.card, Policy{}); !errors.Is(err, ErrLocked) {
		t.Error(err)
	}
	if err := w.TransferOwnership(agent, w.card, stranger, false); !errors.Is(err, ErrLocked) {
		t.Error(err)
	}
	free := w.issue(Terms{Bank: 1, Agent: agent})
	w.must(w.TransferOwnership(ann, free, agent, false))
	w.must(w.SetPolicy(agent, free, Policy{}))
	locked := w.issue(Terms{Bank: 1, Agent: agent, Policy: Policy{LockedAfterTransfer: true}})
	w.must(w.SetPolicy(ann, locked, Policy{LockedAfterTransfer: true}))
	w.must(w.TransferOwnership(ann, locked, stranger, false))
	w.must(w.SetPolicy(stranger, locked, Policy{}))
	if list, err := OwnedBy(w.State, agent, nil, 10); err != nil || len(list) != 2 {
		t.Errorf("%v %v", list, err)
	}
}
