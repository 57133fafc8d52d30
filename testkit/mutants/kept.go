package mutants

import (
	_ "embed"
	"strings"
)

//go:embed kept.txt
var kept string

// Kept gives the mutants that make no difference, by ID, each with the reason. In kept.txt a line with the ID is followed by an indented reason.
func Kept() map[string]string {
	reasons := map[string]string{}
	id := ""
	for line := range strings.Lines(kept) {
		line = strings.TrimRight(line, "\n")
		switch text, indented := strings.CutPrefix(line, "    "); {
		case strings.HasPrefix(line, "#") || line == "":
		case indented:
			reasons[id] = strings.TrimSpace(reasons[id] + " " + text)
		default:
			id = line
			reasons[id] = ""
		}
	}
	return reasons
}
