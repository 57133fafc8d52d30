package lanes

import "github.com/cowboyinc/cowboy-go/chain/tx"

// The classes of rejects of the pool itself, beside those of package tx.
//
// Spec: node-rpc-cli §2.2, §3.
var (
	// ErrKnown reports a transaction that is waiting already.
	ErrKnown = &tx.Reject{Code: 1020, Name: "E_TX_KNOWN", Text: "transaction is waiting already"}
	// ErrFull reports a pool without room and without a worse transaction.
	ErrFull = &tx.Reject{Code: 1021, Name: "E_POOL_FULL", Text: "pool is full of better paying transactions"}
	// ErrAccountFull reports a sender with as many waiting transactions as one may have.
	ErrAccountFull = &tx.Reject{Code: 1022, Name: "E_POOL_ACCOUNT_FULL", Text: "account has as many waiting transactions as it may"}
	// ErrReplacement reports a transaction that pays too little to replace another of its nonce.
	ErrReplacement = &tx.Reject{Code: 1023, Name: "E_TX_REPLACEMENT", Text: "replacement must raise both maximum fees by a tenth"}
	// ErrBusy reports that the node could not look at the transaction now.
	ErrBusy = &tx.Reject{Code: 1026, Name: "E_POOL_BUSY", Text: "node is busy; send the transaction again"}
	// ErrSlow reports a transaction that this node tried alone in a block and ended, since it took longer than a block may.
	ErrSlow = &tx.Reject{Code: 1025, Name: "E_TX_SLOW", Text: "transaction takes longer to execute than a block may, and was dropped"}
	// ErrBroken reports a transaction over which the machine of this node broke, twice, as it built a block.
	ErrBroken = &tx.Reject{Code: 1027, Name: "E_TX_BROKEN", Text: "transaction breaks the machine that executes it, and was dropped"}
)

const (
	// refusedMost bounds the dropped transactions that are refused when they come again.
	refusedMost = 16_384
	// refusedFor is for how many blocks they are: an hour.
	refusedFor = 3_600
)

// Limits bound the pool.
type Limits struct {
	Txs     int // in all
	Bytes   int // of their encodings
	Account int // transactions of one account
	MaxAge  uint64
}

// itemBytes is what a waiting transaction takes beside its contents, in the router's book and the lane's queue: a transfer takes 780 bytes in all.
const itemBytes = 1 << 10

// memory is what the pool takes of the heap at most when it is as full as it may be: contents twice, once as they came.
func (l Limits) memory() int64 { return memoryOf(l.Txs, l.Bytes) }

func memoryOf(txs, bytes int) int64 { return int64(txs)*itemBytes + 2*int64(bytes) }

// Within lowers limits until a full pool takes no more than so many bytes of the heap: half of it for many small transactions, half for large ones.
func (l Limits) Within(memory int64) Limits {
	if l.memory() > memory {
		l.Txs = int(min(int64(l.Txs), memory/2/itemBytes))
		l.Bytes = int(min(int64(l.Bytes), memory/4))
	}
	return l
}

// DefaultLimits are the network's. MaxAge is in blocks: three hours.
//
// Spec: node-rpc-cli §3 (mempool).
func DefaultLimits() Limits {
	return Limits{Txs: 32_768, Bytes: 32 << 20, Account: 32, MaxAge: 10_800}
}
