package script

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// market is a node of a developers' network, a wallet, and runners with a stand-in server each. All are processes of their own.
type market struct {
	t       *testing.T
	dir     string
	url     string
	env     []string // of the programs it starts, beside what they inherit
	runners []*laborer
}

// laborer is a runner.
type laborer struct {
	address string
	model   *standIn
	cmd     *exec.Cmd
	log     bytes.Buffer
}

func (m *market) start(log *bytes.Buffer, line string) *exec.Cmd {
	m.t.Helper()
	fields := strings.Fields(line)
	c := exec.Command(fields[0], fields[1:]...)
	c.Dir, c.Env, c.Stdout, c.Stderr = m.dir, append(os.Environ(), m.env...), log, log
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := c.Start(); err != nil {
		m.t.Fatal(err)
	}
	return c
}

// command is one with the wallet.
func (m *market) command(line string) *exec.Cmd {
	fields := strings.Fields(line)
	c := exec.Command(fields[0], fields[1:]...)
	c.Dir, c.Env = m.dir, append(os.Environ(), "COWBOY_RPC_URL="+m.url)
	return c
}

// run runs a command with the wallet and gives what it prints.
func (m *market) run(line string) string {
	m.t.Helper()
	out, err := m.command(line).CombinedOutput()
	if err != nil {
		m.t.Fatalf("$ %s\n%s%v", line, out, err)
	}
	return string(out)
}

// fails runs a command that has to fail, and gives what it says.
func (m *market) fails(line string) string {
	m.t.Helper()
	out, err := m.command(line).CombinedOutput()
	if err == nil {
		m.t.Fatalf("$ %s\n%sit did not fail", line, out)
	}
	return string(out)
}

func (m *market) write(name, text string) {
	m.t.Helper()
	if err := os.WriteFile(filepath.Join(m.dir, name), []byte(text), 0o600); err != nil {
		m.t.Fatal(err)
	}
}

// read asks the node for a path; false where it does not answer so.
func (m *market) read(path string, reply any) bool {
	answer, err := http.Get(m.url + path)
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	return answer.StatusCode == http.StatusOK && json.NewDecoder(answer.Body).Decode(reply) == nil
}

// until waits for something of the network.
func (m *market) until(what string, so func() bool) {
	m.t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for range 3_000 {
		if so() {
			return
		}
		<-tick.C
	}
	m.t.Fatalf("never: %s", what)
}

// workingConfig is the configuration of a runner that asks one model.
const workingConfig = `[runner]
rpc = %q
chain_id = 1
poll = "100ms"

[aggregator]
listen = "127.0.0.1:%d"
loss = "100"
private = ["127.0.0.0/8"]

[[place]]
capability = "llm"
count = 1

[[model]]
url = "%s/v1"
name = "stand-in"
`

// newMarket starts a node, which makes a block whenever something waits and each interval, and registers a runner for each answer of a model. None of them is
// started.
func newMarket(t *testing.T, interval string, answers ...string) *market {
	t.Helper()
	port := freePorts(t, 1+len(answers))
	m := &market{t: t, dir: t.TempDir(), url: fmt.Sprintf("http://127.0.0.1:%d", port)}
	var log bytes.Buffer
	node := m.start(&log, fmt.Sprintf("cowboyd --rpc-port %d --data-dir data --mining auto --block-time %s --rpc-rate 0", port, interval))
	t.Cleanup(func() {
		_ = node.Process.Kill()
		_ = node.Wait()
		for i, r := range m.runners {
			if t.Failed() {
				t.Logf("runner %d, %s:\n%s", i, r.address, r.log.String())
			}
		}
	})
	m.until("the node is up", func() bool { return m.read("/health/ready", new(any)) })
	m.run("cowboy init local")
	for i, text := range answers {
		dir := fmt.Sprintf("runner-%d", i)
		r := &laborer{model: newStandIn(text)}
		t.Cleanup(r.model.Close)
		r.address = strings.TrimPrefix(strings.TrimSpace(m.run("cowboy-runner init --data-dir "+dir)), "runner ")
		m.write(dir+"/config.toml", fmt.Sprintf(workingConfig, m.url, port+1+i, r.model.URL))
		m.run("cowboy dev balance " + r.address + " 10100")
		m.write("declaration.json", fmt.Sprintf(`{"rate_card": {"llm_input_token": 20000, "llm_output_token": 30000, "max_job_value": 10000000000},
			"capabilities": {"job_types": ["llm"], "max_concurrent_jobs": 1}, "endpoint": "http://127.0.0.1:%d"}`, port+1+i))
		m.run("cowboy runner register --private-key " + dir + "/runner.pem --declaration declaration.json --stake 10000 --wait")
		m.runners = append(m.runners, r)
	}
	return m
}

// work starts a runner.
func (m *market) work(i int) {
	m.t.Helper()
	r := m.runners[i]
	r.cmd = m.start(&r.log, fmt.Sprintf("cowboy-runner start --data-dir runner-%d", i))
	m.t.Cleanup(func() {
		_ = r.cmd.Process.Kill()
		_ = r.cmd.Wait()
	})
}

// rest drains a runner, and stops it when the chain knows.
func (m *market) rest(i int) {
	m.t.Helper()
	r := m.runners[i]
	m.run(fmt.Sprintf("cowboy-runner drain --data-dir runner-%d", i))
	m.until("the runner pauses", func() bool {
		return strings.Contains(m.run("cowboy runner get --address "+r.address), "Health: Paused")
	})
	if err := r.cmd.Process.Signal(os.Interrupt); err != nil {
		m.t.Fatal(err)
	}
	if err := r.cmd.Wait(); err != nil {
		m.t.Errorf("runner %d: %v", i, err)
	}
}

