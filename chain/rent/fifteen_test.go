package rent

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// canonical is the root of a state that holds what another does, written in the order of the keys: the root of a state that grew says in which order it did.
func canonical(t *testing.T, r state.Reader) digest.Hash {
	t.Helper()
	fresh := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	if err := r.Scan(nil, nil, 0, func(key, value []byte) bool {
		fresh.Set(bytes.Clone(key), bytes.Clone(value))
		return true
	}); err != nil {
		t.Fatal(err)
	}
	commit, err := fresh.Commit(1)
	if err != nil {
		t.Fatal(err)
	}
	return commit.Root()
}

// kept is an actor as it was when it was evicted.
type kept struct {
	entries []Entry
	account account.Account
}

// fifteen lives through fifteen rent epochs with a thousand actors, random payers of random means, evictions and restorations. A lazy node bills whom somebody
// touches, and all others when the epoch is nearly over; a swept one bills everybody when it begins. It gives the root, and how many actors came back.
func fifteen(t *testing.T, lazy bool) (root digest.Hash, back int) {
	const actors, operations = 1_000, 400
	w := newWorld(t)
	w.p.Rent.GraceBytes = 1
	r := rand.New(rand.NewPCG(15, 16))
	was := map[account.Address]kept{}
	var addrs, payers []account.Address
	for i := range actors {
		addr := account.Address{byte(i), byte(i >> 8), 1}
		account.Save(w, addr, &account.Account{Kind: account.Actor, Creator: account.Address{0xff}, Balance: unit.Amount(r.IntN(9_000))})
		Enlist(w, addr)
		list := w.fill(addr, 1+i%3)
		addrs, was[addr] = append(addrs, addr), kept{list, w.load(addr)}
	}
	for i := range 20 {
		payer := account.Address{0xee, byte(i)}
		account.Save(w, payer, &account.Account{Balance: unit.Amount(r.IntN(300_000))})
		payers = append(payers, payer)
	}
	for range 15 {
		w.epoch()
		for !lazy && w.book.Clock.Swept < w.book.Clock.Epoch {
			w.sweep(64)
		}
		for range operations {
			addr, payer := addrs[r.IntN(actors)], payers[r.IntN(len(payers))]
			mark, epochs := w.Mark(), r.Uint64N(3)
			if r.IntN(2) == 0 {
				w.did(w.book.Touch(w, addr))
				continue
			}
			w.did(w.book.Touch(w, addr))
			n, err := w.book.Pay(w, payer, addr, epochs)
			if errors.Is(err, ErrPay) || errors.Is(err, ErrDormant) || errors.Is(err, ErrNothing) {
				w.Revert(mark)
				continue
			}
			w.did(n, err)
		}
		for w.book.Clock.Swept < w.book.Clock.Epoch {
			w.sweep(64)
		}
		for {
			list, err := Evicting(w, 8)
			if err != nil {
				t.Fatal(err)
			}
			if len(list) == 0 {
				break
			}
			for _, addr := range list {
				w.did(Evict(w, addr, &Budget{Entries: 2, Bytes: 1 << 20}))
			}
		}
		for _, addr := range addrs {
			a := w.load(addr)
			if !a.Dormant || r.IntN(3) > 0 {
				continue
			}
			rich := account.Address{0xaa}
			account.Save(w, rich, &account.Account{Balance: 1 << 40})
			list := was[addr].entries
			for from := range list {
				w.did(w.book.Restore(w, piece(t, addr, list, from, from+1)))
			}
			now, before := w.load(addr), was[addr].account
			if now.Dormant || now.StorageBytes != before.StorageBytes || now.Creator != before.Creator || fmt.Sprint(w.stored(addr)) != fmt.Sprint(list) {
				t.Fatalf("%v came back as %+v, was %+v", addr, now, before)
			}
			back++
		}
	}
	w.book.Clock.Save(w)
	return canonical(t, w), back
}

