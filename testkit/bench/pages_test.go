package bench

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/index"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/query"
	"github.com/cowboyinc/cowboy-go/actors/rpc"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/supervision"
)

var (
	pageBlocks = flag.Int("page-blocks", 5_000, "blocks of the chain whose pages are measured")
	pageDir    = flag.String("page-dir", "", "directory of the chain, which goes on where it was; none: a new one")
	pageAsks   = flag.Int("page-asks", 200, "how often each page is asked for")
)

// ticking is an actor that wakes for ever and says so.
const ticking = `
from cowboy_sdk import actor, deferred, public, runtime, send

@actor
class Ticking:
    @deferred
    @public
    def init(self, payload):
        self.storage["n"] = 0
        runtime.set_interval(20, "tick", b"")

    @deferred
    @public
    def tick(self, payload):
        self.storage["n"] += 1
        runtime.emit_event("tick", b"x")
        send(self.address, {"handler": "hear"})

    @public
    def hear(self, payload):
        return b"heard"
`

// said is one command as a subsystem sees it.
type said struct {
	actor.Context
	command any
}

func (s said) Message() any { return s.command }

// empty is a pool in which nothing waits.
type empty struct{}

func (empty) Submit(context.Context, [][]byte, ...*tx.Tx) ([]error, error) { return nil, nil }
func (empty) Pending(digest.Hash) (*tx.Tx, bool)                           { return nil, false }
func (empty) Count() (transactions, accounts int)                          { return 0, 0 }
func (empty) NextNonce(account.Address) (uint64, bool)                     { return 0, false }

// BenchmarkPages asks for every page of the explorer and every list of the interface of a node that keeps many small blocks, most of them empty: a transfer, a
// change of a token's balances and a wake of an actor in each twentieth. It prints how long the answers took; b.N has no part in it.
//
// With -page-dir the chain is kept, and grows by so many blocks with each run.
//
//	go test ./testkit/bench -run '^$' -bench Pages -benchtime 1x -timeout 2h -page-blocks 1000000
func BenchmarkPages(b *testing.B) {
	for b.Loop() {
		p := newLongChain(b)
		p.grow(*pageBlocks)
		p.measure()
	}
}

// longChain is a node's readers over a chain that grows without agreement.
type longChain struct {
	*network
	path   string
	actor  account.Address
	token  digest.Hash
	last   digest.Hash // transaction
	key    *sig.PrivateKey
	runner *host.Host
}

func newLongChain(b *testing.B) *longChain {
	spec, err := genesis.Devnet(chainID, 1)
	if err != nil {
		b.Fatal(err)
	}
	path := *pageDir
	if path == "" {
		path = b.TempDir()
	}
	d, err := disk.NewDirectory(path)
	if err != nil {
		b.Fatal(err)
	}
	p := &longChain{network: &network{b: b}, path: path, key: genesis.DevFaucet(), runner: host.New(host.NewPrograms())}
	if p.chain, err = ledger.OpenDisk(d, filepath.Join(path, "image"), spec, store.Options{Window: store.Archive}); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = p.chain.Close() })
	first, err := p.chain.Block(0)
	if err != nil {
		b.Fatal(err)
	}
	p.runs = p.runner
	p.tip = transition.Parent{Header: &first.Header, State: p.chain.State()}
	p.nonces = make([]uint64, 1)
	if p.chain.Header().Height > 0 {
		p.goOn()
		return p
	}
	x := p.execute(p.sign(&tx.Deploy{Code: []byte(ticking), Salt: []byte{1}, InitHandler: []byte("init"), InitPayload: []byte("{}")}))
	if x.Receipts[0].Created == nil {
		b.Fatalf("%+v", x.Receipts[0])
	}
	made := p.execute(p.sign(
		&tx.FundActor{Actor: *x.Receipts[0].Created, Amount: 400_000 * unit.CBY},
		&tx.TokenCreate{Name: []byte("Long"), Symbol: []byte("LONG"), InitialSupply: unit.Wide(1 << 62)}))
	p.keep(x, made)
	p.goOn()
	return p
}

