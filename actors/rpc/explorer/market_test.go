package explorer

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

var (
	jobID    = digest.Hash{0x1b}
	jobAlias = digest.Hash{0x1a}
	openJob  = digest.Hash{0x0b}
	lostJob  = digest.Hash{0x0f}
	badJob   = digest.Hash{0xbd}
	workers  = []string{account.System(0x21).String(), account.System(0x22).String(), account.System(0x23).String(), account.System(0x24).String()}
)

func (f *fake) Market() (wire.Market, error) {
	return wire.Market{Members: 5, Threshold: 3, Measured: true, Active: 17, ConcentrationPPM: 123_456, Escrow: 2_500_000_000}, nil
}
func hostileRunner() wire.Runner {
	tee := hostile
	return wire.Runner{
		Address: workers[0], Stake: 20_000_000_000_000, Delegated: 7_000_000_000, EffectiveStake: 20_007_000_000_000, Health: "Asleep", Reputation: 57,
		ActiveJobs: 3, Endpoint: hostile, Capabilities: wire.RunnerCapabilities{
			JobTypes: []string{"llm", hostile}, TEESupport: &tee, HTTPDomains: strings.Split(strings.Repeat("x.example ", 40), " "), MaxConcurrentJobs: 8,
		},
		RateCard: wire.RateCard{LLMOutputToken: 30, MaxJobValue: 13_000_000_000_000, SupportedMCPServers: []string{hostile}},
		Binding: &wire.Binding{
			TEEType: "tdx", Measurements: []string{wire.Hash(openJob), wire.Hash(badJob)}, Status: "Deprecated", BoundAt: 1, ExpiresAt: 604_801,
		},
	}
}
func (f *fake) RegisteredRunners(after *account.Address, limit int) (wire.Runners, error) {
	if f.top == 0 || after != nil {
		return wire.Runners{}, nil
	}
	v := wire.Runners{NextCursor: workers[3]}
	for range limit {
		v.Runners = append(v.Runners, hostileRunner())
	}
	return v, nil
}
func (f *fake) Runner(a account.Address) (wire.Runner, error) {
	if a.String() != workers[0] && a != account.System(1) {
		return wire.Runner{}, missing{}
	}
	return hostileRunner(), nil
}
func (f *fake) RunnerJobs(account.Address, digest.Hash) (wire.RunnerJobs, error) {
	open, err := f.Job(openJob)
	return wire.RunnerJobs{Jobs: []wire.Job{open}, NextCursor: wire.Hash(openJob)}, err
}
func (f *fake) DelegationStats(account.Address) (wire.DelegationStats, error) {
	return wire.DelegationStats{DelegatorCount: 2, Config: &wire.DelegationConfig{AcceptDelegation: true, CommissionBPS: 250}}, nil
}
func (f *fake) Models(*digest.Hash, int) (wire.Models, error) {
	return wire.Models{Models: []wire.Model{{ModelID: wire.Hash(txHash), Banned: true}}, NextCursor: "x"}, nil
}
func (f *fake) Containers(string, int) (wire.Containers, error) {
	return wire.Containers{Images: []wire.ContainerImage{{Name: hostile, Digest: "sha256:" + hostile, Platforms: []string{hostile}}}}, nil
}

