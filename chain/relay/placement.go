package relay

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// looksPerDraw is how many relays are looked at to place the shards of a volume: as many by lot, and as many in their order behind the last one.
const looksPerDraw = 256

// OrphanBlocks is how long relays keep shards that a commit has superseded (ORPHAN_SHARD_TTL).
//
// Spec: WP §7.3; storage-cbfs §4.
const OrphanBlocks = params.BlocksPerDay

// RepairBlocks is how long a relay has to confirm what was committed before its slot may be given to another one.
//
// Spec: storage-cbfs §8 (repair check).
const RepairBlocks = 3_600

// fit reports whether a relay may be given a slot of so many bytes.
func (g *Registry) fit(r *Relay, bytes uint64) bool {
	return g.live(r) && r.Slots < MaxPerRelay && r.Used+bytes <= r.Capacity && g.TimeMs <= r.BeatMs+g.Terms.Policy.StaleMs
}

// choose draws n relays with room, none of them among others. Reject: ErrCapacity.
//
// Spec: storage-cbfs §2.3, §6 (randomness).
func (g *Registry) choose(seed digest.Hash, n int, bytes uint64, others []account.Address) ([]account.Address, error) {
	c, err := g.clock()
	if err != nil {
		return nil, err
	}
	if int(c.Active) < n {
		return nil, ErrCapacity
	}
	found, at := make([]account.Address, 0, n), uint32(0)
	for look := range uint32(2 * looksPerDraw) {
		if at = (at + 1) % c.Active; look < looksPerDraw {
			at = drawn(seed, look, c.Active)
		}
		if g.Look != nil {
			if err := g.Look(); err != nil {
				return nil, err
			}
		}
		raw, _, err := g.State.Lookup(under(underActive, number(at+1)))
		if err != nil {
			return nil, err
		}
		owner := account.Address(raw)
		if slices.Contains(found, owner) || slices.Contains(others, owner) {
			continue
		}
		r, err := Load(g.State, owner)
		if err != nil {
			return nil, err
		}
		if !g.fit(r, bytes) {
			continue
		}
		if found = append(found, owner); len(found) == n {
			return found, nil
		}
	}
	return nil, ErrCapacity
}

// Place draws relays for the n slots of a new volume. Reject: ErrCapacity.
//
// Spec: storage-cbfs §2.3, §5.
func (g *Registry) Place(volume digest.Hash, n int) error {
	list, err := g.choose(g.seed(volume, 0), n, 0, nil)
	if err != nil {
		return err
	}
	p := &Placement{Version: 1, Since: g.Height, Slots: make([]Slot, n)}
	for i, owner := range list {
		if err := g.give(p, volume, uint8(i), owner); err != nil {
			return err
		}
	}
	g.State.Set(placementKey(volume), p.Encode())
	return nil
}

// seed is what relays of a volume are drawn with.
func (g *Registry) seed(volume digest.Hash, version uint64) digest.Hash {
	return digest.Blake3([]byte("cbfs:placement:v1"), g.Beacon, volume[:], height(unit.Height(version)))
}

// give gives a slot to a relay, which has confirmed nothing of it yet.
func (g *Registry) give(p *Placement, volume digest.Hash, slot uint8, owner account.Address) error {
	r, err := Load(g.State, owner)
	if err != nil {
		return err
	}
	p.Slots[slot] = Slot{Relay: owner, At: r.Slots}
	g.State.Set(slotKey(owner, r.Slots), append(volume[:], slot))
	r.Slots++
	g.save(owner, r)
	g.emit(TopicPlaced, volume[:], uvar(p.Version), []byte{slot}, owner[:])
	return nil
}

