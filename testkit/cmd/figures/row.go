package main

import (
	"fmt"
	"regexp"
)

// row is one line of the table: what is measured, here and at a peer.
type row struct {
	what    string
	unit    string // behind the numbers
	more    bool   // more is better; otherwise less is
	here    reading
	peer    reading // without a command there is none
	against string  // the peer's name
	mean    bool    // the lines have names: only the ratio is shown, the geometric mean of the ratios of lines with one name
	without string  // regular expression of names that the mean leaves out
}

// reading says how a number is measured and found.
type reading struct {
	folder  string   // below the directory of the peers' programs; empty: the command runs in this repository
	command string   // words between single spaces; those of the form NAME=value at the beginning are set in the environment
	lines   []string // regular expressions, one for each number shown; the last group is the number, and what matches several times gives the median
	scale   float64  // multiplies what was read; 0 is 1
	inverse bool     // the scaled number is seconds, and what is shown is how often they fit into one second
}

// benchmark reads one measure of benchmarks of a package, which the pattern selects, each under its full name.
func benchmark(pkg, pattern, time, unit string, names ...string) reading {
	r := reading{command: fmt.Sprintf("go test -run ^$ -bench %s -benchtime %s -count 3 -timeout 60m ./%s", pattern, time, pkg)}
	for _, name := range names {
		r.lines = append(r.lines, metric(name, unit))
	}
	return r
}

// metric finds one measure of a benchmark in the lines that go test prints.
func metric(name, unit string) string {
	return `(?m)^` + regexp.QuoteMeta(name) + `(?:-\d+)?\s.*?\s([\d.e+]+) ` + regexp.QuoteMeta(unit) + `(?:\s|$)`
}

// peer reads a line of a peer's program.
func peer(folder, command string, lines ...string) reading {
	return reading{folder: folder, command: command, lines: lines}
}

// times is a reading with its numbers multiplied.
func (r reading) times(scale float64) reading {
	r.scale = scale
	return r
}

// perSecond is a reading of nanoseconds shown as how many of it there are in a second.
func (r reading) perSecond() reading {
	r.scale, r.inverse = 1e-9, true
	return r
}

// Scales from nanoseconds.
const (
	toMicro = 1e-3
	toMilli = 1e-6
	toSec   = 1e-9
)
