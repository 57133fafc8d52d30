package host

import (
	"errors"
	"fmt"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system"
)

// Host codes: the small numbers HostError carries.
//
// Spec: sdk §18.
const (
	OutOfGas           = 1
	InvalidInput       = 2
	NotFound           = 3
	StorageError       = 4
	Forbidden          = 5
	Internal           = 6
	MissingEntitlement = 7
	LimitExceeded      = 8
)

// Class is one kind of error the host raises: its Python class name, receipt code and host code.
type Class struct {
	Name string
	Code uint16 // of a receipt; the slug is "E" and this number
	Host int
	Trap string // the name ENT §11 gives it, with which its text begins; empty for all others
}

// The classes. Spec: sdk §18; ENT §11.
var (
	PurityViolation     = &Class{"PurityViolationError", drain.FaultForbidden, Forbidden, ""}
	ReadOnlyViolation   = &Class{"ReadOnlyError", drain.FaultForbidden, Forbidden, ""}
	ForbiddenAccess     = &Class{"ForbiddenError", drain.FaultForbidden, Forbidden, ""}
	CallDepth           = &Class{"CallDepthExceeded", drain.FaultForbidden, Forbidden, ""}
	PermissionDenied    = &Class{"PermissionDeniedError", drain.FaultPermission, Forbidden, ""}
	ActorNotFound       = &Class{"ActorNotFoundError", drain.FaultActor, NotFound, ""}
	CycleLimit          = &Class{"CycleLimitExceeded", drain.FaultTimeout, OutOfGas, ""}
	ActorCall           = &Class{"ActorCallError", drain.FaultCall, Internal, ""}
	Codec               = &Class{"CodecError", drain.FaultCodec, InvalidInput, ""}
	InvalidArgument     = &Class{"InvalidInputError", drain.FaultInput, InvalidInput, ""}
	BadAddress          = &Class{"AddressError", drain.FaultInput, InvalidInput, ""}
	Quota               = &Class{"QuotaError", drain.FaultLimit, LimitExceeded, ""}
	Fanout              = &Class{"FanoutError", drain.FaultLimit, LimitExceeded, ""}
	MailboxFull         = &Class{"MailboxFullError", drain.FaultMailbox, LimitExceeded, ""}
	MessageDepth        = &Class{"MessageDepthError", drain.FaultForbidden, Forbidden, ""}
	TimerRule           = &Class{"TimerError", drain.FaultTimer, InvalidInput, ""}
	TimerMissing        = &Class{"TimerNotFoundError", drain.FaultTimerMissing, NotFound, ""}
	TimerLimit          = &Class{"TimerLimitError", drain.FaultTimerLimit, LimitExceeded, ""}
	TimerOwner          = &Class{"TimerOwnerError", drain.FaultPermission, Forbidden, ""}
	DeferredRule        = &Class{"DeferredError", drain.FaultDeferred, InvalidInput, ""}
	DeferredLimit       = &Class{"DeferredLimitError", drain.FaultDeferredLimit, LimitExceeded, ""}
	InsufficientBalance = &Class{"InsufficientBalanceError", drain.FaultValue, InvalidInput, ""}
	NoEntitlement       = &Class{"MissingEntitlementError", drain.FaultEntitlement, MissingEntitlement, "ERR_MISSING_ENTITLEMENT"}
	EntitlementQuota    = &Class{"EntitlementQuotaError", drain.FaultLimit, LimitExceeded, "ERR_ENTITLEMENT_QUOTA_EXCEEDED"}
	BadManifest         = &Class{"EntitlementParamError", drain.FaultInput, InvalidInput, "ERR_ENTITLEMENT_PARAM_INVALID"}
	NonExecutable       = &Class{"ActorNonExecutableError", drain.FaultNonExecutable, Forbidden, "ERR_ACTOR_NON_EXECUTABLE"}
	SystemOnly          = &Class{"SystemEntitlementError", drain.FaultEntitlement, MissingEntitlement, "ERR_SYSTEM_ENTITLEMENT_UNAUTHORIZED"}
	ActorExists         = &Class{"ActorExistsError", drain.FaultExists, InvalidInput, ""}
	NotAvailable        = &Class{"NotAvailableError", drain.FaultUnavailable, Internal, ""}
	ActorPaused         = &Class{"ActorPausedError", drain.FaultPaused, Forbidden, ""}
)

