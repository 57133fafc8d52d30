package rpc

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/index"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// heavyNode has blocks from height 0 on in memory. Each holds three transactions whose receipts have one event of so many bytes.
func heavyNode(t *testing.T, blocks int, bytes int) (*Node, []index.Place) {
	t.Helper()
	n, entries := &Node{}, []index.Place{}
	for h := range unit.Height(blocks) {
		c := &content{block: &block.Block{Header: block.Header{Height: h}}, hash: digest.Hash{byte(h)}, size: 1_000}
		for i := range uint32(3) {
			c.block.Txs = append(c.block.Txs, &tx.Tx{Instruction: &tx.Transfer{}, Nonce: uint64(h)*3 + uint64(i)})
			c.receipts = append(c.receipts, &block.Receipt{
				Kind: block.Transaction, Target: account.Address{7}, Events: []block.Event{{Actor: account.Address{7}, Data: make([]byte, bytes)}},
			})
			entries = append(entries, index.Place{Height: h, Index: i})
		}
		n.blocks.Put(h, c, blocks)
	}
	return n, entries
}

// walk goes from page to page until none is left; each page holds something and no more than it may by much.
func walk(t *testing.T, all int, page func(offset int) int) (pages int) {
	t.Helper()
	for at := 0; at < all; pages++ {
		got := page(at)
		if got == 0 {
			t.Fatalf("nothing after %d of %d", at, all)
		}
		at += got
	}
	return pages
}

// Lists end where a page has read enough, whatever the number of entries that was asked for, and go on behind that; small entries take one page.
func TestPagesAreBoundedInBytes(t *testing.T) {
	for _, x := range []struct{ bytes, blocks int }{{100, 1}, {1 << 20, 7}} { // 3 MiB a block: the third one reaches 8 MiB
		t.Run(fmt.Sprint(x.bytes, " bytes"), func(t *testing.T) {
			n, entries := heavyNode(t, 20, x.bytes)
			if got := walk(t, 20, func(offset int) int {
				list, err := n.blocksFrom(uint64(19-offset), 1_000)
				if err != nil || list[0].Height != uint64(19-offset) {
					t.Fatal(list[0].Height, err)
				}
				return len(list)
			}); got != x.blocks {
				t.Errorf("blocks with events of %d bytes take %d pages, want %d", x.bytes, got, x.blocks)
			}
			if got := walk(t, 60, func(offset int) int {
				list, err := n.receiptsOf(entries[offset:])
				if err != nil || list[0].BlockHeight != uint64(offset/3) {
					t.Fatal(list[0].BlockHeight, err)
				}
				size := 0
				for i := range list {
					size += shown(&list[i])
				}
				if size > 2*pageBytes {
					t.Errorf("a page of %d bytes", size)
				}
				return len(list)
			}); (got == 1) != (x.blocks == 1) {
				t.Errorf("receipts of %d bytes take %d pages", x.bytes, got)
			}
			if got := walk(t, 60, func(offset int) int {
				list, err := n.transactionsOf(entries[offset:])
				if err != nil || list[0].Nonce != uint64(offset) {
					t.Fatal(list[0].Nonce, err)
				}
				return len(list)
			}); (got == 1) != (x.blocks == 1) {
				t.Errorf("transactions in blocks with events of %d bytes take %d pages", x.bytes, got)
			}
		})
	}
}

// Pages of events are bounded like others. With cursors every event is seen once and in order, however few a page may hold and however many receipts of one
// block lie before the cursor; without one a page holds the newest.
func TestEventsAreBoundedInBytes(t *testing.T) {
	for _, bytes := range []int{100, 1 << 20} {
		n, entries := heavyNode(t, 20, bytes)
		from := func(limit int) func(unit.Height, uint32) ([]index.Place, error) {
			return func(height unit.Height, at uint32) (list []index.Place, err error) {
				for _, e := range entries {
					if (e.Height > height || e.Height == height && e.Index >= at) && len(list) < limit {
						list = append(list, e)
					}
				}
				return list, nil
			}
		}
		begin := func(height uint64, place, limit int) *emitted {
			return &emitted{reader: receiptReader{node: n}, actor: account.Address{7}.String(), height: height, place: place, limit: limit}
		}
		for _, limit := range []int{1, 2, 50} {
			var seen []wire.Event
			height, place := uint64(0), -1
			for len(seen) < 60 {
				x := begin(height, place, limit)
				if err := x.following(from(limit)); err != nil || len(x.list) == 0 || len(x.list) > limit {
					t.Fatalf("%d events of %d bytes, after %d: %v", len(x.list), bytes, len(seen), err)
				}
				seen = append(seen, x.list...)
				var err error
				if height, place, err = parseCursor(seen[len(seen)-1].Cursor); err != nil {
					t.Fatal(err)
				}
			}
			for i, e := range seen {
				if want := fmt.Sprintf("%d.%d", i/3, i%3*2); len(seen) != 60 || e.Cursor != want {
					t.Fatalf("event %d of %d is at %s, want %s", i, len(seen), e.Cursor, want)
				}
			}
			x := begin(height, place, limit)
			if err := x.following(from(limit)); err != nil || len(x.list) != 0 {
				t.Errorf("behind the end: %d events, %v", len(x.list), err)
			}
		}
		x := begin(0, -1, 50)
		var newest []index.Place
		for i := range entries {
			newest = append(newest, entries[len(entries)-1-i])
		}
		if err := x.newest(newest); err != nil || x.list[len(x.list)-1].Cursor != "19.4" || (len(x.list) == 50) != (bytes == 100) {
			t.Errorf("of %d bytes the newest %d, %v", bytes, len(x.list), err)
		}
		for i := 1; i < len(x.list); i++ {
			h, p, _ := parseCursor(x.list[i-1].Cursor)
			if !later(x.list[i].Cursor, h, p) {
				t.Errorf("%s after %s", x.list[i].Cursor, x.list[i-1].Cursor)
			}
		}
	}
}

// A thousand timers with the largest payload are many pages.
func TestTimersAreBoundedInBytes(t *testing.T) {
	o := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	o.Set(account.Address{7}.Key(), (&account.Account{Kind: account.Actor}).Encode())
	var ids []timer.ID
	for i := range 20 {
		id, err := timer.Schedule(o, timer.Config{MaxTTLBlocks: 100, MaxTimersPerActor: 100, MaxCyclesPerFire: 10}, timer.Request{
			Owner: account.Address{7}, Target: account.Address{7}, Now: 1, Height: 2, Nonce: uint64(i), Payload: make([]byte, 1<<20),
		})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	n := &Node{}
	if pages := walk(t, 20, func(offset int) int {
		list, err := n.timers(o, ids, uint64(offset), 1_000)
		if err != nil || list.TotalCount != 20 || len(list.Timers) > 8 {
			t.Fatalf("%d of %d, %v", len(list.Timers), list.TotalCount, err)
		}
		return len(list.Timers)
	}); pages != 3 {
		t.Errorf("%d pages of 20 MiB", pages)
	}
}
