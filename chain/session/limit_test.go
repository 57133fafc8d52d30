package session

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/session/voucher"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The limits of a session, one below each, at it, and one above.
//
// Spec: gateway-payments-streams §D (52: expiry in future; 53: never above max_amount; 54: ≤ deposit, not expired; 56: 75 blocks after Closing, past expiry).
func TestLimitsOfSessions(t *testing.T) {
	for _, x := range []struct {
		name string
		at   [3]uint64 // below, at, above
		want [3]error
		do   func(w *world, n uint64) error
	}{
		{"first deposit of 100 at most", [3]uint64{99, 100, 101}, [3]error{nil, nil, ErrAmount}, func(w *world, n uint64) error {
			_, err := w.open(100, unit.Amount(n), 2_000)
			return err
		}},
		{"expiry after block 1000", [3]uint64{999, 1_000, 1_001}, [3]error{ErrExpiry, ErrExpiry, nil}, func(w *world, n uint64) error {
			_, err := w.open(100, 100, unit.Height(n))
			return err
		}},
		{"10 more of 100", [3]uint64{9, 10, 11}, [3]error{nil, nil, ErrAmount}, func(w *world, n uint64) error {
			id, err := w.open(100, 90, 2_000)
			w.must(err)
			return w.do(func(b *Book) error { return b.Deposit(w.payer.Address(), id, unit.Amount(n)) })
		}},
		{"coins the payer has", [3]uint64{9_999, 10_000, 10_001}, [3]error{nil, nil, ErrFunds}, func(w *world, n uint64) error {
			_, err := w.open(20_000, unit.Amount(n), 2_000)
			return err
		}},
		{"deposit in the last block", [3]uint64{1_499, 1_500, 1_501}, [3]error{nil, nil, ErrExpiry}, func(w *world, n uint64) error {
			id, err := w.open(100, 90, 1_500)
			w.must(err)
			w.now = unit.Height(n)
			return w.do(func(b *Book) error { return b.Deposit(w.payer.Address(), id, 1) })
		}},
		{"voucher up to the deposit", [3]uint64{99, 100, 101}, [3]error{nil, nil, voucher.ErrDeposit}, func(w *world, n uint64) error {
			id, err := w.open(100, 100, 2_000)
			w.must(err)
			return w.settle(w.runner, voucher.Voucher{Session: id, Cumulative: unit.Wide(n), Nonce: 1, Expires: 2_000}, w.payer)
		}},
		{"voucher in its last block", [3]uint64{1_199, 1_200, 1_201}, [3]error{nil, nil, voucher.ErrExpired}, func(w *world, n uint64) error {
			id, err := w.open(100, 100, 2_000)
			w.must(err)
			w.now = unit.Height(n)
			return w.settle(w.runner, voucher.Voucher{Session: id, Cumulative: unit.Wide(5), Nonce: 1, Expires: 1_200}, w.payer)
		}},
		{"finalized 75 blocks after closing", [3]uint64{1_074, 1_075, 1_076}, [3]error{ErrEarly, nil, nil}, func(w *world, n uint64) error {
			id, err := w.open(100, 100, 2_000)
			w.must(err)
			w.must(w.do(func(b *Book) error { return b.Close(w.payer.Address(), id) }))
			w.now = unit.Height(n)
			return w.do(func(b *Book) error { return b.Finalize(id) })
		}},
		{"finalized past its expiry", [3]uint64{1_499, 1_500, 1_501}, [3]error{ErrEarly, ErrEarly, nil}, func(w *world, n uint64) error {
			id, err := w.open(100, 100, 1_500)
			w.must(err)
			w.now = unit.Height(n)
			return w.do(func(b *Book) error { return b.Finalize(id) })
		}},
	} {
		for i, n := range x.at {
			t.Run(fmt.Sprint(x.name, " ", n), func(t *testing.T) {
				if err := x.do(newWorld(t), n); !errors.Is(err, x.want[i]) {
					t.Errorf("%v, want %v", err, x.want[i])
				}
			})
		}
	}
}
