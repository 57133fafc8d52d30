package relay

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// The chunks of a slot that went to another relay are pushed until that is done, a failure or an hour later too; not those of a slot that came back, nor of one
// that was not whole here.
//
// Spec: storage-cbfs §3.3 (PeerRelayPushShard).
func TestPushesWhatItGaveAway(t *testing.T) {
	push := act{what: pushing, held: Held{vol, 1}, root: root}
	away := func(s *sight) { s.holding = nil }
	begin := func() *state {
		s := newState(me)
		s.whole[Held{vol, 1}], s.collected = check{root, 600, 600}, 10_000
		return s
	}
	s := begin()
	expect(t, s.polled(seen(600, root, away)), push)
	expect(t, s.polled(seen(700, root, away))) // it is under way
	s.ended(push, true)
	expect(t, s.polled(seen(701, root, away)), push)
	s.ended(push, false)
	expect(t, s.polled(seen(800, root, away)))

	s = begin()
	expect(t, s.polled(seen(600, root, away)), push)
	s.ended(push, true)
	expect(t, s.polled(seen(600+checkBlocks, root, away)))

	s = begin()
	expect(t, s.polled(seen(600, root, away)), push)
	s.ended(push, true)
	expect(t, s.polled(seen(700, root, nil)), act{what: mending, held: Held{vol, 1}, root: root})
	if len(s.parted) != 0 {
		t.Error("a slot that came back is given away")
	}

	s = begin()
	delete(s.whole, Held{vol, 1})
	expect(t, s.polled(seen(600, root, away)))
}

// The live holder with the lowest slot of those that have confirmed a commit brings its table to live ones that have not, once for each commit and placement,
// and only when it is whole here.
//
// Spec: storage-cbfs §3.3 (ReplicatePlacement).
func TestReplicatesToWhoLacksIt(t *testing.T) {
	lacks := func(slot int) func(s *sight) {
		return func(s *sight) { s.holding[0].volume.Slots[slot].Root = before }
	}
	bring := func(slot uint8) act { return act{what: replicating, held: Held{vol, slot}, root: root, version: 4} }
	for name, c := range map[string]struct {
		change func(s *sight)
		want   []act
	}{
		"the lowest lacks it": {lacks(0), []act{bring(0)}},
		"both others lack it": {func(s *sight) { lacks(0)(s); lacks(2)(s) }, []act{bring(0), bring(2)}},
		"another one leads":   {lacks(2), nil},
		"it is not live":      {func(s *sight) { lacks(0)(s); s.holding[0].active[other] = false }, nil},
		"the leader is not live": {
			func(s *sight) { lacks(2)(s); s.holding[0].active[other] = false }, []act{bring(2)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newState(me)
			s.whole[Held{vol, 1}], s.collected = check{root, 100, 100}, 1_000
			expect(t, s.polled(seen(100, root, c.change)), c.want...)
			for _, a := range c.want {
				s.ended(a, true)
			}
			expect(t, s.polled(seen(400, root, func(s *sight) { s.me.Heartbeat = 400; c.change(s) })))
		})
	}
	s := newState(me)
	s.collected = 1_000
	expect(t, s.polled(seen(100, root, lacks(0))), mend)
}

// Who had a slot repaired tells the other holders when the chain shows it, once.
//
// Spec: storage-cbfs §3.3 (PeerPlacementUpdate), §4 (repair).
func TestTellsOfARepair(t *testing.T) {
	s := newState(me)
	s.whole[Held{vol, 1}], s.collected = check{root, 100, 100}, 1_000
	degraded := func(version uint64, relay account.Address) func(s *sight) {
		return func(s *sight) {
			v := s.holding[0].volume
			v.Version, v.Slots[0].Degraded, v.Slots[0].Relay, s.holding[0].active[other] = version, relay == other, relay, false
		}
	}
	repair := act{what: repairing, held: Held{vol, 0}, version: 4}
	expect(t, s.polled(seen(100, root, degraded(4, other))), repair)
	s.ended(repair, false)
	expect(t, s.polled(seen(101, root, degraded(4, other))))
	tell := act{what: telling, held: Held{Volume: vol}, version: 5}
	expect(t, s.polled(seen(102, root, degraded(5, account.Address{8}))), tell)
	s.ended(tell, true)
	expect(t, s.polled(seen(103, root, degraded(5, account.Address{8}))))
	if !s.knows(vol, 5) || s.knows(vol, 6) || s.knows(digest.Hash{8}, 1) {
		t.Error("what the last poll saw is not what is known")
	}
	s.asked[vol] = 5
	tell.version = 6
	expect(t, s.polled(seen(104, root, func(s *sight) { s.holding = nil })), act{what: pushing, held: Held{vol, 1}, root: root}, tell)
	s.ended(tell, true)
	s.parted = map[Held]parting{}
	expect(t, s.polled(seen(150, root, func(s *sight) { s.holding = nil; s.me.Heartbeat = 150 })))
}
