package treasury

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

var alice, bob = account.Address{7, 1}, account.Address{7, 2}

// found is a state with buckets whose coins are there.
func found(t *testing.T, list ...Bucket) *state.Overlay {
	t.Helper()
	s := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	for _, b := range list {
		s.Set(BucketKey(b.Name), b.Append(nil))
		if err := account.Credit(s, b.Address(), b.Amount); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

var team = Bucket{Name: "team", Amount: 4_800, CliffMonths: 12, LinearMonths: 48}

func balance(t *testing.T, s *state.Overlay, a account.Address) unit.Amount {
	t.Helper()
	x, err := account.Load(s, a)
	if err != nil {
		t.Fatal(err)
	}
	return x.Balance
}

// TestGrant follows one by hand: 2,400 of the team's coins release 50 a month behind a cliff of a year; revoked after two years, 600 are left.
//
// Spec: WP §8.3.
func TestGrant(t *testing.T) {
	s := found(t, team)
	id, err := (&Award{"team", alice, 2_400, true}).Make(s, 5)
	if err != nil || id != 1 {
		t.Fatal(id, err)
	}
	claim := func(at unit.Height, want unit.Amount, reject error) {
		t.Helper()
		_, got, err := Claim(s, 1, at)
		if got != want || !errors.Is(err, reject) {
			t.Fatalf("month %d: %d, %v; want %d, %v", at/month, got, err, want, reject)
		}
	}
	claim(12*month, 0, ErrNothing)
	claim(13*month, 50, nil)
	claim(13*month, 0, ErrNothing)
	claim(15*month, 100, nil)
	if rest, err := Revoke(s, 1, 24*month+1); err != nil || rest != 1_800 {
		t.Fatal(rest, err)
	}
	claim(60*month, 450, nil)
	claim(70*month, 0, ErrNothing)
	if got := balance(t, s, alice); got != 600 {
		t.Errorf("alice has %d", got)
	}
	if awarded, err := Awarded(s, "team"); err != nil || awarded != 600 {
		t.Errorf("awarded %d, %v", awarded, err)
	}
	if err := Revocable(s, 1); !errors.Is(err, ErrRevocable) {
		t.Errorf("again: %v", err)
	}
}

// TestAwards refuses what a bucket cannot give.
func TestAwards(t *testing.T) {
	s := found(t, team, Bucket{Name: TreasuryName, Amount: 50})
	if _, err := (&Award{"team", alice, 4_000, false}).Make(s, 1); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		of   Award
		want error
	}{
		{"no bucket", Award{"none", alice, 1, false}, ErrBucket},
		{"the treasury's own", Award{TreasuryName, alice, 1, false}, ErrBucket},
		{"nothing", Award{"team", alice, 0, false}, ErrAmount},
		{"more than is left", Award{"team", alice, 801, false}, ErrAmount},
		{"a system actor", Award{"team", account.System(8), 1, false}, ErrTo},
		{"nobody", Award{"team", account.Address{}, 1, false}, ErrTo},
		{"the bucket itself", Award{"team", team.Address(), 1, false}, ErrTo},
		{"what is left", Award{"team", bob, 800, false}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := c.of.Check(s); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
	for name, err := range map[string]error{"due of none": second(Due(s, 9, 1)), "claim of none": second(Claim(s, 9, 1)), "revoke none": Revocable(s, 9)} {
		t.Run(name, func(t *testing.T) {
			if !errors.Is(err, ErrNoGrant) {
				t.Errorf("%v", err)
			}
		})
	}
	if _, err := Revoke(s, 1, 1); !errors.Is(err, ErrRevocable) {
		t.Errorf("a grant that nobody may revoke: %v", err)
	}
}

func second[A, B any](_ A, _ B, err error) error { return err }

// TestGrantsStayWithinTheBucket draws awards, claims and revocations in any order: what was paid of a bucket never exceeds what its terms have released, and no
// coin appears or vanishes. The model keeps nothing but the amounts that moved.
//
// Spec: WP §8.3.
func TestGrantsStayWithinTheBucket(t *testing.T) {
	for seed := range uint64(30) {
		draw := rand.New(rand.NewPCG(seed, 1))
		b := Bucket{
			Name: "b", Amount: unit.Amount(1 + draw.Uint64N(1_000_000)), UnlockedBPS: uint32(draw.IntN(10_001)), CliffMonths: uint32(draw.IntN(10)),
			LinearMonths: uint32(draw.IntN(40)), StepMonths: uint32(draw.IntN(4)), Decreasing: draw.IntN(2) == 0,
		}
		s := found(t, b)
		now, paid := unit.Height(0), unit.Amount(0)
		for range 300 {
			now += unit.Height(draw.Uint64N(uint64(month)))
			count, err := Count(s)
			if err != nil {
				t.Fatal(err)
			}
			id := 1 + draw.Uint64N(count+1)
			switch draw.IntN(4) {
			case 0:
				a := Award{"b", account.Address{9, byte(draw.IntN(5))}, unit.Amount(draw.Uint64N(uint64(b.Amount)/4 + 1)), draw.IntN(2) == 0}
				_, err = a.Make(s, now)
			case 1:
				_, err = Revoke(s, id, now)
			default:
				var more unit.Amount
				_, more, err = Claim(s, id, now)
				paid += more
			}
			if err != nil && !errors.Is(err, ErrAmount) && !errors.Is(err, ErrNoGrant) && !errors.Is(err, ErrNothing) && !errors.Is(err, ErrRevocable) {
				t.Fatal(err)
			}
			held := unit.Amount(0)
			for i := range 5 {
				held += balance(t, s, account.Address{9, byte(i)})
			}
			if paid != held || balance(t, s, b.Address())+paid != b.Amount || paid > b.Releasable(now) {
				t.Fatalf("seed %d: %d paid, %d held, %d left of %d, %d releasable", seed, paid, held, balance(t, s, b.Address()), b.Amount, b.Releasable(now))
			}
		}
	}
}
