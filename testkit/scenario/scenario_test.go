package scenario

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// TestScriptStories runs testdata/*.txtar. Spec: WP §5.1a; scheduler-timers §6.
func TestScriptStories(t *testing.T) {
	golden.Each(t, "testdata/*.txtar", func(t *testing.T, path string) {
		r, err := RunFile(path, Options{Update: golden.Rewrite()})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range r.Differences {
			t.Error(d)
		}
	})
}

const counter = `
-- c.py --
from cowboy_sdk import actor, public
@actor
class C:
    @public
    def init(self, payload):
        self.storage["n"] = 0
    @public
    def up(self, payload):
        self.storage["n"] += 1
        return str(self.storage["n"]).encode()
`

// TestStoriesSayWhere: why prints what CPython 3.11 prints for the same source, through a call of another actor; a command that does not print what it must
// shows it unasked; what actors print is printed. The recorded traceback has another actor as its caller, whose frame is the first.
func TestStoriesSayWhere(t *testing.T) {
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join("../../runtime/host/testdata/tracebacks", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	_, through, _ := strings.Cut(read("recorded.txt"), "== through\n")
	through, _, _ = strings.Cut(through, "== ")
	_, callee, _ := strings.Cut(through, "^\n")
	where := "Traceback (most recent call last):\n  File \"front.py\", line 5, in run\n    return call(payload.decode(), \"pay\", [7])\n" +
		"           " + strings.Repeat("^", len(`call(payload.decode(), "pay", [7])`)) + "\n" + callee
	files := "-- till.py --\n" + read("till.py") +
		"-- front.py --\nfrom cowboy_sdk import call\n\ndef run(payload):\n    print('one\\ntwo\\x1b')\n    return call(payload.decode(), \"pay\", [7])\n"
	begin := "account a\ndeploy a till till.py\ndeploy a front front.py\n"
	printed := "> front prints one\n> front prints two\\x1b\n"
	fault := "> fault 1206: ActorCallError: ValueError: the till has no 7\n"
	script := begin + "call a front run ${till}\n" + printed + fault + "why\n> " + strings.ReplaceAll(strings.TrimSuffix(where, "\n"), "\n", "\n> ") +
		"\nquery front run ${till}\n" + printed + fault
	r, _, err := Run("x.txtar", []byte(script+files), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range r.Differences {
		t.Error(d)
	}
	r, _, err = Run("x.txtar", []byte(begin+"call a front run ${till}\n> = 7\n"+files), Options{})
	if err != nil || len(r.Differences) != 1 {
		t.Fatal(r, err)
	}
	if got, want := r.Differences[0].String(), "    "+strings.ReplaceAll(strings.TrimSuffix(where, "\n"), "\n", "\n    ")+"\n"; !strings.HasSuffix(got, want) {
		t.Errorf("%s\nwant at its end\n%s", got, want)
	}
	if _, _, err := Run("x.txtar", []byte("account a\nwhy\n"), Options{}); err == nil || !strings.Contains(err.Error(), "nothing has failed in an actor yet") {
		t.Errorf("without a failure why gives %v", err)
	}
}

// TestMistakes names file, line and what to write instead.
func TestMistakes(t *testing.T) {
	for i, c := range []struct {
		script, text, hint string
		line               int
	}{
		{"account a\nblance a", `there is no command "blance"`, "did you mean balance?", 2},
		{"juggle", `there is no command "juggle"`, "commands are account, advance,", 1},
		{"\n# remark\ncall a", "usage: call BY ACTOR HANDLER [PAYLOAD]", "", 3},
		{"height 3", "usage: height ", "", 1},
		{"call nobody c up", "there is no account nobody; `account nobody` makes one", "", 1},
		{"account a\ncall a c up", "nothing is called c", "there are a", 2},
		{"account a\naccount a", "a is taken", "", 2},
		{"account a\ndeploy a c d.py", "there is no file d.py, in the archive or beside it", "", 2},
		{"account a\ndeploy a c c.py {\"x\": \"${who}\"}", "nothing is called who", "there are a", 2},
		{"account a\ntransfer a a much", "much is not an amount of CBY", "", 2},
		{"mine none", "none is not a number of blocks from 1 to 1000000", "", 1},
		{"to 0", "0 is not a height above 0", "", 1},
		{"revert x", "there is no snapshot x", "", 1},
		{"job http sometimes", "a job ends ok, error, lost or votes, not sometimes", "", 1},
		{"job http votes 7", "votes are a list, one result for each runner; null is a runner that failed", "", 1},
		{"job http late", "late is followed by a number and how the job ends", "", 1},
		{"job http late soon ok 1", "late is from 1 to 86400, not soon", "", 1},
		{"job http late 3 copies 17 ok 1", "copies is from 1 to 16, not 17", "", 1},
		{"job http late 3 maybe", "a job ends ok, error, lost or votes, not maybe", "", 1},
		{"panic now", "now is not a turn of a block: they are numbered from 1", "", 1},
		{"panic 0", "0 is not a turn of a block: they are numbered from 1", "", 1},
		{"account a\nset colour a red", "balance or storage can be set, not colour", "", 2},
		{"account a\nset balance a much", "much is not an amount of CBY", "", 2},
		{"account a\nset storage a k {", "the value is not JSON: unexpected EOF", "", 2},
		{"account a\nas a nobody up", "nothing is called nobody", "there are a", 2},
		{"account alice\naccount bob\ntransfer alcie bob 5", "there is no account alcie; `account alcie` makes one", "did you mean alice?", 3},
		{"account alice\ntransfer alice alise 5", "nothing is called alise", "did you mean alice?", 2},
		{"snapshot start\nrevert strat", "there is no snapshot strat", "did you mean start?", 2},
		{"job http ok {", "the value is not JSON: unexpected EOF", "", 1},
		{"job http ok 1.5", "1.5 is not an integer", "", 1},
		{"> 1", "expected output before the first command", "", 1},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			_, _, err := Run("x.txtar", []byte(c.script+"\n"+counter), Options{})
			var e *Error
			if !errors.As(err, &e) || e.Text != c.text || !strings.HasPrefix(e.Hint, c.hint) || (c.hint == "") != (e.Hint == "") || e.Line != c.line {
				t.Errorf("%q: %+v, want line %d %q %q", c.script, err, c.line, c.text, c.hint)
			}
		})
	}
}

