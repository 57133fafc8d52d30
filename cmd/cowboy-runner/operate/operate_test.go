package operate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/actors/runner"
	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/wallet"
	"github.com/cowboyinc/cowboy-go/cmd/internal/operator"
)

// TestMain lets the test program be the process of an examination.
func TestMain(m *testing.M) {
	if !work.Reentered(os.Args) {
		os.Exit(m.Run())
	}
}

func command(t *testing.T, args ...string) (status int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status = Main(args, &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

// Everything begins with init, which touches nothing that is there; wrong usage is told apart from failures.
func TestInit(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "runner")
	status, out, errs := command(t, "init", "--data-dir", dir, "--chain-id", "7")
	if status != 0 || !strings.HasPrefix(out, "runner 0x") {
		t.Fatalf("%d %q %q", status, out, errs)
	}
	for _, name := range []string{keyFile, seedFile, workerFile, configFile} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", name, info, err)
		}
	}
	if c, err := readConfig(dir); err != nil || c.Runner.ChainID != 7 || len(c.Places) != 1 {
		t.Errorf("%+v, %v", c, err)
	}
	if status, _, errs := command(t, "init", "--data-dir", dir); status != 1 || !strings.Contains(errs, "already") {
		t.Errorf("%d %q", status, errs)
	}
	for _, args := range [][]string{{"strat"}, {"start", "now"}, {"worker"}, {"start", "--data", "x"}} {
		if status, _, _ := command(t, args...); status != 2 {
			t.Errorf("%v: %d", args, status)
		}
	}
	if status, _, errs := command(t, "status", "--data-dir", dir); status != 1 || !strings.Contains(errs, "no runner is up") {
		t.Errorf("%d %q", status, errs)
	}
	if status, out, _ := command(t, "doctor", "--data-dir", dir); status != 1 || strings.Count(out, "ok ") != 4 || strings.Count(out, "BAD  ") != 1 {
		t.Errorf("%d %q", status, out)
	}
}

// The configuration the page shows is one that is taken; mistakes are named.
func TestConfiguration(t *testing.T) {
	page, err := os.ReadFile("../../../docs/running-a-runner.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(page), "```toml\n")
	if len(blocks) != 6 {
		t.Fatalf("%d configurations", len(blocks)-1)
	}
	whole := ""
	for _, b := range blocks[1 : len(blocks)-1] {
		text, _, _ := strings.Cut(b, "```")
		whole += text
	}
	cluster, _, _ := strings.Cut(blocks[len(blocks)-1], "```")
	for name, c := range map[string]struct {
		text string
		want string // "" for one that is taken
	}{
		"of the page":    {whole, ""},
		"cluster":        {cluster, ""},
		"replicas":       {"[queue]\nreplicas = 6", "from 1 to 5"},
		"unknown name":   {"[runner]\nrcp = \"x\"", "rcp"},
		"bad capability": {"[[place]]\ncapability = \"ftp\"\ncount = 1", "ftp"},
		"no place":       {"[[place]]\ncapability = \"http\"\ncount = 0", "from 1 to 1024"},
		"most places":    {"[[place]]\ncapability = \"http\"\ncount = 1024", ""},
		"too many":       {"[[place]]\ncapability = \"http\"\ncount = 1025", "from 1 to 1024"},
		"no model":       {"[[place]]\ncapability = \"llm\"\ncount = 1", "nothing is configured"},
		"no image":       {"[[place]]\ncapability = \"container-small\"\ncount = 1", "nothing is configured"},
		"bad hash":       {"[[executor]]\nhash = \"0x1\"\npath = \"/x\"", "executor"},
		"no key":         {"[[model]]\nurl = \"x\"\nname = \"m\"\nkey_env = \"NOT_SET_ANYWHERE\"", "NOT_SET_ANYWHERE"},
		"two servers":    {"[[mcp]]\nname = \"x\"\nurl = \"x\"\ncommand = [\"x\"]", "a command or a url"},
		"silence":        {"[queue]\nsilence = \"300ms\"", ""},
		"short silence":  {"[queue]\nsilence = \"299ms\"", "300ms"},
		"loss":           {"[aggregator]\nloss = \"1000\"", ""},
		"great loss":     {"[aggregator]\nloss = \"1001\"", "1,000 CBY"},
		"half a secret":  {"[aggregator]\ncert = \"x\"", "a certificate has a key"},
		"poll":           {"[runner]\npoll = \"99ms\"", "100ms"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, configFile), []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := readConfig(dir)
			if c.want == "" && err != nil || c.want != "" && (!errors.Is(err, operator.ErrConfig) || !strings.Contains(err.Error(), c.want)) {
				t.Error(err)
			}
		})
	}
}

