package volume

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// holderOf is whose relay has a slot.
func (w *world) holderOf(id digest.Hash, slot uint8) (account.Address, *relay.Relay) {
	w.t.Helper()
	p, err := relay.LoadPlacement(w.s, id)
	w.must(err)
	r, err := relay.Load(w.s, p.Slots[slot].Relay)
	w.must(err)
	return p.Slots[slot].Relay, r
}

func (w *world) challenge(by byte, id digest.Hash, slot uint8, coins unit.Amount) (digest.Hash, error) {
	if err := account.Move(w.s, owner(by), relay.Home(), coins); err != nil {
		return digest.Hash{}, err
	}
	return w.g.Challenge(owner(by), id, slot, coins)
}

// stocked is ready with content that all relays have confirmed, and a pool of 1,003 CBY: three more than bounties leave in it.
func stocked(t *testing.T) (*world, digest.Hash, *content) {
	t.Helper()
	w, id := ready(t)
	w.must(account.Move(w.s, owner(9), relay.Home(), 1_000*cby))
	w.g.Terms.Rent.PoolBPS, w.g.Terms.Rent.BurnBPS = 10_000, 0
	w.must(w.g.Share(1_000 * cby))
	w.g.Terms.Rent.PoolBPS, w.g.Terms.Rent.BurnBPS = 200, 1_000
	w.end(10)
	return w, id, w.write(1, id, 40*mebi, 1)
}

// The outcomes of a challenge that owner 3 gives 11 CBY for, in block 11, with a pool of 1,000.000012 CBY before. A bounty is 5 CBY at most, and leaves 1,000
// CBY in the pool.
//
//	proven    the relay has the fee, the challenger the bond
//	missed    50 CBY: 5 burned, 1 to the pool, 44 in the pot; the challenger has all back, and what the pool can give
//	fraud     500 CBY: 50 burned, 10 to the pool, 440 in the pot; the same
//	void      all comes back
//
// Spec: storage-cbfs §4 (challenge), §6.
func TestOutcomesOfChallenges(t *testing.T) {
	const before = 12_000 // over 1,000 CBY
	for name, c := range map[string]struct {
		act                  func(w *world, who account.Address, volume, id digest.Hash, c *content)
		said                 string
		relay, stake, gained unit.Amount // what the relay was paid, what it has at stake, what the challenger has gained
		lost                 bool
		misses               uint8
		pool                 unit.Amount // over 1,000 CBY
	}{
		"proven": {func(w *world, who account.Address, _, id digest.Hash, c *content) {
			ask, err := relay.LoadChallenge(w.s, id)
			w.must(err)
			right, err := w.g.Prove(who, id, c.answer(ask))
			if w.must(err); !right {
				t.Error("refused")
			}
		}, relay.TopicProven, cby, 5_000 * cby, 0, true, 0, before},
		"keeps nothing": {func(w *world, _ account.Address, _, _ digest.Hash, _ *content) { w.end(611) },
			relay.TopicMissed, 0, 4_950 * cby, cby + before, false, 1, 0},
		"in time no more": {func(w *world, who account.Address, _, id digest.Hash, c *content) {
			ask, err := relay.LoadChallenge(w.s, id)
			w.must(err)
			w.at(612)
			w.try(relay.ErrChallenge, func() error { _, err := w.g.Prove(who, id, c.answer(ask)); return err })
			w.end(612)
		}, relay.TopicMissed, 0, 4_950 * cby, cby + before, false, 1, 0},
		"rotten": {func(w *world, who account.Address, _, id digest.Hash, c *content) {
			ask, err := relay.LoadChallenge(w.s, id)
			w.must(err)
			p := c.answer(ask)
			p.Block = append([]byte{}, p.Block...)
			p.Block[0] ^= 1
			right, err := w.g.Prove(who, id, p)
			if w.must(err); right {
				t.Error("believed")
			}
		}, relay.TopicFraud, 0, 4_500 * cby, 5 * cby, false, 0, 5*cby + before},
		"deleted": {func(w *world, _ account.Address, volume, _ digest.Hash, _ *content) {
			w.g.Terms.Rent.GraceBlocks = 5
			w.must(w.m.Delete(owner(1), volume))
			w.end(18)
		}, relay.TopicVoid, 0, 5_000 * cby, 0, false, 0, before},
	} {
		t.Run(name, func(t *testing.T) {
			w, volume, content := stocked(t)
			who, _ := w.holderOf(volume, 2)
			coins, own := w.balance(owner(3)), w.balance(who)
			id, err := w.challenge(3, volume, 2, 11*cby)
			w.must(err)
			w.try(relay.ErrAsked, func() error { _, err := w.challenge(4, volume, 2, 11*cby); return err })
			w.try(relay.ErrChallenge, func() error { _, err := w.g.Prove(who, id, new(cbfs.Proof)); return err }) // it is not drawn yet
			w.end(12)
			w.try(relay.ErrAuth, func() error { _, err := w.g.Prove(owner(3), id, new(cbfs.Proof)); return err })
			c.act(w, who, volume, id, content)
			w.sums()
			if w.count(c.said) != 1 {
				t.Errorf("%v", w.said)
			}
			r, err := relay.Load(w.s, who)
			w.must(err)
			k, err := relay.LoadClock(w.s)
			w.must(err)
			if r.Stake != c.stake || r.Misses != c.misses || w.balance(who)-own != c.relay {
				t.Errorf("stake %d, %d misses, %d paid", r.Stake, r.Misses, w.balance(who)-own)
			}
			gained := int64(w.balance(owner(3))) - int64(coins)
			if c.lost {
				gained += int64(cby)
			}
			if gained != int64(c.gained) || k.Pool != 1_000*cby+c.pool {
				t.Errorf("the challenger gains %d, the pool has %d", gained, k.Pool)
			}
			if _, err := relay.LoadChallenge(w.s, id); err != relay.ErrChallenge {
				t.Error(err)
			}
		})
	}
}

