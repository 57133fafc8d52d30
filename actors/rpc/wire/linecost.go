package wire

// LineCosts answers GET /actor/{addr}/cycles: where the newest executions of an actor used their cycles, found by executing their blocks again. What is paid
// before a handler begins, such as for the transaction, is not in them.
type LineCosts struct {
	Address  string `json:"address"`
	CodeHash string `json:"code_hash"`
	Runs     int    `json:"runs"`
	Blocks   int    `json:"blocks"` // that were executed again
	Oldest   uint64 `json:"oldest_block"`
	Newest   uint64 `json:"newest_block"`
	// Stopped says that older executions were left out: there is a bound, or the node does not keep the state before them.
	Stopped bool   `json:"stopped"`
	Cycles  uint64 `json:"cycles"`
	// Source is the part of the lines below, with what the library used on their behalf, imports included; Others that of handlers of other actors; the rest
	// are storage and arguments.
	Source uint64     `json:"source_cycles"`
	Others uint64     `json:"other_actors_cycles"`
	Lines  []LineCost `json:"lines"` // that used anything, in order
}

// LineCost is what a line of an actor's source used.
type LineCost struct {
	Line   int    `json:"line"` // from 1
	Cycles uint64 `json:"cycles"`
}
