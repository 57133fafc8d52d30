package traced

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/system/dispatcher"
	"github.com/cowboyinc/cowboy-go/testkit"
)

const several = `
from cowboy_sdk import actor, call, deferred, public, runner, runtime, send

@actor
class Several:
    @deferred
    @public
    def fan(self, payload):
        for i in range(0, len(payload), 20):
            send(payload[i:i + 20], {"handler": "hit", "back": self.address})

    @deferred
    @public
    def hit(self, payload):
        send(payload["back"], {"handler": "echo"})

    @public
    def echo(self, payload):
        return b"heard"

    @deferred
    @public
    def later(self, payload):
        runtime.set_timer(runtime.get_block_height() + 3, "wake", b"tock")

    @deferred
    @public
    def wake(self, payload):
        print("awake")
        send(self.address, {"handler": "echo"})

    @deferred
    @public
    def forever(self, payload):
        runtime.set_timer(runtime.get_block_height() + 1, "forever", b"")

    @deferred
    @public
    def often(self, payload):
        runtime.set_interval(1, "echo", b"")

    @deferred
    @public
    def withdrawn(self, payload):
        runtime.cancel_timer(runtime.set_timer(runtime.get_block_height() + 3, "wake", b""))
        try:
            call(self_of(payload), "sends_and_fails", [b""])
        except Exception as e:
            return str(e).encode()

    @deferred
    @public
    def sends_and_fails(self, payload):
        send(self.address, {"handler": "echo"})
        raise ValueError("after it sent")

    @public
    def first(self, payload):
        return call(payload[:20], "second", [payload[20:]])

    @public
    def second(self, payload):
        return call(payload, "third", [b"deep"])

    @public
    def third(self, payload):
        raise ValueError("no " + payload.decode())

    @public
    def fourth(self, payload):
        return call(payload, "plus", [40], value=5)

    @public
    def plus(self, payload):
        return payload + 2

    @public
    @runner.continuation(timeout_blocks=100)
    async def ask(self, payload):
        answer = await runner.llm("what is it?")
        runtime.emit_event("answer", str(answer).encode())

    @deferred
    @public
    def hostile(self, payload):
        print("\x1b[2J<script>\u202egnp" + "x" * 100_000)
        runtime.emit_event("<script>\u202e", b"\x1b[2J")
        send(payload, {"handler": "<b>\u202e\x1b[2J"})
        raise_it("\x1b]0;<script>\u202e" + "y" * 300_000)

def self_of(payload):
    return payload

def raise_it(text):
    raise ValueError(text)
`

// send sends a call of the first actor of a stage, and makes so many blocks.
func (s *stage) send(blocks int, handler string, payload []byte) digest.Hash {
	s.t.Helper()
	id := s.alice.Send(&tx.Execute{To: s.actors[0], Handler: []byte(handler), Payload: payload}, 8_000_000, 2_000_000)
	s.Mine(blocks)
	return id
}

// all are the addresses of the actors from one on.
func (s *stage) all(from int) (text []byte) {
	for _, a := range s.actors[from:] {
		text = append(text, a[:]...)
	}
	return text
}

