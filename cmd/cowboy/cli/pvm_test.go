package cli

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// TestScriptStatus: how a script that is read from standard input ends, and what its command line may not say. The statuses of SystemExit are CPython's.
func TestScriptStatus(t *testing.T) {
	for i, x := range []struct {
		script, flags string
		status        int
		out, err      string
	}{
		{"print(6 * 7)", "", 0, "42\n", ""},
		{"raise SystemExit", "", 0, "", ""},
		{"raise SystemExit(0)", "", 0, "", ""},
		{"raise SystemExit(3)", "", 3, "", ""},
		{"raise SystemExit(-1)", "", 255, "", ""},
		{"raise SystemExit('bye')", "", 1, "", "bye\n"},
		{"raise SystemExit('3')", "", 1, "", "3\n"},
		{"raise SystemExit(2, 3)", "", 1, "", "(2, 3)\n"},
		{"raise SystemExit('')", "", 1, "", "\n"},
		{"raise SystemExit(1 << 70)", "", 255, "", ""},
		{"class Done(SystemExit): pass\nraise Done(True)", "", 1, "", ""},
		{"print(quit)\ntry: exit(3)\nfinally: print('left')", "", 3, "Use quit() or Ctrl-D (i.e. EOF) to exit\nleft\n", ""},
		{"quit()", "", 0, "", ""},
		{"exit(code='why')", "", 1, "", "why\n"},
		{"1 / 0", "", 1, "", "Traceback (most recent call last):\n  File \"<stdin>\", line 1, in <module>\n    1 / 0\n    ~~^~~\n" +
			"ZeroDivisionError: division by zero\n"},
		{"x = 1\nif \x1b[31m: pass", "", 1, "", "  File \"<stdin>\", line 2\n    if \ufffd[31m: pass\n       ^\n" +
			"SyntaxError: invalid non-printable character U+001B\n"},
		{"pass", "--memory-limit 0", 2, "", "Error: --memory-limit is one byte or more, not 0\n"},
		{"while True: pass", "--cycles-limit 999", 1, "", "out of cycles after 999\n"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			var out, errOut bytes.Buffer
			line := append([]string{"pvm", "run", "-"}, strings.Fields(x.flags)...)
			status := Main(line, strings.NewReader(x.script), &out, &errOut)
			if status != x.status || out.String() != x.out || errOut.String() != x.err {
				t.Errorf("%q %s: status %d, want %d\n out %q\nwant %q\n err %q\nwant %q",
					x.script, x.flags, status, x.status, out.String(), x.out, errOut.String(), x.err)
			}
		})
	}
}
