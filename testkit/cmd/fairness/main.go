// Command fairness looks for programs and transactions with much processor time a cycle.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/cowboyinc/cowboy-go/testkit/fairness"
)

func main() {
	length := flag.Duration("for", 5*time.Minute, "how long to look for, beside the turns of a chain")
	seed := flag.Uint64("seed", 1, "what the cases are made from")
	python := flag.String("python", "python3", "CPython 3.11, for the reference")
	most := flag.Int("most", 50, "how many of the worst to print")
	kinds := flag.String("kinds", "turns,natives,programs", "what to look at")
	keep := flag.String("keep", "", "file to add the worst natives and programs to, as a corpus")
	flag.Parse()
	if err := run(*length, *seed, *python, *most, *kinds, *keep); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(length time.Duration, seed uint64, python string, most int, kinds, keep string) error {
	defer fairness.Quiet()()
	h := fairness.Hunt{Reference: fairness.Measure(python), Seed: seed, Most: most, Log: os.Stdout}
	fmt.Println("reference:", h.Reference.How)
	if err := h.Run(kinds, length); err != nil {
		return err
	}
	h.Print(os.Stdout)
	if keep == "" {
		return nil
	}
	f, err := os.OpenFile(keep, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	return h.Keep(f)
}