// outline writes the tree as indented handlers.
func outline(w wire.Trace) string {
	var b strings.Builder
	for _, n := range w.Nodes {
		fmt.Fprintf(&b, "%s%s %s", strings.Repeat("  ", n.Depth), n.Receipt.Kind, n.Receipt.Status)
		for _, c := range n.Calls {
			fmt.Fprintf(&b, " %s", c.Handler)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func check(t *testing.T, w wire.Trace, state, want string) {
	t.Helper()
	if got := outline(w); w.State != state || got != want {
		t.Errorf("state %s, pending %+v, stops %v, want %s:\n%swant:\n%s", w.State, w.Pending, w.Stops, state, got, want)
	}
}

// Three messages, each of which has one sent back: each of those stands below the one that sent it, though all go to the same actor, which ran before, too.
// While they wait the trace says so; every identity of the tree gives the same one.
func TestFan(t *testing.T) {
	s := newStage(t, several, 4)
	id := s.send(1, "fan", s.all(1))
	w := s.Trace(id)
	check(t, w, wire.TraceFinal, "transaction success fan\n")
	if len(w.Pending) != 3 || w.Waiting != 3 || w.Pending[1].Kind != wire.PendingMessage || w.Pending[1].Target != s.actors[2].String() {
		t.Errorf("pending: %+v", w.Pending)
	}
	s.Mine(1)
	if w = s.Trace(id); w.State != wire.TraceFinal || w.Waiting != 3 || len(w.Nodes) != 4 {
		t.Errorf("after a block: %s, %d wait, %d ran", w.State, w.Waiting, len(w.Nodes))
	}
	s.Mine(1)
	w = s.Trace(id)
	branch := "  message success hit\n    message success echo\n"
	check(t, w, wire.TraceSettled, "transaction success fan\n"+strings.Repeat(branch, 3))
	for i, n := range w.Nodes[1:] {
		if want := []string{s.actors[1+i/2].String(), s.actors[0].String()}[i%2]; n.Receipt.Target != want || n.By != wire.ByMessage {
			t.Errorf("node %d is of %s by %s, want %s", 1+i, n.Receipt.Target, n.By, want)
		}
		hash := strings.TrimPrefix(n.Receipt.TransactionHash, "0x")
		var id digest.Hash
		copy(id[:], decode(t, hash))
		if again := s.Trace(id); outline(again) != outline(w) || again.Root != w.Root {
			t.Errorf("from node %d it is\n%s", 1+i, outline(again))
		}
	}
	if w.Nodes[2].Calls[0].Result.Text != "heard" || w.Nodes[0].Calls[0].Sent[2].Node != 5 || w.Nodes[0].Calls[0].Sent[2].State != wire.SentRan {
		t.Errorf("%+v\n%+v", w.Nodes[2].Calls, w.Nodes[0].Calls[0].Sent)
	}
}

// A timer is pending at its height until it fires; then its fire, and what that sent, stand below the call that set it.
func TestTimerThatSends(t *testing.T) {
	s := newStage(t, several, 1)
	id := s.send(1, "later", nil)
	w := s.Trace(id)
	check(t, w, wire.TraceFinal, "transaction success later\n")
	due := uint64(s.Height()) + 3
	if len(w.Pending) != 1 || w.Pending[0].Kind != wire.PendingTimer || w.Pending[0].Height != due || w.Pending[0].Handler != "wake" {
		t.Errorf("pending: %+v", w.Pending)
	}
	s.Mine(3)
	if w = s.Trace(id); w.State != wire.TraceFinal || w.Waiting != 1 || w.Nodes[1].Receipt.BlockHeight != due {
		t.Errorf("at the fire: %s, %+v", w.State, w.Pending)
	}
	s.Mine(1)
	w = s.Trace(id)
	check(t, w, wire.TraceSettled, "transaction success later\n  timer success wake\n    message success echo\n")
	set := w.Nodes[0].Calls[0].Timers[0]
	if set.State != wire.TimerFired || !slices.Equal(set.Nodes, []int{1}) || w.Nodes[1].By != wire.ByTimer || w.Nodes[1].Calls[0].Args.Text != "tock" {
		t.Errorf("%+v %+v", set, w.Nodes[1])
	}
	if p := w.Nodes[1].Printed; len(p) != 1 || p[0].Text != "awake\n" {
		t.Errorf("printed: %+v", p)
	}
}

// What goes on for ever is shown in part, and never settled.
func TestEndless(t *testing.T) {
	for handler, fires := range map[string]int{"forever": 8, "often": 16} {
		t.Run(handler, func(t *testing.T) {
			s := newStage(t, several, 1)
			w := s.Trace(s.send(40, handler, nil))
			if w.State != wire.TraceFinal || !slices.Contains(w.Stops, wire.StopFires) || len(w.Nodes) != 1+fires {
				t.Errorf("%s, %v, %d executions", w.State, w.Stops, len(w.Nodes))
			}
		})
	}
}

// What was cancelled, and what a failed call sent, is said to be gone, and does not keep the tree from being settled.
func TestUndone(t *testing.T) {
	s := newStage(t, several, 1)
	w := s.Trace(s.send(1, "withdrawn", s.actors[0][:]))
	check(t, w, wire.TraceSettled, "transaction success withdrawn sends_and_fails\n")
	own, inner := w.Nodes[0].Calls[0], w.Nodes[0].Calls[1]
	if len(own.Timers) != 0 && own.Timers[0].State != wire.SentUndone || len(own.Sent) != 0 {
		t.Errorf("%+v", own)
	}
	if len(inner.Sent) != 1 || inner.Sent[0].State != wire.SentUndone || inner.Error == nil || inner.Error.Code != 1210 {
		t.Errorf("%+v", inner)
	}
}

// A failure below two calls has the frames of all three, and each call its own outcome.
func TestFailureThroughTwoCalls(t *testing.T) {
	s := newStage(t, several, 3)
	w := s.Trace(s.send(1, "first", s.all(1)))
	check(t, w, wire.TraceSettled, "transaction fault first second third\n")
	n := w.Nodes[0]
	if n.Failure == nil || len(n.Failure.Places) != 3 || w.Faults != 1 {
		t.Fatalf("%+v", n.Failure)
	}
	for i, want := range []string{`return call(payload[:20], "second", [payload[20:]])`, `return call(payload, "third", [b"deep"])`,
		`raise ValueError("no " + payload.decode())`} {
		p, line := n.Failure.Places[i], 1+strings.Count(several[:strings.Index(several, want)], "\n")
		if p.Line != line || p.Actor != s.actors[i] || !strings.Contains(n.Traceback, want) {
			t.Errorf("frame %d is in line %d of %v, want %d of %v\n%s", i, p.Line, p.Actor, line, s.actors[i], n.Traceback)
		}
	}
	if n.Calls[2].Parent != 1 || n.Calls[2].Depth != 2 || n.Calls[2].Error == nil || n.Calls[2].Error.Why != "ValueError: no deep" || n.Calls[2].Cycles == 0 {
		t.Errorf("%+v", n.Calls[2])
	}
}

// A call has its arguments, result, coins and cycles; those of the caller hold them.
func TestCall(t *testing.T) {
	s := newStage(t, several, 2)
	w := s.Trace(s.send(1, "fourth", s.all(1)))
	check(t, w, wire.TraceSettled, "transaction success fourth plus\n")
	own, inner := w.Nodes[0].Calls[0], w.Nodes[0].Calls[1]
	if inner.Args.Text != "[40]" || inner.Result.Text != "42" || inner.Value != 5 || inner.From != s.actors[0].String() || inner.To != s.actors[1].String() {
		t.Errorf("%+v", inner)
	}
	if inner.Cycles == 0 || own.Cycles <= inner.Cycles || own.Cycles > w.Nodes[0].Receipt.CyclesUsed {
		t.Errorf("%d cycles of %d of %d", inner.Cycles, own.Cycles, w.Nodes[0].Receipt.CyclesUsed)
	}
}

// The answer of a job stands below the delivery of the job, whether the dispatcher sent it at once, later, or somebody gave it by hand; until then the job is
// what is pending.
//
// Spec: sdk §9.6.
func TestJob(t *testing.T) {
	const want = "transaction success ask\n  message success \n    message success ask__resume\n"
	at := func(s *stage) digest.Hash { return s.send(2, "ask", nil) }
	t.Run("at once", func(t *testing.T) {
		s := newStage(t, several, 1)
		s.SetRunner(dispatcher.Script{Reply: testkit.ReplyWith(dispatcher.OK, "it")})
		id := at(s)
		s.Mine(1)
		w := s.Trace(id)
		check(t, w, wire.TraceSettled, want)
		if w.Nodes[2].By != wire.ByMessage {
			t.Errorf("by %s", w.Nodes[2].By)
		}
	})
	t.Run("late", func(t *testing.T) {
		s := newStage(t, several, 1)
		reply := testkit.ReplyWith(dispatcher.OK, "it")
		reply.Late = 3
		s.SetRunner(dispatcher.Script{Reply: reply})
		id := at(s)
		w := s.Trace(id)
		if w.State != wire.TraceFinal || len(w.Pending) != 1 || w.Pending[0].Kind != wire.PendingJob || w.Pending[0].Height != uint64(s.Height())+3 {
			t.Errorf("%s, %+v", w.State, w.Pending)
		}
		s.Mine(4)
		w = s.Trace(id)
		check(t, w, wire.TraceSettled, want)
		if w.Nodes[2].By != wire.ByJob {
			t.Errorf("by %s", w.Nodes[2].By)
		}
	})
}

// A block in which a worker panicked was executed again, and is traced as any other.
//
// Spec: ARCHITECTURE "One block, from bytes to root".
func TestBlockWithLostWorker(t *testing.T) {
	s := newStage(t, several, 4)
	id := s.send(1, "fan", s.all(1))
	s.Lose(2, 1)
	s.Mine(2)
	if s.Lost() != 1 {
		t.Fatalf("%d turns were lost", s.Lost())
	}
	check(t, s.Trace(id), wire.TraceSettled, "transaction success fan\n"+strings.Repeat("  message success hit\n    message success echo\n", 3))
}

// Texts of strangers are cut, and hold nothing that a terminal obeys or that changes the direction of what stands beside it.
func TestHostileTexts(t *testing.T) {
	s := newStage(t, several, 2)
	w := s.Trace(s.send(2, "hostile", s.all(1)))
	n := w.Nodes[0]
	texts := []string{n.Traceback, n.Calls[0].Sent[0].Handler, n.Receipt.Error.Why, n.Calls[0].Args.Text}
	for _, p := range n.Printed {
		texts = append(texts, p.Text)
	}
	for i, text := range texts {
		if len(text) > 2_000 || strings.ContainsAny(text, "\x1b\u202e\a") {
			t.Errorf("text %d has %d bytes: %.200q", i, len(text), text)
		}
	}
	if len(n.Printed) == 0 || !strings.HasPrefix(n.Printed[0].Text, `\x1b[2J<script>\u202egnp`) {
		t.Errorf("printed: %.80q", n.Printed)
	}
}

func decode(t *testing.T, digits string) []byte {
	t.Helper()
	var out []byte
	if _, err := fmt.Sscanf(digits, "%x", &out); err != nil {
		t.Fatal(err)
	}
	return out
}
