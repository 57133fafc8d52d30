package script

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/zeebo/blake3"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/testkit/contained"
)

// The runners of TestManyJobs by what is wrong with them.
const (
	sound = iota
	killedOften
	lying
	slowly
	cutOff
	manyRunners
)

// What every source of data says to the runners, and to the one that lies.
const said, lie = "the truth", "a lie"

// toolbox is what one runner asks: a model and a server of one tool.
type toolbox struct {
	text string
	late time.Duration
}

// ServeHTTP answers as an endpoint of OpenAI's protocol.
func (b *toolbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.wait(r.Context())
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"id": "1", "object": "chat.completion", "model": "m",
		"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": b.text}}},
		"usage":   map[string]any{"prompt_tokens": 2, "completion_tokens": 2, "total_tokens": 4},
	})
}

func (b *toolbox) wait(ctx context.Context) {
	if b.late == 0 {
		return
	}
	timer := time.NewTimer(b.late)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

func (b *toolbox) tools() http.Handler {
	s := mcp.NewServer(&mcp.Implementation{Name: "tools", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "say", Description: "what there is to say"},
		func(ctx context.Context, _ *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
			b.wait(ctx)
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: b.text}}}, nil, nil
		})
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true})
}

// cable is a connection to a node that can be cut.
type cable struct {
	net.Listener
	to string

	mu  sync.Mutex
	cut bool
	all map[net.Conn]bool
}

func (c *cable) serve() {
	for {
		from, err := c.Accept()
		if err != nil {
			return
		}
		go c.pass(from)
	}
}

func (c *cable) pass(from net.Conn) {
	defer from.Close()
	to, err := net.Dial("tcp", c.to)
	if err != nil {
		return
	}
	defer to.Close()
	c.mu.Lock()
	whole := !c.cut
	c.all[from], c.all[to] = true, true
	c.mu.Unlock()
	if whole {
		go func() {
			_, _ = io.Copy(from, to)
			_ = from.Close()
		}()
		_, _ = io.Copy(to, from)
	}
	c.mu.Lock()
	delete(c.all, from)
	delete(c.all, to)
	c.mu.Unlock()
}

func (c *cable) set(cut bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cut = cut
	for one := range c.all { // order-free: all of them
		if cut {
			_ = one.Close()
		}
	}
}

// multitude is the network of TestManyJobs: four validators and five runners, which are processes. The runner that is killed often has its worker in another.
type multitude struct {
	*market
	nodes    *region
	cable    *cable
	site     *httptest.Server
	executor digest.Hash
	image    string // "" where there is no OCI runtime
	layout   string
	worker   *exec.Cmd       // of the runner that is killed
	logs     []*bytes.Buffer // of each process of that
	queue    int             // its port
	reveals  int             // the port of the first runner for reveals of others
	draw     *rand.Rand
	killed   map[string]int

	ends map[string]int // by what became of them in the end

	mu     sync.Mutex
	counts map[string]int // by kind and what was told
}

const manyChain = 100 // that of regions

func newMultitude(t *testing.T) *multitude {
	t.Helper()
	r := newRegion(t)
	r.found(4, 3_600, manyPace)
	names := []string{"net/node-0", "net/node-1", "net/node-2", "net/node-3"}
	r.start(names...)
	c := &multitude{
		market: &market{t: t, dir: r.dir, url: r.nodes[names[0]].url}, nodes: r, counts: map[string]int{}, ends: map[string]int{}, killed: map[string]int{},
		draw: rand.New(rand.NewPCG(uint64(*manyJobs), 11)),
	}
	text := []byte("#!/bin/sh\ncat > /dev/null\necho '{\"data\":\"dGhlIHRydXRo\"}'\n") // said, in base64
	if err := os.WriteFile(filepath.Join(c.dir, "executor"), text, 0o755); err != nil {
		t.Fatal(err)
	}
	c.executor = digest.Hash(blake3.Sum256(text))
	if err := contained.Passable(c.dir); err != nil { // executors and containers are other users where their runner is root
		t.Fatal(err)
	}
	if found, err := here("oci"); found && err == nil {
		made := t.TempDir()
		if c.image, err = contained.Layout(made); err != nil {
			t.Fatal(err)
		}
		c.layout = filepath.Join(made, "layout")
	} else {
		t.Log("no jobs of containers: no OCI runtime works here (apt install crun, or runc); cowboy-runner doctor says what is wrong")
	}
	c.site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, said) }))
	t.Cleanup(c.site.Close)
	at, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c.cable = &cable{Listener: at, to: strings.TrimPrefix(r.nodes[names[3]].url, "http://"), all: map[net.Conn]bool{}}
	go c.cable.serve()
	t.Cleanup(func() { _ = at.Close() })
	c.until("the nodes are up", func() bool { return c.read("/health/ready", new(any)) })
	c.governed()
	c.reveals = freePorts(t, manyRunners)
	for i := range manyRunners {
		c.enrol(i)
	}
	return c
}

