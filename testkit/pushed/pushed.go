// Package pushed has a chain of jobs, and validators that push them, for tests of package push and of what connects to it.
package pushed

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/actors/lanes"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/push"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// ID is the chain's.
const ID = 7

// Chain is a chain that a test writes. It implements push.Chain, and may be used by many goroutines.
type Chain struct {
	mu      sync.Mutex
	height  uint64
	set     []sig.BLSPublicKey
	runners map[account.Address]bool
	open    map[account.Address][]digest.Hash
	jobs    map[digest.Hash]push.Stand
	specs   map[digest.Hash][]byte
}

// NewChain is a chain at a height with validators.
func NewChain(height uint64, set ...sig.BLSPublicKey) *Chain {
	c := &Chain{
		height: height, runners: map[account.Address]bool{}, open: map[account.Address][]digest.Hash{}, jobs: map[digest.Hash]push.Stand{},
		specs: map[digest.Hash][]byte{},
	}
	c.Elect(set...)
	return c
}

// Elect makes others the validators.
func (c *Chain) Elect(set ...sig.BLSPublicKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.set = slices.SortedFunc(slices.Values(set), func(a, b sig.BLSPublicKey) int { return bytes.Compare(a[:], b[:]) })
}

// Grow adds blocks.
func (c *Chain) Grow(blocks uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.height += blocks
}

// Register makes somebody a runner.
func (c *Chain) Register(runner account.Address) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.runners[runner] = true
}

// Spec is a specification of a job with an identity.
func Spec(id digest.Hash) []byte {
	spec := &job.Spec{ID: id, Kind: job.HTTP, Schema: job.ResultSchema{MaxReturnBytes: 100}, TimeoutBlocks: 100,
		Bounds: job.ResourceBounds{MaxInputTokens: 1, MaxOutputTokens: 1, MaxWallTimeSeconds: 60, MaxMemoryMB: 64},
		HTTP:   &job.HTTPJob{URL: "http://example.org/", Method: "GET"}}
	return spec.Append(nil)
}

// Assign selects a runner for a new job, whose identity follows from a number.
func (c *Chain) Assign(runner account.Address, number int) digest.Hash {
	c.mu.Lock()
	defer c.mu.Unlock()
	id := digest.SHA256(fmt.Appendf(nil, "job %d", number))
	c.open[runner] = append(c.open[runner], id)
	c.jobs[id] = push.Stand{Status: market.Assigned, Known: true, Assigned: c.height, Deadline: c.height + 100}
	c.specs[id] = Spec(id)
	return id
}

// Change changes where a job stands.
func (c *Chain) Change(id digest.Hash, change func(s *push.Stand)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.jobs[id]
	change(&s)
	c.jobs[id] = s
}

// Release takes a job from a runner.
func (c *Chain) Release(runner account.Address, id digest.Hash) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open[runner] = slices.DeleteFunc(c.open[runner], func(one digest.Hash) bool { return one == id })
}

// Height implements push.Chain.
func (c *Chain) Height() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.height
}

// Set implements push.Chain.
func (c *Chain) Set() ([]sig.BLSPublicKey, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.set, nil
}

// Registered implements push.Chain.
func (c *Chain) Registered(runner account.Address) (bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.runners[runner], nil
}

// Open implements push.Chain.
func (c *Chain) Open(runner account.Address, most int) ([]digest.Hash, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := c.open[runner]
	return slices.Clone(list[:min(len(list), most)]), nil
}

// Stand implements push.Chain.
func (c *Chain) Stand(id digest.Hash, _ account.Address) (push.Stand, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.jobs[id], nil
}

// Spec implements push.Chain.
func (c *Chain) Spec(id digest.Hash) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.specs[id], nil
}

// Validator pushes the jobs of a Chain, over a socket of this machine.
type Validator struct {
	Handle *push.Handle
	Key    sig.BLSPublicKey
	Node   ed25519.PrivateKey
	Sent   chan []byte // transactions of runners

	tree *supervision.Tree
}

// Keys are the voting keys of a network of n validators.
func Keys(t testing.TB, n int) (list []sig.BLSPublicKey) {
	t.Helper()
	set, _, err := genesis.DevValidators(n)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range set {
		list = append(list, v.Vote.PublicKey().Bytes())
	}
	return list
}

// Start starts the validator of a rank among n. It stops at the test's end at the latest.
func Start(t testing.TB, c *Chain, rank, n int, limits push.Limits) *Validator {
	t.Helper()
	set, _, err := genesis.DevValidators(n)
	if err != nil {
		t.Fatal(err)
	}
	v := &Validator{
		Handle: push.NewHandle(), Key: set[rank].Vote.PublicKey().Bytes(), Node: ed25519.NewKeyFromSeed(bytes.Repeat([]byte{byte(rank + 1)}, 32)),
		Sent: make(chan []byte, 256),
	}
	limits.PerAddress = max(limits.PerAddress, 64)
	spec := supervision.Spec{
		Name: "validator", Strategy: supervision.OneForOne, Limit: supervision.Limit{Restarts: 100, Within: time.Minute},
		Children: []supervision.Spec{{Name: "push", Inbox: v.Handle.Inbox(), StopWithin: 20 * time.Second, New: func() actor.Actor {
			return &push.Subsystem{
				Handle: v.Handle, ChainID: ID, Vote: set[rank].Vote, View: func() push.Chain { return c }, Link: link.Alone{}, Clock: supervision.RealClock{},
				Memory: budget.NewAccount(64 << 20), Place: push.Place{Key: v.Node, Listen: netip.MustParseAddrPort("127.0.0.1:0"), Limits: limits},
				Submit: func(s lanes.Submit) supervision.Delivery {
					for _, raw := range s.Raw {
						v.Sent <- raw
					}
					return supervision.Accepted
				},
			}
		}}},
	}
	if v.tree, err = supervision.New(spec, supervision.Config{}); err != nil {
		t.Fatal(err)
	}
	if err := v.tree.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Stop(t) })
	return v
}

// Stop stops it. It may be stopped more than once.
func (v *Validator) Stop(t testing.TB) {
	t.Helper()
	if v.tree == nil {
		return
	}
	if err := v.tree.Stop(context.Background()); err != nil {
		t.Error(err)
	}
	v.tree = nil
}

// Block adds a block, and tells the validators of it.
func (c *Chain) Block(all ...*Validator) {
	c.Grow(1)
	for _, v := range all {
		v.Handle.Finalized(nil)
	}
}

// Commitment is a runner's signed transaction about a job.
func Commitment(key *sig.PrivateKey, id digest.Hash) []byte {
	t := &tx.Tx{ChainID: ID, From: key.Address(), Instruction: &tx.JobResultCommit{JobID: id, Commitment: id}, CyclesLimit: 1, CellsLimit: 1}
	t.Signature = key.Sign(t.SigningHash())
	return t.Encode()
}
