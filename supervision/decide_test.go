package supervision

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// TestDecide runs the scripts of testdata.
func TestDecide(t *testing.T) {
	golden.Scripts(t, func(t *testing.T) func(string) string {
		var s script
		return func(command string) string { return s.run(t, command) }
	})
}

// script is the state of one script: a policy, the names of its members and the
// history so far.
type script struct {
	policy  Policy
	names   []string
	history History
}

var scriptStart = time.Unix(0, 0)

func (s *script) run(t *testing.T, command string) string {
	words := strings.Fields(command)
	switch words[0] {
	case "policy":
		return s.declare(t, words[1:])
	case "fail":
		return s.fail(t, words[1], words[2], words[3])
	}
	t.Fatalf("unknown command %q", command)
	return ""
}

func (s *script) declare(t *testing.T, words []string) string {
	*s = script{}
	for _, w := range words {
		key, value, _ := strings.Cut(w, "=")
		switch key {
		case "one-for-one":
			s.policy.Strategy = OneForOne
		case "all-for-one":
			s.policy.Strategy = AllForOne
		case "rest-for-one":
			s.policy.Strategy = RestForOne
		case "limit":
			n, within, _ := strings.Cut(value, "/")
			scan(t, n, &s.policy.Limit.Restarts)
			s.policy.Limit.Within = span(t, within)
		case "backoff":
			from, to, _ := strings.Cut(value, "..")
			s.policy.Backoff = Backoff{span(t, from), span(t, to)}
		case "seed":
			scan(t, value, &s.policy.Seed)
		case "members":
			for _, m := range strings.Split(value, ",") {
				name, kind, _ := strings.Cut(m, ":")
				s.names = append(s.names, name)
				lifetime := map[string]Lifetime{"": Permanent, "transient": Transient, "temporary": Temporary}[kind]
				s.policy.Members = append(s.policy.Members, lifetime)
			}
		default:
			t.Fatalf("unknown word %q", w)
		}
	}
	return "ok"
}

func (s *script) fail(t *testing.T, name, cause, at string) string {
	causes := map[string]Cause{"crashed": Crashed, "exited": Exited, "broken": Broken, "stuck": Stuck, "answered": Answered}
	member := -1
	for i, n := range s.names {
		if n == name {
			member = i
		}
	}
	now := scriptStart.Add(span(t, strings.TrimPrefix(at, "at=")))
	a := Decide(s.policy, s.history, Failure{Member: member, Cause: causes[cause]}, now)
	s.history = a.History
	line := a.Verb.String()
	switch a.Verb {
	case Restart:
		line += fmt.Sprintf(" stop=%s start=%s delay=%v", s.list(a.Stop), s.list(a.Start), a.Delay)
	case Escalate:
		line += ": " + a.Reason
	}
	return fmt.Sprintf("%s  (%d in window)", line, a.History.Window.Count(now, s.policy.Limit))
}

func (s *script) list(members []int) string {
	var names []string
	for _, i := range members {
		names = append(names, s.names[i])
	}
	return "[" + strings.Join(names, " ") + "]"
}

func span(t *testing.T, s string) time.Duration {
	d, err := time.ParseDuration(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func scan(t *testing.T, s string, into any) {
	if _, err := fmt.Sscan(s, into); err != nil {
		t.Fatal(err)
	}
}

func TestDecideChangesNoArgument(t *testing.T) {
	policy := Policy{Strategy: AllForOne, Limit: Limit{3, time.Second}, Members: make([]Lifetime, 3)}
	first := Decide(policy, History{}, Failure{Member: 1}, scriptStart)
	before := fmt.Sprint(first.History)
	for i := range 3 {
		_ = Decide(policy, first.History, Failure{Member: i}, scriptStart.Add(time.Millisecond))
	}
	if after := fmt.Sprint(first.History); after != before {
		t.Errorf("history changed from %s to %s", before, after)
	}
}

func TestBackoffBounds(t *testing.T) {
	b := Backoff{Initial: 100 * time.Millisecond, Max: 5 * time.Second}
	want := b.Initial
	seen := map[time.Duration]bool{}
	for n := 2; n < 80; n++ {
		d := b.Delay(7, 1, uint64(n), n)
		if d < want/2 || d > want {
			t.Fatalf("failure %d waits %v, want between %v and %v", n, d, want/2, want)
		}
		seen[d] = true
		want = min(2*want, b.Max)
	}
	if len(seen) < 70 {
		t.Errorf("only %d different delays in 78 draws", len(seen))
	}
	if d := b.Delay(7, 1, 1, 1); d != 0 {
		t.Errorf("the first failure waits %v", d)
	}
}
