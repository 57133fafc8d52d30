package relay

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// What the end of one block does at most; the rest is the next one's.
const (
	IssuesPerBlock = 32  // relays whose challenge is due
	MissesPerBlock = 32  // challenges that were not answered
	DrawsPerBlock  = 256 // challenges of others than the chain whose draw is due
	SweptPerBlock  = 32  // relays
)

// evictAfter is how many misses in a row are eviction.
//
// Spec: storage-cbfs §4.
const evictAfter = 3

// Challenge asks a relay for a block of its slot, for somebody who gave bond and fee. Which block is drawn at the end of the next block, from the seed of the
// round in which this one is made: whoever knew it now could choose a moment and an address for a block that the relay has kept, and with that question open
// the slot could be asked nothing else. Rejects: ErrBond, ErrNotFound, ErrAsked.
//
// Spec: storage-cbfs §2.7, §6 (beacon-derived).
func (g *Registry) Challenge(by account.Address, volume digest.Hash, slot uint8, coins unit.Amount) (digest.Hash, error) {
	whole, err := g.Terms.Proof.Bond.Add(g.Terms.Proof.Fee)
	if err != nil {
		return digest.Hash{}, err
	}
	if coins != whole {
		return digest.Hash{}, ErrBond
	}
	p, err := LoadPlacement(g.State, volume)
	switch {
	case err != nil:
		return digest.Hash{}, err
	case int(slot) >= len(p.Slots) || p.Slots[slot].Root.IsZero() || p.Slots[slot].Chunks == 0 || g.lapsed(&p.Slots[slot]):
		return digest.Hash{}, ErrNotFound
	}
	return g.ask(volume, slot, &p.Slots[slot], Challenge{Challenger: by, Bond: g.Terms.Proof.Bond, Fee: g.Terms.Proof.Fee})
}

// Asked reports whether a slot has an open challenge, which keeps it where it is.
//
// Spec: storage-cbfs §4 (challenge).
func (g *Registry) Asked(volume digest.Hash, slot uint8) (bool, error) {
	_, open, err := g.State.Lookup(askedKey(volume, slot))
	return open, err
}

// ask issues a challenge. Rejects: ErrAsked, ErrStatus.
func (g *Registry) ask(volume digest.Hash, slot uint8, s *Slot, c Challenge) (id digest.Hash, err error) {
	if open, err := g.Asked(volume, slot); err != nil {
		return id, err
	} else if open {
		return id, ErrAsked
	}
	r, err := Load(g.State, s.Relay)
	switch {
	case err != nil:
		return id, err
	case r.Status >= Unstaking:
		return id, ErrStatus
	}
	id = cbfs.ChallengeID(s.Relay, volume, slot, g.Height, c.Challenger)
	c.Relay, c.Volume, c.Slot, c.Root = s.Relay, volume, slot, s.Root
	c.Ordinal = s.Chunks
	c.Issued, c.Deadline = g.Height, g.Height+unit.Height(g.Terms.Proof.Window)
	g.State.Set(askedKey(volume, slot), id[:])
	g.State.Set(askedOfKey(c.Relay, c.Deadline, id), nil)
	g.State.Set(under(underDeadline, height(c.Deadline), id[:]), nil)
	if c.Challenger.IsZero() { // at a block's end, whose seed nobody had when its height was settled
		g.draw(id, &c)
		return id, nil
	}
	g.State.Set(drawKey(c.Issued, id), nil)
	g.State.Set(under(underChallenge, id[:]), c.Encode())
	return id, nil
}

// draw settles which block a challenge is about.
func (g *Registry) draw(id digest.Hash, c *Challenge) {
	c.Ordinal, c.Draw = cbfs.Range(cbfs.Randomness(g.Beacon), id, c.Ordinal)
	c.Drawn = true
	g.State.Set(under(underChallenge, id[:]), c.Encode())
	g.emit(TopicChallenged, id[:], c.Relay[:], c.Volume[:], []byte{c.Slot}, uvar(c.Ordinal), uvar(c.Draw), uvar(c.Deadline))
}

