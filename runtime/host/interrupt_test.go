package host_test

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// raised is an interrupt that was raised before the turn began.
type raised struct{}

func (raised) Raised() bool { return true }

// endless writes, calls itself with what it catches everything of, and never ends.
const endless = `
from cowboy_sdk import actor, public, call, runtime

@actor
class Endless:
    @public
    def run(self, m):
        self.storage["k"] = 1
        while True:
            try:
                call(runtime.get_actor_address(), "spin", [b""], cycles_limit=7000000)
            except BaseException:
                self.storage["caught"] = 1

    @public
    def once(self, m):
        call(runtime.get_actor_address(), "spin", [b""], cycles_limit=7000000)

    @public
    def spin(self, m):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                self.storage["caught"] = 1
`

// late is an interrupt that is raised after it was asked for so many times.
type late struct{ left int }

func (x *late) Raised() bool { x.left--; return x.left < 0 }

var errPatience = errors.New("no patience left")

// A turn that is ended has no outcome, and the block that is built leaves nothing of its transaction: it is the block that is built without it. A handler
// of the program does not see the end.
func TestInterruptedTurnLeavesNothing(t *testing.T) {
	for handler, interrupt := range map[string]object.Interrupt{"run": raised{}, "once": &late{20}} { // the other one while the call is under way
		interrupted(t, handler, interrupt)
	}
}

func interrupted(t *testing.T, handler string, interrupt object.Interrupt) {
	w := newWorld(t)
	receipt := w.mine(w.sign(person(1), &tx.Deploy{Code: []byte(endless), Salt: []byte{1}}))[0]
	if receipt.Status != block.Success {
		t.Fatal(receipt.Fault)
	}
	others := []tx.Verified{
		w.sign(person(2), &tx.Transfer{To: account.Address{9}, Amount: 3}), w.sign(person(3), &tx.Deploy{Code: []byte("pass"), Salt: []byte{2}}),
		w.sign(person(4), &tx.Transfer{To: person(1), Amount: 3}),
	}
	slow := w.sign(person(1), &tx.Execute{To: *receipt.Created, Handler: []byte(handler), Amount: 77})
	job := transition.Job{Mode: transition.Build, Header: w.header(), Txs: others}
	want, err := transition.Apply(w.tip, job, newHost())
	if err != nil {
		t.Fatal(err)
	}
	job.Txs = append([]tx.Verified{slow}, others...)
	s, err := transition.Begin(w.tip, job)
	if err != nil {
		t.Fatal(err)
	}
	runner, ended := newHost(), 0
	for {
		turn, err := s.Next()
		if err != nil {
			t.Fatal(err)
		}
		if turn == nil {
			break
		}
		if turn.ID == slow.Hash() {
			turn.Interrupt = interrupt
		}
		o, err := runner.Run(turn)
		if turn.ID != slow.Hash() {
			if err != nil || s.Take(o) != nil {
				t.Fatal(err)
			}
			continue
		}
		if !errors.Is(err, drain.ErrInterrupted) {
			t.Fatalf("the turn ended with %+v, %v", o, err)
		}
		if ended++; s.Forgo(errPatience) != nil {
			t.Fatal("not undone")
		}
	}
	got, err := s.Finish()
	if err != nil || ended != 1 {
		t.Fatal(ended, err)
	}
	if got.Header.Hash() != want.Header.Hash() || len(got.Txs) != 3 {
		t.Errorf("a block of %d transactions, %v; without the slow one %v", len(got.Txs), got.Header.Hash(), want.Header.Hash())
	}
	if len(got.Refused) != 1 || got.Refused[0].Tx.Hash() != slow.Hash() || got.Refused[0].Reason != errPatience {
		t.Errorf("refused %v", got.Refused)
	}
}
