package operate

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/runner"
	"github.com/cowboyinc/cowboy-go/actors/runner/bind"
	"github.com/cowboyinc/cowboy-go/actors/runner/lines"
	"github.com/cowboyinc/cowboy-go/actors/runner/purse"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// The page shows jobs in flight and earnings; words of strangers on it are text. A dispatcher that says nothing is told of.
func TestPage(t *testing.T) {
	s := standing{
		runner.Status{
			Height: 41, Open: 2, Promised: 6, Jobs: []string{"0xaa", "0xbb"}, Working: []runner.AtWork{{Job: "0xbb", Fraction: 40, Detail: "<script>"}},
		},
		lines.Status{Subset: 3, Lines: []lines.Line{{Connected: true}, {}}},
		purse.Status{
			Count: purse.Count{Since: 7, Jobs: 2, Shares: 1_000_000_000, Bonuses: 500_000_000, Slashed: 250_000_000}, Earned: 1_500_000_000, Why: "away",
		},
		&bind.Status{Bound: true, Until: 604_900, Why: "the node is slow"},
	}
	up := true
	server := httptest.NewServer(page("0x01", func() (standing, bool) { return s, up }))
	defer server.Close()
	get := func() (int, string) {
		reply, err := http.Get(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		defer reply.Body.Close()
		text, err := io.ReadAll(reply.Body)
		if err != nil {
			t.Fatal(err)
		}
		if up && !strings.Contains(reply.Header.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Error("it may load something")
		}
		return reply.StatusCode, string(text)
	}
	status, text := get()
	for _, part := range []string{
		"<dd>41</dd>", "<dd>2</dd>", "<dd>1 of 3</dd>", "<dd>6</dd>", "behind block 7", "<dd>1.5 CBY</dd>", "<dd>0.5, 0 CBY</dd>", "<dd>0.25 CBY</dd>",
		"may be old: away", "until block 604900", "the node is slow",
		"<code>0xaa</code></td><td></td>", "<code>0xbb</code></td><td>40 %: &lt;script&gt;</td>",
	} {
		t.Run(part, func(t *testing.T) {
			if status != http.StatusOK || !strings.Contains(text, part) {
				t.Errorf("%d, and no %q in %s", status, part, text)
			}
		})
	}
	up = false
	if status, _ := get(); status != http.StatusServiceUnavailable {
		t.Errorf("%d", status)
	}
}

// The dashboard that is delivered looks at metrics that a runner has.
func TestDashboard(t *testing.T) {
	text, err := os.ReadFile("../../cowboyd/deploy/grafana-runner.json")
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &board); err != nil || len(board.Panels) == 0 {
		t.Fatalf("%d panels: %v", len(board.Panels), err)
	}
	key, err := sig.ParsePrivateKey(bytes.Repeat([]byte{1}, 32))
	if err != nil {
		t.Fatal(err)
	}
	r := newRunning(t.TempDir(), &config{}, io.Discard)
	r.worked(job.HTTP, nil)
	r.told(runner.Event{What: "ended"})
	earnings, _ := r.counts(NewClient(nil, key))
	stop, err := r.control(runner.NewHandle(), "", parts{lines.NewHandle(), earnings, nil})
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	families, err := r.metrics.Gather()
	if err != nil {
		t.Fatal(err)
	}
	looked := map[string]bool{}
	for _, p := range board.Panels {
		for _, target := range p.Targets {
			for _, name := range regexp.MustCompile(`cowboy_runner_[a-z_]+`).FindAllString(target.Expr, -1) {
				looked[name] = true
			}
		}
	}
	for _, f := range families {
		if !looked[f.GetName()] {
			t.Errorf("no panel looks at %s", f.GetName())
		}
		delete(looked, f.GetName())
	}
	for _, name := range slices.Sorted(maps.Keys(looked)) {
		t.Errorf("a panel looks at %s, which no runner has", name)
	}
}
