// Command fairness searches for programs and transactions that use the most processor time for their cycles.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime/pprof"
	"time"

	"github.com/cowboyinc/cowboy-go/testkit/fairness"
)

func main() {
	length := flag.Duration("for", 5*time.Minute, "how long to look for, beside turns of a chain, statements and uses")
	seed := flag.Uint64("seed", 1, "what the cases are made from")
	python := flag.String("python", "python3", "CPython 3.11, for the reference")
	most := flag.Int("most", 50, "how many of the worst to print")
	kinds := flag.String("kinds", "turns,statements,uses,natives,programs", "what to look at")
	only := flag.String("only", "", "regular expression of the kinds of blocks, statements, uses, or cases of a corpus, to measure")
	keep := flag.String("keep", "", "file to add the worst natives and programs to, as a corpus")
	replay := flag.String("replay", "", "measure the cases of this corpus instead, in its order, so that two builds can be compared")
	profile := flag.String("profile", "", "file for a processor profile")
	flag.Parse()
	var err error
	if *profile != "" {
		stop, err := start(*profile)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		defer stop()
	}
	if *replay != "" {
		err = again(*replay, *python, *only)
	} else {
		err = run(*length, *seed, *python, *most, *kinds, *keep, *only)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// start begins a profile; stop ends and writes it.
func start(file string) (stop func(), err error) {
	f, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	return func() { pprof.StopCPUProfile(); _ = f.Close() }, pprof.StartCPUProfile(f)
}

func run(length time.Duration, seed uint64, python string, most int, kinds, keep, only string) error {
	names, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	defer fairness.Quiet()()
	h := fairness.Hunt{Reference: fairness.Measure(python), Seed: seed, Most: most, Log: os.Stdout, Only: names}
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

// again measures the cases of a corpus.
func again(file, python, only string) error {
	names, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	defer fairness.Quiet()()
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	list, err := fairness.ReadKept(string(text))
	if err != nil {
		return err
	}
	reference := fairness.Measure(python)
	fmt.Println("reference:", reference.How)
	for _, k := range list {
		if !names.MatchString(k.Name) {
			continue
		}
		if s, ending, ok := reference.MeasureKept(k); ok {
			fmt.Printf("%8.2f %9d  %s -> %s\n", s.PerCycle(), s.Cycles/uint64(max(s.Uses, 1)), k.Name, ending)
		}
	}
	return nil
}
