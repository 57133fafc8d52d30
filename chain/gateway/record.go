package gateway

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Bounds of the registry.
const (
	MaxGateways  = 1_024
	MaxEndpoint  = 256 // bytes
	WalkPerBlock = 32  // gateways that a block looks at to share out the pool
)

// Profile is a gateway (GatewayProfile). Its health follows from the height.
//
// Spec: gateway-payments-streams §B.
type Profile struct {
	Stake      unit.Amount
	Endpoint   string // where it answers: a host's name or address
	Port       uint16
	Heartbeat  unit.Height // the last one's block
	Registered unit.Height
	Leaving    *uint64 // the block of the first unstake

	// Counted is the first block that is not counted in Up and Before: healthy blocks of the pool's epoch Epoch, and of the one before it.
	Counted    unit.Height
	Epoch      uint64
	Up, Before uint64
	// Shared is the epoch of the pool whose end noted Weight and Uptime, which the payment of that epoch reads.
	Shared uint64
	Weight unit.Amount
	Uptime uint64
}

// Append appends the canonical encoding:
//
//	UInt stake ‖ Bytes endpoint ‖ port(2) ‖ UInt heartbeat ‖ UInt registered ‖ Option<UInt> leaving ‖ UInt counted ‖ UInt epoch ‖ UInt up ‖ UInt before ‖
//	UInt shared ‖ UInt weight ‖ UInt uptime
func (p *Profile) Append(dst []byte) []byte {
	dst = codec.AppendU16(codec.AppendBytes(codec.AppendUint(dst, uint64(p.Stake)), []byte(p.Endpoint)), p.Port)
	dst = codec.AppendOptionUint(codec.AppendUint(codec.AppendUint(dst, uint64(p.Heartbeat)), uint64(p.Registered)), p.Leaving)
	for _, n := range [...]uint64{uint64(p.Counted), p.Epoch, p.Up, p.Before, p.Shared, uint64(p.Weight), p.Uptime} {
		dst = codec.AppendUint(dst, n)
	}
	return dst
}

// DecodeProfile reads what Append wrote.
func DecodeProfile(data []byte) (Profile, error) {
	r := codec.NewReader(data)
	p := Profile{
		Stake: unit.Amount(r.Uint()), Endpoint: string(r.Bytes(MaxEndpoint)), Port: r.U16(), Heartbeat: unit.Height(r.Uint()),
		Registered: unit.Height(r.Uint()), Leaving: r.OptionUint(), Counted: unit.Height(r.Uint()), Epoch: r.Uint(), Up: r.Uint(), Before: r.Uint(),
		Shared: r.Uint(), Weight: unit.Amount(r.Uint()), Uptime: r.Uint(),
	}
	return p, r.Finish()
}

// HealthAt is the gateway's health at a height: the configured one in the block of the heartbeat, and one less in every block after it.
//
// Spec: gateway-payments-streams §B (reset 3,600 per heartbeat, −1 per block).
func (p *Profile) HealthAt(c Config, at unit.Height) uint64 {
	if gone := uint64(at - p.Heartbeat); gone < c.Health {
		return c.Health - gone
	}
	return 0
}

// ActiveAt reports whether the gateway may bring requests.
//
// Spec: gateway-payments-streams §B (health > 0, stake at least the minimum).
func (p *Profile) ActiveAt(c Config, at unit.Height) bool {
	return p.Leaving == nil && p.HealthAt(c, at) > 0 && p.Stake >= c.MinStake
}

// Phase is what the blocks after the end of an epoch of the pool are doing.
type Phase uint8

// The phases.
const (
	Resting Phase = iota
	Summing
	Paying
	phases
)

// Epoch is where the pool of gateways is.
type Epoch struct {
	Number uint64      // of the epoch that runs
	Began  unit.Height // its first block
	Closed unit.Height // the first block of the one before it

	Phase  Phase
	Cursor *account.Address // the last gateway that the walk has looked at
	Pot    unit.Amount      // what the epoch before it shares out
	Weight unit.Amount      // the sum of its gateways' stakes
	Uptime uint64           // the sum of their healthy blocks
}

// Append appends the canonical encoding: UInt number ‖ UInt began ‖ UInt closed ‖ phase(1) ‖ Option cursor(20) ‖ UInt pot ‖ UInt weight ‖ UInt uptime.
func (e *Epoch) Append(dst []byte) []byte {
	dst = codec.AppendUint(codec.AppendUint(codec.AppendUint(dst, e.Number), uint64(e.Began)), uint64(e.Closed))
	dst = codec.AppendBool(codec.AppendU8(dst, uint8(e.Phase)), e.Cursor != nil)
	if e.Cursor != nil {
		dst = codec.AppendFixed(dst, e.Cursor[:])
	}
	return codec.AppendUint(codec.AppendUint(codec.AppendUint(dst, uint64(e.Pot)), uint64(e.Weight)), e.Uptime)
}

