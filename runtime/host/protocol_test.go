package host

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/protocol"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// An invocation pays the prices of its block's version: a write costs 200 cycles and a signature check 10,000 in the first, what the version says in another.
//
// Spec: WP §17.3.
func TestPricesOfVersion(t *testing.T) {
	other := &protocol.Version{Number: 2, Rows: tx.All(), Costs: params.FirstCosts()}
	other.Costs.StorageWrite, other.Costs.VerifySecp256k1 = 333, 12_345
	for name, x := range map[string]struct {
		version      *protocol.Version
		write, check uint64
	}{
		"first": {nil, 200, 10_000}, "another": {other, 333, 12_345},
	} {
		t.Run(name, func(t *testing.T) {
			d := newCaller(t, func(f *Invocation) { f.work.turn.Block.Protocol = x.version })
			before := d.f.meter.Left()
			if err := d.f.SetState([]byte("k"), []byte("v"), false); err != nil {
				t.Fatal(err)
			}
			if got := before - d.f.meter.Left(); got != x.write {
				t.Errorf("a write costs %d, want %d", got, x.write)
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
