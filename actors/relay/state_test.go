package relay

import (
	"reflect"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

var (
	me, other, third = account.Address{1}, account.Address{2}, account.Address{3}
	root, before     = digest.Hash{7}, digest.Hash{6}
	vol              = digest.Hash{9}
)

// seen is a poll: this relay has slot 1 of a volume whose newest commit is root; slot 0 is another's.
func seen(height uint64, mine digest.Hash, change func(s *sight)) sight {
	s := sight{height: height, me: &reach.Relay{Owner: me, Status: "active", Heartbeat: height}, holding: []holding{{
		slot: 1, active: map[account.Address]bool{me: true, other: true, third: true},
		volume: &reach.Volume{ID: vol, Root: root, Version: 4, Status: "ACTIVE", Slots: []reach.Slot{
			{Relay: other, Root: root}, {Relay: me, Root: mine}, {Relay: third, Root: root},
		}},
	}}}
	if change != nil {
		change(&s)
	}
	return s
}

var (
	mend    = act{what: mending, held: Held{vol, 1}, root: root}
	confirm = act{what: confirming, held: Held{vol, 1}, root: root}
)

func expect(t *testing.T, got []act, want ...act) {
	t.Helper()
	if len(got) != len(want) || len(got) > 0 && !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// A slot is made whole before it is confirmed; what failed is done again, and what is under way is not done twice.
//
// Spec: storage-cbfs §2.7, §4.
func TestWholeBeforeConfirmed(t *testing.T) {
	s := newState(me)
	s.collected = 10
	expect(t, s.polled(seen(10, before, nil)), mend)
	expect(t, s.polled(seen(40, before, nil)))
	expect(t, s.ended(mend, true))
	expect(t, s.polled(seen(45, before, nil)), mend)
	expect(t, s.ended(mend, false), confirm)
	expect(t, s.polled(seen(46, before, nil)))
	expect(t, s.ended(confirm, false))
	expect(t, s.polled(seen(64, before, nil)))
	expect(t, s.polled(seen(65, before, nil)), confirm) // it did not come onto the chain
	expect(t, s.polled(seen(66, root, nil)))
	expect(t, s.rotten(vol), mend)
	expect(t, s.polled(seen(67, root, nil)))
	expect(t, s.rotten(vol)) // of what is mended another chunk is found rotten, past which the mending may be
	expect(t, s.ended(mend, false), mend)
	expect(t, s.ended(mend, false))
	s.collected = 67 + checkBlocks
	expect(t, s.polled(seen(66+checkBlocks, root, nil)))
	expect(t, s.polled(seen(67+checkBlocks, root, nil)), mend)
}

// After a commit a slot is looked at where the commit touched it, since it was whole before; at everything after 3,600 blocks however often somebody commits,
// after something was found rotten, and after a look that failed. A slot is mended once at a time.
//
// Spec: storage-cbfs §4 (self-heal), §8 (repair check).
func TestLooksAtWhatWasTouched(t *testing.T) {
	s := newState(me)
	commit := func(n byte) digest.Hash { return digest.Hash{50, n} }
	at := func(height uint64, n byte) []act {
		s.collected = height
		return s.polled(seen(height, commit(n), func(s *sight) {
			v := s.holding[0].volume
			v.Root, v.Slots[0].Root, v.Slots[2].Root = commit(n), commit(n), commit(n)
		}))
	}
	all := func(n byte) act { return act{what: mending, held: Held{vol, 1}, root: commit(n)} }
	since := func(n, before byte) act {
		a := all(n)
		a.since = commit(before)
		return a
	}
	expect(t, at(10, 0), all(0))
	expect(t, s.ended(all(0), false))
	for n := byte(1); n < 36; n++ {
		expect(t, at(10+100*uint64(n), n), since(n, n-1))
		expect(t, s.ended(since(n, n-1), false))
	}
	expect(t, at(9+checkBlocks, 36), since(36, 35))
	expect(t, s.ended(since(36, 35), false))
	expect(t, at(10+checkBlocks, 37), all(37))
	expect(t, s.rotten(vol)) // it is under way
	expect(t, at(11+checkBlocks, 38))
	expect(t, s.ended(all(37), false), all(38))
	expect(t, s.ended(all(38), false))
	expect(t, at(12+checkBlocks, 39), since(39, 38))
	expect(t, s.ended(since(39, 38), true))
	expect(t, at(13+checkBlocks, 39), all(39))
	expect(t, s.ended(all(39), false))
	expect(t, at(14+checkBlocks, 40), since(40, 39))
}

// A network that was still for long has nobody who was heard of in time. Whoever beats first gives the others a hundred blocks to do so too.
//
// Spec: storage-cbfs §4 (repair).
func TestOthersMayBeBack(t *testing.T) {
	s := newState(me)
	s.whole[Held{vol, 1}] = check{root, 5_000, 5_000}
	s.collected = 5_000
	at := func(height, heartbeat uint64) []act {
		return s.polled(seen(height, root, func(s *sight) {
			s.me.Heartbeat = heartbeat
			s.holding[0].active[other] = false
			s.holding[0].volume.Slots[0].Degraded = true
		}))
	}
	expect(t, at(5_000, 5_000-checkBlocks), act{what: beating})
	expect(t, at(5_001, 5_001))
	expect(t, at(5_000+beatBlocks-1, 5_001))
	expect(t, at(5_000+beatBlocks, 5_001), act{what: repairing, held: Held{vol, 0}, version: 4})
}

// After a day every byte is read.
//
// Spec: storage-cbfs §4 (self-heal).
func TestScrub(t *testing.T) {
	s := newState(me)
	s.polled(seen(10, root, nil))
	s.ended(mend, false)
	c := s.whole[Held{vol, 1}]
	c.looked = 10 + scrubBlocks
	s.whole[Held{vol, 1}] = c
	s.collected = 10 + scrubBlocks
	all := mend
	all.scrub = true
	expect(t, s.polled(seen(9+scrubBlocks, root, nil)))
	expect(t, s.polled(seen(10+scrubBlocks, root, nil)), all)
}

// What a poll shows is what is done: heartbeats, proofs, repairs by whoever leads, collections; and nothing for what is over.
//
// Spec: storage-cbfs §4 (relay, repair, challenge).
func TestWhatIsDone(t *testing.T) {
	ask := cbfs.Ask{Root: before, Slot: 1, Ordinal: 3, Draw: 4}
	asked := func(s *sight) { s.me.Challenges = []reach.Challenge{{ID: digest.Hash{5}, Volume: vol, Ask: ask}} }
	degraded := func(slot int) func(s *sight) {
		return func(s *sight) { s.holding[0].volume.Slots[slot].Degraded = true }
	}
	repair := func(slot uint8) act { return act{what: repairing, held: Held{vol, slot}, version: 4} }
	replicate := func(slot uint8) act { return act{what: replicating, held: Held{vol, slot}, root: root, version: 4} }
	for name, c := range map[string]struct {
		change func(s *sight)
		want   []act
	}{
		"nothing":                {nil, nil},
		"a heartbeat":            {func(s *sight) { s.me.Heartbeat = 0 }, []act{{what: beating}}},
		"not yet":                {func(s *sight) { s.me.Heartbeat = 1 }, nil},
		"the first":              {func(s *sight) { s.me.Status = "registered" }, []act{{what: beating}}},
		"after silence":          {func(s *sight) { s.me.Status = "stale" }, []act{{what: beating}}},
		"none when it left":      {func(s *sight) { s.me.Status, s.me.Heartbeat = "unstaking", 0 }, nil},
		"a challenge":            {asked, []act{{what: proving, held: Held{vol, 1}, challenge: digest.Hash{5}, ask: ask}}},
		"another one leads":      {degraded(2), nil},
		"it leads":               {func(s *sight) { degraded(2)(s); s.holding[0].active[other] = false }, []act{repair(2)}},
		"the first is silent":    {func(s *sight) { degraded(0)(s); s.holding[0].active[other] = false }, []act{repair(0)}},
		"an empty one leads not": {func(s *sight) { degraded(2)(s); s.holding[0].volume.Slots[0].Root = digest.Hash{} }, []act{repair(2), replicate(0)}},
		"what is asked about stays": {func(s *sight) {
			degraded(1)(s)
			degraded(2)(s)
			s.holding[0].active[other], s.holding[0].volume.Slots[1].Challenged = false, true
		}, []act{repair(2)}},
		"it drains": {func(s *sight) { degraded(1)(s); s.me.Status = "draining"; s.holding[0].active[me] = false }, []act{repair(1)}},
		"it was silent": {func(s *sight) {
			degraded(1)(s)
			s.me.Status, s.holding[0].active[me] = "stale", false
		}, []act{{what: beating}}},
		"too few are left": {func(s *sight) { degraded(2)(s); s.holding[0].active[other] = false; s.holding[0].volume.K = 3 }, nil},
		"its shards go":    {func(s *sight) { s.holding[0].volume.Status, s.holding[0].volume.Root = "GARBAGE_COLLECTING", before }, nil},
		"an empty volume":  {func(s *sight) { s.holding[0].volume.Root = digest.Hash{} }, nil},
		"another commit":   {func(s *sight) { s.holding[0].volume.Root = before }, []act{{what: mending, held: Held{vol, 1}, root: before, since: root}}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newState(me)
			s.whole[Held{vol, 1}], s.collected = check{root, 100, 100}, 100
			expect(t, s.polled(seen(100, root, c.change)), c.want...)
		})
	}
	s := newState(me)
	s.whole[Held{vol, 1}] = check{root, 600, 600}
	expect(t, s.polled(seen(600, root, nil)), act{what: collecting})
	expect(t, s.polled(seen(601, root, func(s *sight) { s.holding = nil })), act{what: pushing, held: Held{vol, 1}, root: root})
	if len(s.whole) != 0 {
		t.Error("what is another's now is remembered")
	}
}
