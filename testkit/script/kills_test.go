package script

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

var kills = flag.Int("runner-kills", 4, "kills of TestRunnerKills")

const apartConfig = `[runner]
rpc = %q
chain_id = 1
poll = "100ms"

[queue]
listen = "127.0.0.1"
port = %d

[[queue.worker]]
key = %q
capabilities = ["llm"]
`

// apart is a runner whose dispatcher and worker are processes of their own.
type apart struct {
	*market
	model              *standIn
	address            string
	port               int
	dispatcher, worker *exec.Cmd
	log                bytes.Buffer
}

func newApart(t *testing.T) *apart {
	t.Helper()
	m := newMarket(t, "1s", "Paris")
	a := &apart{market: m, model: m.runners[0].model, address: m.runners[0].address, port: freePorts(t, 1)}
	m.run("cowboy-runner init --data-dir worker")
	m.write("worker/config.toml", fmt.Sprintf(workingConfig, m.url, 0, a.model.URL))
	doctor := exec.Command("cowboy-runner", "doctor", "--data-dir", "worker")
	doctor.Dir = m.dir
	text, _ := doctor.CombinedOutput() // whose runner is not registered
	key := regexp.MustCompile(`worker\.nk (U\w+)`).FindSubmatch(text)
	if key == nil {
		t.Fatalf("doctor says no key: %s", text)
	}
	m.write("runner-0/config.toml", fmt.Sprintf(apartConfig, m.url, a.port, key[1]))
	t.Cleanup(func() {
		a.kill(&a.dispatcher)
		a.kill(&a.worker)
		if t.Failed() {
			t.Log(a.log.String())
		}
	})
	return a
}

// kill ends a process at once, as a power cut does.
func (a *apart) kill(c **exec.Cmd) {
	if *c != nil {
		_ = (*c).Process.Signal(syscall.SIGKILL)
		_ = (*c).Wait()
		*c = nil
	}
}

// up starts what does not run.
func (a *apart) up() {
	a.t.Helper()
	if a.dispatcher == nil {
		a.dispatcher = a.start(&a.log, "cowboy-runner start --data-dir runner-0")
	}
	if a.worker == nil {
		a.worker = a.start(&a.log, fmt.Sprintf("cowboy-runner worker --data-dir worker --join nats://127.0.0.1:%d", a.port))
	}
}

// submit asks for a job and gives its identity, once it is assigned.
func (a *apart) submit() (id string) {
	a.t.Helper()
	a.run("cowboy job submit --job-spec job.json --wait")
	a.until("the job is assigned", func() bool {
		var open wire.RunnerJobs
		if !a.read("/runner/"+a.address+"/jobs", &open) || len(open.Jobs) != 1 {
			return false
		}
		id = open.Jobs[0].JobID
		return true
	})
	return id
}

// sends counts the transactions of a kind that the runner has on the chain. Nothing may send meanwhile.
func (a *apart) sends(kind string) (n int) {
	a.t.Helper()
	const most = 100
	for offset := 0; ; offset += most {
		var page struct {
			Transactions []json.RawMessage `json:"transactions"`
		}
		if !a.read(fmt.Sprintf("/account/%s/transactions?limit=%d&offset=%d", a.address, most, offset), &page) {
			a.t.Fatal("the node does not list transactions")
		}
		for _, one := range page.Transactions {
			if bytes.Contains(one, []byte(kind)) {
				n++
			}
		}
		if len(page.Transactions) < most {
			return n
		}
	}
}

// TestRunnerKills: dispatcher and worker, processes of their own, are killed in the middle of jobs, at a moment that is drawn: while the model is asked, when a
// commitment is on the chain, when the reveal is. Each job has its result, with one commitment and one reveal on the chain.
//
// Spec: runner-marketplace §2.7, §5, §9.
func TestRunnerKills(t *testing.T) {
	t.Parallel()
	a := newApart(t)
	a.write("job.json", `{"job_type": {"Llm": {"prompt": "The capital of France?", "max_tokens": 100}}, "verification": {"mode": "none"},
		"bounds": {"max_input_tokens": 100, "max_output_tokens": 100, "max_wall_time_seconds": 60, "max_retries": 0},
		"max_price": 1000000000, "timeout_blocks": 1000}`)
	a.run("cowboy account faucet")
	draw := rand.New(rand.NewPCG(uint64(*kills), 7))
	asked, left, jobs := 0, *kills, 0
	for ; left > 0; jobs++ {
		a.up()
		a.until("the runner is healthy", func() bool {
			return strings.Contains(a.run("cowboy runner get --address "+a.address), "Health: Healthy")
		})
		gate := make(chan struct{})
		a.model.hold(gate)
		id := a.submit()
		a.until("the model is asked", func() bool { return a.model.times() > asked })
		strike := func(at string) {
			if left == 0 || draw.IntN(2) != 0 {
				return
			}
			left--
			if who := draw.IntN(2); who == 0 {
				t.Logf("job %d: the dispatcher is killed, %s", jobs, at)
				a.kill(&a.dispatcher)
			} else {
				t.Logf("job %d: the worker is killed, %s", jobs, at)
				a.kill(&a.worker)
			}
			a.up()
		}
		strike("while the model is asked")
		close(gate)
		a.model.hold(nil)
		a.until("there is a commitment", func() bool {
			var all wire.JobRunners
			return a.read("/job/"+id+"/runners", &all) && len(all.Runners) == 1 && all.Runners[0].Committed
		})
		strike("when it is committed to")
		var verified wire.JobVerified
		a.until("there is a result", func() bool { return a.read("/job/"+id+"/verified", &verified) })
		if verified.Text != "Paris" || verified.Count != 1 {
			t.Errorf("job %d: %+v", jobs, verified)
		}
		strike("when it is revealed")
		asked = a.model.times()
		a.run("cowboy dev balance " + a.address + " 100")
		a.run("cowboy dev mine 80")
		var ended wire.Job
		if !a.read("/job/"+id, &ended) || ended.Status != "Completed" {
			t.Errorf("job %d: %+v", jobs, ended)
		}
	}
	a.kill(&a.dispatcher)
	if commits, reveals := a.sends("JobResultCommit"), a.sends("JobResultSubmit"); commits != jobs || reveals != jobs {
		t.Errorf("%d jobs, %d commitments, %d reveals", jobs, commits, reveals)
	}
}
