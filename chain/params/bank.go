package params

import "github.com/cowboyinc/cowboy-go/chain/unit"

// What the bank's instructions cost beyond the base of every instruction.
//
// Spec: gateway-payments-streams §G.4 (costs, recommended).
const (
	CostIssueCard unit.Cycles = 20_000
	CostBankCall  unit.Cycles = 5_000
	// CardCells is what a card writes besides its policy: its record, three indices and the count of its owner's.
	CardCells unit.Cells = 320
)
