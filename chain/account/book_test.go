package account

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// held is a store that is not an overlay, so that both ways of reading and writing a record are tried.
type held struct{ state.Store }

func stores() map[string]state.Store {
	empty := func() *state.Overlay { return state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay() }
	return map[string]state.Store{"overlay": empty(), "another store": held{empty()}}
}

// Whatever is moved, credited and taken, an error changes nothing and a movement keeps the sum of both balances.
//
// Spec: WP §8.1.
func TestMovementsOfCoins(t *testing.T) {
	const most = ^unit.Amount(0)
	a, b := Address{1}, Address{2}
	move := func(from, to Address, amount unit.Amount) func(state.Store) error {
		return func(s state.Store) error { return Move(s, from, to, amount) }
	}
	short := func(have, need unit.Amount) error { return &ShortfallError{have, need} }
	for name, x := range map[string]struct {
		holdA, holdB unit.Amount
		do           func(state.Store) error
		err          error
		wantA, wantB unit.Amount
	}{
		"all of it":            {5, 7, move(a, b, 5), nil, 0, 12},
		"one too many":         {5, 7, move(a, b, 6), short(5, 6), 5, 7},
		"to the top":           {5, most - 5, move(a, b, 5), nil, 0, most},
		"above the top":        {5, most - 4, move(a, b, 5), unit.ErrOverflow, 5, most - 4},
		"to itself":            {5, 7, move(a, a, 5), nil, 5, 7},
		"to itself, too much":  {5, 7, move(a, a, 6), short(5, 6), 5, 7},
		"to itself at the top": {most, 7, move(a, a, most), nil, most, 7},
		"nothing":              {0, 7, move(a, b, 0), nil, 0, 7},
		"from nobody":          {5, 7, move(Address{3}, b, 1), short(0, 1), 5, 7},
		"credit":               {5, 7, func(s state.Store) error { return Credit(s, b, most-7) }, nil, 5, most},
		"credit too much":      {5, 7, func(s state.Store) error { return Credit(s, b, most-6) }, unit.ErrOverflow, 5, 7},
		"debit":                {5, 7, func(s state.Store) error { return Debit(s, a, 5) }, nil, 0, 7},
		"debit too much":       {5, 7, func(s state.Store) error { return Debit(s, a, 6) }, short(5, 6), 5, 7},
	} {
		t.Run(name, func(t *testing.T) {
			for kind, s := range stores() {
				Save(s, a, &Account{Balance: x.holdA, Nonce: 3})
				Save(s, b, &Account{Balance: x.holdB, Kind: Actor, Timers: 2})
				err := x.do(s)
				var shortfall, wanted *ShortfallError
				if errors.As(x.err, &wanted) {
					if !errors.As(err, &shortfall) || *shortfall != *wanted {
						t.Errorf("%s, %s: %v, want %v", name, kind, err, x.err)
					}
				} else if !errors.Is(err, x.err) {
					t.Errorf("%s, %s: %v, want %v", name, kind, err, x.err)
				}
				gotA, errA := Load(s, a)
				gotB, errB := Load(s, b)
				if errA != nil || errB != nil || (gotA != Account{Balance: x.wantA, Nonce: 3}) || (gotB != Account{Balance: x.wantB, Kind: Actor, Timers: 2}) {
					t.Errorf("%s, %s: %+v and %+v, %v, %v", name, kind, gotA, gotB, errA, errB)
				}
			}
		})
	}
}

// A credit of nothing leaves no record; a movement of nothing does, as creating an account without coins has to.
//
// Spec: WP §8.1.
func TestWhoGetsARecord(t *testing.T) {
	a, b := Address{1}, Address{2}
	for kind, s := range stores() {
		if err := Credit(s, a, 0); err != nil {
			t.Error(err)
		}
		if _, ok, err := Find(s, a); ok || err != nil {
			t.Errorf("%s: a credit of nothing made a record, %v", kind, err)
		}
		if err := Move(s, a, b, 0); err != nil {
			t.Error(err)
		}
		if got, ok, err := Find(s, b); !ok || err != nil || got != (Account{}) {
			t.Errorf("%s: %+v, %v, %v", kind, got, ok, err)
		}
		if data, ok, _ := s.Lookup(b.Key()); !ok || string(data) != "\x00\x00\x00" {
			t.Errorf("%s: stored %x, want class, balance and nonce, all zero", kind, data)
		}
		s.Set(a.Key(), []byte{9})
		for name, err := range map[string]error{"load": second(Load(s, a)), "move": Move(s, a, b, 0), "to": Move(s, b, a, 0), "credit": Credit(s, a, 1),
			"debit": Debit(s, a, 0)} {
			t.Run(name, func(t *testing.T) {
				if err == nil {
					t.Errorf("%s, %s: bytes that are no record are read", kind, name)
				}
			})
		}
	}
}

func second(_ Account, err error) error { return err }
