package object

// trap is what the machine takes off the meter to make the next charge fail, so
// that a pending condition is looked at without a test of its own.
const trap = int64(1) << 62

// Meter counts what a transaction may still spend. One Meter is shared by all
// machines of one transaction; it belongs to one goroutine at a time.
//
// Spec: CIP-3 §2.2.
type Meter struct {
	left       int64 // cycles; below zero only while trapped or exhausted
	trapped    bool  // trap was taken off left
	limit      int64
	cells      int64
	cellsLimit int64
}

// NewMeter returns a meter with the given cycles and cells to spend. Amounts
// above 2^61 are taken as 2^61.
func NewMeter(cycles, cells uint64) *Meter {
	const most = 1 << 61
	c, b := int64(min(cycles, most)), int64(min(cells, most))
	return &Meter{left: c, limit: c, cells: b, cellsLimit: b}
}

// Left returns the cycles still to spend.
func (t *Meter) Left() uint64 {
	left := t.left
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
	if n > t.Left() {
		t.left = 0
		return false
	}
	t.left -= int64(n)
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
	saved := t.left
	t.left = cycles
	return func() {
		t.disarm()
		t.left = saved
	}
}
