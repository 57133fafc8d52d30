package relay

import "errors"

// The rejects of this package. Any other error is a failing state source, or a record that is not canonical.
//
// Spec: storage-cbfs §9.
var (
	// ErrUnknown reports an address or a node that is no relay's.
	ErrUnknown = errors.New("relay: no relay of this name is registered")
	// ErrProfile reports a profile outside its bounds, or a node that somebody else registered.
	ErrProfile = errors.New("relay: the profile is outside its bounds, or the node is another owner's")
	// ErrStake reports a stake below the least one.
	ErrStake = errors.New("relay: the stake is below the least one")
	// ErrStatus reports what a relay of this status may not do.
	ErrStatus = errors.New("relay: not in this status")
	// ErrSlots reports a relay that leaves and holds shards.
	ErrSlots = errors.New("relay: it still holds shards of volumes")
	// ErrEarly reports a withdrawal before the delay is over.
	ErrEarly = errors.New("relay: the stake is not free yet")
	// ErrCapacity reports that no relays, or not enough of them, have room.
	ErrCapacity = errors.New("relay: not enough relays have room")
	// ErrAuth reports somebody who may not do this.
	ErrAuth = errors.New("relay: the sender may not do this")
	// ErrNotFound reports a volume without shards, or a slot it does not have.
	ErrNotFound = errors.New("relay: there is no such slot of this volume")
	// ErrConflict reports a placement that has changed, or shards that are not those of the newest commit.
	ErrConflict = errors.New("relay: the placement or its root has changed")
	// ErrAlive reports a slot whose relay is well.
	ErrAlive = errors.New("relay: the relay of this slot holds its shards")
	// ErrChallenge reports a challenge that there is not or not any more.
	ErrChallenge = errors.New("relay: there is no such challenge, or its time is over")
	// ErrAsked reports a slot that is challenged already: it is neither challenged again nor given to another relay until that is over.
	ErrAsked = errors.New("relay: the slot is challenged already")
	// ErrBond reports coins that are not bond and fee of a challenge.
	ErrBond = errors.New("relay: a challenge takes its bond and fee exactly")
)
