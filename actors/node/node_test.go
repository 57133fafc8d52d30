package node

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/cowboyinc/cowboy-go/actors/lanes"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// tally is a PVM stand-in whose turns write: it counts its calls in the actor's storage. What a real program would do is the
// host's test; here only who runs the turn and when matters.
type tally struct{}

func (tally) Run(t *drain.Turn) (drain.Outcome, error) {
	key := account.KeyString(account.KindStorage, t.Target, "calls")
	n, _, err := t.Overlay.Lookup(key)
	if err != nil {
		return drain.Outcome{}, err
	}
	t.Overlay.Set(key, append(append([]byte(nil), n...), byte(len(n))))
	return drain.Outcome{Turn: t.Number, Used: fee.Use{Cycles: min(1000, t.Limit.Cycles)}}, nil
}

func devConfig(t testing.TB) Config {
	t.Helper()
	spec, err := genesis.Devnet(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	store, err := ledger.NewMemory(spec, state.Config{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := DevValidator(0, 1)
	if err != nil {
		t.Fatal(err)
	}
	return Config{
		Genesis: spec, Validator: v, Store: store, Journal: disk.NewMemory(), Shares: disk.NewMemory(), NewRunner: func() drain.Runner { return tally{} },
		Workers: 2,
	}
}

func start(t testing.TB, c Config) *Node {
	t.Helper()
	n, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := n.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := n.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return n
}

func await(t testing.TB, n *Node, height unit.Height) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if err := n.Ledger.Await(ctx, height); err != nil {
		t.Fatalf("no block %d: %v\n%s", height, err, n.Status().Text())
	}
}

// wallet signs for the development faucet.
type wallet struct {
	key   *sig.PrivateKey
	nonce uint64
}

func (w *wallet) sign(in tx.Instruction, edit ...func(*tx.Tx)) []byte {
	t := &tx.Tx{
		ChainID: 1, Nonce: w.nonce, Instruction: in, CyclesLimit: 100_000, CellsLimit: 1_000, MaxFeePerCycle: 20_000,
		MaxFeePerCell: 20_000, From: w.key.Address(),
	}
	for _, f := range edit {
		f(t)
	}
	t.Signature = w.key.Sign(t.SigningHash())
	w.nonce = t.Nonce + 1
	return t.Encode()
}

func (w *wallet) transfer(n byte) []byte {
	return w.sign(&tx.Transfer{To: account.Address{0xaa, n}, Amount: unit.Amount(n) + 1})
}

func TestBlocksFollowEachOther(t *testing.T) {
	n := start(t, devConfig(t))
	await(t, n, 20)
	for h := unit.Height(1); h <= 20; h++ {
		b, err := n.Ledger.Block(h)
		if err != nil {
			t.Fatal(err)
		}
		parent, err := n.Ledger.Block(h - 1)
		if err != nil {
			t.Fatal(err)
		}
		if b.Header.ParentHash != parent.Hash() || b.Header.View != uint64(h) {
			t.Fatalf("block %d: parent %v, view %d", h, b.Header.ParentHash, b.Header.View)
		}
	}
	if s := n.Replica.Status(); s.Finalized > s.Committed || s.Committed > s.Certified {
		t.Errorf("status %+v", s)
	}
}

func TestTransfersArrive(t *testing.T) {
	c := devConfig(t)
	c.Interval = time.Millisecond
	n := start(t, c)
	w := &wallet{key: genesis.DevFaucet()}
	for i := range byte(20) {
		errs, err := n.Lanes.Submit(t.Context(), [][]byte{w.transfer(i)})
		if err != nil || errs[0] != nil {
			t.Fatal(err, errs)
		}
	}
	for i := range byte(20) {
		awaitBalance(t, n, account.Address{0xaa, i}, unit.Amount(i)+1)
	}
	if _, waiting := n.Lanes.Pending([32]byte{}); waiting {
		t.Error("an unknown transaction waits")
	}
}

func awaitBalance(t testing.TB, n *Node, addr account.Address, want unit.Amount) {
	t.Helper()
	for h := n.Ledger.Finalized(); ; h++ {
		data, ok, err := n.Ledger.Tip().State.Lookup(addr.Key())
		if err != nil {
			t.Fatal(err)
		}
		if a, err := account.Decode(data); ok && err == nil && a.Balance == want {
			return
		}
		await(t, n, h+1)
		if h > 10_000 {
			t.Fatalf("balance of %v never arrives", addr)
		}
	}
}

// The tree is the one the architecture draws, in start order. Spec: ARCHITECTURE "The supervision tree"; WP §9 (one system actor per address).
func TestTreeIsDeclared(t *testing.T) {
	n, err := New(devConfig(t))
	if err != nil {
		t.Fatal(err)
	}
	want := "node(core(ledger timers(ring epoch far) system(0x01 0x02 0x03 0x04 0x05 0x06 0x07 0x08 0x09 0x0a 0x0b 0x0c 0x0d 0x0e 0x0f " +
		"0x10 0x11 0x12 0x13 0x1d reserved) pvm(worker-0 worker-1) executor signatures replica proposer) " +
		"intake(verifier lanes(router system timer runner user) attendant) network(catchup))"
	if got := outline(n.Status()); got != want {
		t.Errorf("tree\n got %s\nwant %s", got, want)
	}
	if policy := n.Status().Children[0].Policy; !strings.HasPrefix(policy, "rest-for-one") {
		t.Errorf("core is %s", policy)
	}
}

func outline(s supervision.Status) string {
	if len(s.Children) == 0 {
		return s.Name
	}
	var parts []string
	for _, c := range s.Children {
		parts = append(parts, outline(c))
	}
	return s.Name + "(" + strings.Join(parts, " ") + ")"
}

func TestConfigMistakes(t *testing.T) {
	for name, edit := range map[string]func(*Config){
		"no store":                func(c *Config) { c.Store = nil },
		"no genesis":              func(c *Config) { c.Genesis = nil },
		"no runner":               func(c *Config) { c.NewRunner = nil },
		"no journal":              func(c *Config) { c.Journal = nil },
		"other key":               func(c *Config) { c.Validator.Vote, _ = bls.ParsePrivateKey(append(make([]byte, 31), 5)) },
		"a share of another rank": func(c *Config) { c.Validator.Share.Index = 1 },
	} {
		t.Run(name, func(t *testing.T) {
			c := devConfig(t)
			edit(&c)
			if _, err := New(c); !errors.Is(err, ErrConfig) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// After an orderly stop no goroutine of the tree is left.
func TestStopLeavesNothingBehind(t *testing.T) {
	ignore := goleak.IgnoreCurrent()
	n, err := New(devConfig(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := n.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	await(t, n, 3)
	for range 2 {
		if err := n.Stop(t.Context()); err != nil {
			t.Error(err)
		}
	}
	goleak.VerifyNone(t, ignore)
}

// Signed transfers end to end: submission, recovery, lanes, selection, execution, votes, finalization.
func BenchmarkEndToEnd(b *testing.B) {
	for _, where := range []string{"memory", "disk"} {
		b.Run("store="+where, func(b *testing.B) { benchmarkEndToEnd(b, where) })
	}
}

func benchmarkEndToEnd(b *testing.B, where string) {
	c := devConfig(b)
	senders := make([]*wallet, (b.N+31)/32)
	for i := range senders {
		raw := genesis.DevKey(fmt.Sprint("sender", i), 0)
		key, err := sig.ParsePrivateKey(raw[:])
		if err != nil {
			b.Fatal(err)
		}
		senders[i] = &wallet{key: key}
		c.Genesis.Accounts = append(c.Genesis.Accounts, genesis.Allocation{Address: key.Address(), Balance: 100 * unit.CBY})
		c.Genesis.Accounts[0].Balance -= 100 * unit.CBY
	}
	var err error
	if c.Store, err = ledger.NewMemory(c.Genesis, state.Config{}); where == "disk" {
		d := newDirectory(b)
		d.spec = c.Genesis
		c = d.config()
	}
	if err != nil {
		b.Fatal(err)
	}
	c.Interval, c.Cores = time.Millisecond, 2
	raws := make([][]byte, b.N)
	for i := range raws {
		raws[i] = senders[i%len(senders)].transfer(byte(i))
	}
	n := start(b, c)
	b.ResetTimer()
	for low := 0; low < len(raws); low += 50 {
		part := raws[low:min(low+50, len(raws))]
		for {
			errs, err := n.Lanes.Submit(b.Context(), part)
			if err != nil {
				b.Fatal(err)
			}
			if full := slices.ContainsFunc(errs, func(e error) bool { return errors.Is(e, lanes.ErrFull) }); !full {
				break
			}
		}
	}
	for included, h := 0, unit.Height(1); included < b.N; h++ {
		await(b, n, h)
		x, err := n.Ledger.Block(h)
		if err != nil {
			b.Fatal(err)
		}
		included += len(x.Txs)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "tx/s")
}
