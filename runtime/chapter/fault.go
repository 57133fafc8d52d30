package chapter

import (
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// Fault is how a reject of a chapter is told: the code of a receipt, and the class and number Python sees. The rejects of Instructions alone need neither.
//
// Spec: sdk §18; node-rpc-cli §2.2.
type Fault struct {
	Err   error // errors that wrap it
	Code  uint16
	Class string // of the exception in Python; "" where no Python meets it
	Host  int    // HostError.code: 1 out of gas, 2 input, 3 not found, 4 storage, 5 forbidden, 6 internal, 7 entitlement, 8 limit
}

// Error is a reject that carries its fault itself.
type Error struct {
	Fault
	Text string
}

// Error implements error.
func (e *Error) Error() string { return e.Text }

// Reject makes an Error.
func Reject(code uint16, class string, host int, format string, args ...any) error {
	return &Error{Fault{Code: code, Class: class, Host: host}, fmt.Sprintf(format, args...)}
}

// Refuse is Reject for a fault that no Python class stands for.
func Refuse(code uint16, format string, args ...any) error {
	return Reject(code, "HostError", 6, format, args...)
}

// Paused is the reject of whatever reaches a system actor that the circuit breaker paused until a height.
//
// Spec: governance-staking B7.
func Paused(addr account.Address, until unit.Height) error {
	return Reject(drain.FaultPaused, "ActorPausedError", 5, "ActorPaused: governance has paused %v until block %d", addr, until)
}

// Migrating is the reject of whatever reaches a system actor in the block in which its state was migrated to other code.
//
// Spec: governance-staking B8.
func Migrating(addr account.Address) error {
	return Reject(drain.FaultPaused, "ActorPausedError", 5, "ActorPaused: %v is being upgraded, and answers from the next block on", addr)
}

// ErrNoHandler is a handler's word that it does not answer this request: the address then says that its chapter is not built.
var ErrNoHandler = errors.New("chapter: no handler")

// ErrSends reports a message, deferred call or timer beyond what the actors of a block may send.
var ErrSends error = &Error{Fault{Code: drain.FaultLimit, Class: "FanoutError", Host: 8}, "the actors of this block have sent as much as a block may hold"}

// The ends of a turn that nobody can catch.
var (
	ErrCycles = errors.New("out of cycles")
	ErrCells  = errors.New("out of cells")
)

// FaultOf finds how an error is told, in the chapter's own list first and then among the rejects of the mailbox and the timers. ok is false for a failure.
func (c *Chapter) FaultOf(err error) (f Fault, ok bool) {
	var own *Error
	if errors.As(err, &own) {
		return own.Fault, true
	}
	for _, f := range c.Faults {
		if errors.Is(err, f.Err) {
			return f, true
		}
	}
	code, ok := drain.FaultOf(err)
	f = Fault{Err: err, Code: code, Class: "HostError", Host: 6}
	var full *mailbox.Full
	if errors.As(err, &full) {
		f.Class, f.Host = "MailboxFullError", 8
	}
	return f, ok
}

// Told gives a reject of the chapter as an *Error; any other error stays as it is.
func (c *Chapter) Told(err error) error {
	var own *Error
	if err == nil || errors.As(err, &own) || errors.Is(err, ErrCycles) || errors.Is(err, ErrCells) {
		return err
	}
	if f, ok := c.FaultOf(err); ok {
		return &Error{f, err.Error()}
	}
	return err
}
