package replay

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/node"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/testkit"
)

var blocks = flag.Uint64("blocks", 1_000, "blocks of the recording")

// devnet is a node on disk whose faucet signs.
type devnet struct {
	t     *testing.T
	dir   string
	node  *node.Node
	nonce uint64
}

func start(t *testing.T, dir string) *devnet {
	spec, err := genesis.Devnet(testkit.ChainID, 1)
	if err != nil {
		t.Fatal(err)
	}
	open := func(name string) disk.Disk {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(at, 0o755); err != nil {
			t.Fatal(err)
		}
		d, err := disk.NewDirectory(at)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	chain, err := ledger.OpenDisk(open("chain"), "", spec, store.Options{Window: store.Archive})
	if err != nil {
		t.Fatal(err)
	}
	v, err := node.DevValidator(0, 1)
	if err != nil {
		t.Fatal(err)
	}
	n, err := node.New(node.Config{
		Genesis: spec, Validator: v, Store: chain, Journal: open("journal"), Shares: open("shares"), Interval: time.Millisecond, Workers: 2, Cores: 2,
		NewRunner: func() drain.Runner { return host.New(host.NewPrograms()) },
	})
	if err == nil {
		err = n.Start(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return &devnet{t: t, dir: dir, node: n}
}

// do has an instruction included and gives its receipt.
func (d *devnet) do(in tx.Instruction, cycles unit.Cycles, cells unit.Cells) *block.Receipt {
	d.t.Helper()
	key := genesis.DevFaucet()
	x := &tx.Tx{
		ChainID: testkit.ChainID, Nonce: d.nonce, Instruction: in, CyclesLimit: cycles, CellsLimit: cells, MaxFeePerCycle: 20_000, MaxFeePerCell: 20_000,
		From: key.Address(),
	}
	hash := x.SigningHash()
	x.Signature = key.Sign(hash)
	d.nonce++
	ctx, cancel := context.WithTimeout(d.t.Context(), 30*time.Second)
	defer cancel()
	answers, err := d.node.Lanes.Submit(ctx, [][]byte{x.Encode()})
	if err = errors.Join(append(answers, err)...); err != nil {
		d.t.Fatal(err)
	}
	for height := d.node.Ledger.Finalized(); ; height++ {
		if place, err := d.node.Ledger.Transaction(hash); err == nil {
			receipts, err := d.node.Ledger.Receipts(place.Height)
			if err != nil {
				d.t.Fatal(err)
			}
			return receipts[place.Index]
		}
		if err := d.node.Ledger.Await(ctx, height+1); err != nil {
			d.t.Fatal(err)
		}
	}
}

func (d *devnet) deploy(path string, init string) account.Address {
	d.t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		d.t.Fatal(err)
	}
	code, err := pvm.CanonicalSource(text)
	if err != nil {
		d.t.Fatal(err)
	}
	in := &tx.Deploy{Code: code, Salt: []byte{byte(d.nonce)}}
	if init != "" {
		in.InitHandler, in.InitPayload = []byte("init"), []byte(init)
	}
	x := d.do(in, testkit.DeployCycles, testkit.DeployCells)
	if x.Created == nil {
		d.t.Fatal(testkit.Describe(x))
	}
	return *x.Created
}

func (d *devnet) call(actor account.Address, handler, payload string) *block.Receipt {
	return d.do(&tx.Execute{To: actor, Handler: []byte(handler), Payload: []byte(payload)}, testkit.ExecuteCycles, testkit.ExecuteCells)
}

func (d *devnet) stop() {
	if err := d.node.Stop(context.Background()); err != nil {
		d.t.Fatal(err)
	}
}

// live has agents wake themselves by timers and tell a journal by messages, while others call, fail and transfer.
func (d *devnet) live(blocks unit.Height) (journal account.Address) {
	journal = d.deploy("../examples/journal.py", "{}")
	counter := d.deploy("../../cmd/cowboy/project/starter/counter.py", "{}")
	for every := 1; every <= 3; every++ {
		agent := d.deploy("../examples/agent.py", "")
		d.do(&tx.FundActor{Actor: agent, Amount: unit.Amount(100*every) * unit.CBY}, 50_000, 10_000)
		if x := d.call(agent, "init", fmt.Sprintf(`{"journal":"%s","every":%d}`, journal, every)); x.Status != block.Success {
			d.t.Fatal(testkit.Describe(x))
		}
	}
	for n := byte(0); d.node.Ledger.Finalized() < blocks; n++ {
		switch n % 4 {
		case 0:
			d.call(counter, "increment", "")
		case 1:
			d.call(counter, "no_such_handler", "x")
		case 2:
			d.do(&tx.Transfer{To: account.Address{0xb0, n}, Amount: unit.Amount(n)}, 21_000, 0)
		case 3:
			ctx, cancel := context.WithTimeout(d.t.Context(), 30*time.Second)
			if err := d.node.Ledger.Await(ctx, min(blocks, d.node.Ledger.Finalized()+5)); err != nil {
				d.t.Error(err)
			}
			cancel()
		}
	}
	return journal
}

// TestReplay: what a node on disk recorded replays bit-equal in the kit, which goes on from there; each block does on its own, turn by turn.
//
// Spec: WP "The State Transition Function".
func TestReplay(t *testing.T) {
	dir := t.TempDir()
	d := start(t, dir)
	journal := d.live(unit.Height(*blocks))
	spec, err := genesis.Devnet(testkit.ChainID, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, spec); !errors.Is(err, disk.ErrLocked) {
		t.Errorf("a node uses it: %v", err)
	}
	d.stop()

	c := Run(t, dir)
	if c.Height() < unit.Height(*blocks) {
		t.Fatalf("%d blocks replayed", c.Height())
	}
	kinds := map[block.Kind]int{}
	for _, b := range c.Blocks() {
		for _, x := range b.Receipts {
			kinds[x.Kind]++
		}
	}
	t.Logf("%d blocks: %v", c.Height(), kinds)
	if kinds[block.Timer] == 0 || kinds[block.Message] == 0 || kinds[block.Transaction] == 0 {
		t.Errorf("the recording is poor: %v", kinds)
	}
	if got := c.Account("alice").Call(journal, "total", ""); got == "0" {
		t.Errorf("the chain does not go on: %s", got)
	}

	r, err := Open(dir, spec)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	turns := 0
	for height := unit.Height(1); height <= min(r.Height(), 60); height++ {
		steps, err := r.Steps(height)
		if err != nil {
			t.Fatal(err)
		}
		for {
			step, err := steps.Next()
			if err != nil {
				t.Fatal(err)
			}
			if step == nil {
				break
			}
			if turns++; step.Outcome.Turn != step.Turn.Number {
				t.Errorf("block %d: turn %d ended as %d", height, step.Turn.Number, step.Outcome.Turn)
			}
		}
		if _, err := steps.Finish(); err != nil {
			t.Error(err)
		}
	}
	if turns < 20 {
		t.Errorf("%d turns in 60 blocks", turns)
	}
}

// TestOpen names what is wrong with a directory.
func TestOpen(t *testing.T) {
	if _, err := Open(t.TempDir(), nil); !errors.Is(err, ErrAbsent) {
		t.Error(err)
	}
	dir := t.TempDir()
	d := start(t, dir)
	d.stop()
	spec, err := genesis.Devnet(testkit.ChainID, 4)
	if err != nil {
		t.Fatal(err)
	}
	var foreign *store.ForeignError
	if _, err := Open(dir, spec); !errors.As(err, &foreign) {
		t.Errorf("another network's: %v", err)
	}
}

// refused is a test that notes what would end it.
type refused struct {
	testing.TB
	text string
}

func (r *refused) Fatalf(format string, args ...any) {
	r.text = fmt.Sprintf(format, args...)
	panic(r)
}
func (r *refused) Helper() {}

// TestReplayNotices: a receipt, a header or a root that is not the recorded one is named.
func TestReplayNotices(t *testing.T) {
	c := testkit.NewChain(t)
	alice := c.Account("alice")
	alice.Transfer(account.Address{9}, 1)
	recorded := c.Blocks()[1]
	body := make([]*tx.Tx, len(recorded.Txs))
	for i, v := range recorded.Txs {
		body[i] = v.Tx()
	}
	for _, x := range []struct {
		name string
		edit func(b *block.Block, receipts []*block.Receipt) []*block.Receipt
		want string
	}{
		{"nothing", func(_ *block.Block, r []*block.Receipt) []*block.Receipt { return r }, ""},
		{"a receipt is gone", func(_ *block.Block, r []*block.Receipt) []*block.Receipt { return r[1:] }, "block 2: 1 receipts, recorded are 0"},
		{"a receipt says more", func(_ *block.Block, r []*block.Receipt) []*block.Receipt {
			other := *r[0]
			other.Fault.Text = "more"
			return []*block.Receipt{&other}
		}, `block 2: receipt 0 is `},
		{"the root is another", func(b *block.Block, r []*block.Receipt) []*block.Receipt { b.Header.StateRoot[0] ^= 1; return r }, "block 2: "},
	} {
		t.Run(x.name, func(t *testing.T) {
			spy := &refused{TB: t}
			func() {
				defer func() { _ = recover() }()
				fresh := testkit.NewChain(spy)
				fresh.Account("alice")
				b := &block.Block{Header: recorded.Header, Txs: body}
				fresh.Replay(b, x.edit(b, recorded.Receipts))
			}()
			if x.want == "" && spy.text != "" || len(spy.text) < len(x.want) || spy.text[:len(x.want)] != x.want {
				t.Errorf("%s: %q, want %q", x.name, spy.text, x.want)
			}
		})
	}
}