// DecodeEpoch reads what Append wrote.
func DecodeEpoch(data []byte) (Epoch, error) {
	r := codec.NewReader(data)
	e := Epoch{Number: r.Uint(), Began: unit.Height(r.Uint()), Closed: unit.Height(r.Uint()), Phase: Phase(r.Tag(uint8(phases)))}
	if r.Option() {
		e.Cursor = new(account.Address)
		r.Into(e.Cursor[:])
	}
	e.Pot, e.Weight, e.Uptime = unit.Amount(r.Uint()), unit.Amount(r.Uint()), r.Uint()
	return e, r.Finish()
}

// What the keys begin with, after the address of the registry.
const (
	underProfile = "gateway:profile/"
	nameCount    = "gateway:count"
	nameStakes   = "gateway:stakes"
	namePool     = "gateway:pool"
	nameEpoch    = "gateway:epoch"
)

// Home is where the registry lies.
func Home() account.Address { return account.System(account.GatewayRegistry) }

func profileKey(a account.Address) []byte {
	return append(account.KeyString(account.KindRecord, Home(), underProfile), a[:]...)
}

func single(name string) []byte { return account.KeyString(account.KindRecord, Home(), name) }

// Claims are the ranges of state keys of this package. chapter is the name of the chapter that runs it.
func Claims(chapter string) []account.Claim {
	claim := func(holds, suffix string, exact bool) account.Claim {
		return account.RecordClaim(chapter, Home(), suffix, holds, exact)
	}
	return []account.Claim{
		claim("gateways", underProfile, false), claim("how many gateways there are", nameCount, true), claim("the sum of their stakes", nameStakes, true),
		claim("the pool of gateways", namePool, true), claim("where the pool's epoch is", nameEpoch, true),
	}
}

// Load reads a gateway. Reject: ErrUnknown.
func Load(r state.Reader, a account.Address) (Profile, error) {
	data, ok, err := r.Lookup(profileKey(a))
	if err != nil {
		return Profile{}, err
	}
	if !ok {
		return Profile{}, ErrUnknown
	}
	return DecodeProfile(data)
}

// Located is a gateway with its address.
type Located struct {
	Address account.Address
	Profile Profile
}

// List lists at most limit gateways with addresses above after; nil begins with the first.
func List(r state.Reader, after *account.Address, limit int) (list []Located, err error) {
	prefix := single(underProfile)
	var above []byte
	if after != nil {
		above = profileKey(*after)
	}
	failed := r.Scan(prefix, above, limit, func(key, value []byte) bool {
		var p Profile
		if p, err = DecodeProfile(value); err != nil {
			return false
		}
		list = append(list, Located{account.Address(key[len(prefix):]), p})
		return true
	})
	return list, errors.Join(failed, err)
}

// LoadEpoch reads where the pool is.
func LoadEpoch(r state.Reader) (Epoch, error) {
	data, ok, err := r.Lookup(single(nameEpoch))
	if err != nil || !ok {
		return Epoch{}, err
	}
	return DecodeEpoch(data)
}

func setNumber(s state.Store, name string, n uint64) { state.SetNumber(s, single(name), n) }

// InPool is what lies in the pool, base units.
func InPool(r state.Reader) (unit.Amount, error) {
	n, err := state.Number(r, single(namePool))
	return unit.Amount(n), err
}

// Escrow is the coin that the registry holds for others: the stakes and the pool.
//
// Spec: WP §8.
func Escrow(r state.Reader) (unit.Amount, error) {
	stakes, err := state.Number(r, single(nameStakes))
	if err != nil {
		return 0, err
	}
	pool, err := InPool(r)
	if err != nil {
		return 0, err
	}
	return unit.Amount(stakes).Add(pool)
}

// Contribute puts coins into the pool that were taken from an account.
//
// Spec: gateway-payments-streams §A.3 (the gateways' part of fees).
func Contribute(s state.Store, amount unit.Amount) error {
	if amount == 0 {
		return nil
	}
	pool, err := InPool(s)
	if err == nil {
		pool, err = pool.Add(amount)
	}
	if err == nil {
		setNumber(s, namePool, uint64(pool))
	}
	return err
}
