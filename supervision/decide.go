package supervision

import (
	"fmt"
	"time"
)

// Policy is what a group's Spec says about failures, with the Lifetime of each
// member in start order and the seed of the jitter.
type Policy struct {
	Strategy Strategy
	Limit    Limit
	Backoff  Backoff
	Members  []Lifetime
	Seed     uint64
}

// Cause says how a member failed.
type Cause uint8

const (
	// Crashed: the member panicked, or a group under it spent its restarts.
	Crashed Cause = iota
	// Exited: the member stopped itself in order.
	Exited
	// Broken: the member, or something under it, reported a Fatal failure.
	Broken
	// Stuck: the member did not start or stop within its deadline.
	Stuck
	// Renewed: the member reported a Renewal; nothing is wrong with it.
	Renewed
	// Answered: the member panicked over a command that is Counted.
	Answered
)

// String returns the name used in status output and scripts.
func (c Cause) String() string {
	switch c {
	case Crashed:
		return "crashed"
	case Exited:
		return "exited"
	case Broken:
		return "broken"
	case Stuck:
		return "stuck"
	case Renewed:
		return "renewed"
	case Answered:
		return "answered"
	}
	return fmt.Sprintf("cause(%d)", uint8(c))
}

// free reports whether a restart is charged to nobody.
func (c Cause) free() bool { return c == Renewed || c == Answered }

// Failure is one failure of one member.
type Failure struct {
	Member int
	Cause  Cause
}

// Streak counts the failures of one member that followed each other closer
// than the limit's window.
type Streak struct {
	Count int
	Last  time.Time
}

// History is what a group remembers of earlier failures. The zero History is
// that of a group that has just been built.
type History struct {
	Window   Window
	Streaks  []Streak
	Failures uint64
}

// Verb is the kind of an Action.
type Verb uint8

const (
	// Restart stops and starts the members named by the Action.
	Restart Verb = iota
	// Remove lets the failed member stay down.
	Remove
	// Escalate reports the group itself as failed.
	Escalate
)

// String returns the name used in status output and scripts.
func (v Verb) String() string {
	switch v {
	case Restart:
		return "restart"
	case Remove:
		return "remove"
	case Escalate:
		return "escalate"
	}
	return fmt.Sprintf("verb(%d)", uint8(v))
}

// Action is the answer to a Failure.
type Action struct {
	Verb Verb
	// Stop lists the members to stop, youngest first; Start those to start
	// afterwards, eldest first. Both are empty unless Verb is Restart.
	Stop, Start []int
	// Delay is how long to wait between the stop and the start.
	Delay time.Duration
	// Reason says why a group escalates.
	Reason string
	// History replaces the history the action was decided from.
	History History
}

// Decide answers a failure. It is a function of its arguments alone and changes
// none of them.
//
// A Broken or Stuck member always escalates. A Temporary member, and a Transient
// one that exited in order, is removed. A Renewed or Answered member and those the
// strategy chooses are restarted at once, charged to nobody. Any other failure is charged to the
// group's window; when that makes more than Limit.Restarts within Limit.Within
// the group escalates, else the members chosen by the strategy are restarted
// after the delay of the failed member's streak. Temporary members swept up in
// another's restart are stopped and not started.
func Decide(policy Policy, history History, failure Failure, now time.Time) Action {
	if failure.Cause.free() && policy.Members[failure.Member] != Temporary {
		stop, start := policy.affected(failure.Member)
		return Action{Verb: Restart, Stop: stop, Start: start, History: history}
	}
	next := history.record(policy, failure, now)
	switch failure.Cause {
	case Broken:
		return Action{Verb: Escalate, Reason: "a failure that must not be restarted over", History: next}
	case Stuck:
		return Action{Verb: Escalate, Reason: "a member did not start or stop within its deadline", History: next}
	}
	lifetime := policy.Members[failure.Member]
	if lifetime == Temporary || lifetime == Transient && failure.Cause == Exited {
		return Action{Verb: Remove, History: next}
	}
	next.Window = history.Window.Add(now, policy.Limit)
	if n := next.Window.Count(now, policy.Limit); n > policy.Limit.Restarts || policy.Limit.Restarts == 0 {
		return Action{
			Verb:    Escalate,
			Reason:  fmt.Sprintf("more than %d restarts within %v", policy.Limit.Restarts, policy.Limit.Within),
			History: next,
		}
	}
	stop, start := policy.affected(failure.Member)
	streak := next.Streaks[failure.Member].Count
	return Action{
		Verb:    Restart,
		Stop:    stop,
		Start:   start,
		Delay:   policy.Backoff.Delay(policy.Seed, failure.Member, next.Failures, streak),
		History: next,
	}
}

// record returns the history after failure, with its own copy of the streaks.
func (h History) record(policy Policy, failure Failure, now time.Time) History {
	streaks := make([]Streak, len(policy.Members))
	copy(streaks, h.Streaks)
	s := &streaks[failure.Member]
	if s.Count > 0 && now.Sub(s.Last) >= policy.Limit.Within {
		s.Count = 0
	}
	s.Count++
	s.Last = now
	return History{Window: h.Window, Streaks: streaks, Failures: h.Failures + 1}
}

// affected returns the members to stop, youngest first, and to start, eldest
// first, when member failed.
func (p Policy) affected(member int) (stop, start []int) {
	first, last := member, member
	switch p.Strategy {
	case AllForOne:
		first, last = 0, len(p.Members)-1
	case RestForOne:
		last = len(p.Members) - 1
	}
	for i := last; i >= first; i-- {
		stop = append(stop, i)
	}
	for i := first; i <= last; i++ {
		if i == member || p.Members[i] != Temporary {
			start = append(start, i)
		}
	}
	return stop, start
}
