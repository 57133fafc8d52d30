package volume

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

const mebi = 1 << 20

// ready is a world with six relays and a volume of owner 1 with a reserve of 100 CBY.
func ready(t *testing.T) (*world, digest.Hash) {
	t.Helper()
	w := newWorld(t)
	for n := range 6 {
		w.join(n)
	}
	id, err := w.create(1, "docs", 1_100*cby)
	w.must(err)
	return w, id
}

// What a volume costs and relays earn, in base units by hand. 40 MiB in shards of 4 + 2 are 60 MiB on relays, 10 in each slot; a MiB costs 1,000,000 an epoch
// and 10,000 once.
//
//	created      1,000 CBY: 100 burned, 20 to 0x0A, 880 in the pot
//	committed    60 × 10,000 = 600,000: 60,000 burned, 12,000 to the pool, 528,000 in the pot
//	epoch 2      60 × 1,000,000 = 60,000,000: 6,000,000 burned, 1,200,000 to the pool, 52,800,000 in the pot
//	epoch 3      the same, and each relay has 10 of 60 of 880,053,328,000: 146,675,554,666; 4 are left, and go into the next pot
//	epoch 4      each relay has 20 of 120 of 52,800,004: 8,800,000; 4 are left
//
// Spec: storage-cbfs §4, §6.
func TestRentAndPayouts(t *testing.T) {
	w, id := ready(t)
	w.end(10)
	w.write(1, id, 40*mebi, 1)
	if got := w.relay(0); got.Shards != 10 || got.Used != 10*mebi {
		t.Errorf("%d shards, %d bytes", got.Shards, got.Used)
	}
	check := func(epoch uint64, reserve, pool, earned, burned unit.Amount) {
		t.Helper()
		k, err := relay.LoadClock(w.s)
		w.must(err)
		if v := w.volume(id); k.Epoch != epoch || v.Reserve != reserve || k.Pool != pool || w.g.Burned != burned {
			t.Errorf("epoch %d: reserve %d, pool %d, burned %d", k.Epoch, v.Reserve, k.Pool, w.g.Burned)
		}
		for n := range 6 {
			if got := w.balance(holder(n)) - 995_000*cby; got != earned {
				t.Errorf("epoch %d: relay %d has earned %d, want %d", k.Epoch, n, got, earned)
			}
		}
	}
	const first = 100*cby - 600_000
	check(1, first, 12_000, 0, 100*cby+60_000)
	w.end(1_009)
	check(2, first, 12_000, 0, 100*cby+60_000)
	w.end(1_010)
	check(2, first-60_000_000, 1_212_000, 0, 100*cby+6_060_000)
	w.end(2_010)
	check(3, first-120_000_000, 2_412_000, 146_675_554_666, 100*cby+12_060_000)
	w.end(3_010)
	check(4, first-180_000_000, 3_612_000, 146_684_354_666, 100*cby+18_060_000)
	if got := w.balance(Home()); got != 20*cby {
		t.Errorf("0x0A has %d", got)
	}
	s, err := LoadSummary(w.s, owner(1))
	if w.must(err); *s != (Summary{Volumes: 1, Effective: 60 * mebi, Billed: 4, Reserved: first - 180_000_000}) {
		t.Errorf("%+v", s)
	}
}

