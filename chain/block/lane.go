package block

import (
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Lane is a partition of block space.
type Lane = params.Lane

// The lanes, under the names this package's readers expect.
const (
	LaneSystem = params.LaneSystem
	LaneTimer  = params.LaneTimer
	LaneRunner = params.LaneRunner
	LaneUser   = params.LaneUser
)

// Budgets are the cycles of a block by lane. Spec: WP §6.3, §17.9.
type Budgets [params.LaneCount]unit.Cycles

// ProtocolBudgets are the reserved capacities of the protocol.
// Spec: WP §17.9.
func ProtocolBudgets() Budgets {
	var b Budgets
	for l := range params.LaneCount {
		b[l] = l.Budget()
	}
	return b
}

// Usage is the cycles reserved by lane while a block is put together. It starts
// with the Timer lane's reservation, the cycles the timers due at the block's
// height may use, capped at that lane's budget.
type Usage [params.LaneCount]unit.Cycles

// NewUsage is the usage of an empty block whose due timers may use demand cycles.
// Spec: WP §17.9; scheduler-timers §6.
func NewUsage(b Budgets, timerDemand unit.Cycles) Usage {
	var u Usage
	u[LaneTimer] = min(timerDemand, b[LaneTimer])
	return u
}

// Spill is the capacity System, Runner and Timer leave to User: what they have
// not reserved. Spec: WP §6.3, §17.9.
func (u *Usage) Spill(b Budgets) unit.Cycles {
	var spill unit.Cycles
	for _, l := range [...]Lane{LaneSystem, LaneTimer, LaneRunner} {
		spill += b[l] - u[l]
	}
	return spill
}

// reserve adds cycles to lane l if the budgets allow it: a reserved lane up to
// its budget and never at the expense of spilled capacity User already holds;
// User up to its own budget, or with spill also into what the others left. It
// reports whether it did. No lane can exceed its budget by overflow: cycles is at
// most a lane's budget.
// Spec: WP §6.3, §17.9.
func (u *Usage) reserve(b Budgets, l Lane, cycles unit.Cycles, spill bool) bool {
	next := *u
	next[l] += cycles
	switch {
	case next[l] < cycles:
		return false
	case l != LaneUser && next[l] > b[l]:
		return false
	case l == LaneUser && !spill && next[LaneUser] > b[LaneUser]:
		return false
	case next[LaneUser] > b[LaneUser]+next.Spill(b):
		return false
	}
	*u = next
	return true
}
