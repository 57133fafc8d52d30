package admin

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/push"
	"github.com/cowboyinc/cowboy-go/actors/push/protocol"
	"github.com/cowboyinc/cowboy-go/chain/block"
)

const deployDir = "../../../cmd/cowboyd/deploy"

// exported gives the names of all metrics of a node that has seen a block.
func exported(t *testing.T) map[string]bool {
	t.Helper()
	m := NewMetrics(node{true}, "1")
	m.Watch(twoPeers{})
	m.Follow(quorum{})
	m.Time(&Slows{})
	m.Stand(func() Standing {
		return Standing{Registered: true, Status: "jailed", Signer: &Signer{Failed: map[string]uint64{"away": 1}}}
	})
	m.Rents(func() (Rent, bool) { return Rent{Began: true}, true })
	work := NewWork()
	m.Spend(work)
	work.Clients(http.NotFoundHandler()).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	m.Push(func() *push.Status { return &push.Status{Refused: map[protocol.Reason]uint64{protocol.TooMuch: 1}} })
	m.Refuse(func() map[string]uint64 { return map[string]uint64{"E_TX_NONCE": 1} })
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.db"), make([]byte, 7), 0o600); err != nil {
		t.Fatal(err)
	}
	m.Machine(dir)
	m.Observe(&block.Header{TimestampMs: 1}, 1, 1, []*block.Receipt{{}})
	families, err := m.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, f := range families {
		names[f.GetName()] = true
	}
	return names
}

// TestDeployedExpressions holds the dashboard and the alert rules to the metrics a node has.
func TestDeployedExpressions(t *testing.T) {
	names := exported(t)
	var expressions []string
	text, err := os.ReadFile(filepath.Join(deployDir, "grafana.json"))
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	for _, p := range board.Panels {
		if p.Title == "" || len(p.Targets) == 0 {
			t.Errorf("an empty panel: %+v", p)
		}
		for _, target := range p.Targets {
			expressions = append(expressions, target.Expr)
		}
	}
	rules, err := os.ReadFile(filepath.Join(deployDir, "alerts.yml"))
	if err != nil {
		t.Fatal(err)
	}
	alerts := 0
	for line := range strings.Lines(string(rules)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "- alert: ") {
			alerts++
		}
		if expr, ok := strings.CutPrefix(line, "expr: "); ok {
			expressions = append(expressions, expr)
		}
	}
	if alerts < 5 || len(expressions) < alerts+len(board.Panels) {
		t.Fatalf("%d alerts, %d panels, %d expressions", alerts, len(board.Panels), len(expressions))
	}
	metric := regexp.MustCompile(`\b(?:cowboy|go|process)_[a-z0-9_]+`)
	for _, e := range expressions {
		found := metric.FindAllString(e, -1)
		if len(found) == 0 {
			t.Errorf("%q looks at nothing", e)
		}
		for _, name := range found {
			if !names[name] && !names[strings.TrimSuffix(name, "_bucket")] {
				t.Errorf("%q looks at %s, which no node exports", e, name)
			}
		}
		if strings.Count(e, "(") != strings.Count(e, ")") || strings.Count(e, "{") != strings.Count(e, "}") {
			t.Errorf("%q is not balanced", e)
		}
	}
}

// TestEveryRuleHasItsRunbook: the rules and the headings under Runbook are the same, in the same order, and what the guide calls worth an alert has a rule.
func TestEveryRuleHasItsRunbook(t *testing.T) {
	rules, err := os.ReadFile(filepath.Join(deployDir, "alerts.yml"))
	if err != nil {
		t.Fatal(err)
	}
	guide, err := os.ReadFile("../../../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	_, runbook, ok := strings.Cut(string(guide), "\n## Runbook\n")
	if !ok {
		t.Fatal("docs/operating.md has no runbook")
	}
	var names, headings []string
	for _, m := range regexp.MustCompile(`(?m)^ *- alert: (\S+)$`).FindAllStringSubmatch(string(rules), -1) {
		names = append(names, m[1])
	}
	for _, part := range strings.Split(runbook, "\n### ")[1:] {
		heading, text, _ := strings.Cut(part, "\n")
		headings = append(headings, heading)
		if len(strings.Fields(text)) < 10 {
			t.Errorf("%s: %q is no help", heading, text)
		}
	}
	if !slices.Equal(names, headings) {
		t.Errorf("rules %v\nrunbook %v", names, headings)
	}
	// "Worth an alert: no new block for ten seconds, a restart of a subsystem, fewer than two peers, less than 10 GiB of disk"
	for _, want := range []string{
		"cowboy_consensus_block_age_seconds > 10\n", "increase(cowboy_subsystem_restarts_total[5m]) > 0\n", "cowboy_p2p_peers < 2\n",
		"cowboy_disk_free_bytes < 10 * 1024 * 1024 * 1024\n",
	} {
		if !strings.Contains(string(rules), "expr: "+want) {
			t.Errorf("no rule says %q", want)
		}
	}
	told := exported(t)
	for _, name := range regexp.MustCompile("`(cowboy_[a-z0-9_]+)").FindAllStringSubmatch(string(guide), -1) {
		if !told[name[1]] && !strings.HasPrefix(name[1], "cowboy_memory_") {
			t.Errorf("the guide names %s, which no node exports", name[1])
		}
	}
}

// TestWorkIsMeasured: a client's request is counted under its route, a stranger's invented one under none, and streams pass.
func TestWorkIsMeasured(t *testing.T) {
	w := NewWork()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /things/{id}", func(out http.ResponseWriter, _ *http.Request) { out.WriteHeader(http.StatusTeapot) })
	mux.HandleFunc("GET /stream", func(out http.ResponseWriter, _ *http.Request) {
		if _, wrapped := out.(*statusWriter); wrapped {
			t.Error("a stream is wrapped")
		}
	})
	h := w.Clients(mux)
	for _, path := range []string{"/things/1", "/things/2", "/stream", "/invented"} {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", path, nil))
	}
	n := node{true}
	m := NewMetrics(n, "1")
	m.Spend(w)
	_, body := ask(t, New(n, m, nil), "GET", "/metrics", nil)
	for _, line := range []string{
		`cowboy_rpc_request_seconds_count{code="4xx",route="GET /things/{id}"} 2`, `cowboy_rpc_request_seconds_count{code="4xx",route="none"} 1`,
	} {
		if !strings.Contains(body, line) {
			t.Errorf("no line %q", line)
		}
	}
	if strings.Count(body, "cowboy_rpc_request_seconds_count") != 2 {
		t.Error("more routes than there are")
	}
}

// TestSizesOfData: files are counted under their first name, so many names and no more.
func TestSizesOfData(t *testing.T) {
	dir := t.TempDir()
	put := func(name string, size int) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("chain/a", 3)
	put("chain/b/c", 4)
	put("index.db", 5)
	c := &machineCollector{dir: dir}
	now := time.Unix(1_700_000_000, 0)
	if got := c.size(now); len(got) != 2 || got["chain"] != 7 || got["index.db"] != 5 {
		t.Errorf("%v", got)
	}
	for i := range 2 * firstNames {
		put(fmt.Sprintf("x%02d", i), 1)
	}
	if got := c.size(now.Add(sizeEvery - 1)); len(got) != 2 {
		t.Errorf("counted again at once: %v", got)
	}
	got := c.size(now.Add(sizeEvery))
	if len(got) != firstNames+1 || got["other"] != 2*firstNames-(firstNames-2) {
		t.Errorf("%d names, %v others", len(got), got["other"])
	}
}
