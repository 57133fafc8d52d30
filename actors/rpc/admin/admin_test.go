package admin

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/supervision"
)

type node struct{ ready bool }

func (n node) Health() wire.Health { return wire.Health{MempoolTransactionCount: 3} }
func (n node) Ready() wire.Ready {
	if n.ready {
		return wire.Ready{Ready: true}
	}
	return wire.Ready{Reason: []string{"core/ledger is backoff"}}
}
func (node) Height() wire.Height { return wire.Height{Height: 41, Committed: 42} }
func (node) Basefee() wire.Basefee {
	return wire.Basefee{CycleBasefee: 7, CellBasefee: 8, Lanes: map[string]wire.LaneFee{"user": {CycleBasefee: 9}}}
}
func (n node) Tree() supervision.Status {
	state := "running"
	if !n.ready {
		state = "backoff"
	}
	return supervision.Status{Name: "node", State: "running", Children: []supervision.Status{{
		Name: "ledger", Path: "core/ledger", State: state, Restarts: 2, Inbox: &supervision.InboxStatus{Depth: 5, Capacity: 64, Shed: 6},
	}}}
}

func ask(t *testing.T, h http.Handler, method, target string, change func(*http.Request)) (int, string) {
	t.Helper()
	r := httptest.NewRequest(method, "http://127.0.0.1:4100"+target, nil)
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	body, err := io.ReadAll(w.Result().Body)
	if err != nil {
		t.Fatal(err)
	}
	return w.Code, string(body)
}

func TestLivenessAndReadiness(t *testing.T) {
	for i, c := range []struct {
		ready  bool
		path   string
		status int
		want   string
	}{
		{false, "/livez", 200, "ok\n"},
		{true, "/readyz", 200, "ready\n"},
		{true, "/readyz?verbose", 200, "[+]core/ledger running\nready\n"},
		{false, "/readyz?verbose", 503, "[-]core/ledger backoff\n[-]core/ledger is backoff\nnot ready\n"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			n := node{c.ready}
			if status, body := ask(t, New(n, NewMetrics(n, "1"), nil), "GET", c.path, nil); status != c.status || body != c.want {
				t.Errorf("%s: %d %q, want %d %q", c.path, status, body, c.status, c.want)
			}
		})
	}
}

// TestMetrics scrapes after two blocks a second and a half apart.
func TestMetrics(t *testing.T) {
	n := node{true}
	m := NewMetrics(n, "9.9")
	m.Observe(&block.Header{TimestampMs: 1_000}, 1, 500, []*block.Receipt{{Kind: block.Transaction, FeeBurned: 10, FeeTipped: 1}})
	m.Observe(&block.Header{TimestampMs: 2_500, CyclesUsed: 77}, 2, 900, []*block.Receipt{{Kind: block.Timer, Status: block.Faulted, FeeBurned: 5}})
	status, body := ask(t, New(n, m, nil), "GET", "/metrics", nil)
	if status != 200 {
		t.Fatal(status, body)
	}
	for _, line := range []string{
		"cowboy_consensus_height 41", "cowboy_consensus_committed_height 42", "cowboy_consensus_blocks_total 2", "cowboy_consensus_total_txs 3",
		"cowboy_consensus_num_txs 2", "cowboy_consensus_block_size_bytes 900", "cowboy_consensus_block_interval_seconds_sum 1.5",
		"cowboy_consensus_block_interval_seconds_count 1", "cowboy_block_cycles 77", "cowboy_fee_burned_total 15", "cowboy_fee_tipped_total 1",
		`cowboy_executions_total{kind="timer",status="fault"} 1`, "cowboy_mempool_size 3", "cowboy_ready 1", `cowboy_fee_basefee{meter="cell"} 8`,
		`cowboy_fee_lane_basefee{lane="user",meter="cycle"} 9`, `cowboy_subsystem_up{path="core/ledger"} 1`,
		`cowboy_subsystem_restarts_total{path="core/ledger"} 2`, `cowboy_inbox_depth{path="core/ledger"} 5`, `cowboy_inbox_shed_total{path="core/ledger"} 6`,
		`cowboy_build_info{version="9.9"} 1`, "go_goroutines ",
	} {
		if !strings.Contains(body, "\n"+line) {
			t.Errorf("no line %q in the metrics", line)
		}
	}
}

// TestOnlyThisMachine refuses a page that a browser was led to, and addresses others could reach.
func TestOnlyThisMachine(t *testing.T) {
	n := node{true}
	h := New(n, NewMetrics(n, "1"), nil)
	for name, change := range map[string]func(*http.Request){
		"another host": func(r *http.Request) { r.Host = "evil.example:4100" },
		"an origin":    func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") },
	} {
		t.Run(name, func(t *testing.T) {
			if status, _ := ask(t, h, "GET", "/debug/pprof/", change); status != http.StatusForbidden {
				t.Errorf("%s: %d", name, status)
			}
		})
	}
	if status, body := ask(t, h, "GET", "/debug/actors", func(r *http.Request) { r.Host = "localhost" }); status != 200 || !strings.Contains(body, "ledger") {
		t.Errorf("localhost: %d %s", status, body)
	}
	for address, ok := range map[string]bool{"127.0.0.1:1": true, "[::1]:1": true, "localhost:1": true, "0.0.0.0:1": false, ":1": false, "10.0.0.1:1": false,
		"x": false} {
		t.Run(address, func(t *testing.T) {
			if err := CheckAddress(address); (err == nil) != ok || err != nil && !errors.Is(err, ErrAddress) {
				t.Errorf("%s: %v", address, err)
			}
		})
	}
}

// TestLevels changes levels while loggers are in use.
func TestLevels(t *testing.T) {
	n := node{true}
	levels := NewLevels(zerolog.InfoLevel)
	h := New(n, NewMetrics(n, "1"), levels)
	var out bytes.Buffer
	replica := levels.Logger(zerolog.New(&out), "node/core/replica")
	replica.Debug().Msg("first")
	if status, body := ask(t, h, "PUT", "/log?subsystem=core&level=debug", nil); status != 200 || body != "all info\ncore debug\n" {
		t.Errorf("%d %q", status, body)
	}
	replica.Debug().Msg("second")
	if _, body := ask(t, h, "PUT", "/log?subsystem=core/replica&level=error", nil); body != "all info\ncore debug\ncore/replica error\n" {
		t.Errorf("%q", body)
	}
	replica.Warn().Msg("third")
	ask(t, h, "PUT", "/log?level=warn", nil)
	replica.Error().Msg("fourth")
	if got, want := out.String(), `{"level":"debug","message":"second"}`+"\n"+`{"level":"error","message":"fourth"}`+"\n"; got != want {
		t.Errorf("logged %s, want %s", got, want)
	}
	if levels.Of("intake/rpc") != zerolog.WarnLevel || levels.Of("corex") != zerolog.WarnLevel {
		t.Error("a level reaches beyond its subsystem")
	}
	for _, q := range []string{"", "level=loud", "level="} {
		if status, _ := ask(t, h, "PUT", "/log?"+q, nil); status != 400 {
			t.Errorf("%q: %d", q, status)
		}
	}
	for i := range 2 * maxLevels {
		if err := levels.Set(fmt.Sprint(i), zerolog.InfoLevel); err != nil {
			if !errors.Is(err, ErrLevels) || i < maxLevels-2 {
				t.Fatal(i, err)
			}
			return
		}
	}
	t.Error("levels without bound")
}
