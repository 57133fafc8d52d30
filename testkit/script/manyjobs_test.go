package script

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
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
	results "github.com/cowboyinc/cowboy-go/chain/verify"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/testkit/contained"
)

var manyJobs = flag.Int("jobs", 14, "jobs of TestManyJobs")

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
		list = append(list, &tx.RegisterBaseImage{Name: []byte("contained"), Digest: hash, SizeBytes: 4_000_000, Platforms: []tx.Platform{{Name: "linux/amd64"}}})
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
	text := fmt.Sprintf(manyConfig, url, manyChain, queue, tools.URL, tools.URL, c.executor, filepath.Join(c.dir, "executor"))
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
		"compute_second": 1000, "max_job_value": 10000000000, "supported_mcp_servers": ["tools"]}, "capabilities": {"job_types": ["llm", "http", "mcp_tools_say", "container",
		"custom_%s"], "http_domains": ["*"], "max_concurrent_jobs": 4, "cpu_millicores": 2000, "memory_mb": 1024, "scratch_mb": 1024}}`, c.executor))
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

// manyPace is the time of a block; manyTimeout are the blocks within which runners commit themselves.
const (
	manyPace    = 300 * time.Millisecond
	manyTimeout = 60
)

// asked is one job of TestManyJobs.
type asked struct {
	n     int
	kind  string
	mode  job.Mode
	three bool
	id    string
	text  string
}

// ask gives the n-th job: the kinds in turn, and behind them a model and a tool for three runners of whom two have to agree.
func (c *multitude) ask(n int) *asked {
	kinds := append(c.kinds(), "llm", "mcp")
	a := &asked{n: n, kind: kinds[n%len(kinds)], three: n%len(kinds) >= len(kinds)-2}
	bodies := map[string]string{
		"llm": `{"Llm": {"prompt": "Say it.", "max_tokens": 10}}`, "http": fmt.Sprintf(`{"Http": {"url": %q, "method": "GET"}}`, c.site.URL),
		"mcp": `{"Mcp": {"server": "tools", "tool_name": "say", "arguments": {}}}`, "custom": fmt.Sprintf(`{"Custom": {"executor_hash": %q, "params": "0x"}}`, c.executor),
		"container": `{"Container": {}}, "runtime_config": {"image": {"registry": "", "repository": "contained", "digest": "0x` + c.image + `"},
			"resources": {"cpu_millicores": 1000, "memory_mib": 128, "scratch_disk_mib": 16, "max_duration_sec": 20}, "command": ["/contained", "say", "the", "truth"]}`,
	}
	trust, retries := `{"mode": "none"}`, n%2 // a single one may be tried again
	if a.three && a.kind == "llm" {
		trust, retries, a.mode = `{"mode": "majority_vote", "runners": 3, "threshold": 2}`, 0, job.ModeMajorityVote
	} else if a.three {
		trust, retries, a.mode = `{"mode": "deterministic", "runners": 3, "threshold": 2}`, 0, job.ModeDeterministic
	}
	a.text = fmt.Sprintf(`{"job_type": %s, "verification": %s, "max_price": 1000000000, "timeout_blocks": %d,
		"bounds": {"max_input_tokens": 100, "max_output_tokens": 100, "max_wall_time_seconds": 30, "max_memory_mb": 512, "max_retries": %d}}`,
		bodies[a.kind], trust, manyTimeout, retries)
	return a
}

// customer submits jobs one after the other, and follows each until nobody has to do anything for it.
func (c *multitude) customer(key *sig.PrivateKey, url string, jobs <-chan int, ended chan<- *asked) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for n := range jobs {
		a := c.ask(n)
		spec, err := job.FromJSON([]byte(a.text))
		if err != nil {
			c.t.Errorf("%s: %v", a.text, err)
			return
		}
		for range 6_000 { // until there are runners for it: on probation each has one job at a time
			if id, err := c.do(key, url, &tx.JobSubmit{Spec: spec.Append(nil)}); err == nil {
				a.id = id
				break
			}
			<-tick.C
		}
		var j wire.Job
		over := func() bool { return j.Status == "Challengeable" || j.Status == "Completed" || j.Status == "Failed" }
		for range 6_000 {
			if a.id == "" || c.read("/job/"+a.id, &j) && over() {
				break
			}
			<-tick.C
		}
		if !over() {
			c.t.Errorf("job %d, %s, does not end: %+v", n, a.kind, j)
			continue
		}
		c.judge(a) // the chain does not keep for long who revealed what
		ended <- a
	}
}

// answer is what a runner says to a kind of job.
func (c *multitude) answer(runner, kind string) string {
	if runner == c.runners[lying].address && (kind == "llm" || kind == "mcp") {
		return lie
	}
	return said
}

// judge holds what became of a job to the rules: one runner's word is taken, of three the word of two, and nothing else. Who revealed what is what the chain
// keeps; what each of them must have revealed is known.
//
// Spec: runner-marketplace §2.4, §5, §5.1; WP §5.3.
func (c *multitude) judge(a *asked) {
	var drawn wire.JobRunners
	var revealed wire.JobResults
	var v wire.JobVerified
	var j wire.Job
	verified := c.read("/job/"+a.id+"/verified", &v)
	if !c.read("/job/"+a.id, &j) || !c.read("/job/"+a.id+"/runners", &drawn) || !c.read("/job/"+a.id+"/results", &revealed) {
		c.t.Errorf("job %d, %s: the node does not tell", a.n, a.id)
		return
	}
	votes, told := map[string]int{}, 0
	for _, r := range revealed.Results {
		if !slices.ContainsFunc(drawn.Runners, func(d wire.JobRunner) bool { return d.Runner == r.Runner }) {
			c.t.Errorf("job %d: %s was not drawn", a.n, r.Runner)
		}
		if r.Output.Outcome != results.Success {
			told++
			continue
		}
		if text := string(r.Output.Data); text != c.answer(r.Runner, a.kind) {
			c.t.Errorf("job %d, %s: %s reveals %q", a.n, a.kind, r.Runner, text)
		}
		votes[string(r.Output.Data)]++
	}
	least, want := 1, ""
	if a.three {
		least = 2
	}
	for text, n := range votes { // order-free: two of three agree on one text at most
		if n >= least {
			want = text
		}
	}
	what := a.kind
	if a.three {
		what += " of three"
	}
	switch {
	case want == "" && verified && v.Outcome != "success" && told >= least:
		what += ", " + v.Outcome
	case want == "" && !verified && j.Status == "Failed":
		what += ", failed: " + j.Reason
	case want != "" && verified && v.Outcome == "success" && v.Text == want && int(v.Count) == votes[want] && int(v.Total) == len(revealed.Results):
		what += ", " + want
	default:
		c.t.Errorf("job %d, %s, should have given %q: %+v, %+v, %+v", a.n, what, want, j, v, drawn)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts[what]++
}

// sent are the transactions of a runner with a member of their instruction, by job: how many there are, of how many values, and how many succeeded.
type sent struct{ all, values, taken int }

func (c *multitude) sent(i int, member string) map[string]*sent {
	c.t.Helper()
	list, values := map[string]*sent{}, map[string]bool{}
	for offset := 0; ; offset += 100 {
		var page struct {
			Transactions []struct {
				Hash        string         `json:"hash"`
				Instruction map[string]any `json:"instruction"`
			} `json:"transactions"`
		}
		if !c.read(fmt.Sprintf("/account/%s/transactions?limit=100&offset=%d", c.runners[i].address, offset), &page) {
			c.t.Fatal("the node does not list transactions")
		}
		for _, one := range page.Transactions {
			value, ok := one.Instruction[member].(string)
			id, _ := one.Instruction["job_id"].(string)
			if !ok {
				continue
			}
			if list[id] == nil {
				list[id] = &sent{}
			}
			var r wire.Receipt
			if !c.read("/transaction/"+one.Hash+"/receipt", &r) {
				c.t.Fatal("the node has no receipt of " + one.Hash)
			}
			list[id].all++
			if r.Success {
				list[id].taken++
			}
			if !values[id+value] {
				list[id].values++
			}
			values[id+value] = true
		}
		if len(page.Transactions) < 100 {
			return list
		}
	}
}

// once holds a runner to one commitment and one reveal for each job, whatever it sends again, and to its stake: a quarter is gone for each commitment that it
// did not reveal, and nothing else.
//
// Spec: runner-marketplace §2.7, §8.1; WP §5.4.
func (c *multitude) once(i int) (unrevealed int) {
	c.t.Helper()
	commits, reveals := c.sent(i, "commitment"), c.sent(i, "salt")
	for id, s := range commits { // order-free: each is looked at alone
		if s.values != 1 || s.taken > 1 {
			c.t.Errorf("runner %d sends %d commitments for %s, of %d values, and %d are taken", i, s.all, id, s.values, s.taken)
		}
		if s.taken == 1 && (reveals[id] == nil || reveals[id].taken == 0) {
			unrevealed++
		}
	}
	for id, s := range reveals { // order-free: likewise
		if s.values != 1 || s.taken > 1 || commits[id] == nil || commits[id].taken == 0 {
			c.t.Errorf("runner %d sends %d reveals for %s, of %d values, and %d are taken", i, s.all, id, s.values, s.taken)
		}
	}
	var r wire.Runner
	if !c.read("/runner/"+c.runners[i].address, &r) {
		c.t.Fatal("the node does not tell of a runner")
	}
	want := uint64(10_000 * unit.CBY)
	for range unrevealed {
		want -= want / 4
	}
	if r.Stake != want {
		c.t.Errorf("runner %d did not reveal %d times, and has a stake of %d, want %d", i, unrevealed, r.Stake, want)
	}
	c.t.Logf("runner %d: %d jobs committed to, %d not revealed, stake %d", i, len(commits), unrevealed, r.Stake)
	return unrevealed
}

// TestManyJobs: five runners that are processes, on a network of four validators that are. Of one the dispatcher and the worker are killed in the middle of
// jobs, one lies, one is slow and one is cut off for a fifth of the time. Jobs of all kinds end as the rules say, nobody commits itself twice, and nobody loses
// stake that did not withhold a reveal; `-args -jobs 1000` is the long run, with 50 kills.
//
// Spec: runner-marketplace §2.7, §5, §5.1, §6, §8.1, §9; WP §5.3, §5.4.
func TestManyJobs(t *testing.T) {
	c := newMultitude(t)
	c.until("five runners are healthy", func() bool { return strings.Count(c.run("cowboy runner list"), "reputation 50") == manyRunners })
	begun := time.Now()
	jobs, ended := make(chan int), make(chan *asked, *manyJobs)
	var customers sync.WaitGroup
	for i := range manyRunners {
		secret := digest.Keccak256(fmt.Appendf(nil, "customer %d", i))
		key, err := sig.ParsePrivateKey(secret[:])
		if err != nil {
			t.Fatal(err)
		}
		c.fund(key.Address(), 2_000)
		customers.Go(func() { c.customer(key, c.nodes.nodes[fmt.Sprintf("net/node-%d", i%4)].url, jobs, ended) })
	}
	killEvery := min(20, *manyJobs/2)
	for n := range *manyJobs {
		jobs <- n
		if n == *manyJobs*2/5 {
			c.cable.set(true)
		}
		if n == *manyJobs*3/5 {
			c.cable.set(false)
		}
		if n%killEvery == killEvery/2 {
			c.kill()
		}
	}
	close(jobs)
	customers.Wait()
	close(ended)
	took := time.Since(begun)
	for a := range ended {
		var j wire.Job
		if !c.read("/job/"+a.id, &j) {
			t.Errorf("the node does not tell of job %d, %s", a.n, a.id)
		}
		c.ends[j.Status]++
	}
	t.Logf("%d jobs in %v; kills: %v; in the end: %v", *manyJobs, took.Round(time.Second), c.killed, c.ends)
	c.counted()
	for i := range c.runners {
		if unrevealed := c.once(i); unrevealed > 0 && (i == sound || i == slowly || i == lying) {
			t.Errorf("runner %d, which is neither killed nor cut off, withholds %d reveals", i, unrevealed)
		}
	}
}

// counted prints how many jobs of each kind ended how, and wants one of each kind that has a result.
func (c *multitude) counted() {
	list := make([]string, 0, len(c.counts))
	for what, n := range c.counts { // order-free: sorted below
		list = append(list, fmt.Sprintf("%s: %d", what, n))
	}
	slices.Sort(list)
	c.t.Log(strings.Join(list, "\n"))
	for _, kind := range c.kinds() {
		if c.counts[kind+", "+said]+c.counts[kind+" of three, "+said] == 0 {
			c.t.Errorf("no job of %s has a result", kind)
		}
	}
}