// Job has one that was answered, one that is open, one that failed and one that nothing can be read of.
func (f *fake) Job(name digest.Hash) (wire.Job, error) {
	j := wire.Job{
		JobID: wire.Hash(jobID), Alias: wire.Hash(jobAlias), Status: "Completed", Submitter: actorAddress.String(), SubmittedAt: 1_100, Members: 4,
		Threshold: 2, AssignedAt: 1_102, EndedAt: 1_990, Committed: 4, Revealed: 3, Spec: wire.JSON(map[string]any{"job_type": map[string]any{"Llm": hostile}}),
	}
	switch name {
	case jobID, jobAlias:
		return j, nil
	case openJob:
		j.JobID, j.Status, j.EndedAt, j.Deadline, j.Escrow = wire.Hash(openJob), "Executing", 0, 1_300, 1_250_000_000
		return j, nil
	case lostJob:
		return wire.Job{JobID: wire.Hash(lostJob), Status: "Failed", Reason: "timeout", Submitter: actorAddress.String(), SubmittedAt: 7, EndedAt: 307}, nil
	case badJob:
		return wire.Job{}, errors.New("the disk is gone")
	}
	return wire.Job{}, missing{}
}
func (f *fake) JobRunners(name digest.Hash) (wire.JobRunners, error) {
	if name == lostJob {
		return wire.JobRunners{}, missing{}
	}
	v := wire.JobRunners{Aggregator: workers[0], Excluded: []string{workers[3]}, Epoch: 3, View: 44}
	for i, w := range workers {
		v.Runners = append(v.Runners, wire.JobRunner{Runner: w, Committed: true, CommittedAt: 1_110 + uint64(i)})
	}
	v.Runners[0].Revealed, v.Runners[0].RevealedAt = true, 1_120
	if name == openJob {
		v.Runners[3] = wire.JobRunner{Runner: workers[3], Progress: &wire.JobProgress{Percent: 40, Detail: "page 2 <script>\u202e", Height: 1_115}}
	}
	return v, nil
}
func revealed(who int, data string) wire.JobResult {
	return wire.JobResult{Runner: workers[who], Output: &verify.Output{Data: []byte(data)}}
}
func (f *fake) JobResults(name digest.Hash) (wire.JobResults, error) {
	if name == lostJob {
		return wire.JobResults{}, nil
	}
	return wire.JobResults{Results: []wire.JobResult{
		revealed(0, `{"answer": 41, "why": "`+`<script>"}`), revealed(1, `{"answer": 42}`), revealed(2, `{"answer": 42}`),
	}}, nil
}
func (f *fake) JobVerified(name digest.Hash) (wire.JobVerified, error) {
	if name == lostJob || name == openJob {
		return wire.JobVerified{}, missing{}
	}
	text := `{"answer": 42}`
	return wire.JobVerified{
		Outcome: "success", Data: fmt.Sprintf("0x%x", text), Text: text, Count: 2, Total: 3, Mode: "majority_vote", Agreed: workers[1:3], VerifiedAt: 1_130,
		Price: 750_000_000,
	}, nil
}

// TestMarketPages draws the market, a runner and jobs over hostile data.
//
// Spec: runner-marketplace §2.5, §2.6, §2.8, §4.2.
func TestMarketPages(t *testing.T) {
	h := New(&fake{top: 2_000}, nobody)
	id := func(name digest.Hash) string { return "job/" + wire.Hash(name) }
	for _, c := range []struct {
		path   string
		status int
		want   string
	}{
		{"runners", 200, `5 <small>runners, 3 have to agree`},
		{"runners", 200, `12.3 % <small>17 runners when measured`},
		{"runners", 200, `2.5 <small>CBY`},
		{"runners", 200, `<td class="num">20007</td>`},
		{"runners", 200, `href="?cursor=` + workers[3]},
		{"runners", 200, `<span class="bad">banned</span>`},
		{"runners", 200, `<a href="/models">all of them</a>`},
		{"runners?cursor=" + workers[3], 200, "No runner is registered"},
		{"runners?cursor=zz", 404, "an address is 40 hexadecimal digits"},
		{"runner/" + workers[0], 200, "and 29 more"}, // 40 domains and an empty one, 12 of them shown
		{"runner/" + workers[0], 200, "7 CBY, of 2 accounts; takes more for a commission of 2.5 %"},
		{"runner/" + workers[0], 200, "For each output token</dt><dd>0.00000003 CBY"},
		{"runner/" + workers[0], 200, "Runners work: 4 of 4 have committed themselves"},
		{"runner/" + workers[0], 200, `href="?jobs=` + wire.Hash(openJob)},
		{"runner/" + workers[0], 200, `Deprecated, of tdx, since <a href="/explorer/block/1">`},
		{"runner/" + workers[0], 200, "<div>" + wire.Hash(badJob) + "</div>"},
		{"runner/" + workers[0] + "?jobs=1", 404, "a hash is 64 hexadecimal digits"},
		{"runner/" + workers[1], 404, "not found"},
		{"runner/0x12", 404, "an address is 40 hexadecimal digits"},
		{"account/" + account.System(1).String(), 200, "registered: its rate card"},
		{id(jobID), 200, `0.75 <small>CBY</small>`},
		{id(jobAlias), 200, "Answered and paid for"},
		{id(jobID), 200, "4 runners drawn, of which 2 have to agree"},
		{id(jobID), 200, "verified: 2 of 3 agree (majority_vote)"},
		{id(jobID), 200, ">1\u202f990</a></span> <span>paid</span>"},
		{id(jobID), 200, `<td class="mono">answer</td><td class="mono wrap"><del>42</del></td><td class="mono wrap"><ins>41</ins></td>`},
		{id(jobID), 200, `<td class="mono">why</td><td class="mono wrap"><span class="none">none</span></td>`},
		{id(jobID), 200, `<span class="mark">aggregator</span>`},
		{id(jobID), 200, "1 were silent in attempts before"},
		{id(openJob), 200, "commitments are taken until block 1\u202f300"},
		{id(openJob), 200, "Held, of"},
		{id(openJob), 200, `<span class="none">at work, 40 %: page 2 &lt;script&gt;\u202e</span>`},
		{id(lostJob), 200, "Failed: no attempt gave a result in time"},
		{id(lostJob), 200, "Nobody was drawn, or it is forgotten"},
		{id(lostJob), 200, "its specification is forgotten"},
		{id(badJob), 500, "the disk is gone"},
		{id(digest.Hash{9}), 404, "not found"},
		{"job/12", 404, "a hash is 64 hexadecimal digits"},
	} {
		t.Run(c.path+" "+c.want, func(t *testing.T) {
			r, body := get(t, h, Path+c.path)
			if r.StatusCode != c.status || !strings.Contains(body, c.want) {
				t.Errorf("%d, want %d and %q in %s", r.StatusCode, c.status, c.want, body)
			}
			if strings.Contains(body, "<script>") || !strings.HasSuffix(strings.TrimSpace(body), "</html>") {
				t.Error("it is not escaped or not whole")
			}
		})
	}
}

