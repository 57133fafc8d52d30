package daemon

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// An accused block is executed on its parent: what is wrong with it is told, and so is that nothing is, or that its parent is not there.
// Spec: WP "Slashing" (invalid proposal).
func TestVerifyAccused(t *testing.T) {
	spec, err := genesis.Devnet(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	chain, err := ledger.OpenDisk(disk.NewMemory(), "", spec, store.Options{Window: store.WindowMin})
	if err != nil {
		t.Fatal(err)
	}
	defer chain.Close()
	parent := transition.Parent{Header: chain.Header(), State: chain.State()}
	h := block.Header{
		Version: 1, ChainID: 1, Height: 1, View: 1, ParentHash: parent.Header.Hash(), TimestampMs: parent.Header.TimestampMs + 1,
		VRFOutput: block.VRFOutput(sig.BLSSignature{}),
	}
	good, err := transition.Apply(parent, transition.Job{Mode: transition.Build, Header: h}, host.New(host.NewPrograms()))
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]struct {
		bend func(b *block.Block)
		find string
	}{
		"valid":         {func(*block.Block) {}, "executes to its roots"},
		"another state": {func(b *block.Block) { b.Header.StateRoot[0]++ }, "is invalid: transition: invalid block: header has state root"},
		"another fee":   {func(b *block.Block) { b.Header.CycleBasefee++ }, "is invalid"},
		"a stray body":  {func(b *block.Block) { b.Txs = []*tx.Tx{{ChainID: 1, Instruction: &tx.Transfer{}}} }, "is invalid: transaction 0"},
		"no parent":     {func(b *block.Block) { b.Header.ParentHash[0]++ }, "is not on this chain"},
	} {
		t.Run(name, func(t *testing.T) {
			b := &block.Block{Header: good.Header}
			x.bend(b)
			var out bytes.Buffer
			if err := verify(spec, chain, b, &out); err != nil {
				out.WriteString(err.Error())
			}
			if !strings.Contains(out.String(), x.find) {
				t.Errorf("%s: %s", name, out.String())
			}
		})
	}
}

// However many blocks are accused, as many files are kept as there are places, and the newest is in the place of its view.
func TestSuspectsBounded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), accusedDir)
	for view := range uint64(3 * accusedMax) {
		if err := writeAccused(dir, view, []byte{byte(view)}); err != nil {
			t.Fatal(err)
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != accusedMax {
		t.Fatalf("%d files, %v", len(files), err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "03.block"))
	if err != nil || data[0] != 2*accusedMax+3 {
		t.Errorf("%v %v", data, err)
	}
}
