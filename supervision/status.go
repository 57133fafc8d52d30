package supervision

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Status is a snapshot of one node of the tree and everything under it.
type Status struct {
	Name     string        `json:"name"`
	Path     string        `json:"path"`
	Kind     string        `json:"kind"` // "group" or "subsystem"
	Policy   string        `json:"policy,omitempty"`
	Lifetime string        `json:"lifetime"`
	State    string        `json:"state"`
	For      time.Duration `json:"for_ns"` // time in this state
	Instance uint64        `json:"instance"`
	Loading  time.Duration `json:"loading_ns"` // what the latest start took: constructing the actor and loading its state
	Restarts uint64        `json:"restarts"`   // instances after the first
	Failures uint64        `json:"failures"`
	Inbox    *InboxStatus  `json:"inbox,omitempty"`
	Last     *Report       `json:"last_failure,omitempty"`
	History  []Report      `json:"history,omitempty"` // earlier failures, latest last, bounded
	Children []Status      `json:"children,omitempty"`
}

// InboxStatus is the part of a Tally that status output shows.
type InboxStatus struct {
	Depth    int    `json:"depth"`
	Peak     int    `json:"peak"`
	Capacity int    `json:"capacity"`
	Handled  uint64 `json:"handled"`
	Shed     uint64 `json:"shed"`
	Dead     uint64 `json:"dead"`
	LastDead string `json:"last_dead,omitempty"`
}

// Status returns a snapshot of the whole tree. It may be called from any
// goroutine, except from Config.Observe.
func (t *Tree) Status() Status {
	return t.root.status(t.config.Clock.Now())
}

func (m *member) status(now time.Time) Status {
	m.mu.Lock()
	s := Status{
		Name:     m.spec.Name,
		Path:     m.path,
		Kind:     "subsystem",
		Lifetime: m.spec.Lifetime.String(),
		State:    m.state.String(),
		Instance: m.instance,
		Failures: m.failures,
		Loading:  m.loading,
	}
	if m.instance > 1 {
		s.Restarts = m.instance - 1
	}
	if !m.since.IsZero() {
		s.For = now.Sub(m.since)
	}
	for _, r := range m.reports {
		s.History = append(s.History, *r)
	}
	m.mu.Unlock()
	if n := len(s.History); n > 0 {
		last := s.History[n-1]
		s.Last, s.History = &last, s.History[:n-1]
	}
	if m.spec.Group() {
		s.Kind = "group"
		s.Policy = fmt.Sprintf("%v, %d in %v", m.spec.Strategy, m.spec.Limit.Restarts, m.spec.Limit.Within)
	} else {
		t := m.inbox.Tally()
		s.Inbox = &InboxStatus{
			Depth: t.Depth, Peak: t.Peak, Capacity: t.Capacity,
			Handled: t.Handled, Shed: t.Shed, Dead: t.Dead, LastDead: t.LastDead,
		}
	}
	for _, c := range m.children {
		s.Children = append(s.Children, c.status(now))
	}
	return s
}

// JSON returns the snapshot as one JSON object.
func (s Status) JSON() ([]byte, error) { return json.Marshal(s) }

// Text returns the snapshot drawn as a tree, one line per node.
func (s Status) Text() string {
	var rows [][2]string
	s.rows(&rows, "", "")
	width := 0
	for _, r := range rows {
		width = max(width, len([]rune(r[0])))
	}
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(r[0])
		b.WriteString(strings.Repeat(" ", width-len([]rune(r[0]))))
		b.WriteString("  ")
		b.WriteString(r[1])
		b.WriteByte('\n')
	}
	return b.String()
}

func (s Status) rows(rows *[][2]string, branch, indent string) {
	*rows = append(*rows, [2]string{branch + s.Name, s.line()})
	for i, c := range s.Children {
		if i == len(s.Children)-1 {
			c.rows(rows, indent+"└─ ", indent+"   ")
		} else {
			c.rows(rows, indent+"├─ ", indent+"│  ")
		}
	}
}

func (s Status) line() string {
	line := fmt.Sprintf("%-9s restarts %d", s.State, s.Restarts)
	if s.Policy != "" {
		line += "  " + s.Policy
	}
	if in := s.Inbox; in != nil {
		line += fmt.Sprintf("  inbox %d/%d peak %d handled %d", in.Depth, in.Capacity, in.Peak, in.Handled)
		if in.Shed > 0 {
			line += fmt.Sprintf(" shed %d", in.Shed)
		}
		if in.Dead > 0 {
			line += fmt.Sprintf(" dead %d (%s)", in.Dead, in.LastDead)
		}
	}
	if s.Last != nil {
		line += fmt.Sprintf("  last failure: %s on %s", s.Last.Reason, s.Last.Command)
	}
	return line
}
