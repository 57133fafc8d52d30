package admin

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
)

const deployDir = "../../../cmd/cowboyd/deploy"

// exported gives the names of all metrics of a node that has seen a block.
func exported(t *testing.T) map[string]bool {
	t.Helper()
	m := NewMetrics(node{true}, "1")
	m.Watch(crowd{})
	m.Follow(quorum{})
	m.Time(&Slows{})
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
