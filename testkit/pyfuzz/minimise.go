package pyfuzz

import (
	"regexp"
	"strings"
	"time"
)

// Minimise deletes statements of a program, and takes expressions apart, as long as
// the two machines still differ in it, for at most the given time.
func Minimise(c *CPython, source string, traceback bool, limit time.Duration) string {
	deadline := time.Now().Add(limit)
	var malformed bool
	var kind string
	differs := func(lines []string) bool {
		v, got, want, err := Compare(c, strings.Join(lines, "\n")+"\n", traceback)
		if err != nil || v != Different {
			return false
		}
		return refused(want) == malformed && kindOf(got, want) == kind
	}
	lines := strings.Split(strings.TrimRight(source, "\n"), "\n")
	_, got, want, err := Compare(c, source, traceback)
	kind = kindOf(got, want)
	malformed = err == nil && refused(want)
	for changed := true; changed && time.Now().Before(deadline); {
		changed = false
		for i := len(lines) - 1; i >= 0 && time.Now().Before(deadline); i-- {
			if i >= len(lines) {
				continue
			}
			for _, smaller := range reductions(lines, i) {
				if differs(smaller) {
					lines, changed = smaller, true
					break
				}
			}
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

var (
	raised = regexp.MustCompile(`(\w+(?:Error|Exception|Iteration|Operation|Zero|Exit|Group|Boom)\b)(.*)`)
	detail = regexp.MustCompile(`'[^']*'|"[^"]*"|\d+`)
)

// kindOf describes a difference without its accidents: the exceptions on both
// sides and the fixed parts of their messages.
func kindOf(got, want string) string {
	g, w := FirstDifference(got, want)
	kind := ""
	for _, line := range []string{g, w} {
		if found := raised.FindStringSubmatch(line); found != nil {
			kind += found[1] + detail.ReplaceAllString(found[2], "")
		}
		kind += "|"
	}
	return kind
}

// refused says whether CPython did not accept the program at all.
func refused(output string) bool {
	line, _, _ := strings.Cut(output, "\n")
	return len(line) > 0 && line[0] >= '0' && line[0] <= '9' &&
		(strings.Contains(line, ": SyntaxError: ") || strings.Contains(line, ": IndentationError: "))
}

// reductions lists programs that are smaller at line i.
func reductions(lines []string, i int) [][]string {
	var out [][]string
	indent := indentation(lines[i])
	end := i + 1
	for end < len(lines) && indentation(lines[end]) > indent {
		end++
	}
	out = append(out, splice(lines, i, end))
	// A try statement without its handlers.
	if clauses := clausesEnd(lines, end, indent); clauses > end {
		out = append(out, splice(lines, i, clauses), splice(lines, i, clauses, dedent(lines[i+1:end])...))
	}
	if end > i+1 {
		out = append(out, splice(lines, i, end, dedent(lines[i+1:end])...))
	}
	pad := strings.Repeat(" ", indent)
	if strings.TrimSpace(lines[i]) != "pass" {
		out = append(out, splice(lines, i, end, pad+"pass"))
	}
	for _, shorter := range simplified(lines[i]) {
		out = append(out, splice(lines, i, i+1, shorter))
	}
	return out
}

func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// clausesEnd finds the end of the clauses that continue a compound statement.
func clausesEnd(lines []string, i, indent int) int {
	for i < len(lines) && indentation(lines[i]) == indent {
		word := strings.TrimSpace(lines[i])
		if !strings.HasPrefix(word, "except") && !strings.HasPrefix(word, "finally") && !strings.HasPrefix(word, "el") {
			break
		}
		for i++; i < len(lines) && indentation(lines[i]) > indent; i++ {
		}
	}
	return i
}

func splice(lines []string, from, to int, with ...string) []string {
	out := make([]string, 0, len(lines)+len(with))
	return append(append(append(out, lines[:from]...), with...), lines[to:]...)
}

func dedent(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.TrimPrefix(l, "    ")
	}
	return out
}

// simplified lists a line with one bracketed part taken out, replaced by a plain
// value, or standing for the whole around it.
func simplified(line string) []string {
	var out []string
	for i := 0; i < len(line); i++ {
		if strings.IndexByte("([{", line[i]) < 0 {
			continue
		}
		depth, j := 0, i
		for ; j < len(line); j++ {
			if strings.IndexByte("([{", line[j]) >= 0 {
				depth++
			} else if strings.IndexByte(")]}", line[j]) >= 0 {
				if depth--; depth == 0 {
					break
				}
			}
		}
		if j >= len(line) {
			break
		}
		inside := line[i+1 : j]
		out = append(out, line[:i]+"1"+line[j+1:])
		if inside != "" {
			out = append(out, line[:i+1]+line[j:], line[:i]+inside+line[j+1:])
		}
		for _, k := range commas(inside) {
			out = append(out, line[:i+1]+strings.TrimSpace(inside[k+1:])+line[j:], line[:i+1]+inside[:k]+line[j:])
		}
	}
	return out
}

// commas finds the commas at the top level of a list.
func commas(list string) []int {
	var at []int
	depth := 0
	for i := range len(list) {
		switch list[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				at = append(at, i)
			}
		}
	}
	return at
}
