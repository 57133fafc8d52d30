package host

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/protocol"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// An invocation pays the prices of its block's version: in the first a write costs 200 cycles and a cell for each byte, a read a cell for 100 bytes, a byte
// of an event half a cell, and a signature check 10,000 cycles; in another what the version says.
//
// Spec: WP §17.3, §17.4.
func TestPricesOfVersion(t *testing.T) {
	other := &protocol.Version{Number: 2, Rows: tx.All(), Costs: params.FirstCosts()}
	other.Costs.StorageWrite, other.Costs.VerifySecp256k1 = 333, 12_345
	other.Costs.CellsPerByteWritten, other.Costs.StateReadBytesPerCell, other.Costs.EventBytesPerCell = 3, 10, 4
	for name, x := range map[string]struct {
		version              *protocol.Version
		write, check         uint64 // cycles
		written, read, event uint64 // cells
	}{
		"first": {nil, 200, 10_000, 201, 2, 4}, "another": {other, 333, 12_345, 603, 20, 2},
	} {
		t.Run(name, func(t *testing.T) {
			d := newCaller(t, func(f *Invocation) { f.work.turn.Block.Protocol = x.version })
			cells := d.f.meter.CellsLeft()
			used := func() uint64 {
				last := cells
				cells = d.f.meter.CellsLeft()
				return last - cells
			}
			before := d.f.meter.Left()
			if err := d.f.SetState([]byte("k"), make([]byte, 200), false); err != nil {
				t.Fatal(err)
			}
			if got, written := before-d.f.meter.Left(), used(); got != x.write || written != x.written {
				t.Errorf("a write costs %d cycles and %d cells, want %d and %d", got, written, x.write, x.written)
			}
			if _, _, err := d.f.State([]byte("k"), false); err != nil {
				t.Fatal(err)
			}
			if read := used(); read != x.read {
				t.Errorf("a read costs %d cells, want %d", read, x.read)
			}
			if _, err := d.f.Emit([]byte("name"), []byte("data")); err != nil {
				t.Fatal(err)
			}
			if event := used(); event != x.event {
				t.Errorf("an event costs %d cells, want %d", event, x.event)
			}
			before = d.f.meter.Left()
			if _, err := d.f.VerifySignature("secp256k1", nil, nil, nil); err != nil {
				t.Fatal(err)
			}
			if got := before - d.f.meter.Left(); got != x.check {
				t.Errorf("a check costs %d, want %d", got, x.check)
			}
		})
	}
}
