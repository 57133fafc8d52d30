package conform

import (
	"fmt"
	"sort"
	"strings"
)

// Line returns the counts of a report in one line.
func (r *Report) Line() string {
	return fmt.Sprintf("%-32s passed %4d  failed %4d  not applicable %4d", r.Program, r.Count(Passed), r.Count(Failed), r.Count(NotApplicable))
}

// share returns the passed part of the applicable tests, in percent.
func share(passed, failed int) string {
	if passed+failed == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(passed)/float64(passed+failed))
}

func totals(reports []*Report) (passed, failed, absent int) {
	for _, r := range reports {
		passed += r.Count(Passed)
		failed += r.Count(Failed)
		absent += r.Count(NotApplicable)
	}
	return passed, failed, absent
}

// Summary returns the counts over all reports, in one line.
func Summary(reports []*Report) string {
	p, f, n := totals(reports)
	return fmt.Sprintf("%d programs: passed %d, failed %d, not applicable %d; %s of the applicable\n", len(reports), p, f, n, share(p, f))
}

// Table returns the reports as a page: counts per program, the reasons for which
// tests do not apply, and the tests that fail.
func Table(reports []*Report) string {
	var b strings.Builder
	b.WriteString("# CPython 3.11's test programs on the Python machine\n\n")
	b.WriteString("Written by `go run ./testkit/cmd/conform -cpython DIR -table testkit/conform/RESULTS.md`; see `testkit/conform/doc.go`.\n\n")
	b.WriteString("| Program | Passed | Failed | Not applicable | Of the applicable |\n|---|---:|---:|---:|---:|\n")
	for _, r := range reports {
		p, f := r.Count(Passed), r.Count(Failed)
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %s |\n", r.Program, p, f, r.Count(NotApplicable), share(p, f))
	}
	p, f, n := totals(reports)
	fmt.Fprintf(&b, "| **all** | **%d** | **%d** | **%d** | **%s** |\n", p, f, n, share(p, f))
	writeReasons(&b, reports)
	writeFailures(&b, reports)
	return b.String()
}

// writeReasons lists why tests do not apply, the most frequent reason first.
func writeReasons(b *strings.Builder, reports []*Report) {
	count := map[string]int{}
	for _, r := range reports {
		for _, t := range r.Results {
			if t.Status == NotApplicable {
				count[oneLine(t.Detail)]++
			}
		}
	}
	reasons := make([]string, 0, len(count))
	for reason := range count { // order-free: sorted below
		reasons = append(reasons, reason)
	}
	sort.Slice(reasons, func(i, j int) bool {
		if count[reasons[i]] != count[reasons[j]] {
			return count[reasons[i]] > count[reasons[j]]
		}
		return reasons[i] < reasons[j]
	})
	b.WriteString("\n## Why tests do not apply\n\n| Reason | Tests |\n|---|---:|\n")
	for _, reason := range reasons {
		fmt.Fprintf(b, "| %s | %d |\n", strings.ReplaceAll(reason, "|", "\\|"), count[reason])
	}
}

// writeFailures lists the tests that fail.
func writeFailures(b *strings.Builder, reports []*Report) {
	b.WriteString("\n## Failing\n\n")
	for _, r := range reports {
		if r.Fault != "" {
			fmt.Fprintf(b, "- `%s` does not load: %s\n", r.Program, oneLine(r.Fault))
		}
		for _, t := range r.Results {
			if t.Status == Failed {
				fmt.Fprintf(b, "- `%s`\n", t.ID)
			}
		}
	}
}

// oneLine returns the first line of a text, cut to a readable length.
func oneLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	if len(s) > 120 {
		s = s[:120] + "…"
	}
	return s
}
