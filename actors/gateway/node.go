package gateway

import (
	"context"
	"io"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
	"github.com/cowboyinc/cowboy-go/runtime/outline"
)

// Node is the chain as a gateway sees it. Every method may be called from many goroutines. An error may be a *Refused; any other says that the node does not
// answer.
type Node interface {
	// Name finds the name of a host, with what its actor takes.
	Name(ctx context.Context, host string) (wire.Name, error)
	// Routes reads the manifest of routes of an actor; 404 where there is none.
	Routes(ctx context.Context, actor account.Address) (wire.Routes, error)
	// Query runs a handler of an actor read-only.
	Query(ctx context.Context, actor account.Address, q *Question) (*Answer, error)
	// Request reads what became of a request.
	Request(ctx context.Context, id receipt.ID) (wire.Request, error)
	// Stored reads an entry of an actor's storage; ok is false where there is none.
	Stored(ctx context.Context, actor account.Address, key string) (value []byte, ok bool, err error)
	// Interface tells of an actor's handlers.
	Interface(ctx context.Context, actor account.Address) (*outline.Document, error)
	// Events opens the final events of an actor as server-sent events, of one topic where that is not "", behind a cursor or from now on. It goes on until
	// the context ends; whoever opened it closes it.
	Events(ctx context.Context, actor account.Address, topic, after string) (io.ReadCloser, error)
	// Dispatch sends a request to an actor in a transaction of the gateway's account, and does not wait.
	Dispatch(ctx context.Context, actor account.Address, envelope []byte, id receipt.ID) error
	// Heartbeat sends a heartbeat of the gateway's account.
	Heartbeat(ctx context.Context) error
	// Proof asks for what a light client asks: a path below /light/ or /proof/ of the node's interface. The answer is JSON.
	Proof(ctx context.Context, path string) ([]byte, error)
	// Height is the newest final block's.
	Height(ctx context.Context) (uint64, error)
}

// Question is what a handler is run with.
type Question struct {
	Handler   string
	Payload   []byte
	MaxCycles uint64 // 0: as many as the node gives
	MinBlock  uint64 // the state has to be after this block or a later one
}

// Answer is what it returned.
type Answer struct {
	Block  uint64 // after which the state was
	Root   string // of the state
	Result []byte
}

// Refused is what a node answered with another status than 200.
type Refused struct {
	Status int
	Name   string // of the error table, "" for none
	Text   string
}

// Error implements error.
func (r *Refused) Error() string { return r.Text }
