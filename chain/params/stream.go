package params

import "github.com/cowboyinc/cowboy-go/chain/unit"

// Access to paid streams; what is not in the text is priced as its neighbour there. Spec: gateway-payments-streams §E.2.
const (
	CostStreamAcquire    unit.Cycles = 5_000
	CellsStreamAcquire   unit.Cells  = 500
	CostStreamKey        unit.Cycles = 2_000
	CellsStreamKey       unit.Cells  = 200
	CostStreamAuthorize  unit.Cycles = 1_000
	CellsStreamAuthorize unit.Cells  = 100
	CostStreamRevoke     unit.Cycles = 500
	CellsStreamRevoke    unit.Cells  = 50
	CellsStreamContent   unit.Cells  = 64 // of a content key's own key, beside its bytes
)