// Fifteen rent epochs of a thousand actors with random payers: lazy and swept nodes have one root, and restored actors are what they were.
//
// Spec: rent §5, §6, §9, §14.
func TestFifteenEpochs(t *testing.T) {
	lazy, back := fifteen(t, true)
	swept, again := fifteen(t, false)
	if lazy != swept || back != again {
		t.Errorf("lazy %v with %d restored, swept %v with %d", lazy, back, swept, again)
	}
	if back < 50 {
		t.Errorf("only %d actors came back: the test tries little", back)
	}
}

// A payer who has coins for one of two actors pays for the first in the midst of a sweep, is refused for the second, and loses nothing by that. The sweep finds
// the first paid and the second in debt.
//
// Spec: rent §5, §6.
func TestPayerRunsDry(t *testing.T) {
	w := newWorld(t)
	payer := account.Address{0xaa}
	first, middle, last := w.actor(1, 11_240, 0), w.actor(2, 11_240, 0), w.actor(3, 11_240, 0)
	w.epoch()
	w.sweep(1) // only the first is billed: 1,000 bytes for ten blocks
	account.Save(w, payer, &account.Account{Balance: 21_000})
	w.did(w.book.Pay(w, payer, first, 1)) // the debt of 10,000 with a tenth, and 10,000
	mark := w.Mark()
	var short *PayError
	if _, err := w.book.Pay(w, payer, middle, 0); !errors.As(err, &short) || short.Have != 0 || short.Need != 11_000 {
		t.Fatalf("%v", err)
	}
	w.Revert(mark)
	for w.book.Clock.Swept < w.book.Clock.Epoch {
		w.sweep(1)
	}
	if a, b, c := w.load(first).RentMissed, w.load(middle).RentMissed, w.load(last).RentMissed; a != 0 || b != 1 || c != 1 {
		t.Errorf("they missed %d, %d and %d, want 0, 1 and 1", a, b, c)
	}
	w.epoch()
	for w.book.Clock.Swept < w.book.Clock.Epoch {
		w.sweep(2)
	}
	if got := w.load(first); got.RentMissed != 0 {
		t.Errorf("the epoch that was prepaid was missed: %+v", got)
	}
}

// What rounding up makes of rent, payoff and reserve, to the base unit, worked by hand: bytes × rate × blocks / 31,536,000, a debt and a tenth, a tenth of a
// year.
//
// Spec: rent §2.1, §3, §7.
func TestCeilings(t *testing.T) {
	for _, c := range []struct {
		name             string
		bytes            uint64 // that are billed
		due, owed, saved unit.Amount
	}{
		{"nothing", 0, 0, 0, 0},
		{"a byte", 1, 2_740, 3_014, 100_000},                                              // 2,739.73
		{"two", 2, 5_480, 6_028, 200_000},                                                 // 5,479.45
		{"three", 3, 8_220, 9_042, 300_000},                                               // 8,219.18
		{"365, which divide", 365, 1_000_000, 1_100_000, 36_500_000},                      // exactly
		{"366", 366, 1_002_740, 1_103_014, 36_600_000},                                    // 1,002,739.73
		{"40 KiB", 40_960, 112_219_179, 123_441_097, 4_096_000_000},                       // 112,219,178.08; 123,441,096.9
		{"a MiB less 10 KiB", 1_038_336, 2_844_756_165, 3_129_231_782, 103_833_600_000},   // 2,844,756,164.4; 3,129,231,781.5
		{"8 MiB less 10 KiB", 8_378_368, 22_954_432_877, 25_249_876_165, 837_836_800_000}, // 22,954,432,876.7; 25,249,876,164.7
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			terms := Terms{1_000_000, 86_400, 0, 10, 1 << 30}
			a := account.Account{Kind: account.Actor, StorageBytes: c.bytes}
			due := terms.Due(&a)
			owed := (&Record{Debt: due}).Owed(w.p.Rent.CatchupBPS)
			if saved := terms.Reserve(&a, w.p.Rent.ReserveBPS); due != c.due || owed != c.owed || saved != c.saved {
				t.Errorf("due %d, owed %d, reserve %d; want %d, %d, %d", due, owed, saved, c.due, c.owed, c.saved)
			}
		})
	}
}
