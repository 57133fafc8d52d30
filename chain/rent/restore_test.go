package rent

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// fill gives an actor a storage and keeps its size.
func (w *world) fill(addr account.Address, entries int) (list []Entry) {
	r := rand.New(rand.NewPCG(uint64(entries), 7))
	a := w.load(addr)
	a.StorageBytes = 0
	for i := range entries {
		e := Entry{fmt.Appendf(nil, "key%05d", i), bytes.Repeat([]byte{byte(i)}, r.IntN(90))}
		list = append(list, e)
		w.Set(append(account.Key(account.KindStorage, addr), e.Key...), e.Value)
		a.StorageBytes += uint64(len(e.Key) + len(e.Value))
	}
	account.Save(w, addr, &a)
	return list
}

func (w *world) stored(addr account.Address) (list []Entry) {
	prefix := account.Key(account.KindStorage, addr)
	if err := w.Scan(prefix, nil, 0, func(key, value []byte) bool {
		list = append(list, Entry{bytes.Clone(key[len(prefix):]), bytes.Clone(value)})
		return true
	}); err != nil {
		w.t.Fatal(err)
	}
	return list
}

// evicted misses epochs until the actor is dormant and its storage gone, which takes as many blocks as the budget says.
func (w *world) evicted(addr account.Address) (blocks int) {
	for !w.load(addr).Dormant {
		w.epoch()
		w.sweep(8)
	}
	for {
		list, err := Evicting(w, 8)
		if err != nil {
			w.t.Fatal(err)
		}
		if len(list) == 0 {
			return blocks
		}
		blocks++
		for _, addr := range list {
			w.did(Evict(w, addr, &Budget{Entries: 100, Bytes: 1 << 20}))
		}
	}
}

func piece(t *testing.T, addr account.Address, list []Entry, from, to int) Piece {
	p, err := Prove(list, from, to)
	if err != nil {
		t.Fatal(err)
	}
	return Piece{Payer: account.Address{0xaa}, Actor: addr, From: uint64(from), Data: AppendEntries(nil, list[from:to]), Proof: p.Append(nil)}
}

// spoils make a piece wrong: a bit of an entry, a digest missing, another place, entries twice.
var spoils = []func(p *Piece){
	func(p *Piece) { p.Data[len(p.Data)-1] ^= 1 },
	func(p *Piece) { p.Proof = p.Proof[:len(p.Proof)-1] },
	func(p *Piece) { p.From++ },
	func(p *Piece) { p.Data = append(p.Data, p.Data...) },
}

// An evicted actor comes back as it was, from pieces of any size by anybody; wrong ones are refused and change nothing.
// Spec: rent §8, §9; WP-January "Storage Restoration".
func TestRestoration(t *testing.T) {
	for _, entries := range []int{1, 2, 7, 300} {
		for _, size := range []int{1, 3, 64, 1_000} {
			w := newWorld(t)
			w.p.Rent.GraceBytes = 1
			addr := w.actor(1, 0, 5)
			list := w.fill(addr, entries)
			before := w.load(addr)
			if blocks := w.evicted(addr); blocks != (entries+99)/100 {
				t.Errorf("%d entries are gone after %d blocks", entries, blocks)
			}
			if left := w.stored(addr); len(left) > 0 {
				t.Fatalf("%d entries are left", len(left))
			}
			account.Save(w, account.Address{0xaa}, &account.Account{Balance: 1 << 50})
			for from := 0; from < entries; from += size {
				good := piece(t, addr, list, from, min(from+size, entries))
				for _, spoil := range spoils {
					bad := good
					bad.Data, bad.Proof = bytes.Clone(good.Data), bytes.Clone(good.Proof)
					spoil(&bad)
					m := w.Mark()
					if _, err := w.book.Restore(w, bad); !errors.Is(err, ErrPlace) && !errors.Is(err, ErrPiece) && !errors.Is(err, ErrProof) {
						t.Fatalf("a spoiled piece: %v", err)
					}
					w.Revert(m)
				}
				n, err := w.book.Restore(w, good)
				w.did(n, err)
				if _, err := w.book.Restore(w, good); err == nil {
					t.Fatal("a piece is taken twice")
				}
			}
			after := w.load(addr)
			before.RentEpoch, before.RentMissed, before.Balance, after.Balance = after.RentEpoch, 0, 0, 0
			if after != before {
				t.Errorf("%+v, was %+v", after, before)
			}
			got := w.stored(addr)
			if len(got) != len(list) || Root(got) != Root(list) {
				t.Errorf("%d entries of %d", len(got), len(list))
			}
			if c, err := Load(w, addr); err != nil || !c.empty() {
				t.Errorf("%+v %v is left", c, err)
			}
		}
	}
}

