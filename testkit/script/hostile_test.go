package script

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/zeebo/blake3"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/contained"
)

// trap is a model, a site and a server of tools that do a runner no good. Paths lead to the site's pages, names to models.
type trap struct{ end chan struct{} }

// without writes zeros for as long as somebody reads.
func without(w io.Writer) {
	page := make([]byte, 64<<10)
	for {
		if _, err := w.Write(page); err != nil {
			return
		}
	}
}

// ServeHTTP answers for the site, and as an endpoint of OpenAI's protocol.
func (s *trap) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/two-gigabytes":
		w.Header().Set("Content-Length", fmt.Sprint(2<<30))
		without(w)
	case "/endless":
		without(w)
	case "/packed":
		w.Header().Set("Content-Encoding", "gzip")
		without(gzip.NewWriter(w))
	case "/inside":
		http.Redirect(w, r, "http://10.0.0.1/", http.StatusFound)
	case "/deep":
		_, _ = io.WriteString(w, strings.Repeat("[", 500)+strings.Repeat("]", 500))
	case "/silent":
		<-r.Context().Done()
	case "/v1/chat/completions":
		s.model(w, r)
	default:
		_, _ = io.WriteString(w, said)
	}
}

// model does what the prompt says.
func (s *trap) model(w http.ResponseWriter, r *http.Request) {
	var question struct {
		Messages []struct{ Content string }
	}
	if json.NewDecoder(r.Body).Decode(&question) != nil || len(question.Messages) == 0 {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	switch text := question.Messages[0].Content; text {
	case "never end":
		without(w)
	case "never answer":
		<-r.Context().Done()
	default:
		_ = json.NewEncoder(w).Encode(map[string]any{
			"id": "1", "object": "chat.completion", "model": "m",
			"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": text}}},
			"usage":   map[string]any{"prompt_tokens": 2, "completion_tokens": 2, "total_tokens": 4},
		})
	}
}

func (s *trap) tools() http.Handler {
	server := mcp.NewServer(&mcp.Implementation{Name: "tools", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "hang", Description: "never ends"},
		func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			<-s.end
			return nil, nil, nil
		})
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true})
}

// executors are programs that do a runner no good, by name. What they leave behind has the mark in its command line.
func executors(mark string) map[string]string {
	return map[string]string{
		"forks":  "while :; do (while :; do sleep " + mark + " & done) & done",
		"hoards": "x=0123456789; while :; do x=\"$x$x\"; done",
		"talks":  "while :; do echo 0123456789012345678901234567890123456789; done",
		"spins":  "while :; do :; done",
	}
}

const trapConfig = `[runner]
rpc = %q
chain_id = 1
poll = "100ms"

[[model]]
url = "%s/v1"
name = "m"

[[mcp]]
name = "tools"
url = "%s/mcp"

[http]
private = ["127.0.0.0/8"]
`

// trapped is one runner on a node of a developers' network, and what it is asked.
type trapped struct {
	*market
	site   *httptest.Server
	mark   string
	hashes map[string]digest.Hash
}

