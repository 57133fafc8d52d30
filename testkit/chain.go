package testkit

import (
	"bytes"
	"fmt"
	"sync"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/keyspace"
	"github.com/cowboyinc/cowboy-go/runtime/system"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// ChainID is the id of a Chain's network.
const ChainID = 1

// StartBalance is what a new account holds.
const StartBalance = 5_000 * unit.CBY

// Chain is a development network in one process. A method that cannot do what it is asked fails the test.
type Chain struct {
	t        testing.TB
	programs *host.Programs
	memory   *state.Memory
	tip      transition.Parent
	tally    transition.Tally
	fees     params.Basefees
	runner   drain.Runner
	recover  sig.Recoverer
	faucet   *Account
	accounts map[string]*Account
	pending  []tx.Verified
	blocks   []*transition.Result
	receipts map[digest.Hash]*block.Receipt
	parents  map[unit.Height]transition.Parent // what the newest blocks stand on, keptParents at most
	watch    *host.Watch                       // of the runner's host
	told     map[digest.Hash]host.Watch        // what executions that failed or printed left for people
	asked    *host.Watch                       // of the last query; nil before it

	lose, losses, lost int // the turn to lose, how often yet, and how many were
}

// NewChain makes a chain at height 0.
func NewChain(t testing.TB) *Chain {
	t.Helper()
	return NewChainOn(t, host.NewPrograms())
}

// NewChainOn is NewChain over a cache of compiled programs, which chains of one goroutine may share.
func NewChainOn(t testing.TB, programs *host.Programs) *Chain {
	t.Helper()
	first, err := devnet()
	if err != nil {
		t.Fatal(err)
	}
	return newChain(t, programs, first)
}

// NewChainFrom makes a chain at height 0 of a network of this package's chain id. Its accounts can be funded only where the development
// networks' faucet is the network's.
func NewChainFrom(t testing.TB, spec *genesis.Spec) *Chain {
	t.Helper()
	if spec.ChainID != ChainID {
		t.Fatalf("the network has chain id %d, a chain of the kit %d", spec.ChainID, ChainID)
	}
	first, err := found(spec)
	if err != nil {
		t.Fatal(err)
	}
	return newChain(t, host.NewPrograms(), first)
}

// founding is a network's genesis. It is not modified: chains begin as forks of it.
type founding struct {
	memory *state.Memory
	tip    transition.Parent
}

// devnet is the genesis of the network of NewChain, made once in a process.
var devnet = sync.OnceValues(func() (*founding, error) {
	spec, err := genesis.Devnet(ChainID, 1)
	if err != nil {
		return nil, err
	}
	return found(spec)
})

func found(spec *genesis.Spec) (*founding, error) {
	config := state.Config{}
	memory := state.NewMemory(config)
	empty := state.New(config, memory)
	if err := memory.Add(empty.Delta()); err != nil {
		return nil, err
	}
	overlay := empty.Overlay()
	if err := system.Found(spec, overlay); err != nil {
		return nil, err
	}
	commit, err := overlay.Commit(0)
	if err != nil {
		return nil, err
	}
	if err := memory.Add(commit.Delta()); err != nil {
		return nil, err
	}
	first := spec.Header(commit.Root())
	return &founding{memory, transition.Parent{Header: first, Hash: first.Hash(), State: commit.Settled(memory)}}, nil
}

func newChain(t testing.TB, programs *host.Programs, first *founding) *Chain {
	watch := &host.Watch{}
	c := &Chain{
		parents: map[unit.Height]transition.Parent{},
		t:       t, programs: programs, runner: host.New(programs).Watch(watch), watch: watch, told: map[digest.Hash]host.Watch{},
		recover: impersonator{sig.Default()}, accounts: map[string]*Account{},
		receipts: map[digest.Hash]*block.Receipt{}, fees: params.GenesisBasefees(), tip: first.tip, memory: first.memory.Fork(first.memory.Length()),
	}
	faucet := genesis.DevFaucet()
	c.faucet = &Account{chain: c, name: "faucet", key: faucet, addr: faucet.Address()}
	return c
}

// UsePrograms makes the chain's host begin with another cache of compiled programs; results are the same.
func (c *Chain) UsePrograms(programs *host.Programs) {
	c.programs = programs
	if k, ok := c.runner.(*market); ok {
		c.Jobs(k.answer)
		return
	}
	c.runner = host.New(programs).Watch(c.watch)
}

// Height is the newest block's.
func (c *Chain) Height() unit.Height { return c.tip.Header.Height }

// Root is the state root of the newest block.
func (c *Chain) Root() digest.Hash { return c.tip.State.Root() }

// State reads the state after the newest block.
func (c *Chain) State() state.Reader { return c.tip.State }

// Blocks gives every block since genesis, without their states.
func (c *Chain) Blocks() []*transition.Result { return c.blocks }

// Mine makes one block of the transactions that were sent. A transaction no block can hold fails the test. The result has no state: that is
// the chain's.
func (c *Chain) Mine() *transition.Result {
	c.t.Helper()
	parent := c.tip.Header
	height := parent.Height + 1
	h := block.Header{
		Version: params.ProtocolVersion, ChainID: ChainID, Height: height, Epoch: params.Calendar{}.Epoch(height), View: parent.View + 1,
		ParentView: parent.View, ParentHash: c.tip.Hash, TimestampMs: parent.TimestampMs + 1_000, Proposer: account.Address{0xaa},
	}
	if h.Epoch != parent.Epoch {
		h.View = 1
	}
	if round, ok := block.SeedRound(h.Round(), parent); ok {
		seed := sig.Seed{Round: round}
		beacon := digest.Keccak256([]byte("testkit seed"), round.Append(nil))
		copy(seed.Signature[:], beacon[:])
		h.ParentSeed = &seed
	}
	copy(h.VRFProof[:], h.ParentHash[:])
	h.VRFOutput = block.VRFOutput(h.VRFProof)
	result, err := c.execute(transition.Job{Mode: transition.Build, Header: h, Txs: c.pending})
	if err != nil {
		c.t.Fatalf("block %d: %v", height, err)
	}
	for _, refused := range result.Refused {
		c.t.Fatalf("block %d refuses %v: %v", height, refused.Tx.Hash(), refused.Reason)
	}
	c.pending = nil
	c.extend(result)
	return result
}

// Replay executes a recorded block on the chain, whose newest block is its parent. A header, a root or a receipt that is not the recorded one fails
// the test.
func (c *Chain) Replay(b *block.Block, receipts []*block.Receipt) *transition.Result {
	c.t.Helper()
	txs := make([]tx.Verified, len(b.Txs))
	for i, t := range b.Txs {
		var err error
		if txs[i], err = tx.Verify(t, ChainID, c.recover); err != nil {
			c.t.Fatalf("block %d: transaction %d: %v", b.Header.Height, i, err)
		}
	}
	result, err := transition.Apply(c.tip, transition.Job{Mode: transition.Verify, Header: b.Header, Txs: txs}, c.runner)
	if err != nil {
		c.t.Fatalf("block %d: %v", b.Header.Height, err)
	}
	if d := Differ(result.Receipts, receipts); d != "" {
		c.t.Fatalf("block %d: %s", b.Header.Height, d)
	}
	c.extend(result)
	c.faucet.nonce = c.Record(c.faucet.addr).Nonce
	for _, a := range c.accounts { // order-free: each has its own
		a.nonce = c.Record(a.addr).Nonce
	}
	return result
}

// Differ says how two lists of receipts differ, or nothing. It compares what no root commits to as well.
func Differ(got, recorded []*block.Receipt) string {
	if len(got) != len(recorded) {
		return fmt.Sprintf("%d receipts, recorded are %d", len(got), len(recorded))
	}
	for i, x := range got {
		if !bytes.Equal(x.AppendRecord(nil), recorded[i].AppendRecord(nil)) {
			return fmt.Sprintf("receipt %d is %s; recorded is %s", i, Describe(x), Describe(recorded[i]))
		}
	}
	return ""
}

// extend makes an executed block the newest one.
func (c *Chain) extend(result *transition.Result) {
	c.t.Helper()
	var err error
	if result.Header.Epoch == c.tip.Header.Epoch {
		err = c.tally.Step(c.tip.State, result.State)
	} else {
		err = transition.CheckSupply(result.State)
	}
	if err == nil {
		err = transition.CheckFlows(c.tip.State, result.State, result.Flows)
	}
	if err == nil {
		err = keyspace.Check(result.State)
	}
	if err != nil {
		c.t.Fatalf("block %d: %v", result.Header.Height, err)
	}
	before := c.tip
	c.settle(&result.Header, result.State)
	c.tip.Known, c.fees = result.Known, result.Basefees
	delete(c.parents, result.Header.Height-keptParents)
	c.parents[result.Header.Height] = before
	result.State = nil // the chain keeps the newest state only
	c.blocks = append(c.blocks, result)
	for _, x := range result.Receipts {
		c.receipts[x.ID] = x
	}
}

// settle makes a block the tip and its state final.
func (c *Chain) settle(header *block.Header, commit *state.Commit) {
	c.t.Helper()
	if err := c.memory.Add(commit.Delta()); err != nil {
		c.t.Fatal(err)
	}
	c.tip = transition.Parent{Header: header, Hash: header.Hash(), State: commit.Settled(c.memory)}
}

// keptParents is of how many blocks the chain knows what they stand on.
const keptParents = 256

// Parent is what one of the newest blocks stands on, so that the block can be executed again; ok is false for one that is too old.
func (c *Chain) Parent(height unit.Height) (p transition.Parent, ok bool) {
	p, ok = c.parents[height]
	return p, ok
}

// Tip is what the next block is executed on, and by whom.
func (c *Chain) Tip() (transition.Parent, drain.Runner) { return c.tip, c.runner }

// AdvanceTo makes blocks until the chain is at a height.
func (c *Chain) AdvanceTo(height unit.Height) {
	c.t.Helper()
	for c.Height() < height {
		c.Mine()
	}
}

// Receipt gives the newest receipt with an identity, nil if there is none.
func (c *Chain) Receipt(id digest.Hash) *block.Receipt { return c.receipts[id] }

// Record reads an account; one that is not there is empty.
func (c *Chain) Record(addr account.Address) account.Account {
	c.t.Helper()
	a, err := account.Load(c.tip.State, addr)
	if err != nil {
		c.t.Fatal(err)
	}
	return a
}

// Balance is an address's coins in base units.
func (c *Chain) Balance(addr account.Address) unit.Amount {
	c.t.Helper()
	return c.Record(addr).Balance
}

// Storage reads one raw storage entry of an actor, nil if it is absent.
func (c *Chain) Storage(actor account.Address, key string) []byte {
	c.t.Helper()
	value, ok, err := c.tip.State.Lookup(account.KeyString(account.KindStorage, actor, key))
	if err != nil {
		c.t.Fatal(err)
	}
	if !ok {
		return nil
	}
	return value
}

// Events gives an actor's events with a topic, in the order they were emitted; an empty topic means all.
func (c *Chain) Events(actor account.Address, topic string) []string {
	var found []string
	for _, b := range c.blocks {
		for _, x := range b.Receipts {
			for i := range x.Events {
				if e := &x.Events[i]; e.Actor == actor && (topic == "" || topic == string(e.Topic)) {
					found = append(found, string(e.Data))
				}
			}
		}
	}
	return found
}

// Describe gives a receipt as one line for failure messages.
func Describe(x *block.Receipt) string {
	if x == nil {
		return "no receipt"
	}
	return fmt.Sprintf("%v %v: %d cycles, %d cells, fault %d %q, returned %q", x.Kind, x.Status, x.CyclesUsed, x.CellsUsed,
		x.Fault.Code, x.Fault.Text, x.ReturnData)
}
