package browser

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// inner, middle and outer call each other; the innermost fails.
const (
	inner = `from cowboy_sdk import actor, public


@actor
class Inner:
    @public
    def pay(self, payload):
        self._check(payload)

    def _check(self, payload):
        raise ValueError("nothing <b>left</b>")
`
	caller = `from cowboy_sdk import actor, call, public


@actor
class Caller:
    @public
    def pay(self, payload):
        return call(bytes.fromhex("NEXT"), "pay", [b""], cycles_limit=LIMIT)
`
)

// TestFailure shows a failure through two calls with the files, lines and source lines of all three actors, below the outcome and the fee.
func TestFailure(t *testing.T) {
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Skip("no Chromium on this machine")
	}
	n := start(t)
	deploy := func(name, source string) string {
		path := filepath.Join(n.dir, name)
		if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		return created(t, n.run(t, "actor", "deploy", "--code", path, "--no-init", "--wait"))
	}
	calling := func(next, limit string) string {
		return strings.NewReplacer("NEXT", strings.TrimPrefix(next, "0x"), "LIMIT", limit).Replace(caller)
	}
	innermost := deploy("inner.py", inner)
	between := deploy("middle.py", calling(innermost, "150_000"))
	outermost := deploy("outer.py", calling(between, "300_000"))
	out := n.run(t, "actor", "execute", "--actor", outermost, "--handler", "pay", "--no-simulate")
	hash := regexp.MustCompile(`0x[0-9a-f]{64}`).FindString(out)
	n.await(t, "/explain/"+hash, func(status int, body string) bool {
		return status == http.StatusOK && strings.Contains(body, "Traceback")
	})
	ctx := tab(t, 1280, 900, false)
	if err := chromedp.Do(ctx, chromedp.Navigate(n.url+"/explorer/tx/"+hash), chromedp.WaitReady(".explain pre")); err != nil {
		t.Fatal(err)
	}
	text := value[string](t, ctx, `document.querySelector(".outcome").innerText`)
	at := 0
	for _, part := range []string{
		"Failed", "Fee", "Value", outermost, "line 8, in pay", between, "line 8, in pay", innermost, "line 8, in pay", "self._check(payload)",
		"line 11, in _check",
		`raise ValueError("nothing <b>left</b>")`, "ValueError: nothing <b>left</b>",
	} {
		next := strings.Index(text[at:], part)
		if next < 0 {
			t.Fatalf("%q is not there, or not where it should be, in\n%s", part, text)
		}
		at += next + len(part)
	}
}