// draws settles what the challenges of blocks before this one are about, the oldest first.
//
// Spec: storage-cbfs §6 (beacon-derived).
func (g *Registry) draws() error {
	prefix := under(underDraw)
	var ids []digest.Hash
	err := g.State.Scan(prefix, nil, DrawsPerBlock, func(key, _ []byte) bool {
		if unit.Height(binary.BigEndian.Uint64(key[len(prefix):])) >= g.Height {
			return false
		}
		ids = append(ids, digest.Hash(key[len(prefix)+8:]))
		return true
	})
	for i := 0; err == nil && i < len(ids); i++ {
		var c *Challenge
		if c, err = LoadChallenge(g.State, ids[i]); err == nil {
			g.State.Delete(drawKey(c.Issued, ids[i]))
			g.draw(ids[i], c)
		}
	}
	return err
}

// close forgets a challenge.
func (g *Registry) close(id digest.Hash, c *Challenge) {
	g.State.Delete(under(underChallenge, id[:]))
	g.State.Delete(askedKey(c.Volume, c.Slot))
	g.State.Delete(askedOfKey(c.Relay, c.Deadline, id))
	g.State.Delete(under(underDeadline, height(c.Deadline), id[:]))
	if !c.Drawn {
		g.State.Delete(drawKey(c.Issued, id))
	}
}

// Prove answers a challenge. A proof that leads to another root is a fraud, and no reject: right tells. Rejects: ErrChallenge, ErrAuth.
//
// Spec: storage-cbfs §4 (challenge), §6.
func (g *Registry) Prove(by account.Address, id digest.Hash, proof *cbfs.Proof) (right bool, err error) {
	c, err := LoadChallenge(g.State, id)
	switch {
	case err != nil:
		return false, err
	case g.Height > c.Deadline || !c.Drawn:
		return false, ErrChallenge
	case c.Relay != by:
		return false, ErrAuth
	}
	g.close(id, c)
	if proof.Verify(cbfs.Ask{Root: c.Root, Slot: c.Slot, Ordinal: c.Ordinal, Draw: c.Draw}) != nil {
		g.emit(TopicFraud, id[:], by[:])
		r, err := Load(g.State, by)
		if err == nil {
			err = g.penalize(by, r, g.Terms.Penalty.Fraud)
		}
		if err != nil {
			return false, err
		}
		g.save(by, r)
		return false, g.reward(c)
	}
	g.emit(TopicProven, id[:], by[:])
	r, err := Load(g.State, by)
	if err != nil {
		return false, err
	}
	if c.Challenger.IsZero() { // anybody may challenge a relay, also whoever wants its row of misses ended
		r.Misses = 0
		g.save(by, r)
	}
	if err := g.Pay(by, c.Fee); err != nil {
		return false, err
	}
	return true, g.Pay(c.Challenger, c.Bond)
}

// void ends the challenge of a slot whose shards its relay need not have any more: bond and fee go back.
//
// Spec: storage-cbfs §2.7, §4.
func (g *Registry) void(volume digest.Hash, slot uint8) error {
	raw, ok, err := g.State.Lookup(askedKey(volume, slot))
	if err != nil || !ok {
		return err
	}
	id := digest.Hash(raw)
	c, err := LoadChallenge(g.State, id)
	if err != nil {
		return err
	}
	g.close(id, c)
	g.emit(TopicVoid, id[:], c.Relay[:])
	return g.Pay(c.Challenger, c.Bond+c.Fee)
}

// reward gives a challenger who was right bond, fee and bounty: min(bounty, pool − reserve, what is left of the epoch's cap).
//
// Spec: storage-cbfs §6.
func (g *Registry) reward(c *Challenge) error {
	if c.Challenger.IsZero() {
		return nil
	}
	k, err := g.clock()
	if err != nil {
		return err
	}
	t := g.Terms.Proof
	bounty := min(t.Bounty, max(k.Pool, t.Reserve)-t.Reserve, max(t.Cap, k.Bounty)-k.Bounty)
	k.Pool -= bounty
	k.Bounty += bounty
	g.keep(k)
	return g.Pay(c.Challenger, c.Bond+c.Fee+bounty)
}

