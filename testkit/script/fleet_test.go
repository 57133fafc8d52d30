package script

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// newFleet starts a network of developers that runs five runners itself, and waits until all are registered.
func newFleet(t *testing.T, line string) (*market, wire.DevFleet) {
	t.Helper()
	port := freePorts(t, 1)
	m := &market{t: t, dir: t.TempDir(), url: fmt.Sprintf("http://127.0.0.1:%d", port)}
	m.write("answers.json", `{"france": "Paris"}`)
	var log bytes.Buffer
	node := m.start(&log, fmt.Sprintf("cowboyd %s --runners 5 --runner-port 0 --runner-answers answers.json --rpc-port %d --data-dir data --rpc-rate 0",
		line, port))
	t.Cleanup(func() {
		_ = node.Process.Kill()
		_ = node.Wait()
		if t.Failed() {
			t.Log(log.String())
		}
	})
	m.until("the node is up", func() bool { return m.read("/health/ready", new(any)) })
	m.until("five runners are registered", func() bool { return strings.Count(m.run("cowboy runner list"), "reputation 50") == 5 })
	m.run("cowboy init local")
	var all wire.DevFleet
	if !m.read("/dev/runners", &all) || len(all.Runners) != 5 {
		t.Fatalf("%+v", all)
	}
	return m, all
}

const voter = `from cowboy_sdk import Storage, Verify, actor, public, runner


@actor
class Voter:
    storage: Storage

    @public
    @runner.continuation(timeout_blocks=300)
    async def ask(self, payload):
        checks = Verify.builder().mode("majority_vote").runners(5).threshold(3).build()
        self.storage["answer"] = await runner.llm(payload.decode(), max_tokens=50, verification=checks)

    @public
    def answer(self, payload):
        return str(self.storage["answer"]).encode()
`

// slow is the runner that keeps its result until it hurries.
const slow = 2

// asks deploys an actor that asks five runners, and gives the job.
func (m *market) asks(all wire.DevFleet, question string) (job, actor string) {
	m.t.Helper()
	m.run(fmt.Sprintf("cowboy dev runner delay %d --by 1h", slow))
	m.run("cowboy account faucet")
	m.write("voter.py", voter)
	out := m.run("cowboy actor deploy --code voter.py --salt 0x01 --wait")
	actor = regexp.MustCompile(`Actor address: (0x[0-9a-fA-F]{40})`).FindStringSubmatch(out)[1]
	m.run("cowboy fund-actor --actor " + actor + " --amount 50 --wait")
	m.run("cowboy actor execute --actor " + actor + " --handler ask --payload-text " + question + " --wait")
	m.until("the job is given to runners", func() bool {
		var open wire.RunnerJobs
		if !m.read("/runner/"+all.Runners[slow].Address+"/jobs", &open) || len(open.Jobs) == 0 {
			return false
		}
		job = open.Jobs[0].JobID
		return true
	})
	return job, actor
}

// hurries has the slow one come with its result.
func (m *market) hurries() {
	m.t.Helper()
	m.run(fmt.Sprintf("cowboy dev runner delay %d --by 1s", slow))
}

// page reads a page of the explorer.
func (m *market) page(path string) string {
	m.t.Helper()
	answer, err := http.Get(m.url + path)
	if err != nil {
		m.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		m.t.Fatalf("%s: %d, %v", path, answer.StatusCode, err)
	}
	return string(text)
}

// TestFleet: a network of developers runs five runners itself. An actor asks all of them; one diverges. The majority's answer comes, the page of the job shows
// how the other one differs, and the four that agree are paid to the base unit. The prompt is of 1 word and the answer of 1, so the price is 20,000 + 30,000
// base units: 5,000 are burned, 500 are the treasury's, and of the 44,500 that are left the aggregator, if it agrees, first gets 1.5 % of the price, 750. The
// rest is divided by four; what does not divide is the aggregator's.
//
// Spec: runner-marketplace §5.2, §6.
func TestFleet(t *testing.T) {
	t.Parallel()
	m, all := newFleet(t, "--mining auto --block-time 1s")
	const other = 3
	if out := m.run("cowboy dev runner diverge 3"); !strings.Contains(out, "Runner 3: "+all.Runners[other].Address+" diverge\n") {
		t.Error(out)
	}
	id, actor := m.asks(all, "France?")
	m.until("the slow one says that it is at work", func() bool {
		var drawn wire.JobRunners
		return m.read("/job/"+id+"/runners", &drawn) && slices.ContainsFunc(drawn.Runners, func(r wire.JobRunner) bool {
			p := r.Progress
			return r.Runner == all.Runners[slow].Address && p != nil && p.Percent == 0 && p.Detail == "" && p.Height > 0
		})
	})
	if out := m.run("cowboy job runners --job-id " + id); !strings.Contains(out, all.Runners[slow].Address+"  at work, 0 %") {
		t.Error(out)
	}
	m.hurries()
	var verified wire.JobVerified
	m.until("there is a result", func() bool { return m.read("/job/"+id+"/verified", &verified) })
	const said = "Paris"
	if verified.Text != said || verified.Count != 4 || verified.Total != 5 || slices.Contains(verified.Agreed, all.Runners[other].Address) {
		t.Errorf("%+v", verified)
	}
	m.until("the actor has it", func() bool {
		c := exec.Command("cowboy", "actor", "query", "--actor", actor, "--handler", "answer", "--payload-text", "x", "--rpc-url", m.url)
		c.Dir = m.dir
		out, err := c.CombinedOutput()
		return err == nil && strings.Contains(string(out), said)
	})
	page := m.page("/explorer/job/" + id)
	for _, part := range []string{"Answer B beside A", said + " (runner 3)", `<span class="bad">differs</span>`} {
		if !strings.Contains(page, part) {
			t.Errorf("the page of the job has no %q", part)
		}
	}
	if strings.Count(page, `<span class="good">agrees</span>`) != 4 {
		t.Error("the page of the job does not show four that agree")
	}
	var drawn wire.JobRunners
	if !m.read("/job/"+id+"/runners", &drawn) {
		t.Fatal("the node does not tell of a committee")
	}
	for i, r := range all.Runners {
		m.run(fmt.Sprintf("cowboy dev runner away %d", i))
		m.run("cowboy dev balance " + r.Address + " 60")
	}
	m.run("cowboy dev mine 80")
	for i, r := range all.Runners {
		var a wire.Account
		if !m.read("/account/"+r.Address, &a) {
			t.Fatal("the node does not tell of an account")
		}
		want := uint64(10_937)
		switch {
		case i == other:
			want = 0
		case drawn.Aggregator == all.Runners[other].Address: // no bonus
			want = 11_125
		case drawn.Aggregator == r.Address:
			want = 10_937 + 750 + 2
		}
		if got := a.Balance - 60_000_000_000; got != want {
			t.Errorf("runner %d gets %d, want %d", i, got, want)
		}
	}
}

