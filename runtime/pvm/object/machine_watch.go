package object

// Watcher is told of every charge: the frame that runs, how many cycles were taken
// since the last report (negative when an exception gave some back), and whether
// the charge may be that of the block at the frame's PC.
type Watcher func(f *Frame, cycles int64, block bool)

// Watch reports every charge from now on to fn, which may run nothing in the
// machine. The meter stays armed, so that each charge takes the slow way: for
// tools, not for the chain. Cycles, memory and results stay the same.
func (m *Machine) Watch(fn Watcher) {
	m.watch = fn
	m.meter.disarm()
	m.seen = m.meter.left
	m.meter.arm()
}

// report tells the watcher what was taken off the meter since the last report.
// The meter is not armed when it is called, and is afterwards.
func (m *Machine) report(block bool) {
	left := m.meter.left
	if taken := m.seen - left; taken != 0 && m.Frame != nil {
		m.watch(m.Frame, taken, block)
		m.seen = left
	}
	m.meter.arm()
}
