package pytest

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// session is what one test has: its chains and what its actors used.
type session struct {
	runner *Runner
	chains []*simulated
	output *bytes.Buffer // of the test
	cycles uint64
	cells  uint64
	faults []string // of messages, timers and deferred calls, which no call of the test has as its answer; maxFaults at most
	missed int      // further ones
}

// simulated is one chain of a test.
type simulated struct {
	*testkit.Chain
	runner    *Runner
	snapshots []*testkit.Snapshot
}

// broken is the chain refusing what a test asked for; it is raised in the test.
type broken = testkit.Refusal

// open makes a chain like the runner's first one, which is built once.
func (s *session) open() int {
	if s.runner.genesis == nil {
		s.runner.genesis = testkit.NewChainOn(testkit.Outside{}, s.runner.programs)
		s.runner.genesis.Impersonate(named(someone))
		s.runner.genesis.Profile(s.runner.profile)
	}
	s.chains = append(s.chains, &simulated{Chain: s.runner.genesis.Fork(testkit.Outside{}), runner: s.runner})
	return len(s.chains) - 1
}

// account gives who signs for an address.
func (c *simulated) account(addr account.Address) *testkit.Account {
	if c.Record(addr).Kind != account.External {
		panic(broken{Text: "an actor sends no transactions: its messages, timers and calls are its own"})
	}
	return c.Impersonate(addr)
}

// someone is who calls unless a test says otherwise.
const someone = "alice"

// named is the address of a name. No key belongs to it: the chain of a test takes its word.
func named(name string) account.Address {
	hash := digest.Keccak256([]byte("cowboy_sdk.testing account " + name))
	return account.Address(hash[len(hash)-account.AddressSize:])
}

// maxPrinted is from which length on a test's output takes no more of what actors print, in bytes.
const maxPrinted = 1 << 20

// maxFaults bounds the faults that are shown with a test that fails.
const maxFaults = 8

// fault notes what failed beside the calls of a test.
func (s *session) fault(c *simulated, x *block.Receipt) {
	if c == nil || x.Status == block.Success || x.Kind == block.Transaction {
		return
	}
	if len(s.faults) == maxFaults {
		s.missed++
		return
	}
	text := fmt.Sprintf("block %d: %v to %v: %v %d: %s\n", c.Height(), x.Kind, x.Target, x.Status, x.Fault.Code, unitext.PlainLine(x.Fault.Text))
	if f := c.Failure(x.ID); f != nil {
		text += f.Render(func(actor account.Address) string {
			source, _, err := c.State().Lookup(host.CodeKey(c.Record(actor).CodeHash))
			if err != nil {
				return ""
			}
			return s.runner.fileOf(source)
		})
	}
	s.faults = append(s.faults, text)
}

// told is a failure with the faults since the test began: why a test fails is often that a message or a timer did.
func (s *session) told(failure string) string {
	if failure == "" || len(s.faults) == 0 {
		return failure
	}
	var b strings.Builder
	b.WriteString(strings.TrimRight(failure, "\n") + "\n\nMessages, timers and deferred calls that failed since the test began:\n")
	for _, text := range s.faults {
		b.WriteString("\n" + strings.TrimRight(text, "\n") + "\n")
	}
	if s.missed > 0 {
		fmt.Fprintf(&b, "\nand %d more\n", s.missed)
	}
	return strings.TrimRight(b.String(), "\n")
}

// count adds what receipts used, and has the test say what was printed in their executions.
func (s *session) count(c *simulated, receipts []*block.Receipt) {
	for _, x := range receipts {
		if c != nil && s.output.Len() < maxPrinted {
			for _, p := range c.Printed(x.ID) {
				s.output.WriteString(p.Text)
			}
		}
		s.fault(c, x)
		s.cycles += uint64(x.CyclesUsed)
		s.cells += uint64(x.CellsUsed)
	}
}

// do sends an instruction and makes its block.
func (s *session) do(c *simulated, by account.Address, in tx.Instruction, cycles unit.Cycles, cells unit.Cells) *block.Receipt {
	who := c.account(by)
	before := len(c.Blocks())
	x := who.Do(in, cycles, cells)
	for _, b := range c.Blocks()[before:] {
		s.count(c, b.Receipts)
	}
	if x == nil {
		panic(broken{Text: "the transaction left no receipt"})
	}
	return x
}

func (s *session) execute(c *simulated, by, to account.Address, handler string, payload []byte, value unit.Amount) *block.Receipt {
	in := &tx.Execute{To: to, Handler: []byte(handler), Payload: payload, Amount: value}
	return s.do(c, by, in, s.runner.options.limit(testkit.ExecuteCycles), testkit.ExecuteCells)
}

// send puts a call into the next block, and gives its identity.
func (s *session) send(c *simulated, by, to account.Address, handler string, payload []byte, value unit.Amount) digest.Hash {
	in := &tx.Execute{To: to, Handler: []byte(handler), Payload: payload, Amount: value}
	return c.account(by).Send(in, s.runner.options.limit(testkit.ExecuteCycles), testkit.ExecuteCells)
}

// deploy deploys source with a salt of its own, and a manifest unless it is empty.
func (s *session) deploy(c *simulated, by account.Address, source string, init *string, payload, manifest []byte) *block.Receipt {
	code, err := pvm.CanonicalSource([]byte(source))
	if err != nil {
		panic(broken{Text: err.Error()})
	}
	height := c.Height()
	in := &tx.Deploy{Code: code, Salt: []byte{byte(height >> 24), byte(height >> 16), byte(height >> 8), byte(height)}}
	if len(manifest) > 0 {
		in.Manifest = manifest
	}
	if init != nil {
		in.InitHandler, in.InitPayload = []byte(*init), payload
	}
	return s.do(c, by, in, testkit.DeployCycles, testkit.DeployCells)
}

// dispatch sends a request through the gateway registry.
func (s *session) dispatch(c *simulated, to account.Address, handler string, envelope cbor.Map) *block.Receipt {
	before := len(c.Blocks())
	x := c.Dispatch(to, handler, envelope)
	for _, b := range c.Blocks()[before:] {
		s.count(c, b.Receipts)
	}
	return x
}

// mine makes blocks and gives their receipts.
func (s *session) mine(c *simulated, n uint64) []*block.Receipt {
	var all []*block.Receipt
	for range n {
		all = append(all, c.Mine().Receipts...)
	}
	s.count(c, all)
	return all
}

// repeated is one of several runs of the same call.
type repeated struct {
	receipt *block.Receipt
	root    [32]byte
}

// repeat runs a call several times from the same state, each with a host that has compiled nothing, and takes all of it back.
func (s *session) repeat(c *simulated, by, to account.Address, handler string, payload []byte, times int) []repeated {
	c.account(by) // funded before the state is noted
	var runs []repeated
	for range times {
		fresh := c.Fork(testkit.Outside{})
		fresh.UsePrograms(host.NewPrograms())
		one := &simulated{Chain: fresh, runner: s.runner}
		x := s.execute(one, by, to, handler, payload, 0)
		runs = append(runs, repeated{x, fresh.Digest()})
	}
	return runs
}

// heightOf is the block a receipt of the chain is in.
func heightOf(blocks []*transition.Result, x *block.Receipt) uint64 {
	for i := len(blocks) - 1; i >= 0; i-- {
		for _, y := range blocks[i].Receipts {
			if x == y {
				return uint64(blocks[i].Header.Height)
			}
		}
	}
	return 0
}
