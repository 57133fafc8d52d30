package wire

// Flow is what became of coins in a run of blocks. Amounts are base units. SupplyBefore + all minted − all burned = Supply; what lies in a pot afterwards is
// what lay there before plus In less Out.
// Spec: WP §8.1, §8.4.
type Flow struct {
	Height       uint64            `json:"height,omitempty"`   // of a single block
	Start        uint64            `json:"start_ms,omitempty"` // of a stretch of time, since 1970-01-01 UTC
	SupplyBefore uint64            `json:"supply_before"`
	Supply       uint64            `json:"supply"` // after the newest block
	Minted       map[string]uint64 `json:"minted"`
	Burned       map[string]uint64 `json:"burned"` // by cause
	In           map[string]uint64 `json:"in"`     // put into pots
	Out          map[string]uint64 `json:"out"`    // taken out of pots
	Paid         map[string]uint64 `json:"paid"`   // to validators
}

// Flows answers GET /flows and GET /flows/{series}: the blocks of a range, or equal stretches of time, oldest first, and all of them together. Blocks whose
// flows the node does not have are absent.
type Flows struct {
	From    uint64 `json:"from"`
	To      uint64 `json:"to"`
	EachMs  uint64 `json:"each_ms,omitempty"`
	Slots   uint64 `json:"slots,omitempty"` // that are kept
	Total   Flow   `json:"total"`
	Entries []Flow `json:"entries"`
}

// Supply answers GET /supply: all coins after the newest final block, in base units. Total = Genesis + Minted − Burned.
// Spec: WP §8.1–§8.4.
type Supply struct {
	Height  uint64 `json:"height"`
	Genesis uint64 `json:"genesis"`
	Minted  uint64 `json:"minted"`
	Burned  uint64 `json:"burned"`
	Total   uint64 `json:"total"`
	// Held is what is in no account that somebody spends from: the escrow of each chapter, the stakes, the treasury.
	Held map[string]uint64 `json:"held"`
	// Locked is what lies in the genesis buckets, the treasury's aside, and Circulating the total less Held and Locked.
	Locked      uint64   `json:"locked"`
	Circulating uint64   `json:"circulating"`
	Buckets     []Bucket `json:"buckets"`
	// Flowed sums up the blocks from a height on, by the node's index; absent before it has any.
	Flowed *Flow  `json:"flowed,omitempty"`
	Since  uint64 `json:"flowed_since,omitempty"`
}

// Bucket is a share of the genesis supply. Spec: WP §8.3.
type Bucket struct {
	Name       string `json:"name"`
	Address    string `json:"address"`
	Amount     uint64 `json:"amount"`
	Balance    uint64 `json:"balance"`
	Releasable uint64 `json:"releasable"` // of the amount, by the terms, so far
	Terms      string `json:"terms"`
}
