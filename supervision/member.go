package supervision

import (
	"fmt"
	"sync"
	"time"
)

// State is where one node of the tree stands.
type State uint8

const (
	// Down: not started yet.
	Down State = iota
	// Starting: its actor, or for a group one of its members, is coming up.
	Starting
	// Running: it handles commands.
	Running
	// Failed: it failed and waits for its restart, or for a decision above.
	Failed
	// Stopping: it was told to stop.
	Stopping
	// Stopped: it stopped in order.
	Stopped
	// Removed: it ended and its lifetime says to leave it so.
	Removed
	// Hung: it did not start or stop within its deadline.
	Hung
)

// String returns the state in lower case.
func (s State) String() string {
	names := [...]string{"down", "starting", "running", "failed", "stopping", "stopped", "removed", "hung"}
	if int(s) < len(names) {
		return names[s]
	}
	return fmt.Sprintf("state(%d)", uint8(s))
}

// reportsKept bounds the failures remembered per leaf.
const reportsKept = 16

// member is the lasting record of one node of the tree. It survives every
// instance of its actor and may be read from any goroutine.
type member struct {
	tree     *Tree
	spec     *Spec
	path     string
	index    int // among the parent's children
	parent   *member
	children []*member
	inbox    *Inbox

	mu       sync.Mutex
	state    State
	instance uint64
	failures uint64
	since    time.Time // of the present state
	loading  time.Duration
	waited   time.Duration // from the latest stop's order to its beginning
	pending  *Report       // recorded by the leaf, not yet seen by its group
	reports  []*Report     // latest last, at most reportsKept
}

func newMember(t *Tree, spec *Spec, parent *member, index int) *member {
	m := &member{tree: t, spec: spec, path: spec.Name, index: index, parent: parent, inbox: spec.Inbox}
	if parent != nil {
		m.path = parent.path + "/" + spec.Name
	}
	if spec.Group() {
		m.inbox = NewInbox(m.path, 0)
	}
	m.inbox.path = m.path
	m.inbox.attach(t.config.Scheduler)
	for i := range spec.Children {
		m.children = append(m.children, newMember(t, &spec.Children[i], m, i))
	}
	return m
}

// stopWithin is the bound of an orderly stop; a group that names none gets the
// sum of its members'.
func (m *member) stopWithin() time.Duration {
	if !m.spec.Group() || m.spec.StopWithin > 0 {
		return m.spec.stopWithin()
	}
	d := DefaultStopWithin
	for _, c := range m.children {
		d += c.stopWithin()
	}
	return d
}

func (m *member) set(s State) {
	now := m.tree.config.Clock.Now()
	m.mu.Lock()
	if s == Running && m.state == Starting {
		m.loading = now.Sub(m.since)
	}
	m.state, m.since = s, now
	m.mu.Unlock()
}

// winds notes that a leaf that was told to stop has ended the command it was in.
func (m *member) winds() {
	now := m.tree.config.Clock.Now()
	m.mu.Lock()
	if m.waited = 0; m.state == Stopping {
		m.waited = now.Sub(m.since)
	}
	m.mu.Unlock()
}

// awaited is how long the latest stop waited for that.
func (m *member) awaited() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.waited
}

// loaded is how long the latest start took.
func (m *member) loaded() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.loading
}

func (m *member) is(s State) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.state == s
}

// begin counts a new instance of the member's actor.
func (m *member) begin() uint64 {
	now := m.tree.config.Clock.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.instance++
	m.state, m.since = Starting, now
	return m.instance
}

func (m *member) current() uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.instance
}

// record keeps a failure until the group takes it.
func (m *member) record(r *Report) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.pending = r
	m.keep(r)
}

// keep remembers a failure; a renewal is none.
func (m *member) keep(r *Report) {
	if r.Cause == Renewed {
		return
	}
	m.failures++
	m.reports = append(m.reports, r)
	if len(m.reports) > reportsKept {
		m.reports = append(m.reports[:0:0], m.reports[1:]...)
	}
}

// take returns the failure recorded for the panic value r, or makes a report
// without a stack if the panic did not come out of the leaf's own code.
func (m *member) take(r, command any) *Report {
	now := m.tree.config.Clock.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	report := m.pending
	m.pending = nil
	if report == nil {
		report = newReport(m.path, m.instance, now, r, command)
		m.keep(report)
	}
	return report
}

// decided notes what was done about a report.
func (m *member) decided(r *Report, action string) {
	m.mu.Lock()
	r.Action = action
	m.mu.Unlock()
}

// last returns a copy of the latest report in the subtree of m, or nil.
func (m *member) last() *Report {
	var latest *Report
	m.mu.Lock()
	if n := len(m.reports); n > 0 {
		r := *m.reports[n-1]
		latest = &r
	}
	m.mu.Unlock()
	for _, c := range m.children {
		if r := c.last(); r != nil && (latest == nil || r.At.After(latest.At)) {
			latest = r
		}
	}
	return latest
}

// each visits the subtree of m, parents first, in declared order.
func (m *member) each(visit func(*member)) {
	visit(m)
	for _, c := range m.children {
		c.each(visit)
	}
}
