package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The opcodes of timers. 103 and the one of category Actor are this implementation's.
// Spec: scheduler-timers §8; runner-marketplace §3.
const (
	OpCancelTimer         = Opcode(System)<<8 | 48
	OpUpdateTimerConfig   = Opcode(System)<<8 | 49
	OpExtendTimer         = Opcode(System)<<8 | 50
	OpActivateTimerMarket = Opcode(System)<<8 | 103
	OpTimerSchedule       = Opcode(Actor)<<8 | 2
)

// Spec: scheduler-timers §8; WP §17.2 (TimerSchedule).
var timerRows = chapter(ChapterTimer,
	governed(OpCancelTimer, "CancelTimer", func() Instruction { return new(CancelTimer) }),
	governed(OpUpdateTimerConfig, "UpdateTimerConfig", func() Instruction { return new(UpdateTimerConfig) }),
	governed(OpExtendTimer, "ExtendTimer", func() Instruction { return new(ExtendTimer) }),
	governed(OpActivateTimerMarket, "ActivateTimerMarket", func() Instruction { return new(ActivateTimerMarket) }),
	Row{
		Opcode: OpTimerSchedule, Name: "TimerSchedule", Lane: params.LaneUser,
		Intrinsic: Cost{params.IntrinsicTimerScheduleCycles, params.IntrinsicTimerScheduleCells},
		body:      func() Instruction { return new(TimerSchedule) },
	},
)

// TimerSchedule schedules one message from the sender to an actor at a later
// height; the sender pays each fire:
//
//	actor(20) ‖ UInt height ‖ Bytes handler (≤ 256) ‖ Bytes payload ‖ Option<UInt> cycles_per_fire ‖ Option<UInt> expires_at
//
// An absent option takes the default of the timer parameters.
// Spec: WP §17.2 (TimerSchedule); scheduler-timers §4.
type TimerSchedule struct {
	Actor         account.Address
	Height        unit.Height
	Handler       []byte
	Payload       []byte
	CyclesPerFire *uint64
	ExpiresAt     *uint64
}

// Opcode implements Instruction.
func (*TimerSchedule) Opcode() Opcode { return OpTimerSchedule }

// Fields implements Instruction.
func (t *TimerSchedule) Fields(f *Form) {
	f.Address("actor", &t.Actor)
	f.Uint("height", (*uint64)(&t.Height))
	f.Text("handler", &t.Handler, params.MaxHandlerBytes)
	f.Bytes("payload", &t.Payload, params.TimerPayloadMaxBytes)
	f.OptionUint("cycles_per_fire", &t.CyclesPerFire)
	f.OptionUint("expires_at", &t.ExpiresAt)
}

// surcharge is, as for a message, one cell per byte of calldata. Spec: WP §17.2, §17.4.
func (t *TimerSchedule) surcharge() Cost { return Cost{Cells: calldata(t.Handler, t.Payload)} }

// Target is the actor.
func (t *TimerSchedule) Target() account.Address { return t.Actor }

// CancelTimer removes any timer: timer_id(32). An absent timer is success.
// Spec: scheduler-timers §8 (48); WP §5.1a (SYS_CANCEL_TIMER).
type CancelTimer struct{ TimerID digest.Hash }

// Opcode implements Instruction.
func (*CancelTimer) Opcode() Opcode { return OpCancelTimer }

// Fields implements Instruction.
func (c *CancelTimer) Fields(f *Form) { f.Hash("timer_id", &c.TimerID) }

// ExtendTimer moves a timer's expiry: timer_id(32) ‖ UInt expires_at.
// Spec: scheduler-timers §8 (50).
type ExtendTimer struct {
	TimerID   digest.Hash
	ExpiresAt unit.Height
}

// Opcode implements Instruction.
func (*ExtendTimer) Opcode() Opcode { return OpExtendTimer }

// Fields implements Instruction.
func (e *ExtendTimer) Fields(f *Form) {
	f.Hash("timer_id", &e.TimerID)
	f.Uint("expires_at", (*uint64)(&e.ExpiresAt))
}

// UpdateTimerConfig replaces the timer parameters from the next block on.
// Spec: scheduler-timers §8 (49); WP §13.1.
type UpdateTimerConfig struct{ Config params.TimerConfig }

// Opcode implements Instruction.
func (*UpdateTimerConfig) Opcode() Opcode { return OpUpdateTimerConfig }

// Fields implements Instruction.
func (u *UpdateTimerConfig) Fields(f *Form) { group(f, "config", &u.Config, params.ReadTimerConfig) }

func (u *UpdateTimerConfig) check() error { return instructionErr(u.Config.Validate()) }

// ActivateTimerMarket has the timers' fee market begin at a height, or, given the largest height, never: UInt height. While the market has not begun, a
// later one replaces an earlier one.
// Spec: WP §5.1b (activates at a chosen block height); scheduler-timers §1, §9.6.
type ActivateTimerMarket struct{ Height unit.Height }

// Opcode implements Instruction.
func (*ActivateTimerMarket) Opcode() Opcode { return OpActivateTimerMarket }

// Fields implements Instruction.
func (a *ActivateTimerMarket) Fields(f *Form) { f.Uint("height", (*uint64)(&a.Height)) }
