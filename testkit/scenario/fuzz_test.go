package scenario

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/sequence"
)

// vault lets people put points in, lend them and take them back; lending to oneself forgets to take first.
const vault = `
account alice
account bob
deploy alice vault vault.py {}
call alice vault put {"amount": 5}
invariant query vault check
> = ok
fuzz vault
-- vault.py --
import json
from cowboy_sdk import Address, actor, public, runtime

@actor
class Vault:
    @public
    def init(self, payload):
        self.storage["total"] = 0
        self.storage["people"] = []

    def _of(self, who):
        return self.storage.get("of:" + who.hex(), 0)

    def _set(self, who, n):
        people = self.storage["people"]
        if who.hex() not in people:
            self.storage["people"] = people + [who.hex()]
        self.storage["of:" + who.hex()] = n

    @public
    def put(self, payload):
        """payload: JSON {"amount": points}"""
        n = json.loads(payload)["amount"]
        if n < 1 or n > 1000:
            raise ValueError("1 to 1000")
        who = runtime.get_sender()
        self._set(who, self._of(who) + n)
        self.storage["total"] += n

    @public
    def lend(self, payload):
        """payload: JSON {"to": address, "amount": points}"""
        request = json.loads(payload)
        to = Address.from_hex(request["to"]).to_bytes()
        n = request["amount"]
        who = runtime.get_sender()
        mine, theirs = self._of(who), self._of(to)
        if n < 0 or n > mine:
            raise ValueError("you have " + str(mine))
        self._set(who, mine - n)
        self._set(to, theirs + n)

    @public
    def check(self, payload):
        found = 0
        for who in self.storage["people"]:
            found += self.storage["of:" + who]
        return b"ok" if found == self.storage["total"] else str(found - self.storage["total"]).encode()
`

