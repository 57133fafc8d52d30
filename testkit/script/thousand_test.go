package script

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"slices"
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
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/testkit/contained"
)

var manyJobs = flag.Int("jobs", 10, "jobs of TestManyJobs")

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

// toolbox is what one runner asks: a model and a server of tools.
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

// tools is the server of one tool, which says the text.
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

const manyConfig = `[runner]
rpc = %q
chain_id = 1
poll = "200ms"

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
`

// many is the network of TestManyJobs.
type many struct {
	*market
	ctx      context.Context
	urls     []string // of the validators
	cable    *cable
	site     *httptest.Server
	executor digest.Hash
	image    string // "" where there is no OCI runtime
	layout   string

	mu     sync.Mutex
	counts map[string]int
	ended  int
	mode   map[string]int
}

func newMany(t *testing.T) *many {
	t.Helper()
	rpc, p2p := freePorts(t, 4), freePorts(t, 4)
	m := &many{
		market: &market{t: t, dir: t.TempDir(), url: fmt.Sprintf("http://127.0.0.1:%d", rpc)}, ctx: t.Context(), counts: map[string]int{}, mode: map[string]int{},
	}
	for i := range 4 {
		m.urls = append(m.urls, fmt.Sprintf("http://127.0.0.1:%d", rpc+i))
	}
	var log bytes.Buffer
	node := m.start(&log, fmt.Sprintf("cowboyd devnet --validators 4 --rpc-port %d --p2p-port %d --data-dir data --block-time 200ms --rpc-rate 0", rpc, p2p))
	t.Cleanup(func() {
		_ = node.Process.Signal(syscall.SIGINT)
		_ = node.Wait()
		if t.Failed() {
			t.Log(log.String())
		}
	})
	m.until("the nodes are up", func() bool { return m.read("/health/ready", new(any)) })
	m.site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, said) }))
	t.Cleanup(m.site.Close)
	m.write("executor", "#!/bin/sh\ncat > /dev/null\necho '{\"data\":\"dGhlIHRydXRo\"}'\n") // said, in base64
	if out, err := exec.Command("chmod", "755", filepath.Join(m.dir, "executor")).CombinedOutput(); err != nil {
		t.Fatalf("%s %v", out, err)
	}
	m.executor = digest.Hash(blake3.Sum256([]byte("#!/bin/sh\ncat > /dev/null\necho '{\"data\":\"dGhlIHRydXRo\"}'\n")))
	if found, _ := here("oci"); found {
		made := t.TempDir()
		var err error
		if m.image, err = contained.Layout(made); err != nil {
			t.Fatal(err)
		}
		m.layout = filepath.Join(made, "layout")
	}
	at, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	m.cable = &cable{Listener: at, to: strings.TrimPrefix(m.urls[3], "http://"), all: map[net.Conn]bool{}}
	go m.cable.serve()
	t.Cleanup(func() { _ = at.Close() })
	m.governed()
	for i := range manyRunners {
		m.enrol(i)
	}
	return m
}

// do sends an instruction of a key's and gives its receipt; ok is false where it would fail, or fails.
func (m *many) do(key *sig.PrivateKey, url string, in tx.Instruction) (*wire.Receipt, bool) {
	w := &api.Wallet{Node: api.New(url), Key: key}
	_, hash, err := w.SendNamed(m.ctx, in, 0, tx.Cost{Cycles: 3_000_000, Cells: 100_000})
	if err != nil {
		return nil, false
	}
	within, cancel := context.WithTimeout(m.ctx, time.Minute)
	defer cancel()
	r, err := w.Node.Receipt(within, wire.Hash(hash), 50*time.Millisecond)
	return &r, err == nil && r.Success
}

