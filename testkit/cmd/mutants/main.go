// Command mutants makes small changes of the consensus packages, one at a time, and runs the tests that should notice. It prints the survivors and ends with 1
// if one of them is not listed in testkit/mutants/kept.txt.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/testkit/mutants"
)

func main() {
	count := flag.Int("n", 300, "how many mutants to try")
	seed := flag.Uint64("seed", 1, "which ones")
	dirs := flag.String("dirs", "chain,runtime/drain,runtime/transition,runtime/host", "directories whose functions are changed, with commas")
	only := flag.String("only", "", "try only mutants whose ID contains this text")
	limit := flag.Duration("limit", 2*time.Minute, "time limit of one package's tests")
	flag.Parse()
	if err := run(*count, *seed, strings.Split(*dirs, ","), *only, *limit); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(count int, seed uint64, dirs []string, only string, limit time.Duration) error {
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	all, err := mutants.Find(root, dirs)
	if err != nil {
		return err
	}
	fmt.Printf("%d mutants of %s\n", len(all), strings.Join(dirs, ", "))
	if only != "" {
		all = containing(all, only)
	}
	runner, err := mutants.NewRunner(root, limit)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	kept := mutants.Kept()
	var tally [3]int
	unknown := 0
	for _, m := range mutants.Pick(all, seed, len(all)) {
		if tally[mutants.Killed]+tally[mutants.Survived] == count {
			break
		}
		verdict, err := runner.Try(ctx, m)
		if ctx.Err() != nil {
			break // what was tried counts
		}
		if err != nil {
			return err
		}
		tally[verdict]++
		if verdict != mutants.Survived {
			continue
		}
		reason, known := kept[m.ID()]
		if !known {
			unknown++
			reason = "no test notices"
		}
		fmt.Printf("survived  %s:%d  %s\n          %s\n", m.File, m.Line, m.ID(), reason)
	}
	fmt.Printf("%d killed, %d survived (%d without a reason), %d do not compile\n", tally[mutants.Killed], tally[mutants.Survived], unknown, tally[mutants.Unviable])
	if unknown > 0 {
		return fmt.Errorf("%d mutants survive", unknown)
	}
	return nil
}

func containing(list []mutants.Mutant, text string) []mutants.Mutant {
	var kept []mutants.Mutant
	for _, m := range list {
		if strings.Contains(m.ID(), text) {
			kept = append(kept, m)
		}
	}
	return kept
}
