package bench

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/system"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

const (
	jobRunners = 30
	jobBatch   = 10 // jobs in each block that submits some
)

// told is the actor that is called back.
const told = `
from cowboy_sdk import actor, public, runtime

@actor
class Told:
    @public
    def init(self, payload):
        return b"ok"

    @public
    def answer(self, payload):
        return b"ok"
`

// jobs is a chain in memory with runners and an actor that is told of results.
type jobs struct {
	*tokens
	keys map[account.Address]*sig.PrivateKey
	told account.Address
	used unit.Cycles
}

func newJobs(t testing.TB) *jobs {
	spec, err := genesis.Devnet(chainID, 1)
	if err != nil {
		t.Fatal(err)
	}
	n := &jobs{
		tokens: &tokens{TB: t, memory: state.NewMemory(state.Config{}), runner: host.New(host.NewPrograms()), nonces: map[account.Address]uint64{}},
		keys:   map[account.Address]*sig.PrivateKey{},
	}
	fund := func(a account.Address, amount unit.Amount) {
		spec.Accounts = append(spec.Accounts, genesis.Allocation{Address: a, Balance: amount})
		spec.Accounts[0].Balance -= amount
	}
	for i := range jobBatch {
		fund(holder(i), 100_000*unit.CBY)
	}
	for i := range jobRunners {
		secret := digest.Keccak256(fmt.Append(nil, "bench runner ", i))
		key, err := sig.ParsePrivateKey(secret[:])
		if err != nil {
			t.Fatal(err)
		}
		n.keys[key.Address()] = key
		fund(key.Address(), 50_000*unit.CBY)
	}
	empty := state.New(state.Config{}, n.memory)
	n.add(empty)
	overlay := empty.Overlay()
	if err := system.Found(spec, overlay); err != nil {
		t.Fatal(err)
	}
	commit, err := overlay.Commit(0)
	if err != nil {
		t.Fatal(err)
	}
	n.add(commit)
	first := spec.Header(commit.Root())
	n.tip = transition.Parent{Header: first, Hash: first.Hash(), State: commit.Settled(n.memory)}
	var all []tx.Verified
	for a, key := range n.keys { // order-free: who registers first does not matter
		all = append(all, n.sign(a, &tx.RunnerRegister{
			PublicKey: key.Compressed(), Stake: 20_000 * unit.CBY, RateCard: runner.RateCard{LLMOutputToken: 3, MaxJobValue: 100 * unit.CBY},
			Capabilities: runner.Capabilities{JobTypes: []runner.Name{{Name: "llm"}}, MaxConcurrentJobs: 1_000},
		}, 100_000, 5_000))
	}
	n.apply(all)
	deploy := &tx.Deploy{Code: []byte(told), InitHandler: []byte("init"), InitPayload: []byte("{}")}
	made := n.apply([]tx.Verified{n.sign(holder(0), deploy, 3_000_000, 500_000)})
	n.told = *made[0].Created
	return n
}

// block applies transactions, no two of a sender in one block, and adds up what they, and what came with them, paid for.
func (n *jobs) block(txs []tx.Verified) (receipts []*block.Receipt) {
	for first := true; first || len(txs) > 0; first = false {
		var now, later []tx.Verified
		seen := map[account.Address]bool{}
		for _, v := range txs {
			if from := v.Tx().From; seen[from] {
				later = append(later, v)
			} else {
				seen[from], now = true, append(now, v)
			}
		}
		receipts = append(receipts, n.apply(now)...)
		n.used += n.tip.Header.CyclesUsed
		txs = later
	}
	return receipts
}

