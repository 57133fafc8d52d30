package transition

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/protocol"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system"
)

// named is a Recoverer of test signatures: the first 20 bytes are the signer.
type named struct{}

func (named) Recover(_ digest.Hash, s sig.Signature) (account.Address, error) {
	return account.Address(s[:20]), nil
}

// person and actorAt are test addresses: 0xaa… and 0xcc….
func person(n byte) account.Address  { return account.Address{0: 0xaa, 19: n} }
func actorAt(n byte) account.Address { return account.Address{0: 0xcc, 19: n} }

var (
	proposer = account.Address{0: 0xbb}
	admin    = person(0xad)
)

// chain is a one-process chain over scripted actors.
type chain struct {
	t       testing.TB
	tip     Parent
	script  script
	nonces  map[account.Address]uint64
	results []*Result

	versions *protocol.Table // nil: those of the program
}

// handler is a scripted actor handler.
type handler func(*call) *block.Fault

// script runs actor turns by handler name and system turns for real.
type script map[string]handler

func (s script) Run(t *drain.Turn) (drain.Outcome, error) {
	if t.Native {
		return system.Run(t, nil)
	}
	h := s[t.Payload.Handler]
	if h == nil {
		return t.Failed(fee.Use{Cycles: min(100, t.Limit.Cycles)}, drain.FaultCall, "no handler "+t.Payload.Handler), nil
	}
	c := &call{turn: t, out: drain.Outcome{Turn: t.Number}}
	c.out.Fault = h(c)
	c.out.Used.Cycles = min(c.out.Used.Cycles, t.Limit.Cycles)
	c.out.Used.Cells = min(c.out.Used.Cells, t.Limit.Cells)
	return c.out, nil
}

// call is what a scripted handler works with.
type call struct {
	turn *drain.Turn
	out  drain.Outcome
}

func (c *call) use(cycles unit.Cycles, cells unit.Cells) {
	c.out.Used.Cycles += cycles
	c.out.Used.Cells += cells
}

func (c *call) set(key, value string) {
	c.turn.Overlay.Set(account.KeyString(account.KindStorage, c.turn.Target, key), []byte(value))
}

func (c *call) send(to account.Address, handler, payload string) error {
	return c.sendWith(to, handler, payload, 0)
}

// sendWith is send with coins.
func (c *call) sendWith(to account.Address, handler, payload string, value unit.Amount) error {
	f := mailbox.Fanout{Count: c.turn.Fanout + c.out.Fanout, Limit: params.FanoutPerTx}
	if err := f.Add(); err != nil {
		return err
	}
	_, err := mailbox.Enqueue(c.turn.Overlay, c.turn.Block.Limits, c.turn.Block.Height, mailbox.Message{
		Sender: c.turn.Target, Target: to, Handler: handler, Payload: []byte(payload), Value: value,
		Origin: c.turn.Origin, Depth: c.turn.Depth + 1,
	})
	if err == nil {
		c.out.Enqueued++
		c.out.Fanout++
	}
	return err
}

func (c *call) later(handler string) error {
	_, err := mailbox.Defer(c.turn.Overlay, c.turn.Block.Limits, c.turn.Block.Height, mailbox.Deferred{
		Actor: c.turn.Target, Handler: handler, Origin: c.turn.Origin, Depth: c.turn.Depth + 1,
	})
	if err == nil {
		c.out.Enqueued++
	}
	return err
}

func (c *call) schedule(q timer.Request) (timer.ID, error) {
	q.Owner, q.Target, q.Now = c.turn.Target, c.turn.Target, c.turn.Block.Height
	q.Nonce, q.Sender, q.Sequence = c.turn.Nonce, c.turn.Signer, uint64(c.out.Fanout)
	id, err := timer.Schedule(c.turn.Overlay, c.turn.Block.Params.Timer, q)
	if err == nil {
		c.out.Fanout++
	}
	return id, err
}

func must(c *call, err error) *block.Fault {
	if err == nil {
		return nil
	}
	code, ok := drain.FaultOf(err)
	if !ok {
		panic(err)
	}
	return &block.Fault{Code: code, Text: err.Error()}
}

// newChain has persons 1…9 with 10,000 CBY and actors 1…9 with 1,000 CBY each.
func newChain(t testing.TB, s script, edit ...func(*params.Params)) *chain {
	c := &chain{t: t, script: s, nonces: map[account.Address]uint64{}}
	overlay := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	var total unit.Amount
	put := func(addr account.Address, a account.Account) {
		overlay.Set(addr.Key(), a.Encode())
		total += a.Balance
	}
	for n := byte(1); n < 10; n++ {
		put(person(n), account.Account{Balance: 10_000 * unit.CBY})
		put(actorAt(n), account.Account{Balance: 1_000 * unit.CBY, Kind: account.Actor, CodeHash: digest.Hash{n}})
	}
	put(admin, account.Account{Balance: 10_000 * unit.CBY})
	for _, e := range account.SystemTable() {
		if e.Record {
			put(account.System(e.Number), account.Account{Kind: account.SystemActor})
		}
	}
	p := params.Genesis()
	p.Administrators = []account.Address{admin}
	for _, f := range edit {
		f(p)
	}
	p.Save(overlay)
	fee.Supply{Genesis: total}.Save(overlay)
	commit, err := overlay.Commit(0)
	if err != nil {
		t.Fatal(err)
	}
	header := &block.Header{Version: params.ProtocolVersion, ChainID: 1, StateRoot: commit.Root(),
		CycleBasefee: params.MinBasefee, CellBasefee: params.MinBasefee}
	c.tip = Parent{Header: header, State: commit}
	return c
}