// take takes a slot from its relay: the last of the relay's slots gets its place, an open challenge is void. p is not saved.
func (g *Registry) take(p *Placement, volume digest.Hash, slot uint8) error {
	s := p.Slots[slot]
	if err := g.void(volume, slot); err != nil {
		return err
	}
	r, err := Load(g.State, s.Relay)
	if err != nil {
		return err
	}
	last := r.Slots - 1
	if s.At != last {
		raw, _, err := g.State.Lookup(slotKey(s.Relay, last))
		if err != nil {
			return err
		}
		other, which := digest.Hash(raw[:digest.Size]), raw[digest.Size]
		if other == volume {
			p.Slots[which].At = s.At
		} else {
			q, err := LoadPlacement(g.State, other)
			if err != nil {
				return err
			}
			q.Slots[which].At = s.At
			g.State.Set(placementKey(other), q.Encode())
		}
		g.State.Set(slotKey(s.Relay, s.At), raw)
	}
	g.State.Delete(slotKey(s.Relay, last))
	r.Slots = last
	r.Used -= s.Bytes
	r.Shards -= s.shards()
	g.saveOrForget(s.Relay, r)
	return nil
}

// Offer is what a volume's newest commit says of its shards.
type Offer struct {
	Root   digest.Hash // shard_root
	Chunks uint64      // of each slot
	Bytes  uint64      // of each slot
}

// Confirm is a relay's word that it holds its slot's shards under the root of the newest commit: from now on they count for its pay, and it can be challenged
// for them. What a relay has not confirmed it answers for to nobody. Rejects: ErrNotFound, ErrAuth, ErrConflict, ErrCapacity, ErrStatus.
//
// Spec: storage-cbfs §2.7 (the root of the moment of issuance), §6.
func (g *Registry) Confirm(by account.Address, volume digest.Hash, slot uint8, root digest.Hash, o Offer) error {
	p, err := LoadPlacement(g.State, volume)
	switch {
	case err != nil:
		return err
	case int(slot) >= len(p.Slots):
		return ErrNotFound
	case p.Slots[slot].Relay != by:
		return ErrAuth
	case root != o.Root || o.Root.IsZero():
		return ErrConflict
	}
	r, err := Load(g.State, by)
	if err != nil {
		return err
	}
	s := &p.Slots[slot]
	was := s.shards()
	switch used := r.Used - s.Bytes + o.Bytes; {
	case r.Status == Registered || r.Status >= Unstaking:
		return ErrStatus
	case used > r.Capacity:
		return ErrCapacity
	default:
		r.Used = used
	}
	s.Root, s.Chunks, s.Bytes, s.Superseded = o.Root, o.Chunks, o.Bytes, 0
	r.Shards = r.Shards - was + s.shards()
	g.save(by, r)
	g.State.Set(placementKey(volume), p.Encode())
	g.emit(TopicConfirmed, volume[:], []byte{slot}, by[:], root[:])
	return nil
}

// Supersede notes that a commit has put a root in the place of the one before.
//
// Spec: WP §7.3 (orphaned shards); storage-cbfs §4.
func (g *Registry) Supersede(volume, root digest.Hash) error {
	p, err := LoadPlacement(g.State, volume)
	if err != nil {
		return err
	}
	p.Since = g.Height
	for i := range p.Slots {
		if s := &p.Slots[i]; s.Root != root && s.Superseded == 0 {
			s.Superseded = g.Height
		} else if s.Root == root {
			s.Superseded = 0
		}
	}
	g.State.Set(placementKey(volume), p.Encode())
	return nil
}

// lapsed reports whether what a slot's relay has confirmed was superseded so long ago that the relay may have pruned it.
func (g *Registry) lapsed(s *Slot) bool {
	return !s.Root.IsZero() && s.Superseded > 0 && g.Height >= s.Superseded+OrphanBlocks
}

// Lapse forgets what relays have confirmed of a volume and may have pruned.
//
// Spec: WP §7.3; storage-cbfs §4.
func (g *Registry) Lapse(volume digest.Hash) error {
	p, err := LoadPlacement(g.State, volume)
	if err != nil {
		return err
	}
	changed := false
	for i := range p.Slots {
		s := &p.Slots[i]
		if !g.lapsed(s) {
			continue
		}
		r, err := Load(g.State, s.Relay)
		if err != nil {
			return err
		}
		if err := g.void(volume, uint8(i)); err != nil {
			return err
		}
		r.Used -= s.Bytes
		r.Shards -= s.shards()
		g.save(s.Relay, r)
		s.Root, s.Chunks, s.Bytes, s.Superseded = digest.Hash{}, 0, 0, 0
		changed = true
	}
	if changed {
		g.State.Set(placementKey(volume), p.Encode())
	}
	return nil
}

