package wire

import "github.com/cowboyinc/cowboy-go/runtime/host"

// Estimate answers POST /estimate: what a transaction, signed or not, would use and lead to if it came first in the next block. It binds nobody. Limits of zero
// are found out.
// Spec: WP §17.10.
type Estimate struct {
	BlockHeight uint64 `json:"block_height"`      // after which the state was
	Ahead       uint64 `json:"ahead"`             // transactions of the sender that come first, by its nonce; none of them was tried
	Refused     *Error `json:"refused,omitempty"` // why no block could hold it; then nothing else is said
	Success     bool   `json:"success"`
	// What it would use, its intrinsic cost included.
	CyclesUsed      uint64 `json:"cycles_used"`
	CellsUsed       uint64 `json:"cells_used"`
	IntrinsicCycles uint64 `json:"intrinsic_cycles"`
	IntrinsicCells  uint64 `json:"intrinsic_cells"`
	// What it leads to besides: messages and deferred calls, which draw on what its limits leave over, in their order; more says that there are others behind
	// them. Timers pay for themselves when they fire.
	Follows       []Followed `json:"follows"`
	FollowsCycles uint64     `json:"follows_cycles"`
	FollowsCells  uint64     `json:"follows_cells"`
	More          bool       `json:"more"`
	Timers        uint64     `json:"timers"` // that it schedules
	// Limits that hold for both, with a margin: a quarter and 10,000 cycles, a quarter and 500 cells; none for what always uses its intrinsic cost.
	CyclesLimit uint64 `json:"cycles_limit"`
	CellsLimit  uint64 `json:"cells_limit"`
	// Fee is that of the transaction and what it leads to, at the next block's prices and without tips; MostFee that of the limits at the prices of Outlook.
	Fee     uint64  `json:"fee"`      // base units
	MostFee uint64  `json:"most_fee"` // base units
	Covered bool    `json:"covered"`  // whether the sender's balance covers its value and the limits it was tried with
	Outlook Outlook `json:"outlook"`
	// AccessList is what of the state the transaction itself read and wrote; a key that it looked for in vain is not among it.
	AccessList   []Access      `json:"access_list"`
	ReturnData   string        `json:"return_data"`
	ReturnText   string        `json:"return_text,omitempty"`
	ActorAddress string        `json:"actor_address,omitempty"`
	Error        *Error        `json:"error,omitempty"`
	Failure      *host.Failure `json:"failure,omitempty"`
	Missing      *host.Missing `json:"missing,omitempty"`
	Printed      []host.Print  `json:"printed,omitempty"` // on development networks
}

// Followed is an execution that a transaction leads to.
type Followed struct {
	Kind    string `json:"kind"`
	Target  string `json:"target"`
	Success bool   `json:"success"`
	Cycles  uint64 `json:"cycles_used"`
	Cells   uint64 `json:"cells_used"`
	Why     string `json:"why,omitempty"` // of a failure
}

// Access is what was read and written under an address: keys of the state without their address, hex.
type Access struct {
	Address string   `json:"address"`
	Reads   []string `json:"reads"`
	Writes  []string `json:"writes"`
}

// Outlook is what a unit costs: exactly in the next block, in the blocks before it, and at most so many blocks from now.
// Spec: WP §4.2, §17.8.
type Outlook struct {
	Lane          string `json:"lane"`
	CycleBasefee  uint64 `json:"cycle_basefee"` // of the next block in the transaction's lane, base units
	CellBasefee   uint64 `json:"cell_basefee"`
	Blocks        uint64 `json:"blocks"`              // that the percentiles are of
	CyclePercent  Spread `json:"cycle_percentiles"`   // of the global basefee in those blocks
	CellPercent   Spread `json:"cell_percentiles"`    //
	Ahead         uint64 `json:"ahead"`               // blocks for which the next two hold
	MostPerCycle  uint64 `json:"max_fee_per_cycle"`   // that Ahead full blocks can lead to
	MostPerCell   uint64 `json:"max_fee_per_cell"`    //
	LeastPerCycle uint64 `json:"least_fee_per_cycle"` // that Ahead empty blocks can lead to
	LeastPerCell  uint64 `json:"least_fee_per_cell"`  //
}

// Spread is three percentiles of some blocks.
type Spread struct {
	P10 uint64 `json:"p10"`
	P50 uint64 `json:"p50"`
	P90 uint64 `json:"p90"`
}

// FeeHistory answers GET /fees/history: prices and use of blocks, oldest first. The lists of basefees have one more, that of the block behind the newest.
// Spec: WP §17.8, §17.10.
type FeeHistory struct {
	Oldest        uint64   `json:"oldest_block"`
	Newest        uint64   `json:"newest_block"`
	CycleBasefees []uint64 `json:"cycle_basefees"` // base units
	CellBasefees  []uint64 `json:"cell_basefees"`
	// Use of the block's target, in parts of a million.
	CyclesPPM []uint64 `json:"cycles_of_target_ppm"`
	CellsPPM  []uint64 `json:"cells_of_target_ppm"`
	// Tips a unit, by the percentiles that were asked for, of the transactions of each block; each transaction counts as much as it used of the
	// meter. Nil where none were asked for.
	Percentiles []uint64   `json:"percentiles,omitempty"`
	CycleTips   [][]uint64 `json:"cycle_tips,omitempty"`
	CellTips    [][]uint64 `json:"cell_tips,omitempty"`
}
