// Command conform runs CPython 3.11's own test programs on the Python machine and
// counts what passed, failed and does not apply; see package conform.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/cowboyinc/cowboy-go/testkit/conform"
)

func main() {
	dir := flag.String("cpython", "", "directory test of an installed CPython 3.11")
	asJSON := flag.Bool("json", false, "print one report per line as JSON")
	verbose := flag.Bool("v", false, "print every failure with its traceback")
	reasons := flag.Bool("reasons", false, "print every test that does not apply with its reason")
	run := flag.String("run", "", "run only tests whose id, or method, matches this pattern")
	table := flag.String("table", "", "write the table of counts to this file")
	cycles := flag.Int64("cycles", conform.DefaultCycles, "cycles of one test")
	beside := flag.String("beside", "", "directories, separated by colons, of further modules that programs may import")
	script := flag.String("script", "", "run this file as a program instead of tests")
	worker := flag.Int("worker", -1, "run one program from the test of this number on and report to the parent process")
	flag.Parse()
	suite, err := conform.Open(*dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	suite.Run, suite.Cycles = *run, *cycles
	if *beside != "" {
		suite.Beside = strings.Split(*beside, ":")
	}
	if *script != "" {
		status, skipped := suite.Script(*script, os.Stdout, os.Stderr)
		if skipped != "" {
			fmt.Fprintln(os.Stderr, "not applicable:", skipped)
			status = 77 // as in test programs of other tools
		}
		os.Exit(status)
	}
	names := flag.Args()
	if len(names) == 0 {
		names = conform.Programs()
	}
	if *worker >= 0 {
		work(suite, names[0], *worker)
		return
	}
	var reports []*conform.Report
	for _, name := range names {
		r, err := supervise(name)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		reports = append(reports, r)
		if *asJSON {
			line, err := json.Marshal(r)
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			fmt.Printf("%s\n", line)
			continue
		}
		show(r, *verbose, *reasons)
	}
	if !*asJSON {
		fmt.Print(conform.Summary(reports))
	}
	if *table != "" {
		if err := os.WriteFile(*table, []byte(conform.Table(reports)), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// show prints a report for people.
func show(r *conform.Report, verbose, reasons bool) {
	fmt.Println(r.Line())
	if r.Fault != "" {
		fmt.Println("  does not load:", r.Fault)
	}
	for _, t := range r.Results {
		switch {
		case t.Status == conform.Failed:
			fmt.Printf("  FAIL %s: %.400s\n", t.ID, t.Detail)
			if verbose {
				fmt.Println(t.Trace)
			}
		case t.Status == conform.NotApplicable && reasons:
			fmt.Printf("  n/a  %s: %s\n", t.ID, t.Detail)
		}
	}
}
