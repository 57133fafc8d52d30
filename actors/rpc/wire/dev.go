package wire

// Chains of development networks. Spec: node-rpc-cli §2.5.
const (
	ChainLocal = 1
	ChainDev   = 100
)

// Development reports whether a chain is a local or development one, as its number says. Elsewhere nobody guesses what the bytes of an actor's storage mean:
// they are shown as they are.
func Development(chainID uint64) bool { return chainID == ChainLocal || chainID == ChainDev }

// Dev answers GET /dev, on development networks of one validator.
type Dev struct {
	Run         uint64   `json:"run"` // of the node in this process: it grows when a snapshot is taken or reverted to
	Height      uint64   `json:"height"`
	TimeMs      uint64   `json:"time_ms"`
	AheadMs     uint64   `json:"ahead_ms"`    // of the machine's clock
	Mining      string   `json:"mining"`      // when blocks are made: auto, interval or manual
	IntervalMs  uint64   `json:"interval_ms"` // between two blocks of an interval
	Snapshots   []string `json:"snapshots"`
	Armed       []string `json:"armed,omitempty"` // subsystems that will panic
	LastFailure string   `json:"last_failure,omitempty"`
}

// DevMining says when blocks are made from now on: auto, interval or manual. An interval that is left out stays.
type DevMining struct {
	Mining     string `json:"mining"`
	IntervalMs uint64 `json:"interval_ms,omitempty"`
}

// DevAdvance asks for blocks, or for time, or for both.
type DevAdvance struct {
	Blocks      uint64 `json:"blocks,omitempty"`
	Seconds     uint64 `json:"seconds,omitempty"`
	TimestampMs uint64 `json:"timestamp_ms,omitempty"` // of the next block, at least
}

// DevSnapshot names a snapshot.
type DevSnapshot struct {
	Name string `json:"name"`
}

// DevBalance sets a balance, in base units.
type DevBalance struct {
	Address string `json:"address"`
	Balance uint64 `json:"balance"`
}

// DevStorage writes a storage entry; no value removes it. Key and value are hex digits.
type DevStorage struct {
	Actor string  `json:"actor"`
	Key   string  `json:"key"`
	Value *string `json:"value"`
}

// DevCode gives an actor the code of another one.
type DevCode struct {
	Actor string `json:"actor"`
	From  string `json:"from"`
}

// DevSend has an address send a message. The payload is hex digits.
type DevSend struct {
	From    string `json:"from"`
	To      string `json:"to"`
	Handler string `json:"handler"`
	Payload string `json:"payload"`
}

// DevAccepted answers a request whose work begins when the node has stopped.
type DevAccepted struct {
	Run uint64 `json:"run"` // in which it is done
}

// DevPanic names a subsystem by its path.
type DevPanic struct {
	Subsystem string `json:"subsystem"`
}