func newTrapped(t *testing.T) *trapped {
	t.Helper()
	port := freePorts(t, 1)
	m := &trapped{market: &market{t: t, dir: t.TempDir(), url: fmt.Sprintf("http://127.0.0.1:%d", port)}, hashes: map[string]digest.Hash{},
		mark: fmt.Sprintf("97%d", os.Getpid())}
	var log bytes.Buffer
	node := m.start(&log, fmt.Sprintf("cowboyd --rpc-port %d --data-dir data --mining auto --block-time 1s --rpc-rate 0", port))
	s := &trap{end: make(chan struct{})}
	mux := http.NewServeMux()
	mux.Handle("/", s)
	mux.Handle("/mcp", s.tools())
	m.site = httptest.NewServer(mux)
	t.Cleanup(func() {
		close(s.end)
		m.site.Close()
		_ = node.Process.Kill()
		_ = node.Wait()
		if t.Failed() {
			t.Logf("%s\n%s", log.String(), m.runners[0].log.String())
		}
	})
	m.until("the node is up", func() bool { return m.read("/health/ready", new(any)) })
	if err := contained.Passable(m.dir); err != nil {
		t.Fatal(err)
	}
	r := &laborer{address: strings.TrimPrefix(strings.TrimSpace(m.run("cowboy-runner init --data-dir runner-0")), "runner ")}
	m.runners = append(m.runners, r)
	config, types := fmt.Sprintf(trapConfig, m.url, m.site.URL, m.site.URL), `"llm", "http"`
	for _, kind := range []string{"http", "llm", "mcp", "custom"} {
		config += fmt.Sprintf("\n[[place]]\ncapability = %q\ncount = 1\n", kind)
	}
	for name, text := range executors(m.mark) { // order-free: each has a table and a file of its own
		data := []byte("#!/bin/sh\n" + text + "\n")
		if err := os.WriteFile(filepath.Join(m.dir, name), data, 0o755); err != nil {
			t.Fatal(err)
		}
		hash := digest.Hash(blake3.Sum256(data))
		m.hashes[name] = hash
		config += fmt.Sprintf("\n[[executor]]\nhash = \"0x%s\"\npath = %q\n", hash.Hex(), filepath.Join(m.dir, name))
		types += fmt.Sprintf(", \"custom_0x%s\"", hash.Hex())
		if _, ok := m.do(genesis.DevFaucet(), m.url, &tx.ExecutorRegistryPin{Name: []byte(name), Executor: hash}); !ok {
			t.Fatal("the executor is not pinned")
		}
	}
	m.write("runner-0/config.toml", config)
	m.write("declaration.json", fmt.Sprintf(`{"rate_card": {"llm_output_token": 10, "http_request_base": 1000, "mcp_call_base": 1000, "compute_second": 1000,
		"max_job_value": 10000000000, "supported_mcp_servers": ["tools"]}, "capabilities": {"job_types": [%s], "http_domains": ["*"], "max_concurrent_jobs": 1}}`, types))
	to, err := account.ReadAddress(r.address)
	if err != nil {
		t.Fatal(err)
	}
	m.fund(to, 12_000)
	m.run("cowboy runner register --private-key runner-0/runner.pem --declaration declaration.json --stake 10000 --wait")
	m.work(0)
	return m
}

// becomes submits a job and gives what the chain says of it, once it says so.
func (m *trapped) becomes(body string, seconds int) (v wire.JobVerified) {
	m.t.Helper()
	spec, err := job.FromJSON([]byte(fmt.Sprintf(`{"job_type": %s, "verification": {"mode": "none"}, "max_price": 1000000000, "timeout_blocks": 1000,
		"bounds": {"max_input_tokens": 100, "max_output_tokens": 100, "max_wall_time_seconds": %d, "max_memory_mb": 64, "max_retries": 0}}`, body, seconds)))
	if err != nil {
		m.t.Fatalf("%s: %v", body, err)
	}
	id := ""
	m.until("the job is taken", func() bool {
		r, ok := m.do(genesis.DevFaucet(), m.url, &tx.JobSubmit{Spec: spec.Append(nil)})
		if ok {
			id = "0x" + strings.TrimPrefix(r.ReturnData, "0x")
		}
		return ok
	})
	m.until("the job is over", func() bool { return m.read("/job/"+id+"/verified", &v) })
	return v
}