// do sends an instruction of a key's, and gives what its receipt says it returned. Errors: why it would fail, or failed.
func (m *market) do(key *sig.PrivateKey, url string, in tx.Instruction) (string, error) {
	w := &api.Wallet{Node: api.New(url), Key: key}
	_, hash, err := w.SendNamed(m.t.Context(), in, 0, tx.Cost{Cycles: 3_000_000, Cells: 100_000})
	if err != nil {
		return "", err
	}
	within, cancel := context.WithTimeout(m.t.Context(), time.Minute)
	defer cancel()
	r, err := w.Node.Receipt(within, wire.Hash(hash), 20*time.Millisecond)
	if err == nil && !r.Success {
		err = fmt.Errorf("%s: %+v", r.Status, r.Error)
	}
	return "0x" + strings.TrimPrefix(r.ReturnData, "0x"), err
}

// does has an instruction of a key's executed, however often it takes.
func (m *market) does(key *sig.PrivateKey, url string, in tx.Instruction) (id string) {
	m.t.Helper()
	var err error
	m.until(fmt.Sprintf("%T is executed", in), func() bool {
		id, err = m.do(key, url, in)
		return err == nil
	})
	return id
}

// governed registers what governance has to: the executor and the image.
func (c *multitude) governed() {
	c.t.Helper()
	list := []tx.Instruction{&tx.ExecutorRegistryPin{Name: []byte("say"), Executor: c.executor}}
	if c.image != "" {
		hash, err := digest.ParseHash(c.image)
		if err != nil {
			c.t.Fatal(err)
		}
		list = append(list, &tx.RegisterBaseImage{Name: []byte("contained"), Digest: hash, SizeBytes: 4_000_000,
			Platforms: []tx.Platform{{Name: "linux/amd64"}}})
	}
	for _, in := range list {
		c.does(genesis.DevFaucet(), c.url, in)
	}
}

// fund gives an account coins of the faucet's.
func (m *market) fund(to account.Address, cby unit.Amount) {
	m.t.Helper()
	m.does(genesis.DevFaucet(), m.url, &tx.Transfer{To: to, Amount: cby * unit.CBY})
}

const manyConfig = `[runner]
rpc = %q
chain_id = %d
poll = "200ms"

%s
[[model]]
url = "%s/v1"
name = "m"

[[mcp]]
name = "tools"
url = "%s/mcp"

[[executor]]
hash = %q
path = %q

[http]
private = ["127.0.0.0/8"]

[aggregator]
listen = "127.0.0.1:%d"
loss = "100"
private = ["127.0.0.0/8"]
`

// kinds are the capabilities of every runner.
func (c *multitude) kinds() []string {
	if c.image == "" {
		return []string{"http", "llm", "mcp", "custom"}
	}
	return []string{"http", "llm", "mcp", "custom", "container"}
}

// configures writes the configuration of a runner, or of a worker.
func (c *multitude) configures(dir, url, queue string, places bool, tools *httptest.Server) {
	text := fmt.Sprintf(manyConfig, url, manyChain, queue, tools.URL, tools.URL, c.executor, filepath.Join(c.dir, "executor"),
		c.reveals+len(c.runners)-1)
	if c.image != "" {
		text += fmt.Sprintf("\n[container]\nlayouts = [%q]\nrunner = %q\n", c.layout, c.runners[len(c.runners)-1].address)
	}
	for _, kind := range c.kinds() {
		if places {
			text += fmt.Sprintf("\n[[place]]\ncapability = %q\ncount = 1\n", kind)
		}
	}
	c.write(dir+"/config.toml", text)
}

// inits makes a data directory, and gives the address that it is of.
func (c *multitude) inits(dir string) string {
	return strings.TrimPrefix(strings.TrimSpace(c.run(fmt.Sprintf("cowboy-runner init --chain-id %d --data-dir %s", manyChain, dir))), "runner ")
}

