package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestReadsWhatBenchmarksPrint reads lines as go test prints them; the numbers are in the text.
func TestReadsWhatBenchmarksPrint(t *testing.T) {
	const printed = `goos: linux
BenchmarkBlock/pending=10-2         	     200	     51000 ns/op
BenchmarkBlock/pending=10000-2      	     200	     53000 ns/op
BenchmarkBlock/pending=10-2         	     200	     49000 ns/op
BenchmarkBlock/pending=10-2         	     200	    990000 ns/op
BenchmarkTransfers-2 	 20	  48000000 ns/op	 20800 tx/s	  12 B/op
    bench_test.go:53: memory: 212 bytes per key, of which 5 are tree nodes kept for proofs
`
	for _, c := range []struct {
		name string
		r    reading
		want string
	}{
		{"the median of what repeats, and one number for each line",
			benchmark("x", "y", "1x", "ns/op", "BenchmarkBlock/pending=10", "BenchmarkBlock/pending=10000").times(toMicro), "51.0; 53.0"},
		{"a measure behind others", benchmark("x", "y", "1x", "tx/s", "BenchmarkTransfers"), "20,800"},
		{"a time as a rate", benchmark("x", "y", "1x", "ns/op", "BenchmarkTransfers").perSecond(), "20.8"},
		{"a line of a log", reading{lines: []string{`memory: (\d+) bytes per key`}}, "212"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, err := c.r.find(printed)
			if err != nil {
				t.Fatal(err)
			}
			if got := show(n.list, ""); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	if _, err := benchmark("x", "y", "1x", "ns/op", "BenchmarkBlock").find(printed); err == nil {
		t.Error("the name of a benchmark was found in the names of its parts")
	}
}

// TestRatios: better is above one, whichever way the unit counts.
func TestRatios(t *testing.T) {
	n := func(list ...float64) numbers { return numbers{list: list} }
	for _, c := range []struct {
		name string
		r    row
		m    measurement
		want string
	}{
		{"more is better", row{what: "a", unit: "tx/s", more: true, against: "P"}, measurement{n(20_000), n(5_000), true},
			"| a | 20,000 tx/s | P: 5,000 tx/s | 4.00× | now |"},
		{"less is better", row{what: "a", unit: "ms", against: "P"}, measurement{n(6, 72), n(66, 900), true},
			"| a | 6.00; 72.0 ms | P: 66.0; 900 ms | 11.0×; 12.5× | now |"},
		{"no peer at hand", row{what: "a", unit: "B", against: "P"}, measurement{here: n(212)}, "| a | 212 B |  |  | now |"},
		{
			"a mean leaves names out, and those that one side lacks",
			row{what: "a", against: "P", mean: true, without: "^floats$"},
			measurement{
				numbers{named: map[string]float64{"x": 2, "y": 8, "floats": 9, "own": 1}}, numbers{named: map[string]float64{"x": 4, "y": 4, "floats": 1}},
				true,
			},
			"| a |  | P | geometric mean of times 1.00, best 0.50 (x), worst 2.00 (y) | now |",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := line(c.r, c.m, "now")
			if err != nil || got != c.want {
				t.Errorf("%v\n%s\nwant\n%s", err, got, c.want)
			}
		})
	}
	if got, err := line(row{mean: true}, measurement{}, "now"); err == nil {
		t.Errorf("a mean of nothing is %q", got)
	}
}

// TestSession runs each command once, sets its environment, and leaves out peers that are not at hand.
func TestSession(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "peer"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := session{peers: dir, limit: time.Minute, outputs: map[string]output{}}
	count := reading{command: "RUNS=7 sh -c printenv${IFS}RUNS;echo${IFS}x>>" + filepath.Join(dir, "ran"), lines: []string{`(?m)^(\d+)$`}}
	there := reading{folder: "peer", command: "sh -c basename${IFS}$PWD;echo${IFS}14", lines: []string{`(?m)^peer\n(\d+)$`}}
	missing := reading{folder: "nowhere", command: "sh", lines: []string{`(\d+)`}}
	for range 2 {
		m, err := s.measure(t.Context(), row{here: count, peer: there})
		if err != nil || !m.compared || m.here.list[0] != 7 || m.peer.list[0] != 14 {
			t.Fatal(m, err)
		}
	}
	if m, err := s.measure(t.Context(), row{here: count, peer: missing}); err != nil || m.compared {
		t.Error("a peer without a program was asked:", m, err)
	}
	ran, err := os.ReadFile(filepath.Join(dir, "ran"))
	if err != nil || string(ran) != "x\n" {
		t.Errorf("the command ran %d times, want once: %v", strings.Count(string(ran), "x"), err)
	}
	if _, err := s.measure(t.Context(), row{here: reading{command: "false", lines: []string{"x"}}}); err == nil {
		t.Error("a command that fails was measured")
	}
	if _, err := s.measure(t.Context(), row{mean: true, here: count, peer: missing}); err == nil {
		t.Error("a mean without a peer was measured")
	}
}

// TestPage keeps what was not measured, in the order of the rows, and everything around the table.
func TestPage(t *testing.T) {
	text := "# Head\n\n" + tableMark + tableHead +
		fmt.Sprintf("| %s | 2 | | | then |\n| a row that is gone | 1 | | | then |\n| %s | 1 | | | then |\n", rows[1].what, rows[0].what) + tableEnd + "\nfoot\n"
	p, err := parsePage(text)
	if err != nil {
		t.Fatal(err)
	}
	p.lines[rows[1].what] = "| new |"
	want := "# Head\n\n" + tableMark + tableHead + fmt.Sprintf("| %s | 1 | | | then |\n| new |\n", rows[0].what) + tableEnd + "\nfoot\n"
	if got := p.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, bad := range []string{"# Head\n", "# Head\n" + tableMark + tableHead} {
		if _, err := parsePage(bad); err == nil {
			t.Errorf("a page without a whole table was taken: %q", bad)
		}
	}
}

// TestRows holds the list to the repository: every benchmark that a row runs exists, expressions compile, names are told apart, and the page shows
// nothing that is not in the list.
func TestRows(t *testing.T) {
	const root = "../../.."
	benchmarks := regexp.MustCompile(`-bench \^(Benchmark\w+)\$.* \./(\S+)$`)
	seen := map[string]bool{}
	for _, r := range rows {
		if seen[r.what] || strings.Contains(r.what, "|") {
			t.Errorf("%q is there twice, or cannot stand in a table", r.what)
		}
		seen[r.what] = true
		for _, from := range []reading{r.here, r.peer} {
			for _, form := range from.lines {
				if x, err := regexp.Compile(form); err != nil || x.NumSubexp() < 1 {
					t.Errorf("%q: %q has no number: %v", r.what, form, err)
				}
			}
			if match := benchmarks.FindStringSubmatch(from.command); match != nil && !declares(t, filepath.Join(root, match[2]), match[1]) {
				t.Errorf("%q: no %s in %s", r.what, match[1], match[2])
			}
		}
		if r.peer.command != "" && len(r.peer.lines) != len(r.here.lines) {
			t.Errorf("%q: %d numbers here, %d of the peer", r.what, len(r.here.lines), len(r.peer.lines))
		}
	}
	text, err := os.ReadFile(filepath.Join(root, "docs/figures.md"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := parsePage(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for name := range p.lines {
		if !seen[name] {
			t.Errorf("the page shows %q, which no row measures", name)
		}
	}
	if p.String() != string(text) {
		t.Error("the page is not what this command would write")
	}
}

// declares says whether a test file of a directory declares a function.
func declares(t *testing.T, dir, name string) bool {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d test files, %v", dir, len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "func "+name+"(") {
			return true
		}
	}
	return false
}
