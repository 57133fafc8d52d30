package relay

import (
	"encoding/binary"
	"unicode/utf8"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Registry is the Relay Registry during one turn, or at the end of one block. Methods that return a reject may have written before they found it: the caller
// undoes the turn.
type Registry struct {
	State  state.Store
	Terms  Terms
	Height unit.Height // of the block
	TimeMs uint64      // of the block: milliseconds since 1970
	Beacon []byte      // the parent beacon
	Emit   func(topic string, data []byte)
	Look   func() error                     // pays for a relay that is looked at; nil: nobody does
	Bill   func(addr account.Address) error // has an actor pay its rent before it is given coins; nil: nobody is billed

	// Burned is what was burned of the coins at 0x0B and the fuel at 0x0A, for the caller to take out of the supply.
	Burned unit.Amount
}

// Topics of the events of 0x0B. Numbers are UInt.
const (
	TopicRegistered = "relay.registered" // owner(20) ‖ node_id(32) ‖ stake
	TopicStatus     = "relay.status"     // owner(20) ‖ status(1) ‖ cause(1)
	TopicPaid       = "relay.paid"       // owner(20) ‖ amount
	TopicSlashed    = "relay.slashed"    // owner(20) ‖ amount
	TopicWithdrawn  = "relay.withdrawn"  // owner(20) ‖ amount
	TopicPlaced     = "relay.placed"     // volume_id(32) ‖ version ‖ slot(1) ‖ owner(20)
	TopicConfirmed  = "relay.confirmed"  // volume_id(32) ‖ slot(1) ‖ owner(20) ‖ shard_root(32)
	TopicChallenged = "por.challenged"   // id(32) ‖ owner(20) ‖ volume_id(32) ‖ slot(1) ‖ chunk ‖ draw ‖ deadline
	TopicProven     = "por.proven"       // id(32) ‖ owner(20)
	TopicMissed     = "por.missed"       // id(32) ‖ owner(20)
	TopicFraud      = "por.fraud"        // id(32) ‖ owner(20)
	TopicVoid       = "por.void"         // id(32) ‖ owner(20)
	TopicPaused     = "PorChallengePaused"
	TopicResumed    = "PorChallengeResumed"
)

func (g *Registry) emit(topic string, parts ...[]byte) {
	var data []byte
	for _, p := range parts {
		data = append(data, p...)
	}
	g.Emit(topic, data)
}

func uvar[T ~uint64](n T) []byte { return codec.AppendUint(nil, uint64(n)) }

func (g *Registry) save(owner account.Address, r *Relay) { g.State.Set(relayKey(owner), r.Encode()) }

func (g *Registry) clock() (*Clock, error) { return LoadClock(g.State) }

func (g *Registry) keep(c *Clock) { g.State.Set(under(keyClock), c.Encode()) }

// Pay gives somebody coins of 0x0B.
func (g *Registry) Pay(to account.Address, amount unit.Amount) error {
	if amount == 0 {
		return nil
	}
	if g.Bill != nil {
		if err := g.Bill(to); err != nil {
			return err
		}
	}
	return account.Move(g.State, Home(), to, amount)
}

func (g *Registry) burn(from account.Address, amount unit.Amount) error {
	if err := account.Debit(g.State, from, amount); err != nil {
		return err
	}
	g.Burned += amount
	return nil
}

func (p *Profile) check() error {
	switch {
	case p.Node.IsZero() || p.Key.IsZero() || p.Capacity == 0 || p.Capacity > 1<<56:
		return ErrProfile
	case p.Endpoint == "" || len(p.Endpoint) > MaxEndpointBytes || len(p.Region) > MaxRegionBytes:
		return ErrProfile
	case !utf8.ValidString(p.Endpoint) || !utf8.ValidString(p.Region):
		return ErrProfile
	}
	return nil
}

// Register registers a relay, or replaces its profile and adds to its stake; one that drains by its owner's wish or by itself is active again with the next
// heartbeat. The coins are on 0x0B's balance already. Rejects: ErrProfile, ErrStake, ErrStatus.
//
// Spec: storage-cbfs §2.6, §4, §6 (relay stake minimum).
func (g *Registry) Register(owner account.Address, p Profile, coins unit.Amount) error {
	if err := p.check(); err != nil {
		return err
	}
	switch who, err := OwnerOf(g.State, p.Node); {
	case err == nil && who != owner:
		return ErrProfile
	case err != nil && err != ErrUnknown:
		return err
	}
	r, err := Load(g.State, owner)
	switch {
	case err == ErrUnknown:
		r, err = g.enroll(owner)
		if err != nil {
			return err
		}
	case err != nil:
		return err
	case r.Status >= Unstaking || r.Cause == Voted:
		return ErrStatus
	case p.Capacity < r.Used:
		return ErrCapacity
	case r.Node != p.Node:
		g.State.Delete(under(underNode, r.Node[:]))
	}
	if r.Stake, err = r.Stake.Add(coins); err != nil {
		return err
	}
	if r.Stake < max(g.Terms.Stake.Least, g.Terms.Policy.MinStake) {
		return ErrStake
	}
	if r.Status == Draining {
		r.Status, r.Cause, r.Bond, r.DrainUntil, r.Over, r.StaleRow = Registered, NoCause, 0, 0, 0, 0
	}
	r.Profile = p
	g.State.Set(under(underNode, p.Node[:]), owner[:])
	g.save(owner, r)
	g.emit(TopicRegistered, owner[:], p.Node[:], uvar(r.Stake))
	return nil
}

// enroll makes the record of a new relay. The first one starts the clock.
func (g *Registry) enroll(owner account.Address) (*Relay, error) {
	c, err := g.clock()
	if err != nil {
		return nil, err
	}
	if c.Epoch == 0 {
		c.Epoch, c.Ends = 1, g.Height+unit.Height(g.Terms.Rent.EpochBlocks)-1
		g.keep(c)
	}
	r := &Relay{Since: c.Epoch, ProofAt: g.Height + unit.Height(g.Terms.Proof.Interval)}
	g.State.Set(under(underProof, height(r.ProofAt), owner[:]), nil)
	return r, nil
}

// Heartbeat says that a relay is there. One that is registered or stale becomes active. Rejects: ErrUnknown, ErrStatus.
//
// Spec: storage-cbfs §4 (relay).
func (g *Registry) Heartbeat(owner account.Address) error {
	r, err := Load(g.State, owner)
	switch {
	case err != nil:
		return err
	case r.Status >= Unstaking:
		return ErrStatus
	}
	r.Beat, r.BeatMs, r.StaleRow = g.Height, g.TimeMs, 0
	if r.Status == Registered || r.Status == Stale {
		if err := g.seat(owner, r); err != nil {
			return err
		}
		g.become(owner, r, Active, NoCause)
	}
	g.save(owner, r)
	return nil
}

func (g *Registry) become(owner account.Address, r *Relay, s Status, why Cause) {
	r.Status, r.Cause = s, why
	g.emit(TopicStatus, owner[:], []byte{byte(s), byte(why)})
}

// seat puts a relay among those that may be chosen.
func (g *Registry) seat(owner account.Address, r *Relay) error {
	c, err := g.clock()
	if err != nil {
		return err
	}
	c.Active++
	r.Seat = c.Active
	g.State.Set(under(underActive, number(r.Seat)), owner[:])
	g.keep(c)
	return nil
}

// rise takes a relay from among them; the last one gets its seat.
func (g *Registry) rise(r *Relay) error {
	if r.Seat == 0 {
		return nil
	}
	c, err := g.clock()
	if err != nil {
		return err
	}
	if r.Seat != c.Active {
		raw, _, err := g.State.Lookup(under(underActive, number(c.Active)))
		if err != nil {
			return err
		}
		last := account.Address(raw)
		other, err := Load(g.State, last)
		if err != nil {
			return err
		}
		other.Seat = r.Seat
		g.save(last, other)
		g.State.Set(under(underActive, number(r.Seat)), last[:])
	}
	g.State.Delete(under(underActive, number(c.Active)))
	c.Active--
	r.Seat = 0
	g.keep(c)
	return nil
}

// Drain has a relay take no more volumes and hand on those it has. Rejects: ErrUnknown, ErrStatus.
//
// Spec: storage-cbfs §4 (relay).
func (g *Registry) Drain(owner account.Address) error {
	r, err := Load(g.State, owner)
	switch {
	case err != nil:
		return err
	case r.Status >= Unstaking || r.Status == Draining:
		return ErrStatus
	}
	if err := g.drain(owner, r, Wish); err != nil {
		return err
	}
	g.save(owner, r)
	return nil
}

// DrainNode is Drain by a vote of governance. Rejects: ErrUnknown, ErrStatus.
//
// Spec: storage-cbfs §3.2 (85).
func (g *Registry) DrainNode(node digest.Hash) error {
	owner, err := OwnerOf(g.State, node)
	if err != nil {
		return err
	}
	r, err := Load(g.State, owner)
	switch {
	case err != nil:
		return err
	case r.Status >= Unstaking:
		return ErrStatus
	}
	if err := g.drain(owner, r, Voted); err != nil {
		return err
	}
	g.save(owner, r)
	return nil
}

// drain locks the bond that a relay loses unless it has drained in time.
func (g *Registry) drain(owner account.Address, r *Relay, why Cause) error {
	if err := g.rise(r); err != nil {
		return err
	}
	p := g.Terms.Policy
	bond, err := p.BondPerGiB.Mul((r.Used + 1<<30 - 1) >> 30)
	if err == nil {
		bond, err = bond.Add(p.BondBase)
	}
	if err != nil || bond > r.Stake {
		bond = r.Stake
	}
	r.Bond, r.DrainUntil = bond, g.TimeMs+p.WindowMs
	g.become(owner, r, Draining, why)
	return nil
}

// Unstake begins the withdrawal of a relay that holds nothing any more. Rejects: ErrUnknown, ErrStatus, ErrSlots.
//
// Spec: storage-cbfs §4 (relay), §8 (relay unstake delay).
func (g *Registry) Unstake(owner account.Address) error {
	r, err := Load(g.State, owner)
	switch {
	case err != nil:
		return err
	case r.Status >= Unstaking:
		return ErrStatus
	case r.Slots > 0:
		return ErrSlots
	}
	if err := g.leave(owner, r, r.Cause); err != nil {
		return err
	}
	g.save(owner, r)
	return nil
}

func (g *Registry) leave(owner account.Address, r *Relay, why Cause) error {
	if err := g.rise(r); err != nil {
		return err
	}
	if r.ProofAt > 0 {
		g.State.Delete(under(underProof, height(r.ProofAt), owner[:]))
		r.ProofAt = 0
	}
	r.Bond, r.DrainUntil, r.Unlock = 0, 0, g.Height+unit.Height(g.Terms.Stake.UnstakeBlocks)
	g.become(owner, r, Unstaking, why)
	return nil
}

// Withdraw pays the stake of a relay that has waited. One that was evicted stays on record until what it held is with others. Rejects: ErrUnknown, ErrStatus,
// ErrEarly.
//
// Spec: storage-cbfs §4 (relay), §8.
func (g *Registry) Withdraw(owner account.Address) error {
	r, err := Load(g.State, owner)
	switch {
	case err != nil:
		return err
	case r.Status != Unstaking:
		return ErrStatus
	case g.Height < r.Unlock:
		return ErrEarly
	}
	if err := g.settle(owner, r); err != nil {
		return err
	}
	amount := r.Stake
	r.Stake = 0
	if err := g.Pay(owner, amount); err != nil {
		return err
	}
	g.emit(TopicWithdrawn, owner[:], uvar(amount))
	g.become(owner, r, Withdrawn, r.Cause)
	g.saveOrForget(owner, r)
	return nil
}

// saveOrForget deletes the record of a relay that is gone and holds nothing.
func (g *Registry) saveOrForget(owner account.Address, r *Relay) {
	if r.Status == Withdrawn && r.Slots == 0 {
		g.State.Delete(relayKey(owner))
		g.State.Delete(under(underNode, r.Node[:]))
		return
	}
	g.save(owner, r)
}

// drawn is the n-th number of a seed below count.
func drawn(seed digest.Hash, n, count uint32) uint32 {
	h := digest.Blake3(seed[:], number(n))
	return uint32(binary.BigEndian.Uint64(h[:]) % uint64(count))
}