// slugOf is the receipt code of an exception class that Python code raises itself, by class name.
//
// Spec: sdk §18.
func slugOf(name string) (uint16, bool) {
	switch name {
	case "DeterminismError":
		return drain.FaultDeterminism, true
	case "LoopBoundExceeded", "RunnerTimeoutError":
		return drain.FaultTimeout, true
	case "CaptureTypeError", "ContinuationLimitError":
		return drain.FaultInput, true
	case "ContinuationNotFoundError":
		return drain.FaultMissing, true
	case "ReentrancyError":
		return drain.FaultForbidden, true
	case "StateConflictError", "ContinuationCorruptedError":
		return drain.FaultCall, true
	case "ContinuationSizeLimitError", "ContinuationCountLimitError":
		return drain.FaultLimit, true
	case "StreamSignatureError":
		return 1872, true
	case "StreamPayloadError":
		return 1873, true
	case "StreamFilterError":
		return 1874, true
	case "StreamCursorError":
		return 1875, true
	case "StreamLimitError":
		return 1876, true
	case "StreamPaymentError":
		return 1877, true
	case "StreamCapError":
		return 1878, true
	case "StreamPolicyError":
		return 1879, true
	case "StreamMessageError":
		return 1880, true
	case "RunnerValidationError":
		return 1604, true
	case "DeterministicValidationError":
		return 1610, true
	}
	for _, c := range classes {
		if c.Name == name {
			return c.Code, true
		}
	}
	return 0, false
}

// classes are the host's own, then those of the chapters.
var classes = allClasses()

func allClasses() []*Class {
	list := []*Class{
		PurityViolation, ReadOnlyViolation, ForbiddenAccess, CallDepth, PermissionDenied, ActorNotFound, CycleLimit, ActorCall,
		Codec, InvalidArgument, BadAddress, Quota, Fanout, MailboxFull, MessageDepth, TimerRule, TimerMissing, TimerLimit, TimerOwner,
		DeferredRule, DeferredLimit, InsufficientBalance, NoEntitlement, EntitlementQuota, NotAvailable,
		BadManifest, NonExecutable, SystemOnly, ActorExists, ActorPaused,
	}
	for _, c := range system.Chapters() {
		for _, f := range c.Faults {
			known := slices.ContainsFunc(list, func(k *Class) bool { return k.Name == f.Class })
			if f.Class != "" && !known {
				list = append(list, &Class{Name: f.Class, Code: f.Code, Host: f.Host})
			}
		}
	}
	return list
}

// Error is an error the host raises in Python.
type Error struct {
	Class *Class
	Text  string
}

func (e *Error) Error() string { return e.Class.Name + ": " + e.Text }

func raise(c *Class, format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	if c.Trap != "" {
		text = c.Trap + ": " + text
	}
	return &Error{Class: c, Text: text}
}

// The ends of a turn that no handler can catch.
var (
	ErrCycles = chapter.ErrCycles
	ErrCells  = chapter.ErrCells
)

// wrap turns a reject of a chain package into the class it is raised as; any other error is passed on as a failure.
func wrap(err error) error {
	if err == nil {
		return nil
	}
	var told *chapter.Error
	if errors.As(err, &told) {
		return &Error{&Class{Name: told.Class, Code: told.Code, Host: told.Host}, told.Text}
	}
	var full *mailbox.Full
	if errors.As(err, &full) {
		return &Error{MailboxFull, err.Error()}
	}
	for _, c := range [...]struct {
		reject error
		class  *Class
	}{
		{mailbox.ErrTarget, ActorNotFound},
		{mailbox.ErrSize, Quota},
		{mailbox.ErrValue, InsufficientBalance},
		{mailbox.ErrDuplicate, InvalidArgument},
		{mailbox.ErrFanout, Fanout},
		{mailbox.ErrDepth, MessageDepth},
		{mailbox.ErrDeferredFull, DeferredLimit},
		{mailbox.ErrListFull, DeferredLimit},
		{timer.ErrHeight, TimerRule},
		{timer.ErrInterval, TimerRule},
		{timer.ErrPayer, InvalidArgument},
		{timer.ErrGasLimit, TimerRule},
		{timer.ErrExpiry, TimerRule},
		{timer.ErrSize, Quota},
		{timer.ErrLimit, TimerLimit},
		{timer.ErrOwner, TimerOwner},
		{timer.ErrNotFound, TimerMissing},
		{timer.ErrDuplicate, TimerRule},
		{timer.ErrNoActor, ActorNotFound},
		{timer.ErrBelowBasefee, TimerRule},
	} {
		if errors.Is(err, c.reject) {
			return &Error{c.class, err.Error()}
		}
	}
	return err
}