// penalize takes a part of a relay's stake, which has no share in this epoch any more: a tenth is burned, a fiftieth goes to the pool, the rest to the other
// relays. The caller saves r.
//
// Spec: storage-cbfs §6 (penalties).
func (g *Registry) penalize(owner account.Address, r *Relay, amount unit.Amount) error {
	amount = min(amount, r.Stake)
	r.Stake -= amount
	r.Bond = min(r.Bond, r.Stake)
	if err := g.bar(r); err != nil {
		return err
	}
	g.emit(TopicSlashed, owner[:], uvar(amount))
	return g.Share(amount)
}

// bar takes a relay's share in this epoch. The caller saves r.
func (g *Registry) bar(r *Relay) error {
	k, err := g.clock()
	if err != nil {
		return err
	}
	r.Barred = k.Epoch
	if r.Updated == k.Epoch {
		k.Weight -= r.Weight
		r.Weight = 0
	}
	g.keep(k)
	return nil
}

// Forfeit shares out coins of 0x0B that a relay loses outside of its stake, as penalties are: it has no part in them, if it is a relay still.
//
// Spec: storage-cbfs §6 (penalties), §7 (penalty_terms).
func (g *Registry) Forfeit(owner account.Address, amount unit.Amount) error {
	r, err := Load(g.State, owner)
	switch {
	case err == nil:
		if err := g.bar(r); err != nil {
			return err
		}
		g.save(owner, r)
	case err != ErrUnknown:
		return err
	}
	return g.Share(amount)
}

// Share divides coins of 0x0B as rent and penalties are: burned, into the pool, and among the relays of the epoch.
//
// Spec: storage-cbfs §6 (10/2/88).
func (g *Registry) Share(amount unit.Amount) error {
	pooled, err := g.divide(amount)
	if err != nil {
		return err
	}
	k, err := g.clock()
	if err != nil {
		return err
	}
	k.Pool += pooled // coins of a balance, which together fit
	g.keep(k)
	return nil
}

// Found is Share for what a new volume pays, whose part for the pool is 0x0A's, which pays for challenges.
//
// Spec: storage-cbfs §6 (timers of challenges are paid by 0x0A).
func (g *Registry) Found(amount unit.Amount) error {
	pooled, err := g.divide(amount)
	if err != nil {
		return err
	}
	return account.Move(g.State, Home(), account.System(account.StorageManager), pooled)
}

// divide burns a part of an amount, puts the relays' part into the pot and gives the pool's.
func (g *Registry) divide(amount unit.Amount) (pooled unit.Amount, err error) {
	burned, err := amount.MulDiv(g.Terms.Rent.BurnBPS, params.BasisPoints)
	if err != nil {
		return 0, err
	}
	if pooled, err = amount.MulDiv(g.Terms.Rent.PoolBPS, params.BasisPoints); err != nil {
		return 0, err
	}
	k, err := g.clock()
	if err != nil {
		return 0, err
	}
	k.Pot += amount - burned - pooled // coins of a balance, which together fit
	g.keep(k)
	return pooled, g.burn(Home(), burned)
}