// Release takes a volume from all its relays. Their challenges are void.
//
// Spec: storage-cbfs §2.7, §4 (GARBAGE_COLLECTING).
func (g *Registry) Release(volume digest.Hash) error {
	p, err := LoadPlacement(g.State, volume)
	if err != nil {
		return err
	}
	for i := range p.Slots {
		if err := g.take(p, volume, uint8(i)); err != nil {
			return err
		}
	}
	g.State.Delete(placementKey(volume))
	return nil
}

// live reports whether a relay is active and was heard of within RepairBlocks.
//
// Spec: storage-cbfs §11 (5).
func (g *Registry) live(r *Relay) bool { return r.Status == Active && g.Height < r.Beat+RepairBlocks }

// Degraded reports whether a slot may be given to another relay: its relay is not active, was not heard of for RepairBlocks, or has not confirmed what was
// committed so long ago.
//
// Spec: storage-cbfs §2.2 (degraded_shards), §4 (repair), §8 (repair check).
func (g *Registry) Degraded(p *Placement, slot int, root digest.Hash) (bool, error) {
	s := &p.Slots[slot]
	r, err := Load(g.State, s.Relay)
	if err != nil {
		return false, err
	}
	return !g.live(r) || s.Root != root && g.Height >= p.Since+RepairBlocks, nil
}

// Repair gives a degraded slot to another relay, which the chain draws. The owner of the volume may ask for it, the slot's own relay, and the live holder
// with the lowest slot; version is that of the placement they have seen. A slot that is challenged stays until the challenge is over, or a relay would hand it
// on instead of an answer. Rejects: ErrNotFound, ErrConflict, ErrAlive, ErrAuth, ErrAsked, ErrCapacity.
//
// Spec: storage-cbfs §4 (challenge; repair, compare and swap).
func (g *Registry) Repair(by, owner account.Address, volume digest.Hash, slot uint8, version uint64, o Offer) error {
	p, err := LoadPlacement(g.State, volume)
	switch {
	case err != nil:
		return err
	case int(slot) >= len(p.Slots):
		return ErrNotFound
	case p.Version != version:
		return ErrConflict
	}
	bad, err := g.Degraded(p, int(slot), o.Root)
	if err != nil {
		return err
	}
	if !bad {
		return ErrAlive
	}
	if by != owner && by != p.Slots[slot].Relay {
		lead, err := g.lead(p)
		if err != nil {
			return err
		}
		if by != lead {
			return ErrAuth
		}
	}
	if open, err := g.Asked(volume, slot); err != nil {
		return err
	} else if open {
		return ErrAsked
	}
	holders := make([]account.Address, len(p.Slots))
	for i := range p.Slots {
		holders[i] = p.Slots[i].Relay
	}
	list, err := g.choose(g.seed(volume, p.Version), 1, o.Bytes, holders)
	if err != nil {
		return err
	}
	if err := g.take(p, volume, slot); err != nil {
		return err
	}
	p.Version, p.Since = p.Version+1, g.Height // whoever has the slot now has as long to confirm it
	if err := g.give(p, volume, slot, list[0]); err != nil {
		return err
	}
	g.State.Set(placementKey(volume), p.Encode())
	return nil
}

// lead is the live holder with the lowest slot; zero where there is none.
func (g *Registry) lead(p *Placement) (account.Address, error) {
	for i := range p.Slots {
		r, err := Load(g.State, p.Slots[i].Relay)
		if err != nil {
			return account.Address{}, err
		}
		if g.live(r) && !p.Slots[i].Root.IsZero() {
			return p.Slots[i].Relay, nil
		}
	}
	return account.Address{}, nil
}
