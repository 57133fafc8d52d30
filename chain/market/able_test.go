package market

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// capable says, from all that a runner declares and without any list, whether it can do this type of job.
func capable(s *job.Spec, d *runner.Declaration) bool {
	does := func(name string) bool { return slices.Contains(d.Capabilities.JobTypes, runner.Name{Name: name}) }
	switch s.Kind {
	case job.LLM:
		return does("llm") && (s.LLM.Model.IsZero() || slices.Contains(d.Card.SupportedModels, runner.Model{ID: s.LLM.Model}))
	case job.HTTP:
		host, ok := entitle.HostOf(s.HTTP.URL)
		return ok && does("http") && slices.ContainsFunc(d.Capabilities.HTTPDomains, func(n runner.Name) bool {
			rest, wide := strings.CutPrefix(n.Name, "*")
			return n.Name == host || n.Name == "*" || wide && strings.HasPrefix(rest, ".") && strings.HasSuffix(host, rest)
		})
	case job.MCP:
		return does("mcp_"+s.MCP.Server+"_"+s.MCP.Tool) || does("mcp") && slices.Contains(d.Card.SupportedMCPServers, runner.Name{Name: s.MCP.Server})
	case job.Custom:
		return does(fmt.Sprintf("custom_0x%x", s.Custom.Executor[:]))
	}
	return false
}

// straightforward lists the candidates of a job by asking everybody who is registered, in the order of addresses, all filters in their order.
func (w *world) straightforward(s *job.Spec, excluded []account.Address) (list candidates) {
	all, err := runner.List(w.overlay, nil, 0)
	w.must(err)
	for _, r := range all {
		d, err := runner.LoadDeclaration(w.overlay, r.Address)
		w.must(err)
		cost, fits := Cost(s, Usage{OutputTokens: s.Bounds.MaxOutputTokens, WallTimeSeconds: s.Bounds.MaxWallTimeSeconds}, &d.Card)
		need := s.MaxPrice + s.MaxPrice/2
		switch {
		case slices.Contains(excluded, r.Address), r.Health(w.Height) != runner.Healthy, r.Reputation < runner.ReputationOf(50)-runner.ReputationOf(1)/2:
		case !capable(s, d), len(s.Volumes) > 0 && !d.Capabilities.VolumeMounts:
		case !fits || cost > s.MaxPrice, s.MaxPrice < d.Card.MinJobValue, s.MaxPrice > d.Card.MaxJobValue:
		case r.ActiveJobs >= d.Capabilities.MaxConcurrentJobs, r.Stake < max(need, 10_000*unit.CBY):
		case (r.Reputation < runner.ReputationOf(60) || w.Height < r.Registered+3_600) && (r.ActiveJobs > 0 || s.MaxPrice > d.Card.MaxJobValue/10):
		default:
			list = append(list, job.Candidate{Address: r.Address, Weight: job.Weight(r.Stake, uint64(r.Reputation))})
		}
	}
	return list
}