// goOn finds out what the chain has.
func (p *longChain) goOn() {
	state, header := p.chain.State(), p.chain.Header()
	p.tip = transition.Parent{Header: header, State: state}
	first, err := p.chain.Receipts(1)
	if err != nil {
		p.b.Fatal(err)
	}
	p.actor = *first[0].Created
	list, _, err := token.List(state, nil, 1)
	if err != nil || len(list) != 1 {
		p.b.Fatalf("%d tokens, %v", len(list), err)
	}
	p.token = list[0].ID
	who, err := account.Load(state, p.key.Address())
	if err != nil {
		p.b.Fatal(err)
	}
	p.nonces[0] = who.Nonce
	p.last = p.before(header.Height)
}

// before gives a transaction of the newest block with one, at a height or below.
func (p *longChain) before(height unit.Height) digest.Hash {
	for ; ; height-- {
		receipts, err := p.chain.Receipts(height)
		if err != nil {
			p.b.Fatal(err)
		}
		for _, x := range receipts {
			if x.Kind == block.Transaction {
				return x.ID
			}
		}
	}
}

// sign makes transactions of the faucet's.
func (p *longChain) sign(list ...tx.Instruction) (out []tx.Verified) {
	for _, in := range list {
		t := &tx.Tx{
			ChainID: chainID, Nonce: p.nonces[0], Instruction: in, CyclesLimit: 5_000_000, CellsLimit: 400_000, MaxFeePerCycle: 1_000_000,
			MaxFeePerCell: 1_000_000, From: p.key.Address(),
		}
		t.Signature = p.key.Sign(t.SigningHash())
		v, err := tx.Verify(t, chainID, sig.Default())
		if err != nil {
			p.b.Fatal(err)
		}
		p.nonces[0]++
		p.last = v.Hash()
		out = append(out, v)
	}
	return out
}

// grow makes blocks.
func (p *longChain) grow(blocks int) {
	const together, every = 250, 20
	began := time.Now()
	for done := 0; done < blocks; done += together {
		list := make([]*ledger.Final, together)
		for i := range list {
			var txs []tx.Verified
			if (done+i)%every == 0 {
				to := digest.Keccak256(fmt.Appendf(nil, "holder %d", (done+i)%20_000))
				who := account.Address(to[:account.AddressSize])
				txs = p.sign(&tx.Transfer{To: who, Amount: 1}, &tx.TokenTransfer{TokenID: p.token, To: who, Amount: unit.Wide(uint64(done + i + 1))})
			}
			list[i] = p.execute(txs)
		}
		p.keep(list...)
		if p.chain.Due() {
			if err := p.chain.Maintain(); err != nil {
				p.b.Fatal(err)
			}
		}
		if done%50_000 == 0 {
			fmt.Printf("%d blocks in %v\n", done+together, time.Since(began).Round(time.Second))
		}
	}
	fmt.Printf("%d blocks in %v\n", blocks, time.Since(began).Round(time.Second))
}

// node is the readers of a node: a ledger and an index that has every block.
func (p *longChain) node() *rpc.Node {
	h := ledger.NewHandle()
	(&ledger.Subsystem{Handle: h, Store: p.chain}).Receive(said{command: &actor.Started{}})
	began := time.Now()
	at := index.NewHandle()
	tree, err := supervision.New(supervision.Spec{Name: "node", Children: []supervision.Spec{{Name: "index", Inbox: at.Inbox(), New: func() actor.Actor {
		return &index.Subsystem{Path: filepath.Join(p.path, "index.db"), Source: h, Handle: at}
	}}}}, supervision.Config{})
	if err == nil {
		err = tree.Start(p.b.Context())
	}
	if err != nil {
		p.b.Fatal(err)
	}
	p.b.Cleanup(func() { _ = tree.Stop(context.Background()) })
	if !at.Await(p.b.Context(), h.Finalized()) {
		p.b.Fatal("the index has not every block")
	}
	fmt.Printf("indexed in %v\n", time.Since(began).Round(time.Second))
	return &rpc.Node{
		ChainID: chainID, Version: "measured", Ledger: h, Index: at, Pool: empty{}, Committed: h.Finalized,
		Status:  func() supervision.Status { return supervision.Status{Name: "node", State: "running"} },
		Started: began, Service: query.New(query.DefaultLimits()), Prints: true,
	}
}