// header is the next block's, as a proposer fills it.
func (c *chain) header() block.Header {
	p := c.tip.Header
	h := block.Header{
		Version: params.ProtocolVersion, ChainID: 1, Height: p.Height + 1, Epoch: params.Calendar{}.Epoch(p.Height + 1), View: p.View + 1,
		ParentView: p.View, ParentHash: p.Hash(), TimestampMs: p.TimestampMs + 1_000, Proposer: proposer,
		VRFProof: sig.BLSSignature{byte(p.Height)},
	}
	h.VRFOutput = block.VRFOutput(h.VRFProof)
	if round, ok := block.SeedRound(h.Round(), p); ok {
		h.ParentSeed = &sig.Seed{Round: round, Signature: sig.BLSSignature{1, byte(p.Height)}}
	}
	return h
}

// sign makes a verified transaction with generous limits and the sender's next nonce.
func (c *chain) sign(from account.Address, in tx.Instruction, edit ...func(*tx.Tx)) tx.Verified {
	c.t.Helper()
	t := &tx.Tx{
		ChainID: 1, Nonce: c.nonces[from], Instruction: in, CyclesLimit: 1_000_000, CellsLimit: 100_000,
		MaxFeePerCycle: 20_000, MaxFeePerCell: 20_000, From: from,
	}
	for _, f := range edit {
		f(t)
	}
	copy(t.Signature[:], from[:])
	v, err := tx.Verify(t, 1, named{})
	if err != nil {
		c.t.Fatal(err)
	}
	c.nonces[from] = t.Nonce + 1
	return v
}

func (c *chain) execute(from, to account.Address, handler string, edit ...func(*tx.Tx)) tx.Verified {
	c.t.Helper()
	return c.sign(from, &tx.Execute{To: to, Handler: []byte(handler)}, edit...)
}

// mine builds a block, has it verified by a second execution, checks the supply, and moves the tip. The
// first execution has the parameters from the parent's result, the second reads them.
func (c *chain) mine(txs ...tx.Verified) *Result {
	c.t.Helper()
	built, err := Apply(c.tip, Job{Mode: Build, Header: c.header(), Txs: txs, Protocol: c.versions}, c.script)
	if err != nil {
		c.t.Fatal(err)
	}
	again, err := Apply(Parent{Header: c.tip.Header, State: c.tip.State}, Job{Header: built.Header, Txs: built.Txs, Protocol: c.versions}, c.script)
	if err != nil {
		c.t.Fatal(err)
	}
	if again.Header.Hash() != built.Header.Hash() {
		c.t.Fatal("second execution differs")
	}
	if err := CheckSupply(again.State); err != nil {
		c.t.Fatal(err)
	}
	if err := CheckSupplyStep(c.tip.State, again.State); err != nil {
		c.t.Fatal(err)
	}
	header := again.Header
	c.tip = Parent{Header: &header, State: again.State, Known: again.Known}
	c.results = append(c.results, built)
	return built
}

func (c *chain) account(addr account.Address) account.Account {
	c.t.Helper()
	data, ok, err := c.tip.State.Lookup(addr.Key())
	if err != nil || !ok {
		return account.Account{}
	}
	a, err := account.Decode(data)
	if err != nil {
		c.t.Fatal(err)
	}
	return a
}

func (c *chain) stored(addr account.Address, key string) string {
	data, _, err := c.tip.State.Lookup(account.KeyString(account.KindStorage, addr, key))
	if err != nil {
		c.t.Fatal(err)
	}
	return string(data)
}

// wantReceipt fails unless receipt i has this kind, status and fault code.
func (r *Result) wantReceipt(t testing.TB, i int, kind block.Kind, status block.Status, code uint16) *block.Receipt {
	t.Helper()
	if i >= len(r.Receipts) {
		t.Fatalf("block has %d receipts, want one at %d", len(r.Receipts), i)
	}
	x := r.Receipts[i]
	if x.Kind != kind || x.Status != status || x.Fault.Code != code {
		t.Fatalf("receipt %d is %v %v %d (%s), want %v %v %d", i, x.Kind, x.Status, x.Fault.Code, x.Fault.Text, kind, status, code)
	}
	return x
}

func systemAddress(n byte) account.Address { return account.System(n) }

func sumPools(c *chain) (sum unit.Amount) {
	c.t.Helper()
	err := mailbox.EachPool(c.tip.State, func(p mailbox.Pool) bool {
		escrow, err := p.Escrow()
		if err != nil {
			c.t.Fatal(err)
		}
		sum += escrow
		return true
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return sum
}