// governed registers what governance has to: the executor and the image.
func (m *many) governed() {
	m.t.Helper()
	list := []tx.Instruction{&tx.ExecutorRegistryPin{Name: []byte("say"), Executor: m.executor}}
	if m.image != "" {
		hash, err := digest.ParseHash(m.image)
		if err != nil {
			m.t.Fatal(err)
		}
		list = append(list, &tx.RegisterBaseImage{Name: []byte("contained"), Digest: hash, SizeBytes: 4_000_000, Platforms: []tx.Platform{{Name: "linux/amd64"}}})
	}
	for _, in := range list {
		m.until(fmt.Sprintf("%T is done", in), func() bool {
			_, ok := m.do(genesis.DevFaucet(), m.url, in)
			return ok
		})
	}
}

// enrol makes a runner, funds it, registers it and starts it.
func (m *many) enrol(i int) {
	m.t.Helper()
	dir := fmt.Sprintf("runner-%d", i)
	r := &laborer{}
	r.address = strings.TrimPrefix(strings.TrimSpace(m.run("cowboy-runner init --data-dir "+dir)), "runner ")
	box := &toolbox{text: said}
	url := m.urls[i%len(m.urls)]
	switch i {
	case lying:
		box.text = lie
	case slowly:
		box.late = 2 * time.Second
	case cutOff:
		url = "http://" + m.cable.Addr().String()
	}
	mux := http.NewServeMux()
	mux.Handle("/v1/", box)
	mux.Handle("/mcp", box.tools())
	server := httptest.NewServer(mux)
	m.t.Cleanup(server.Close)
	kinds := []string{"http", "llm", "mcp", "custom"}
	config := fmt.Sprintf(manyConfig, url, server.URL, server.URL, m.executor, filepath.Join(m.dir, "executor"))
	if m.image != "" {
		kinds, config = append(kinds, "container"), config+fmt.Sprintf("\n[container]\nlayouts = [%q]\n", m.layout)
	}
	for _, kind := range kinds {
		config += fmt.Sprintf("\n[[place]]\ncapability = %q\ncount = 1\n", kind)
	}
	m.write(dir+"/config.toml", config)
	m.write(dir+".json", fmt.Sprintf(`{"rate_card": {"llm_input_token": 10, "llm_output_token": 10, "http_request_base": 1000, "mcp_call_base": 1000,
		"compute_second": 1000, "max_job_value": 10000000000, "supported_mcp_servers": ["tools"]}, "capabilities": {"job_types": ["llm", "http", "container",
		"custom_%s"], "http_domains": ["*"], "max_concurrent_jobs": 4, "cpu_millicores": 2000, "memory_mb": 1024, "scratch_mb": 1024}}`, m.executor))
	to, err := account.ReadAddress(r.address)
	if err != nil {
		m.t.Fatal(err)
	}
	m.until("the runner is funded", func() bool {
		_, ok := m.do(genesis.DevFaucet(), m.url, &tx.Transfer{To: to, Amount: 11_000 * unit.CBY})
		return ok
	})
	m.run("cowboy runner register --private-key " + dir + "/runner.pem --declaration " + dir + ".json --stake 10000 --wait")
	m.runners = append(m.runners, r)
	m.work(i)
}

// spec is the n-th job: the kinds in turn, every fourth of a model or a tool for three runners of whom two have to agree.
func (m *many) spec(n int) (kind string, three bool, spec *job.Spec) {
	kinds := []string{"llm", "http", "mcp", "custom", "container", "llm", "mcp"}
	kind, three = kinds[n%len(kinds)], n%len(kinds) >= 5
	body := map[string]string{
		"llm": `{"Llm": {"prompt": "Say it.", "max_tokens": 10}}`, "http": fmt.Sprintf(`{"Http": {"url": %q, "method": "GET"}}`, m.site.URL),
		"mcp": `{"Mcp": {"server": "tools", "tool_name": "say", "arguments": {}}}`, "custom": fmt.Sprintf(`{"Custom": {"executor_hash": %q, "params": "0x"}}`, m.executor),
		"container": `{"Container": {}}, "runtime_config": {"image": {"registry": "", "repository": "contained", "digest": "0x` + m.image + `"},
			"resources": {"cpu_millicores": 1000, "memory_mib": 128, "scratch_disk_mib": 16, "max_duration_sec": 20}, "command": ["/contained", "say", "the", "truth"]}`,
	}
	if kind == "container" && m.image == "" {
		kind = "custom"
	}
	trust := `{"mode": "none"}`
	if three {
		trust = `{"mode": "majority_vote", "runners": 3, "threshold": 2}`
	}
	text := fmt.Sprintf(`{"job_type": %s, "verification": %s, "max_price": 1000000000, "timeout_blocks": 150,
		"bounds": {"max_input_tokens": 100, "max_output_tokens": 100, "max_wall_time_seconds": 30, "max_memory_mb": 512, "max_retries": 2}}`, body[kind], trust)
	spec, err := job.FromJSON([]byte(text))
	if err != nil {
		m.t.Errorf("%s: %v", text, err)
	}
	return kind, three, spec
}

