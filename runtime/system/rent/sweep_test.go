package rent

import (
	"encoding/binary"
	"flag"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/rent"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// swept is the most actors of the test of the sweep's work; among very many the first blocks of a sweep say enough.
var (
	swept       = flag.Int("swept", 100_000, "most actors whose sweep is counted")
	sweptBlocks = flag.Int("swept-blocks", 1<<30, "most blocks of a sweep that are counted")
)

// Of 1,000, 10,000 and 100,000 actors, and as many more as the flags say, no block of the sweep reads more than the accounts of those 256 whose turn it is,
// nor writes more; the sweep takes as many blocks as that says, and bills each actor that is awake and large once, no dormant one and no small one.
//
// Spec: rent §6 (bounded sweep, address order, persisted cursor), §8 (no rent accrues while dormant).
func TestWorkOfTheSweep(t *testing.T) {
	for n := 1_000; n <= *swept; n *= 10 {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			p := params.Genesis()
			memory := state.NewMemory(state.Config{})
			commit := state.New(state.Config{}, memory)
			keep := func(o *state.Overlay) {
				t.Helper()
				next, err := o.Commit(1)
				if err == nil {
					err = memory.Add(next.Delta())
				}
				if err != nil {
					t.Fatal(err)
				}
				commit = next.Settled(memory)
			}
			if err := memory.Add(commit.Delta()); err != nil {
				t.Fatal(err)
			}
			o := commit.Overlay()
			addr := func(i int) (a account.Address) {
				binary.BigEndian.PutUint64(a[1:], uint64(i)*0x9e3779b97f4a7c15) // anywhere in the list
				a[0] = 1
				return a
			}
			const rich = 1 << 40
			for i := range n { // of ten one is large, one large and dormant, the others small
				if i > 0 && i%100_000 == 0 {
					keep(o)
					o = commit.Overlay()
				}
				a := account.Account{Kind: account.Actor, StorageBytes: []uint64{11_000, 11_000, 9_000}[min(i%10, 2)], Balance: rich, Dormant: i%10 == 1}
				account.Save(o, addr(i), &a)
				rent.Enlist(o, addr(i))
			}
			clock := &rent.Clock{}
			clock.Start(p, 1)
			if !clock.Advance(p, clock.Until(p)-1) {
				t.Fatal("no epoch began")
			}
			height := clock.Began
			clock.Save(o)
			keep(o)
			blocks, burned, most := 0, unit.Amount(0), 0
			done := false
			for ; !done && blocks < *sweptBlocks; blocks++ {
				o := commit.Overlay()
				c, err := rent.At(o)
				if err != nil {
					t.Fatal(err)
				}
				b := &chapter.Boundary{
					Block:  &drain.Block{Params: p, Rent: &rent.Book{Clock: c, Params: p, Height: height}},
					Header: &block.Header{Height: height}, State: o, Rent: &rent.Notes{},
				}
				if err := end(b); err != nil {
					t.Fatal(err)
				}
				touched, written := 0, 0
				o.Touched(func(_ []byte, w bool) {
					touched++
					if w {
						written++
					}
				})
				if touched > sweptPerBlock+1 || written > touched { // of each actor its account, since who pays has no record; and the clock
					t.Fatalf("block %d touches %d entries and writes %d", blocks, touched, written)
				}
				burned, most = burned+b.Burned, max(most, touched)
				if c, err = rent.At(o); err != nil {
					t.Fatal(err)
				}
				_, more := c.Billing()
				done = !more
				keep(o)
				height++
			}
			t.Logf("%d blocks, at most %d entries in one", blocks, most)
			if !done {
				return
			}
			if want := n/sweptPerBlock + 1; blocks != want {
				t.Errorf("%d blocks, want %d", blocks, want)
			}
			// 760 bytes beyond the free 10,240 at 0.001 coins a byte and year: ceil(760 * 10^6 / 365) for a day, by hand 2,082,192
			const due = 2_082_192
			if want := unit.Amount(n / 10 * due); burned != want {
				t.Errorf("%d burned, want %d", burned, want)
			}
			for i := range 30 {
				a, err := account.Load(commit, addr(i))
				if want := unit.Amount(rich - map[bool]int{true: due}[i%10 == 0]); err != nil || a.Balance != want {
					t.Errorf("actor %d has %d, want %d; %v", i, a.Balance, want, err)
				}
			}
		})
	}
}
