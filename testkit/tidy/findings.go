package tidy

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Findings counts what breaks a rule by where it does: a file, or a file and a function.
type Findings map[string]int

// Exception excuses a place from a rule.
type Exception struct {
	Count int    // how often, or how long, the place may break the rule
	Why   string // why it stays; empty in a list that needs no reasons
}

// Exceptions is the list of one rule, by place.
type Exceptions map[string]Exception

var exception = regexp.MustCompile(`^(\S.*) ([1-9][0-9]*)(?:: (\S.{19,}))?$`)

// ParseList reads a list of exceptions, a line each: where, how many, and after a colon the reason, if it has one: at least twenty characters.
func ParseList(text string) (Exceptions, error) {
	list := Exceptions{}
	for i, line := range strings.Split(text, "\n") {
		if line == "" {
			continue
		}
		m := exception.FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("line %d: %q is not a place, a number and perhaps a reason", i+1, line)
		}
		if _, twice := list[m[1]]; twice {
			return nil, fmt.Errorf("line %d: %s stands twice", i+1, m[1])
		}
		n, err := strconv.Atoi(m[2])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		list[m[1]] = Exception{n, m[3]}
	}
	return list, nil
}

// String writes the list as ParseList reads it.
func (list Exceptions) String() string {
	var b strings.Builder
	for _, where := range slices.Sorted(maps.Keys(list)) {
		fmt.Fprintf(&b, "%s %d", where, list[where].Count)
		if why := list[where].Why; why != "" {
			b.WriteString(": " + why)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Against compares the findings with the list of exceptions, which only shrinks: what the list does not have, or has smaller, is a problem, and so is
// what the list has for nothing.
func (f Findings) Against(list Exceptions) []string {
	var problems []string
	for _, where := range slices.Sorted(maps.Keys(f)) {
		switch n, listed := f[where], list[where].Count; {
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
func (f Findings) Shrink(list Exceptions) Exceptions {
	shrunk := Exceptions{}
	for where, e := range list {
		if e.Count = min(e.Count, f[where]); e.Count > 0 {
			shrunk[where] = e
		}
	}
	return shrunk
}
