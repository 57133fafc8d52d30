package pvmtool

import (
	"fmt"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// Actors gives the profile of actors as text: the dearest handlers and functions, at most top of each, then of each source that read gives the lines that used
// anything.
func Actors(stacks pvm.Stacks, read func(file string) ([]byte, error), top int) string {
	var b strings.Builder
	total := stacks.Total()
	share := func(cycles int64) string { return fmt.Sprintf("%5.1f%%", float64(cycles)*100/float64(max(total, 1))) }
	fmt.Fprintf(&b, "%d cycles in handlers\n\n%14s %6s %14s %6s %6s  handler\n", total, "self", "", "with calls", "", "runs")
	for i, h := range stacks.Handlers() {
		if i == top {
			break
		}
		label := pvm.Frame{File: h.File, Name: h.Name, Entry: true}.Label()
		fmt.Fprintf(&b, "%14d %s %14d %s %6d  %s\n", h.Self, share(h.Self), h.Total, share(h.Total), h.Runs, label)
	}
	fmt.Fprintf(&b, "\n%14s %6s %14s %6s  function\n", "self", "", "total", "")
	for i, f := range stacks.Functions() {
		if i == top {
			break
		}
		fmt.Fprintf(&b, "%14d %s %14d %s  %s (%s:%d)\n", f.Self, share(f.Self), f.Total, share(f.Total), unitext.PlainLine(f.Name), f.File, f.Line)
	}
	sources := map[string][]string{}
	for _, l := range stacks.Lines() {
		if _, known := sources[l.File]; !known {
			sources[l.File] = nil
			if source, err := read(l.File); err == nil {
				sources[l.File] = strings.Split(string(source), "\n")
			}
		}
	}
	file := ""
	costs, rest := stacks.Caused(func(file string) bool { return sources[file] != nil })
	for _, l := range costs {
		if l.File != file {
			file = l.File
			fmt.Fprintf(&b, "\n%14s %6s  %s, with the library on its behalf\n", "cycles", "", file)
		}
		text, lines := "", sources[file]
		if l.Line <= len(lines) {
			text, _ = unitext.Window(lines[l.Line-1], 0)
		}
		fmt.Fprintf(&b, "%14d %s %5d  %s\n", l.Cycles, share(l.Cycles), l.Line, text)
	}
	if rest > 0 {
		fmt.Fprintf(&b, "\n%14d %s  storage, arguments, and actors without a file\n", rest, share(rest))
	}
	return b.String()
}