// measure asks for everything and prints the table.
func (p *longChain) measure() {
	handler := rpc.NewHandler(rpc.Config{Backend: p.node(), Limits: rpc.Limits{Reads: 4, Body: 1 << 20, SubmitBody: 1 << 20, Streams: 1}})
	who, program, t, last := p.key.Address().String(), p.actor.String(), p.token.String(), p.last.String()
	tip := uint64(p.tip.Header.Height)
	old, above := p.before(unit.Height(tip-min(tip-1, 99_900))), p.before(unit.Height(tip-min(tip-1, 60_000)))
	fmt.Printf("%-44s %8s %9s %9s %9s %9s %9s %9s\n", "GET", "bytes", "first", "p50", "p99", "worst", "CPU each", "CPU p99")
	for _, path := range []string{
		"/explorer/", "/explorer/blocks", fmt.Sprintf("/explorer/blocks?from=%d", tip/2), fmt.Sprintf("/explorer/block/%d", tip/3), "/explorer/tx/" + last,
		"/explorer/account/" + who, "/explorer/account/" + program, "/explorer/account/" + program + "/cycles", "/explorer/actors", "/explorer/activity",
		"/explorer/wall", "/explorer/timers", "/explorer/tokens", "/explorer/token/" + t, "/explorer/validators", "/explorer/parameters",
		"/explorer/proposals", "/explorer/tree", "/explorer/runners", "/explorer/search?q=tick", "/explorer/live",
		"/blocks?offset=0&limit=100", fmt.Sprintf("/blocks?offset=%d&limit=100", tip/2), "/account/" + who + "/transactions?limit=100",
		"/account/" + who + "/transactions?limit=100&offset=40000", "/actor/" + program + "/logs?limit=100",
		"/actor/" + program + "/logs?limit=100&offset=40000", "/actor/" + program + "/events?limit=100", "/actors?limit=100", "/tokens",
		"/token/" + t + "/holders?limit=100", "/token/" + t + "/transfers?limit=100",
		"/validators", "/trace/" + last, "/transaction/" + last + "/receipt", "/explain/" + old.String(), "/explain/" + above.String(),
	} {
		var took, busy []time.Duration // busy is what a machine with other work does not change
		size, status, used := 0, 0, Processor()
		for range *pageAsks {
			w := httptest.NewRecorder()
			began, before := time.Now(), Processor()
			handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
			took, busy = append(took, time.Since(began)), append(busy, Processor()-before)
			size, status = w.Body.Len(), w.Code
		}
		used = (Processor() - used) / time.Duration(*pageAsks)
		first := took[0]
		slices.Sort(took)
		slices.Sort(busy)
		at := func(of []time.Duration, percent int) time.Duration {
			return of[min(len(of)-1, len(of)*percent/100)].Round(10 * time.Microsecond)
		}
		short := path
		if len(short) > 44 {
			short = short[:20] + "…" + short[len(short)-23:]
		}
		note := ""
		if status != http.StatusOK {
			note = fmt.Sprint("  ", status)
		}
		fmt.Printf("%-44s %8d %9v %9v %9v %9v %9v %9v%s\n", short, size, first.Round(10*time.Microsecond), at(took, 50), at(took, 99), at(took, 100),
			used.Round(10*time.Microsecond), at(busy, 99), note)
	}
}
