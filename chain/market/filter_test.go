package market

import (
	"crypto/elliptic"
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/tee"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Each filter lets a runner through at its bound and not beyond.
//
// Spec: CIP-2 §4; runner-marketplace §4.1, §8.2.
func TestFilters(t *testing.T) {
	tdx, sgx := "tdx", "sgx"
	type terms = runner.Terms
	for _, c := range []struct {
		name   string
		terms  func(t *terms)
		record func(r *runner.Runner)
		ask    func(s *job.Spec)
		ok     bool
	}{
		{name: "plain", ok: true},
		{name: "heard of 100 blocks ago", record: func(r *runner.Runner) { r.Heard = began - 100 }, ok: true},
		{name: "heard of 101 blocks ago", record: func(r *runner.Runner) { r.Heard = began - 101 }},
		{name: "paused", record: func(r *runner.Runner) { r.Status = runner.Paused }},
		{name: "reputation 60", record: func(r *runner.Runner) { r.Reputation = runner.ReputationOf(60) }, ok: true},
		{name: "reputation 50, on probation, a tenth", record: func(r *runner.Runner) { r.Reputation = runner.ReputationOf(50) }, ok: true},
		{name: "reputation 49.5", record: func(r *runner.Runner) { r.Reputation = 99<<63/400 + 1 }, ok: true},
		{name: "reputation just below 49.5", record: func(r *runner.Runner) { r.Reputation = 99 << 63 / 400 }},
		{name: "on probation, more than a tenth", ask: func(s *job.Spec) { s.MaxPrice = 10*unit.CBY + 1 },
			record: func(r *runner.Runner) { r.Reputation = runner.ReputationOf(60) - 1 }},
		{name: "more than a tenth without probation", ask: func(s *job.Spec) { s.MaxPrice = 10*unit.CBY + 1 }, ok: true},
		{name: "on probation, busy", record: func(r *runner.Runner) { r.Reputation, r.ActiveJobs = runner.ReputationOf(50), 1 }},
		{name: "3,600 blocks old", record: func(r *runner.Runner) { r.Registered = began - 3_600 },
			ask: func(s *job.Spec) { s.MaxPrice = 11 * unit.CBY }, ok: true},
		{name: "3,599 blocks old", record: func(r *runner.Runner) { r.Registered = began - 3_599 }, ask: func(s *job.Spec) { s.MaxPrice = 11 * unit.CBY }},
		{name: "two of three jobs", record: func(r *runner.Runner) { r.ActiveJobs = 2 }, ok: true},
		{name: "three of three jobs", record: func(r *runner.Runner) { r.ActiveJobs = 3 }},
		{name: "stake 1.5 times the price", terms: large, record: func(r *runner.Runner) { r.Stake = 15_000 * unit.CBY }, ask: dear, ok: true},
		{name: "a base unit less", terms: large, record: func(r *runner.Runner) { r.Stake = 15_000*unit.CBY - 1 }, ask: dear},
		{name: "with delegated stake", terms: large, record: delegated(5_000 * unit.CBY), ask: dear, ok: true},
		{name: "with a base unit less of it", terms: large, record: delegated(5_000*unit.CBY - 1), ask: dear},
		{name: "less than the floor of its own", record: func(r *runner.Runner) { r.Stake, r.Delegated = 10_000*unit.CBY-1, 50_000*unit.CBY }},
		{name: "the largest value it takes", ask: func(s *job.Spec) { s.MaxPrice = 100 * unit.CBY }, ok: true},
		{name: "more than it takes", ask: func(s *job.Spec) { s.MaxPrice = 100*unit.CBY + 1 }},
		{name: "less than it takes", terms: func(t *terms) { t.Card.MinJobValue = 10*unit.CBY + 1 }},
		{name: "all its tokens are paid for", ask: func(s *job.Spec) { s.MaxPrice = 300 }, ok: true}, // 100 at three base units
		{name: "a base unit is missing", ask: func(s *job.Spec) { s.MaxPrice = 299 }},
		{name: "a model it has", terms: func(t *terms) { t.Card.SupportedModels = []runner.Model{{ID: digest.Hash{1}}} },
			ask: func(s *job.Spec) { s.LLM.Model = digest.Hash{1} }, ok: true},
		{name: "a model it has not", ask: func(s *job.Spec) { s.LLM.Model = digest.Hash{1} }},
		{name: "a trusted environment", terms: func(t *terms) { t.Capabilities.TEESupport, t.Measurement = tdx, digest.Hash{1} },
			ask: func(s *job.Spec) { s.Verification.TEERequired, s.Verification.TEEType = true, &tdx }, ok: true},
		{name: "another one", terms: func(t *terms) { t.Capabilities.TEESupport, t.Measurement = tdx, digest.Hash{1} },
			ask: func(s *job.Spec) { s.Verification.TEERequired, s.Verification.TEEType = true, &sgx }},
		{name: "any one", terms: func(t *terms) { t.Capabilities.TEESupport, t.Measurement = tdx, digest.Hash{1} },
			ask: func(s *job.Spec) { s.Verification.TEERequired = true }, ok: true},
		{name: "a measurement nobody trusts", terms: func(t *terms) { t.Capabilities.TEESupport, t.Measurement = tdx, digest.Hash{2} },
			ask: func(s *job.Spec) { s.Verification.TEERequired = true }},
		{name: "sgx", terms: func(t *terms) { t.Capabilities.TEESupport, t.Measurement = sgx, digest.Hash{1} },
			ask: func(s *job.Spec) { s.Verification.TEERequired = true }, ok: true},
		{name: "sgx for a deterministic job", terms: func(t *terms) { t.Capabilities.TEESupport, t.Measurement = sgx, digest.Hash{1} },
			ask: func(s *job.Spec) { s.Verification.TEERequired, s.Verification.Mode = true, job.ModeDeterministic }},
		{name: "a type nobody knows", terms: func(t *terms) { t.Capabilities.TEESupport, t.Measurement = "sev-snp", digest.Hash{1} },
			ask: func(s *job.Spec) { s.Verification.TEERequired = true }},
		{name: "one without a measurement", terms: func(t *terms) { t.Capabilities.TEESupport = tdx },
			ask: func(s *job.Spec) { s.Verification.TEERequired = true }},
		{name: "a site", terms: fetches("example.org"), ask: fetch("https://example.org/x"), ok: true},
		{name: "another site", terms: fetches("example.org"), ask: fetch("https://a.example.org/x")},
		{name: "below a site", terms: fetches("*.example.org"), ask: fetch("https://a.example.org:8080/x"), ok: true},
		{name: "all sites", terms: fetches("*"), ask: fetch("https://a.example.org/x"), ok: true},
		{name: "a site in the name of a user", terms: fetches("*"), ask: fetch("https://me@example.org/x")},
		{name: "a tool", terms: doing("mcp_mail_send"), ask: call, ok: true},
		{name: "a server", terms: func(t *terms) { doing("mcp")(t); t.Card.SupportedMCPServers = []runner.Name{{Name: "mail"}} }, ask: call, ok: true},
		{name: "another tool", terms: doing("mcp_mail_read"), ask: call},
		{name: "an executor", terms: doing(fmt.Sprintf("custom_0x%064x", 7)), ask: execute, ok: true},
		{name: "another executor", terms: doing(fmt.Sprintf("custom_0x%064x", 8)), ask: execute},
		{name: "a container", terms: contains(1_000, 512, 1_024), ask: contain(1_000, 512, 1_024), ok: true},
		{name: "one that is too large", terms: contains(999, 512, 1_024), ask: contain(1_000, 512, 1_024)},
		{name: "volumes", ask: func(s *job.Spec) { s.Volumes = []job.Volume{{Name: "v"}} }},
		{name: "a pool", ask: func(s *job.Spec) { s.Pool = []byte("gold") }, ok: true},
		{name: "another pool", ask: func(s *job.Spec) { s.Pool = []byte("iron") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := oneRunner(t, c.terms, c.record)
			spec := ask()
			if c.ask != nil {
				c.ask(spec)
			}
			w.must(tee.RegisterKey(w.overlay, tee.TDX, digest.Hash{1}, point(), began))
			w.must(tee.RegisterKey(w.overlay, tee.SGX, digest.Hash{1}, point(), began))
			list, looked, err := w.candidates(&Task{Spec: spec, Job: &Job{}}, nil)
			if err != nil || looked > 5 || (len(list) == 1) != c.ok {
				t.Errorf("%v %d %v, want %v", list, looked, err, c.ok)
			}
			if list, _, _ = w.candidates(&Task{Spec: spec, Job: &Job{}}, []account.Address{person(0)}); len(list) != 0 {
				t.Error("one that is excluded is a candidate")
			}
		})
	}
}

// oneRunner is a world with one runner, of a reputation of 100 and a pool, who declares what terms say and whose record is then changed; nil changes nothing.
func oneRunner(t *testing.T, terms func(t *runner.Terms), record func(r *runner.Runner)) *world {
	w := newWorld(t, 0)
	w.Height, w.Registry.Height = 1, 1
	w.enrol(0, func(t *runner.Terms) {
		if terms != nil {
			terms(t)
		}
	})
	w.at(began)
	r, _, err := runner.Load(w.overlay, person(0))
	w.must(err)
	r.Heard, r.Reputation = began, runner.ReputationOf(100)
	if record != nil {
		record(r)
	}
	addr := person(0)
	w.overlay.Set(append(account.KeyString(account.KindRecord, runner.Home(), "runner:state/"), addr[:]...), r.Encode())
	w.member(person(0), "gold")
	return w
}

// large has a runner take jobs up to 13,000 CBY.
func large(t *runner.Terms) { t.Card.MaxJobValue = 13_000 * unit.CBY }

// delegated are 10,000 CBY of a runner's own and an amount of others.
func delegated(amount unit.Amount) func(r *runner.Runner) {
	return func(r *runner.Runner) { r.Stake, r.Delegated = 10_000*unit.CBY, amount }
}

// dear is a job of 10,000 CBY.
func dear(s *job.Spec) { s.MaxPrice = 10_000 * unit.CBY }

func fetches(domain string) func(t *runner.Terms) {
	return func(t *runner.Terms) {
		t.Capabilities.JobTypes, t.Capabilities.HTTPDomains = []runner.Name{{Name: "http"}}, []runner.Name{{Name: domain}}
	}
}

func fetch(url string) func(s *job.Spec) {
	return func(s *job.Spec) { s.Kind, s.LLM, s.HTTP = job.HTTP, nil, &job.HTTPJob{URL: url, Method: "GET"} }
}

func doing(jobType string) func(t *runner.Terms) {
	return func(t *runner.Terms) { t.Capabilities.JobTypes = []runner.Name{{Name: jobType}} }
}

func call(s *job.Spec) {
	s.Kind, s.LLM, s.MCP = job.MCP, nil, &job.MCPJob{Server: "mail", Tool: "send", Arguments: "{}"}
}

func execute(s *job.Spec) {
	s.Kind, s.LLM, s.Custom = job.Custom, nil, &job.CustomJob{Executor: digest.Hash{31: 7}}
}

func contains(cpu, memory, scratch uint32) func(t *runner.Terms) {
	return func(t *runner.Terms) {
		c := &t.Capabilities
		c.JobTypes, c.CPUMillicores, c.MemoryMB, c.ScratchMB = []runner.Name{{Name: "container"}}, cpu, memory, scratch
	}
}

func contain(cpu, memory, scratch uint32) func(s *job.Spec) {
	return func(s *job.Spec) {
		s.Kind, s.LLM = job.Container, nil
		s.Runtime = &job.Runtime{Digest: digest.Hash{1}, CPUMilli: cpu, MemoryMiB: memory, ScratchMiB: scratch}
	}
}

// member makes somebody one of a pool.
func (w *world) member(who account.Address, pool string) {
	w.t.Helper()
	g := &grant.Registry{State: w.overlay, Height: w.Height, Governs: func(account.Address) bool { return true }}
	_, err := g.Grant(submitter, who, grant.PoolScope(pool), grant.JoinPool(pool), grant.Terms{Revocable: true})
	w.must(err)
}

// With a thousand runners who can do a job a submission looks at each once, and at four pages of them; what it costs does not grow with the jobs that are open.
//
// Spec: WP §5.3; runner-marketplace §4.1, §13.
func TestThousandRunners(t *testing.T) {
	const runners = 1_000
	w := newWorld(t, runners)
	looks := 0
	w.Look = func(n int) error { looks += n; return nil }
	w.fund(submitter, 100_000*unit.CBY)
	for n := range 40 {
		w.sources = byte(n)
		id := w.submitted(voted)
		if j := w.job(id); looks != runners+4 || j.Members != 5 {
			t.Fatalf("job %d: %d looks, %+v", n, looks, j)
		}
		looks = 0
	}
	// Every candidate is in the frozen list, ascending.
	ids, err := BySubmitter(w.overlay, submitter, digest.Hash{}, 1)
	w.must(err)
	raw, _, err := w.overlay.Lookup(of(underCandidates, ids[0]))
	w.must(err)
	list, err := decodeCandidates(raw)
	if err != nil || len(list) != runners || !slices.IsSortedFunc(list, func(a, b job.Candidate) int { return a.Address.Compare(b.Address) }) {
		t.Errorf("%d candidates: %v", len(list), err)
	}
	w.end()
	w.end()
	w.end()
	w.end()
	open := uint32(0)
	for n := range runners {
		open += w.active(person(n))
	}
	if open != 40*5 {
		t.Errorf("%d places are taken", open)
	}
}

// The size of committees over two epochs, by hand: four runners of equal stakes have a concentration of a quarter, so ceil(2·2/0.25) = 16, at most 9; then
// one of them is alone: seven eighths of a quarter and an eighth of one are 0.34375, and log2(1) is 0, so three.
//
// Spec: WP §5.3, §13; runner-marketplace §4.2.
func TestSizeOfCommittees(t *testing.T) {
	w := newWorld(t, 4)
	if c, err := CommitteeOf(w.overlay, w.Params); err != nil || c != (params.CommitteeConfig{Members: 5, Threshold: 3}) {
		t.Errorf("%+v %v", c, err)
	}
	w.until(3 * 3_600)
	if s, err := LoadSize(w.overlay); err != nil || s != nil {
		t.Errorf("%+v %v", s, err)
	}
	early := w.submitted(voted)
	w.end()
	s, err := LoadSize(w.overlay)
	if err != nil || *s != (Size{Concentration: 1 << 30, Active: 4, Committee: params.CommitteeConfig{Members: 9, Threshold: 6}}) {
		t.Errorf("%+v %v", s, err)
	}
	if j := w.job(early); j.Members != 4 || j.Threshold != 3 { // five were asked for, and four are there
		t.Errorf("%+v", j)
	}
	for n := 1; n < 4; n++ {
		w.must(w.Registry.Heartbeat(person(n), false))
	}
	w.until(4*3_600 + 1)
	s, err = LoadSize(w.overlay)
	if err != nil || *s != (Size{Concentration: 1<<30/8*7 + 1<<32/8, Active: 1, Committee: params.CommitteeConfig{Members: 3, Threshold: 2}}) {
		t.Errorf("%+v %v", s, err)
	}
}

// point is the base point of P-256, a key anybody has.
func point() []byte {
	c := elliptic.P256().Params()
	return append(append([]byte{4}, c.Gx.FillBytes(make([]byte, 32))...), c.Gy.FillBytes(make([]byte, 32))...)
}

// A stake is what the job's bond_multiplier asks for: 10,000 CBY are 2.5 times 4,000.
//
// Spec: WP-January "Verification Mode Details" (bond_multiplier); runner-marketplace §2.4.
func TestBonds(t *testing.T) {
	for multiplier, most := range map[string]unit.Amount{"2.5": 4_000 * unit.CBY, "100": 100 * unit.CBY, "0.1": 100_000 * unit.CBY} {
		t.Run(multiplier, func(t *testing.T) {
			limit, err := job.ParseDecimal(multiplier)
			if err != nil {
				t.Fatal(err)
			}
			s := &job.Spec{MaxPrice: most}
			s.Verification.Checks = []job.Check{{Kind: job.CheckMajorityVote}, {Kind: job.CheckBond, Limit: limit}}
			if !bonded(s, 10_000*unit.CBY) || bonded(s, 10_000*unit.CBY-1) {
				t.Error("the price that is just covered")
			}
			if s.MaxPrice++; bonded(s, 10_000*unit.CBY) {
				t.Error("a base unit more is covered")
			}
		})
	}
}
