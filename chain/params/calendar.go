package params

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Bounds of an epoch's length, in blocks: short enough to prune, long enough for a
// key ceremony between its midpoint and its end.
const (
	MinEpochBlocks = 8
	MaxEpochBlocks = 1 << 20
)

// KeyCalendar is where a network whose epochs are not of EpochBlocks blocks says so,
// a record of 0x09. It is written at genesis and never again: governance does not
// reach it.
const KeyCalendar = "stake:calendar"

// CalendarKey is the state key of KeyCalendar: for proofs.
func CalendarKey() []byte {
	return account.KeyString(account.KindRecord, account.System(account.Governance), KeyCalendar)
}

// Calendar divides the heights of a chain into epochs of one length. The zero
// Calendar has epochs of EpochBlocks blocks; calendars are equal when they are ==.
// Spec: WP "Validator Set", §13.
type Calendar struct{ blocks uint64 }

// NewCalendar is a calendar with epochs of so many blocks, or gives an error wrapping
// ErrInvalid.
func NewCalendar(blocks uint64) (Calendar, error) {
	switch {
	case blocks == EpochBlocks:
		return Calendar{}, nil
	case blocks < MinEpochBlocks || blocks > MaxEpochBlocks:
		return Calendar{}, fmt.Errorf("%w: epochs of %d blocks", ErrInvalid, blocks)
	}
	return Calendar{blocks}, nil
}

// Blocks is the length of an epoch.
func (c Calendar) Blocks() uint64 {
	if c.blocks == 0 {
		return EpochBlocks
	}
	return c.blocks
}

// Epoch is the epoch a height belongs to; epoch 0 starts with genesis.
// Spec: WP "Validator Set", §13.
func (c Calendar) Epoch(height unit.Height) uint64 { return uint64(height) / c.Blocks() }

// First is the height of an epoch's first block. Height 0, the genesis, belongs to
// epoch 0 and is nobody's block.
func (c Calendar) First(epoch uint64) unit.Height { return unit.Height(epoch * c.Blocks()) }

// Last is the height of an epoch's last block.
func (c Calendar) Last(epoch uint64) unit.Height { return c.First(epoch+1) - 1 }

// Anchor is the height of the block an epoch builds on: the last one of the epoch
// before, for epoch 0 the genesis.
func (c Calendar) Anchor(epoch uint64) unit.Height {
	if epoch == 0 {
		return 0
	}
	return c.First(epoch) - 1
}

// Freeze is the height whose block closes the list for the next epoch: the midpoint.
// Spec: commonware §4.3.
func (c Calendar) Freeze(epoch uint64) unit.Height {
	return c.First(epoch) + unit.Height(c.Blocks()*SetFreezeBlock/EpochBlocks)
}

// Retained is how many epochs before the present one evidence may be about, and the
// one that is ending.
// Spec: governance-staking A3 (evidence for the unbonding period).
func (c Calendar) Retained() uint64 { return UnbondingBlocks/c.Blocks() + 1 }

// Save stores the calendar at genesis. The usual one is not stored.
func (c Calendar) Save(to state.Store) {
	if c != (Calendar{}) {
		to.Set(CalendarKey(), codec.AppendUint(nil, c.blocks))
	}
}

// LoadCalendar reads the calendar of a state. An error wraps ErrInvalid, or is the
// source's.
func LoadCalendar(from state.Reader) (Calendar, error) {
	raw, ok, err := from.Lookup(CalendarKey())
	if err != nil || !ok {
		return Calendar{}, err
	}
	r := codec.NewReader(raw)
	blocks := r.Uint()
	if err := r.Finish(); err != nil {
		return Calendar{}, fmt.Errorf("%w: %s: %w", ErrInvalid, KeyCalendar, err)
	}
	return NewCalendar(blocks)
}
