package bench

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/system"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

const (
	holders     = 100_000 // of the token, as in the peer's harness
	tokenBlocks = 200     // transactions of a block: a block holds as many of the actor's
)

// named takes the first bytes of a signature for the signer: the benchmark is of execution and root.
type named struct{}

func (named) Recover(_ digest.Hash, s sig.Signature) (account.Address, error) {
	return account.Address(s[:20]), nil
}

func holder(i int) account.Address {
	h := digest.Keccak256([]byte("holder"), binary.BigEndian.AppendUint64(nil, uint64(i)))
	return account.Address(h[:20])
}

// tokens is a chain in memory whose accounts all hold a token.
type tokens struct {
	testing.TB
	memory *state.Memory
	tip    transition.Parent
	runner drain.Runner
	id     token.ID
	nonces map[account.Address]uint64
	random *rand.Rand
}

func newTokens(t testing.TB) *tokens {
	spec, err := genesis.Devnet(chainID, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range tokenBlocks {
		spec.Accounts = append(spec.Accounts, genesis.Allocation{Address: holder(i), Balance: 100_000 * unit.CBY})
		spec.Accounts[0].Balance -= 100_000 * unit.CBY
	}
	n := &tokens{
		TB: t, memory: state.NewMemory(state.Config{}), runner: host.New(host.NewPrograms()), nonces: map[account.Address]uint64{},
		random: rand.New(rand.NewPCG(1, 1)),
	}
	empty := state.New(state.Config{}, n.memory)
	n.add(empty)
	overlay := empty.Overlay()
	if err := system.Found(spec, overlay); err != nil {
		t.Fatal(err)
	}
	g := &token.Registry{State: overlay, Emit: func(string, []byte) {}}
	if n.id, err = g.Create(holder(0), 0, token.Terms{Name: []byte("n"), Symbol: []byte("S"), Supply: unit.Wide(holders * 1_000_000)}); err != nil {
		t.Fatal(err)
	}
	for i := 1; i < holders; i++ {
		if err := g.Transfer(holder(0), n.id, holder(i), unit.Wide(1_000_000)); err != nil {
			t.Fatal(err)
		}
	}
	commit, err := overlay.Commit(0)
	if err != nil {
		t.Fatal(err)
	}
	n.add(commit)
	first := spec.Header(commit.Root())
	n.tip = transition.Parent{Header: first, Hash: first.Hash(), State: commit.Settled(n.memory)}
	return n
}

func (n *tokens) add(c *state.Commit) {
	if err := n.memory.Add(c.Delta()); err != nil {
		n.Fatal(err)
	}
}

func (n *tokens) sign(from account.Address, in tx.Instruction, cycles unit.Cycles, cells unit.Cells) tx.Verified {
	t := &tx.Tx{
		ChainID: chainID, Nonce: n.nonces[from], Instruction: in, CyclesLimit: cycles, CellsLimit: cells, MaxFeePerCycle: 1_000_000, MaxFeePerCell: 1_000_000,
		From: from,
	}
	n.nonces[from]++
	copy(t.Signature[:], from[:])
	v, err := tx.Verify(t, chainID, named{})
	if err != nil {
		n.Fatal(err)
	}
	return v
}

// apply executes a block; all of it has to succeed.
func (n *tokens) apply(txs []tx.Verified) []*block.Receipt {
	parent := n.tip.Header
	h := block.Header{
		Version: params.ProtocolVersion, ChainID: chainID, Height: parent.Height + 1, Epoch: params.Calendar{}.Epoch(parent.Height + 1), View: parent.View + 1,
		ParentView: parent.View, ParentHash: parent.Hash(), TimestampMs: parent.TimestampMs + 1_000, Proposer: account.Address{0xaa},
	}
	if round, ok := block.SeedRound(h.Round(), parent); ok {
		h.ParentSeed = &sig.Seed{Round: round}
	}
	h.VRFOutput = block.VRFOutput(h.VRFProof)
	result, err := transition.Apply(n.tip, transition.Job{Mode: transition.Build, Header: h, Txs: txs}, n.runner)
	if err != nil {
		n.Fatal(err)
	}
	if len(result.Refused) > 0 {
		n.Fatalf("%d refused: %v", len(result.Refused), result.Refused[0].Reason)
	}
	for _, r := range result.Receipts {
		if r.Status != block.Success {
			n.Fatalf("%d: %s", r.Fault.Code, r.Fault.Text)
		}
	}
	n.add(result.State)
	n.tip = transition.Parent{Header: &result.Header, State: result.State.Settled(n.memory), Known: result.Known}
	return result.Receipts
}

// measure applies blocks of one transaction of each of the first holders.
func (n *tokens) measure(b *testing.B, make func(i int) tx.Verified) {
	blocks := (b.N + tokenBlocks - 1) / tokenBlocks
	lists := [][]tx.Verified{}
	for range blocks {
		list := []tx.Verified{}
		for i := range tokenBlocks {
			list = append(list, make(i))
		}
		lists = append(lists, list)
	}
	b.ResetTimer()
	for _, list := range lists {
		n.apply(list)
	}
	b.StopTimer()
	b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(blocks*tokenBlocks), "us/tx")
}

