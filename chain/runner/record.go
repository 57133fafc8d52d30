package runner

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tee"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Status is where a runner is in its life.
type Status uint8

// The statuses.
const (
	Active    Status = iota // takes jobs while it is heard of
	Paused                  // takes none, by its own word
	Suspended               // takes none: its stake is below the floor
	Leaving                 // has deregistered
	statuses
)

// Health is what others see of a runner (HealthStatus).
//
// Spec: runner-marketplace §2.5; CIP-2 §4.
type Health uint8

// The states of health.
const (
	Healthy Health = iota
	Unhealthy
	Inactive // Paused in the specification: paused or suspended
	Deregistered
)

// String names the state as clients do.
func (h Health) String() string {
	return [...]string{"Healthy", "Unhealthy", "Paused", "Deregistered"}[h]
}

// Runner is what the registry keeps of a runner and changes often.
//
// Spec: runner-marketplace §2.5 (RunnerRegistration).
type Runner struct {
	Key         sig.CompressedKey
	Stake       unit.Amount // self-bonded
	Delegated   unit.Amount // of the active tranches of others
	Status      Status
	Registered  unit.Height
	Heard       unit.Height // of the last heartbeat
	Reputation  Reputation
	Scored      unit.Height // of the last scored event, or of registration
	ActiveJobs  uint32
	LockedUntil unit.Height // no stake is paid out in this block or before: a job of the runner may be challenged
	Leaves      unit.Height // of one that is Leaving: the first block its stake may be paid out in
}

// Encode is the record in state: key(33) ‖ UInt stake ‖ UInt delegated ‖ status(1) ‖ the heights and numbers as UInt in their order.
func (r *Runner) Encode() []byte {
	dst := codec.AppendUint(codec.AppendUint(codec.AppendFixed(nil, r.Key[:]), uint64(r.Stake)), uint64(r.Delegated))
	dst = codec.AppendU8(dst, uint8(r.Status))
	for _, n := range [...]uint64{
		uint64(r.Registered), uint64(r.Heard), uint64(r.Reputation), uint64(r.Scored), uint64(r.ActiveJobs), uint64(r.LockedUntil), uint64(r.Leaves),
	} {
		dst = codec.AppendUint(dst, n)
	}
	return dst
}

// Decode reads what Encode wrote.
func Decode(data []byte) (*Runner, error) {
	in := codec.NewReader(data)
	r := new(Runner)
	in.Into(r.Key[:])
	r.Stake, r.Delegated, r.Status = unit.Amount(in.Uint()), unit.Amount(in.Uint()), Status(in.Tag(uint8(statuses)))
	r.Registered, r.Heard, r.Reputation = unit.Height(in.Uint()), unit.Height(in.Uint()), Reputation(in.Uint())
	r.Scored, r.ActiveJobs, r.LockedUntil, r.Leaves = unit.Height(in.Uint()), in.Uint32(), unit.Height(in.Uint()), unit.Height(in.Uint())
	if in.Err() == nil && r.Reputation > reputationOne {
		in.Fail(codec.ErrInvalid, uint64(r.Reputation))
	}
	if err := in.Finish(); err != nil {
		return nil, fmt.Errorf("runner: record: %w", err)
	}
	return r, nil
}

// Effective is the stake a runner is weighed and held to its jobs by: its own and what is delegated to it, of which no more counts than nine times its own.
// So its own is always a tenth at least, after a slash that took more of it too.
//
// Spec: governance-staking C2.
func (r *Runner) Effective() unit.Amount {
	if r.Delegated/(params.BasisPoints/params.SelfBondBPS-1) >= r.Stake {
		return r.Stake * (params.BasisPoints / params.SelfBondBPS) // no more than Stake + Delegated, which are coins that exist
	}
	return r.Stake + r.Delegated
}

// Covers reports whether a runner's effective stake covers a job of a value.
//
// Spec: governance-staking C2 (jobs up to effective_stake / 1.5); WP §5.2.
func (r *Runner) Covers(value unit.Amount) bool {
	need, err := StakeFor(value)
	return err == nil && r.Stake >= params.RunnerStakeFloor && r.Effective() >= need
}

// Health is the runner's at a height.
//
// Spec: runner-marketplace §4.1 (1), §11 (heartbeat timeout); CIP-2 §4.
func (r *Runner) Health(now unit.Height) Health {
	switch {
	case r.Status == Leaving:
		return Deregistered
	case r.Status != Active:
		return Inactive
	case now > r.Heard+params.RunnerHeartbeatBlocks:
		return Unhealthy
	}
	return Healthy
}

// OnProbation reports whether a runner is too new, or trusted too little, for any job but a small one.
//
// Spec: runner-marketplace §8.2.
func (r *Runner) OnProbation(now unit.Height) bool {
	return r.Reputation < ReputationOf(params.ProbationReputation) || now < r.Registered+params.ProbationBlocks
}

// Load reads the record of a runner; ok is false where there is none.
func Load(r state.Reader, addr account.Address) (one *Runner, ok bool, err error) {
	data, ok, err := r.Lookup(stateKey(addr))
	if err != nil || !ok {
		return nil, false, err
	}
	one, err = Decode(data)
	return one, err == nil, err
}

// LoadDeclaration reads what a runner declares. One that is registered has declared something.
func LoadDeclaration(r state.Reader, addr account.Address) (*Declaration, error) {
	data, ok, err := r.Lookup(declaredKey(addr))
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, ErrUnknown
	}
	return DecodeDeclaration(data)
}

// BindingOf is what a runner is bound to: the binding it has set, or what it has declared. Rejects: ErrUnknown, tee.ErrBinding.
//
// Spec: tee §2.3, §4 (declaration and binding).
func BindingOf(r state.Reader, addr account.Address) (*tee.Binding, error) {
	d, err := LoadDeclaration(r, addr)
	if err != nil {
		return nil, err
	}
	return tee.BindingOf(r, addr, d.Capabilities.TEESupport, d.Measurement)
}

// Entry is a runner with its address.
type Entry struct {
	Address account.Address
	*Runner
}

// List reads runners in the order of their addresses, those above after (nil: all), at most limit (0: no bound).
func List(r state.Reader, after *account.Address, limit int) (list []Entry, err error) {
	prefix := account.KeyString(account.KindRecord, Home(), underState)
	var above []byte
	if after != nil {
		above = stateKey(*after)
	}
	failed := r.Scan(prefix, above, limit, func(key, value []byte) bool {
		var one *Runner
		if one, err = Decode(value); err != nil {
			return false
		}
		list = append(list, Entry{account.Address(key[len(prefix):]), one})
		return true
	})
	if failed != nil {
		err = failed
	}
	return list, err
}

// DeclarationSize is how many bytes the record of what a runner declares has; 0 where there is none.
func DeclarationSize(r state.Reader, addr account.Address) (int, error) {
	data, _, err := r.Lookup(declaredKey(addr))
	return len(data), err
}
