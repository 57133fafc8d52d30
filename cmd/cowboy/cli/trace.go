package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/system/dispatcher"
)

// traceCommand shows what a transaction led to.
func (a *app) traceCommand() *cobra.Command {
	var wait time.Duration
	cmd := &cobra.Command{
		Use: "trace HASH", Short: "Print everything a transaction, message or timer fire led to",
		Long: "Print the causal tree of a transaction, message or timer fire, and wait until all of it is settled:\n" +
			"every message and deferred call has run and what was not used of the fee is returned.",
		Example: "  cowboy trace 0x2f…e1\n  cowboy trace 0x2f…e1 --wait 0s   # as it is now",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := parseHash(args[0])
			if err != nil {
				return err
			}
			t, err := a.settled(cmd.Context(), wire.Hash(id), wait)
			if err != nil {
				return err
			}
			return a.show(t, "%s", traceText(t))
		},
	}
	cmd.Flags().DurationVar(&wait, "wait", 30*time.Second, "how long to wait until it is settled")
	return cmd
}

// settled reads a trace, again and again until it is settled or the time is up.
func (a *app) settled(ctx context.Context, hash string, wait time.Duration) (t wire.Trace, err error) {
	deadline := time.Now().Add(wait)
	for {
		left := max(min(time.Until(deadline), 5*time.Second), 0)
		path := fmt.Sprintf("/trace/%s?wait_ms=%d", hash, left.Milliseconds())
		t = wire.Trace{}
		if err = a.node().Read(ctx, path, &t); err != nil {
			return t, err
		}
		if t.State == wire.TraceSettled || left.Milliseconds() == 0 {
			return t, nil
		}
	}
}

// dispatcherAddress is whose events tell of jobs that wait.
var dispatcherAddress = account.System(account.JobDispatcher).String()

// traceText draws a tree: one line per execution, its events below it.
func traceText(t wire.Trace) string {
	var b strings.Builder
	fmt.Fprintf(&b, "State: %s\n", t.State)
	if t.Waiting > 0 {
		fmt.Fprintf(&b, "Waiting: %d\n", t.Waiting)
	}
	fmt.Fprintf(&b, "Cycles: %d\nCells: %d\nFee: %s CBY (%s burned)\n", t.Cycles, t.Cells, unit.Amount(t.FeeBurned+t.FeeTipped).CBY(), unit.Amount(t.FeeBurned).CBY())
	for _, n := range t.Nodes {
		r := n.Receipt
		pad := strings.Repeat("  ", n.Depth)
		fmt.Fprintf(&b, "%s%s block %d %s -> %s %s", pad, r.Kind, r.BlockHeight, r.Sender, cmp.Or(r.Target, r.ActorAddress), r.Status)
		fmt.Fprintf(&b, ", %d cycles, %d cells, %s CBY\n", r.CyclesUsed, r.CellsUsed, unit.Amount(r.FeePaid).CBY())
		if r.Value > 0 {
			returned := map[bool]string{true: "", false: ", returned"}[r.Success]
			fmt.Fprintf(&b, "%s  carried %s CBY%s\n", pad, unit.Amount(r.Value).CBY(), returned)
		}
		if r.Error != nil {
			fmt.Fprintf(&b, "%s  %s %s\n", pad, r.Error.Slug, r.Error.Why)
		}
		for _, e := range r.Events {
			fmt.Fprintf(&b, "%s  event %s %s %s\n", pad, e.Actor, e.Topic, cmp.Or(e.Text, e.Data))
			if e.Topic == dispatcher.TopicWaiting && e.Actor == dispatcherAddress && t.State != wire.TraceSettled {
				fmt.Fprintf(&b, "%s  answer it: cowboy dev runner answer %s ok '\"text\"'\n", pad, cmp.Or(e.Text, e.Data))
			}
		}
	}
	return b.String()
}