// TestDifferences shows what was printed beside what was expected, and rewriting makes the story pass without touching anything else.
func TestDifferences(t *testing.T) {
	script := "# counting\naccount a\ndeploy a c c.py {}\n\ncall a c up\n> = 2\n> more\nquery c nothing\nheight\n> 3\n" + counter
	r, _, err := Run("x.txtar", []byte(script), Options{})
	if err != nil || len(r.Differences) != 2 || r.OK() {
		t.Fatal(r, err)
	}
	if got, want := r.Differences[0].String(), "line 5: call a c up\n  - = 2\n  + = 1\n  - more\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	path := filepath.Join(t.TempDir(), "x.txtar")
	if err := os.WriteFile(path, []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	if r, err := RunFile(path, Options{Update: true}); err != nil || !r.Updated {
		t.Fatal(r, err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(script, "> = 2\n> more\n", "> = 1\n", 1)
	if got := string(text); !strings.Contains(got, "query c nothing\n> fault 12") || !strings.HasPrefix(got, want[:strings.Index(want, "query")]) ||
		!strings.HasSuffix(got, counter[1:]) {
		t.Errorf("rewritten to %s", got)
	}
	if r, err := RunFile(path, Options{}); err != nil || !r.OK() || r.Cycles == 0 {
		t.Errorf("after rewriting: %+v %v", r, err)
	}
}
