package object

import "errors"

// trap is what the machine takes off the meter to make the next charge fail, so
// that a pending condition is looked at without a test of its own.
const trap = int64(1) << 62

// Meter counts what a transaction may still spend. One Meter is shared by all
// machines of one transaction; it belongs to one goroutine at a time.
//
// Spec: CIP-3 §2.2.
type Meter struct {
	left       int64 // cycles at hand; below zero only while trapped or exhausted
	reserve    int64 // cycles that are there besides, while somebody may stop the execution
	stop       Interrupt
	trapped    bool // trap was taken off left
	limit      int64
	cells      int64
	cellsLimit int64
}

// Interrupt lets whoever waits for an execution end it. It says nothing about the
// program: what was executed until then has no outcome.
type Interrupt interface {
	// Raised says whether the execution is to end. It is asked often.
	Raised() bool
}

// ErrInterrupted ends an execution whose Interrupt was raised. It is a failure of
// the host and no fault of the program.
var ErrInterrupted = errors.New("pvm: interrupted")

// ration is how many cycles an execution spends at most between two looks at its
// Interrupt, but for those of one operation.
const ration = 4096

// NewMeter returns a meter with the given cycles and cells to spend. Amounts
// above 2^61 are taken as 2^61.
func NewMeter(cycles, cells uint64) *Meter {
	const most = 1 << 61
	c, b := int64(min(cycles, most)), int64(min(cells, most))
	return &Meter{left: c, limit: c, cells: b, cellsLimit: b}
}

// Heed makes executions on the meter end with ErrInterrupted some time after stop
// was raised; nil changes nothing. What an execution that is not interrupted spends
// and does is the same with and without.
func (t *Meter) Heed(stop Interrupt) {
	if stop != nil {
		t.stop = stop
		t.put()
	}
}

// Heeds returns what may end executions on the meter, for others on its behalf.
func (t *Meter) Heeds() Interrupt { return t.stop }

// gather takes the reserve to hand.
func (t *Meter) gather() {
	t.left += t.reserve
	t.reserve = 0
}

// put leaves a ration at hand and reserves the rest.
func (t *Meter) put() {
	if t.stop != nil && t.left > ration {
		t.reserve += t.left - ration
		t.left = ration
	}
}

// there is what is left of a meter that is not armed.
func (t *Meter) there() int64 { return t.left + t.reserve }

// Left returns the cycles still to spend.
func (t *Meter) Left() uint64 {
	left := t.left + t.reserve
	if t.trapped {
		left += trap
	}
	return uint64(max(left, 0))
}

// arm makes the next charge of a machine look at its heap.
func (t *Meter) arm() {
	if !t.trapped {
		t.trapped = true
		t.left -= trap
	}
}

// disarm undoes arm.
func (t *Meter) disarm() {
	if t.trapped {
		t.trapped = false
		t.left += trap
	}
}

// Used returns the cycles spent.
func (t *Meter) Used() uint64 { return uint64(t.limit) - t.Left() }

// CellsLeft returns the cells still to spend.
func (t *Meter) CellsLeft() uint64 { return uint64(max(t.cells, 0)) }

// CellsUsed returns the cells spent.
func (t *Meter) CellsUsed() uint64 { return uint64(t.cellsLimit - max(t.cells, 0)) }

// Spend takes n cycles outside any machine and says whether they were there; if
// not, the meter is empty afterwards.
func (t *Meter) Spend(n uint64) bool {
	t.disarm()
	t.gather()
	if n > t.Left() {
		t.left = 0
		return false
	}
	t.left -= int64(n)
	t.put()
	return true
}

// SpendCells takes n cells and says whether they were there; if not, the meter
// is empty afterwards.
func (t *Meter) SpendCells(n uint64) bool {
	if n > t.CellsLeft() {
		t.cells = 0
		return false
	}
	t.cells -= int64(n)
	return true
}

// Aside gives what runs next a budget of its own, until the result is called:
// work on behalf of people that the program does not pay for.
func (t *Meter) Aside(cycles int64) (restore func()) {
	t.disarm()
	saved, reserve := t.left, t.reserve
	t.left, t.reserve = cycles, 0
	return func() {
		t.disarm()
		t.left, t.reserve = saved, reserve
	}
}
