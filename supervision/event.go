package supervision

import "time"

// EventKind names what happened to a member of the tree.
type EventKind string

// The kinds of Event.
const (
	EventStarted   EventKind = "started"
	EventFailed    EventKind = "failed"
	EventRenewed   EventKind = "renewed" // what EventFailed is for a failure, for a Renewal
	EventRestarted EventKind = "restarting"
	EventRemoved   EventKind = "removed"
	EventEscalated EventKind = "escalated"
	EventStopped   EventKind = "stopped"
	EventHung      EventKind = "hung"
	EventHalted    EventKind = "halted"
)

// Event is one change in the tree.
type Event struct {
	At        time.Time
	Kind      EventKind
	Subsystem string // path from the root
	Instance  uint64
	Text      string
	Loading   time.Duration // for EventStarted: what the start took
	Waited    time.Duration // for EventStopped of a leaf: from being told to the end of the command it was in
	Report    *Report       // for EventFailed and EventRenewed; a copy
}
