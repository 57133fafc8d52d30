package paid

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/session"
	"github.com/cowboyinc/cowboy-go/chain/session/voucher"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Vouchers that a runner must not take.
//
// Spec: gateway-payments-streams §D (54).
func TestVouchersThatAreNotTaken(t *testing.T) {
	key, other := keyOf(t, "payer"), keyOf(t, "somebody")
	good := func() (v voucher.Voucher) {
		return voucher.Voucher{Session: one, Cumulative: unit.Wide(530), Nonce: 1, Expires: 10_000, Usage: digest.Hash(begun([]byte("?")).with("a"))}
	}
	for name, c := range map[string]struct {
		change func(v *voucher.Voucher)
		by     *sig.PrivateKey
		chain  uint64
		pieces uint64
		taken  bool
	}{
		"good":              {func(*voucher.Voucher) {}, key, chainID, 1, true},
		"another answer":    {func(v *voucher.Voucher) { v.Usage = digest.Hash(begun([]byte("?")).with("b")) }, key, chainID, 1, false},
		"a later piece":     {func(*voucher.Voucher) {}, key, chainID, 2, false},
		"far later":         {func(*voucher.Voucher) {}, key, chainID, 1 << 63, false},
		"an earlier one":    {func(*voucher.Voucher) {}, key, chainID, 0, false},
		"another signer":    {func(*voucher.Voucher) {}, other, chainID, 1, false},
		"another chain":     {func(*voucher.Voucher) {}, key, chainID + 1, 1, false},
		"another session":   {func(v *voucher.Voucher) { v.Session = digest.Hash{2} }, key, chainID, 1, false},
		"the deposit":       {func(v *voucher.Voucher) { v.Cumulative = unit.Wide(1_000) }, key, chainID, 1, true},
		"one above it":      {func(v *voucher.Voucher) { v.Cumulative = unit.Wide(1_001) }, key, chainID, 1, false},
		"nothing":           {func(v *voucher.Voucher) { v.Cumulative = unit.Wide(0) }, key, chainID, 1, false},
		"no nonce":          {func(v *voucher.Voucher) { v.Nonce = 0 }, key, chainID, 1, false},
		"1,200 blocks left": {func(v *voucher.Voucher) { v.Expires = 1_300 }, key, chainID, 1, true},
		"1,199 blocks left": {func(v *voucher.Voucher) { v.Expires = 1_299 }, key, chainID, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := OpenBook(disk.NewMemory(), runnerAt)
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := b.begin(one); err != nil {
				t.Fatal(err)
			}
			start := begun([]byte("?"))
			x := &talk{
				seller: &Seller{Book: b, ChainID: chainID}, id: one, until: 10_000, now: 100, usages: []usage{start, start.with("a")}, taken: true,
				running: voucher.Running{ChainID: chainID, Session: one, Payer: key.Address(), Paid: voucher.Paid{Deposit: 1_000}},
			}
			v := good()
			c.change(&v)
			err = x.accept(&payment{Sign(v, c.by.Sign(v.Digest(c.chain))), c.pieces})
			if (err == nil) != c.taken || (b.list[one].newest != nil) != c.taken {
				t.Errorf("%v", err)
			}
		})
	}
}

// After a power cut at any write the book has every voucher of before the last flush, and is of its runner alone.
func TestTheBookSurvivesPowerCuts(t *testing.T) {
	key, r := keyOf(t, "payer"), rand.New(rand.NewPCG(1, 2))
	d := disk.NewMemory()
	b, err := OpenBook(d, runnerAt)
	if err != nil {
		t.Fatal(err)
	}
	want := map[digest.Hash]uint64{}
	for i := range 200 {
		id := digest.Hash{byte(r.IntN(20))}
		_, _, err := b.begin(id)
		if err != nil {
			t.Fatal(err)
		}
		v := voucher.Voucher{Session: id, Cumulative: unit.Wide(uint64(i) + 1), Nonce: uint64(i) + 1, Expires: 10_000}
		b.take(id, v, key.Sign(v.Digest(chainID)))
		b.owe(id, unit.Amount(i)+1)
		b.end(id)
		if r.IntN(4) != 0 {
			continue
		}
		if r.IntN(3) == 0 {
			b.forget(id)
		}
		if err := b.Flush(); err != nil {
			t.Fatal(err)
		}
		clear(want)
		for id, x := range b.list {
			want[id] = x.newest.Cumulative.Lo
		}
		cut := d.Crash(func(_ string, length int) int { return r.IntN(length + 1) })
		again, err := OpenBook(cut, runnerAt)
		if err != nil {
			t.Fatal(err)
		}
		kept := map[digest.Hash]uint64{}
		for id, x := range again.list {
			kept[id] = min(x.newest.Cumulative.Lo, uint64(x.owed))
		}
		if !maps.Equal(kept, want) {
			t.Fatalf("%v, want %v", kept, want)
		}
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenBook(d, account.Address{1}); !errors.Is(err, ErrBook) {
		t.Errorf("another runner opens it: %v", err)
	}
}

// The collector settles what is worth it, what closes and what ends, once; it forgets what is over.
//
// Spec: gateway-payments-streams §D (54, 55).
func TestCollecting(t *testing.T) {
	key := keyOf(t, "payer")
	l, clock := newLedger(t, 1_000_000), supervision.NewVirtualClock(time.Unix(1_000, 0))
	b, err := OpenBook(disk.NewMemory(), runnerAt)
	if err != nil {
		t.Fatal(err)
	}
	c := &Collector{Book: b, Chain: l, Clock: clock, Worth: 1_000, Observe: func(string, digest.Hash, error) {}}
	nonce := uint64(0)
	pay := func(amount uint64) {
		nonce++
		if _, _, err := b.begin(one); err != nil {
			t.Fatal(err)
		}
		v := voucher.Voucher{Session: one, Cumulative: unit.Wide(amount), Nonce: nonce, Expires: 10_000}
		b.take(one, v, key.Sign(v.Digest(chainID)))
		b.end(one)
		c.collect()
	}
	expect := func(what string, want ...unit.Amount) {
		t.Helper()
		if fmt.Sprint(l.settled) != fmt.Sprint(want) {
			t.Fatalf("%s: %v, want %v", what, l.settled, want)
		}
	}
	pay(999)
	expect("too little")
	pay(1_000)
	expect("enough", 1_000)
	c.collect()
	expect("once", 1_000)
	pay(1_999)
	expect("too little more", 1_000)
	l.now = 10_000 - 2*KeepBlocks - 1
	c.collect()
	expect("a block before", 1_000)
	l.now++
	c.collect()
	expect("it ends soon", 1_000, 1_999)
	l.now = 200
	pay(2_000)
	expect("one unit", 1_000, 1_999)
	l.on.Status = session.Closing
	c.collect()
	expect("it closes", 1_000, 1_999, 2_000)
	pay(2_001)
	expect("one more as it closes", 1_000, 1_999, 2_000, 2_001)
	pay(2_002)
	l.on.Status = session.Settled
	pay(2_003)
	if len(b.list) != 0 {
		t.Error("a session that is over is kept")
	}
}
