package host_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
)

// The entitlements as the documents have them, without a state, an encoding or a host: what an actor holds is a map, what it used is a list that is gone
// through for every question.
//
// Spec: ENT §6, §7, §8, §9, §10, §11; entitlement-extras §3, §4.

// Faults of the model.
const (
	fine       = 0
	invalid    = 1202 // ERR_ENTITLEMENT_PARAM_INVALID
	missing    = 1207 // ERR_MISSING_ENTITLEMENT, ERR_SYSTEM_ENTITLEMENT_UNAUTHORIZED
	overQuota  = 1208 // ERR_ENTITLEMENT_QUOTA_EXCEEDED
	nonRunning = 1217 // ERR_ACTOR_NON_EXECUTABLE
)

// holding is a manifest: the parameters that are stated, by id. A number is a uint64, a list is a []string, a name is a string.
type holding map[string]map[string]any

// listed are the parameters of the ids that take part, and whether a child may inherit them.
var listed = map[string]struct {
	params    []string
	inherited bool
}{
	"econ.hold_balance": {nil, true}, "econ.transfer": {[]string{"max_amount", "max_per_block"}, false}, "exec.spawn": {[]string{"max_children"}, true},
	"http.fetch": {[]string{"allowlist_domains", "domain_set", "max_requests"}, true}, "oracle.llm": {[]string{"max_requests", "max_tokens"}, false},
	"storage.kv": {[]string{"max_bytes"}, true}, "sys.upgrade": {nil, false}, "timer.schedule": {[]string{"max_timers"}, true},
}

// curated are the sets of a new network.
var curated = map[string][]string{
	"": nil, "blockchain_rpc": nil, "price_feeds": {"api.coingecko.com", "api.coinbase.com", "api.binance.com", "api.kraken.com"},
	"social_apis": {"api.x.com", "oauth.reddit.com"},
}

// text is a manifest as people write it.
func (h holding) text() string {
	var list []string
	for _, id := range slices.Sorted(maps.Keys(h)) {
		list = append(list, grantText(id, h[id]))
	}
	return "[" + strings.Join(list, ",") + "]"
}

func grantText(id string, params map[string]any) string {
	var stated []string
	for name, v := range params {
		switch v := v.(type) {
		case uint64:
			stated = append(stated, fmt.Sprintf("%q:%d", name, v))
		case string:
			stated = append(stated, fmt.Sprintf("%q:%q", name, v))
		case []string:
			stated = append(stated, fmt.Sprintf("%q:%s", name, strings.ReplaceAll(fmt.Sprintf("%q", v), `" "`, `","`)))
		}
	}
	if len(stated) == 0 {
		return fmt.Sprintf(`{"id":%q}`, id)
	}
	return fmt.Sprintf(`{"id":%q,"params":{%s}}`, id, strings.Join(stated, ","))
}

// complete: a grant whose entitlement has parameters states one; http.fetch says whom it reaches.
func (h holding) complete() bool {
	for id, params := range h {
		_, list := params["allowlist_domains"]
		_, set := params["domain_set"]
		if len(listed[id].params) > 0 && len(params) == 0 || id == "http.fetch" && !list && !set {
			return false
		}
	}
	return true
}

// reaches: the host is in the list or in the set, below a pattern of the list, or anything is.
func reaches(params map[string]any, host string) bool {
	list, _ := params["allowlist_domains"].([]string)
	set, _ := params["domain_set"].(string)
	for _, d := range append(slices.Clone(list), curated[set]...) {
		if d == "*" || d == host || strings.HasPrefix(d, "*.") && strings.HasSuffix(host, d[1:]) {
			return true
		}
	}
	return false
}

// everywhere is a host for each difference that the domains of these tests can make.
var everywhere = []string{
	"a.org", "q.a.org", "b.org", "elsewhere.net", "api.coingecko.com", "api.coinbase.com", "api.binance.com", "api.kraken.com", "api.x.com", "oauth.reddit.com",
}

// within: every id is there, every number that is limited is limited at least as much, nothing is reached that was not.
func (h holding) within(outer holding) bool {
	for id, params := range h {
		theirs, ok := outer[id]
		if !ok {
			return false
		}
		for name, v := range theirs {
			most, number := v.(uint64)
			if mine, stated := params[name].(uint64); number && (!stated || mine > most) {
				return false
			}
		}
		for _, host := range everywhere {
			if reaches(params, host) && !reaches(theirs, host) {
				return false
			}
		}
	}
	return true
}