// TestHostileSources: a runner, a process of its own, meets pages without an end, packed ones, answers that take for ever to look at, a model and a tool that
// never answer or never stop, and programs that fork, hoard, talk and spin. Each job ends with the outcome that the specification names and costs nothing; the
// runner does the next one, loses no stake, leaves no process behind, and never has more than 384 MiB.
//
// Spec: runner-marketplace §5.2 (impossible job, external fault), §6.3; WP §5.4.
func TestHostileSources(t *testing.T) {
	m := newTrapped(t)
	var bomb strings.Builder // 2^40 ways to match
	for i := range 40 {
		fmt.Fprintf(&bomb, `"s%d":{"allOf":[{"$ref":"#/$defs/s%d"},{"$ref":"#/$defs/s%d"}]},`, i, i+1, i+1)
	}
	schema, err := json.Marshal(`{"$ref":"#/$defs/s0","$defs":{` + bomb.String() + `"s40":{"type":"number"}}}`)
	if err != nil {
		t.Fatal(err)
	}
	page := func(path, more string) string {
		return fmt.Sprintf(`{"Http": {"url": "%s%s", "method": "GET"%s}}`, m.site.URL, path, more)
	}
	model := func(prompt, more string) string {
		return fmt.Sprintf(`{"Llm": {"prompt": %q, "max_tokens": 10%s}}`, prompt, more)
	}
	program := func(name string) string {
		return fmt.Sprintf(`{"Custom": {"executor_hash": "0x%s", "params": "0x"}}`, m.hashes[name].Hex())
	}
	const impossible, external = "impossible", "external"
	for _, c := range []struct{ name, body, outcome string }{
		{"a page of two gigabytes", page("/two-gigabytes", ""), impossible},
		{"a page without an end", page("/endless", ""), impossible},
		{"a page that unpacks without an end", page("/packed", ""), impossible},
		{"a page that leads inside", page("/inside", ""), external},
		{"a site that is silent", page("/silent", ""), external},
		{"a path of many ways", page("/deep", `, "extraction": {"type": "JsonPath", "expression": "$..*..*..*..*..*..*..x"}`), external},
		{"an expression of many ways", page("/plain", `, "extraction": {"type": "Regex", "expression": "((((a{0,100}){0,100}){0,100}){0,100}){0,100}"}`), external},
		{"a schema of many ways", model("1", `, "response_model": `+string(schema)), external},
		{"a model that never ends", model("never end", ""), impossible},
		{"a model that never answers", model("never answer", ""), external},
		{"a tool that hangs", `{"Mcp": {"server": "tools", "tool_name": "hang", "arguments": {}}}`, external},
		{"a program that forks", program("forks"), external},
		{"a program that hoards", program("hoards"), external},
		{"a program that talks", program("talks"), impossible},
		{"a program that spins", program("spins"), external},
	} {
		t.Run(c.name, func(t *testing.T) {
			seconds := 1 // what does not end by itself
			if c.outcome == impossible {
				seconds = 60
			}
			if v := m.becomes(c.body, seconds); v.Outcome != c.outcome || v.Price != 0 {
				t.Errorf("%s, at a price of %d, want %s", v.Outcome, v.Price, c.outcome)
			}
		})
	}
	if v := m.becomes(page("/plain", ""), 60); v.Outcome != "success" || v.Text != said {
		t.Errorf("the job behind them: %+v", v)
	}
	var r wire.Runner
	if !m.read("/runner/"+m.runners[0].address, &r) || r.Stake != uint64(10_000*unit.CBY) {
		t.Errorf("the runner has a stake of %v", r.Stake)
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", m.runners[0].cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	peak := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(status)
	if peak == nil {
		t.Fatalf("no peak in %s", status)
	}
	if kib, err := strconv.Atoi(string(peak[1])); err != nil || kib > 384<<10 {
		t.Errorf("the runner had %d KiB at its peak, %v", kib, err)
	}
	m.until("no program is left", func() bool { return !strings.Contains(m.processes(), m.mark) })
}

// processes are the command lines of all processes.
func (m *trapped) processes() string {
	var all strings.Builder
	list, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		m.t.Fatal(err)
	}
	for _, path := range list {
		if text, err := os.ReadFile(path); err == nil { // some end meanwhile
			all.Write(text)
		}
	}
	return all.String()
}
