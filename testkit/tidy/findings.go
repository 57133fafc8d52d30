package tidy

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Findings counts what breaks a rule by where it does: a file, or a file and a function.
type Findings map[string]int

// ParseList reads a list of exceptions: a line each, where and, last, how many.
func ParseList(text string) (Findings, error) {
	list := Findings{}
	for i, line := range strings.Split(text, "\n") {
		if line == "" {
			continue
		}
		at := strings.LastIndexByte(line, ' ')
		n, err := strconv.Atoi(line[at+1:])
		if _, twice := list[line[:max(at, 0)]]; at <= 0 || err != nil || n <= 0 || twice {
			return nil, fmt.Errorf("line %d: %q is not a place of its own and a number", i+1, line)
		}
		list[line[:at]] = n
	}
	return list, nil
}

// String writes the findings as a list.
func (f Findings) String() string {
	var b strings.Builder
	for _, where := range slices.Sorted(maps.Keys(f)) {
		fmt.Fprintf(&b, "%s %d\n", where, f[where])
	}
	return b.String()
}

// Against compares the findings with the list of exceptions, which only shrinks: what the list does not have, or has smaller, is a problem, and so is
// what the list has for nothing.
func (f Findings) Against(list Findings) []string {
	var problems []string
	for _, where := range slices.Sorted(maps.Keys(f)) {
		switch n, listed := f[where], list[where]; {
		case listed == 0:
			problems = append(problems, fmt.Sprintf("%s: %d", where, n))
		case n > listed:
			problems = append(problems, fmt.Sprintf("%s: %d, and the list of exceptions allows %d", where, n, listed))
		case n < listed:
			problems = append(problems, fmt.Sprintf("%s: %d only: the list of exceptions says %d and must shrink", where, n, listed))
		}
	}
	for _, where := range slices.Sorted(maps.Keys(list)) {
		if f[where] == 0 {
			problems = append(problems, fmt.Sprintf("%s: keeps the rule: take it off the list of exceptions", where))
		}
	}
	return problems
}

// Shrink is the list without what is no longer needed. It never grows.
func (f Findings) Shrink(list Findings) Findings {
	shrunk := Findings{}
	for where, n := range list {
		if n = min(n, f[where]); n > 0 {
			shrunk[where] = n
		}
	}
	return shrunk
}
