package verify

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/job"
)

func decimal(t testing.TB, text string) job.Decimal {
	t.Helper()
	d, err := job.ParseDecimal(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func vote(field string) job.Check { return job.Check{Kind: job.CheckMajorityVote, Field: field} }

func match(fields ...string) job.Check {
	return job.Check{Kind: job.CheckStructuredMatch, Fields: fields}
}

func near(t testing.TB, field, tolerance string) job.Check {
	return job.Check{Kind: job.CheckNumericTolerance, Field: field, Tolerance: decimal(t, tolerance)}
}

func within(t testing.TB, field, low, high string) job.Check {
	return job.Check{Kind: job.CheckNumericRange, Field: field, Min: decimal(t, low), Max: decimal(t, high)}
}

func schema(text string) job.Check { return job.Check{Kind: job.CheckJSONSchema, Schema: text} }

// ruled is what a verdict should be.
type ruled struct {
	reason   error
	data     string
	accepted []account.Address
	failed   []account.Address
	outcome  Outcome
}

func (want *ruled) hold(t *testing.T, v *Verdict) {
	t.Helper()
	if !errors.Is(v.Reason, want.reason) || string(v.Data) != want.data || fmt.Sprint(v.Accepted) != fmt.Sprint(want.accepted) ||
		fmt.Sprint(v.Failed) != fmt.Sprint(want.failed) {
		t.Errorf("%v %q accepted %v failed %v\nwant %v %q %v %v", v.Reason, v.Data, v.Accepted, v.Failed, want.reason, want.data, want.accepted, want.failed)
	}
	if want.reason == nil && v.Outcome != want.outcome {
		t.Errorf("outcome %s", v.Outcome)
	}
}

// Each mode: success, disagreement, too few results.
// Spec: WP §5.4, "LLM Result Verification"; CIP-2 §9; runner-marketplace §2.3, §2.4, §5.
func TestModes(t *testing.T) {
	abc := `{"a":1,"b":"x"}`
	for name, c := range map[string]struct {
		spec *job.Spec
		n    int
		said []string
		want ruled
	}{
		"none takes anything": {plain(job.ModeNone), 1, []string{""}, ruled{data: "", accepted: runners(1)}},
		"none runs no checks": {plain(job.ModeNone, schema(`false`)), 1, []string{"x"}, ruled{data: "x", accepted: runners(1)}},
		"none, nobody":        {plain(job.ModeNone), 1, nil, ruled{reason: ErrInsufficient}},
		"bond":                {plain(job.ModeEconomicBond), 1, []string{"x"}, ruled{data: "x", accepted: runners(1)}},
		"bond, empty":         {plain(job.ModeEconomicBond), 1, []string{""}, ruled{reason: ErrInsufficient, failed: runners(1)}},
		"bond, schema": {
			plain(job.ModeEconomicBond, schema(`{"type":"object"}`)), 1, []string{"[]"}, ruled{reason: ErrSchema, failed: runners(1)},
		},
		"bond, range":        {plain(job.ModeEconomicBond, within(t, "a", "0", "1")), 1, []string{abc}, ruled{data: abc, accepted: runners(1)}},
		"bond, out of range": {plain(job.ModeEconomicBond, within(t, "a", "2", "3")), 1, []string{abc}, ruled{reason: ErrField}},
		"vote": {
			plain(job.ModeMajorityVote, vote("a")), 2, []string{`{"a":2}`, `{"a":1,"z":0}`, `{"a":1.0}`}, ruled{data: `{"a":1,"z":0}`, accepted: runners(2, 3)},
		},
		"vote on all, as JSON":  {plain(job.ModeMajorityVote), 2, []string{`x`, ` [1]`, `[1.0]`}, ruled{data: ` [1]`, accepted: runners(2, 3)}},
		"vote on all, as bytes": {plain(job.ModeMajorityVote), 2, []string{`x`, `y`, `y`}, ruled{data: `y`, accepted: runners(2, 3)}},
		"vote, nobody agrees": {
			plain(job.ModeMajorityVote, vote("a")), 2, []string{`{"a":1}`, `{"a":2}`, `{"a":3}`}, ruled{reason: ErrNoConsensus},
		},
		"vote, no field": {
			plain(job.ModeMajorityVote, vote("a")), 2, []string{`{"b":1}`, `{"b":1}`, `{"a":3}`}, ruled{reason: ErrNoConsensus},
		},
		"vote, too few": {plain(job.ModeMajorityVote, vote("a")), 2, []string{`{"a":1}`}, ruled{reason: ErrInsufficient}},
		"match": {
			plain(job.ModeStructuredMatch, match("a", "b")), 2,
			[]string{abc, `{"a":2,"b":"x"}`, `{"b":"x","a":1e0}`}, ruled{data: abc, accepted: runners(1, 3)},
		},
		"match, none": {
			plain(job.ModeStructuredMatch, match("a", "b")), 2, []string{abc, `{"a":2,"b":"x"}`, `{"a":1,"b":"y"}`}, ruled{reason: ErrField},
		},
		"match, too few":                  {plain(job.ModeStructuredMatch, match("a")), 2, []string{abc}, ruled{reason: ErrInsufficient}},
		"match without checks is a count": {plain(job.ModeStructuredMatch), 2, []string{`1`, `2`}, ruled{data: "1", accepted: runners(1, 2)}},
		"checks in their order": {
			plain(job.ModeStructuredMatch, schema(`{"required":["b"]}`), vote("a")), 2,
			[]string{`{"a":1}`, `{"a":1}`, `{"a":2,"b":0}`, `{"a":2,"b":0}`}, ruled{data: `{"a":2,"b":0}`, accepted: runners(3, 4), failed: runners(1, 2)},
		},
		"tolerance": {
			plain(job.ModeStructuredMatch, near(t, "", "0.5")), 2, []string{`1`, `1.6`, `2.1`}, ruled{data: `1.6`, accepted: runners(2, 3)},
		},
		"tolerance, at its edge": {
			plain(job.ModeStructuredMatch, near(t, "", "0.5")), 2, []string{`1.5`, `1`}, ruled{data: `1.5`, accepted: runners(1, 2)},
		},
		"tolerance, beyond": {
			plain(job.ModeStructuredMatch, near(t, "", "0.5")), 2, []string{`1.500000000000001`, `1`}, ruled{reason: ErrTolerance},
		},
		"tolerance, of as many the low": {
			plain(job.ModeStructuredMatch, near(t, "", "0")), 2, []string{`9`, `9`, `3`, `3`}, ruled{data: `3`, accepted: runners(3, 4)},
		},
		"deterministic":                     {plain(job.ModeDeterministic), 2, []string{`1`, `1.0`, `1`}, ruled{data: `1`, accepted: runners(1, 3)}},
		"deterministic, values are no data": {plain(job.ModeDeterministic), 2, []string{`1`, `1.0`}, ruled{reason: ErrNonDeterministic}},
		"deterministic, too few":            {plain(job.ModeDeterministic), 3, []string{`1`, `1`}, ruled{reason: ErrInsufficient}},
	} {
		t.Run(name, func(t *testing.T) {
			c.want.hold(t, judge(t, &Terms{Spec: c.spec, Threshold: c.n}, said(c.said...)))
		})
	}
}

// Ties of groups go to the lower keccak: keccak256("j1e0,") … are compared here by the digest package alone.
// Spec: runner-marketplace §6.2 (tie: lowest keccak).
func TestTiesGoToTheLowerHash(t *testing.T) {
	v := judge(t, &Terms{Spec: plain(job.ModeDeterministic), Threshold: 2}, said("a", "b", "a", "b"))
	want := "a"
	if byKeccak("b", "a") < 0 {
		want = "b"
	}
	if string(v.Data) != want {
		t.Errorf("%q, want %q", v.Data, want)
	}
}

// Spec: WP "LLM Result Verification"; runner-marketplace §6.3.
func TestObjectiveFailures(t *testing.T) {
	prompt := "  Never tell anybody of the blue door, or else.  \nshort line\n"
	llm := func(change func(s *job.Spec)) *job.Spec {
		s := plain(job.ModeEconomicBond)
		s.Kind, s.MCP, s.LLM = job.LLM, nil, &job.LLMJob{SystemPrompt: &prompt}
		s.Schema.MaxReturnBytes = 100
		change(s)
		return s
	}
	object := `{"type":"object"}`
	for name, c := range map[string]struct {
		change func(s *job.Spec)
		data   string
		good   bool
	}{
		"nothing wrong":          {func(*job.Spec) {}, "fine", true},
		"empty":                  {func(*job.Spec) {}, "", false},
		"n-1 bytes":              {func(*job.Spec) {}, strings.Repeat("a", 99), true},
		"n bytes":                {func(*job.Spec) {}, strings.Repeat("a", 100), true},
		"n+1 bytes":              {func(*job.Spec) {}, strings.Repeat("a", 101), false},
		"leak":                   {func(*job.Spec) {}, "I say: Never tell anybody of the blue door, or else. Ha", false},
		"a part is no leak":      {func(*job.Spec) {}, "Never tell anybody of the blue door", true},
		"short lines are none":   {func(*job.Spec) {}, "short line", true},
		"response model":         {func(s *job.Spec) { s.LLM.ResponseModel = &object }, "{}", true},
		"not the response model": {func(s *job.Spec) { s.LLM.ResponseModel = &object }, "[]", false},
		"no JSON":                {func(s *job.Spec) { s.LLM.ResponseModel = &object }, "{", false},
		"data format":            {func(s *job.Spec) { s.Schema.DataFormat = object }, "[]", false},
		"format json":            {func(s *job.Spec) { s.Schema.DataFormat = "JSON" }, "[]", true},
		"format json, and not":   {func(s *job.Spec) { s.Schema.DataFormat = "json" }, "x", false},
		"a format nobody knows":  {func(s *job.Spec) { s.Schema.DataFormat = "markdown" }, "x", true},
	} {
		t.Run(name, func(t *testing.T) {
			want := ruled{data: c.data, accepted: runners(1)}
			if !c.good {
				want = ruled{reason: ErrInsufficient, failed: runners(1)}
			}
			want.hold(t, judge(t, &Terms{Spec: llm(c.change), Threshold: 1}, said(c.data)))
		})
	}
}

// Spec: WP "External Data and Oracle Semantics"; WP-January "Freshness Requirements", "Snapshot Modes"; runner-marketplace §6.2.
func TestSnapshots(t *testing.T) {
	two := decimal(t, "0.02")
	shot := func(mode uint8) job.HTTPJob {
		return job.HTTPJob{Snapshot: &job.Snapshot{Mode: mode, OutlierThreshold: &two}}
	}
	at100 := func(list []Result, when ...uint64) []Result {
		for i := range list {
			list[i].Output.Source = &Source{FetchedAt: when[i]}
		}
		return list
	}
	reversed := func(list []Result) []Result {
		for i := range list {
			list[i].Height = 10
			list[i].Index = uint32(len(list) - i)
		}
		return list
	}
	for name, c := range map[string]struct {
		spec    *job.Spec
		n       int
		results []Result
		want    ruled
		flagged []account.Address
	}{
		"median of three": {fetch(job.ModeMajorityVote, shot(median)), 3, said("10", "30", "20"), ruled{data: "20", accepted: runners(1, 2, 3)}, runners(1, 2)},
		"lower median": {
			fetch(job.ModeMajorityVote, shot(median)), 3, said("10", "40", "20", "30"), ruled{data: "20", accepted: runners(1, 2, 3, 4)}, runners(1, 2, 4),
		},
		"median within": {
			fetch(job.ModeMajorityVote, shot(median)), 3, said("98", "100", "102.000000000000001"), ruled{data: "100", accepted: runners(1, 2, 3)}, runners(3),
		},
		"median of a field": {
			fetch(job.ModeMajorityVote, shot(median), vote("p")), 2, said(`{"p":1}`, `{"p":1}`, `{"q":1}`),
			ruled{data: `{"p":1}`, accepted: runners(1, 2)}, nil,
		},
		"median, no numbers": {fetch(job.ModeMajorityVote, shot(median)), 2, said(`"a"`, `1`), ruled{reason: ErrField}, nil},
		"median of what is near": {
			fetch(job.ModeStructuredMatch, shot(median), near(t, "", "1")), 2, said("10", "30", "9.5"), ruled{data: "9.5", accepted: runners(1, 3)}, runners(1),
		},
		"majority":    {fetch(job.ModeStructuredMatch, shot(majority)), 2, said("1", "2", "2"), ruled{data: "2", accepted: runners(1, 2, 3)}, nil},
		"first valid": {fetch(job.ModeStructuredMatch, shot(firstValid)), 2, reversed(said("1", "2", "3")), ruled{data: "3", accepted: runners(1, 2, 3)}, nil},
		"latest": {
			fetch(job.ModeStructuredMatch, shot(latest)), 2, at100(said("1", "2", "3"), 5, 9, 7), ruled{data: "2", accepted: runners(1, 2, 3)}, nil,
		},
		"latest, of as late ones the lowest address": {
			fetch(job.ModeStructuredMatch, shot(latest)), 2, at100(said("1", "2", "3"), 5, 9, 9), ruled{data: "2", accepted: runners(1, 2, 3)}, nil,
		},
		"the vote comes first": {
			fetch(job.ModeMajorityVote, shot(latest)), 2, at100(said("1", "1", "2"), 5, 6, 99), ruled{data: "1", accepted: runners(1, 2)}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := judge(t, &Terms{Spec: c.spec, Threshold: c.n}, c.results)
			c.want.hold(t, v)
			if fmt.Sprint(v.Outliers) != fmt.Sprint(c.flagged) {
				t.Errorf("outliers %v, want %v", v.Outliers, c.flagged)
			}
		})
	}
}

// Spec: WP-January "Freshness Requirements"; runner-marketplace §6.2.
func TestStaleDataAreNotTaken(t *testing.T) {
	for name, c := range map[string]struct {
		fresh   job.Freshness
		fetched uint64
		data    string
		good    bool
	}{
		"block, n-1":                 {job.Freshness{Reference: refBlock, MaxAgeSeconds: 60}, 941, "1", true},
		"block, n":                   {job.Freshness{Reference: refBlock, MaxAgeSeconds: 60}, 940, "1", true},
		"block, n+1":                 {job.Freshness{Reference: refBlock, MaxAgeSeconds: 60}, 939, "1", false},
		"from the time to come, n":   {job.Freshness{Reference: refBlock, MaxAgeSeconds: 60}, 1_060, "1", true},
		"from the time to come, n+1": {job.Freshness{Reference: refBlock, MaxAgeSeconds: 60}, 1_061, "1", false},
		"submission, n":              {job.Freshness{Reference: refSubmission, MaxAgeSeconds: 60}, 440, "1", true},
		"submission, n+1":            {job.Freshness{Reference: refSubmission, MaxAgeSeconds: 60}, 439, "1", false},
		"absolute, n":                {job.Freshness{Reference: refAbsolute, Timestamp: 100, MaxAgeSeconds: 5}, 105, "1", true},
		"absolute, n+1":              {job.Freshness{Reference: refAbsolute, Timestamp: 100, MaxAgeSeconds: 5}, 106, "1", false},
		"a field":                    {job.Freshness{Reference: refAbsolute, Timestamp: 100, TimestampField: "$.t"}, 0, `{"t":100}`, true},
		"a field that is not there":  {job.Freshness{Reference: refAbsolute, Timestamp: 100, TimestampField: "t"}, 100, `{}`, false},
		"a field that is no time":    {job.Freshness{Reference: refAbsolute, Timestamp: 100, TimestampField: "t"}, 100, `{"t":100.5}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			results := said(c.data)
			results[0].Output.Source, results[0].Committed = &Source{FetchedAt: c.fetched}, 1_000
			want := ruled{data: c.data, accepted: runners(1)}
			if !c.good {
				want = ruled{reason: ErrInsufficient}
			}
			terms := &Terms{Spec: fetch(job.ModeEconomicBond, job.HTTPJob{Freshness: &c.fresh}), Threshold: 1, Submitted: 500}
			want.hold(t, judge(t, terms, results))
		})
	}
}

// Cosines by hand: of (3,4) and (4,3) it is 24/25; of (1,0) and (17,11) 17/√410 = 0.8396; of (20,0) and (17,10) 17/√389 = 0.8619.
// Spec: runner-marketplace §2.4, §14; WP-January "Verification Mode Details".
func TestTheLargestClusterCounts(t *testing.T) {
	embedded := func(vectors ...[]int16) []Result {
		list := said("a", "b", "c", "d")[:len(vectors)]
		for i, v := range vectors {
			list[i].Output.Embedding = &Embedding{Wide: true, Values: v}
		}
		return list
	}
	v := func(n ...int16) []int16 { return n }
	for name, c := range map[string]struct {
		n       int
		results []Result
		want    ruled
	}{
		"alike":                 {3, embedded(v(3, 4), v(4, 3), v(30, 40)), ruled{data: "a", accepted: runners(1, 2, 3)}},
		"above the threshold":   {2, embedded(v(20, 0), v(17, 10)), ruled{data: "a", accepted: runners(1, 2)}},
		"below the threshold":   {2, embedded(v(1, 0), v(17, 11)), ruled{reason: ErrNoConsensus}},
		"opposite":              {2, embedded(v(1, 0), v(-1, 0)), ruled{reason: ErrNoConsensus}},
		"zero":                  {2, embedded(v(0, 0), v(0, 0)), ruled{reason: ErrNoConsensus}},
		"of other lengths":      {2, embedded(v(1, 0), v(1)), ruled{reason: ErrNoConsensus}},
		"the middle one counts": {3, embedded(v(10, 9), v(0, 10), v(5, 9), v(-10, 0)), ruled{data: "c", accepted: runners(1, 2, 3)}},
		"extremes":              {2, embedded(v(-32768, -32768), v(-32768, -32768)), ruled{data: "a", accepted: runners(1, 2)}},
		"without an embedding":  {2, append(embedded(v(1, 0), v(1, 0)), said("a", "b", "c")[2]), ruled{data: "a", accepted: runners(1, 2), failed: runners(3)}},
	} {
		t.Run(name, func(t *testing.T) {
			c.want.hold(t, judge(t, &Terms{Spec: plain(job.ModeSemanticSimilarity), Threshold: c.n}, c.results))
		})
	}
}

// Spec: runner-marketplace §2.3 (DnsTxtRecordMatch, DnsCnameMatch).
func TestResolversSeeWhatIsExpected(t *testing.T) {
	text := job.Check{Kind: job.CheckDNSText, Name: "a.b", Expected: "v=1", MinResolvers: 2}
	alias := job.Check{Kind: job.CheckDNSAlias, Name: "a.b", Expected: "c.d."}
	seen := func(values ...string) string {
		list := make([]string, len(values))
		for i, v := range values {
			list[i] = fmt.Sprintf(`{"resolver":"r%d","values":%s}`, i, v)
		}
		return `{"resolvers":[` + strings.Join(list, ",") + `]}`
	}
	hops := func(n int) string { return `[` + strings.Repeat(`"x.y",`, n-1) + `"C.d"]` }
	for name, c := range map[string]struct {
		check job.Check
		data  string
		good  bool
	}{
		"all":                  {text, seen(`["v=1"]`, `["x","v=1"]`), true},
		"strict majority":      {text, seen(`["v=1"]`, `["v=1"]`, `[]`), true},
		"half":                 {text, seen(`["v=1"]`, `["v=1 "]`), false},
		"too few resolvers":    {text, seen(`["v=1"]`), false},
		"bytes are compared":   {text, seen(`["V=1"]`, `["V=1"]`), false},
		"one resolver twice":   {text, `{"resolvers":[{"resolver":"a","values":["v=1"]},{"resolver":"a","values":["v=1"]}]}`, false},
		"no list":              {text, `{"resolvers":{}}`, false},
		"alias":                {alias, seen(hops(1)), true},
		"alias after 8 hops":   {alias, seen(hops(8)), true},
		"alias after 9 hops":   {alias, seen(hops(9)), false},
		"not the last of them": {alias, seen(`["c.d","e.f"]`), false},
	} {
		t.Run(name, func(t *testing.T) {
			want := ruled{data: c.data, accepted: runners(1, 2)}
			if !c.good {
				want = ruled{reason: ErrField}
			}
			want.hold(t, judge(t, &Terms{Spec: plain(job.ModeMajorityVote, c.check), Threshold: 2}, said(c.data, c.data)))
		})
	}
}

// Spec: WP-January "SDK Verifier Functions" (custom); runner-marketplace §2.3 (Custom).
func TestAnActorMayDecide(t *testing.T) {
	failure := errors.New("no state")
	for name, c := range map[string]struct {
		ruling Ruling
		err    error
		want   ruled
	}{
		"yes":              {Ruling{Word: Accepted}, nil, ruled{data: "1", accepted: runners(1, 3)}},
		"with an output":   {Ruling{Word: Accepted, Canonical: []byte("9")}, nil, ruled{data: "9", accepted: runners(1, 3)}},
		"no":               {Ruling{}, nil, ruled{reason: ErrNoConsensus}},
		"no, by mistake":   {Ruling{Canonical: []byte("9")}, nil, ruled{reason: ErrNoConsensus}},
		"nothing":          {Ruling{Word: Faulted}, nil, ruled{outcome: ActorFault, accepted: runners(1, 3)}},
		"state has failed": {Ruling{}, failure, ruled{}},
	} {
		t.Run(name, func(t *testing.T) {
			custom := job.Check{Kind: job.CheckCustom, Actor: at(99), Method: "m"}
			terms := &Terms{Spec: plain(job.ModeStructuredMatch, vote(""), custom), Threshold: 2}
			terms.Custom = func(place int, results []Result) (Ruling, error) {
				if place != 1 || len(results) != 2 || results[0].Runner != at(1) || results[1].Runner != at(3) {
					t.Errorf("asked of %v", results)
				}
				return c.ruling, c.err
			}
			if c.err != nil {
				if _, err := Judge(terms, said("1", "2", "1")); !errors.Is(err, failure) {
					t.Error(err)
				}
				return
			}
			c.want.hold(t, judge(t, terms, said("1", "2", "1")))
		})
	}
}

// Spec: WP "Runner Resource Accounting"; runner-marketplace §5.2.
func TestACommitteeMayAgreeThatAJobCannotBeDone(t *testing.T) {
	report := func(n byte, o Outcome, done, total uint64) Result {
		return Result{Runner: at(n), Output: &Output{Outcome: o, Done: done, Total: total}}
	}
	for name, c := range map[string]struct {
		results     []Result
		reason      error
		outcome     Outcome
		accepted    []account.Address
		done, total uint64
	}{
		"two of three, what both vouch for": {
			[]Result{report(1, External, 9, 10), report(2, External, 1, 2), said("", "", "x")[2]}, nil, External, runners(1, 2), 1, 2,
		},
		"three": {
			[]Result{report(1, Impossible, 1, 10), report(2, Impossible, 3, 10), report(3, Impossible, 2, 10)}, nil, Impossible, runners(1, 2, 3), 2, 10,
		},
		"they do not agree":  {[]Result{report(1, Impossible, 0, 0), report(2, ActorFault, 0, 0)}, ErrInsufficient, Success, nil, 0, 0},
		"results come first": {append([]Result{report(3, External, 0, 0), report(4, External, 0, 0)}, said("x", "x")...), nil, Success, runners(1, 2), 0, 0},
		"fault of the actor": {[]Result{report(1, ActorFault, 0, 0), report(2, ActorFault, 0, 0)}, nil, ActorFault, runners(1, 2), 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			v := judge(t, &Terms{Spec: plain(job.ModeMajorityVote), Threshold: 2}, c.results)
			if !errors.Is(v.Reason, c.reason) || v.Outcome != c.outcome || fmt.Sprint(v.Accepted) != fmt.Sprint(c.accepted) ||
				v.Done != c.done || v.Total != c.total {
				t.Errorf("%+v", v)
			}
		})
	}
}

// Spec: WP "Runner Resource Accounting" (>2× expected usage triggers review); runner-marketplace §5.2; WP-January "Trust Model for Resource Reporting".
func TestTwiceTheExpectedTimeIsLookedAt(t *testing.T) {
	for seconds, want := range map[uint64]int{1: 0, 2: 0, 3: 1} {
		t.Run(fmt.Sprint(seconds), func(t *testing.T) {
			s := plain(job.ModeNone)
			s.Schema.ExpectedExecutionMs = 1_000
			results := said("x")
			results[0].Output.Usage.WallTimeSeconds = seconds
			if v := judge(t, &Terms{Spec: s, Threshold: 1}, results); len(v.Review) != want {
				t.Errorf("%+v", v)
			}
		})
	}
}

// Spec: runner-marketplace §2.3, §2.4, §6.1, §12 (InvalidConfig), §14.
func TestJobsNobodyCouldVerifyAreRefused(t *testing.T) {
	custom := job.Check{Kind: job.CheckCustom, Actor: at(1), Method: "m"}
	minus := decimal(t, "-0.1")
	sgx, tdx, nitro, snp := "sgx", "tdx", "nitro", "sev-snp"
	for name, c := range map[string]struct {
		change func(s *job.Spec)
		good   bool
	}{
		"plain":                 {func(*job.Spec) {}, true},
		"a trusted environment": {func(s *job.Spec) { s.Verification.TEERequired = true }, true},
		"sgx":                   {func(s *job.Spec) { s.Verification.TEERequired, s.Verification.TEEType = true, &sgx }, true},
		"sgx, deterministic": {func(s *job.Spec) {
			s.Verification.TEERequired, s.Verification.TEEType, s.Verification.Mode = true, &sgx, job.ModeDeterministic
		}, false},
		"tdx, deterministic": {func(s *job.Spec) {
			s.Verification.TEERequired, s.Verification.TEEType, s.Verification.Mode = true, &tdx, job.ModeDeterministic
		}, true},
		"nitro, deterministic": {func(s *job.Spec) {
			s.Verification.TEERequired, s.Verification.TEEType, s.Verification.Mode = true, &nitro, job.ModeDeterministic
		}, true},
		"an unknown environment":    {func(s *job.Spec) { s.Verification.TEERequired, s.Verification.TEEType = true, &snp }, false},
		"similarity":                {func(s *job.Spec) { s.Verification.Mode = job.ModeSemanticSimilarity }, false},
		"a schema of other words":   {func(s *job.Spec) { s.Schema.DataFormat = `{"allOf":[]}` }, false},
		"a check of other words":    {func(s *job.Spec) { s.Verification.Checks = []job.Check{schema(`{"allOf":[]}`)} }, false},
		"a pattern of flags":        {func(s *job.Spec) { s.Schema.DataFormat = `{"pattern":"(?i)a"}` }, false},
		"a path":                    {func(s *job.Spec) { s.Verification.Checks = []job.Check{vote("a..b")} }, false},
		"no fields":                 {func(s *job.Spec) { s.Verification.Checks = []job.Check{match()} }, false},
		"n fields":                  {fields(MaxPaths, 1_000), true},
		"n+1 fields":                {fields(MaxPaths+1, 1_000), false},
		"an actor without a method": {func(s *job.Spec) { s.Verification.Checks = []job.Check{{Kind: job.CheckCustom, Actor: at(1)}} }, false},
		"an actor, results of n":    {func(s *job.Spec) { s.Schema.MaxReturnBytes = 16_384; s.Verification.Checks = []job.Check{custom} }, true},
		"and of n+1":                {func(s *job.Spec) { s.Schema.MaxReturnBytes = 16_385; s.Verification.Checks = []job.Check{custom} }, false},
		"n actors": {func(s *job.Spec) {
			s.Schema.MaxReturnBytes = 1_000
			for range MaxCustom {
				s.Verification.Checks = append(s.Verification.Checks, job.Check{Kind: job.CheckCustom, Actor: at(1), Method: "m"})
			}
		}, true},
		"n+1 actors": {func(s *job.Spec) {
			s.Schema.MaxReturnBytes = 1_000
			for range MaxCustom + 1 {
				s.Verification.Checks = append(s.Verification.Checks, job.Check{Kind: job.CheckCustom, Actor: at(1), Method: "m"})
			}
		}, false},
		"DNS without a vote": {func(s *job.Spec) {
			s.Verification = job.Verification{Mode: job.ModeStructuredMatch, Checks: []job.Check{{Kind: job.CheckDNSText, Name: "a"}}}
		}, false},
		"DNS": {func(s *job.Spec) { s.Verification.Checks = []job.Check{{Kind: job.CheckDNSText, Name: "a"}} }, true},
		"a timestamp's path": {func(s *job.Spec) {
			*s = *fetch(job.ModeMajorityVote, job.HTTPJob{Freshness: &job.Freshness{TimestampField: "["}})
		}, false},
		"an outlier's threshold": {func(s *job.Spec) {
			*s = *fetch(job.ModeMajorityVote, job.HTTPJob{Snapshot: &job.Snapshot{OutlierThreshold: &minus}})
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := plain(job.ModeMajorityVote)
			c.change(s)
			if err := Check(s, Network{}); (err == nil) != c.good || err != nil && !errors.Is(err, ErrConfig) {
				t.Error(err)
			}
		})
	}
	if err := Check(plain(job.ModeSemanticSimilarity), Network{Similarity: true}); err != nil {
		t.Error("with a model: ", err)
	}
}
