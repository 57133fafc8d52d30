package object

// Watcher is told of every charge: the frame that runs, how many cycles were taken
// since the last report (negative when an exception gave some back), and whether
// the charge may be that of the block at the frame's PC.
type Watcher func(f *Frame, cycles int64, block bool)

// Watch reports every charge from now on to fn, which may run nothing in the
// machine; nil ends it. The meter stays armed, so that each charge takes the slow way: for
// tools, not for the chain. Cycles, memory and results stay the same.
func (m *Machine) Watch(fn Watcher) {
	m.watch = fn
	m.meter.disarm()
	m.seen = m.meter.there()
	if fn != nil {
		m.meter.arm()
	}
}

// report tells the watcher what was taken off the meter since the last report.
// The meter is not armed when it is called, and is afterwards.
func (m *Machine) report(block bool) {
	left := m.meter.there()
	if taken := m.seen - left; taken != 0 && m.Frame != nil {
		m.watch(m.Frame, taken, block)
		m.seen = left
	}
	m.meter.arm()
}

// Unreported gives the cycles taken since the last report, which the watcher is not told of: they belong to no frame. It is 0 where nobody watches.
func (m *Machine) Unreported() int64 {
	if m.watch == nil {
		return 0
	}
	m.meter.disarm()
	left := m.meter.there()
	taken := m.seen - left
	m.seen = left
	m.meter.arm()
	return taken
}

// Elsewhere leaves so many cycles of what is charged next out of the report: whoever watches knows them from another machine.
func (m *Machine) Elsewhere(cycles int64) {
	if m.watch != nil {
		m.seen -= cycles
	}
}