// customer submits jobs, one after the other, and follows each until nobody has to do anything for it.
func (m *many) customer(key *sig.PrivateKey, url string, jobs <-chan int, ids chan<- string) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for n := range jobs {
		kind, three, spec := m.spec(n)
		if spec == nil {
			return
		}
		id := ""
		for range 6_000 { // until there are runners for it: on probation each has one job at a time
			<-tick.C
			if r, ok := m.do(key, url, &tx.JobSubmit{Spec: spec.Append(nil)}); ok {
				id = "0x" + strings.TrimPrefix(r.ReturnData, "0x")
				break
			}
		}
		if id == "" {
			m.t.Errorf("job %d, %s, is never taken", n, kind)
			continue
		}
		var j wire.Job
		for range 6_000 {
			<-tick.C
			if m.read("/job/"+id, &j) && (j.Status == "Challengeable" || j.Status == "Completed" || j.Status == "Failed" || j.Status == "Cancelled") {
				break
			}
		}
		m.judge(n, id, kind, three, &j)
		ids <- id
	}
}

// judge holds what became of a job to the rules.
//
// Spec: runner-marketplace §5, §5.1, §6; WP §5.3.
func (m *many) judge(n int, id, kind string, three bool, j *wire.Job) {
	var drawn wire.JobRunners
	var v wire.JobVerified
	m.read("/job/"+id+"/runners", &drawn)
	has := m.read("/job/"+id+"/verified", &v)
	liar, faulty := m.runners[lying].address, 0
	for _, r := range drawn.Runners {
		if r.Runner == m.runners[cutOff].address || r.Runner == m.runners[killedOften].address || r.Runner == liar {
			faulty++
		}
	}
	what := kind
	if three {
		what += " of three"
	}
	fooled := !three && (kind == "llm" || kind == "mcp") && len(drawn.Runners) == 1 && drawn.Runners[0].Runner == liar
	switch {
	case j.Status == "Failed" && faulty > 0 && (!three || faulty > 1):
		what += ", failed: " + j.Reason
	case !has || v.Outcome != "success":
		m.t.Errorf("job %d, %s: %+v, %+v, %+v", n, what, j, v, drawn)
	case fooled && v.Text == lie:
		what += ", whom the liar answers alone"
	case v.Text != said, three && (v.Count < 2 || slices.Contains(v.Agreed, liar)):
		m.t.Errorf("job %d, %s: %+v, %+v", n, what, v, drawn)
	default:
		what += ", done"
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.counts[what]++
	m.ended++
}

func (m *many) done() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.ended
}

