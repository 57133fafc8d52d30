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
	"github.com/cowboyinc/cowboy-go/runtime/host"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
	"github.com/cowboyinc/cowboy-go/runtime/system/dispatcher"
)

// traceCommand shows what a transaction led to.
func (a *app) traceCommand() *cobra.Command {
	var wait time.Duration
	cmd := &cobra.Command{
		Use: "trace HASH", Short: "Print everything that a transaction, message or timer fire caused",
		Long: "Print the causal tree of a transaction, message or timer fire, and wait until all of it is settled: every message,\n" +
			"deferred call, job and timer is done and what was not used of the fee is returned. Timers that are due later are not\n" +
			"waited for. The node executes the blocks again for it: calls, arguments, results, lines of failures, what was printed.",
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
			return a.show(t, "%s", traceText(t, a.failureText))
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
		asked := time.Now()
		if err = a.node().Read(ctx, path, &t); err != nil {
			return t, err
		}
		if t.State == wire.TraceSettled || len(t.Stops) > 0 || left.Milliseconds() == 0 || onlyLater(t) && time.Since(asked) < left {
			return t, nil
		}
	}
}

// onlyLater reports whether a trace waits for nothing but timers: the node has answered before the time was up.
func onlyLater(t wire.Trace) bool {
	for _, p := range t.Pending {
		if p.Kind != wire.PendingTimer {
			return false
		}
	}
	return t.State == wire.TraceFinal && len(t.Pending) > 0
}

// dispatcherAddress is whose events tell of jobs that wait.
var dispatcherAddress = account.System(account.JobDispatcher).String()

// traceText draws a tree: each execution, behind it what it called, sent and set, its events, what it printed and where
// it failed, as failure writes that, and then what follows.
func traceText(t wire.Trace, failure func(*host.Failure) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "State: %s\n", t.State)
	if t.Waiting > 0 {
		fmt.Fprintf(&b, "Waiting: %d\n", t.Waiting)
	}
	for _, p := range t.Pending {
		fmt.Fprintf(&b, "Pending: %s\n", awaited(p))
	}
	for _, s := range t.Stops {
		fmt.Fprintf(&b, "Not all of it: %s\n", cmp.Or(stopped[s], s))
	}
	fmt.Fprintf(&b, "Cycles: %d\nCells: %d\nFee: %s CBY (%s burned)\n",
		t.Cycles, t.Cells, unit.Amount(t.FeeBurned+t.FeeTipped).CBY(), unit.Amount(t.FeeBurned).CBY())
	for i := range t.Nodes {
		n := &t.Nodes[i]
		r := n.Receipt
		pad := strings.Repeat("  ", n.Depth)
		line := func(format string, args ...any) { fmt.Fprintf(&b, pad+"  "+format+"\n", args...) }
		fmt.Fprintf(&b, "%s%s block %d %s -> %s %s", pad, r.Kind, r.BlockHeight, r.Sender, cmp.Or(r.Target, r.ActorAddress), r.Status)
		fmt.Fprintf(&b, ", %d cycles, %d cells, %s CBY\n", r.CyclesUsed, r.CellsUsed, unit.Amount(r.FeePaid).CBY())
		if r.Value > 0 {
			returned := map[bool]string{true: "", false: ", returned"}[r.Success]
			line("carried %s CBY%s", unit.Amount(r.Value).CBY(), returned)
		}
		calls(line, n)
		if r.Error != nil {
			line("%s %s", r.Error.Slug, unitext.PlainLine(r.Error.Why))
		}
		lines(line, failure(n.Failure))
		for _, p := range n.Printed {
			lines(line, "printed by "+p.Actor.String()+":\n"+p.Text)
		}
		for _, e := range r.Events {
			line("event %s %s %s", e.Actor, unitext.PlainLine(e.Topic), unitext.PlainLine(cmp.Or(e.Text, e.Data)))
			if e.Topic == dispatcher.TopicWaiting && e.Actor == dispatcherAddress && t.State != wire.TraceSettled {
				line("answer it: cowboy dev runner answer %s ok '\"text\"'", cmp.Or(e.Text, e.Data))
			}
		}
	}
	return b.String()
}

// stopped says why a tree is not whole.
var stopped = map[string]string{
	wire.StopTurns:   "more executions belong to it than are shown",
	wire.StopBlocks:  "it goes through more blocks than are executed again",
	wire.StopFires:   "timers fired more often than is shown",
	wire.StopCalls:   "an execution made more calls than are shown",
	wire.StopNothing: "the node executes nothing for clients, so that calls and parents are not known",
}

// awaited says what has not happened yet.
func awaited(p wire.TraceAwaited) string {
	target := strings.TrimSpace(p.Target + " " + unitext.PlainLine(p.Handler))
	switch p.Kind {
	case wire.PendingIndex:
		return fmt.Sprintf("block %d is final and about to be indexed", p.Height)
	case wire.PendingItems:
		return fmt.Sprintf("%d more of what it sent", p.Count)
	case wire.PendingTimer:
		return fmt.Sprintf("timer at block %d -> %s", p.Height, target)
	case wire.PendingJob:
		return strings.TrimSpace("job "+unitext.PlainLine(p.ID)) + fmt.Sprintf(" waits, until block %d at the latest -> %s", p.Height, target)
	}
	return p.Kind + " queued -> " + target
}

// calls writes what ran in an execution.
func calls(line func(string, ...any), n *wire.TraceNode) {
	for i, c := range n.Calls {
		pad := strings.Repeat("  ", c.Depth)
		if i == 0 {
			line("%s(%s)%s", c.Handler, c.Args.Text, given(c))
		} else {
			line("%scall %s %s(%s)%s", pad, c.To, c.Handler, c.Args.Text, given(c))
		}
		for _, s := range c.Sent {
			if s.State != wire.SentRan {
				line("%s  %s to %s %s: %s", pad, s.Kind, s.To, s.Handler, s.State)
			}
		}
		for _, s := range c.Timers {
			every := ""
			if s.Every > 0 {
				every = fmt.Sprintf(", every %d blocks", s.Every)
			}
			line("%s  timer for block %d%s -> %s %s: %s", pad, s.Height, every, s.To, s.Handler, s.State)
		}
	}
}

// given is what a call gave back and took.
func given(c wire.TraceCall) string {
	text := ""
	if c.Value > 0 {
		text += " with " + unit.Amount(c.Value).CBY() + " CBY"
	}
	switch {
	case c.Error != nil && c.Parent >= 0:
		text += " failed: " + strings.TrimSpace(c.Error.Slug+" "+unitext.PlainLine(c.Error.Why))
	case c.Error == nil && c.Result.Text != "":
		text += " = " + c.Result.Text
	}
	if c.Cycles > 0 && c.Parent >= 0 {
		text += fmt.Sprintf(", %d cycles", c.Cycles)
	}
	return text
}

// lines writes several lines.
func lines(line func(string, ...any), text string) {
	for _, one := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if one != "" {
			line("%s", unitext.PlainLine(one))
		}
	}
}
