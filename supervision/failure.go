package supervision

import (
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// Fatal is the failure nothing is restarted over: a failed fsync, a corrupted
// store, the same block failing twice. A subsystem panics with it; every group
// above escalates and the tree halts.
type Fatal struct {
	Err error
}

// Error implements error.
func (f *Fatal) Error() string { return f.Err.Error() }

// Unwrap returns the failure's cause.
func (f *Fatal) Unwrap() error { return f.Err }

// Renewal is what a subsystem panics with that took something over from which it, and whatever was made from it, has to
// be made again: the restart is part of its work, and no failure. The subsystem answers for its end: each renewal must
// bring it further.
type Renewal struct {
	Err error
}

// Error implements error.
func (r *Renewal) Error() string { return r.Err.Error() }

// Unwrap returns what was taken over.
func (r *Renewal) Unwrap() error { return r.Err }

// ErrAbandoned is the cause given to the sender of a command whose handler
// failed, ErrStopped the cause when its subsystem stopped first.
var (
	ErrAbandoned = errors.New("supervision: the subsystem failed while handling the command")
	ErrStopped   = errors.New("supervision: the subsystem stopped before handling the command")
)

// Report describes one failure of one leaf.
type Report struct {
	At        time.Time
	Subsystem string // path from the root
	Instance  uint64 // 1 for the first start, one more for each restart
	Cause     Cause
	Reason    string // the panic value
	Command   string // type of the command being handled, with its text if it is a Stringer
	Stack     string // goroutine stack at the panic
	Action    string // what was decided
}

// Halt is published once when a failure reaches the root of the tree.
type Halt struct {
	At        time.Time
	Subsystem string // path of the member whose failure started the escalation
	Reason    string
	Report    *Report // the failure that was last recorded under Subsystem, if any
}

// String returns the halt as one line.
func (h Halt) String() string {
	return fmt.Sprintf("halted by %s: %s", h.Subsystem, h.Reason)
}

// commandText bounds the text of a command or panic value kept in a report.
const commandText = 512

// newReport is called while r is being recovered.
func newReport(path string, instance uint64, now time.Time, r, command any) *Report {
	cause := Crashed
	switch {
	case is[*Fatal](r):
		cause = Broken
	case is[*Renewal](r):
		cause = Renewed
	case counted(command):
		cause = Answered
	}
	return &Report{
		At:        now,
		Subsystem: path,
		Instance:  instance,
		Cause:     cause,
		Reason:    clip(fmt.Sprint(r)),
		Command:   describe(command),
		Stack:     string(debug.Stack()),
	}
}

func counted(command any) bool {
	_, ok := command.(Counted)
	return ok
}

// is reports whether what was panicked with is an error that holds a T.
func is[T error](r any) bool {
	err, ok := r.(error)
	var held T
	return ok && errors.As(err, &held)
}

// describe names a command. A String method that panics is ignored: the report
// must come out whatever state the command is in.
func describe(command any) (text string) {
	text = typeName(command)
	defer func() { _ = recover() }()
	if s, ok := command.(fmt.Stringer); ok {
		text = clip(text + " " + s.String())
	}
	return text
}

func clip(s string) string {
	if len(s) > commandText {
		return s[:commandText] + "…"
	}
	return s
}
