package cli

import (
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/supervision"
)

func (a *app) blockCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "block", Short: "Read blocks"}
	var height uint64
	var hash string
	byHeight := &cobra.Command{
		Use: "by-height [HEIGHT]", Short: "Print the block at a height", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				n, err := strconv.ParseUint(args[0], 10, 64)
				if err != nil {
					return usageError{fmt.Errorf("%q is not a height", args[0])}
				}
				height = n
			}
			return a.printBlock(cmd, fmt.Sprintf("/block/height/%d", height))
		},
	}
	byHeight.Flags().Uint64Var(&height, "height", 0, "height")
	byHash := &cobra.Command{
		Use: "by-hash [HASH]", Short: "Print the block with a hash", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				hash = args[0]
			}
			if _, err := parseHash(hash); err != nil {
				return err
			}
			return a.printBlock(cmd, "/block/"+hash)
		},
	}
	byHash.Flags().StringVar(&hash, "hash", "", "block hash")
	latest := &cobra.Command{
		Use: "latest", Short: "Print the newest finalized block", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.printBlock(cmd, "/block/latest") },
	}
	cmd.AddCommand(byHeight, byHash, latest)
	return cmd
}

func (a *app) printBlock(cmd *cobra.Command, path string) error {
	var b wire.Block
	if err := a.node().Read(cmd.Context(), path, &b); err != nil {
		return err
	}
	return a.show(b, "%s", blockText(b))
}

func blockText(b wire.Block) string {
	text := fmt.Sprintf("Block %d (%s)\nHash: %s\nParent: %s\nTime: %s\nProposer: %s\nState root: %s\n"+
		"Cycles: %d at %d\nCells: %d at %d\nTransactions: %d\n",
		b.Height, b.Status, b.Hash, b.ParentHash, time.UnixMilli(int64(b.TimestampMs)).UTC().Format(time.RFC3339Nano), b.Proposer,
		b.StateRoot, b.CyclesUsed, b.CycleBasefee, b.CellsUsed, b.CellBasefee, len(b.Transactions))
	for _, hash := range b.Transactions {
		text += "  " + hash + "\n"
	}
	return text
}

func (a *app) queryCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "query", Short: "List blocks and transactions"}
	var offset, limit uint64
	blocks := &cobra.Command{
		Use: "blocks", Short: "List blocks, newest first", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var page wire.Blocks
			if err := a.node().Read(cmd.Context(), fmt.Sprintf("/blocks?offset=%d&limit=%d", offset, limit), &page); err != nil {
				return err
			}
			var text string
			for _, b := range page.Blocks {
				text += fmt.Sprintf("%8d  %s  %3d txs  %10d cycles\n", b.Height, b.Hash, len(b.Transactions), b.CyclesUsed)
			}
			return a.show(page, "%s", text)
		},
	}
	var address string
	transactions := &cobra.Command{
		Use: "transactions", Short: "List an account's transactions, newest first", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			target, err := a.addressFlag(address)
			if err != nil {
				return err
			}
			var page struct {
				Transactions []wire.Transaction `json:"transactions"`
				TotalCount   uint64             `json:"total_count"`
			}
			path := fmt.Sprintf("/account/%s/transactions?offset=%d&limit=%d", target, offset, limit)
			if err := a.node().Read(cmd.Context(), path, &page); err != nil {
				return err
			}
			var text string
			for _, t := range page.Transactions {
				text += fmt.Sprintf("%s  nonce %d  %v\n", t.Hash, t.Nonce, t.Instruction["type"])
			}
			return a.show(page, "%s", text)
		},
	}
	transactions.Flags().StringVarP(&address, "address", "a", "", "account (default: the wallet)")
	for _, c := range []*cobra.Command{blocks, transactions} {
		c.Flags().Uint64Var(&offset, "offset", 0, "how many to skip")
		c.Flags().Uint64Var(&limit, "limit", 20, "how many to show")
		cmd.AddCommand(c)
	}
	return cmd
}

func (a *app) statusCommand() *cobra.Command {
	return &cobra.Command{
		Use: "status", Short: "Print the node's state", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var h wire.Health
			if err := a.node().Read(cmd.Context(), "/health/detailed", &h); err != nil {
				return err
			}
			return a.show(h, "Node: %s\nStatus: %s\nVersion: %s\nChain id: %d\nHeight: %d\nUptime: %s\nMempool: %d transactions of %d accounts\n",
				a.url(), h.Status, h.Version, h.ChainID, h.BlockHeight, time.Duration(h.UptimeSeconds)*time.Second,
				h.MempoolTransactionCount, h.MempoolAccountCount)
		},
	}
}

func (a *app) treeCommand() *cobra.Command {
	return &cobra.Command{
		Use: "tree", Short: "Print the node's supervision tree", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var status supervision.Status
			if err := a.node().Read(cmd.Context(), "/tree", &status); err != nil {
				return err
			}
			return a.show(status, "%s", status.Text())
		},
	}
}