// A relay finds what it is asked, however many others are asked something before.
//
// Spec: storage-cbfs §2.7, §4 (challenge).
func TestOpenChallengesAreFound(t *testing.T) {
	w, id, _ := stocked(t)
	for slot := range uint8(6) {
		w.at(11 + unit.Height(slot))
		_, err := w.challenge(3, id, slot, 11*cby)
		w.must(err)
	}
	for slot := range uint8(6) {
		who, _ := w.holderOf(id, slot)
		open, err := relay.OpenChallenges(w.s, who, 1)
		if w.must(err); len(open) != 1 {
			t.Fatalf("slot %d: %d challenges", slot, len(open))
		}
		if c, err := relay.LoadChallenge(w.s, open[0]); err != nil || c.Relay != who || c.Slot != slot {
			t.Errorf("slot %d: %+v %v", slot, c, err)
		}
	}
	w.end(700)
	for slot := range uint8(6) {
		who, _ := w.holderOf(id, slot)
		if open, err := relay.OpenChallenges(w.s, who, 1); err != nil || len(open) != 0 {
			t.Errorf("slot %d: %d challenges %v", slot, len(open), err)
		}
	}
}

// What somebody's challenge is about is drawn at the end of the next block, from a seed that its block did not have.
//
// Spec: storage-cbfs §6 (beacon-derived).
func TestDrawnFromALaterSeed(t *testing.T) {
	w, id, _ := stocked(t)
	asked, err := w.challenge(3, id, 2, 11*cby)
	w.must(err)
	chunks := func() *relay.Challenge {
		c, err := relay.LoadChallenge(w.s, asked)
		w.must(err)
		return c
	}
	if c := chunks(); c.Drawn {
		t.Errorf("%+v", c)
	}
	w.end(11)
	if c := chunks(); c.Drawn || w.count(relay.TopicChallenged) != 0 {
		t.Errorf("at the end of its own block: %+v", c)
	}
	p, err := relay.LoadPlacement(w.s, id)
	w.must(err)
	w.end(12)
	w.at(12)
	ordinal, draw := cbfs.Range(cbfs.Randomness(w.g.Beacon), asked, p.Slots[2].Chunks)
	if c := chunks(); !c.Drawn || c.Ordinal != ordinal || c.Draw != draw || c.Deadline != 611 || w.count(relay.TopicChallenged) != 1 {
		t.Errorf("%+v, want %d and %d", c, ordinal, draw)
	}
}