// batch has jobs done from their submission to the block after their payment, by committees of a size.
func (n *jobs) batch(members uint32) {
	var txs []tx.Verified
	for i := range jobBatch {
		s := &job.Spec{
			Kind: job.LLM, LLM: &job.LLMJob{Prompt: "Which color?", MaxTokens: 100}, Bounds: job.ResourceBounds{MaxOutputTokens: 100, MaxWallTimeSeconds: 30},
			Schema: job.ResultSchema{MaxReturnBytes: 1_000}, MaxPrice: unit.CBY, TimeoutBlocks: 20,
			Callback: job.Callback{Actor: n.told, Handler: "answer"}, Verification: job.Verification{DisputeBlocks: 1},
		}
		if members > 1 {
			s.Verification.Mode, s.Verification.Runners = job.ModeMajorityVote, members
		}
		txs = append(txs, n.sign(holder(i), &tx.JobSubmit{Spec: s.Append(nil)}, 200_000, 20_000))
	}
	var ids []digest.Hash
	for _, r := range n.block(txs) {
		if r.Kind == block.Transaction {
			ids = append(ids, digest.Hash(r.ReturnData))
		}
	}
	for n.status(ids[0]) == market.AwaitingSeed {
		n.block(nil)
	}
	txs = nil
	var reveals []*tx.JobResultSubmit
	for _, id := range ids {
		s, err := market.LoadSelection(n.tip.State, id)
		if err != nil || s == nil || len(s.Selected) != int(members) {
			n.Fatalf("%+v %v", s, err)
		}
		for _, who := range s.Selected {
			r := verify.Sign(n.keys[who], id, (&verify.Output{Data: []byte(`"blue"`), Usage: verify.Usage{OutputTokens: 100}}).Append(nil))
			txs = append(txs, n.sign(who, &tx.JobResultCommit{JobID: id, Commitment: verify.Commitment(r.Output, r.Salt)}, 40_000, 2_000))
			reveals = append(reveals, &tx.JobResultSubmit{JobID: id, Runner: who, Output: r.Output, Salt: r.Salt, Proof: r.Proof})
		}
	}
	n.block(txs)
	txs = nil
	for _, r := range reveals {
		txs = append(txs, n.sign(r.Runner, r, 60_000, 4_000))
	}
	n.block(txs)
	for n.status(ids[len(ids)-1]) != market.Completed {
		n.block(nil)
	}
	n.block(nil)
}

func (n *jobs) status(id digest.Hash) market.Status {
	j, err := market.Load(n.tip.State, id)
	if err != nil || j == nil {
		n.Fatalf("%+v %v", j, err)
	}
	return j.Status
}

// awake has every runner heard of.
func (n *jobs) awake() {
	var txs []tx.Verified
	for who := range n.keys { // order-free: who is heard of first does not matter
		txs = append(txs, n.sign(who, &tx.Heartbeat{Accepting: true}, 40_000, 2_000))
	}
	n.apply(txs)
}

// BenchmarkJobs is whole jobs on the chain, ten at a time: submission, draw, commitments, reveals, judgement, callback, payment. The signatures of
// transactions are recovered elsewhere; those of results are part of it.
func BenchmarkJobs(b *testing.B) {
	for _, members := range []uint32{1, 3, 5, 9} {
		b.Run(fmt.Sprintf("members=%d", members), func(b *testing.B) {
			n := newJobs(b)
			b.ResetTimer()
			n.used = 0
			before := Processor()
			for range b.N {
				n.batch(members)
				b.StopTimer()
				paused := Processor()
				n.awake()
				before += Processor() - paused
				b.StartTimer()
			}
			b.StopTimer()
			took := Processor() - before
			b.ReportMetric(float64(b.N*jobBatch)/b.Elapsed().Seconds(), "jobs/s")
			b.ReportMetric(float64(took.Nanoseconds())/float64(n.used), "cpu-ns/cycle")
		})
	}
}

// Spec: WP §5.3; runner-marketplace §5.
func TestJobsAreDone(t *testing.T) {
	n := newJobs(t)
	for _, members := range []uint32{1, 3} {
		n.batch(members)
	}
	if n.used == 0 {
		t.Error("nothing was paid for")
	}
}
