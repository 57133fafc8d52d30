package govern_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// rate is a rent of one base unit a byte and year.
var rate = &params.RentConfig{RatePerByteYear: 1}

// week is the shortest window of a rollback where an hour is a block: 7 days of 24 hours.
const week = 168

func (w *world) upload(by account.Address, source string) (hash digest.Hash, err error) {
	w.t.Helper()
	err = w.do(func(h *govern.Registry) (err error) {
		hash, err = h.Upload(by, []byte(source), rate)
		return err
	})
	return hash, err
}

func (w *world) pointer(target account.Address) govern.Pointer {
	w.t.Helper()
	all, err := govern.LoadPointers(w.overlay)
	w.must(err)
	return all.Of(target)
}

func (w *world) direct(p govern.Payload) error {
	w.t.Helper()
	return w.do(func(h *govern.Registry) error { return h.Direct(p) })
}

// begin does what the beginning of a block does with upgrades that have no migration.
func (w *world) begin() {
	w.t.Helper()
	all, err := govern.LoadPointers(w.overlay)
	w.must(err)
	for _, p := range all.Due(w.height) {
		_, err := govern.Settle(w.overlay, p.Target, w.height, nil)
		w.must(err)
	}
}

func upgrade(target account.Address, code govern.Code) *govern.SystemActorUpgrade {
	return &govern.SystemActorUpgrade{Target: target, Code: code, Window: week}
}

// Each precondition refuses what breaks it, at the limit's n-1, n and n+1: the target, the window, the delay, the migration, the code.
//
// Spec: governance-staking B8 (target deployed and not 0x09; code hash is that of uploaded code; a rollback window of at least 7 days).
func TestUpgradePreconditions(t *testing.T) {
	w := newWorld(t, 60, 40)
	hash, err := w.upload(addr(5), "def f(p): pass\n")
	w.must(err)
	with := func(change func(u *govern.SystemActorUpgrade)) *govern.SystemActorUpgrade {
		u := upgrade(treasury, govern.Python(hash))
		change(u)
		return u
	}
	const most = 90 * 24
	for name, x := range map[string]struct {
		p    govern.Payload
		good bool
	}{
		"python":                    {with(func(*govern.SystemActorUpgrade) {}), true},
		"native, known or not":      {upgrade(treasury, govern.Native(900)), true},
		"governance itself":         {upgrade(nine, govern.Native(2)), false},
		"an address of nobody":      {upgrade(account.System(0x77), govern.Native(2)), false},
		"a virtual address":         {upgrade(account.System(account.EventSubscription), govern.Native(2)), false},
		"a person":                  {upgrade(addr(4), govern.Native(2)), false},
		"what it runs":              {upgrade(treasury, govern.Native(1)), false},
		"a program nobody uploaded": {upgrade(treasury, govern.Python(digest.Hash{1})), false},
		"a window of 167 hours":     {with(func(u *govern.SystemActorUpgrade) { u.Window = week - 1 }), false},
		"a window of 169 hours":     {with(func(u *govern.SystemActorUpgrade) { u.Window = week + 1 }), true},
		"the longest window":        {with(func(u *govern.SystemActorUpgrade) { u.Window = most }), true},
		"a longer window":           {with(func(u *govern.SystemActorUpgrade) { u.Window = most + 1 }), false},
		"the longest delay":         {with(func(u *govern.SystemActorUpgrade) { u.Delay = most }), true},
		"a longer delay":            {with(func(u *govern.SystemActorUpgrade) { u.Delay = most + 1 }), false},
		"a migration":               {with(func(u *govern.SystemActorUpgrade) { u.Migration = govern.Migration{Handler: "m", Cycles: 20_000_000} }), true},
		"a migration of one more":   {with(func(u *govern.SystemActorUpgrade) { u.Migration = govern.Migration{Handler: "m", Cycles: 20_000_001} }), false},
		"a migration of nothing":    {with(func(u *govern.SystemActorUpgrade) { u.Migration.Handler = "m" }), false},
		"cycles of no handler":      {with(func(u *govern.SystemActorUpgrade) { u.Migration.Cycles = 1 }), false},
		"nothing to take back":      {&govern.SystemActorRollback{Target: treasury}, false},
	} {
		t.Run(name, func(t *testing.T) {
			mark := w.overlay.Mark()
			defer w.overlay.Revert(mark)
			if err := w.direct(x.p); (err == nil) != x.good || err != nil && !errors.Is(err, govern.ErrPayload) {
				t.Errorf("%v", err)
			}
		})
	}
	w.must(w.direct(upgrade(treasury, govern.Native(2))))
	w.refused("two at once", w.direct(upgrade(treasury, govern.Native(3))), govern.ErrPayload)
}

