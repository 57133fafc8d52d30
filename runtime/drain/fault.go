package drain

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/timer"
)

// Fault codes of receipts. They are part of the protocol; the text beside them is not.
//
// Spec: node-rpc-cli §2.2; sdk §18.
const (
	FaultValue         uint16 = 1003 // balance does not cover the value
	FaultCycles        uint16 = 1005 // out of cycles
	FaultCells         uint16 = 1006 // out of cells
	FaultDeterminism   uint16 = 1101 // a determinism rule was broken
	FaultTimeout       uint16 = 1201 // loop bound or time-out
	FaultInput         uint16 = 1202 // invalid input
	FaultMissing       uint16 = 1203 // something named does not exist
	FaultStorage       uint16 = 1204 // storage rule
	FaultForbidden     uint16 = 1205 // depth, reentrancy, purity, read-only, reserved
	FaultCall          uint16 = 1206 // a callee failed, or there is no such handler
	FaultEntitlement   uint16 = 1207 // entitlement is missing
	FaultLimit         uint16 = 1208 // size, count or quota
	FaultMemory        uint16 = 1209 // heap of a call exhausted
	FaultException     uint16 = 1210 // a Python exception nobody caught
	FaultCodec         uint16 = 1213 // bytes are not canonical
	FaultSource        uint16 = 1214 // source does not compile
	FaultExists        uint16 = 1215 // an actor is at the derived address already
	FaultDormant       uint16 = 1216 // the actor is evicted
	FaultNonExecutable uint16 = 1217 // the actor holds an entitlement that was removed
	FaultPaused        uint16 = 1218 // the circuit breaker paused the system actor
	FaultActor         uint16 = 1220 // no actor at the address
	FaultMailbox       uint16 = 1226 // mailbox full
	FaultPermission    uint16 = 1230 // caller may not
	FaultUnavailable   uint16 = 1299 // the chapter is not available yet
	FaultTimer         uint16 = 1500 // timer rule
	FaultTimerMissing  uint16 = 1501 // no such timer
	FaultDeferred      uint16 = 1502 // deferred call rule
	FaultTimerLimit    uint16 = 1503 // too many timers
	FaultDeferredLimit uint16 = 1504 // too many deferred calls
	FaultTimerExpired  uint16 = 1505 // timer expired before it fired
	FaultTimerUnfunded uint16 = 1506 // timer's payer could not pay
	FaultTimerDead     uint16 = 1507 // timer was skipped too often
	FaultInternal      uint16 = 1900 // the protocol's own bookkeeping refused
)

// FaultOf gives the code of a reject of the packages a turn calls; ok is false for any other error, which then is a failure.
//
// Spec: sdk §18; node-rpc-cli §2.2.
func FaultOf(err error) (code uint16, ok bool) {
	var full *mailbox.Full
	if errors.As(err, &full) {
		return FaultMailbox, true
	}
	for _, c := range [...]struct {
		class error
		code  uint16
	}{
		{mailbox.ErrTarget, FaultActor},
		{mailbox.ErrSize, FaultLimit},
		{mailbox.ErrValue, FaultValue},
		{mailbox.ErrDuplicate, FaultInput},
		{mailbox.ErrFanout, FaultLimit},
		{mailbox.ErrDepth, FaultForbidden},
		{mailbox.ErrDeferredFull, FaultDeferredLimit},
		{mailbox.ErrListFull, FaultDeferredLimit},
		{timer.ErrHeight, FaultTimer},
		{timer.ErrInterval, FaultTimer},
		{timer.ErrPayer, FaultInput},
		{timer.ErrGasLimit, FaultTimer},
		{timer.ErrExpiry, FaultTimer},
		{timer.ErrSize, FaultLimit},
		{timer.ErrLimit, FaultTimerLimit},
		{timer.ErrOwner, FaultPermission},
		{timer.ErrNotFound, FaultTimerMissing},
		{timer.ErrDuplicate, FaultTimer},
		{timer.ErrNoActor, FaultActor},
		{timer.ErrBelowBasefee, FaultTimer},
	} {
		if errors.Is(err, c.class) {
			return c.code, true
		}
	}
	return 0, false
}
