package entitle

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// sample is one thing an actor might do under a grant: a number it needs, or a name.
type sample struct {
	param  string
	number uint64
	name   string
}

// drawnParam is how a parameter is drawn, and what it permits: written from the registry's tables a second time.
type drawnParam struct {
	name     string
	draw     func(*rand.Rand) string // its JSON
	samples  []sample
	permits  func(stated string, s sample) bool // stated is the JSON
	unstated func(s sample) bool
}

func always(sample) bool { return true }

// limit is a number that bounds; where it is not stated it is what unstated says, nothing for zero.
func limit(name string, values []uint64, unstated uint64) drawnParam {
	p := drawnParam{name: name, unstated: always}
	for _, v := range append([]uint64{0, 1 << 40}, values...) {
		p.samples = append(p.samples, sample{name, v, ""})
	}
	p.draw = func(r *rand.Rand) string { return fmt.Sprint(values[r.IntN(len(values))]) }
	p.permits = func(stated string, s sample) bool {
		var n uint64
		_, _ = fmt.Sscan(stated, &n)
		return s.number <= n
	}
	if unstated > 0 {
		p.unstated = func(s sample) bool { return s.number <= unstated }
	}
	return p
}

// list is a choice of names; admits says what one of them lets through.
func list(name string, from, universe []string, admits func(element, s string) bool, unstated []string) drawnParam {
	p := drawnParam{name: name}
	for _, u := range universe {
		p.samples = append(p.samples, sample{name, 0, u})
	}
	p.draw = func(r *rand.Rand) string {
		var chosen []string
		for _, f := range from {
			if r.IntN(3) == 0 {
				chosen = append(chosen, fmt.Sprintf("%q", f))
			}
		}
		return "[" + strings.Join(chosen, ",") + "]"
	}
	p.permits = func(stated string, s sample) bool {
		for _, f := range from {
			if strings.Contains(stated, fmt.Sprintf("%q", f)) && admits(f, s.name) {
				return true
			}
		}
		return false
	}
	p.unstated = func(s sample) bool { return slices.Contains(unstated, s.name) }
	return p
}

// one is a name that has to be met exactly.
func one(name string, values ...string) drawnParam {
	p := drawnParam{name: name, unstated: always}
	for _, v := range values {
		p.samples = append(p.samples, sample{name, 0, v})
	}
	p.draw = func(r *rand.Rand) string { return fmt.Sprintf("%q", values[r.IntN(len(values))]) }
	p.permits = func(stated string, s sample) bool { return stated == fmt.Sprintf("%q", s.name) }
	return p
}

// without is a list of what is not permitted.
func without(name string, from []string) drawnParam {
	p := list(name, from, from, same, from)
	p.permits = func(stated string, s sample) bool { return !strings.Contains(stated, fmt.Sprintf("%q", s.name)) }
	p.unstated = always
	return p
}

// free is a name that permits nothing.
func free(name string, values ...string) drawnParam {
	p := one(name, values...)
	p.permits = func(string, sample) bool { return true }
	return p
}

func same(a, b string) bool { return a == "*" || a == b }

func byHost(pattern, host string) bool {
	return pattern == "*" || pattern == host || strings.HasPrefix(pattern, "*.") && strings.HasSuffix(host, pattern[1:])
}

// registryTwice has a schema of each kind, http.fetch without its sets of domains, which the tests of domains are about.
func registryTwice() map[string][]drawnParam {
	small := []uint64{0, 1, 2, 3}
	hosts := []string{"a.org", "x.a.org", "q.a.org", "y.x.a.org", "q.x.a.org", "b.org", "q.b.org", "xa.org"}
	memory := limit("min_vram_gb", []uint64{1, 2, 3}, 0)
	memory.permits = func(stated string, s sample) bool { // which machines will do
		var n uint64
		_, _ = fmt.Sscan(stated, &n)
		return s.number >= n
	}
	const ingressTTL, mebi = 3_600, 1 << 20
	return map[string][]drawnParam{
		"accel.gpu":     {memory},
		"bridge.asset":  {list("allowlist_assets", []string{"*", "A", "B", "C"}, []string{"A", "B", "C", "D"}, same, nil)},
		"econ.transfer": {limit("max_amount", small, 0), limit("max_per_block", small, 0)},
		"exec.spawn":    {limit("max_children", small, 0)},
		"http.fetch": {list("allowlist_domains", []string{"*", "*.a.org", "*.x.a.org", "a.org", "b.org", "x.a.org"}, hosts, byHost, nil),
			limit("max_requests", small, 0)},
		"oracle.llm":         {limit("max_requests", small, 0), limit("max_tokens", small, 0)},
		"sec.data_residency": {one("region", "eu", "jp", "us")},
		"sec.tee_required":   {one("tee_type", "nitro", "sgx")},
		"storage.kv":         {limit("max_bytes", small, 0)},
		"timer.schedule":     {limit("max_timers", small, 0)},
		"ingress.mcp": {
			without("exclude_routes", []string{"a", "b", "c"}), limit("max_tool_input_bytes", []uint64{1, mebi - 1, mebi}, mebi),
			free("server_name", "x", "y"), free("tool_name_prefix", "p", "q"),
		},
		"ingress.http": {
			list("allowlist_methods", []string{"*", "GET", "HEAD", "POST"}, []string{"DELETE", "GET", "HEAD", "POST"}, same, []string{"GET", "HEAD", "POST"}),
			limit("max_query_cycles", []uint64{1, 9_999_999, 10_000_000, 10_000_001, 100_000_000}, 10_000_000),
			limit("max_request_bytes", []uint64{1, mebi - 1, mebi, mebi + 1, 10 * mebi}, mebi),
			limit("max_response_bytes", []uint64{1, mebi - 1, mebi, mebi + 1, 10 * mebi}, mebi), limit("max_routes", small, 0),
			limit("receipt_ttl_blocks", []uint64{1, ingressTTL - 1, ingressTTL, ingressTTL + 1, 86_400}, ingressTTL),
		},
	}
}

// A manifest is within another exactly if whatever it permits, the other permits: for every kind of parameter, stated or not, over all that an actor might do
// with it.
//
// Spec: ENT §7 (strict subset), §8.1–§8.3, §9.12; entitlement-extras §3 (what ingress.http has where nothing is stated).
func TestWithinIsWhatIsPermitted(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for id, schema := range registryTwice() {
		met := map[bool]int{}
		for range 3_000 {
			var stated [2]map[string]string
			var text [2]string
			for i := range stated {
				stated[i] = map[string]string{}
				var params []string
				for _, p := range schema {
					if r.IntN(4) > 0 {
						stated[i][p.name] = p.draw(r)
						params = append(params, fmt.Sprintf("%q:%s", p.name, stated[i][p.name]))
					}
				}
				text[i] = fmt.Sprintf(`[{"id":%q,"params":{%s}}]`, id, strings.Join(params, ","))
			}
			want := true
			for _, p := range schema {
				for _, s := range p.samples {
					can := func(i int) bool {
						if json, ok := stated[i][p.name]; ok {
							return p.permits(json, s)
						}
						return p.unstated(s)
					}
					want = want && (!can(0) || can(1))
				}
			}
			met[want]++
			if got := parse(t, text[0]).Within(parse(t, text[1]), GenesisSets()); got != want {
				t.Fatalf("%s within %s: %v", text[0], text[1], got)
			}
		}
		if met[true] < 50 || met[false] < 50 {
			t.Errorf("%s: %v", id, met)
		}
	}
}