// Bond and fee are 11 CBY, what is challenged was confirmed, and what was superseded can be challenged for a day.
//
// Spec: storage-cbfs §2.7, §4, §6; WP §7.3.
func TestWhatCanBeChallenged(t *testing.T) {
	w, id, _ := stocked(t)
	try := func(want error, slot uint8, coins unit.Amount) {
		t.Helper()
		mark := w.s.Mark()
		w.try(want, func() error { _, err := w.challenge(3, id, slot, coins); return err })
		w.s.Revert(mark)
	}
	try(nil, 5, 11*cby)
	try(relay.ErrBond, 5, 11*cby-1)
	try(relay.ErrBond, 5, 11*cby+1)
	try(relay.ErrNotFound, 6, 11*cby)
	w.must(w.m.Commit(owner(1), id, nil, fill(w.volume(id), 8*mebi, 2).Commit))
	for _, c := range []struct {
		at  unit.Height
		err error
	}{{11, nil}, {11 + relay.OrphanBlocks - 1, nil}, {11 + relay.OrphanBlocks, relay.ErrNotFound}} {
		t.Run(fmt.Sprint(c.at), func(t *testing.T) {
			w.at(c.at)
			w.try(c.err, func() error {
				mark := w.s.Mark()
				defer w.s.Revert(mark)
				_, err := w.challenge(3, id, 5, 11*cby)
				return err
			})
		})
	}
	w.must(w.g.Lapse(id))
	if _, r := w.holderOf(id, 5); r.Shards != 0 || r.Used != 0 {
		t.Errorf("%+v", r)
	}
	w.at(11 + relay.OrphanBlocks)
	w.confirm(id)
	try(nil, 5, 11*cby)
}

// A relay that was not heard of for 3,600 blocks does not lead, and its slot may be another's; a heartbeat in time keeps both. Whoever gets the slot has 3,600
// blocks to confirm it before it may be given away again.
//
// Spec: storage-cbfs §4 (repair: the live holder with the lowest slot), §8 (repair check), §11 (5).
func TestSilentRelayLosesItsSlot(t *testing.T) {
	w, id, _ := stocked(t)
	w.join(6)
	silent, r := w.holderOf(id, 0)
	first, _ := w.holderOf(id, 1)
	others := func() {
		for n := range 7 {
			if holder(n) != silent {
				w.must(w.g.Heartbeat(holder(n)))
			}
		}
	}
	last := r.Beat + relay.RepairBlocks
	w.at(last - 1)
	others()
	w.try(relay.ErrAlive, func() error { return w.m.Repair(silent, id, 0, 1) })
	w.try(relay.ErrAlive, func() error { return w.m.Repair(first, id, 0, 1) })
	w.at(last)
	w.must(w.m.Repair(first, id, 0, 1))
	if who, _ := w.holderOf(id, 0); who != holder(6) {
		t.Error(who)
	}
	w.join(7)
	w.try(relay.ErrAlive, func() error { return w.m.Repair(first, id, 0, 2) }) // it has as long to confirm
	others()
	w.at(last + relay.RepairBlocks - 1)
	w.must(w.g.Heartbeat(holder(7)))
	others()
	w.try(relay.ErrAlive, func() error { return w.m.Repair(first, id, 0, 2) })
	w.at(last + relay.RepairBlocks)
	w.must(w.m.Repair(first, id, 0, 2))
	if who, _ := w.holderOf(id, 0); who != holder(7) {
		t.Error(who)
	}
}

