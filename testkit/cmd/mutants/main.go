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
	tests := flag.String("tests", "", "import paths of packages whose tests are run, with commas; all that consensus rests on unless given")
	only := flag.String("only", "", "try only mutants whose ID contains this text")
	flag.Parse()
	if err := run(*count, *seed, strings.Split(*dirs, ","), *tests, *only); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(count int, seed uint64, dirs []string, tests, only string) error {
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
	packages, err := mutants.Consensus(root)
	if err != nil {
		return err
	}
	if tests != "" {
		packages = strings.Split(tests, ",")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	start := time.Now()
	list := mutants.Pick(all, seed, count+count/4) // some do not compile
	runner, err := mutants.NewRunner(ctx, root, packages, list)
	if err != nil {
		return err
	}
	defer runner.Close()
	fmt.Printf("compiled, and run once without a mutant, after %v; without %v\n", time.Since(start).Round(time.Second), runner.Skipped())
	kept := mutants.Kept()
	var tally [3]int
	unknown := 0
	for i, m := range list {
		if tally[mutants.Killed]+tally[mutants.Survived] == count {
			break
		}
		verdict, by, err := runner.Try(ctx, i)
		if ctx.Err() != nil {
			break // what was tried counts
		}
		if err != nil {
			return err
		}
		tally[verdict]++
		if verdict == mutants.Killed {
			fmt.Printf("killed    %s:%d  %s by %s\n", m.File, m.Line, m.Func, by)
		}
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
	fmt.Printf("%d killed, %d survived (%d without a reason), %d do not compile, %v\n", tally[mutants.Killed], tally[mutants.Survived], unknown,
		tally[mutants.Unviable], time.Since(start).Round(time.Second))
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
