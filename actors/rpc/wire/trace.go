package wire

import (
	"encoding/hex"

	"github.com/fxamacker/cbor/v2"

	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"

	"github.com/cowboyinc/cowboy-go/runtime/host"
)

// The states of a trace, in the order they are reached.
const (
	TracePending  = "pending"  // waits in a lane
	TraceIncluded = "included" // in a block that is not final yet, or is about to be indexed
	TraceFinal    = "final"    // its block is final, something it caused is pending or not known to be done
	TraceSettled  = "settled"  // everything it caused is done, paid for and shown
)

// How an execution follows from its parent.
const (
	ByMessage  = "message"  // a call of the parent sent it
	ByDeferred = "deferred" // a call of the parent deferred it
	ByTimer    = "timer"    // a call of the parent set the timer
	ByJob      = "job"      // the chain sent it as the answer to the job that the parent is the delivery of
	ByEmit     = "emit"     // an emit of the parent left the hooks to a later block
	ByOrigin   = "origin"   // it runs on what the root paid for; which execution sent it is not known
)

// What is pending.
const (
	PendingMessage  = "message"
	PendingDeferred = "deferred"
	PendingTimer    = "timer" // Height is when it is due
	PendingJob      = "job"   // waits for an answer; Height is when a late one is sent, or the job is let go
	PendingItems    = "items" // of an origin, which are known by their number alone
	PendingIndex    = "index" // this node has not yet indexed the block at Height
)

// Why a trace is not whole.
const (
	StopTurns   = "turns"    // there are more executions than a trace shows
	StopBlocks  = "blocks"   // they lie in more blocks than a trace executes again
	StopFires   = "fires"    // a timer has fired more often than a trace shows, or fires have followed from each other longer
	StopCalls   = "calls"    // an execution made more calls than a trace shows
	StopNothing = "disabled" // this node executes nothing for clients
)

// Trace answers GET /trace/{hash}: the causal tree of a transaction or a timer fire, made by executing its blocks again. Every identity in it gives the same
// tree, but for the fire of a timer that an execution of the tree set: that is a root of its own.
//
// Spec: WP §2.3 (message cascades), §4.2 (settlement).
type Trace struct {
	Root      string         `json:"root"`
	State     string         `json:"state"`
	Waiting   uint64         `json:"waiting"` // messages, deferred calls and jobs not done yet
	Pending   []TraceAwaited `json:"pending"` // what stands between it and settled; 100 at most
	Cycles    uint64         `json:"cycles_used"`
	Cells     uint64         `json:"cells_used"`
	FeeBurned uint64         `json:"fee_burned"`
	FeeTipped uint64         `json:"fee_tipped"`
	Faults    uint64         `json:"faults"`
	Nodes     []TraceNode    `json:"nodes"` // each behind its parent and that one's earlier children's own; siblings in the order they ran
	Stops     []string       `json:"stops"` // why it is not whole
}

// TraceAwaited is something that has not happened yet.
type TraceAwaited struct {
	Kind    string `json:"kind"`
	ID      string `json:"id,omitempty"`
	Target  string `json:"target,omitempty"`
	Handler string `json:"handler,omitempty"`
	Height  uint64 `json:"height,omitempty"`
	Count   uint64 `json:"count,omitempty"` // of items
}

// TraceNode is one execution. Texts of strangers hold no character that a terminal obeys; names and texts are 400 bytes long at most.
type TraceNode struct {
	Receipt Receipt `json:"receipt"`
	Parent  int     `json:"parent"` // its place in Nodes, -1 for the root
	Depth   int     `json:"depth"`
	By      string  `json:"by,omitempty"`   // how it follows from its parent; "" for the root
	Call    int     `json:"call,omitempty"` // which of the parent's calls it follows from

	// Calls are what ran in it, the first of them its own handler or instruction; none where it was not executed again.
	Calls     []TraceCall   `json:"calls"`
	Printed   []host.Print  `json:"printed,omitempty"` // on development networks, 4 KiB at most
	Failure   *host.Failure `json:"failure,omitempty"`
	Traceback string        `json:"traceback,omitempty"` // Failure as CPython prints it
	Missing   *host.Missing `json:"missing,omitempty"`
}

// TraceCall is one call within an execution, by a handler that waits for it.
type TraceCall struct {
	Parent  int          `json:"parent"` // its place in the node's Calls, -1 for the first
	Depth   int          `json:"depth"`
	From    string       `json:"from"`
	To      string       `json:"to"`
	Handler string       `json:"handler"`
	Args    TraceValue   `json:"args"`
	Result  TraceValue   `json:"result"`
	Value   uint64       `json:"value,omitempty"` // coins that came with it, base units
	Cycles  uint64       `json:"cycles_used"`     // with those of the calls it made; 0 for a function of pvm_host, whose caller pays
	Cells   uint64       `json:"cells_used"`
	Error   *Error       `json:"error,omitempty"`
	Sent    []TraceSent  `json:"sent,omitempty"`
	Timers  []TraceTimer `json:"timers,omitempty"`
}

// TraceValue is the head of arguments or of a result: 256 bytes of Size.
type TraceValue struct {
	Data string `json:"data,omitempty"` // hex digits
	Text string `json:"text,omitempty"` // what a person reads: text, CBOR in diagnostic notation, or hex digits; … where it is cut
	Size int    `json:"size"`
}

// TraceSent is a message or a deferred call that a call sent.
type TraceSent struct {
	ID      string `json:"id"`
	Kind    string `json:"kind"` // message or deferred
	To      string `json:"to"`
	Handler string `json:"handler,omitempty"`
	Value   uint64 `json:"value,omitempty"`
	State   string `json:"state"`          // ran, pending, undone, or unknown
	Node    int    `json:"node,omitempty"` // where it ran, in Nodes
}

// TraceTimer is a timer that a call set.
type TraceTimer struct {
	ID      string `json:"id"`
	To      string `json:"to"`
	Handler string `json:"handler"`
	Height  uint64 `json:"height"`             // it was set for
	Every   uint64 `json:"interval,omitempty"` // blocks
	State   string `json:"state"`              // pending, fired, undone, or gone: cancelled
	Nodes   []int  `json:"nodes,omitempty"`    // where it fired
}

// The states of what was sent or set.
const (
	SentRan     = "ran"
	SentPending = "pending"
	SentUndone  = "undone"
	SentUnknown = "unknown"
	TimerFired  = "fired"
	TimerGone   = "gone"
)

// Shown gives the head of arguments or of a result to people.
func Shown(s host.Shown) TraceValue {
	v := TraceValue{Data: Hex(s.Data), Size: s.Size}
	whole := len(s.Data) == s.Size
	switch {
	case s.Text != "":
		v.Text = unitext.PlainLine(s.Text)
		if len(s.Text) < s.Size {
			v.Text += "…"
		}
		return v
	case s.Size == 0:
		return v
	case s.Structured && whole:
		if text, err := cbor.Diagnose(s.Data); err == nil {
			v.Text = unitext.PlainLine(text)
			return v
		}
	}
	switch v.Text = unitext.PlainLine(Text(s.Data)); {
	case v.Text != "":
	case s.Structured:
		v.Text = unitext.PlainLine(string(s.Data)) // the texts in it can be read
	default:
		v.Text = "0x" + hex.EncodeToString(s.Data)
	}
	if !whole {
		v.Text += "…"
	}
	return v
}
