package script

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	results "github.com/cowboyinc/cowboy-go/chain/verify"
)

var manyJobs = flag.Int("jobs", 14, "jobs of TestManyJobs")

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
		"mcp":    `{"Mcp": {"server": "tools", "tool_name": "say", "arguments": {}}}`,
		"custom": fmt.Sprintf(`{"Custom": {"executor_hash": %q, "params": "0x"}}`, c.executor),
		"container": `{"Container": {}}, "runtime_config": {"image": {"registry": "", "repository": "contained", "digest": "0x` + c.image + `"},
			"resources": {"cpu_millicores": 1000, "memory_mib": 128, "scratch_disk_mib": 16, "max_duration_sec": 20},
			"command": ["/contained", "say", "the", "truth"]}`,
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

// sent are commitments or reveals of a runner, by job: how many transactions there are, of how many values, how many succeeded, and how many are of others who
// posted them.
type sent struct{ all, values, taken, others int }

// posted lists the commitments, and the reveals, of each runner.
func (c *multitude) posted() (commits, reveals map[string]map[string]*sent) {
	c.t.Helper()
	commits, reveals = map[string]map[string]*sent{}, map[string]map[string]*sent{}
	values := map[string]bool{}
	for _, by := range c.runners {
		for offset := 0; ; offset += 100 {
			var page struct {
				Transactions []struct {
					Hash        string         `json:"hash"`
					Instruction map[string]any `json:"instruction"`
				} `json:"transactions"`
			}
			if !c.read(fmt.Sprintf("/account/%s/transactions?limit=100&offset=%d", by.address, offset), &page) {
				c.t.Fatal("the node does not list transactions")
			}
			for _, one := range page.Transactions {
				id, _ := one.Instruction["job_id"].(string)
				of, who := commits, by.address
				value, ok := one.Instruction["commitment"].(string)
				if !ok {
					if value, ok = one.Instruction["salt"].(string); !ok {
						continue
					}
					of = reveals
					who, _ = one.Instruction["runner"].(string)
				}
				var r wire.Receipt
				if !c.read("/transaction/"+one.Hash+"/receipt", &r) {
					c.t.Fatal("the node has no receipt of " + one.Hash)
				}
				if of[who] == nil {
					of[who] = map[string]*sent{}
				}
				if of[who][id] == nil {
					of[who][id] = &sent{}
				}
				s := of[who][id]
				s.all++
				if r.Success {
					s.taken++
				}
				if !values[who+id+value] {
					s.values++
				}
				if who != by.address {
					s.others++
				}
				values[who+id+value] = true
			}
			if len(page.Transactions) < 100 {
				break
			}
		}
	}
	return commits, reveals
}

// once holds a runner to one commitment and one reveal for each job, whatever it and its aggregators send again, and to its stake: a quarter is gone for each
// commitment whose reveal did not come, and nothing else.
//
// Spec: runner-marketplace §2.7, §4.6, §8.1; WP §5.4.
func (c *multitude) once(i int, commits, reveals map[string]*sent) (unrevealed int) {
	c.t.Helper()
	others, twice := 0, 0
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
			c.t.Errorf("runner %d: %d reveals for %s, of %d values, and %d are taken", i, s.all, id, s.values, s.taken)
		}
		others += s.others
		twice += s.all - 1
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
	c.t.Logf("runner %d: %d jobs committed to, %d not revealed, stake %d; reveals: %d by aggregators, %d for a second time",
		i, len(commits), unrevealed, r.Stake, others, twice)
	return unrevealed
}

// TestManyJobs: five runners that are processes, on a network of four validators that are. Of one the dispatcher and the worker are killed in the middle of
// jobs, one lies, one is slow and one is cut off for a fifth of the time; all are aggregators where they are drawn. Jobs of all kinds end as the rules say,
// nobody commits itself twice, and nobody loses stake whose reveal did come; `-args -jobs 1000` is the long run, with 50 kills.
//
// Spec: runner-marketplace §2.7, §4.6, §5, §5.1, §6, §8.1, §9; WP §5.3, §5.4.
func TestManyJobs(t *testing.T) {
	t.Parallel()
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
	commits, reveals := c.posted()
	for i, r := range c.runners {
		if unrevealed := c.once(i, commits[r.address], reveals[r.address]); unrevealed > 0 && (i == sound || i == slowly || i == lying) {
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