// TestFleetAmongValidators: on a network of several validators one runner lies about what it committed itself to, one says that the job cannot be done, and
// one is slow. The other two and the slow one are three of the four that reveal. The liar is committed, and its reveal never comes onto the chain.
//
// Spec: runner-marketplace §5 (reveal), §5.2 (external fault).
func TestFleetAmongValidators(t *testing.T) {
	t.Parallel()
	m, all := newFleet(t, "devnet --validators 2 --p2p-port "+fmt.Sprint(freePorts(t, 2))+" --block-time 100ms")
	var endpoints wire.Endpoints
	m.until("both validators invite runners, and the first node knows it", func() bool {
		return m.read("/validators/endpoints", &endpoints) && len(endpoints.Validators) == 2 && len(endpoints.Endpoints) == 2
	})
	const liar, failing = 0, 1
	m.run("cowboy dev runner lie 0")
	m.run("cowboy dev runner fail 1")
	id, _ := m.asks(all, "France?")
	m.hurries()
	var verified wire.JobVerified
	m.until("there is a result", func() bool { return m.read("/job/"+id+"/verified", &verified) })
	if verified.Text != "Paris" || verified.Count != 3 || verified.Total != 4 || !slices.Contains(verified.Agreed, all.Runners[slow].Address) {
		t.Errorf("%+v", verified)
	}
	var drawn wire.JobRunners
	if !m.read("/job/"+id+"/runners", &drawn) {
		t.Fatal("the node does not tell of a committee")
	}
	for _, r := range drawn.Runners {
		if !r.Committed || r.Revealed == (r.Runner == all.Runners[liar].Address) {
			t.Errorf("%+v", r)
		}
	}
	if page := m.page("/explorer/job/" + id); !strings.Contains(page, `<span class="mono">external`) {
		t.Errorf("the page of the job does not show that runner %d failed", failing)
	}
	if out := m.run("cowboy dev runner honest 0"); !strings.Contains(out, all.Runners[liar].Address+" honest\n") {
		t.Error(out)
	}
	if out := m.run("cowboy dev runner fleet"); !strings.Contains(out, all.Runners[slow].Address+" delay by 1s\n") {
		t.Error(out)
	}
}

// TestFleetPartitioned: of five runners one is cut off before it commits itself, one behind its commitment, and one is slow. The job waits for them as long as
// the rules have it, and its result is that of the three. Who was cut off before is there again; who did not reveal has lost a quarter of its stake.
//
// Spec: runner-marketplace §5 (commit_deadline, reveal window), §9.
func TestFleetPartitioned(t *testing.T) {
	t.Parallel()
	m, all := newFleet(t, "--mining auto --block-time 1s")
	m.run("cowboy dev runner away 0")
	id, _ := m.asks(all, "France?")
	m.hurries()
	stands := func() (j wire.Job) {
		if !m.read("/job/"+id, &j) {
			t.Fatal("the node does not tell of the job")
		}
		return j
	}
	m.until("four have committed themselves", func() bool { return stands().Committed == 4 })
	m.run("cowboy dev runner away 1")
	m.run(fmt.Sprint("cowboy dev mine ", stands().Deadline-stands().SubmittedAt))
	if j := stands(); j.Status != "Revealing" {
		t.Fatalf("%+v", j)
	}
	m.until("three reveal", func() bool { return stands().Revealed == 3 })
	if m.read("/job/"+id+"/verified", new(any)) {
		t.Error("it is verified before the window is over")
	}
	m.run("cowboy dev mine 61")
	var verified wire.JobVerified
	m.until("there is a result", func() bool { return m.read("/job/"+id+"/verified", &verified) })
	if verified.Text != "Paris" || verified.Count != 3 || verified.Total != 3 {
		t.Errorf("%+v", verified)
	}
	m.run("cowboy dev runner honest 0")
	var back, slashed wire.Runner
	m.until("who had not committed itself is there again", func() bool {
		return m.read("/runner/"+all.Runners[0].Address, &back) && back.Health == "Healthy"
	})
	m.until("who did not reveal is suspended", func() bool {
		return m.read("/runner/"+all.Runners[1].Address, &slashed) && slashed.Health == "Paused"
	})
	if back.Stake != 10_000_000_000_000 || slashed.Stake != 7_500_000_000_000 {
		t.Errorf("the stakes are %v and %v", back.Stake, slashed.Stake)
	}
}