// TestFindJob goes from an identity, or an alias, to the job's page.
func TestFindJob(t *testing.T) {
	h := New(&fake{top: 5}, nobody)
	for _, name := range []digest.Hash{jobID, jobAlias} {
		t.Run(wire.Hash(name), func(t *testing.T) {
			r, _ := get(t, h, Path+"search?q="+wire.Hash(name))
			if got := r.Header.Get("Location"); got != Path+"job/"+wire.Hash(jobID) {
				t.Errorf("goes to %q", got)
			}
		})
	}
}

// TestJobOf reads the identity at the beginning of an event of 0x02, and of no other. Spec: runner-marketplace §2.6.
func TestJobOf(t *testing.T) {
	market, data := account.System(2).String(), wire.Hex(jobID[:])+"01"
	for _, c := range []struct {
		name string
		e    wire.Event
		want string
	}{
		{"its own", wire.Event{Actor: market, Topic: "job.assigned", Data: data}, wire.Hash(jobID)},
		{"of another", wire.Event{Actor: actorAddress.String(), Topic: "job.assigned", Data: data}, ""},
		{"another topic", wire.Event{Actor: market, Topic: "runner.paid", Data: data}, ""},
		{"short", wire.Event{Actor: market, Topic: "job.failed", Data: data[:63]}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := jobOf(c.e); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestDifferences compares answers, by hand.
func TestDifferences(t *testing.T) {
	long := strings.Repeat("x\n", matched+1)
	for _, c := range []struct {
		name, first, other string
		fields, lines      string
		note               string
		more               int
	}{
		{"fields", `{"a": 1, "b": {"c": [1, 2]}}`, `{"a": 1, "b": {"c": [1, 3, 4]}}`, "[{b.c[1] 2 3} {b.c[2]  4}]", "[]", "", 0},
		{"types", `{"a": {}}`, `{"a": null}`, "[{a {} null}]", "[]", "", 0},
		{"spaces", `{"a": 1}`, `{"a":1}`, "[]", "[]", "The same values, written differently.", 0},
		{"numbers as written", `[1.0]`, `[1]`, "[{[0] 1.0 1}]", "[]", "", 0},
		{"lines", "one\ntwo\nthree\nfour", "one\ntoo\nthree\n3½\nfour", "[]", "[{− two false} {+ too true} {+ 3½ true}]", "", 0},
		{"a value and a word", "1", "one", "[]", "[{− 1 false} {+ one true}]", "", 0},
		{"bytes", "\xff\x01", "\xff\x02\x03", "[]", "[]", "2 bytes beside 3; the first that differs is the one at 1.", 0},
		{"many", strings.Repeat("a\n", 20), strings.Repeat("b\n", 20), "", "", "", 40 - differRows},
		{"too many", "a\n" + long + "b", "c\n" + long + "d", "", "", "303 lines beside 303, too many to be matched: the first of each.", 2 * (303 - 12)},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := differ(&answer{Letter: "A", Data: []byte(c.first)}, &answer{Letter: "B", Data: []byte(c.other)})
			if c.fields != "" && (fmt.Sprint(d.Fields) != c.fields || fmt.Sprint(d.Lines) != c.lines) {
				t.Errorf("%v and %v, want %s and %s", d.Fields, d.Lines, c.fields, c.lines)
			}
			if d.Note != c.note || d.More != c.more {
				t.Errorf("%q and %d more, want %q and %d", d.Note, d.More, c.note, c.more)
			}
		})
	}
	d := differ(&answer{Outcome: "success"}, &answer{Outcome: "impossible"})
	if d.Note != "One says success, the other impossible." {
		t.Errorf("%q", d.Note)
	}
}

// TestDeepDifference takes a result of 64 KiB that is all brackets. Spec: WP §5.4 (on-chain return data).
func TestDeepDifference(t *testing.T) {
	deep := func(in string) []byte { return []byte(strings.Repeat("[", 9_000) + in + strings.Repeat("]", 9_000)) }
	if d := differ(&answer{Data: deep("1")}, &answer{Data: deep("2")}); len(d.Fields) != 1 || len([]rune(d.Fields[0].First)) > differChars+1 {
		t.Errorf("%+v", d)
	}
}

// TestAnswers has the verified answer first, then that of most runners, then that of the lowest address.
func TestAnswers(t *testing.T) {
	results := []wire.JobResult{revealed(0, "x"), revealed(1, "y"), revealed(2, "z"), revealed(3, "z")}
	for _, c := range []struct {
		name     string
		verified *wire.JobVerified
		want     string
	}{
		{"nothing verified", nil, "A z, B x, C y"},
		{"the second", &wire.JobVerified{Outcome: "success", Data: "0x79"}, "A y, B z, C x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, a := range answersOf(results, c.verified) {
				got = append(got, a.Letter+" "+string(a.Data))
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("%v, want %s", got, c.want)
			}
		})
	}
}

