package relay

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The governance keys of the groups, which are tuples of UInt.
//
// Spec: storage-cbfs §6 (parameters at 0x09).
const (
	KeyRent    = params.KeyGenericPrefix + "cbfs.rent"
	KeyProof   = params.KeyGenericPrefix + "cbfs.proof"
	KeyPenalty = params.KeyGenericPrefix + "cbfs.penalty"
	KeyStake   = params.KeyGenericPrefix + "cbfs.stake"
	KeyPolicy  = params.KeyGenericPrefix + "cbfs.auto_drain"
)

// Terms are the governed parameters of volumes and relays. Amounts are base units.
//
// Spec: storage-cbfs §6, §8.
type Terms struct {
	Rent    Rent
	Proof   Proofs
	Penalty Penalties
	Stake   Staking
	Policy  Policy
}

// Rent is what volumes pay.
type Rent struct {
	EpochBlocks    uint64
	PerMiB         unit.Amount // of effective size and epoch
	TransferPerMiB unit.Amount // by which a commit lets a volume grow
	BurnBPS        uint64
	PoolBPS        uint64 // the rest is the relays'
	GraceBlocks    uint64 // of storage, and of deletion
	Creation       unit.Amount
	Attachment     unit.Amount // of a volume to a job
}

// Proofs are the terms of proofs of retrievability.
type Proofs struct {
	Interval uint64 // blocks between two challenges of a relay
	Window   uint64 // blocks a relay has to answer in
	Bond     unit.Amount
	Fee      unit.Amount
	Bounty   unit.Amount
	Reserve  unit.Amount // of the pool, which bounties leave
	Cap      unit.Amount // of bounties in an epoch
	Fuel     unit.Amount // 0x0A burns for each challenge of the chain's own
}

// Penalties are what a relay loses.
type Penalties struct{ Miss, Fraud, Eviction unit.Amount }

// Staking is what a relay stakes.
type Staking struct {
	Least         unit.Amount
	UnstakeBlocks uint64
}

// Policy says when relays drain by themselves.
//
// Spec: storage-cbfs §3.2 (86), §4 (relay).
type Policy struct {
	Enabled      bool
	HighWaterBPS uint64
	OverEpochs   uint64 // above the mark
	StaleEpochs  uint64
	StaleMs      uint64 // after which a heartbeat is stale
	MinStake     unit.Amount
	BondBase     unit.Amount
	BondPerGiB   unit.Amount
	WindowMs     uint64 // a relay has to drain in
}

// Genesis are the terms where governance set none.
//
// Spec: storage-cbfs §6, §8.
func Genesis() Terms {
	const epoch = params.BlocksPerDay
	return Terms{
		Rent:    Rent{epoch, 450, 10_000, 1_000, 200, epoch, 1_000 * unit.CBY, 100 * unit.CBY},
		Proof:   Proofs{7_200, 600, 10 * unit.CBY, unit.CBY, 5 * unit.CBY, 1_000 * unit.CBY, 500 * unit.CBY, unit.CBY / 1_000},
		Penalty: Penalties{50 * unit.CBY, 500 * unit.CBY, 2_000 * unit.CBY},
		Stake:   Staking{5_000 * unit.CBY, epoch},
		Policy:  Policy{true, 9_000, 3, 2, 600_000, 5_000 * unit.CBY, 100 * unit.CBY, unit.CBY, 7 * 86_400_000},
	}
}

// numbers are the fields of each group in their order, for reading and writing alike.
func (t *Terms) numbers(key string) []*uint64 {
	u := func(list ...*unit.Amount) (out []*uint64) {
		for _, a := range list {
			out = append(out, (*uint64)(a))
		}
		return out
	}
	r, p, d := &t.Rent, &t.Proof, &t.Policy
	switch key {
	case KeyRent:
		list := append([]*uint64{&r.EpochBlocks}, u(&r.PerMiB, &r.TransferPerMiB)...)
		return append(append(list, &r.BurnBPS, &r.PoolBPS, &r.GraceBlocks), u(&r.Creation, &r.Attachment)...)
	case KeyProof:
		return append([]*uint64{&p.Interval, &p.Window}, u(&p.Bond, &p.Fee, &p.Bounty, &p.Reserve, &p.Cap, &p.Fuel)...)
	case KeyPenalty:
		return u(&t.Penalty.Miss, &t.Penalty.Fraud, &t.Penalty.Eviction)
	case KeyStake:
		return append(u(&t.Stake.Least), &t.Stake.UnstakeBlocks)
	}
	list := []*uint64{&d.HighWaterBPS, &d.OverEpochs, &d.StaleEpochs, &d.StaleMs}
	return append(append(list, u(&d.MinStake, &d.BondBase, &d.BondPerGiB)...), &d.WindowMs)
}

