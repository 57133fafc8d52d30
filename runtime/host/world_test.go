package host_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/protocol"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

type named struct{}

func (named) Recover(_ digest.Hash, s sig.Signature) (account.Address, error) {
	return account.Address(s[:20]), nil
}

func person(n byte) account.Address { return account.Address{0: 0xaa, 19: n} }

// world is a one-process chain of real Python actors. Every block is executed twice, by hosts of their own: one is watched, the other is not.
type world struct {
	t      testing.TB
	tip    transition.Parent
	runner *host.Host
	watch  *host.Watch // of runner
	nonces map[account.Address]uint64
	// versions are those the schedule of the chain names; nil: those of the program.
	versions *protocol.Table
	turns    func(*drain.Turn) (drain.Outcome, error) // runs the turns of the blocks that are built; nil: runner does
	before   final                                    // the newest block
}

// final is a block with what it stands on.
type final struct {
	parent transition.Parent
	block  *block.Block
}

// Run implements drain.Runner.
func (w *world) Run(t *drain.Turn) (drain.Outcome, error) {
	if w.turns != nil {
		return w.turns(t)
	}
	return w.runner.Run(t)
}

func newWorld(t testing.TB, edits ...func(*params.Params)) *world {
	t.Helper()
	overlay := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	var total unit.Amount
	for n := byte(1); n < 10; n++ {
		a := account.Account{Balance: 1_000_000 * unit.CBY}
		overlay.Set(person(n).Key(), a.Encode())
		total += a.Balance
	}
	dispatcher := account.Account{Kind: account.SystemActor}
	overlay.Set(account.System(account.JobDispatcher).Key(), dispatcher.Encode())
	governed := params.Genesis()
	governed.Administrators = []account.Address{person(8)}
	for _, edit := range edits {
		edit(governed)
	}
	governed.Save(overlay)
	fee.Supply{Genesis: total}.Save(overlay)
	commit, err := overlay.Commit(0)
	if err != nil {
		t.Fatal(err)
	}
	header := &block.Header{Version: params.ProtocolVersion, ChainID: 1, StateRoot: commit.Root(),
		CycleBasefee: params.MinBasefee, CellBasefee: params.MinBasefee}
	watch := &host.Watch{}
	return &world{
		t: t, tip: transition.Parent{Header: header, State: commit}, runner: newHost().Watch(watch), watch: watch, nonces: map[account.Address]uint64{},
	}
}

func newHost() *host.Host { return host.New(host.NewPrograms()) }

func (w *world) header() block.Header {
	p := w.tip.Header
	h := block.Header{
		Version: params.ProtocolVersion, ChainID: 1, Height: p.Height + 1, Epoch: params.Calendar{}.Epoch(p.Height + 1), View: p.View + 1,
		ParentView: p.View, ParentHash: p.Hash(), TimestampMs: p.TimestampMs + 1_000, Proposer: account.Address{0: 0xbb},
		VRFProof: sig.BLSSignature{byte(p.Height)},
	}
	if w.versions != nil {
		v, err := w.versions.At(w.governed(), h.Height)
		if err != nil {
			w.t.Fatal(err)
		}
		h.Version = uint64(v.Number)
	}
	h.VRFOutput = block.VRFOutput(h.VRFProof)
	if round, ok := block.SeedRound(h.Round(), p); ok {
		h.ParentSeed = &sig.Seed{Round: round, Signature: sig.BLSSignature{1, byte(p.Height)}}
	}
	return h
}

