// Command audience measures what read-only clients cost a node under load: it starts cowboyd, floods it with transfers and actor calls, and compares stretches
// of the same run without and with a thousand followers of the event stream, some of whom read too slowly or not at all. Meanwhile it asks for every page of
// the explorer, one at a time, and prints how long each took. Queries of a trivial handler and estimates of a call come last, without other load.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	bin := flag.String("bin", "bin/cowboyd", "the built node")
	clients := flag.Int("clients", 985, "followers of blocks")
	greedy := flag.Int("greedy", 5, "followers of everything")
	slow := flag.Int("slow", 5, "followers of everything that read too slowly")
	stuck := flag.Int("stuck", 5, "followers of everything that stop reading until the stretch is over")
	slowly := flag.Int("rate", 100<<10, "bytes a slow follower reads in a second")
	asking := flag.Int("asking", 4, "clients that query an actor, without other load, once the rest is over")
	only := flag.Bool("queries", false, "measure queries and estimates alone")
	rate := flag.Int("estimates", 1_000, "estimates a second")
	stretch := flag.Duration("stretch", 20*time.Second, "how long each stretch lasts")
	block := flag.Duration("block-time", 100*time.Millisecond, "least time between two blocks")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *bin, *block, *stretch, *asking, *rate, *only, crowd{*clients, *greedy, *slow, *stuck, *slowly}); err != nil {
		fmt.Fprintln(os.Stderr, "audience:", err)
		os.Exit(1)
	}
}

// run is the whole measurement: without followers, with them, without again; then queries and estimates.
func run(ctx context.Context, bin string, block, stretch time.Duration, asking, rate int, only bool, c crowd) error {
	n, err := start(ctx, bin, block)
	if err != nil {
		return err
	}
	defer n.stop()
	l := &load{client: n.client}
	if err := l.prepare(ctx); err != nil {
		return err
	}
	const head = "%-22s %8s %8s %12s %12s %14s\n"
	looked := func() error {
		if err := queries(ctx, n, l.actor.String(), asking, stretch); err != nil {
			return err
		}
		return estimates(ctx, n, l, asking, rate, stretch)
	}
	if only {
		fmt.Printf(head, "", "blocks", "txs", "final p50", "final p99", "CPU a block")
		return looked()
	}
	under, halt := context.WithCancel(ctx)
	defer halt()
	go l.run(under)
	pages := newPages(n.url)
	go pages.run(under, l)
	time.Sleep(2 * time.Second)
	fmt.Printf(head, "", "blocks", "txs", "final p50", "final p99", "CPU a block")
	for _, with := range []bool{false, true, false} {
		name := "no followers"
		var followers *followers
		if with {
			if followers, err = c.join(ctx, n.url); err != nil {
				return err
			}
			name = fmt.Sprintf("%d followers", followers.count)
		}
		s, err := n.measure(ctx, stretch)
		if err != nil {
			return err
		}
		fmt.Printf("%-22s %8d %8d %12v %12v %14v\n", name, s.blocks, s.txs, s.final(50), s.final(99), s.cpu)
		if with {
			followers.leave()
			fmt.Printf("  %s\n", followers)
		}
	}
	halt()
	pages.print()
	return looked()
}