// A relay that is asked for a block hands the slot to nobody first, not even with the help of whoever leads or owns the volume: it answers, or it misses.
//
// Spec: storage-cbfs §2.7, §4 (challenge, repair), §6 (penalties).
func TestNoRepairInsteadOfAnAnswer(t *testing.T) {
	for name, answers := range map[string]bool{"it answers": true, "it does not": false} {
		t.Run(name, func(t *testing.T) {
			w, id, content := stocked(t)
			w.join(6)
			who, _ := w.holderOf(id, 2)
			lead, _ := w.holderOf(id, 0)
			asked, err := w.challenge(3, id, 2, 11*cby)
			w.must(err)
			w.must(w.g.Drain(who))
			for _, by := range [...]account.Address{who, lead, owner(1)} {
				w.try(relay.ErrAsked, func() error { return w.m.Repair(by, id, 2, 1) })
			}
			stake := 4_950 * cby
			w.end(12)
			if answers {
				ask, err := relay.LoadChallenge(w.s, asked)
				w.must(err)
				if right, err := w.g.Prove(who, asked, content.answer(ask)); err != nil || !right {
					t.Fatal(right, err)
				}
				stake = 5_000 * cby
			} else {
				w.end(611)
			}
			w.must(w.m.Repair(who, id, 2, 1))
			r, err := relay.Load(w.s, who)
			if w.must(err); r.Stake != stake || r.Slots != 0 {
				t.Errorf("stake %d, %d slots", r.Stake, r.Slots)
			}
			w.sums()
		})
	}
}

// The chain asks each relay once in 7,200 blocks, for a block that a keeper has. A relay that answers nothing loses 50 CBY twice and then 50 and 2,000, is
// evicted, earns nothing, and has what is left a day later; its slot is another's when the volume's owner asks.
//
// Spec: storage-cbfs §4, §6, §8.
func TestChainChallengesAndEviction(t *testing.T) {
	w, id, content := stocked(t)
	w.must(w.m.TopUp(id, w.give(1, 100*cby)))
	w.join(6)
	lazy, _ := w.holderOf(id, 0)
	for w.m.Height < 22_500 {
		w.end(w.m.Height + 99)
		for n := range 7 {
			if holder(n) != lazy {
				w.must(w.g.Heartbeat(holder(n)))
			}
			open, err := relay.OpenChallenges(w.s, holder(n), 100)
			w.must(err)
			for _, one := range open {
				ask, err := relay.LoadChallenge(w.s, one)
				w.must(err)
				if ask.Relay == lazy {
					continue
				}
				if right, err := w.g.Prove(ask.Relay, one, content.answer(ask)); err != nil || !right {
					t.Fatal(right, err)
				}
			}
		}
	}
	r, err := relay.Load(w.s, lazy)
	w.must(err)
	if r.Status != relay.Unstaking || r.Cause != relay.Evicted || r.Lost != 3 || r.Stake != 2_850*cby || r.Seat != 0 {
		t.Fatalf("%+v", r)
	}
	if got := w.count(relay.TopicProven); got != 15 {
		t.Errorf("%d proven", got)
	}
	if got := w.balance(Home()); got != 20*cby-18*cby/1_000 {
		t.Errorf("0x0A has %d", got)
	}
	w.try(relay.ErrStatus, func() error { return w.g.Heartbeat(lazy) })
	w.try(relay.ErrEarly, func() error { return w.g.Withdraw(lazy) })
	w.try(relay.ErrConflict, func() error { return w.m.Repair(owner(1), id, 0, 2) })
	w.try(relay.ErrAuth, func() error { return w.m.Repair(owner(2), id, 0, 1) })
	w.try(relay.ErrAlive, func() error { return w.m.Repair(owner(1), id, 1, 1) })
	w.try(relay.ErrNotFound, func() error { return w.m.Repair(owner(1), id, 6, 1) })
	lead, _ := w.holderOf(id, 1)
	other, _ := w.holderOf(id, 2)
	w.try(relay.ErrAuth, func() error { return w.m.Repair(other, id, 0, 1) })
	w.must(w.m.Repair(lead, id, 0, 1))
	if who, r := w.holderOf(id, 0); who != holder(6) || r.Slots != 1 || r.Shards != 0 {
		t.Errorf("%v %+v", who, r)
	}
	w.skip(r.Unlock - 1)
	w.try(relay.ErrEarly, func() error { return w.g.Withdraw(lazy) })
	w.skip(r.Unlock)
	before := w.balance(lazy)
	w.must(w.g.Withdraw(lazy))
	if w.balance(lazy)-before != 2_850*cby {
		t.Errorf("%d", w.balance(lazy)-before)
	}
	if _, err := relay.Load(w.s, lazy); err != relay.ErrUnknown {
		t.Error(err)
	}
	w.sums()
}

