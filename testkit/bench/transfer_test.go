package bench

import (
	"encoding/binary"
	"runtime"
	"sync"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

const (
	chainID  = 1
	perBlock = 1_000
	accounts = 10_000
)

// noActors fails the benchmark's only impossible case: a block of plain transfers never hands a turn out.
type noActors struct{}

func (noActors) Run(*drain.Turn) (drain.Outcome, error) { panic("a transfer became a turn") }

// network is a funded chain on disk.
type network struct {
	b      *testing.B
	chain  *ledger.Disk
	tip    transition.Parent
	keys   []*sig.PrivateKey
	nonces []uint64
	runs   drain.Runner // nil: nothing but transfers
}

func newNetwork(b *testing.B) *network {
	spec, err := genesis.Devnet(chainID, 1)
	if err != nil {
		b.Fatal(err)
	}
	n := &network{b: b, nonces: make([]uint64, accounts)}
	for i := range accounts {
		secret := digest.Keccak256([]byte("bench"), binary.BigEndian.AppendUint64(nil, uint64(i)))
		key, err := sig.ParsePrivateKey(secret[:])
		if err != nil {
			b.Fatal(err)
		}
		n.keys = append(n.keys, key)
		spec.Accounts = append(spec.Accounts, genesis.Allocation{Address: key.Address(), Balance: 1_000 * unit.CBY})
		spec.Accounts[0].Balance -= 1_000 * unit.CBY
	}
	d, err := disk.NewDirectory(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	if n.chain, err = ledger.OpenDisk(d, "", spec, store.Options{}); err != nil {
		b.Fatal(err)
	}
	first, err := n.chain.Block(0)
	if err != nil {
		b.Fatal(err)
	}
	n.tip = transition.Parent{Header: &first.Header, State: n.chain.State()}
	return n
}

// signed makes one block's transfers between random accounts, as their encodings.
func (n *network) signed(round int) [][]byte {
	encoded := make([][]byte, perBlock)
	for i := range encoded {
		from := (round*perBlock + i) % accounts
		to := (from*7 + 13) % accounts
		t := &tx.Tx{
			ChainID: chainID, Nonce: n.nonces[from], Instruction: &tx.Transfer{To: n.keys[to].Address(), Amount: 1},
			CyclesLimit: 21_000, MaxFeePerCycle: 1_000_000, MaxFeePerCell: 1_000_000, From: n.keys[from].Address(),
		}
		t.Signature = n.keys[from].Sign(t.SigningHash())
		n.nonces[from]++
		encoded[i] = t.Encode()
	}
	return encoded
}

// verified decodes and recovers on all cores, as the verifier does.
func (n *network) verified(encoded [][]byte) []tx.Verified {
	out := make([]tx.Verified, len(encoded))
	var wg sync.WaitGroup
	cores := runtime.GOMAXPROCS(0)
	for core := range cores {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := core; i < len(encoded); i += cores {
				t, err := tx.Decode(encoded[i])
				if err != nil {
					panic(err)
				}
				if out[i], err = tx.Verify(t, chainID, sig.Default()); err != nil {
					panic(err)
				}
			}
		}()
	}
	wg.Wait()
	return out
}

// finalize executes one block and makes it durable.
func (n *network) finalize(txs []tx.Verified) {
	n.keep(n.execute(txs))
}

// keep makes executed blocks durable.
func (n *network) keep(list ...*ledger.Final) {
	if err := n.chain.Append(list...); err != nil {
		n.b.Fatal(err)
	}
	n.tip.State = n.chain.State()
}

func (n *network) runner() drain.Runner {
	if n.runs != nil {
		return n.runs
	}
	return noActors{}
}

// execute makes one block.
func (n *network) execute(txs []tx.Verified) *ledger.Final {
	parent := n.tip.Header
	h := block.Header{
		Version: params.ProtocolVersion, ChainID: chainID, Height: parent.Height + 1, Epoch: params.Calendar{}.Epoch(parent.Height + 1), View: parent.View + 1,
		ParentView: parent.View, ParentHash: parent.Hash(), TimestampMs: parent.TimestampMs + 1_000, Proposer: account.Address{0xaa},
	}
	if round, ok := block.SeedRound(h.Round(), parent); ok {
		h.ParentSeed = &sig.Seed{Round: round}
	}
	h.VRFOutput = block.VRFOutput(h.VRFProof)
	result, err := transition.Apply(n.tip, transition.Job{Mode: transition.Build, Header: h, Txs: txs}, n.runner())
	if err != nil {
		n.b.Fatal(err)
	}
	if len(result.Refused) > 0 {
		n.b.Fatalf("%d refused: %v", len(result.Refused), result.Refused[0].Reason)
	}
	body := &block.Block{Header: result.Header}
	for _, v := range result.Txs {
		body.Txs = append(body.Txs, v.Tx())
	}
	n.tip = transition.Parent{Header: &result.Header, State: result.State}
	return &ledger.Final{Block: body, Hash: result.Header.Hash(), Receipts: result.Receipts, State: result.State}
}

// BenchmarkTransfers is one block of 1,000 signed transfers from bytes to disk: recovery on all cores, fees, root, receipts,
// one durable append. Compare `evm` of go-ethereum's harness.
func BenchmarkTransfers(b *testing.B) {
	n := newNetwork(b)
	defer n.chain.Close()
	rounds := make([][][]byte, b.N)
	for i := range rounds {
		rounds[i] = n.signed(i)
	}
	b.ReportAllocs()
	b.ResetTimer()
	for _, encoded := range rounds {
		n.finalize(n.verified(encoded))
	}
	b.StopTimer()
	b.ReportMetric(float64(b.N*perBlock)/b.Elapsed().Seconds(), "tx/s")
}

// BenchmarkTransfersPipelined overlaps recovery of the next block with execution of this one, as the node's subsystems do.
func BenchmarkTransfersPipelined(b *testing.B) {
	n := newNetwork(b)
	defer n.chain.Close()
	rounds := make([][][]byte, b.N)
	for i := range rounds {
		rounds[i] = n.signed(i)
	}
	b.ResetTimer()
	ready := make(chan []tx.Verified, 1)
	go func() {
		for _, encoded := range rounds {
			ready <- n.verified(encoded)
		}
		close(ready)
	}()
	for txs := range ready {
		n.finalize(txs)
	}
	b.StopTimer()
	b.ReportMetric(float64(b.N*perBlock)/b.Elapsed().Seconds(), "tx/s")
}
