package relay

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Bounds of a profile, in bytes.
const (
	MaxEndpointBytes = 256
	MaxRegionBytes   = 32
	MaxSlots         = 24 // of a volume: k + m
	MaxPerRelay      = 1 << 24
)

// Status is what a relay is doing.
//
// Spec: storage-cbfs §4 (relay).
type Status uint8

// The statuses.
const (
	Registered Status = iota
	Active
	Draining
	Stale
	Unstaking
	Withdrawn
	statuses
)

// String names the status.
func (s Status) String() string {
	if s >= statuses {
		return "unknown"
	}
	return [...]string{"registered", "active", "draining", "stale", "unstaking", "withdrawn"}[s]
}

// Cause is why a relay is draining or leaving.
type Cause uint8

// The causes.
const (
	NoCause   Cause = iota
	Wish            // its owner's
	HighWater       // it is too full
	NoBeats         // it is not heard of
	LowStake        // its stake is too small
	Voted           // governance
	Evicted         // it missed three challenges
	causes
)

// String names the cause.
func (c Cause) String() string {
	if c >= causes {
		return "unknown"
	}
	return [...]string{"", "owner", "high-water", "stale", "stake", "governance", "evicted"}[c]
}

// Profile is what a relay says of itself.
//
// Spec: storage-cbfs §2.6.
type Profile struct {
	Node     digest.Hash // node_id
	Key      digest.Hash // Ed25519, of the relay protocol
	Endpoint string
	Region   string
	Capacity uint64 // bytes
}

// Relay is a relay.
//
// Spec: storage-cbfs §2.6.
type Relay struct {
	Profile
	Stake      unit.Amount
	Bond       unit.Amount // part of the stake that it loses unless it has drained by DrainUntil
	DrainUntil uint64      // milliseconds since 1970
	Used       uint64      // bytes of the shards it has confirmed
	Shards     uint64      // it has confirmed, of a MiB each, begun ones whole
	Slots      uint32      // places of volumes that it has
	Lost       uint32      // challenges it missed
	Misses     uint8       // in a row
	Status     Status
	Cause      Cause
	Seat       uint32      // its place among the active ones, from 1; 0: none
	Beat       unit.Height // of the last heartbeat
	BeatMs     uint64      // and the time of its block
	Since      uint64      // the epoch it registered in
	Updated    uint64      // the epoch the sweep last met it in, whose weight is Weight
	Weight     uint64
	Barred     uint64      // it shares in nothing up to this epoch
	Over       uint64      // epochs above the high-water mark, in a row
	StaleRow   uint64      // epochs without a heartbeat, in a row
	ProofAt    unit.Height // of the next challenge of the chain's own; 0: none
	Unlock     unit.Height // of the stake
}

// Encode is the record in state: the fields in their order.
func (r *Relay) Encode() []byte {
	dst := codec.AppendFixed(codec.AppendFixed(nil, r.Node[:]), r.Key[:])
	dst = codec.AppendBytes(codec.AppendBytes(dst, []byte(r.Endpoint)), []byte(r.Region))
	for _, n := range [...]uint64{r.Capacity, uint64(r.Stake), uint64(r.Bond), r.DrainUntil, r.Used, r.Shards, uint64(r.Slots), uint64(r.Lost)} {
		dst = codec.AppendUint(dst, n)
	}
	dst = append(dst, r.Misses, byte(r.Status), byte(r.Cause))
	for _, n := range [...]uint64{
		uint64(r.Seat), uint64(r.Beat), r.BeatMs, r.Since, r.Updated, r.Weight, r.Barred, r.Over, r.StaleRow, uint64(r.ProofAt), uint64(r.Unlock),
	} {
		dst = codec.AppendUint(dst, n)
	}
	return dst
}

// DecodeRelay reads what Encode wrote.
func DecodeRelay(data []byte) (*Relay, error) {
	in, r := codec.NewReader(data), new(Relay)
	in.Into(r.Node[:])
	in.Into(r.Key[:])
	r.Endpoint, r.Region = string(in.Bytes(MaxEndpointBytes)), string(in.Bytes(MaxRegionBytes))
	r.Capacity, r.Stake, r.Bond, r.DrainUntil = in.Uint(), unit.Amount(in.Uint()), unit.Amount(in.Uint()), in.Uint()
	r.Used, r.Shards, r.Slots, r.Lost = in.Uint(), in.Uint(), in.Uint32(), in.Uint32()
	r.Misses, r.Status, r.Cause = in.U8(), Status(in.Tag(uint8(statuses))), Cause(in.Tag(uint8(causes)))
	r.Seat, r.Beat, r.BeatMs, r.Since, r.Updated, r.Weight = in.Uint32(), unit.Height(in.Uint()), in.Uint(), in.Uint(), in.Uint(), in.Uint()
	r.Barred, r.Over, r.StaleRow, r.ProofAt, r.Unlock = in.Uint(), in.Uint(), in.Uint(), unit.Height(in.Uint()), unit.Height(in.Uint())
	return r, in.Finish()
}

// Slot is a place of a volume and who holds its shards.
//
// Spec: storage-cbfs §2.3 (assignments).
type Slot struct {
	Relay      account.Address
	At         uint32      // the place among the relay's slots
	Root       digest.Hash // of the shards the relay has confirmed; zero: none
	Chunks     uint64      // of the slot under that root
	Bytes      uint64
	Superseded unit.Height // when a commit put another root in its place; 0: none did
}

// shards is how many the slot counts for: of a MiB each, begun ones whole.
func (s *Slot) shards() uint64 { return (s.Bytes + mib - 1) / mib }

const mib = 1 << 20