// sent counts the transactions of a kind that a runner has on the chain.
func (m *market) sent(i int, kind string) int {
	m.t.Helper()
	var page struct {
		Transactions []json.RawMessage `json:"transactions"`
	}
	if !m.read("/account/"+m.runners[i].address+"/transactions?limit=100", &page) {
		m.t.Fatal("the node does not list transactions")
	}
	n := 0
	for _, one := range page.Transactions {
		if bytes.Contains(one, []byte(kind)) {
			n++
		}
	}
	return n
}

// committed reports who of the runners committed itself to a job.
func (m *market) committed(id string) (list []bool, aggregator string) {
	var all wire.JobRunners
	list = make([]bool, len(m.runners))
	if !m.read("/job/"+id+"/runners", &all) {
		return list, ""
	}
	for i, r := range m.runners {
		for _, one := range all.Runners {
			list[i] = list[i] || one.Runner == r.address && one.Committed
		}
	}
	return list, all.Aggregator
}

// TestCommittee: of three runners one lies, and one is killed between its commitment and its reveal. The result is the majority's; the runner that comes back
// reveals what it committed itself to, from its journal, without asking its model again; the liar is not paid. Reveals go to the aggregator, which posts them,
// unless it is the one that was killed. Blocks come when something waits, so that nobody has to be quick.
//
// Spec: WP §5.3, §8.4; CIP-2 §8; runner-marketplace §4.6, §5, §5.2.
func TestCommittee(t *testing.T) {
	t.Parallel()
	m := newMarket(t, "1h", "Paris", "Paris", "Lyon")
	const killed, late, liar = 0, 1, 2
	gate := make(chan struct{})
	m.runners[late].model.gate = gate
	for i := range m.runners {
		m.work(i)
	}
	m.write("job.json", `{"job_type": {"Llm": {"prompt": "The capital of France?", "max_tokens": 100}},
		"verification": {"mode": "majority_vote", "runners": 3, "threshold": 2}, "max_price": 1000000000,
		"bounds": {"max_input_tokens": 100, "max_output_tokens": 100, "max_wall_time_seconds": 60, "max_retries": 0}, "timeout_blocks": 1000}`)
	m.run("cowboy job submit --job-spec job.json --wait")
	m.run("cowboy dev mine 5") // the seed of its committee
	id := ""
	m.until("the job is given to runners", func() bool {
		id = regexp.MustCompile(`0x[0-9a-f]{64}`).FindString(m.run("cowboy runner jobs --address " + m.runners[killed].address))
		return id != ""
	})
	m.until("two have committed themselves", func() bool {
		list, _ := m.committed(id)
		return list[killed] && list[liar]
	})
	if err := m.runners[killed].cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = m.runners[killed].cmd.Wait()
	close(gate)
	m.until("the two that are there reveal", func() bool {
		var j wire.Job
		return m.read("/job/"+id, &j) && j.Status == "Revealing" && j.Revealed == 2
	})
	m.work(killed)
	var verified wire.JobVerified
	m.until("there is a result", func() bool { return m.read("/job/"+id+"/verified", &verified) })
	if verified.Text != "Paris" || verified.Count != 2 || verified.Total != 3 {
		t.Errorf("%+v", verified)
	}
	m.settles(id, liar)
	m.posted(id)
}

// posted wants each runner to have asked its model and committed itself once, and once more wherever its node did not answer it in time, and the aggregator to
// have posted the reveals of the others, but of those that it did not answer.
func (m *market) posted(id string) {
	m.t.Helper()
	_, aggregator := m.committed(id)
	handed := 0
	for i, r := range m.runners {
		own := 0
		switch {
		case r.address == aggregator:
			continue
		case strings.Contains(r.log.String(), "declined "+aggregator):
			own = 1
		default:
			handed++
		}
		if reveals := m.sent(i, "JobResultSubmit"); reveals != own {
			m.t.Errorf("runner %d sent %d reveals, want %d; the aggregator is %s", i, reveals, own, aggregator)
		}
	}
	for i, r := range m.runners {
		commits, reveals := m.sent(i, "JobResultCommit"), m.sent(i, "JobResultSubmit")
		unsure := strings.Count(r.log.String(), "unsent runner.committing")
		posted := r.address != aggregator || reveals > handed && reveals <= len(m.runners)
		if asked := r.model.times(); asked != 1 || commits < 1 || commits > 1+unsure || !posted {
			m.t.Errorf("runner %d asked its model %d times, and sent %d commitments and %d reveals", i, asked, commits, reveals)
		}
	}
}

// settles holds what the runners get to the shares of the price, 7 × 20,000 + 5 × 30,000 = 290,000 base units: 29,000 are burned, 2,900 go to the treasury, and
// of the 258,100 that are left the aggregator, if it agrees, first gets 1.5 % of the price, 4,350. The rest is divided by two.
//
// Spec: runner-marketplace §5.2.
func (m *market) settles(id string, liar int) {
	m.t.Helper()
	_, aggregator := m.committed(id)
	for i, r := range m.runners {
		m.rest(i)
		m.run("cowboy dev balance " + r.address + " 50")
	}
	m.run("cowboy dev mine 80")
	for i, r := range m.runners {
		var a wire.Account
		if !m.read("/account/"+r.address, &a) {
			m.t.Fatal("the node does not tell of an account")
		}
		want := uint64(129_050)
		switch {
		case i == liar:
			want = 0
		case r.address == aggregator:
			want = 131_225
		case aggregator != m.runners[liar].address:
			want = 126_875
		}
		if got := a.Balance - 50_000_000_000; got != want {
			m.t.Errorf("runner %d gets %d, want %d", i, got, want)
		}
	}
}