// An upgrade takes a proposal of tier 3 and no lower one, is scheduled from executable_at and its delay, later ones of other actors a block later each, and
// is switched at its height; rolled back, the code before is there again, in the window's last block and not in the one after it.
//
// Spec: governance-staking B3, B8 (activation_block, rollback_deadline), B10.
func TestUpgradeByProposal(t *testing.T) {
	w := newWorld(t, 60, 40)
	u := upgrade(treasury, govern.Native(2))
	u.Delay = 50
	_, err := w.submit(addr(5), w.submission(2, u))
	w.refused("tier 2", err, govern.ErrTier)
	_, err = w.submit(addr(5), w.submission(0, &govern.SystemActorRollback{Target: treasury}))
	w.refused("a rollback of tier 0", err, govern.ErrTier)
	id := w.propose(addr(5), 3, u)
	w.queued(id, 1, 2)
	p := w.load(id)
	w.to(p.ExecutableAt)
	w.must(w.execute(id))
	w.is(id, govern.Executed)
	at := p.ExecutableAt + 50
	if got := w.pointer(treasury).Next; got == nil || got.At != at {
		t.Fatalf("scheduled %+v, want block %d", got, at)
	}
	other := upgrade(bank, govern.Native(2))
	other.Delay = uint64(at - w.height)
	w.must(w.direct(other))
	if got := w.pointer(bank).Next; got.At != at+1 {
		t.Errorf("the second is due in block %d, want %d", got.At, at+1)
	}
	w.must(w.direct(&govern.SystemActorRollback{Target: bank})) // its height has not come
	w.to(at - 1)
	w.begin()
	if got := w.pointer(treasury); got.Active != govern.Native(1) {
		t.Errorf("switched early: %+v", got)
	}
	w.to(at)
	w.begin()
	if got := w.pointer(treasury); got.Active != govern.Native(2) || got.Former != govern.Native(1) || got.Until != at+week || got.Upgrades != 1 {
		t.Errorf("%+v", got)
	}
	if got := w.pointer(bank); got.Next != nil || got.Active != govern.Native(1) {
		t.Errorf("what was taken back happened: %+v", got)
	}
	w.to(at + week + 1)
	w.refused("after the window", w.direct(&govern.SystemActorRollback{Target: treasury}), govern.ErrPayload)
	w.height = at + week
	w.must(w.direct(&govern.SystemActorRollback{Target: treasury}))
	w.refused("twice", w.direct(&govern.SystemActorRollback{Target: treasury}), govern.ErrPayload)
	w.height++
	w.begin()
	if got := w.pointer(treasury); got.Active != govern.Native(1) || got.Until != 0 || got.Upgrades != 2 {
		t.Errorf("%+v", got)
	}
	w.refused("of a rollback", w.direct(&govern.SystemActorRollback{Target: treasury}), govern.ErrPayload)
}

// An upgrade can be hastened by the council, so that it can be taken back within the week in which that is possible.
//
// Spec: governance-staking B6, B8.
func TestFastRollback(t *testing.T) {
	w := newWorld(t, 60, 40)
	w.must(w.direct(upgrade(treasury, govern.Native(2))))
	w.height++
	w.begin()
	m := w.submission(3, &govern.SystemActorRollback{Target: treasury})
	_, m.Signatures = w.sign(govern.FastTrack(addr(5), m.Title, m.Payload), seven()...)
	id, err := w.submit(addr(5), m)
	w.must(err)
	w.queued(id, 1, 2)
	w.to(w.load(id).ExecutableAt)
	w.must(w.execute(id))
	w.is(id, govern.Executed)
	if p := w.pointer(treasury); p.Next == nil || !p.Next.Back || w.height > p.Until {
		t.Errorf("block %d: %+v", w.height, p)
	}
}

// A program is kept for a year and burns its rent; one more byte than there is room for is refused, and so is one of no bytes or one byte too many. What is
// uploaded again is kept a year longer, what a system actor has as long as it has it.
//
// Spec: governance-staking B8 (at most 512 KiB), B10 (51); WP §13 (rent_rate).
func TestUploads(t *testing.T) {
	const most, all = 512 << 10, 16 << 20 // bytes
	w := newWorld(t, 60, 40)
	source := func(n, size int) string { return fmt.Sprintf("%0*d", size, n) }
	for name, size := range map[string]int{"nothing": 0, "a byte too many": most + 1} {
		_, err := w.upload(addr(5), source(0, size)[:size])
		w.refused(name, err, govern.ErrCode)
	}
	before := w.balance(addr(5))
	for n := range all/most - 1 {
		_, err := w.upload(addr(5), source(n, most))
		w.must(err)
	}
	hash, err := w.upload(addr(5), source(77, most-1))
	w.must(err)
	_, err = w.upload(addr(5), source(99, 2))
	w.refused("one byte more than there is room for", err, govern.ErrFull)
	used, err := w.upload(addr(5), "9")
	w.must(err)
	_, err = w.upload(addr(5), "8")
	w.refused("a byte where there is no room", err, govern.ErrFull)
	if paid := before - w.balance(addr(5)); paid != all || w.burned != all {
		t.Errorf("paid %d and burned %d, want %d", paid, w.burned, all)
	}
	_, err = w.upload(addr(99), "9")
	var short *account.ShortfallError
	if !errors.As(err, &short) {
		t.Errorf("somebody without coins: %v", err)
	}
	w.must(w.direct(upgrade(treasury, govern.Python(used))))
	w.height = 1 + params.BlocksPerYear - 1
	w.next()
	_, kept, err := govern.Uploads(w.overlay)
	if w.must(err); kept != all {
		t.Errorf("%d bytes are kept before the year is over", kept)
	}
	_, err = w.upload(addr(5), source(77, most-1)) // for another year
	w.must(err)
	w.next()
	list, kept, err := govern.Uploads(w.overlay)
	if w.must(err); len(list) != 2 || kept != most {
		t.Errorf("%d programs of %d bytes are kept", len(list), kept)
	}
	for _, h := range []digest.Hash{hash, used} {
		if _, ok, err := govern.LoadUpload(w.overlay, h); !ok || err != nil {
			t.Errorf("%v is gone: %v", h, err)
		}
	}
}