// oneOf gives one of a list.
func oneOf[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// some gives names of a list, ascending.
func some(r *rand.Rand, list ...string) (names []runner.Name) {
	slices.Sort(list)
	for _, n := range list {
		if r.IntN(3) == 0 {
			names = append(names, runner.Name{Name: n})
		}
	}
	return names
}

// declares are random terms of a runner, of few enough words that runners and jobs meet.
func declares(r *rand.Rand, t *runner.Terms) {
	executor := fmt.Sprintf("custom_0x%064x", 7)
	t.Capabilities.JobTypes = append(some(r, "http", "llm", "mcp", "mcp_mail_read", "mcp_mail_send", executor), runner.Name{Name: "video"})
	t.Capabilities.HTTPDomains = some(r, "*", "*.", "*.org", "*.example.org", "*ample.org", "example.org", "a.example.org")
	t.Capabilities.MaxConcurrentJobs, t.Capabilities.VolumeMounts = 1+r.Uint32N(2), r.IntN(2) == 0
	t.Card.SupportedMCPServers, t.Card.SupportedModels = some(r, "mail", "maps"), nil
	for n := range byte(3) {
		if r.IntN(2) == 0 {
			t.Card.SupportedModels = append(t.Card.SupportedModels, runner.Model{ID: digest.Hash{1 + n}})
		}
	}
	t.Card.LLMOutputToken, t.Card.MinJobValue = unit.Amount(r.Uint64N(uint64(unit.CBY/5))), unit.Amount(r.Uint64N(uint64(6*unit.CBY)))
	t.Card.MaxJobValue = unit.Amount(6+r.Uint64N(200)) * unit.CBY
}

// wants is a random job of one runner or a committee.
func wants(r *rand.Rand) *job.Spec {
	s := ask(oneOf(r, voted, func(*job.Spec) {}))
	s.MaxPrice = unit.Amount(r.Uint64N(uint64(12 * unit.CBY)))
	if r.IntN(4) == 0 {
		s.Volumes = []job.Volume{{Name: "v"}}
	}
	switch r.IntN(5) {
	case 0:
		s.LLM.Model = digest.Hash{byte(r.IntN(4))}
	case 1:
		fetch("https://" + oneOf(r, "example.org", "a.example.org", "b.a.example.org", "other.org", "example.com", "me@x", "EXAMPLE.org.", "org") + "/x")(s)
	case 2:
		call(s)
		s.MCP.Server, s.MCP.Tool = oneOf(r, "mail", "maps"), oneOf(r, "read", "send")
	case 3:
		execute(s)
	}
	return s
}

// The lists of who can do what give the candidates, the Merkle root and the committee that asking every runner gives, while runners come, change, rest and
// leave; and when all have left, nothing of the lists is left.
//
// Spec: CIP-2 §4; runner-marketplace §2.8, §4.1, §4.3, §4.5.
func TestListsGiveTheCandidatesThatAskingAllGives(t *testing.T) {
	const runners = 40
	found, deep := 0, 0
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 5))
		w := newWorld(t, 0)
		w.at(1)
		for n := range runners {
			w.enrol(n, func(t *runner.Terms) { declares(r, t) })
		}
		w.at(began)
		for n := range runners {
			if r.IntN(8) > 0 {
				w.must(w.Registry.Heartbeat(person(n), r.IntN(8) > 0))
			}
			w.trust(person(n), oneOf(r, uint64(30), 49, 50, 59, 60, 120, 200))
		}
		for step := range 60 {
			n := r.IntN(runners)
			mark := w.overlay.Mark()
			again := terms(n)
			declares(r, &again)
			again.Stake = 0
			var err error
			switch r.IntN(12) {
			case 0:
				err = w.Registry.Deregister(person(n))
			case 1:
				err = w.Registry.Register(person(n), again)
			case 2:
				err = w.Registry.UpdateCard(person(n), again.Card)
			case 3:
				_, err = w.Registry.Assign(person(n))
			}
			if err != nil {
				w.overlay.Revert(mark)
			}
			s := wants(r)
			var excluded []account.Address
			if r.IntN(3) == 0 {
				excluded = []account.Address{person(r.IntN(runners))}
			}
			got, looked, err := w.candidates(&Task{Spec: s, Job: &Job{}}, excluded)
			w.must(err)
			want := w.straightforward(s, excluded)
			if !slices.Equal(got, want) || got.root() != want.root() {
				t.Fatalf("seed %d, step %d: %d candidates, want %d, of %+v", seed, step, len(got), len(want), s)
			}
			drawn := digest.SHA256([]byte{byte(seed), byte(step)})
			if a, b := job.Draw(got, drawn, 5), job.Draw(want, drawn, 5); !slices.Equal(a, b) {
				t.Fatalf("seed %d, step %d: %v are drawn, want %v", seed, step, a, b)
			}
			if found += len(got); looked < runners {
				deep++
			}
		}
		for n := range runners {
			if err := w.Registry.Deregister(person(n)); err != nil && err != runner.ErrLeaving {
				t.Fatal(err)
			}
		}
		for _, prefix := range []string{"runner:able/", "runner:offer/"} {
			w.must(w.overlay.Scan(account.KeyString(account.KindRecord, runner.Home(), prefix), nil, 0, func(key, _ []byte) bool {
				t.Fatalf("seed %d: %x is left", seed, key)
				return false
			}))
		}
	}
	if found < 2_000 || deep < 1_000 {
		t.Errorf("%d candidates were found, and %d times not all were looked at", found, deep)
	}
}

// What a job costs to submit is the same among ten runners who can do it whether others are registered or not, and whether other jobs are open.
//
// Spec: runner-marketplace §4.1, §13.
func TestASubmissionLooksAtThoseWhoCan(t *testing.T) {
	for _, others := range []int{0, 100, 900} {
		t.Run(fmt.Sprint(others), func(t *testing.T) {
			w := newWorld(t, 0)
			w.at(1)
			for n := range 10 + others {
				w.enrol(n, func(t *runner.Terms) {
					if n >= 10 {
						t.Capabilities.JobTypes = []runner.Name{{Name: "video"}}
					}
				})
			}
			w.at(began)
			for n := range 10 {
				w.must(w.Registry.Heartbeat(person(n), true))
				w.trust(person(n), 100)
			}
			looks := 0
			w.Look = func(n int) error { looks += n; return nil }
			for n := range 20 {
				if looks = 0; n < 15 {
					w.submitted(voted)
				} else {
					w.submitted()
				}
				if looks != 11 {
					t.Fatalf("job %d: %d looks", n, looks)
				}
			}
		})
	}
}
