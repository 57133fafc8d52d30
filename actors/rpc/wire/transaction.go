package wire

// Transaction is a signed transaction with every field of its encoding. Spec: WP §2.1.
type Transaction struct {
	Hash                   string      `json:"hash"`
	ChainID                uint64      `json:"chain_id"`
	Nonce                  uint64      `json:"nonce"`
	Instruction            Instruction `json:"instruction"`
	CyclesLimit            uint64      `json:"cycles_limit"`
	CellsLimit             uint64      `json:"cells_limit"`
	MaxFeePerCycle         uint64      `json:"max_fee_per_cycle"`
	MaxFeePerCell          uint64      `json:"max_fee_per_cell"`
	MaxPriorityFeePerCycle uint64      `json:"max_priority_fee_per_cycle"`
	MaxPriorityFeePerCell  uint64      `json:"max_priority_fee_per_cell"`
	From                   string      `json:"from"`
	AccessList             any         `json:"access_list"`
	Metadata               string      `json:"metadata"`
	OriginTxHash           *string     `json:"origin_tx_hash"`
	OriginRemainingCycles  *uint64     `json:"origin_remaining_cycles"`
	OriginRemainingCells   *uint64     `json:"origin_remaining_cells"`
	Signature              string      `json:"signature"`
	AdditionalSigners      []Signer    `json:"additional_signers"`
	Size                   uint64      `json:"size"`
	Status                 string      `json:"status,omitempty"` // pending, included
	BlockHeight            *uint64     `json:"block_height,omitempty"`
	Index                  *uint64     `json:"index,omitempty"`
}

// Signer is one additional signer.
type Signer struct {
	Address   string `json:"address"`
	Signature string `json:"signature"`
}

// Receipt is what a transaction, timer fire, message or deferred execution left behind. Spec: node-rpc-cli §2.2.
type Receipt struct {
	TransactionHash string  `json:"transaction_hash"`
	BlockHeight     uint64  `json:"block_height"`
	BlockHash       string  `json:"block_hash"`
	Index           uint64  `json:"index"`
	Kind            string  `json:"kind"`
	Cause           string  `json:"cause,omitempty"`
	Sender          string  `json:"sender"`
	Target          string  `json:"target,omitempty"`
	Handler         string  `json:"handler,omitempty"`
	Status          string  `json:"status"` // success or failed
	Success         bool    `json:"success"`
	Value           uint64  `json:"value"` // coins that came with it, base units; the sender's again where it did not succeed
	CyclesUsed      uint64  `json:"cycles_used"`
	CellsUsed       uint64  `json:"cells_used"`
	FeeBurned       uint64  `json:"fee_burned"`
	FeeTipped       uint64  `json:"fee_tipped"`
	FeePaid         uint64  `json:"fee_paid"`
	ReturnData      string  `json:"return_data"`
	ReturnText      string  `json:"return_text,omitempty"` // when the bytes are printable UTF-8
	ActorAddress    string  `json:"actor_address,omitempty"`
	Events          []Event `json:"events"`
	Error           *Error  `json:"error,omitempty"`
	Finalized       bool    `json:"finalized"`
	// TriggeredByEmit is the emit that hooks come of; receipts of kind hooks alone have it. Spec: gateway-payments-streams §H.1.
	TriggeredByEmit *EmitOrigin `json:"triggered_by_emit,omitempty"`
}

// EmitOrigin is the emit of an event that left hooks to a later block. Spec: gateway-payments-streams §H.1.
type EmitOrigin struct {
	OriginBlock uint64 `json:"origin_block"`
	OriginTx    string `json:"origin_tx"`
	EmitID      uint32 `json:"emit_id"`
}

// Event is one entry of an actor's event log.
type Event struct {
	Actor       string `json:"actor"`
	Topic       string `json:"topic"`
	Data        string `json:"data"`
	Text        string `json:"text,omitempty"` // when the bytes are printable UTF-8
	BlockHeight uint64 `json:"block_height"`
	Cause       string `json:"cause"`
	Index       uint64 `json:"index"`
	Cursor      string `json:"cursor"`
}

// Events is a page of an actor's events, newest last.
type Events struct {
	Address    string  `json:"address"`
	Events     []Event `json:"events"`
	TotalCount uint64  `json:"total_count"`
	NextCursor string  `json:"next_cursor,omitempty"`
}

// Logs is a page of what an actor's executions left: one line each with the outcome.
type Logs struct {
	Address    string    `json:"address"`
	Logs       []Receipt `json:"logs"`
	TotalCount uint64    `json:"total_count"`
}

// SubmitReply answers POST /submit. Spec: node-rpc-cli §2.2.
type SubmitReply struct {
	Added   uint64   `json:"added"`
	Skipped uint64   `json:"skipped"`
	Hashes  []string `json:"hashes"`
	Errors  []*Error `json:"errors,omitempty"` // one per transaction, null where it was added
}

// SubmitWaitReply answers POST /submit_wait: receipts in the order of the transactions, null where none came in time.
type SubmitWaitReply struct {
	SubmitReply
	Receipts []*Receipt `json:"receipts"`
}

// Faucet answers POST /faucet. Spec: node-rpc-cli §2.5.
type Faucet struct {
	Status    string `json:"status"`
	Finality  string `json:"finality"`
	TxHash    string `json:"tx_hash"`
	Amount    uint64 `json:"amount"`
	AmountCBY uint64 `json:"amount_cby"`
}