// Encode is the value of a group: its fields as UInt, that of the policy with a Bool before them.
func (t *Terms) Encode(key string) []byte {
	var dst []byte
	if key == KeyPolicy {
		dst = codec.AppendBool(dst, t.Policy.Enabled)
	}
	for _, n := range t.numbers(key) {
		dst = codec.AppendUint(dst, *n)
	}
	return dst
}

func (t *Terms) decode(key string, value []byte) error {
	r := codec.NewReader(value)
	if key == KeyPolicy {
		t.Policy.Enabled = r.Bool()
	}
	for _, n := range t.numbers(key) {
		*n = r.Uint()
	}
	return r.Finish()
}

// mostAmount bounds governed amounts, and mostBlocks times, so that sums of them stay far from 64 bits; mostPerMiB prices that the MiB of a volume multiply, of
// which there are 512,000 at most, and mostPerGiB what the GiB of a relay do, 1<<26.
const (
	mostAmount = 1_000_000 * unit.CBY
	mostPerMiB = 1_000 * unit.CBY
	mostPerGiB = 100 * unit.CBY
	mostBlocks = 100 * params.BlocksPerYear
	mostMs     = 1 << 48
)

// ErrTerms reports a value of a group that is outside its range.
var ErrTerms = errors.New("relay: a governed value is outside its range")

// Check holds a value of a group to its range. Reject: ErrTerms, or one of the codec.
//
// Spec: storage-cbfs §6, §3.2.
func Check(key string, value []byte) error {
	t := Genesis()
	if err := t.decode(key, value); err != nil {
		return err
	}
	r, p, d := &t.Rent, &t.Proof, &t.Policy
	for _, a := range [...]unit.Amount{
		r.PerMiB, r.TransferPerMiB, r.Creation, r.Attachment, p.Bond, p.Fee, p.Bounty, p.Reserve, p.Cap, p.Fuel, t.Penalty.Miss, t.Penalty.Fraud,
		t.Penalty.Eviction, t.Stake.Least, d.MinStake, d.BondBase, d.BondPerGiB,
	} {
		if a > mostAmount {
			return ErrTerms
		}
	}
	switch {
	case max(r.PerMiB, r.TransferPerMiB) > mostPerMiB || d.BondPerGiB > mostPerGiB:
		return ErrTerms
	case r.BurnBPS > params.BasisPoints, r.PoolBPS > params.BasisPoints-r.BurnBPS, d.HighWaterBPS > params.BasisPoints:
		return ErrTerms
	case r.EpochBlocks == 0 || p.Interval == 0 || p.Window == 0 || d.OverEpochs == 0 || d.StaleEpochs == 0 || d.StaleMs == 0:
		return ErrTerms
	case max(r.EpochBlocks, r.GraceBlocks, p.Interval, p.Window, t.Stake.UnstakeBlocks) > mostBlocks:
		return ErrTerms
	case d.OverEpochs > 1<<16 || d.StaleEpochs > 1<<16 || d.StaleMs > mostMs || d.WindowMs > mostMs:
		return ErrTerms
	}
	return nil
}

// LoadTerms reads the governed terms.
func LoadTerms(r state.Reader) (Terms, error) {
	t := Genesis()
	for _, key := range Keys() {
		value, ok, err := r.Lookup(params.StateKey(key))
		if err != nil {
			return t, err
		}
		if !ok {
			continue
		}
		if err := t.decode(key, value); err != nil {
			return t, err
		}
	}
	return t, nil
}

// Keys are those of the groups.
func Keys() []string { return []string{KeyRent, KeyProof, KeyPenalty, KeyStake, KeyPolicy} }
