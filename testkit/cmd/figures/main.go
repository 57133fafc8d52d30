// Command figures measures what docs/figures.md shows and writes that page: it runs the benchmarks of this repository and, where they are at hand, the
// programs of others they are compared with, one after the other in the same session, and gives for each row the date, the machine and the ratio.
//
//	go run ./testkit/cmd/figures                               every row; the rows of peers whose programs are at hand are compared
//	go run ./testkit/cmd/figures -peers ../peers -only Proof   rows whose name matches, with the peers' programs in that directory
//	go run ./testkit/cmd/figures -list                         what would run
//
// A row that is not measured keeps what the page says of it. The second table of the page, of campaigns that take hours, is never touched: whoever repeats
// one writes what came out.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"syscall"
	"time"
)

func main() {
	page := flag.String("page", "docs/figures.md", "the page to write")
	peers := flag.String("peers", "", "directory of the peers' programs, one folder each; empty: only peers that are installed or part of this repository")
	only := flag.String("only", "", "regular expression: measure the rows whose name matches")
	list := flag.Bool("list", false, "print what would run and measure nothing")
	limit := flag.Duration("limit", 30*time.Minute, "longest time that one command may take")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *page, *only, *list, session{peers: *peers, limit: *limit, outputs: map[string]output{}}); err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

// run measures the chosen rows, writes the page after each so that an interrupted session keeps what it has, and fails if a row could not be measured.
func run(ctx context.Context, path, only string, list bool, s session) error {
	choice, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	p, err := parsePage(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	where, failed := machine(), 0
	for _, r := range rows {
		if !choice.MatchString(r.what) {
			continue
		}
		if list {
			fmt.Printf("%s\n\t%s\n", r.what, r.here.command)
			if r.peer.command != "" {
				fmt.Printf("\t%s: %s\n", r.against, r.peer.command)
			}
			continue
		}
		m, err := s.measure(ctx, r)
		shown := ""
		if err == nil {
			shown, err = line(r, m, time.Now().UTC().Format(time.DateOnly)+", "+where)
		}
		if err != nil {
			failed++
			fmt.Fprintf(os.Stderr, "%s: %v\n", r.what, err)
			continue
		}
		p.lines[r.what] = shown
		fmt.Println(shown)
		if err := os.WriteFile(path, []byte(p.String()), 0o644); err != nil {
			return err
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d rows could not be measured", failed)
	}
	return ctx.Err()
}
