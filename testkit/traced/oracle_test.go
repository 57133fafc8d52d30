package traced

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// planned executes a plan: a tree of steps, each of which says by which way its own steps are reached. Whatever runs announces in an event, to which the
// receipts commit, its own path and that of whoever had it run, as it was told by it.
const planned = `
import json
from cowboy_sdk import actor, call, deferred, public, runtime, send

@actor
class Planned:
    def _work(self, text):
        step = json.loads(text)
        runtime.emit_event("ran", (step["path"] + " " + step["from"]).encode())
        for i, (way, where, steps) in enumerate(step["steps"]):
            inner = json.dumps({"path": step["path"] + "." + str(i), "from": step["path"], "steps": steps})
            to = bytes.fromhex(where)
            if way == "message":
                send(to, {"handler": "take", "text": inner})
            elif way == "deferred":
                runtime.create_deferred_tx("run", inner.encode())
            elif way == "timer":
                runtime.set_timer(runtime.get_block_height() + 1 + i % 3, "run", inner.encode())
            else:
                call(to, "ask", [inner], 2_000_000)

    @deferred
    @public
    def run(self, payload):
        self._work(bytes(payload).decode())

    @deferred
    @public
    def take(self, payload):
        self._work(payload["text"])

    @deferred
    @public
    def ask(self, text):
        self._work(text)
`

type plan struct {
	way   string
	where account.Address
	steps []plan
}

// MarshalJSON writes a plan as the actor reads it.
func (p plan) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{p.way, fmt.Sprintf("%x", p.where[:]), list(p.steps)})
}

func list(steps []plan) []plan {
	if steps == nil {
		return []plan{}
	}
	return steps
}

// grow makes up steps, at most budget of them.
func grow(r *rand.Rand, actors []account.Address, depth int, budget *int) (steps []plan) {
	for range r.IntN(4) {
		if *budget == 0 || depth == 4 {
			return steps
		}
		*budget--
		way := []string{"message", "message", "deferred", "timer", "call"}[r.IntN(5)]
		steps = append(steps, plan{way, actors[r.IntN(len(actors))], grow(r, actors, depth+1, budget)})
	}
	return steps
}

func count(steps []plan) (n int) {
	for _, s := range steps {
		n += 1 + count(s.steps)
	}
	return n
}

type stage struct {
	*Chain
	alice  *testkit.Account
	actors []account.Address
}

func newStage(t testing.TB, source string, actors int) *stage {
	s := &stage{Chain: New(t, testkit.NewChain(t))}
	s.alice = s.Account("alice")
	for range actors {
		a := s.alice.Deploy(source, nil)
		s.alice.Fund(a, 500*unit.CBY)
		s.actors = append(s.actors, a)
	}
	return s
}

// What a trace says of who had what run is what the executions were told themselves: for trees of messages, deferred calls, timers and calls that chance
// made, the parents, the calls within the parents, the ways and the number are those the events of the receipts tell.
func TestParentsAreWhatActorsWereTold(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			s := newStage(t, planned, 3)
			budget := 24
			r := rand.New(rand.NewPCG(seed, 7))
			steps := grow(r, s.actors, 0, &budget)
			for len(steps) < 2 {
				steps = append(steps, grow(r, s.actors, 0, &budget)...)
			}
			text, err := json.Marshal(map[string]any{"path": "0", "from": "-", "steps": list(steps)})
			if err != nil {
				t.Fatal(err)
			}
			id := s.alice.Send(&tx.Execute{To: s.actors[0], Handler: []byte("run"), Payload: text}, 20_000_000, 2_000_000)
			s.Mine(20)
			compare(t, s.Trace(id), 1+count(steps))
		})
	}
}

// compare holds a settled trace of so many steps against the events.
func compare(t *testing.T, w wire.Trace, steps int) {
	t.Helper()
	if w.State != wire.TraceSettled || len(w.Stops) > 0 || len(w.Pending) > 0 || w.Faults > 0 {
		t.Fatalf("state %s, stops %v, pending %+v, %d faults: %s", w.State, w.Stops, w.Pending, w.Faults, tracebacks(w))
	}
	ran := map[string]int{} // by path: the node
	for i, n := range w.Nodes {
		for _, e := range n.Receipt.Events {
			if e.Topic == "ran" {
				path, _, _ := strings.Cut(e.Text, " ")
				ran[path] = i
			}
		}
	}
	if len(ran) != steps {
		t.Errorf("%d steps ran, %d were planned", len(ran), steps)
	}
	for i, n := range w.Nodes {
		if len(n.Receipt.Events) != len(n.Calls) {
			t.Errorf("node %d: %d events, %d calls", i, len(n.Receipt.Events), len(n.Calls))
			continue
		}
		for k, e := range n.Receipt.Events { // events are in the order the calls began
			path, from, _ := strings.Cut(e.Text, " ")
			if given, err := hex.DecodeString(n.Calls[k].Args.Data); err != nil || !strings.Contains(string(given), `"path":"`+path+`"`) {
				t.Errorf("call %d of node %d is %q, %v; the event says %s", k, i, given, err, path)
			}
			switch {
			case k > 0: // a call: by one of the same execution
				if ran[from] != i {
					t.Errorf("%s is a call of node %d, and was made by %s of node %d", path, i, from, ran[from])
				}
			case i == 0:
				if n.Parent != -1 || from != "-" {
					t.Errorf("the root has parent %d, %s", n.Parent, from)
				}
			default:
				if n.Parent != ran[from] {
					t.Errorf("%s: parent %d, and %s ran in %d", path, n.Parent, from, ran[from])
				}
				if sender := w.Nodes[n.Parent].Receipt.Events[n.Call].Text; !strings.HasPrefix(sender, from+" ") {
					t.Errorf("%s: sent by call %d, which is %q, not %s", path, n.Call, sender, from)
				}
				if n.By != n.Receipt.Kind {
					t.Errorf("%s is a %s and follows by %s", path, n.Receipt.Kind, n.By)
				}
			}
		}
	}
}

// tracebacks are those of a trace's failures.
func tracebacks(w wire.Trace) (text string) {
	for _, n := range w.Nodes {
		if n.Receipt.Error != nil {
			text += n.Receipt.Error.Why + "\n" + n.Traceback
		}
	}
	return text
}