// The states of a volume that does not pay: the reserve is for two epochs and a half of 60,000,000. What the documents call grace is 500 blocks here.
//
// Spec: storage-cbfs §4, §6.
func TestGraceAndDeletion(t *testing.T) {
	for name, c := range map[string]struct {
		act    func(w *world, id digest.Hash) // in block 3,500, in grace since 3,010
		at     unit.Height
		status Status
		owed   unit.Amount
		left   unit.Amount // in the reserve
	}{
		"nothing":                        {func(*world, digest.Hash) {}, 3_509, Grace, 60_000_000, 30_000_000},
		"nothing, and the grace is over": {func(*world, digest.Hash) {}, 3_510, Deleted, 60_000_000, 30_000_000},
		"nothing, to the end":            {func(*world, digest.Hash) {}, 4_010, Collecting, 0, 0},
		"too little":                     {func(w *world, id digest.Hash) { w.must(w.topUp(2, id, 29_999_999)) }, 3_509, Grace, 60_000_000, 59_999_999},
		"enough":                         {func(w *world, id digest.Hash) { w.must(w.topUp(2, id, 30_000_000)) }, 3_900, Active, 0, 0},
		"and an epoch later":             {func(w *world, id digest.Hash) { w.must(w.topUp(2, id, 30_000_000)) }, 4_010, Grace, 60_000_000, 0},
		"for two epochs":                 {func(w *world, id digest.Hash) { w.must(w.topUp(2, id, 90_000_000)) }, 4_010, Active, 0, 0},
		"deleted":                        {func(w *world, id digest.Hash) { w.must(w.m.Delete(owner(1), id)) }, 3_999, Deleted, 60_000_000, 30_000_000},
		"deleted, to the end":            {func(w *world, id digest.Hash) { w.must(w.m.Delete(owner(1), id)) }, 4_000, Collecting, 0, 0},
		"deleted and taken back": {func(w *world, id digest.Hash) {
			w.must(w.m.Delete(owner(1), id))
			w.try(ErrReserve, func() error { return w.m.Undelete(owner(1), id) })
			w.must(w.topUp(1, id, 90_000_000-1))
			w.try(ErrReserve, func() error { return w.m.Undelete(owner(1), id) })
			w.must(w.topUp(1, id, 1))
			w.must(w.m.Undelete(owner(1), id))
		}, 3_999, Active, 0, 60_000_000},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.g.Terms.Rent.GraceBlocks = 500
			for n := range 6 {
				w.join(n)
			}
			id, err := w.create(1, "docs", 1_000*cby+600_000+150_000_000)
			w.must(err)
			w.write(1, id, 40*mebi, 1)
			w.end(3_009)
			if v := w.volume(id); v.Status != Active || v.Reserve != 30_000_000 {
				t.Fatalf("%v with %d", v.Status, v.Reserve)
			}
			w.end(3_499)
			if v := w.volume(id); v.Status != Grace || v.Accrued != 60_000_000 {
				t.Fatalf("%v owes %d", v.Status, v.Accrued)
			}
			w.try(ErrReserve, func() error { return w.m.Commit(owner(1), id, nil, fill(w.volume(id), 1, 2).Commit) })
			c.act(w, id)
			w.end(c.at)
			if v := w.volume(id); v.Status != c.status || v.Accrued != c.owed || v.Reserve != c.left {
				t.Errorf("%v owes %d and has %d", v.Status, v.Accrued, v.Reserve)
			}
		})
	}
}