// issues asks the relays whose challenge is due.
//
// Spec: storage-cbfs §6 (interval, fuel).
func (g *Registry) issues() error {
	prefix := under(underProof)
	var due []account.Address
	var at []unit.Height
	err := g.State.Scan(prefix, nil, IssuesPerBlock, func(key, _ []byte) bool {
		when := unit.Height(binary.BigEndian.Uint64(key[len(prefix):]))
		if when > g.Height {
			return false
		}
		due, at = append(due, account.Address(key[len(prefix)+8:])), append(at, when)
		return true
	})
	for i := 0; err == nil && i < len(due); i++ {
		var r *Relay
		if r, err = Load(g.State, due[i]); err != nil {
			break
		}
		g.State.Delete(under(underProof, height(at[i]), due[i][:]))
		r.ProofAt = g.Height + unit.Height(g.Terms.Proof.Interval)
		g.State.Set(under(underProof, height(r.ProofAt), due[i][:]), nil)
		g.save(due[i], r)
		if r.Slots > 0 {
			err = g.issue(due[i], r)
		}
	}
	return err
}

// issue asks a relay for a block of one of its slots that has something to prove.
func (g *Registry) issue(owner account.Address, r *Relay) error {
	at := uint32(cbfs.Pick(cbfs.Randomness(g.Beacon), owner, g.Height, uint64(r.Slots)))
	raw, _, err := g.State.Lookup(slotKey(owner, at))
	if err != nil {
		return err
	}
	volume, slot := digest.Hash(raw[:digest.Size]), raw[digest.Size]
	p, err := LoadPlacement(g.State, volume)
	if err != nil {
		return err
	}
	s := &p.Slots[slot]
	if s.Root.IsZero() || s.Chunks == 0 || g.lapsed(s) {
		return nil
	}
	if ok, err := g.fuel(); err != nil || !ok {
		return err
	}
	if _, err = g.ask(volume, slot, s, Challenge{}); err == ErrAsked {
		return nil
	}
	return err
}

// fuel burns what a challenge of the chain's own takes from 0x0A, and says once that there is none.
//
// Spec: storage-cbfs §6 (PorChallengePaused).
func (g *Registry) fuel() (bool, error) {
	k, err := g.clock()
	if err != nil {
		return false, err
	}
	home := account.System(account.StorageManager)
	a, err := account.Load(g.State, home)
	if err != nil {
		return false, err
	}
	short := a.Balance < g.Terms.Proof.Fuel
	if short != k.Paused {
		k.Paused = short
		g.keep(k)
		topic := TopicResumed
		if short {
			topic = TopicPaused
		}
		g.emit(topic, codec.AppendUint(nil, uint64(g.Height)))
	}
	if short {
		return false, nil
	}
	return true, g.burn(home, g.Terms.Proof.Fuel)
}

// misses is the end of the time to answer. Three in a row are eviction.
//
// Spec: storage-cbfs §4 (challenge), §6 (penalties).
func (g *Registry) misses() error {
	prefix := under(underDeadline)
	var ids []digest.Hash
	err := g.State.Scan(prefix, nil, MissesPerBlock, func(key, _ []byte) bool {
		if unit.Height(binary.BigEndian.Uint64(key[len(prefix):])) > g.Height {
			return false
		}
		ids = append(ids, digest.Hash(key[len(prefix)+8:]))
		return true
	})
	for i := 0; err == nil && i < len(ids); i++ {
		err = g.miss(ids[i])
	}
	return err
}

func (g *Registry) miss(id digest.Hash) error {
	c, err := LoadChallenge(g.State, id)
	if err != nil {
		return err
	}
	if !c.Drawn { // nothing was asked: so many came before it
		return g.void(c.Volume, c.Slot)
	}
	g.close(id, c)
	g.emit(TopicMissed, id[:], c.Relay[:])
	r, err := Load(g.State, c.Relay)
	if err != nil {
		return err
	}
	r.Lost++
	if r.Status < Unstaking {
		r.Misses++
	}
	if err := g.penalize(c.Relay, r, g.Terms.Penalty.Miss); err != nil {
		return err
	}
	if r.Status < Unstaking && r.Misses >= evictAfter {
		if err := g.penalize(c.Relay, r, g.Terms.Penalty.Eviction); err != nil {
			return err
		}
		if err := g.leave(c.Relay, r, Evicted); err != nil {
			return err
		}
	}
	g.save(c.Relay, r)
	return g.reward(c)
}
