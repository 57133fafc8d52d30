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
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
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
type trap struct {
	end  chan struct{}
	sent atomic.Int64 // bytes of what has no end
}

// counting is a writer whose bytes are counted.
type counting struct {
	io.Writer
	n *atomic.Int64
}

// Write implements io.Writer.
func (c *counting) Write(data []byte) (n int, err error) {
	n, err = c.Writer.Write(data)
	c.n.Add(int64(n))
	return n, err
}

// without writes zeros for as long as somebody reads.
func without(w io.Writer) {
	for page := make([]byte, 64<<10); ; {
		if _, err := w.Write(page); err != nil {
			return
		}
	}
}

// ServeHTTP answers for the site, and as an endpoint of OpenAI's protocol.
func (s *trap) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	all := &counting{w, &s.sent}
	switch r.URL.Path {
	case "/two-gigabytes":
		w.Header().Set("Content-Length", fmt.Sprint(2<<30))
		without(all)
	case "/endless":
		without(all)
	case "/packed":
		w.Header().Set("Content-Encoding", "gzip")
		without(gzip.NewWriter(all))
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
		without(&counting{w, &s.sent})
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
	trap   *trap
	mark   string
	hashes map[string]digest.Hash
	images map[string]string // "", where there is no OCI runtime
}

func newTrapped(t *testing.T) *trapped {
	t.Helper()
	port := freePorts(t, 1)
	m := &trapped{market: &market{t: t, dir: t.TempDir(), url: fmt.Sprintf("http://127.0.0.1:%d", port)}, hashes: map[string]digest.Hash{},
		trap: &trap{end: make(chan struct{})}, images: map[string]string{}, mark: fmt.Sprintf("97%d", os.Getpid())}
	var log bytes.Buffer
	node := m.start(&log, fmt.Sprintf("cowboyd --rpc-port %d --data-dir data --mining auto --block-time 1s --rpc-rate 0", port))
	mux := http.NewServeMux()
	mux.Handle("/", m.trap)
	mux.Handle("/mcp", m.trap.tools())
	m.site = httptest.NewServer(mux)
	t.Cleanup(func() {
		close(m.trap.end)
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
	config, types := fmt.Sprintf(trapConfig, m.url, m.site.URL, m.site.URL), `"llm", "http", "mcp_tools_hang"`
	kinds := []string{"http", "llm", "mcp", "custom"}
	if layout := m.contains(); layout != "" {
		kinds, types = append(kinds, "container"), types+`, "container"`
		config += fmt.Sprintf("\n[container]\nlayouts = [%q]\nmax_image = %d\nrunner = %q\n", layout, imageMost, r.address)
	}
	for _, kind := range kinds {
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
		m.does(genesis.DevFaucet(), m.url, &tx.ExecutorRegistryPin{Name: []byte(name), Executor: hash})
	}
	m.write("runner-0/config.toml", config)
	m.write("declaration.json", fmt.Sprintf(`{"rate_card": {"llm_output_token": 10, "http_request_base": 1000, "mcp_call_base": 1000, "compute_second": 1000,
		"max_job_value": 10000000000, "supported_mcp_servers": ["tools"]}, "capabilities": {"job_types": [%s], "http_domains": ["*"], "max_concurrent_jobs": 1,
		"cpu_millicores": 2000, "memory_mb": 1024, "scratch_mb": 1024}}`, types))
	to, err := account.ReadAddress(r.address)
	if err != nil {
		t.Fatal(err)
	}
	m.fund(to, 12_000)
	m.run("cowboy runner register --private-key runner-0/runner.pem --declaration declaration.json --stake 10000 --wait")
	m.work(0)
	return m
}

// imageMost is how many bytes of an image the runner unpacks.
const imageMost = 64 << 20

// contains makes the images of the jobs that are containers, and gives the directory they are in; "" where there is no OCI runtime.
func (m *trapped) contains() string {
	m.t.Helper()
	if found, err := here("oci"); !found || err != nil {
		m.t.Log("no jobs of containers: no OCI runtime works here (apt install crun, or runc)")
		return ""
	}
	dir := m.t.TempDir()
	plain, err := contained.Layout(dir)
	if err != nil {
		m.t.Fatal(err)
	}
	bomb, err := contained.Bomb(dir, 2*imageMost)
	if err != nil {
		m.t.Fatal(err)
	}
	m.images = map[string]string{"plain": plain, "bomb": bomb}
	for _, name := range []string{"plain", "bomb"} {
		hash, err := digest.ParseHash(m.images[name])
		if err != nil {
			m.t.Fatal(err)
		}
		m.does(genesis.DevFaucet(), m.url, &tx.RegisterBaseImage{Name: []byte(name), Digest: hash, SizeBytes: 4_000_000,
			Platforms: []tx.Platform{{Name: "linux/amd64"}}})
	}
	return filepath.Join(dir, "layout")
}

// evil is a job that does a runner no good, and how it ends.
type evil struct{ name, body, outcome string }

const impossible, external = "impossible", "external_fault"

// spec is the canonical form of a job that ends within so many seconds.
func (m *trapped) spec(body string, seconds int) []byte {
	m.t.Helper()
	spec, err := job.FromJSON([]byte(fmt.Sprintf(`{"job_type": %s, "verification": {"mode": "none"}, "max_price": 1000000000, "timeout_blocks": 1000,
		"bounds": {"max_input_tokens": 100, "max_output_tokens": 100, "max_wall_time_seconds": %d, "max_memory_mb": 64, "max_retries": 0}}`, body, seconds)))
	if err != nil {
		m.t.Fatalf("%s: %v", body, err)
	}
	return spec.Append(nil)
}

// becomes submits a job and gives what the chain says of it, once it says so.
func (m *trapped) becomes(body string, seconds int) (v wire.JobVerified) {
	m.t.Helper()
	id := m.does(genesis.DevFaucet(), m.url, &tx.JobSubmit{Spec: m.spec(body, seconds)})
	m.until("the job is over", func() bool { return m.read("/job/"+id+"/verified", &v) })
	return v
}

// TestHostileSources: a runner, a process of its own, meets pages without an end, packed ones, answers that take for ever to look at, a model and a tool that
// never answer or never stop, and programs that fork, hoard, talk and spin. Each job ends with the outcome that the specification names and costs nothing; the
// runner does the next one, loses no stake, leaves no process behind, and never has more than 384 MiB.
//
// Spec: runner-marketplace §5.2 (impossible job, external fault), §6.3; WP §5.4.
func TestHostileSources(t *testing.T) {
	t.Parallel()
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
	container := func(image, command string) string {
		return fmt.Sprintf(`{"Container": {}}, "runtime_config": {"image": {"registry": "", "repository": %q, "digest": "0x%s"}, "resources": {"cpu_millicores":
			1000, "memory_mib": 64, "scratch_disk_mib": 16, "max_duration_sec": 2}, "command": ["/contained", %q]}`, image, m.images[image], command)
	}
	list := []evil{
		{"a page of two gigabytes", page("/two-gigabytes", ""), impossible},
		{"a page without an end", page("/endless", ""), impossible},
		{"a page that unpacks without an end", page("/packed", ""), impossible},
		{"a page that leads inside", page("/inside", ""), external},
		{"a site that is silent", page("/silent", ""), external},
		{"a path of many ways", page("/deep", `, "extraction": {"type": "JsonPath", "expression": "$..*..*..*..*..*..*..x"}`), external},
		{"an expression of many ways",
			page("/plain", `, "extraction": {"type": "Regex", "expression": "((((a{0,100}){0,100}){0,100}){0,100}){0,100}"}`), external},
		{"a model that never ends", model("never end", ""), impossible},
		{"a model that never answers", model("never answer", ""), external},
		{"a tool that hangs", `{"Mcp": {"server": "tools", "tool_name": "hang", "arguments": {}}}`, external},
		{"a program that forks", program("forks"), external},
		{"a program that hoards", program("hoards"), external},
		{"a program that talks", program("talks"), impossible},
		{"a program that spins", program("spins"), external},
	}
	if len(m.images) > 0 {
		list = append(list,
			evil{"a container that forks", container("plain", "forks"), external},
			evil{"a container that hoards", container("plain", "hoard"), impossible + " or " + external}, // whose limit stops it
			evil{"a container that talks", container("plain", "endless"), impossible},
			evil{"an image that unpacks to much", container("bomb", "say"), impossible})
	}
	for _, c := range list {
		t.Run(c.name, func(t *testing.T) {
			seconds := 1 // what does not end by itself
			if strings.HasPrefix(c.outcome, impossible) {
				seconds = 60
			}
			if v := m.becomes(c.body, seconds); !slices.Contains(strings.Split(c.outcome, " or "), v.Outcome) || v.Price != 0 {
				t.Errorf("%s, at a price of %d, want %s", v.Outcome, v.Price, c.outcome)
			}
		})
	}
	t.Run("a schema of many ways", func(t *testing.T) { // that uses a keyword whose work has no bound
		if _, err := m.do(genesis.DevFaucet(), m.url, &tx.JobSubmit{Spec: m.spec(model("1", `, "response_model": `+string(schema)), 60)}); err == nil ||
			!strings.Contains(err.Error(), "there is no keyword \"$defs\"") {
			t.Errorf("it is refused for %v", err)
		}
	})
	if n := m.trap.sent.Load(); n > 64<<20 { // of four sources, with what lies in buffers of the system on the way
		t.Errorf("the runner took %d bytes of what has no end", n)
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