// TestMarketThatFails answers 500 where the node cannot read, for each thing a page needs.
func TestMarketThatFails(t *testing.T) {
	for _, path := range []string{"runners", "runner/" + workers[0], "job/" + wire.Hash(jobID)} {
		t.Run(path, func(t *testing.T) {
			if r, _ := get(t, New(&failing{fake{top: 5}}, nobody), Path+path); r.StatusCode != http.StatusInternalServerError {
				t.Errorf("%d", r.StatusCode)
			}
		})
	}
}

// failing reads the first thing of each page of the market, and no other.
type failing struct{ fake }

var errDisk = errors.New("the disk is gone")

func (f *failing) Market() (wire.Market, error) { return wire.Market{}, errDisk }
func (f *failing) DelegationStats(account.Address) (wire.DelegationStats, error) {
	return wire.DelegationStats{}, errDisk
}
func (f *failing) JobResults(digest.Hash) (wire.JobResults, error) { return wire.JobResults{}, errDisk }

func (f *huge) RegisteredRunners(after *account.Address, limit int) (wire.Runners, error) {
	v, err := f.fake.RegisteredRunners(after, limit)
	for i := range v.Runners {
		v.Runners[i], _ = f.Runner(account.System(1))
	}
	return v, err
}
func (f *huge) Runner(account.Address) (wire.Runner, error) {
	r, many := hostileRunner(), make([]string, 64)
	for i := range many {
		many[i] = megabyte
	}
	c := &r.Capabilities
	c.JobTypes, c.HTTPDomains, c.Regions, c.TEESupport = many, many, many, &megabyte
	r.Endpoint, r.RateCard.SupportedMCPServers = megabyte, many
	return r, nil
}
func (f *huge) Containers(_ string, limit int) (wire.Containers, error) {
	v := wire.Containers{Images: make([]wire.ContainerImage, limit)}
	for i := range v.Images {
		v.Images[i] = wire.ContainerImage{Name: megabyte, Digest: megabyte, Platforms: []string{megabyte}}
	}
	return v, nil
}
func (f *huge) Job(name digest.Hash) (wire.Job, error) {
	j, err := f.fake.Job(name)
	j.Reason, j.Spec = megabyte, wire.JSON(map[string]any{"job_type": map[string]any{megabyte: megabyte}})
	return j, err
}
func (f *huge) JobVerified(digest.Hash) (wire.JobVerified, error) {
	return wire.JobVerified{Outcome: "success", Data: "0x00", Text: megabyte}, nil
}

// JobResults are of 60 runners, no two alike: objects, texts of many lines and of one.
func (f *huge) JobResults(digest.Hash) (wire.JobResults, error) {
	var v wire.JobResults
	for i := range 60 {
		fields, one := map[string]string{}, megabyte[:700]
		for k := range 80 {
			fields[fmt.Sprint(k, one)] = fmt.Sprint(i, one)
		}
		data, _ := json.Marshal(fields)
		if i >= 30 {
			data = []byte(strings.Repeat(fmt.Sprint(i, one, "\n"), 80))
		}
		v.Results = append(v.Results, wire.JobResult{Runner: account.System(byte(i)).String(), Output: &verify.Output{Data: data}})
	}
	return v, nil
}
func (f *huge) JobRunners(digest.Hash) (wire.JobRunners, error) {
	var v wire.JobRunners
	for i := range 60 {
		v.Runners = append(v.Runners, wire.JobRunner{Runner: account.System(byte(i)).String(), CommittedAt: 5, RevealedAt: 6})
	}
	return v, nil
}
