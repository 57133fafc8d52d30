package job_test

import (
	"bytes"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	chainjob "github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// told is an actor that is told of a job by its handler over, which does as each case says.
const told = `
from cowboy_sdk import Storage, actor, public

@actor
class Told:
    storage: Storage

    @public
    def init(self, payload):
        return b"ok"

`

// What somebody else has an actor told opens no door that is closed to that somebody: not init, which made the actor whose it is, not a handler that nobody may
// call, not one of its continuations, though it awaits a job. In the older form of modules everything is open.
//
// Spec: runner-marketplace §2.1 (CallbackInfo); sdk §5, §5.4 (who may call what).
func TestCallbacksOfStrangersAreChecked(t *testing.T) {
	const doors = `
from cowboy_sdk import Storage, actor, public, runner

@actor
class Doors:
    storage: Storage

    @public
    def welcome(self, payload):
        self.storage["told"] = "welcome"

    def init(self, payload):
        self.storage["told"] = "init" if self.storage.get("made") else None
        self.storage["made"] = True

    def private(self, payload):
        self.storage["told"] = "private"
`
	const open = `
from cowboy_sdk import Storage, actor

@actor
class Doors:
    storage: Storage

    def init(self, payload):
        pass

    def private(self, payload):
        self.storage["told"] = "private"
`
	for _, c := range []struct {
		name, source, handler string
		told                  bool
	}{
		{"public", doors, "welcome", true}, {"init", doors, "init", false}, {"private", doors, "private", false}, {"older form", open, "private", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newTown(t)
			w.enrol("rita")
			rita, bob := w.Account("rita"), w.Account("bob")
			actor := w.Account("alice").Deploy(c.source, []byte("{}"))
			before := w.Storage(actor, "told")
			r := w.do(bob, asked(func(s *chainjob.Spec) { s.Callback = chainjob.Callback{Actor: actor, Handler: c.handler} }))
			if r.Status != block.Success {
				t.Fatalf("%+v", r.Fault)
			}
			commit, reveal := work(t, "rita", digest.Hash(r.ReturnData), "because", 50)
			w.must(rita, commit)
			w.must(rita, reveal)
			w.mined(digest.Hash(r.ReturnData), market.Challengeable)
			w.Mine()
			w.Mine()
			if got := !bytes.Equal(w.Storage(actor, "told"), before); got != c.told {
				t.Errorf("it was told: %v, want %v", got, c.told)
			}
		})
	}
}

// Whoever is to be told of a job and cannot be changes nothing of what the runner is paid and of what comes back: of 150 base units for 50 tokens 15 are
// burned, one is the treasury's and 134 are the runner's, with the tip of 1 CBY; of the 5 CBY that were offered the rest goes back.
//
// Spec: WP §5.3, §8.4; runner-marketplace §5 (callback failure does not affect payment), §5.2; node-rpc-cli §4.1 (a plain-wallet callback).
func TestCallbackActorIsGone(t *testing.T) {
	for _, c := range []struct {
		name, over string
		told       bool
	}{
		{"it is there", "    @public\n    def over(self, payload):\n        self.storage['told'] = 1\n", true},
		{"there is no actor", "", false},
		{"it has no such handler", "    @public\n    def other(self, payload):\n        self.storage['told'] = 1\n", false},
		{"its handler is nobody's to call", "    def over(self, payload):\n        self.storage['told'] = 1\n", false},
		{"its handler raises", "    @public\n    def over(self, payload):\n        self.storage['told'] = 1\n        raise ValueError('no')\n", false},
		{"its handler never ends",
			"    @public\n    def over(self, payload):\n        self.storage['told'] = 1\n        while True:\n            pass\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newTown(t)
			rita := w.enrol("rita")[0]
			bob, actor := w.Account("bob"), account.Address{1, 2, 3}
			if c.over != "" {
				actor = w.Account("alice").Deploy(told+c.over, []byte("{}"))
			}
			r := w.do(bob, asked(func(s *chainjob.Spec) { s.Callback = chainjob.Callback{Actor: actor, Handler: "over"} }))
			if r.Status != block.Success {
				t.Fatalf("%+v", r.Fault)
			}
			id := digest.Hash(r.ReturnData)
			commit, reveal := work(t, "rita", id, "because", 50)
			w.must(rita, commit)
			w.must(rita, reveal)
			w.mined(id, market.Challengeable)
			w.Mine() // whoever can be told is, for a fee of the submitter's
			w.Mine()
			before, offered := w.Balance(rita.Address()), w.Balance(bob.Address())
			if w.held() != 6*unit.CBY {
				t.Errorf("%d are held", w.held())
			}
			w.mined(id, market.Completed)
			if got := w.Balance(rita.Address()) - before; got != 134+unit.CBY {
				t.Errorf("the runner has %d more", got)
			}
			if got := w.Balance(bob.Address()) - offered; got != 5*unit.CBY-150 || w.held() != 0 {
				t.Errorf("%d came back, %d are held", got, w.held())
			}
			if got := len(w.Storage(actor, "told")) > 0; got != c.told {
				t.Errorf("it was told: %v", got)
			}
			if err := transition.CheckSupply(w.State()); err != nil {
				t.Error(err)
			}
		})
	}
}