// A restoration pays debt, surcharge and the present epoch with its first piece, and one that is not whole when the second epoch begins is undone.
// Spec: rent §9 (restoration_cost).
func TestUnfinishedRestoration(t *testing.T) {
	w := newWorld(t)
	w.p.Rent.GraceBytes = 1
	addr := w.actor(1, 0, 0)
	list := w.fill(addr, 10)
	epoch := unit.Amount(w.load(addr).StorageBytes-1) * 10
	w.evicted(addr)
	account.Save(w, account.Address{0xaa}, &account.Account{Balance: epoch*131/10 - 1})
	m := w.Mark()
	if _, err := w.book.Restore(w, piece(t, addr, list, 0, 5)); !errors.Is(err, ErrPay) {
		t.Fatalf("one unit short of 11 epochs, ten per cent and one more: %v", err)
	}
	w.Revert(m)
	if err := account.Credit(w, account.Address{0xaa}, 1); err != nil {
		t.Fatal(err)
	}
	n, err := w.book.Restore(w, piece(t, addr, list, 0, 5))
	w.did(n, err)
	for range 2 {
		w.epoch()
		w.sweep(8)
	}
	w.evicted(addr)
	if left := w.stored(addr); len(left) > 0 || !w.load(addr).Dormant {
		t.Errorf("%d entries are left", len(left))
	}
	c, err := Load(w, addr)
	if err != nil || c.Dormant.Root != Root(list) || c.Dormant.Since != 0 || c.Dormant.Restored != 0 {
		t.Errorf("%+v %v", c.Dormant, err)
	}
	account.Save(w, account.Address{0xaa}, &account.Account{Balance: epoch})
	n, err = w.book.Restore(w, piece(t, addr, list, 0, 10)) // the debt was paid
	w.did(n, err)
	if w.load(addr).Dormant {
		t.Error("still dormant")
	}
}

// TestGoldenRecords has the hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5.
func TestGoldenRecords(t *testing.T) {
	w := newWorld(t)
	clock := &Clock{Epoch: 3, Began: 40, Swept: 1, Terms: []Terms{{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}}, Sweep: 2, Cursor: account.Address{4}, Bytes: 5, State: 6}
	clock.Save(w)
	if back, err := At(w); err != nil || fmt.Sprint(back) != fmt.Sprint(clock) {
		t.Errorf("%+v %v", back, err)
	}
	record := golden.Fill(&Record{Dormant: golden.Fill(&Dormancy{})})
	if back, err := decodeRecord(record.encode()); err != nil || *back.Dormant != *record.Dormant {
		t.Errorf("%+v %v", back, err)
	}
	Eviction{Commitment: Commitment{3, make([]digest.Hash, 2)}, Bond: 9}.save(w, account.Address{1})
	stored := func(key []byte) []byte {
		value, ok, err := w.Lookup(key)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		return value
	}
	golden.Records(t, map[string][]byte{
		"Clock": stored(clockKey()), "Record": record.encode(), "Record awake": (&Record{Debt: 1}).encode(),
		"Terms": golden.Fill(&Terms{}).append(nil), "Entry": AppendEntries(nil, []Entry{{[]byte("key"), []byte("value")}}),
		"Eviction": stored(under(nameEvict, account.Address{1})),
	})
}
