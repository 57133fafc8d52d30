package fairness

import (
	"cmp"
	"fmt"
	"io"
	"slices"
)

// Print prints the worst cases and the two ends of ordinary programs.
func (h *Hunt) Print(w io.Writer) {
	for _, family := range []string{"statements", "uses", "natives", "programs", "turns"} {
		fmt.Fprintf(w, "%d %s tried\n", h.tried[family], family)
	}
	fmt.Fprintln(w, "ns/cycle    cycles         µs  what, and how it ends")
	for _, f := range h.Worst() {
		fmt.Fprintf(w, "%8.1f %9.0f %10.1f  %-8s %s -> %s\n", f.PerCycle, float64(f.Sample.Cycles)/float64(max(f.Sample.Uses, 1)), f.Sample.Each(),
			f.Family, f.Name, f.Ending)
	}
	long := slices.DeleteFunc(slices.Clone(h.ordinary), func(f Found) bool { return f.Sample.Cycles < 20_000 })
	if len(long) == 0 {
		return
	}
	slices.SortFunc(long, func(a, b Found) int { return cmp.Compare(a.PerCycle, b.PerCycle) })
	first, last := long[0], long[len(long)-1]
	fmt.Fprintf(w, "ordinary programs of 20,000 cycles and more: %d, cheapest %.2f ns/cycle (%s), dearest %.2f (%s), %.1f times\n",
		len(long), first.PerCycle, first.Name, last.PerCycle, last.Name, last.PerCycle/first.PerCycle)
}
