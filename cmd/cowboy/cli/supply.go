package cli

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// supplyCommand prints what coins there are, and with --flows what became of them.
//
// Spec: WP §8.1–§8.4.
func (a *app) supplyCommand() *cobra.Command {
	var flows bool
	var from, to uint64
	cmd := &cobra.Command{
		Use: "supply", Short: "Print the supply of coins and where it lies; with --flows what each block changed", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !flows {
				var s wire.Supply
				if err := a.node().Read(cmd.Context(), "/supply", &s); err != nil {
					return err
				}
				return a.show(s, "%s", supplyText(&s))
			}
			query := url.Values{}
			if cmd.Flags().Changed("from") {
				query.Set("from", fmt.Sprint(from))
			}
			if cmd.Flags().Changed("to") {
				query.Set("to", fmt.Sprint(to))
			}
			var f wire.Flows
			if err := a.node().Read(cmd.Context(), "/flows?"+query.Encode(), &f); err != nil {
				return err
			}
			return a.show(f, "%s", flowsText(&f))
		},
	}
	cmd.Flags().BoolVar(&flows, "flows", false, "what blocks minted, burned and moved instead")
	cmd.Flags().Uint64Var(&from, "from", 0, "with --flows: first block (default: 60 blocks before the last)")
	cmd.Flags().Uint64Var(&to, "to", 0, "with --flows: last block (default: the newest)")
	return cmd
}

// supplyText says in lines what coins there are.
func supplyText(s *wire.Supply) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Supply: %s after block %d\nGenesis: %s\nMinted: %s\nBurned: %s\nCirculating: %s\n",
		cby(s.Total), s.Height, cby(s.Genesis), cby(s.Minted), cby(s.Burned), cby(s.Circulating))
	for _, name := range slices.Sorted(maps.Keys(s.Held)) {
		fmt.Fprintf(&b, "Held, %s: %s\n", unitext.PlainLine(name), cby(s.Held[name]))
	}
	for _, one := range s.Buckets {
		fmt.Fprintf(&b, "Bucket %s: %s of %s, %s released (%s)\n", unitext.PlainLine(one.Name), cby(one.Balance), cby(one.Amount), cby(one.Releasable),
			unitext.PlainLine(one.Terms))
	}
	return b.String()
}

// flowsText says in lines what became of coins.
func flowsText(f *wire.Flows) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Blocks %d to %d\nSupply before: %s\n", f.From, f.To, cby(f.Total.SupplyBefore))
	for _, part := range []struct {
		name string
		of   map[string]uint64
	}{{"Minted", f.Total.Minted}, {"Burned", f.Total.Burned}, {"In", f.Total.In}, {"Out", f.Total.Out}, {"Paid", f.Total.Paid}} {
		for _, label := range slices.Sorted(maps.Keys(part.of)) {
			fmt.Fprintf(&b, "%s, %s: %s\n", part.name, unitext.PlainLine(label), cby(part.of[label]))
		}
	}
	fmt.Fprintf(&b, "Supply after: %s\n", cby(f.Total.Supply))
	return b.String()
}

// feesCommand prints what blocks charged.
//
// Spec: WP §17.8, §17.10.
func (a *app) feesCommand() *cobra.Command {
	var blocks uint64
	cmd := &cobra.Command{
		Use: "fees", Short: "Print basefees and tips of the newest blocks, and the next block's basefees", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var h wire.FeeHistory
			if err := a.node().Read(cmd.Context(), fmt.Sprintf("/fees/history?blocks=%d&percentiles=10,50,90", blocks), &h); err != nil {
				return err
			}
			return a.show(h, "%s", feesText(&h))
		},
	}
	cmd.Flags().Uint64Var(&blocks, "blocks", 10, "how many blocks")
	return cmd
}

func feesText(h *wire.FeeHistory) string {
	var b strings.Builder
	for i := range h.CyclesPPM {
		fmt.Fprintf(&b, "Block %d: %d a cycle, %d a cell; %.1f%% and %.1f%% of the targets used; tips a cycle %v\n", h.Oldest+uint64(i), h.CycleBasefees[i],
			h.CellBasefees[i], float64(h.CyclesPPM[i])/10_000, float64(h.CellsPPM[i])/10_000, h.CycleTips[i])
	}
	last := len(h.CycleBasefees) - 1
	fmt.Fprintf(&b, "Next: %d a cycle, %d a cell\n", h.CycleBasefees[last], h.CellBasefees[last])
	return b.String()
}