// What the chain asks of a relay ends its row of misses, and what anybody else does, who may be the relay itself, does not: the third miss evicts it.
//
// Spec: storage-cbfs §4 (three misses in a row).
func TestWhoEndsARowOfMisses(t *testing.T) {
	for name, c := range map[string]struct {
		chain  bool
		misses uint8
	}{"the chain": {true, 1}, "somebody": {false, 3}} {
		t.Run(name, func(t *testing.T) {
			w, id, content := stocked(t)
			who, _ := w.holderOf(id, 0)
			miss := func() {
				_, err := w.challenge(3, id, 0, 11*cby)
				w.must(err)
				w.must(w.g.Heartbeat(who))
				w.end(w.m.Height + 601)
			}
			miss()
			miss()
			var open []digest.Hash
			for c.chain && len(open) == 0 {
				w.must(w.g.Heartbeat(who))
				w.end(w.m.Height + 1)
				var err error
				open, err = relay.OpenChallenges(w.s, who, 1)
				w.must(err)
			}
			if !c.chain {
				one, err := w.challenge(3, id, 0, 11*cby)
				w.must(err)
				open = append(open, one)
				w.end(w.m.Height + 1)
			}
			ask, err := relay.LoadChallenge(w.s, open[0])
			w.must(err)
			if right, err := w.g.Prove(who, open[0], content.answer(ask)); err != nil || !right {
				t.Fatal(right, err)
			}
			miss()
			r, err := relay.Load(w.s, who)
			w.must(err)
			if r.Misses != c.misses || (r.Cause == relay.Evicted) == c.chain {
				t.Errorf("%d misses, %v for %v", r.Misses, r.Status, r.Cause)
			}
		})
	}
}

// give moves coins of an owner to 0x0A, for a call that takes them.
func (w *world) give(by byte, coins unit.Amount) unit.Amount {
	w.t.Helper()
	w.must(account.Move(w.s, owner(by), Home(), coins))
	return coins
}

// Without fuel at 0x0A the chain's challenges pause, which is said once; with some they go on.
//
// Spec: storage-cbfs §6 (PorChallengePaused).
func TestFuel(t *testing.T) {
	w, _, _ := stocked(t)
	w.must(account.Move(w.s, Home(), owner(0), w.balance(Home())-2*cby/1_000+1))
	w.end(7_300)
	if w.count(relay.TopicChallenged) != 1 || w.count(relay.TopicPaused) != 1 || w.count(relay.TopicResumed) != 0 {
		t.Errorf("%d %d", w.count(relay.TopicChallenged), w.count(relay.TopicPaused))
	}
	w.give(0, cby)
	w.end(14_600)
	if w.count(relay.TopicChallenged) != 7 || w.count(relay.TopicPaused) != 1 || w.count(relay.TopicResumed) != 1 {
		t.Errorf("%d %d %d", w.count(relay.TopicChallenged), w.count(relay.TopicPaused), w.count(relay.TopicResumed))
	}
}
