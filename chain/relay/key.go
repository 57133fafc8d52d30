package relay

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// What the keys begin with, after the address of the registry.
const (
	underRelay     = "ras:relay:"      // owner → Relay
	underNode      = "ras:relay-node:" // node_id → owner
	underActive    = "ras:active:"     // be4 seat → owner
	underSlot      = "ras:slot:"       // owner ‖ be4 → volume_id ‖ slot
	underPlacement = "ras:placement:"  // volume_id → Placement
	underChallenge = "ras:challenge:"  // id → Challenge
	underAsked     = "ras:asked:"      // volume_id ‖ slot → id
	underAskedOf   = "ras:asked-of:"   // owner ‖ be8 height ‖ id → nothing
	underDeadline  = "ras:deadline:"   // be8 height ‖ id → nothing
	underDraw      = "ras:draw:"       // be8 height ‖ challenge_id → nothing
	underProof     = "ras:proof:"      // be8 height ‖ owner → nothing
	keyClock       = "ras:settlement"  // Clock
)

// Home is where relays and all coins of volumes and relays lie.
func Home() account.Address { return account.System(account.RelayRegistry) }

func under(prefix string, parts ...[]byte) []byte {
	return account.RecordKey(Home(), prefix, parts...)
}

func number(n uint32) []byte { return binary.BigEndian.AppendUint32(nil, n) }

func height(n unit.Height) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n)) }

func relayKey(owner account.Address) []byte { return under(underRelay, owner[:]) }

func placementKey(volume digest.Hash) []byte { return under(underPlacement, volume[:]) }

func slotKey(owner account.Address, at uint32) []byte { return under(underSlot, owner[:], number(at)) }

func askedOfKey(owner account.Address, deadline unit.Height, id digest.Hash) []byte {
	return under(underAskedOf, owner[:], height(deadline), id[:])
}

func drawKey(issued unit.Height, id digest.Hash) []byte {
	return under(underDraw, height(issued), id[:])
}

func askedKey(volume digest.Hash, slot uint8) []byte {
	return under(underAsked, volume[:], []byte{slot})
}

// Claims are the ranges of state keys of this package. chapter is the name of the chapter that runs it.
func Claims(chapter string) []account.Claim {
	var list []account.Claim
	for _, c := range [...]struct{ suffix, holds string }{
		{underRelay, "relays"}, {underNode, "relays, by node"}, {underActive, "relays that may be chosen"}, {underSlot, "what relays hold"},
		{underPlacement, "where the shards of volumes are"}, {underChallenge, "challenges of retrievability"},
		{underAsked, "challenges, by what is asked for"}, {underAskedOf, "challenges, by whom is asked"},
		{underDraw, "challenges whose block is not drawn yet"},
		{underDeadline, "challenges, by the last block to answer in"},
		{underProof, "relays, by the block of their next challenge"}, {keyClock, "the epoch of relays, and what is owed in it"},
	} {
		list = append(list, account.RecordClaim(chapter, Home(), c.suffix, c.holds, c.suffix == keyClock))
	}
	return list
}

// Load reads a relay by its owner. Reject: ErrUnknown.
func Load(r state.Reader, owner account.Address) (*Relay, error) {
	return state.Require(r, relayKey(owner), DecodeRelay, ErrUnknown)
}

// OwnerOf finds the owner of a node. Reject: ErrUnknown.
func OwnerOf(r state.Reader, node digest.Hash) (owner account.Address, err error) {
	raw, ok, err := r.Lookup(under(underNode, node[:]))
	if err == nil && (!ok || len(raw) != account.AddressSize) {
		err = ErrUnknown
	}
	if err != nil {
		return owner, err
	}
	return account.Address(raw), nil
}

// LoadPlacement reads where the shards of a volume are. Reject: ErrNotFound.
func LoadPlacement(r state.Reader, volume digest.Hash) (*Placement, error) {
	return state.Require(r, placementKey(volume), DecodePlacement, ErrNotFound)
}

// LoadChallenge reads a challenge that is open. Reject: ErrChallenge.
func LoadChallenge(r state.Reader, id digest.Hash) (*Challenge, error) {
	return state.Require(r, under(underChallenge, id[:]), DecodeChallenge, ErrChallenge)
}

// LoadClock reads the clock; that of a chain without relays is zero.
func LoadClock(r state.Reader) (*Clock, error) {
	c, err := state.Require(r, under(keyClock), DecodeClock, ErrNotFound)
	if err == ErrNotFound {
		return new(Clock), nil
	}
	return c, err
}

// Named is a relay with its owner.
type Named struct {
	Owner account.Address
	Relay *Relay
}

// List lists at most limit relays whose owners are above after (nil: from the first), ascending.
func List(r state.Reader, after *account.Address, limit int) (list []Named, err error) {
	var above []byte
	if after != nil {
		above = relayKey(*after)
	}
	prefix := under(underRelay)
	failed := r.Scan(prefix, above, limit, func(key, value []byte) bool {
		var one *Relay
		if one, err = DecodeRelay(value); err != nil {
			return false
		}
		list = append(list, Named{account.Address(key[len(prefix):]), one})
		return true
	})
	if failed != nil {
		err = failed
	}
	return list, err
}

// OpenChallenges lists the challenges that a relay has to answer, by deadline, at most limit.
func OpenChallenges(r state.Reader, owner account.Address, limit int) (ids []digest.Hash, err error) {
	prefix := under(underAskedOf, owner[:])
	err = r.Scan(prefix, nil, limit, func(key, _ []byte) bool {
		ids = append(ids, digest.Hash(key[len(prefix)+8:]))
		return true
	})
	return ids, err
}

// Held is a slot that a relay has been given.
type Held struct {
	Volume digest.Hash
	Slot   uint8
}

// HeldBy lists at most limit slots of a relay from one place among them on. Slots move when others are taken away: whoever lists them in several pages may
// miss one, and sees it the next time.
func HeldBy(r state.Reader, owner account.Address, from uint32, limit int) (list []Held, err error) {
	prefix := under(underSlot, owner[:])
	var above []byte
	if from > 0 {
		above = slotKey(owner, from-1)
	}
	err = r.Scan(prefix, above, limit, func(_, value []byte) bool {
		list = append(list, Held{digest.Hash(value[:digest.Size]), value[digest.Size]})
		return true
	})
	return list, err
}