// A deleted volume can be taken back for so long, then its shards go, then it is gone and its name free. Who deletes it over the turn of an epoch pays the
// rent of that epoch all the same.
//
// Spec: storage-cbfs §4.
func TestDeletionToTheEnd(t *testing.T) {
	w, id := ready(t)
	w.g.Terms.Rent.GraceBlocks = 2_000
	w.write(1, id, 40*mebi, 1)
	w.end(999)
	w.try(ErrAuth, func() error { return w.m.Delete(owner(2), id) })
	w.must(w.m.Delete(owner(1), id)) // in block 1,000 of epoch 1
	w.try(ErrDeleted, func() error { return w.m.Delete(owner(1), id) })
	w.try(ErrDeleted, func() error { return w.m.SetExpiry(owner(1), id, 9_999) })
	w.end(1_500)
	if v := w.volume(id); v.Status != Deleted || v.Requested != 1 || v.Billed != 2 || v.Reserve != 100*cby-60_600_000 {
		t.Errorf("%+v", v)
	}
	w.try(nil, func() error { return w.m.Undelete(owner(1), id) })
	w.try(ErrInvalid, func() error { return w.m.Undelete(owner(1), id) })
	w.must(w.m.Delete(owner(1), id)) // in block 1,501
	w.end(3_500)
	if v := w.volume(id); v.Status != Deleted {
		t.Errorf("%v", v.Status)
	}
	before := w.balance(owner(1))
	w.end(3_501)
	v := w.volume(id)
	if v.Status != Collecting || v.Reserve != 0 || w.balance(owner(1))-before != 100*cby-180_600_000 {
		t.Errorf("%v, %d came back", v.Status, w.balance(owner(1))-before)
	}
	if r := w.relay(0); r.Slots != 0 || r.Shards != 0 || r.Used != 0 {
		t.Errorf("%+v", r)
	}
	if _, err := relay.LoadPlacement(w.s, id); err != relay.ErrNotFound {
		t.Error(err)
	}
	for name, run := range map[string]func() error{
		"undelete": func() error { return w.m.Undelete(owner(1), id) }, "top up": func() error { return w.topUp(1, id, 1) },
		"commit": func() error { return w.m.Commit(owner(1), id, nil, Commit{}) }, "repair": func() error { return w.m.Repair(owner(1), id, 0, 1) },
	} {
		t.Run(name, func(t *testing.T) { w.try(ErrCollected, run) })
	}
	w.try(ErrConflict, func() error { _, err := w.create(1, "docs", 1_000*cby); return err })
	w.skip(3_501 + 86_400 - 1)
	w.must(w.m.End())
	w.volume(id)
	w.skip(3_501 + 86_400)
	w.must(w.m.End())
	if _, err := Load(w.s, id); err != ErrNotFound {
		t.Error(err)
	}
	if s, err := LoadSummary(w.s, owner(1)); err != nil || *s != (Summary{}) {
		t.Errorf("%+v %v", s, err)
	}
	w.try(relay.ErrCapacity, func() error { _, err := w.create(1, "docs", 1_000*cby); return err }) // nobody was heard of since
	for n := range 6 {
		w.must(w.g.Heartbeat(holder(n)))
	}
	w.try(nil, func() error { _, err := w.create(1, "docs", 1_000*cby); return err })
	w.sums()
}

// Spec: storage-cbfs §3.1 (set expiry), §4.
func TestExpiry(t *testing.T) {
	w, id := ready(t)
	for name, c := range map[string]struct {
		at  unit.Height
		err error
	}{"past": {9, ErrInvalid}, "now": {10, ErrInvalid}, "next": {11, nil}, "never": {0, nil}} {
		t.Run(name, func(t *testing.T) { w.try(c.err, func() error { return w.m.SetExpiry(owner(1), id, c.at) }) })
	}
	w.must(w.m.SetExpiry(owner(1), id, 700))
	w.must(w.m.SetExpiry(owner(1), id, 600))
	if w.end(599); w.volume(id).Status != Active {
		t.Error("too early")
	}
	if w.end(600); w.volume(id).Status != Deleted {
		t.Error("it stays")
	}
	if _, ok, err := w.s.Lookup(dueKey(700, id)); ok || err != nil {
		t.Error("the old block is still noted", err)
	}
}

// Over HTTP: what is served, what is not, and how that is told.
//
// Spec: storage-cbfs §4, §9.
func TestHTTP(t *testing.T) {
	for status, want := range map[Status]struct {
		code int
		err  error
	}{Active: {200, nil}, Grace: {200, nil}, Deleted: {503, ErrDeleted}, Collecting: {410, ErrCollected}} {
		t.Run(status.String(), func(t *testing.T) {
			if code, err := status.HTTP(); code != want.code || err != want.err {
				t.Error(code, err)
			}
		})
	}
}

