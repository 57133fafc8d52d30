package stake

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Status is where a validator is in its life. Spec: governance-staking A1.
type Status uint8

// The statuses.
const (
	Pending   Status = iota // waits for a boundary
	Active                  // in the set, paid, drawn as proposer
	Exiting                 // leaves at the next boundary, is not paid
	Jailed                  // punished; Unjail brings it back to Pending
	Unbonding               // out of the set, its stake released entry by entry
	statuses
)

// String names the status.
func (s Status) String() string {
	if s >= statuses {
		return "unknown"
	}
	return [...]string{"pending", "active", "exiting", "jailed", "unbonding"}[s]
}

// Release is stake on its way out.
type Release struct {
	Amount unit.Amount
	Height unit.Height // withdrawable from this height on
}

// Penalty is a slash that waits for the end of the epoch.
type Penalty struct {
	BPS       uint32          // of the stake
	Submitter account.Address // of the evidence
}

// maxPenalties bounds the slashes of one epoch: each is 1 %, so that many take everything.
const maxPenalties = params.BasisPoints / params.DoubleSignSlashBPS

// Validator is a validator's record, stored under its account.
// Spec: governance-staking A1, A3.
type Validator struct {
	Key         sig.BLSPublicKey
	Status      Status
	Stake       unit.Amount // bonded
	Joining     unit.Amount // added, counts from the next boundary
	Leaving     unit.Amount // of Stake: taken out at the next boundary
	JailedUntil unit.Height // the jail period's end; zero: never jailed
	Jailings    uint32      // how often it was jailed
	Penalties   []Penalty
	Releases    []Release // ascending by height
}

// Encode is the canonical encoding: the fields in their order.
// Spec: WP §2.5.
func (v *Validator) Encode() []byte {
	dst := codec.AppendFixed(nil, v.Key[:])
	dst = codec.AppendU8(dst, uint8(v.Status))
	for _, n := range [...]uint64{
		uint64(v.Stake), uint64(v.Joining), uint64(v.Leaving), uint64(v.JailedUntil), uint64(v.Jailings),
	} {
		dst = codec.AppendUint(dst, n)
	}
	dst = codec.AppendLen(dst, len(v.Penalties))
	for _, p := range v.Penalties {
		dst = codec.AppendFixed(codec.AppendUint(dst, uint64(p.BPS)), p.Submitter[:])
	}
	dst = codec.AppendLen(dst, len(v.Releases))
	for _, r := range v.Releases {
		dst = codec.AppendUint(codec.AppendUint(dst, uint64(r.Amount)), uint64(r.Height))
	}
	return dst
}

// DecodeValidator reads what Encode wrote, or gives a *codec.Error.
func DecodeValidator(data []byte) (*Validator, error) {
	r := codec.NewReader(data)
	v := new(Validator)
	r.Into(v.Key[:])
	v.Status = Status(r.Tag(uint8(statuses)))
	v.Stake, v.Joining, v.Leaving = unit.Amount(r.Uint()), unit.Amount(r.Uint()), unit.Amount(r.Uint())
	v.JailedUntil, v.Jailings = unit.Height(r.Uint()), r.Uint32()
	if n := r.Len(0, maxPenalties, 1+account.AddressSize); n > 0 {
		v.Penalties = make([]Penalty, n)
		for i := range v.Penalties {
			v.Penalties[i].BPS = r.Uint32()
			r.Into(v.Penalties[i].Submitter[:])
		}
	}
	if n := r.Len(0, params.MaxUnbondings+1, 2); n > 0 {
		v.Releases = make([]Release, n)
		for i := range v.Releases {
			v.Releases[i] = Release{unit.Amount(r.Uint()), unit.Height(r.Uint())}
		}
	}
	return v, r.Finish()
}

// InJail reports whether the validator may not propose at a height: it is jailed, or leaves with its jail period running.
// Spec: governance-staking A3 (jail at once), part E (a jailed validator neither proposes nor is paid).
func (v *Validator) InJail(height unit.Height) bool {
	return v.Status == Jailed || v.JailedUntil > height
}

// Load reads the record of an account; ok is false if it has none. An error is a failing source.
func Load(r state.Reader, addr account.Address) (v *Validator, ok bool, err error) {
	raw, ok, err := r.Lookup(validatorKey(addr))
	if err != nil || !ok {
		return nil, false, err
	}
	v, err = DecodeValidator(raw)
	return v, err == nil, err
}

// eligible reports whether the validator takes part in the next epoch if nothing else happens.
// Spec: WP "Validator Set" (stake ≥ minimum); governance-staking A1.
func (v *Validator) eligible(minimum unit.Amount) bool {
	return (v.Status == Pending || v.Status == Active) && v.bonded() >= minimum
}

// bonded is the stake after the next boundary, slashes aside. The parts are coins of one account, so the sum cannot overflow.
func (v *Validator) bonded() unit.Amount { return v.Stake + v.Joining - v.Leaving }
