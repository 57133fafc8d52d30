package market

import (
	"math/bits"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Size is how large committees are in an epoch of 3,600 blocks, and why.
//
// Spec: WP §5.3, §13; runner-marketplace §4.2.
type Size struct {
	Concentration job.Concentration // smoothed
	Active        uint64            // healthy runners when it was computed
	Committee     params.CommitteeConfig
}

// Encode is the record in state: the fields in their order as UInt.
func (s *Size) Encode() []byte {
	return s.Committee.Append(codec.AppendUint(codec.AppendUint(nil, uint64(s.Concentration)), s.Active))
}

// DecodeSize reads what Encode wrote.
func DecodeSize(data []byte) (*Size, error) {
	r := codec.NewReader(data)
	s := &Size{job.Concentration(r.Uint()), r.Uint(), params.ReadCommitteeConfig(r)}
	return s, finish(r, "size")
}

// LoadSize reads the size of committees; nil before the first epoch is complete.
func LoadSize(r state.Reader) (*Size, error) { return state.Find(r, under(keyCommittee), DecodeSize) }

// CommitteeOf is the size of the committees of jobs that are submitted now: the epoch's, or the fixed one before the first is complete.
//
// Spec: WP §5.3, §13.1; runner-marketplace §4.2.
func CommitteeOf(r state.Reader, p *params.Params) (params.CommitteeConfig, error) {
	s, err := LoadSize(r)
	if err != nil || s == nil {
		return p.Committee, err
	}
	return s.Committee, nil
}

// measure computes the size of committees anew in the last block of each epoch.
//
// Spec: WP §5.3, §13; runner-marketplace §4.2; governance-staking C2 (effective stake).
func (m *Market) measure() error {
	if m.Height%params.CommitteeEpochBlocks != 0 {
		return nil
	}
	all, err := runner.List(m.State, nil, 0)
	if err != nil {
		return err
	}
	var squares unit.Uint128
	var stakes unit.Amount
	var active uint64
	for _, r := range all {
		if r.Health(m.Height) != runner.Healthy {
			continue
		}
		stake := r.Effective()
		hi, lo := bits.Mul64(uint64(stake), uint64(stake))
		var carry uint64
		squares.Lo, carry = bits.Add64(squares.Lo, lo, 0)
		squares.Hi, _ = bits.Add64(squares.Hi, hi, carry) // stakes are coins there are: their squares together fit
		stakes += stake
		active++
	}
	newest := job.ConcentrationOf(squares, stakes)
	before, err := LoadSize(m.State)
	if err != nil {
		return err
	}
	if before != nil {
		newest = before.Concentration.Smooth(newest)
	}
	s := &Size{Concentration: newest, Active: active, Committee: job.Committee(active, newest)}
	m.State.Set(under(keyCommittee), s.Encode())
	return nil
}