// A volume that changes hands keeps its identity and reserve, and its tokens end; both may then have a volume of the name.
//
// Spec: storage-cbfs §2.1, §3.1.
func TestTransfer(t *testing.T) {
	w, id := ready(t)
	w.write(1, id, 40*mebi, 1)
	token, err := w.m.Grant(owner(1), id, digest.Hash{1}, Permission{Grantee: holder(9), Mode: 2, MaxBytes: 5, Until: 500})
	w.must(err)
	for name, run := range map[string]func() error{
		"by a stranger": func() error { return w.m.Transfer(owner(2), id, owner(3)) }, "unoffered": func() error { return w.m.Accept(owner(2), id) },
		"to nobody": func() error { return w.m.Accept(account.Address{}, id) },
	} {
		t.Run(name, func(t *testing.T) { w.try(ErrAuth, run) })
	}
	w.try(ErrInvalid, func() error { return w.m.Transfer(owner(1), id, owner(1)) })
	w.try(ErrInvalid, func() error { return w.m.Transfer(owner(1), id, relay.Home()) })
	w.must(w.m.Transfer(owner(1), id, owner(2)))
	w.try(ErrAuth, func() error { return w.m.Accept(owner(3), id) })
	w.try(ErrConflict, func() error {
		if _, err := w.create(2, "docs", 1_000*cby); err != nil {
			return err
		}
		return w.m.Accept(owner(2), id)
	})
	w.must(w.m.Accept(owner(2), id))
	w.try(ErrAuth, func() error { return w.m.Delete(owner(1), id) })
	if _, err := LoadToken(w.s, token); err != ErrNotFound {
		t.Error(err)
	}
	if got, err := Find(w.s, owner(2), "docs"); err != nil || got != id {
		t.Error(got, err)
	}
	one, _ := LoadSummary(w.s, owner(1))
	two, err := LoadSummary(w.s, owner(2))
	if w.must(err); *one != (Summary{}) || *two != (Summary{1, 60 * mebi, 1, 100*cby - 600_000}) {
		t.Errorf("%+v %+v", one, two)
	}
	w.try(ErrConflict, func() error { _, err := w.create(1, "docs", 1_000*cby); return err }) // its identity is taken
	w.sums()
}

// The volumes of an owner whose storage was evicted are deleted when the next epoch's sweep meets them, wherever they stand; who is restored in the grace takes
// them back, and else the reserve comes back to the owner.
//
// Spec: WP §7.3 (until the owning account is evicted).
func TestEvictedOwner(t *testing.T) {
	for name, restored := range map[string]bool{"for good": false, "and restored": true} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.g.Terms.Rent.GraceBlocks = 500
			for n := range 6 {
				w.join(n)
			}
			first, err := w.create(1, "docs", 1_100*cby)
			w.must(err)
			other, err := w.create(2, "docs", 1_100*cby)
			w.must(err)
			dormant := func(is bool) {
				a, err := account.Load(w.s, owner(1))
				w.must(err)
				a.Kind, a.Dormant = account.Actor, is
				account.Save(w.s, owner(1), &a)
			}
			w.end(20)
			dormant(true)
			w.end(1_009)
			if v := w.volume(first); v.Status != Active {
				t.Fatalf("before the sweep it is %v", v.Status)
			}
			w.end(1_010)
			if v, u := w.volume(first), w.volume(other); v.Status != Deleted || v.Requested != 2 || u.Status != Active {
				t.Fatalf("%v in epoch %d, and another owner's %v", v.Status, v.Requested, u.Status)
			}
			if restored {
				dormant(false)
				w.must(w.m.Undelete(owner(1), first))
				w.end(2_010)
				if v := w.volume(first); v.Status != Active {
					t.Errorf("it is %v", v.Status)
				}
				return
			}
			w.end(1_510)
			if v := w.volume(first); v.Status != Collecting || w.balance(owner(1)) != 1_000_000*cby-1_000*cby {
				t.Errorf("it is %v, its owner has %d", v.Status, w.balance(owner(1)))
			}
		})
	}
}
