package syntax

import (
	"fmt"
	"strings"
	"testing"
)

// TestLimits: each bound from both sides.
//
// Spec: WP "The Cowboy Actor VM (PVM)".
func TestLimits(t *testing.T) {
	rep := strings.Repeat
	ladder := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(rep(" ", i) + "if x:\n")
		}
		return b.String() + rep(" ", n) + "pass\n"
	}
	const deep = "too many nested expressions"
	for _, test := range []struct{ name, source, want string }{
		{"brackets", rep("(", MaxBrackets-1) + "x" + rep(")", MaxBrackets-1), ""},
		{"brackets", rep("(", MaxBrackets) + "x" + rep(")", MaxBrackets), ""},
		{"brackets", rep("(", MaxBrackets+1) + "x" + rep(")", MaxBrackets+1), "too many nested parentheses"},
		{"indent", ladder(MaxIndent - 1), ""},
		{"indent", ladder(MaxIndent), "too many levels of indentation"},
		{"not", rep("not ", MaxDepth-2) + "x", ""},
		{"not", rep("not ", MaxDepth+1) + "x", deep},
		{"minus", rep("-", MaxDepth+1) + "x", deep},
		{"power", rep("x**", MaxDepth+1) + "x", deep},
		{"lambda", rep("lambda:", MaxDepth+1) + "x", deep},
		{"else", rep("x if x else ", MaxDepth+1) + "x", deep},
		{"sum", rep("x+", MaxDepth-1) + "x", ""},
		{"sum", rep("x+", MaxDepth) + "x", deep},
		{"calls", "x" + rep("()", MaxDepth), deep},
		{"attributes", "x" + rep(".x", MaxDepth), deep},
		{"subscripts", "x" + rep("[0]", MaxDepth), deep},
		{"sums in sums", rep("(", 50) + "x" + rep(rep("+x", 100)+")", 50), deep},
		{"elif", "if x: pass\n" + rep("elif x: pass\n", MaxDepth), deep},
		{"and", rep("x and ", MaxTokens/2-2) + "x", ""},
		{"comparison", rep("x < ", MaxTokens/2-2) + "x", ""},
		{"targets", rep("x = ", MaxTokens/2-2) + "x", ""},
		{"digits", rep("1", MaxDecimalDigits), ""},
		{"digits", rep("1", MaxDecimalDigits+1), "Exceeds the limit (4300 digits) for integer string conversion: value has " +
			"4301 digits; use sys.set_int_max_str_digits() to increase the limit - " +
			"Consider hexadecimal for huge integer literals to avoid decimal conversion limits."},
		{"hex", "0x" + rep("f", 100_000), ""},
		{"tokens", rep("a,", MaxTokens/2-1), ""},
		{"tokens", rep("a,", MaxTokens/2), "too many tokens"},
		{"tokens in f-strings", "f'" + rep("{a}", MaxTokens/5-1) + "'", ""},
		{"tokens in f-strings", "f'" + rep("{a}", MaxTokens/4) + "'", "too many tokens"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse([]byte(test.source))
			got := ""
			if err != nil {
				got = err.(*SyntaxError).Msg
			}
			if got != test.want {
				t.Errorf("%s: %q, want %q", test.name, got, test.want)
			}
		})
	}
}

// TestHostile parses sources made to be expensive. It fails by taking forever.
func TestHostile(t *testing.T) {
	n := 200_000
	if testing.Short() {
		n = 20_000
	}
	rep := strings.Repeat
	for name, source := range map[string]string{
		"names":         rep("a ", n),
		"calls":         rep("f(a b)", n/4),
		"open":          rep("f(", 150) + rep("a b,", n/4),
		"dict":          "{" + rep("a: b, ", n/4) + "c d}",
		"dict nested":   rep("{a: b, c ", 150) + rep("}", 150),
		"list nested":   rep("[a for ", 150) + rep("]", 150),
		"with":          rep("with (a, b) as c, (d, e) as f: pass\n", n/16) + "with (a, b c): pass",
		"match":         rep("match (x)\n", n/8) + "x y",
		"match names":   rep("match = 1\n", n/8) + "x y",
		"match line":    rep("match x ", n/8),
		"lambda":        rep("(lambda a, b=", 90) + rep("c ", n/4),
		"targets":       rep("a, ", n/4) + "f() = " + rep("b = ", n/8),
		"compare":       rep("a < ", n/4) + "b = c",
		"else":          "(" + rep("a if b ", n/8) + ")",
		"strings":       rep("'a' ", n/4) + "b",
		"f-strings":     rep("f'{a b}' ", n/8),
		"f-string long": "f'" + rep("{a}", n/4) + "{a b}'",
		"f-string nest": "f'" + rep("{a:{b}}", n/8) + "'",
		"class":         "class A:\n" + rep("  x = 1\n", n/8) + "  y z\n",
		"generators":    "f(" + rep("a for a in b, ", n/16) + ")",
		"keywords":      "f(" + rep("a=1, ", n/8) + "b)",
		"parameters":    "def f(" + rep("a, ", n/8) + "b=1, c): pass",
		"parentheses":   rep("(", 190) + rep("a, ", n/8),
		"not":           rep("not ", 2900) + "a b",
		"continuation":  rep("a = \\\n", n/8),
		"dedents":       rep("if x:\n if y:\n  z\n", n/16) + "x y",
		"unclosed":      "x = [\n" + rep("1, 2, 3 4\n", n/16),
		"global":        "global " + rep("a, ", n/8) + "1",
		"decorators":    rep("@a\n", n/8) + "x",
		"star":          rep("*", n),
		"slices":        "a[" + rep(":,", n/4) + " b c]",
		"patterns":      "match x:\n case " + rep("[a | ", 100) + rep("b, ", n/8) + "]: pass",
		"import":        "from a import " + rep("b, ", n/8) + "c d",
		"await":         rep("await ", n/8) + "x",
		"walrus":        rep("(a := ", 150) + rep("b ", n/8),
		"bytes":         rep("\xff", n),
		"form feeds":    rep("\f", n),
		"names unicode": rep("é", n/2),
		"backslash":     "'" + rep("\\", n) + "'",
		"escapes":       "'" + rep("\\N{BULLET}", n/8) + "'",
		"crlf":          rep("a\r\n\r", n/4),
		"encoding":      "#" + rep("coding ", n/8),
		"digits":        "1" + rep("_1", n/4) + "e5",
		"hex":           "0x" + rep("1_", n/4) + "1",
		"float":         "1." + rep("1", n),
		"exponent":      "1e" + rep("1", n),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Parse([]byte(source)); err != nil {
				if e := err.(*SyntaxError); e.Msg == "" {
					t.Errorf("%s: %v", name, fmt.Sprintf("%+v", e))
				}
			}
		})
	}
}