// BenchmarkTokenTransfers executes blocks of transfers of a token and makes their roots: of the registry's own tokens, of an actor that calls the registry, and
// of an actor that keeps its balances in its storage. Its peer is `token` of go-ethereum's harness, "execute" and "root+commit" together.
//
// Spec: tokens §5, §8.
func BenchmarkTokenTransfers(b *testing.B) {
	n := newTokens(b)
	b.Run("native", func(b *testing.B) {
		n.TB = b
		n.measure(b, func(i int) tx.Verified {
			return n.sign(holder(i), &tx.TokenTransfer{TokenID: n.id, To: holder(n.random.IntN(holders)), Amount: unit.Wide(1)}, 22_000, 200)
		})
	})
	b.Run("actor", func(b *testing.B) {
		n.TB = b
		actor := n.deploy(plainToken)
		n.each(func(i int) tx.Instruction { return &tx.Execute{To: actor, Handler: []byte("mint")} })
		n.measure(b, func(i int) tx.Verified {
			to := holder(n.random.IntN(holders))
			payload := append(to[:], make([]byte, 15)...)
			return n.sign(holder(i), &tx.Execute{To: actor, Handler: []byte("transfer"), Payload: append(payload, 1)}, 60_000, 2_000)
		})
	})
	b.Run("sdk", func(b *testing.B) {
		n.TB = b
		source, err := os.ReadFile("../examples/token.py")
		if err != nil {
			b.Fatal(err)
		}
		actor := n.deploy(string(source))
		owner := holder(0)
		for start := 1; start < tokenBlocks; start += 50 {
			var list []tx.Verified
			for i := start; i < min(start+50, tokenBlocks); i++ {
				list = append(list, n.sign(owner, give(actor, holder(i), 1_000_000), 100_000, 5_000))
			}
			n.apply(list)
		}
		n.measure(b, func(i int) tx.Verified {
			return n.sign(holder(i), give(actor, holder(n.random.IntN(holders)), 1), 100_000, 5_000)
		})
	})
}

func give(actor, to account.Address, amount int) tx.Instruction {
	return &tx.Execute{To: actor, Handler: []byte("transfer"), Payload: fmt.Appendf(nil, `{"to":"%v","amount":%d}`, to, amount)}
}

func (n *tokens) each(make func(i int) tx.Instruction) {
	var list []tx.Verified
	for i := range tokenBlocks {
		list = append(list, n.sign(holder(i), make(i), 60_000, 2_000))
	}
	n.apply(list)
}

func (n *tokens) deploy(source string) account.Address {
	n.Helper()
	in := &tx.Deploy{
		Salt: []byte{byte(n.nonces[holder(0)])}, Code: []byte(source), InitHandler: []byte("init"),
		InitPayload: []byte(`{"name":"n","symbol":"S","supply":1000000000000}`),
	}
	r := n.apply([]tx.Verified{n.sign(holder(0), in, 5_000_000, 100_000)})
	return *r[0].Created
}

// plainToken keeps a balance of 16 bytes for each holder, as the peer's contract keeps a slot.
const plainToken = `from pvm_host import *

def init(p):
    pass

def mint(p):
    set_state(get_sender(), (1000000).to_bytes(16, "big"))

def transfer(p):
    source, to, amount = get_sender(), p[:20], int.from_bytes(p[20:], "big")
    left = int.from_bytes(get_state(source) or b"", "big") - amount
    if left < 0:
        raise ValueError("the balance is too small")
    set_state(source, left.to_bytes(16, "big"))
    set_state(to, (int.from_bytes(get_state(to) or b"", "big") + amount).to_bytes(16, "big"))
    emit_event("Transfer", source + p)
`
