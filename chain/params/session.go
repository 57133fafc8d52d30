package params

import "github.com/cowboyinc/cowboy-go/chain/unit"

// Sessions of payment.
const (
	CostSession        unit.Cycles = 10_000 // to open, add to, settle, close or finalize one; Spec: gateway-payments-streams §D
	SessionRecordCells unit.Cells  = 256    // of a session's record, which has at most 149 bytes, and its key; Spec: WP §17.4
)
