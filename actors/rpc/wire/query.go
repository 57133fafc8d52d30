package wire

import (
	"github.com/cowboyinc/cowboy-go/runtime/host"
)

// ReadRequest is the body of POST /actor/{addr}/read_handler. Spec: gateway-payments-streams §B.
type ReadRequest struct {
	Selector  string `json:"selector"`             // the handler
	Payload   string `json:"payload"`              // hex digits
	MaxCycles uint64 `json:"max_cycles,omitempty"` // 0: as many as the node gives
	MinBlock  uint64 `json:"min_block,omitempty"`  // the state has to be after this block or a later one
	// BlockHeight names the block after which the state is read; missing: the newest final one.
	BlockHeight *uint64 `json:"block_height,omitempty"`
}

// ReadReply answers it.
type ReadReply struct {
	BlockHeight uint64       `json:"block_height"`
	StateRoot   string       `json:"state_root"`            // after that block
	Result      string       `json:"result"`                // hex digits
	ResultText  string       `json:"result_text,omitempty"` // when the bytes are printable UTF-8
	CyclesUsed  uint64       `json:"cycles_used"`
	CellsUsed   uint64       `json:"cells_used"`
	Printed     []host.Print `json:"printed,omitempty"` // on development networks
}

// Simulation answers POST /simulate: what would become of a transaction in the next block if nothing came before it. It is an estimate and binds nobody.
type Simulation struct {
	BlockHeight  uint64        `json:"block_height"`      // after which the state was
	Ahead        uint64        `json:"ahead"`             // transactions of the sender that come first, by its nonce; none of them was tried
	Refused      *Error        `json:"refused,omitempty"` // why no block could hold it; then nothing else is said
	Success      bool          `json:"success"`
	CyclesUsed   uint64        `json:"cycles_used"`
	CellsUsed    uint64        `json:"cells_used"`
	Enqueued     uint64        `json:"enqueued"` // messages and deferred calls it leaves, which run on what its limits leave over
	ReturnData   string        `json:"return_data"`
	ReturnText   string        `json:"return_text,omitempty"`
	ActorAddress string        `json:"actor_address,omitempty"`
	Error        *Error        `json:"error,omitempty"`
	Failure      *host.Failure `json:"failure,omitempty"`
	Missing      *host.Missing `json:"missing,omitempty"`
	Printed      []host.Print  `json:"printed,omitempty"` // on development networks
}

// Explanation answers GET /explain/{hash}: where a final execution failed. No root commits to it.
type Explanation struct {
	TransactionHash string        `json:"transaction_hash"`
	BlockHeight     uint64        `json:"block_height"`
	Kind            string        `json:"kind"`
	Target          string        `json:"target,omitempty"`
	Success         bool          `json:"success"`
	Error           *Error        `json:"error,omitempty"`
	Failure         *host.Failure `json:"failure,omitempty"`
	Traceback       string        `json:"traceback,omitempty"` // Failure as CPython prints it
	Missing         *host.Missing `json:"missing,omitempty"`
	Printed         []host.Print  `json:"printed,omitempty"` // on development networks, without an error too
}
