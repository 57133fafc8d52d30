package params

import "github.com/cowboyinc/cowboy-go/chain/unit"

// Lane is a partition of block space with its own cycle budget and fee
// multiplier. Spec: WP §6.3, §17.9.
type Lane uint8

// The lanes, in the order of the multiplier record of WP §13.1.
const (
	LaneSystem Lane = iota
	LaneTimer
	LaneRunner
	LaneUser
	LaneCount
)

// String names the lane.
func (l Lane) String() string {
	switch l {
	case LaneSystem:
		return "system"
	case LaneTimer:
		return "timer"
	case LaneRunner:
		return "runner"
	case LaneUser:
		return "user"
	}
	return "unknown"
}

// Lane budgets; they sum to BlockCycles.
const (
	LaneSystemCycles unit.Cycles = 40_000_000 // cycles per block; Spec: WP §17.9 (over §13's 5 %)
	LaneTimerCycles  unit.Cycles = 8_888_890  // cycles per block; Spec: WP §5.1a, §17.9 (over §13's 20 %)
	LaneRunnerCycles unit.Cycles = 8_888_888  // cycles per block; Spec: WP §17.9 (over §13's 25 %)
	LaneUserCycles   unit.Cycles = 22_222_222 // cycles per block; Spec: WP §17.9 (over §13's 50 %)
	BlockCycles      unit.Cycles = 80_000_000 // cycles per block, all lanes; Spec: WP §4.3, §17.8
)

// Budget is the lane's reserved cycles per block. Spec: WP §17.9.
func (l Lane) Budget() unit.Cycles {
	switch l {
	case LaneSystem:
		return LaneSystemCycles
	case LaneTimer:
		return LaneTimerCycles
	case LaneRunner:
		return LaneRunnerCycles
	case LaneUser:
		return LaneUserCycles
	}
	return 0
}

// Basefees are the block's prices of one cycle and one cell, in base units.
// Spec: WP §4.2, §17.8.
type Basefees struct {
	Cycle uint64
	Cell  uint64
}