// A parameter has to be registered before a proposal can set it; one that is may have tier 0 or 3, may get another, and is set under its own key.
//
// Spec: governance-staking B4 (RegistryUpdate), B9 (any other); WP §13.1 (any registered parameter).
func TestRegisteredParameters(t *testing.T) {
	const key = params.KeyGenericPrefix + "portal_motto"
	w := newWorld(t, 60, 40)
	set := &govern.ParamUpdate{Key: key, Value: []byte("ride on")}
	_, err := w.submit(addr(5), w.submission(3, set))
	w.refused("a key nobody registered", err, govern.ErrPayload)
	for name, p := range map[string]*govern.RegistryUpdate{
		"a key of the protocol": {Key: keyZero}, "no prefix": {Key: "system:other"}, "nothing after it": {Key: params.KeyGenericPrefix},
		"a history": {Key: params.KeyHistoryPrefix + "x"}, "tier 1": {Key: key, Tier: 1}, "tier 4": {Key: key, Tier: 4},
	} {
		_, err := w.submit(addr(5), w.submission(1, p))
		w.refused(name, err, govern.ErrPayload)
	}
	_, err = w.submit(addr(5), w.submission(0, &govern.RegistryUpdate{Key: key}))
	w.refused("a registration of tier 0", err, govern.ErrTier)
	enact := func(tier uint8, p govern.Payload) {
		t.Helper()
		id := w.propose(addr(5), tier, p)
		w.queued(id, 1, 2)
		w.to(w.load(id).ExecutableAt)
		w.must(w.execute(id))
		w.is(id, govern.Executed)
	}
	enact(1, &govern.RegistryUpdate{Key: key})
	_, err = w.submit(addr(5), w.submission(1, &govern.RegistryUpdate{Key: key}))
	w.refused("again", err, govern.ErrPayload)
	enact(0, set)
	if value, ok, err := w.overlay.Lookup(params.StateKey(key)); !ok || err != nil || string(value) != "ride on" {
		t.Errorf("%q %v %v", value, ok, err)
	}
	enact(1, &govern.RegistryUpdate{Key: key, Tier: 3})
	_, err = w.submit(addr(5), w.submission(2, set))
	w.refused("tier 2 where 3 is registered", err, govern.ErrTier)
	for n := 1; n < 256; n++ { // with the one above 256
		w.must(w.direct(&govern.RegistryUpdate{Key: fmt.Sprintf("%s%d", key, n)}))
	}
	w.refused("one too many", w.direct(&govern.RegistryUpdate{Key: key + "x"}), govern.ErrPayload)
	w.must(w.direct(&govern.RegistryUpdate{Key: key}))
}

// A migration that succeeds switches the code, one that fails leaves it and ends the upgrade; the actor is quiet in that block alone.
//
// Spec: governance-staking B8 (MigrationExecuted, MigrationFailed).
func TestSettle(t *testing.T) {
	for name, fault := range map[string]uint16{"executed": 0, "failed": 1210} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 60, 40)
			u := upgrade(treasury, govern.Native(2))
			u.Migration.Cycles = 10
			w.must(w.direct(u))
			w.height++
			w.must(govern.Begun(w.overlay, account.Treasury, w.height))
			events, err := govern.Settle(w.overlay, account.Treasury, w.height, &govern.Migrated{Used: unit.Cycles(7), Fault: fault})
			w.must(err)
			p := w.pointer(treasury)
			want, topics := govern.Native(2), []string{govern.TopicMigrated, govern.TopicUpgraded}
			if fault != 0 {
				want, topics = govern.Native(1), []string{govern.TopicUnmigrated}
			}
			if p.Active != want || p.Next != nil || p.Quiet != w.height || len(events) != len(topics) {
				t.Fatalf("%+v %+v", p, events)
			}
			for i, e := range events {
				if string(e.Topic) != topics[i] || e.Actor != nine {
					t.Errorf("event %d is %s", i, e.Topic)
				}
			}
		})
	}
}