// Placement is where the shards of a volume are.
//
// Spec: storage-cbfs §2.3 (PlacementRecord).
type Placement struct {
	Version uint64      // grows with each change of who holds what (compare and swap)
	Since   unit.Height // the last commit with another root
	Slots   []Slot
}

// Encode is the record in state: UInt version ‖ UInt since ‖ list of slots.
func (p *Placement) Encode() []byte {
	dst := codec.AppendLen(codec.AppendUint(codec.AppendUint(nil, p.Version), uint64(p.Since)), len(p.Slots))
	for i := range p.Slots {
		s := &p.Slots[i]
		dst = codec.AppendFixed(codec.AppendUint(codec.AppendFixed(dst, s.Relay[:]), uint64(s.At)), s.Root[:])
		dst = codec.AppendUint(codec.AppendUint(codec.AppendUint(dst, s.Chunks), s.Bytes), uint64(s.Superseded))
	}
	return dst
}

// DecodePlacement reads what Encode wrote.
func DecodePlacement(data []byte) (*Placement, error) {
	in := codec.NewReader(data)
	p := &Placement{Version: in.Uint(), Since: unit.Height(in.Uint())}
	p.Slots = make([]Slot, in.Len(0, MaxSlots, account.AddressSize+digest.Size+4))
	for i := range p.Slots {
		s := &p.Slots[i]
		in.Into(s.Relay[:])
		s.At = in.Uint32()
		in.Into(s.Root[:])
		s.Chunks, s.Bytes, s.Superseded = in.Uint(), in.Uint(), unit.Height(in.Uint())
	}
	return p, in.Finish()
}

// Challenge asks a relay for a block of what it holds.
//
// Spec: storage-cbfs §2.7.
type Challenge struct {
	Relay      account.Address
	Volume     digest.Hash
	Slot       uint8
	Drawn      bool   // what it is about is settled
	Ordinal    uint64 // of the chunk; until it is drawn, how many there are
	Draw       uint64 // of the block (cbfs.Ask)
	Root       digest.Hash
	Issued     unit.Height
	Deadline   unit.Height
	Challenger account.Address // zero: the chain
	Bond, Fee  unit.Amount
}

// Encode is the record in state: the fields in their order.
func (c *Challenge) Encode() []byte {
	dst := codec.AppendFixed(codec.AppendFixed(nil, c.Relay[:]), c.Volume[:])
	dst = codec.AppendUint(codec.AppendUint(codec.AppendBool(append(dst, c.Slot), c.Drawn), c.Ordinal), c.Draw)
	dst = codec.AppendUint(codec.AppendUint(codec.AppendFixed(dst, c.Root[:]), uint64(c.Issued)), uint64(c.Deadline))
	return codec.AppendUint(codec.AppendUint(codec.AppendFixed(dst, c.Challenger[:]), uint64(c.Bond)), uint64(c.Fee))
}

// DecodeChallenge reads what Encode wrote.
func DecodeChallenge(data []byte) (*Challenge, error) {
	in, c := codec.NewReader(data), new(Challenge)
	in.Into(c.Relay[:])
	in.Into(c.Volume[:])
	c.Slot, c.Drawn, c.Ordinal, c.Draw = in.U8(), in.Bool(), in.Uint(), in.Uint()
	in.Into(c.Root[:])
	c.Issued, c.Deadline = unit.Height(in.Uint()), unit.Height(in.Uint())
	in.Into(c.Challenger[:])
	c.Bond, c.Fee = unit.Amount(in.Uint()), unit.Amount(in.Uint())
	return c, in.Finish()
}

// Clock is the epoch of relays and volumes, and what is owed in it.
type Clock struct {
	Epoch   uint64      // from 1; 0: nobody has registered yet
	Ends    unit.Height // the last block of the epoch, unless a sweep is late
	Active  uint32      // relays that may be chosen
	Volumes bool        // the sweep of volumes is done in this epoch
	Relays  bool        // and that of relays
	Cursor  account.Address
	Weight  uint64      // of the relays the sweep has met
	Pot     unit.Amount // what relays share of this epoch
	Past    unit.Amount // what they share of the epoch before
	Whole   uint64      // by this weight
	Left    unit.Amount // of Past
	Pool    unit.Amount
	Bounty  unit.Amount // paid in this epoch
	Paused  bool        // there is no fuel for challenges
}

// Encode is the record in state: the fields in their order.
func (c *Clock) Encode() []byte {
	dst := codec.AppendUint(codec.AppendUint(codec.AppendUint(nil, c.Epoch), uint64(c.Ends)), uint64(c.Active))
	dst = codec.AppendFixed(codec.AppendBool(codec.AppendBool(dst, c.Volumes), c.Relays), c.Cursor[:])
	for _, n := range [...]uint64{c.Weight, uint64(c.Pot), uint64(c.Past), c.Whole, uint64(c.Left), uint64(c.Pool), uint64(c.Bounty)} {
		dst = codec.AppendUint(dst, n)
	}
	return codec.AppendBool(dst, c.Paused)
}

// DecodeClock reads what Encode wrote.
func DecodeClock(data []byte) (*Clock, error) {
	in, c := codec.NewReader(data), new(Clock)
	c.Epoch, c.Ends, c.Active, c.Volumes, c.Relays = in.Uint(), unit.Height(in.Uint()), in.Uint32(), in.Bool(), in.Bool()
	in.Into(c.Cursor[:])
	c.Weight, c.Pot, c.Past, c.Whole = in.Uint(), unit.Amount(in.Uint()), unit.Amount(in.Uint()), in.Uint()
	c.Left, c.Pool, c.Bounty, c.Paused = unit.Amount(in.Uint()), unit.Amount(in.Uint()), unit.Amount(in.Uint()), in.Bool()
	return c, in.Finish()
}
