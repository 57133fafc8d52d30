package wire

// The states of a trace, in the order they are reached.
const (
	TracePending  = "pending"  // waits in a lane
	TraceIncluded = "included" // in a block that is not final yet
	TraceFinal    = "final"    // its block is final, something it caused is still waiting
	TraceSettled  = "settled"  // everything it caused is done and paid for
)

// Trace answers GET /trace/{hash}: the causal tree of a transaction or a timer
// fire. Every identity in it gives the same tree. Spec: WP §2.3 (message
// cascades), §4.2 (settlement).
type Trace struct {
	Root      string      `json:"root"`
	State     string      `json:"state"`
	Waiting   uint64      `json:"waiting"` // messages and deferred calls not run yet
	Cycles    uint64      `json:"cycles_used"`
	Cells     uint64      `json:"cells_used"`
	FeeBurned uint64      `json:"fee_burned"`
	FeeTipped uint64      `json:"fee_tipped"`
	Faults    uint64      `json:"faults"`
	Nodes     []TraceNode `json:"nodes"` // in the order they ran; the first is the root
	Truncated bool        `json:"truncated,omitempty"`
}

// TraceNode is one execution. Parent is the place of what it follows from in
// Nodes, -1 for the root: the latest earlier execution of the tree whose target
// sent it.
type TraceNode struct {
	Receipt Receipt `json:"receipt"`
	Parent  int     `json:"parent"`
	Depth   int     `json:"depth"`
}
