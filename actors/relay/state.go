package relay

import (
	"maps"
	"slices"

	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// When things are done, in blocks.
const (
	beatBlocks    = 100
	checkBlocks   = 3_600  // Spec: storage-cbfs §8 (repair check).
	scrubBlocks   = 86_400 // that every byte is read
	collectBlocks = 600
	againBlocks   = 20 // after something was sent and nothing came of it
)

// sight is what one poll saw.
type sight struct {
	height  uint64
	me      *reach.Relay
	holding []holding
}

// holding is a slot with its volume, and which relays of the volume are live: active, and heard of in time.
type holding struct {
	slot   uint8
	volume *reach.Volume
	active map[account.Address]bool
}

// act is something to do. It is comparable, so that it is under way once.
type act struct {
	what      what
	held      Held
	root      digest.Hash // to confirm, to mend, to push or to replicate
	version   uint64      // of the placement: to repair, to replicate or to tell of
	challenge digest.Hash // to prove
	ask       cbfs.Ask
	since     digest.Hash // to mend: that of an earlier commit which was found whole; zero to look at everything
	scrub     bool        // to read every byte
}

type what uint8

const (
	beating what = iota
	proving
	confirming
	repairing
	mending
	collecting
	pushing
	replicating
	telling
)

// String names what is done.
func (w what) String() string {
	return [...]string{"heartbeat", "proof", "confirmation", "repair", "mending", "collection", "push", "replication", "announcement"}[w]
}

// check is of which commit a slot was found whole last, and when everything of it was looked at, and read.
type check struct {
	root             digest.Hash
	looked, scrubbed uint64
}

// parting is a slot that was whole here and that the chain has given to another relay: the commit, and how long its chunks are pushed.
type parting struct {
	root  digest.Hash
	until uint64
}

// state decides what a relay does. It has no clock: time is the height of a poll.
type state struct {
	me        account.Address
	under     map[act]bool   // way, and not to be done twice
	sent      map[act]uint64 // when it was sent last
	mending   map[Held]bool  // slots that are mended, each once
	whole     map[Held]check
	suspect   map[Held]bool // slots of which something was found rotten since their mending began last
	parted    map[Held]parting
	asked     map[digest.Hash]uint64 // of volumes that this relay had repaired, the version it knew
	collected uint64
	height    uint64
	silent    uint64 // the last height at which the chain had not heard of this relay for long
	now       sight
}

func newState(me account.Address) *state {
	return &state{
		me: me, under: map[act]bool{}, sent: map[act]uint64{}, mending: map[Held]bool{}, whole: map[Held]check{}, suspect: map[Held]bool{},
		parted: map[Held]parting{}, asked: map[digest.Hash]uint64{},
	}
}

// once gives an act unless it is under way or was sent just now.
func (s *state) once(list []act, a act) []act {
	at, before := s.sent[a]
	if s.under[a] || before && s.height < at+againBlocks {
		return list
	}
	s.under[a], s.sent[a] = true, s.height
	return append(list, a)
}

// polled decides after a poll.
//
// Spec: storage-cbfs §4, §6.
func (s *state) polled(now sight) (acts []act) {
	s.now, s.height = now, now.height
	if now.me.Status != "active" || s.height >= now.me.Heartbeat+checkBlocks {
		s.silent = s.height
	}
	for a, at := range s.sent {
		if s.height >= at+scrubBlocks {
			delete(s.sent, a)
		}
	}
	switch now.me.Status {
	case "unstaking", "withdrawn":
	case "registered", "stale":
		acts = s.once(acts, act{what: beating})
	default:
		if s.height >= now.me.Heartbeat+beatBlocks {
			acts = s.once(acts, act{what: beating})
		}
	}
	for i := range now.me.Challenges {
		c := &now.me.Challenges[i]
		acts = s.once(acts, act{what: proving, held: Held{c.Volume, c.Ask.Slot}, challenge: c.ID, ask: c.Ask})
	}
	held, volumes := map[Held]bool{}, map[digest.Hash]bool{}
	for i := range now.holding {
		h := &now.holding[i]
		held[Held{h.volume.ID, h.slot}], volumes[h.volume.ID] = true, true
		acts = s.tend(acts, h)
		acts = s.lead(acts, h)
		acts = s.share(acts, h)
	}
	acts = s.part(acts, held)
	for volume, at := range s.asked { // order-free: each by itself
		if !volumes[volume] { // the slot was the last one of the volume that was here
			delete(s.asked, volume)
			acts = s.once(acts, act{what: telling, held: Held{Volume: volume}, version: at + 1})
		}
	}
	maps.DeleteFunc(s.whole, func(one Held, _ check) bool { return !held[one] })
	maps.DeleteFunc(s.suspect, func(one Held, _ bool) bool { return !held[one] })
	if s.height >= s.collected+collectBlocks {
		s.collected = s.height
		acts = s.once(acts, act{what: collecting})
	}
	return acts
}

// tend looks after a slot of the relay's own.
func (s *state) tend(acts []act, h *holding) []act {
	v, one := h.volume, Held{h.volume.ID, h.slot}
	if v.Root.IsZero() || v.Status == "GARBAGE_COLLECTING" || int(h.slot) >= len(v.Slots) {
		return acts
	}
	c := s.whole[one]
	scrub := c.root == v.Root && s.height >= c.scrubbed+scrubBlocks
	look := s.suspect[one] || scrub || s.height >= c.looked+checkBlocks
	if c.root != v.Root || look {
		if s.mending[one] {
			return acts
		}
		a := act{what: mending, held: one, root: v.Root, scrub: scrub}
		if !look {
			a.since = c.root
		}
		before := len(acts)
		if acts = s.once(acts, a); len(acts) > before {
			s.mending[one] = true
			delete(s.suspect, one)
		}
		return acts
	}
	if v.Slots[h.slot].Root != v.Root {
		return s.once(acts, act{what: confirming, held: one, root: v.Root})
	}
	return acts
}

// lead has the chain give degraded slots to others: its own where it drains, any where it leads. One slot of a volume at a time: the placement's version
// changes. A leader that was silent itself first gives the others the time to be heard of again, and none gives a slot away of which too few others are
// left to make the shard: who is silent may have it still. A challenged slot stays until that is over, and keeps no other one from it.
//
// Spec: storage-cbfs §4 (repair: the live holder with the lowest slot; compare and swap).
func (s *state) lead(acts []act, h *holding) []act {
	v := h.volume
	leads, whole := account.Address{}, 0
	for _, one := range v.Slots {
		if h.active[one.Relay] && !one.Root.IsZero() {
			if leads == (account.Address{}) {
				leads = one.Relay
			}
			if one.Root == v.Root {
				whole++
			}
		}
	}
	drains := s.now.me.Status == "draining" || s.now.me.Status == "unstaking"
	may := leads == s.me && whole >= int(v.K) && (s.silent == 0 || s.height >= s.silent+beatBlocks)
	for i := range v.Slots {
		if one := &v.Slots[i]; one.Degraded && !one.Challenged && (one.Relay == s.me && drains || may) {
			s.asked[v.ID] = v.Version
			return s.once(acts, act{what: repairing, held: Held{v.ID, uint8(i)}, version: v.Version})
		}
	}
	return acts
}

// share tells the others of a repair that this relay asked for and that came onto the chain, and brings the table of the newest commit to live holders that
// have not confirmed it, each once: the live one with the lowest slot of those that have does.
//
// Spec: storage-cbfs §3.3 (PeerPlacementUpdate, ReplicatePlacement).
func (s *state) share(acts []act, h *holding) []act {
	v := h.volume
	if at, ok := s.asked[v.ID]; ok && v.Version > at {
		delete(s.asked, v.ID)
		acts = s.once(acts, act{what: telling, held: Held{Volume: v.ID}, version: v.Version})
	}
	first := slices.IndexFunc(v.Slots, func(one reach.Slot) bool { return h.active[one.Relay] && one.Root == v.Root })
	if v.Root.IsZero() || first != int(h.slot) || s.whole[Held{v.ID, h.slot}].root != v.Root {
		return acts
	}
	for i, one := range v.Slots {
		a := act{what: replicating, held: Held{v.ID, uint8(i)}, root: v.Root, version: v.Version}
		if _, before := s.sent[a]; !before && one.Root != v.Root && one.Relay != s.me && h.active[one.Relay] {
			acts = s.once(acts, a)
		}
	}
	return acts
}

// part has the chunks of slots pushed that were whole here and are others' now.
//
// Spec: storage-cbfs §3.3 (PeerRelayPushShard), §4 (repair).
func (s *state) part(acts []act, held map[Held]bool) []act {
	for one, c := range s.whole { // order-free: each by itself
		if !held[one] && !c.root.IsZero() {
			s.parted[one] = parting{c.root, s.height + checkBlocks}
		}
	}
	for one, p := range s.parted { // order-free: what is done at a time is bounded elsewhere
		if held[one] || s.height >= p.until {
			delete(s.parted, one)
			continue
		}
		acts = s.once(acts, act{what: pushing, held: one, root: p.root})
	}
	return acts
}

// knows reports whether the last poll saw a volume's placement in a version, or a later one.
func (s *state) knows(volume digest.Hash, version uint64) bool {
	return slices.ContainsFunc(s.now.holding, func(h holding) bool { return h.volume.ID == volume && h.volume.Version >= version })
}

// ended notes that an act is over. What failed is done again at another poll.
func (s *state) ended(a act, failed bool) (acts []act) {
	delete(s.under, a)
	if a.what == pushing {
		delete(s.sent, a) // at the next poll the other one may have the table that it lacked
		if !failed {
			delete(s.parted, a.held)
		}
	}
	if a.what != mending {
		return nil
	}
	delete(s.mending, a.held)
	if failed {
		s.suspect[a.held] = true
		return nil
	}
	c := s.whole[a.held]
	if c.root = a.root; a.since.IsZero() {
		c.looked = s.height
	}
	if a.scrub || c.scrubbed == 0 {
		c.scrubbed = s.height
	}
	s.whole[a.held] = c
	delete(s.sent, a)
	for i := range s.now.holding {
		if h := &s.now.holding[i]; h.volume.ID == a.held.Volume && h.slot == a.held.Slot {
			acts = s.tend(acts, h)
		}
	}
	return acts
}

// rotten notes that a chunk of a volume is not what it was, and has the slots mended at once that the last poll saw.
func (s *state) rotten(volume digest.Hash) (acts []act) {
	for i := range s.now.holding {
		if h := &s.now.holding[i]; h.volume.ID == volume {
			s.suspect[Held{volume, h.slot}] = true
			acts = s.tend(acts, h)
		}
	}
	return acts
}
