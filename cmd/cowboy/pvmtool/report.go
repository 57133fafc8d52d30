package pvmtool

import (
	"fmt"
	"sort"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// Report gives a profile as text: the dearest functions, at most top of them, then the file's lines with what each one
// used. source is the text of file.
func Report(p *pvm.Profile, file string, source []byte, top int) string {
	var b strings.Builder
	total := max(p.Total(), 1)
	share := func(cycles int64) string { return fmt.Sprintf("%5.1f%%", float64(cycles)*100/float64(total)) }
	fmt.Fprintf(&b, "%d cycles\n\n%14s %6s %14s %6s  function\n", p.Total(), "self", "", "total", "")
	stacks := p.Stacks()
	for i, f := range stacks.Functions() {
		if i == top {
			break
		}
		where := ""
		if !strings.HasPrefix(f.File, "<") {
			where = fmt.Sprintf(" (%s:%d)", f.File, f.Line)
		}
		fmt.Fprintf(&b, "%14d %s %14d %s  %s%s\n", f.Self, share(f.Self), f.Total, share(f.Total), f.Name, where)
	}
	used := map[int]int64{}
	elsewhere := map[string]int64{}
	for _, l := range stacks.Lines() {
		if l.File == file {
			used[l.Line] = l.Cycles
		} else {
			elsewhere[l.File] += l.Cycles
		}
	}
	fmt.Fprintf(&b, "\n%14s %6s  %s\n", "cycles", "", file)
	for i, text := range strings.Split(strings.TrimRight(string(source), "\n"), "\n") {
		text, _ = unitext.Window(text, 0)
		if cycles := used[i+1]; cycles != 0 {
			fmt.Fprintf(&b, "%14d %s %5d  %s\n", cycles, share(cycles), i+1, text)
		} else {
			fmt.Fprintf(&b, "%14s %6s %5d  %s\n", "", "", i+1, text)
		}
	}
	names := make([]string, 0, len(elsewhere))
	for name := range elsewhere {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Fprintf(&b, "%14d %s        %s\n", elsewhere[name], share(elsewhere[name]), name)
	}
	return b.String()
}

// Folded gives stacks one to a line, "outer;inner cycles", as flame graph tools read them. Lines within a function are not told apart.
func Folded(stacks pvm.Stacks) string {
	var order []string
	sums := map[string]int64{}
	for _, s := range stacks {
		var b strings.Builder
		for i, f := range s.Frames {
			if i > 0 {
				b.WriteByte(';')
			}
			b.WriteString(strings.ReplaceAll(unitext.PlainLine(f.Label()), ";", ","))
		}
		if _, known := sums[b.String()]; !known {
			order = append(order, b.String())
		}
		sums[b.String()] += s.Cycles
	}
	var b strings.Builder
	for _, names := range order {
		if sums[names] > 0 {
			fmt.Fprintf(&b, "%s %d\n", names, sums[names])
		}
	}
	return b.String()
}
