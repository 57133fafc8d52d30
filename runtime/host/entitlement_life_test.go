package host_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/host"
)

var lives = flag.Uint64("lives", 3, "seeds of TestLivesAgainstModel, each a chain of a hundred blocks")

// life is a chain and its model.
type life struct {
	*world
	model  *lifeModel
	r      *rand.Rand
	actors []*actorModel
	salts  int
	latest map[*actorModel]bool // who has a new manifest by the block at hand
	met    map[string]int       // what was tried, and how it ended
}

// drawParams draws the parameters of an entitlement.
func (l *life) drawParams(id string) map[string]any {
	stated := map[string]any{}
	for _, name := range listed[id].params {
		if l.r.IntN(3) == 0 {
			continue
		}
		switch name {
		case "allowlist_domains":
			var list []string
			for _, d := range []string{"*", "*.a.org", "a.org", "b.org"} {
				if l.r.IntN(3) == 0 {
					list = append(list, d)
				}
			}
			stated[name] = list
		case "domain_set":
			stated[name] = []string{"blockchain_rpc", "price_feeds", "social_apis"}[l.r.IntN(3)]
		default:
			stated[name] = uint64(l.r.IntN(9))
		}
	}
	return stated
}

// draw draws a manifest; from is one that it may be near to, nil for none.
func (l *life) draw(from holding) holding {
	h := holding{}
	for id := range listed { // order-free: sorted below
		h[id] = nil
	}
	ids := make([]string, 0, len(h))
	for id := range h {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	clear(h)
	for _, id := range ids {
		theirs, has := from[id]
		switch n := l.r.IntN(40); {
		case has && n < 36:
			h[id] = theirs
		case has && n == 36 && id != "sys.upgrade", !has && from != nil && n > 0: // left out
		case from == nil && n >= 26 && id != "econ.hold_balance":
		case n == 37 && has:
			h[id] = l.narrower(theirs)
		default:
			h[id] = l.drawParams(id)
		}
	}
	return h
}

// narrower gives parameters with lower numbers and fewer domains.
func (l *life) narrower(theirs map[string]any) map[string]any {
	mine := map[string]any{}
	for name, v := range theirs {
		switch v := v.(type) {
		case uint64:
			mine[name] = v / 2
		case []string:
			mine[name] = v[:len(v)/2]
		default:
			mine[name] = v
		}
	}
	return mine
}

// write gives the text of a manifest, now and then with one fault.
func (l *life) write(h holding) (text string, sound bool) {
	text = h.text()
	switch n := l.r.IntN(40); {
	case n == 0:
		return strings.Replace(text, "[", `[{"id":"custom.x"},`, 1), false // unknown, and before what sorts lower
	case n == 1:
		return strings.TrimSuffix(text, "]") + `,{"id":"timer.schedule","params":{"max_timers":-1}}]`, false
	case n == 2:
		return strings.TrimSuffix(text, "]") + `,{"id":"accel.gpu","params":{"min_vram_gb":1}}]`, false
	case n == 3:
		return `[{"id":"http.fetch","params":{"allowlist_domains":["A.org"]}}]`, false
	case n == 4:
		return `[{"id":"http.fetch","params":{"domain_set":"all"}}]`, false
	case n == 5:
		return `[{"id":"storage.kv","params":{"max_bytes":1}},{"id":"storage.kv","params":{"max_bytes":1}}]`, false
	case n == 6:
		return `[{"id":"storage.kv","params":{"max_amount":1}}]`, false
	}
	return text, true
}

// drawTurn draws what an actor is told to do.
func (l *life) drawTurn() (what string, args []string) {
	what = []string{"write", "pay", "timers", "models", "fetch"}[l.r.IntN(5)]
	n := 1
	if what == "pay" || what == "models" || what == "fetch" {
		n = 1 + l.r.IntN(3)
	}
	for range n {
		switch what {
		case "fetch":
			args = append(args, "https://"+everywhere[l.r.IntN(len(everywhere))]+"/x")
		default:
			args = append(args, fmt.Sprint(1+l.r.IntN(4)))
		}
	}
	return what, args
}

// attempt is a transaction, what the model says becomes of it when its turn comes in the block's order, and what to look at if it succeeds.
type attempt struct {
	tx    tx.Verified
	what  string
	want  func() int
	after func(x *block.Receipt)
}

// deployment makes one.
func (l *life) deployment() attempt {
	from := byte(1 + 7*l.r.IntN(2)) // person 8 is a system deployer
	h := l.draw(nil)
	text, sound := l.write(h)
	l.salts++
	in := &tx.Deploy{Code: source(l.t, "gated"), Salt: []byte(fmt.Sprint(l.salts)), Manifest: []byte(text)}
	want := func() int { return l.model.deploy(h, sound, from == 8) }
	return attempt{l.sign(person(from), in), "deploy " + text, want, func(x *block.Receipt) {
		warned := l.model.warned(h)
		if got := len(events([]*block.Receipt{x}, entitle.TopicDeprecated)); got != warned {
			l.t.Errorf("%s at %d: %d warnings, want %d", text, l.model.now, got, warned)
		}
		l.actors = append(l.actors, &actorModel{at: *x.Created, holds: h, sent: map[uint64]uint64{}})
	}}
}

// change makes an upgrade.
func (l *life) change(a *actorModel) attempt {
	h := l.draw(a.holds)
	text, sound := l.write(h)
	in := &tx.UpgradeActor{Actor: a.at, Code: source(l.t, "gated"), Manifest: []byte(text)}
	want := func() int { return l.model.upgrade(a, h, sound) }
	return attempt{l.sign(person(8), in), "upgrade " + a.holds.text() + " to " + text, want, func(*block.Receipt) { l.latest[a] = true }}
}

// birth makes a child.
func (l *life) birth(a *actorModel, by byte) attempt {
	var h holding
	text, sound := "", true
	if l.r.IntN(3) > 0 {
		h = l.draw(a.inheritance())
		text, sound = l.write(h)
	}
	l.salts++
	in := &tx.Execute{To: a.at, Handler: []byte("spawn"), Payload: fmt.Appendf(nil, "%d|%s||", l.salts, text)}
	var child holding
	want := func() (fault int) {
		child, fault = l.model.spawn(a, h, sound)
		return fault
	}
	return attempt{l.sign(person(by), in), "spawn " + text + " of " + a.holds.text(), want, func(x *block.Receipt) {
		l.latest[&actorModel{at: account.Address(x.ReturnData), holds: child, sent: map[uint64]uint64{}}] = true
	}}
}

// turn makes an actor do something.
func (l *life) turn(a *actorModel, by byte) attempt {
	what, args := l.drawTurn()
	in := &tx.Execute{To: a.at, Handler: []byte("do"), Payload: []byte(what + " " + strings.Join(args, " "))}
	want := func() int { return l.model.do(a, what, args) }
	return attempt{l.sign(person(by), in), fmt.Sprintf("%s %v by %s", what, args, a.holds.text()), want, func(*block.Receipt) {}}
}

// holds compares the manifest that is kept with the model's: each within the other, and of the same ids.
func (l *life) holds(a *actorModel) {
	l.t.Helper()
	raw, _, err := l.tip.State.Lookup(host.ManifestKey(a.at))
	if err != nil {
		l.t.Fatal(err)
	}
	kept, err := entitle.Parse(raw)
	if err != nil {
		l.t.Fatal(err)
	}
	want, err := entitle.Parse([]byte(a.holds.text()))
	if err != nil {
		l.t.Fatal(err)
	}
	if string(kept.Encode()) != string(want.Encode()) {
		l.t.Errorf("%v holds another manifest than %s", a.at, a.holds.text())
	}
}

// play mines a block of attempts and compares.
func (l *life) play(list []attempt) {
	l.t.Helper()
	var txs []tx.Verified
	for _, a := range list {
		txs = append(txs, a.tx)
	}
	l.latest = map[*actorModel]bool{}
	done := 0
	for _, x := range l.mine(txs...) { // in the order in which the block executed them
		i := slices.IndexFunc(list, func(a attempt) bool { return x.ID == a.tx.Hash() })
		if i < 0 {
			continue // a message or a timer
		}
		a := list[i]
		want := a.want()
		kind, _, _ := strings.Cut(a.what, " ")
		l.met[fmt.Sprint(kind, " ", want)]++
		if int(x.Fault.Code) != want {
			l.t.Fatalf("at %d, %s: %d %s, want %d", l.model.now, a.what, x.Fault.Code, x.Fault.Text, want)
		}
		if done++; want == fine {
			a.after(x)
		}
	}
	if done != len(list) {
		l.t.Fatalf("%d of %d transactions have receipts", done, len(list))
	}
	for a := range l.latest { // order-free: each by itself
		l.holds(a)
	}
	if got := uint64(l.tip.Header.Height); got != l.model.now {
		l.t.Fatalf("block %d, want %d", got, l.model.now)
	}
}

// fund gives coins to the actors that may hold them.
func (l *life) fund() {
	for _, a := range l.actors {
		if _, may := a.holds["econ.hold_balance"]; may && !a.rich {
			a.rich = true
			l.model.now++
			if x := l.run(9, &tx.FundActor{Actor: a.at, Amount: 100 * unit.CBY}); x.Status != block.Success {
				l.t.Fatal(x.Fault.Text)
			}
		}
	}
}

// Whole lives of actors, drawn at random, end as the model says: deployments with sound and unsound manifests, upgrades that may only shrink, children within
// what they may inherit, turns within quotas that last for a turn, a block, as long as a timer, or a life; before, in and after the window of entitlements
// that are removed.
//
// Spec: ENT §6, §7, §8, §9.1–§9.8, §9.11, §9.12, §10, §11; entitlement-extras §3, §4.
func TestLivesAgainstModel(t *testing.T) {
	for seed := range *lives {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			l := &life{
				world: newWorld(t), model: &lifeModel{removed: map[string]uint64{}, since: map[string]uint64{}}, r: rand.New(rand.NewPCG(seed, 9)),
				met: map[string]int{},
			}
			gone := []string{"http.fetch", "oracle.llm", "timer.schedule", "exec.spawn"}[seed%4]
			for round := range 100 {
				l.model.now++
				if round == 25 {
					d := params.Deprecation{ID: gone, From: unit.Height(l.model.now + 20), Until: unit.Height(l.model.now + 50)}
					if x := l.deprecate(30, d); x.Status != block.Success {
						t.Fatal(x.Fault.Text)
					}
					l.model.since[gone], l.model.removed[gone] = uint64(d.From), uint64(d.Until)+1
					continue
				}
				var list []attempt
				if round < 8 || l.r.IntN(6) == 0 {
					list = append(list, l.deployment(), l.deployment())
				}
				for by := byte(2); by < 8 && len(l.actors) > 0; by++ {
					a := l.actors[l.r.IntN(len(l.actors))]
					switch n := l.r.IntN(8); {
					case n == 0:
						list = append(list, l.change(a))
					case n == 1:
						list = append(list, l.birth(a, by))
					case a.rich:
						list = append(list, l.turn(a, by))
					}
				}
				l.play(list)
				if round%4 == 3 {
					l.fund()
				}
			}
			t.Logf("%v", l.met)
		})
	}
}
