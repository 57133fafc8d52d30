package sim

import (
	"fmt"
	"os"
	"runtime"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/testkit"
)

const workloadBlocks = 1_000

// workload makes blocks of transfers, token calls, messages and timers, and keeps each in a data directory.
func workload(t *testing.T, blocks int, procs int) []digest.Hash {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
	spec, err := genesis.Devnet(testkit.ChainID, 1)
	if err != nil {
		t.Fatal(err)
	}
	d, err := disk.NewDirectory(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	kept, err := ledger.OpenDisk(d, "", spec, store.Options{Window: store.Archive})
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	c := testkit.NewChain(t)
	read := func(name string) string {
		text, err := os.ReadFile("../examples/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	alice, bob := c.Account("alice"), c.Account("bob")
	journal := alice.Deploy(read("journal.py"), []byte("{}"))
	agent := alice.Deploy(read("agent.py"), nil)
	alice.Fund(agent, 2_000*unit.CBY)
	alice.Call(agent, "init", fmt.Sprintf(`{"journal":"%s","every":1}`, journal))
	token := bob.Deploy(read("token.py"), []byte(`{"name":"Hay","symbol":"HAY","supply":1000000}`))
	for n := len(c.Blocks()); n < blocks; n++ {
		alice.Send(&tx.Transfer{To: bob.Address(), Amount: unit.Amount(n)}, 21_000, 0)
		payload := fmt.Sprintf(`{"to":"%s","amount":%d}`, alice.Hex(), n%7+1)
		bob.Send(&tx.Execute{To: token, Handler: []byte("transfer"), Payload: []byte(payload)}, 500_000, 50_000)
		c.Mine()
	}
	runner := host.New(host.NewPrograms())
	for _, r := range c.Blocks() {
		body := &block.Block{Header: r.Header}
		for _, v := range r.Txs {
			body.Txs = append(body.Txs, v.Tx())
		}
		parent := transition.Parent{Header: kept.Header(), State: kept.State()}
		again, err := transition.Apply(parent, transition.Job{Mode: transition.Verify, Header: r.Header, Txs: r.Txs}, runner)
		if err != nil {
			t.Fatal(err)
		}
		if err := kept.Append(&ledger.Final{Block: body, Hash: r.Header.Hash(), Receipts: again.Receipts, State: again.State}); err != nil {
			t.Fatal(err)
		}
	}
	var hashes []digest.Hash
	for height := unit.Height(1); height <= c.Height(); height++ {
		b, err := kept.Block(height)
		if err != nil {
			t.Fatal(err)
		}
		hashes = append(hashes, b.Hash())
	}
	return hashes
}

// TestSameHeadersOnOneAndTwoProcessors runs one workload on two data directories. Spec: WP §3.1 (determinism).
func TestSameHeadersOnOneAndTwoProcessors(t *testing.T) {
	blocks := workloadBlocks
	if testing.Short() {
		blocks = 100
	}
	one, two := workload(t, blocks, 1), workload(t, blocks, 2)
	if len(one) < blocks || len(one) != len(two) {
		t.Fatalf("%d and %d blocks", len(one), len(two))
	}
	for i := range one {
		if one[i] != two[i] {
			t.Fatalf("block %d differs: %v, %v", i+1, one[i], two[i])
		}
	}
}
