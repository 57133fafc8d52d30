// Command pyfuzz compares the PVM with CPython 3.11 on random programs.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/cowboyinc/cowboy-go/testkit/pyfuzz"
)

func main() {
	n := flag.Uint64("n", 1_000, "how many programs")
	seed := flag.Uint64("seed", 1, "first seed")
	python := flag.String("python", "python3", "CPython 3.11")
	show := flag.Bool("print", false, "print the program of the seed and what both machines print, and stop")
	traceback := flag.Bool("traceback", false, "compare the tracebacks of programs that end in an exception")
	most := flag.Int("most", 20, "stop after this many differences")
	limit := flag.Duration("minimise", 15*time.Second, "time to spend on minimising each difference")
	out := flag.String("out", "", "directory for programs that differ")
	flag.Parse()
	c := pyfuzz.Campaign{
		Seed: *seed, Count: *n, Python: *python, Traceback: *traceback, Most: *most, Minimise: *limit, Log: os.Stdout,
	}
	if *out != "" {
		c.Keep = func(seed uint64, source string) error {
			return os.WriteFile(filepath.Join(*out, fmt.Sprintf("seed%d.py", seed)), []byte(source), 0o644)
		}
	}
	run := c.Run
	if *show {
		run = c.Print
	}
	differences, err := run()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if differences > 0 {
		os.Exit(1)
	}
}
