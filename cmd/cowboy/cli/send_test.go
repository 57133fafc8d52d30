package cli

import (
	"testing"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// TestFit sizes discovered limits to what the balance can reserve: in proportion, never below the intrinsic cost, and never
// an explicit one. Spec: WP §17.10; node-rpc-cli §4.2.
func TestFit(t *testing.T) {
	for name, c := range map[string]struct {
		args          []string
		balance       uint64
		value         unit.Amount
		cycles, cells uint64
	}{
		"enough":           {nil, 4_000_000, 0, 1_000_000, 1_000_000},
		"half":             {nil, 2_000_000, 0, 500_000, 500_000},
		"half after value": {nil, 2_500_000, 500_000, 500_000, 500_000},
		"floor":            {nil, 100, 0, 21_000, 25},
		"explicit cycles":  {[]string{"--cycles-limit", "1000000"}, 2_000_000, 0, 1_000_000, 500_000},
		"explicit zero":    {[]string{"--cells-limit", "0"}, 1_000_000, 0, 500_000, 0},
	} {
		t.Run(name, func(t *testing.T) {
			f := &sendFlags{}
			cmd := &cobra.Command{}
			f.register(cmd, 1_000_000, 1_000_000)
			if err := cmd.ParseFlags(c.args); err != nil {
				t.Fatal(err)
			}
			one := &tx.Tx{
				Instruction: &tx.Transfer{Amount: c.value}, CyclesLimit: unit.Cycles(f.cycles), CellsLimit: unit.Cells(f.cells),
				MaxFeePerCycle: 2, MaxFeePerCell: 2,
			}
			f.fit(one, c.balance, tx.Cost{Cycles: 21_000})
			if uint64(one.CyclesLimit) != c.cycles || uint64(one.CellsLimit) != c.cells {
				t.Errorf("%s: %d cycles, %d cells; want %d, %d", name, one.CyclesLimit, one.CellsLimit, c.cycles, c.cells)
			}
		})
	}
}
