package pyfuzz

import (
	"fmt"
	"testing"
)

// TestHidden: a deviation behind a handler that says nothing of it is found.
func TestHidden(t *testing.T) {
	for i, c := range []struct{ source, want string }{
		{"try:\n    x = 2 ** 9999\nexcept Exception as e:\n    print(e is None)\n", "4096 bits"},
		{"try: x = 2 ** 9999\nexcept: pass\n", "4096 bits"},
		{"def f():\n    try:\n        x = 1 is 1000\n    except (ValueError, TypeError): print(1)\n    except Exception:\n        print(2)\nf()\n",
			"DeterminismError"},
		{"try: 1 / 0\nexcept ZeroDivisionError: print(3)\n", ""},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := hidden(c.source); got != c.want {
				t.Errorf("%q: %q, want %q", c.source, got, c.want)
			}
		})
	}
}

// TestFirstDifferent counts lines, and the end of the shorter output as one.
func TestFirstDifferent(t *testing.T) {
	if n := firstDifferent("a\nb\nc", "a\nx\nc"); n != 1 {
		t.Error(n)
	}
	if n := firstDifferent("a\nb", "a\nb\nc"); n != 2 {
		t.Error(n)
	}
	if n := firstDifferent("a", "a"); n < 1<<30 {
		t.Error(n)
	}
}

// TestListed names the deviations that show in two lines.
func TestListed(t *testing.T) {
	for i, c := range []struct{ got, want, reason string }{
		{"'<' not supported between instances of 'int' and 'str'", "'<' not supported between instances of 'str' and 'int'", "order of a set"},
		{"TypeError: dict.clear() takes no arguments (1 given)", "TypeError: Counter.clear() takes no arguments (1 given)", "class of a built-in method"},
		{`b'\x7f\xf8\x00'`, `b'\xff\xf8\x00'`, "sign of a NaN"},
		{"TypeError: defaultdict.copy() takes 1 positional argument but 2 were given", "TypeError: defaultdict.copy() takes no arguments (1 given)",
			"arguments of a method in Python"},
		{"TypeError: f() takes 1 positional argument but 2 were given", "TypeError: f() takes no arguments (1 given)", ""},
		{"1", "2", ""},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := listed(c.got, c.want); got != c.reason {
				t.Errorf("%q, %q: %q, want %q", c.got, c.want, got, c.reason)
			}
		})
	}
}
