package pyfuzz

import (
	"regexp"
	"strings"
)

var frameHead = regexp.MustCompile(`^([ |+-]*)  File "([^"]*)", line \d+, in (.*)$`)

// inlinedFrames takes out of CPython's tracebacks what the PVM's do not show: frames of the library, and the frames of
// comprehensions, which here are part of the frame around them.
func inlinedFrames(output string) string {
	lines := strings.SplitAfter(output, "\n")
	var out []string
	before := -1 // where in out the frame before begins; -1 behind anything else
	for i := 0; i < len(lines); {
		head := frameHead.FindStringSubmatch(strings.TrimSuffix(lines[i], "\n"))
		if head == nil {
			out = append(out, lines[i])
			before = -1
			i++
			continue
		}
		end := i + 1
		for end < len(lines) && strings.HasPrefix(lines[end], head[1]+"    ") {
			end++
		}
		frame := lines[i:end]
		i = end
		switch {
		case head[2] != "main.py":
			continue
		case before >= 0 && (head[3] == "<listcomp>" || head[3] == "<dictcomp>" || head[3] == "<setcomp>"):
			around := frameHead.FindStringSubmatch(strings.TrimSuffix(out[before], "\n"))
			out = append(out[:before], strings.TrimSuffix(frame[0], head[3]+"\n")+around[3]+"\n")
			out = append(out, frame[1:]...)
			continue
		}
		before = len(out)
		out = append(out, frame...)
	}
	return strings.Join(out, "")
}