// node is as much of a node's interface as the runner asks.
type node struct {
	mu      sync.Mutex
	me      string
	jobs    []jobView
	done    map[string][2]bool // committed, revealed
	extra   jobView            // known and not listed
	visited map[string]int
}

func (n *node) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.visited[r.URL.Path]++
	reply := func(v any) { _ = json.NewEncoder(w).Encode(v) }
	switch path := r.URL.Path; {
	case path == "/height":
		reply(map[string]any{"height": 40})
	case path == "/runner/"+n.me+"/jobs":
		page := map[string]any{"runner": n.me, "jobs": n.jobs[:1], "next_cursor": "one"}
		if r.URL.Query().Get("cursor") == "one" {
			page = map[string]any{"runner": n.me, "jobs": n.jobs[1:]}
		}
		reply(page)
	case path == "/actor/0x0000000000000000000000000000000000000003/events":
		events := map[string]any{"events": []any{}}
		if r.URL.Query().Get("cursor") == "" {
			events = map[string]any{"events": []map[string]any{{"topic": "verifier.paid", "data": "0x", "block_height": 7}}, "next_cursor": "7.0"}
		}
		reply(events)
	case strings.HasSuffix(path, "/runners"):
		id := strings.TrimSuffix(strings.TrimPrefix(path, "/job/"), "/runners")
		mine := map[string]any{"runner": n.me, "committed": n.done[id][0], "revealed": n.done[id][1]}
		if n.done[id][0] {
			mine["commitment"], mine["crashed"] = digest.Hash{5}, true
		}
		reply(map[string]any{"aggregator": account.Address{8}, "runners": []map[string]any{
			mine, {"runner": account.Address{8}, "committed": true, "commitment": digest.Hash{6}, "revealed": true}, {"runner": account.Address{9}},
		}})
	case path == "/basefee":
		reply(map[string]any{"cycle_basefee": 10, "cell_basefee": 3})
	case path == "/runner/"+account.Address{8}.String():
		reply(map[string]any{"endpoint": "http://example.org:4410"})
	case path == "/job/"+n.extra.ID.String():
		reply(n.extra)
	default:
		w.WriteHeader(http.StatusNotFound)
		reply(map[string]any{"code": 4004, "message": "not found"})
	}
}

// A view is made of all pages, of what became of each job at this runner, and of the known ones that are not listed.
// Spec: runner-marketplace §3 (/runner/{addr}/jobs), §9; node-rpc-cli §2.4.
func TestPoll(t *testing.T) {
	key, err := wallet.New()
	if err != nil {
		t.Fatal(err)
	}
	private, err := sig.ParsePrivateKey(key[:])
	if err != nil {
		t.Fatal(err)
	}
	spec := &job.Spec{Kind: job.HTTP, HTTP: &job.HTTPJob{URL: "http://example.org/", Method: "GET"}, TimeoutBlocks: 9,
		Bounds: job.ResourceBounds{MaxInputTokens: 1, MaxOutputTokens: 1, MaxWallTimeSeconds: 60, MaxMemoryMB: 64}, Schema: job.ResultSchema{MaxReturnBytes: 9}}
	text, err := spec.JSON()
	if err != nil {
		t.Fatal(err)
	}
	asker := account.Address{7}.String()
	id := func(n byte) digest.Hash { return digest.Hash{n} }
	n := &node{me: private.Address().String(), visited: map[string]int{}, done: map[string][2]bool{id(2).String(): {true, false}}, jobs: []jobView{
		{id(1), "Assigned", 50, text, asker, 33}, {id(2), "Revealing", 60, text, asker, 33}, {id(3), "AwaitingSeed", 0, text, asker, 33},
		{id(4), "Challengeable", 0, text, asker, 33},
	}, extra: jobView{id(5), "Completed", 0, nil, asker, 33}}
	server := httptest.NewServer(n)
	defer server.Close()
	c := NewClient(api.New(server.URL), private)
	v, err := c.Poll(t.Context(), []digest.Hash{id(1), id(5), id(6)})
	if err != nil {
		t.Fatal(err)
	}
	agg, others := account.Address{8}, []runner.Member{{Runner: account.Address{8}, Commitment: digest.Hash{6}, Revealed: true}, {Runner: account.Address{9}}}
	want := []runner.Assignment{
		{ID: id(1), Stage: runner.Working, Deadline: 50, Aggregator: agg, Others: others},
		{
			ID: id(2), Stage: runner.Revealing, Deadline: 60, Committed: true, Commitment: digest.Hash{5}, Crashed: true, Aggregator: agg, Others: others,
		}, {ID: id(4)}, {ID: id(5)},
	}
	if v.Height != 40 || len(v.Jobs) != len(want) {
		t.Fatalf("%+v", v)
	}
	for i, a := range v.Jobs {
		if a.Stage != runner.Over {
			got, err := job.Decode(a.Spec)
			if err != nil || got.ID != a.ID || got.HTTP.URL != spec.HTTP.URL || got.Submitter.String() != asker || got.SubmittedAt != 33 {
				t.Errorf("%+v, %v", got, err)
			}
		}
		a.Spec = nil
		if fmt.Sprint(a) != fmt.Sprint(want[i]) {
			t.Errorf("%+v, want %+v", a, want[i])
		}
	}
}

