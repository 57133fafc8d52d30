package rent

import (
	"bytes"
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

// Eight MiB of storage of an evicted actor are removed over as many blocks as the budget takes: no block removes more than 256 KiB and the entry it ends with,
// nor more than 4,096 entries, and in the end nothing is left.
//
// Spec: rent §8 (prune when evicting, in bounded pieces), §10 (8 MiB).
func TestEvictionIsSpread(t *testing.T) {
	for _, c := range []struct {
		name   string
		bytes  int // of all
		value  int // bytes of an entry, key included
		blocks int
	}{
		{"large values", 8 << 20, 64 << 10, 32},
		{"values of a KiB", 8 << 20, 1 << 10, 32},
		{"small values", 20_480 * 32, 32, 5}, // 20,480 entries, of which a block takes 4,096
	} {
		t.Run(c.name, func(t *testing.T) {
			o := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
			addr, p := account.Address{5}, params.Genesis()
			prefix := account.Key(account.KindStorage, addr)
			count := c.bytes / c.value
			for i := range count {
				key := fmt.Appendf(bytes.Clone(prefix), "%08d", i)
				o.Set(key, make([]byte, c.value-8))
			}
			account.Save(o, addr, &account.Account{Kind: account.Actor, StorageBytes: uint64(c.bytes), RentMissed: 10})
			rent.Enlist(o, addr)
			clock := &rent.Clock{}
			clock.Start(p, 1)
			if !clock.Advance(p, clock.Until(p)-1) {
				t.Fatal("no epoch began")
			}
			b := &chapter.Boundary{
				Block:  &drain.Block{Params: p, Rent: &rent.Book{Clock: clock, Params: p, Height: clock.Began}},
				Header: &block.Header{Height: clock.Began}, State: o, Rent: &rent.Notes{},
			}
			if err := b.Bill(addr); err != nil { // the eleventh epoch it misses
				t.Fatal(err)
			}
			left, blocks := count, 0
			for left > 0 && blocks < count {
				if err := evict(b); err != nil {
					t.Fatal(err)
				}
				blocks++
				now := 0
				if err := o.Scan(prefix, nil, 0, func(_, _ []byte) bool { now++; return true }); err != nil {
					t.Fatal(err)
				}
				if gone := left - now; gone > evictedEntries || (gone-1)*(c.value+len(prefix)) > evictedBytes || gone == 0 {
					t.Fatalf("block %d removes %d entries of %d bytes", blocks, gone, c.value)
				}
				left = now
			}
			// A key counts with the 22 bytes before it, so that small entries take a few blocks more.
			if blocks < c.blocks || blocks > c.blocks*2 {
				t.Errorf("%d blocks, want about %d", blocks, c.blocks)
			}
			if a, err := account.Load(o, addr); err != nil || !a.Dormant || a.StorageBytes != 0 {
				t.Errorf("%+v, %v", a, err)
			}
			if unit.Amount(len(b.Rent.Events)) != 1 || b.Rent.Events[0].Topic != rent.TopicEvicted {
				t.Errorf("%+v", b.Rent.Events)
			}
		})
	}
}
