package wire

// Height answers GET /height. Spec: node-rpc-cli §2.1.
type Height struct {
	Height    uint64 `json:"height"`    // newest finalized block
	Committed uint64 `json:"committed"` // newest block with a certificate
}

// Basefee answers GET /basefee: prices in base units per cycle and per cell that the next block will charge.
type Basefee struct {
	CycleBasefee uint64             `json:"cycle_basefee"`
	CellBasefee  uint64             `json:"cell_basefee"`
	Height       uint64             `json:"height"`
	Lanes        map[string]LaneFee `json:"lanes"`
}

// LaneFee is one lane's capacity and price. Spec: WP §6.3.
type LaneFee struct {
	CycleBudget   uint64 `json:"cycle_budget"`
	MultiplierPPM uint64 `json:"multiplier_ppm"` // 1,000,000 = 1.0×
	CycleBasefee  uint64 `json:"cycle_basefee"`
	CellBasefee   uint64 `json:"cell_basefee"`
}

// Health answers GET /health/detailed. Spec: node-rpc-cli §2.1.
type Health struct {
	Status                  string               `json:"status"`
	Version                 string               `json:"version"`
	ChainID                 uint64               `json:"chain_id"`
	UptimeSeconds           uint64               `json:"uptime_seconds"`
	BlockHeight             uint64               `json:"block_height"`
	Synced                  bool                 `json:"synced"`
	MempoolTransactionCount uint64               `json:"mempool_transaction_count"`
	MempoolAccountCount     uint64               `json:"mempool_account_count"`
	Components              map[string]Component `json:"components"`
}

// Component is one part's state in Health.
type Component struct {
	Status    string  `json:"status"`
	LatencyMs float64 `json:"latency_ms"`
}

// Ready answers GET /health/ready.
type Ready struct {
	Ready  bool     `json:"ready"`
	Reason []string `json:"reasons,omitempty"`
	// Warnings are what an operator should know although the node serves.
	Warnings []string `json:"warnings,omitempty"`
}

// Block is a block with the hashes of its transactions; Receipts appears when asked for.
type Block struct {
	Height       uint64   `json:"height"`
	Hash         string   `json:"hash"`
	ParentHash   string   `json:"parent_hash"`
	ChainID      uint64   `json:"chain_id"`
	Epoch        uint64   `json:"epoch"`
	View         uint64   `json:"view"`
	ParentView   uint64   `json:"parent_view"`
	TimestampMs  uint64   `json:"timestamp_ms"`
	Proposer     string   `json:"proposer"`
	VRFOutput    string   `json:"vrf_output"`
	TxRoot       string   `json:"tx_root"`
	ReceiptRoot  string   `json:"receipt_root"`
	StateRoot    string   `json:"state_root"`
	CycleBasefee uint64   `json:"cycle_basefee"`
	CellBasefee  uint64   `json:"cell_basefee"`
	CyclesUsed   uint64   `json:"cycles_used"`
	CellsUsed    uint64   `json:"cells_used"`
	Size         uint64   `json:"size"`
	Status       string   `json:"status"` // finalized or committed
	TxCount      uint64   `json:"tx_count"`
	Transactions []string `json:"transactions"`
	Executions   []string `json:"executions"` // identities of timer fires, messages and deferred work, in order
}

// Blocks is a page of blocks, newest first.
type Blocks struct {
	Blocks     []Block `json:"blocks"`
	TotalCount uint64  `json:"total_count"`
	Offset     uint64  `json:"offset"`
	Limit      uint64  `json:"limit"`
}

// Error is the body of every answer that is not 2xx. Message is what existing clients read. Spec: node-rpc-cli §1, §2.2.
type Error struct {
	Code     int            `json:"code"`
	Slug     string         `json:"slug"`
	Category string         `json:"category"`
	Message  string         `json:"message"`
	What     string         `json:"what"`
	Why      string         `json:"why"`
	Fix      string         `json:"fix"`
	DocsURL  string         `json:"docs_url"`
	Context  map[string]any `json:"context,omitempty"`
}

// Error gives what and why, so that a wire.Error is a Go error.
func (e *Error) Error() string {
	if e.Why == "" {
		return e.Message
	}
	return e.Message + ": " + e.Why
}