// actorModel is one actor's life.
type actorModel struct {
	at       account.Address
	holds    holding
	rich     bool
	children uint64
	timers   []uint64          // when they are due
	sent     map[uint64]uint64 // by height
	kept     uint64            // bytes
}

// lifeModel is the chain's.
type lifeModel struct {
	now     uint64            // height of the block at hand
	removed map[string]uint64 // the first height without it
	since   map[string]uint64 // the first height of its window
}

func (m *lifeModel) gone(h holding) bool {
	for id := range h {
		if at, ok := m.removed[id]; ok && m.now >= at {
			return true
		}
	}
	return false
}

// warned counts the entitlements whose use is warned of.
func (m *lifeModel) warned(h holding) (n int) {
	for id := range h {
		if from, ok := m.since[id]; ok && m.now >= from && m.now < m.removed[id] {
			n++
		}
	}
	return n
}

// declare is what becomes of a manifest somebody wants an actor to have; sound says that its text is one.
func (m *lifeModel) declare(h holding, sound bool) int {
	if !sound || !h.complete() || m.gone(h) {
		return invalid
	}
	return fine
}

// deploy is what becomes of a deployment.
func (m *lifeModel) deploy(h holding, sound, system bool) int {
	if fault := m.declare(h, sound); fault != fine {
		return fault
	}
	if _, asks := h["sys.upgrade"]; asks && !system {
		return missing
	}
	return fine
}

// upgrade is what becomes of an upgrade by the deployer, who is a system deployer.
func (m *lifeModel) upgrade(a *actorModel, h holding, sound bool) int {
	if _, may := a.holds["sys.upgrade"]; !may {
		return missing
	}
	if fault := m.declare(h, sound); fault != fine {
		return fault
	}
	if !h.within(a.holds) {
		return missing
	}
	if _, keeps := h["sys.upgrade"]; !keeps {
		return invalid // it cannot be revoked
	}
	a.holds = h
	return fine
}

// inheritance is the most a child may have.
func (a *actorModel) inheritance() holding {
	h := holding{}
	for id, params := range a.holds {
		if listed[id].inherited {
			h[id] = params
		}
	}
	return h
}

// spawn is what becomes of a child with a manifest, nil for none.
func (m *lifeModel) spawn(a *actorModel, h holding, sound bool) (child holding, fault int) {
	if m.gone(a.holds) {
		return nil, nonRunning
	}
	params, may := a.holds["exec.spawn"]
	if !may {
		return nil, missing
	}
	child = a.inheritance()
	if h != nil || !sound {
		if fault := m.declare(h, sound); fault != fine {
			return nil, fault
		}
		if !h.within(child) {
			return nil, missing
		}
		child = h
	}
	if most, limited := params["max_children"].(uint64); limited && a.children >= most {
		return nil, overQuota
	}
	a.children++
	return child, fine
}

// do is what becomes of a turn: all of it, or nothing.
func (m *lifeModel) do(a *actorModel, what string, args []string) int {
	if m.gone(a.holds) {
		return nonRunning
	}
	id := map[string]string{"write": "storage.kv", "pay": "econ.transfer", "timers": "timer.schedule", "models": "oracle.llm", "fetch": "http.fetch"}[what]
	params, holds := a.holds[id]
	if !holds {
		return missing
	}
	above := func(name string, n uint64) bool { most, limited := params[name].(uint64); return limited && n > most }
	number := func(text string) (n uint64) { _, _ = fmt.Sscan(text, &n); return n }
	switch what {
	case "write":
		size := 1 + number(args[0])                    // the key is a byte
		if size > a.kept && above("max_bytes", size) { // what takes no more than before takes nothing above a quota that has shrunk
			return overQuota
		}
		a.kept = size
	case "pay":
		sum := a.sent[m.now]
		for _, text := range args {
			if sum += number(text); above("max_amount", number(text)) || above("max_per_block", sum) {
				return overQuota
			}
		}
		a.sent[m.now] = sum
	case "timers":
		a.timers = slices.DeleteFunc(a.timers, func(due uint64) bool { return due < m.now })
		if above("max_timers", uint64(len(a.timers))+number(args[0])) {
			return overQuota
		}
		for i := range number(args[0]) {
			a.timers = append(a.timers, m.now+50+i)
		}
	case "models":
		for i, text := range args {
			if above("max_tokens", number(text)) || above("max_requests", uint64(i)+1) {
				return overQuota
			}
		}
	case "fetch":
		for i, url := range args {
			if !reaches(params, strings.Split(url, "/")[2]) {
				return missing
			}
			if above("max_requests", uint64(i)+1) {
				return overQuota
			}
		}
	}
	return fine
}