// enrol makes a runner, funds it, registers it and starts it.
func (c *multitude) enrol(i int) {
	c.t.Helper()
	dir := fmt.Sprintf("runner-%d", i)
	r := &laborer{address: c.inits(dir)}
	c.runners = append(c.runners, r)
	box := &toolbox{text: said}
	url := c.nodes.nodes[fmt.Sprintf("net/node-%d", i%4)].url
	switch i {
	case lying:
		box.text = lie
	case slowly:
		box.late = time.Second
	case cutOff:
		url = "http://" + c.cable.Addr().String()
	}
	mux := http.NewServeMux()
	mux.Handle("/v1/", box)
	mux.Handle("/mcp", box.tools())
	server := httptest.NewServer(mux)
	c.t.Cleanup(server.Close)
	if i == killedOften {
		c.apart(url, server)
	} else {
		c.configures(dir, url, "", true, server)
	}
	c.write(dir+".json", fmt.Sprintf(`{"rate_card": {"llm_input_token": 10, "llm_output_token": 10, "http_request_base": 1000, "mcp_call_base": 1000,
		"compute_second": 1000, "max_job_value": 10000000000, "supported_mcp_servers": ["tools"]},
		"capabilities": {"job_types": ["llm", "http", "mcp_tools_say", "container",
		"custom_%s"], "http_domains": ["*"], "max_concurrent_jobs": 4, "cpu_millicores": 2000, "memory_mb": 1024, "scratch_mb": 1024},
		"endpoint": "http://127.0.0.1:%d"}`, c.executor, c.reveals+i))
	to, err := account.ReadAddress(r.address)
	if err != nil {
		c.t.Fatal(err)
	}
	c.fund(to, 12_000)
	c.run("cowboy runner register --private-key " + dir + "/runner.pem --declaration " + dir + ".json --stake 10000 --wait")
	c.work(i)
	if i == killedOften {
		c.joins()
	}
}

// apart has the runner that is killed give its jobs to a worker that is another process.
func (c *multitude) apart(url string, tools *httptest.Server) {
	c.t.Helper()
	c.queue = freePorts(c.t, 1)
	c.inits("worker")
	c.configures("worker", url, "", true, tools)
	doctor := exec.Command("cowboy-runner", "doctor", "--data-dir", "worker")
	doctor.Dir = c.dir
	text, _ := doctor.CombinedOutput() // whose runner is not registered
	key := regexp.MustCompile(`worker\.nk (U\w+)`).FindSubmatch(text)
	if key == nil {
		c.t.Fatalf("doctor says no key: %s", text)
	}
	list, err := json.Marshal(c.kinds())
	if err != nil {
		c.t.Fatal(err)
	}
	queue := fmt.Sprintf("[queue]\nlisten = \"127.0.0.1\"\nport = %d\n\n[[queue.worker]]\nkey = %q\ncapabilities = %s\n", c.queue, key[1], list)
	c.configures(fmt.Sprintf("runner-%d", killedOften), url, queue, false, tools)
}

// joins starts the worker of the runner that is killed.
func (c *multitude) joins() {
	c.t.Helper()
	log := new(bytes.Buffer)
	c.logs = append(c.logs, log)
	c.worker = c.start(log, fmt.Sprintf("cowboy-runner worker --data-dir worker --join nats://127.0.0.1:%d", c.queue))
	one := c.worker
	c.t.Cleanup(func() {
		_ = one.Process.Kill()
		_ = one.Wait()
	})
}

// kill waits until the runner that is killed has a job, and kills its dispatcher or its worker, as it is drawn. The one killed is started again at once.
func (c *multitude) kill() {
	c.t.Helper()
	r := c.runners[killedOften]
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	what := "idle"
	for range 400 {
		var open wire.RunnerJobs
		if c.read("/runner/"+r.address+"/jobs", &open) && len(open.Jobs) > 0 {
			what = strings.ToLower(open.Jobs[0].Status)
			break
		}
		<-tick.C
	}
	for range c.draw.IntN(20) { // somewhere in it
		<-tick.C
	}
	victim, name := r.cmd, "dispatcher"
	if c.draw.IntN(2) == 0 {
		victim, name = c.worker, "worker"
	}
	_ = victim.Process.Signal(syscall.SIGKILL)
	_ = victim.Wait()
	c.killed[name+" "+what]++
	if name == "worker" {
		c.joins()
		return
	}
	c.work(killedOften)
}