// governed are the parameters of the next block.
func (w *world) governed() *params.Params {
	p, err := params.Load(w.tip.State)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

func (w *world) sign(from account.Address, in tx.Instruction) tx.Verified {
	w.t.Helper()
	return w.signFor(from, in, use(8_000_000, 4_000_000))
}

// signFor is sign with limits.
func (w *world) signFor(from account.Address, in tx.Instruction, limit fee.Use) tx.Verified {
	w.t.Helper()
	t := &tx.Tx{
		ChainID: 1, Nonce: w.nonces[from], Instruction: in, CyclesLimit: limit.Cycles, CellsLimit: limit.Cells,
		MaxFeePerCycle: 20_000, MaxFeePerCell: 20_000, From: from,
	}
	copy(t.Signature[:], from[:])
	v, err := tx.Verify(t, 1, named{})
	if err != nil {
		w.t.Fatal(err)
	}
	w.nonces[from]++
	return v
}

// mine builds a block and verifies it with a host that has compiled nothing yet.
func (w *world) mine(txs ...tx.Verified) []*block.Receipt {
	w.t.Helper()
	built, err := transition.Apply(w.tip, transition.Job{Mode: transition.Build, Header: w.header(), Txs: txs, Protocol: w.versions}, w)
	if err != nil {
		w.t.Fatal(err)
	}
	if len(built.Refused) > 0 {
		w.t.Fatal(built.Refused[0].Reason)
	}
	again, err := transition.Apply(w.tip, transition.Job{Header: built.Header, Txs: built.Txs, Protocol: w.versions}, newHost())
	if err != nil {
		w.t.Fatal(err)
	}
	if err := transition.CheckSupply(again.State); err != nil {
		w.t.Fatal(err)
	}
	for i, x := range again.Receipts { // with the texts of faults, to which no root commits
		if !bytes.Equal(x.AppendRecord(nil), built.Receipts[i].AppendRecord(nil)) {
			w.t.Fatalf("watched, receipt %d is %+v; unwatched, %+v", i, built.Receipts[i], x)
		}
	}
	header := again.Header
	w.before = final{w.tip, &block.Block{Header: built.Header}}
	for _, v := range built.Txs {
		w.before.block.Txs = append(w.before.block.Txs, v.Tx())
	}
	w.tip = transition.Parent{Header: &header, State: again.State}
	return built.Receipts
}

func source(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name+".py"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// deploy deploys testdata/name.py by person 1 and gives the actor 100,000 CBY; handler "" makes no init call.
func (w *world) deploy(name, handler string) account.Address {
	w.t.Helper()
	x := w.tryDeploy(name, handler, nil)
	if x.Status != block.Success {
		w.t.Fatalf("deploying %s: %d %s", name, x.Fault.Code, x.Fault.Text)
	}
	w.mine(w.sign(person(9), &tx.FundActor{Actor: *x.Created, Amount: 100_000 * unit.CBY}))
	return *x.Created
}

func (w *world) tryDeploy(name, handler string, payload []byte) *block.Receipt {
	w.t.Helper()
	in := &tx.Deploy{Code: source(w.t, name), Salt: []byte{byte(w.tip.Header.Height)}}
	if handler != "" {
		in.InitHandler, in.InitPayload = []byte(handler), payload
	}
	return w.mine(w.sign(person(1), in))[0]
}

// call sends one transaction and gives its receipt, which is the last of its block's before timers and deferred calls.
func (w *world) call(from byte, to account.Address, handler string, payload []byte) *block.Receipt {
	w.t.Helper()
	v := w.sign(person(from), &tx.Execute{To: to, Handler: []byte(handler), Payload: payload})
	for _, x := range w.mine(v) {
		if x.ID == v.Hash() {
			return x
		}
	}
	w.t.Fatal("no receipt")
	return nil
}

// ok calls a handler that has to succeed and gives its return data.
func (w *world) ok(from byte, to account.Address, handler string, payload []byte) string {
	w.t.Helper()
	x := w.call(from, to, handler, payload)
	if x.Status != block.Success {
		w.t.Fatalf("%s: %d %s", handler, x.Fault.Code, x.Fault.Text)
	}
	return string(x.ReturnData)
}

// faults calls a handler that has to end in a fault with this code.
func (w *world) faults(code uint16, from byte, to account.Address, handler string, payload []byte) *block.Receipt {
	w.t.Helper()
	x := w.call(from, to, handler, payload)
	if x.Fault.Code != code {
		w.t.Errorf("%s: fault %d %q, want %d", handler, x.Fault.Code, x.Fault.Text, code)
	}
	return x
}

// stored is the decoded value an actor keeps with self.storage.
func (w *world) stored(addr account.Address, key string) any {
	w.t.Helper()
	raw, ok, err := w.tip.State.Lookup(host.StorageKey(addr, []byte(key)))
	if err != nil {
		w.t.Fatal(err)
	}
	if !ok {
		return nil
	}
	v, err := cbor.Parse(raw)
	if err != nil {
		return string(raw)
	}
	return v
}

func (w *world) account(addr account.Address) account.Account {
	w.t.Helper()
	raw, _, err := w.tip.State.Lookup(addr.Key())
	if err != nil {
		w.t.Fatal(err)
	}
	a, err := account.Decode(raw)
	if err != nil {
		w.t.Fatal(err)
	}
	return a
}

var _ drain.Runner = (*host.Host)(nil)

func use(cycles unit.Cycles, cells unit.Cells) fee.Use { return fee.Use{Cycles: cycles, Cells: cells} }

func testBlock(w *world) *drain.Block {
	return &drain.Block{ChainID: 1, Height: w.tip.Header.Height, Params: params.Genesis(), Beacon: []byte("b")}
}
