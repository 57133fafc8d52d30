package supervision

import "time"

// Window remembers the instants of recent restarts. The zero Window is empty.
// It holds at most as many instants as its group's limit allows, plus one.
type Window struct {
	at []time.Time
}

// Add returns the window with now added and everything that is no longer
// within the span of the limit removed. The receiver is not changed.
func (w Window) Add(now time.Time, limit Limit) Window {
	kept := w.since(now, limit)
	at := make([]time.Time, 0, len(kept)+1)
	at = append(at, kept...)
	at = append(at, now)
	if over := len(at) - (limit.Restarts + 1); over > 0 {
		at = at[over:]
	}
	return Window{at: at}
}

// Count returns how many instants lie within the span of the limit at now.
// An instant exactly Within ago no longer counts.
func (w Window) Count(now time.Time, limit Limit) int {
	return len(w.since(now, limit))
}

func (w Window) since(now time.Time, limit Limit) []time.Time {
	for i, t := range w.at {
		if now.Sub(t) < limit.Within {
			return w.at[i:]
		}
	}
	return nil
}
