package dev

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// MaxMine bounds the blocks of one request.
const MaxMine = 100_000

// limits of the administrator's transactions.
const (
	administerCycles = 2_000_000
	administerCells  = 500_000
)

// Allowed tells whether a node may have developer controls: its genesis is a development network's of one validator.
func Allowed(spec *genesis.Spec) bool {
	dev, err := genesis.Devnet(spec.ChainID, 1)
	return err == nil && len(spec.Validators) == 1 && len(dev.Validators) == 1 && spec.Validators[0] == dev.Validators[0] &&
		spec.Faucet != nil && *spec.Faucet == *dev.Faucet
}

// Controls outlive the node's restarts. One goroutine, the node's owner, takes Tasks and calls Opened; requests come on any.
type Controls struct {
	Clock     *Clock
	Panics    Panics
	Snapshots *Snapshots // nil: the node keeps its chain in memory
	Fleet     Fleet      // nil: the network runs no runners itself

	miner miner
	tasks chan Task
	mine  sync.Mutex // one request at a time makes blocks

	mu      sync.Mutex
	every   time.Duration // between blocks
	mining  Mining
	run     uint64
	failure string // of the last task
}

// New makes controls over the machine's clock. dir is the data directory, or "" for a node in memory.
func New(interval time.Duration, mining Mining, dir string) *Controls {
	c := &Controls{Clock: NewClock(supervision.RealClock{}), every: interval, mining: mining, tasks: make(chan Task, 1)}
	if dir != "" {
		c.Snapshots = &Snapshots{Dir: dir}
	}
	return c
}

// Task is work on the data directory, for which the node has to stop.
type Task struct {
	Name    string
	perform func(*Snapshots) error
	undo    func(*Snapshots) error // when the node does not open on what perform left
}

// Tasks delivers the tasks requests ask for. The owner stops the node, calls Perform, and opens it again.
func (c *Controls) Tasks() <-chan Task { return c.tasks }

// Perform does a task. Its failure is kept for GET /dev; the chain is then as it was.
func (c *Controls) Perform(t Task) {
	err := t.perform(c.Snapshots)
	if err != nil && t.undo != nil {
		err = errors.Join(err, t.undo(c.Snapshots))
	}
	c.note(t, err)
}

// Failed is told that the node did not open after a task; it undoes the task.
func (c *Controls) Failed(t Task, why error) error {
	c.note(t, why)
	if t.undo == nil {
		return why
	}
	return t.undo(c.Snapshots)
}

func (c *Controls) note(t Task, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failure = ""
	if err != nil {
		c.failure = t.Name + ": " + err.Error()
	}
}

// Opening moves the clock past the newest block's time, where a chain that was moved ahead left it.
func (c *Controls) Opening(newestMs uint64) {
	if ahead := time.UnixMilli(int64(newestMs)).Sub(c.Clock.Now()); ahead > 0 {
		c.Clock.Jump(ahead)
	}
}

// Opened is told that the node runs again.
func (c *Controls) Opened() error {
	c.mu.Lock()
	c.run++
	c.mu.Unlock()
	if c.Snapshots == nil {
		return nil
	}
	return c.Snapshots.Settle()
}

func (c *Controls) status(n *rpc.Node) wire.Dev {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := wire.Dev{
		Run: c.run, Height: n.Height().Height, TimeMs: uint64(c.Clock.Now().UnixMilli()), AheadMs: uint64(c.Clock.Ahead().Milliseconds()),
		Mining: string(c.mining), IntervalMs: uint64(c.every.Milliseconds()), Armed: c.Panics.Armed(), LastFailure: c.failure, Snapshots: []string{},
	}
	if c.Snapshots != nil {
		s.Snapshots = c.Snapshots.List()
	}
	return s
}

// advance makes blocks, each an interval of the clock after the one before.
func (c *Controls) advance(ctx context.Context, n *rpc.Node, blocks uint64) error {
	c.mine.Lock()
	defer c.mine.Unlock()
	for range blocks {
		next := n.Height().Height + 1
		c.Clock.Step(c.interval())
		c.miner.hurry(next)
		if err := n.AwaitFinal(ctx, next); err != nil {
			return err
		}
	}
	return nil
}

// interval is the time between blocks that are made one after the other.
func (c *Controls) interval() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.every
}

// administer has the network's administrator call a handler of 0x09. It ends with an error when the blocks that are made for the transaction do not take it.
func (c *Controls) administer(ctx context.Context, n *rpc.Node, handler string, payload []byte) (wire.Receipt, error) {
	in := &tx.Execute{To: account.System(account.Governance), Handler: []byte(handler), Payload: payload}
	ctx, lost := context.WithCancel(ctx)
	defer lost()
	return n.Administer(ctx, in, administerCycles, administerCells, func(hash digest.Hash) {
		c.Clock.Step(c.interval())
		c.miner.want(hash, lost)
	})
}

// ask leaves a task to the node's owner; false when one is waiting.
func (c *Controls) ask(t Task) bool {
	select {
	case c.tasks <- t:
		return true
	default:
		return false
	}
}
