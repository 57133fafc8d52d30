package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
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

func readTimerSchedule(r *codec.Reader) Instruction {
	var t TimerSchedule
	r.Into(t.Actor[:])
	t.Height = unit.Height(r.Uint())
	t.Handler = r.Bytes(params.MaxHandlerBytes)
	t.Payload = r.Bytes(params.TimerPayloadMaxBytes)
	t.CyclesPerFire = r.OptionUint()
	t.ExpiresAt = r.OptionUint()
	return &t
}

// Opcode implements Instruction.
func (*TimerSchedule) Opcode() Opcode { return OpTimerSchedule }

// Lane implements Instruction.
func (*TimerSchedule) Lane() params.Lane { return params.LaneUser }

// Intrinsic implements Instruction: the base of the table and, as for a message,
// one cell per byte of calldata. Spec: WP §17.2, §17.4.
func (t *TimerSchedule) Intrinsic() Cost {
	calldata := unit.Cells(len(t.Handler)+len(t.Payload)) * params.CellsPerByteCalldata
	return Cost{params.IntrinsicTimerScheduleCycles, params.IntrinsicTimerScheduleCells + calldata}
}

// Value implements Instruction.
func (*TimerSchedule) Value() unit.Amount { return 0 }

// Privileged implements Instruction.
func (*TimerSchedule) Privileged() bool { return false }

func (t *TimerSchedule) appendBody(dst []byte) []byte {
	dst = codec.AppendFixed(dst, t.Actor[:])
	dst = codec.AppendUint(dst, uint64(t.Height))
	dst = codec.AppendBytes(dst, t.Handler)
	dst = codec.AppendBytes(dst, t.Payload)
	dst = codec.AppendOptionUint(dst, t.CyclesPerFire)
	return codec.AppendOptionUint(dst, t.ExpiresAt)
}

func (*TimerSchedule) check() error { return nil }

// CancelTimer removes any timer: timer_id(32). An absent timer is success.
// Spec: scheduler-timers §8 (48); WP §5.1a (SYS_CANCEL_TIMER).
type CancelTimer struct {
	governed
	TimerID digest.Hash
}

func readCancelTimer(r *codec.Reader) Instruction {
	var c CancelTimer
	r.Into(c.TimerID[:])
	return &c
}

// Opcode implements Instruction.
func (*CancelTimer) Opcode() Opcode { return OpCancelTimer }

func (c *CancelTimer) appendBody(dst []byte) []byte { return codec.AppendFixed(dst, c.TimerID[:]) }

// ExtendTimer moves a timer's expiry: timer_id(32) ‖ UInt expires_at.
// Spec: scheduler-timers §8 (50).
type ExtendTimer struct {
	governed
	TimerID   digest.Hash
	ExpiresAt unit.Height
}

func readExtendTimer(r *codec.Reader) Instruction {
	var e ExtendTimer
	r.Into(e.TimerID[:])
	e.ExpiresAt = unit.Height(r.Uint())
	return &e
}

// Opcode implements Instruction.
func (*ExtendTimer) Opcode() Opcode { return OpExtendTimer }

func (e *ExtendTimer) appendBody(dst []byte) []byte {
	dst = codec.AppendFixed(dst, e.TimerID[:])
	return codec.AppendUint(dst, uint64(e.ExpiresAt))
}

// UpdateTimerConfig replaces the timer parameters from the next block on.
// Spec: scheduler-timers §8 (49); WP §13.1.
type UpdateTimerConfig struct {
	governed
	Config params.TimerConfig
}

func readUpdateTimerConfig(r *codec.Reader) Instruction {
	return &UpdateTimerConfig{Config: params.ReadTimerConfig(r)}
}

// Opcode implements Instruction.
func (*UpdateTimerConfig) Opcode() Opcode { return OpUpdateTimerConfig }

func (u *UpdateTimerConfig) appendBody(dst []byte) []byte { return u.Config.Append(dst) }

func (u *UpdateTimerConfig) check() error { return instructionErr(u.Config.Validate()) }

// ActivateTimerMarket has the timers' fee market begin at a height, or, given the largest height, never: UInt height. While the market has not begun, a
// later one replaces an earlier one.
// Spec: WP §5.1b (activates at a chosen block height); scheduler-timers §1, §9.6.
type ActivateTimerMarket struct {
	governed
	Height unit.Height
}

func readActivateTimerMarket(r *codec.Reader) Instruction {
	return &ActivateTimerMarket{Height: unit.Height(r.Uint())}
}

// Opcode implements Instruction.
func (*ActivateTimerMarket) Opcode() Opcode { return OpActivateTimerMarket }

func (a *ActivateTimerMarket) appendBody(dst []byte) []byte {
	return codec.AppendUint(dst, uint64(a.Height))
}