// TestFuzz finds the sequence, shortens it to the one call that matters, writes it as a story that fails, and passes when the actor is mended. The same
// seed finds the same.
func TestFuzz(t *testing.T) {
	o := sequence.Options{Seed: 7, Runs: 200}
	first, err := Fuzz("vault.txtar", []byte(vault), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(first.Found) != 1 {
		t.Fatalf("%d found in %d runs of %d calls", len(first.Found), first.Runs, first.Calls)
	}
	found := first.Found[0]
	if got := strings.Join(first.Handlers, " "); got != "vault.put vault.lend vault.check" {
		t.Errorf("handlers %s", got)
	}
	if found.Steps != 1 || found.Line != 6 || found.Got[0] != "= 1" ||
		!strings.Contains(found.Story, "send alice vault lend {\"to\":\"${alice}\",\"amount\":1}\nmine 1\n") {
		t.Errorf("%d steps, line %d, %v:\n%s", found.Steps, found.Line, found.Got, found.Story)
	}
	again, err := Fuzz("vault.txtar", []byte(vault), o)
	if err != nil || len(again.Found) != 1 || again.Found[0].Story != found.Story || again.Runs != first.Runs {
		t.Errorf("another time: %+v %v", again, err)
	}
	r, _, err := Run("found.txtar", []byte(found.Story), Options{})
	if err != nil || r.OK() {
		t.Errorf("the story passes on the broken actor: %v", err)
	}
	mended := strings.Replace(found.Story, "mine, theirs = self._of(who), self._of(to)", "mine = self._of(who)", 1)
	mended = strings.Replace(mended, "self._set(to, theirs + n)", "self._set(to, self._of(to) + n)", 1)
	r, _, err = Run("found.txtar", []byte(mended), Options{})
	if err != nil || !r.OK() {
		t.Errorf("the story fails on the mended actor: %v %v", err, r.Differences)
	}
	fixed := strings.Replace(vault, "mine, theirs = self._of(who), self._of(to)", "mine = self._of(who)", 1)
	fixed = strings.Replace(fixed, "self._set(to, theirs + n)", "self._set(to, self._of(to) + n)", 1)
	clean, err := Fuzz("vault.txtar", []byte(fixed), sequence.Options{Seed: 7, Runs: 12})
	if err != nil || len(clean.Found) != 0 || clean.Runs != 12 || clean.Faults == 0 || clean.Faults == clean.Calls {
		t.Errorf("the mended actor: %+v %v", clean, err)
	}
}

// TestFuzzParsed finds what is planted behind a split payload and behind coins, which a story pays.
func TestFuzzParsed(t *testing.T) {
	x, err := Fuzz("till.txtar", []byte(`
account alice
deploy alice till till.py {}
invariant query till low
> = 0
invariant query till rich
> = 0
fuzz till put
fuzz till pay
-- till.py --
from cowboy_sdk import actor, public, runtime

@actor
class Till:
    @public
    def init(self, payload):
        self.storage["low"] = 0
        self.storage["rich"] = 0
    @public
    def put(self, payload):
        who, n = payload.decode().split(",")
        if int(n) < -100_000:
            self.storage["low"] = 1
    @public
    def pay(self, payload):
        if runtime.context()["value"] == 10_000_000_001:
            self.storage["rich"] = 1
    @public
    def low(self, payload):
        return str(self.storage["low"]).encode()
    @public
    def rich(self, payload):
        return str(self.storage["rich"]).encode()
`), sequence.Options{Seed: 2, Runs: 300})
	if err != nil || len(x.Found) != 2 {
		t.Fatalf("%+v %v", x, err)
	}
	for _, f := range x.Found {
		if f.Steps != 1 || !strings.Contains(f.Story, "send alice till put") && !strings.Contains(f.Story, "pay alice till pay 10.000000001") {
			t.Errorf("%d steps:\n%s", f.Steps, f.Story)
		}
		if r, _, err := Run("found.txtar", []byte(f.Story), Options{}); err != nil || r.OK() {
			t.Errorf("the story passes: %v", err)
		}
	}
	if len(x.Tally) != 2 || x.Tally[0].Successes == 0 || x.Tally[1].Successes == 0 {
		t.Errorf("%v", x.Tally)
	}
}

// TestFuzzMistakes names file, line and what to write instead.
func TestFuzzMistakes(t *testing.T) {
	files := vault[strings.Index(vault, "-- vault.py"):]
	for i, c := range []struct{ comment, text, hint string }{
		{"fuzz vault", "nothing is called vault", ""},
		{"account a\nfuzz a", "a: it is no actor", ""},
		{"account a\ndeploy a v vault.py {}\nfuzz v fly", "the actor has no such handler anyone may call", "it has put, lend, check"},
		{"fuzz", "usage: fuzz ACTOR [HANDLER [SHAPE]]", ""},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			_, err := Fuzz("x.txtar", []byte(c.comment+"\n"+files), sequence.Options{Runs: 1})
			var e *Error
			if !errors.As(err, &e) || e.Text != c.text || e.Hint != c.hint || e.Line != strings.Count(c.comment, "\n")+1 {
				t.Errorf("%q: %v", c.comment, err)
			}
		})
	}
	for _, comment := range []string{"account a\nheight", "account a\ndeploy a v vault.py {}\nfuzz v", "account a\ninvariant balance a"} {
		if _, err := Fuzz("x.txtar", []byte(comment+"\n"+files), sequence.Options{Runs: 1}); !errors.Is(err, ErrNothing) {
			t.Errorf("%q: %v", comment, err)
		}
	}
	for _, command := range []string{"invariant call a b c", "invariant query"} {
		if _, _, err := Run("x.txtar", []byte(command+"\n"), Options{}); err == nil {
			t.Errorf("%s passes", command)
		}
	}
}

// TestFuzzShapes: what an author writes about a payload is what is drawn.
func TestFuzzShapes(t *testing.T) {
	shaped := strings.Replace(vault, "fuzz vault\n", "fuzz vault lend {\"to\": $address, \"amount\": $number}\n", 1)
	found, err := Fuzz("vault.txtar", []byte(shaped), sequence.Options{Seed: 1, Runs: 300})
	if err != nil || len(found.Found) != 1 || len(found.Handlers) != 1 {
		t.Fatalf("%+v %v", found, err)
	}
	if text := found.Found[0].Story; !strings.Contains(text, `send alice vault lend {"to": "${alice}", "amount": `) {
		t.Error(text)
	}
}
