package wire

// NewestActors are the actors that deployments created, newest first, as the explorer lists them. Spec: node-rpc-cli §2.6.
type NewestActors struct {
	Actors     []ActorSummary `json:"actors"`
	TotalCount uint64         `json:"total_count"` // of those the node's index saw
	NextCursor string         `json:"next_cursor,omitempty"`
}

// ActorSummary is an actor without its storage.
type ActorSummary struct {
	Address      string `json:"address"`
	Creator      string `json:"creator"`
	CreatedAt    uint64 `json:"created_at"`
	CodeHash     string `json:"code_hash"` // without 0x
	Balance      uint64 `json:"balance"`   // base units
	MailboxCount uint64 `json:"mailbox_count"`
	TimerCount   uint64 `json:"timer_count"`
	StorageBytes uint64 `json:"storage_bytes"`
	Receipts     uint64 `json:"receipts"` // of its executions
}

// Topic is a topic of an actor's events.
type Topic struct {
	Name   string `json:"name"`
	Actor  string `json:"actor"`
	Height uint64 `json:"height"` // of the newest event
}

// Activity is what the blocks of one stretch of time hold together.
type Activity struct {
	Start        uint64 `json:"start_ms"` // since 1970-01-01 UTC
	Blocks       uint64 `json:"blocks"`
	Transactions uint64 `json:"transactions"`
	Messages     uint64 `json:"messages"`
	Timers       uint64 `json:"timers"`
	Faults       uint64 `json:"faults"`
	Cycles       uint64 `json:"cycles"`
	Cells        uint64 `json:"cells"`
	CycleBasefee uint64 `json:"cycle_basefee"` // of the newest block, base units
	CellBasefee  uint64 `json:"cell_basefee"`
}

// Series is the past in equal stretches, oldest first; those without blocks are absent.
type Series struct {
	EachMs  uint64     `json:"each_ms"`
	Slots   uint64     `json:"slots"` // that are kept
	Entries []Activity `json:"entries"`
}

// The series a node keeps.
const (
	SeriesMinutes  = "minutes"  // 3 hours of minutes
	SeriesQuarters = "quarters" // 2 days of quarters of an hour
	SeriesHours    = "hours"    // 30 days of three hours each
)