// An aggregator is found by its registration; a reveal costs the limits it is sent with at the basefees, 80,000 cycles and 10,000 cells and four for each byte
// of its output, of which the cycles that judging takes count too.
func TestPriceAndEndpoint(t *testing.T) {
	key, err := sig.ParsePrivateKey(bytes.Repeat([]byte{1}, 32))
	if err != nil {
		t.Fatal(err)
	}
	n := &node{visited: map[string]int{}}
	server := httptest.NewServer(n)
	defer server.Close()
	c := NewClient(api.New(server.URL), key)
	p := &prices{chain: c}
	for range 2 {
		got, err := p.Price(t.Context(), 100)
		if want := unit.Amount(10*(80_000+100*params.CostJudgedByte) + 3*(10_000+400)); err != nil || got != want {
			t.Errorf("%d, want %d; %v", got, want, err)
		}
	}
	if n.visited["/basefee"] != 1 {
		t.Errorf("it asks %d times", n.visited["/basefee"])
	}
	if at, err := c.Endpoint(t.Context(), account.Address{8}); err != nil || at != "http://example.org:4410" {
		t.Errorf("%q, %v", at, err)
	}
	if _, err := c.Endpoint(t.Context(), account.Address{9}); err == nil {
		t.Error("a runner that nobody knows is found")
	}
	for name, c := range map[string]struct {
		listen, endpoint string
		said             string
		wrong            bool
	}{
		"none":   {"", "", "", false},
		"lost":   {"127.0.0.1:1", "", "reveals of others", true},
		"and so": {"127.0.0.1:1", "http://x", "reveals of others at 127.0.0.1:1, for http://x", false},
	} {
		t.Run(name, func(t *testing.T) {
			said, failed := "", error(nil)
			(&collecting{Listen: c.listen}).examineEndpoint(&wire.Runner{Endpoint: c.endpoint}, func(what string, err error) { said, failed = what, err })
			if said != c.said || (failed != nil) != c.wrong {
				t.Errorf("%q, %v", said, failed)
			}
		})
	}
}

// A runner is up, answers for itself, drains, and stops in order; the same directory starts again. Another machine's workers need its key.
func TestStart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "r")
	if status, _, errs := command(t, "init", "--data-dir", dir); status != 0 {
		t.Fatal(errs)
	}
	key, err := wallet.Load(filepath.Join(dir, keyFile))
	if err != nil {
		t.Fatal(err)
	}
	private, err := sig.ParsePrivateKey(key[:])
	if err != nil {
		t.Fatal(err)
	}
	n := &node{me: private.Address().String(), visited: map[string]int{}, jobs: []jobView{{ID: digest.Hash{1}, Status: "Completed"}}}
	server := httptest.NewServer(n)
	defer server.Close()
	for range 2 {
		c, err := readConfig(dir)
		if err != nil {
			t.Fatal(err)
		}
		c.Runner.RPC, c.poll, c.Runner.Metrics = server.URL, 10*time.Millisecond, "127.0.0.1:0"
		ctx, cancel := context.WithCancel(t.Context())
		var log bytes.Buffer
		ended := make(chan error, 1)
		go func() { ended <- newRunning(dir, c, &log).start(ctx) }()
		var s runner.Status
		deadline := time.After(60 * time.Second)
		for s.Height != 40 {
			var out bytes.Buffer
			if ask(t.Context(), dir, http.MethodGet, "/status", &out) == nil {
				if err := json.Unmarshal(out.Bytes(), &s); err != nil {
					t.Fatal(err)
				}
			}
			select {
			case err := <-ended:
				t.Fatalf("it ended: %v", err)
			case <-deadline:
				t.Fatal("it does not come up")
			default:
			}
		}
		var all standing
		for all.Earnings.Since != 7 {
			var out bytes.Buffer
			if err := ask(t.Context(), dir, http.MethodGet, "/status", &out); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(out.Bytes(), &all); err != nil {
				t.Fatal(err)
			}
			select {
			case <-deadline:
				t.Fatalf("its earnings are not counted: %+v", all.Earnings)
			default:
			}
		}
		if status, _, errs := command(t, "drain", "--data-dir", dir); status != 0 {
			t.Error(errs)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}