// TestManyJobs: five runners that are processes, on a network of four validators. One is killed in the middle of jobs again and again, one lies, one is slow
// and one is cut off for a fifth of the time. Jobs of all kinds end as the rules say, and nobody commits itself twice; `-args -jobs 1000` is the long run.
//
// Spec: runner-marketplace §5, §5.1, §6, §9; WP §5.3.
func TestManyJobs(t *testing.T) {
	m := newMany(t)
	m.until("five runners are healthy", func() bool { return strings.Count(m.run("cowboy runner list"), "reputation 50") == manyRunners })
	begun := time.Now()
	jobs, ids := make(chan int), make(chan string, *manyJobs)
	var customers sync.WaitGroup
	for i := range 5 {
		secret := digest.Keccak256(fmt.Appendf(nil, "customer %d", i))
		key, err := sig.ParsePrivateKey(secret[:])
		if err != nil {
			t.Fatal(err)
		}
		m.until("the customer is funded", func() bool {
			_, ok := m.do(genesis.DevFaucet(), m.url, &tx.Transfer{To: key.Address(), Amount: 2_000 * unit.CBY})
			return ok
		})
		customers.Go(func() { m.customer(key, m.urls[i%len(m.urls)], jobs, ids) })
	}
	kills := 0
	for n := range *manyJobs {
		jobs <- n
		if n == *manyJobs*2/5 {
			m.cable.set(true)
		}
		if n == *manyJobs*3/5 {
			m.cable.set(false)
		}
		if n%20 == 5 {
			m.kill()
			kills++
		}
	}
	close(jobs)
	customers.Wait()
	t.Logf("%d jobs in %v, %d kills", m.done(), time.Since(begun).Round(time.Second), kills)
	m.counted()
	close(ids)
	states := map[string]int{}
	for id := range ids {
		var j wire.Job
		m.until("job "+id+" is over", func() bool { return m.read("/job/"+id, &j) && (j.Status == "Completed" || j.Status == "Failed") })
		states[j.Status]++
	}
	t.Logf("in the end: %v", states)
	if m.done() != *manyJobs || states["Completed"]+states["Failed"] != *manyJobs {
		t.Errorf("%d jobs ended of %d", m.done(), *manyJobs)
	}
	for i := range m.runners {
		m.once(i)
	}
	for _, i := range []int{sound, slowly} {
		var r wire.Runner
		if !m.read("/runner/"+m.runners[i].address, &r) || r.Stake != 10_000_000_000_000 {
			t.Errorf("the honest runner %d has a stake of %v", i, r.Stake)
		}
	}
}

func (m *many) counted() {
	list := make([]string, 0, len(m.counts))
	for what, n := range m.counts { // order-free: sorted below
		list = append(list, fmt.Sprintf("%s: %d", what, n))
	}
	slices.Sort(list)
	m.t.Log(strings.Join(list, "\n"))
}

// kill kills the runner that is killed, if it can be in the middle of a job, and starts it again.
func (m *many) kill() {
	m.t.Helper()
	r := m.runners[killedOften]
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for range 200 {
		var open wire.RunnerJobs
		if m.read("/runner/"+r.address+"/jobs", &open) && len(open.Jobs) > 0 {
			break
		}
		<-tick.C
	}
	_ = r.cmd.Process.Kill()
	_ = r.cmd.Wait()
	m.work(killedOften)
}

// once holds a runner to one commitment for each attempt at a job: whatever it sends again is the same.
//
// Spec: runner-marketplace §2.7.
func (m *many) once(i int) {
	m.t.Helper()
	said := map[string]string{}
	for offset := 0; ; offset += 100 {
		var page struct {
			Transactions []struct {
				Instruction struct {
					JobID      string `json:"job_id"`
					Commitment string `json:"commitment"`
				} `json:"instruction"`
			} `json:"transactions"`
		}
		if !m.read(fmt.Sprintf("/account/%s/transactions?limit=100&offset=%d", m.runners[i].address, offset), &page) {
			m.t.Fatal("the node does not list transactions")
		}
		for _, one := range page.Transactions {
			in := one.Instruction
			if in.Commitment == "" {
				continue
			}
			if before, ok := said[in.JobID]; ok && before != in.Commitment {
				m.t.Errorf("runner %d commits itself to %s and %s for %s", i, before, in.Commitment, in.JobID)
			}
			said[in.JobID] = in.Commitment
		}
		if len(page.Transactions) < 100 {
			break
		}
	}
	m.t.Logf("runner %d commits itself to %d jobs", i, len(said))
}
