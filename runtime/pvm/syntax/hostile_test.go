package syntax

import (
	"sort"
	"strings"
	"testing"
)

var rep = strings.Repeat

// shapes are sources that are dear to parse or to refuse, by their length in bytes (about): deep and long ones of every
// construct, most with an error at the end, behind which the search for a message starts again from the beginning.
var shapes = map[string]func(n int) string{
	"parens": func(n int) string { return rep(rep("(", 190)+"x"+rep(")", 190)+"\n", n/382+1) },
	"parens-bad": func(n int) string {
		return rep(rep("(", 190)+"x"+rep(")", 190)+"\n", n/382+1) + rep("(", 190) + "x y" + rep(")", 190)
	},
	"parens-comma":   func(n int) string { return rep("(", 150) + rep("a,", n/2) + "b c" + rep(")", 150) },
	"add":            func(n int) string { return rep(rep("x+", 1000)+"x\n", n/2000+1) },
	"add-bad":        func(n int) string { return rep(rep("x+", 1000)+"x\n", n/2000+1) + rep("x+", 2000) + "x y" },
	"add1-bad":       func(n int) string { return rep("x+", n/2) + " x y" },
	"pow-bad":        func(n int) string { return rep("x**", min(n/3, 2900)) + "x y\n" },
	"and-bad":        func(n int) string { return rep("x and ", n/6) + "x y" },
	"or-and-bad":     func(n int) string { return rep("x and y or ", n/11) + "x y" },
	"not-bad":        func(n int) string { return rep(rep("not ", 2000)+"x\n", n/8000+1) + rep("not ", 2000) + " x y" },
	"cmp-bad":        func(n int) string { return rep("x<", n/2) + "x y" },
	"in-bad":         func(n int) string { return rep("x not in ", n/9) + "x y" },
	"attr-bad":       func(n int) string { return "x" + rep(".x", min(n/2, 2900)) + " y\n" + rep("a\n", n/2) },
	"call-bad":       func(n int) string { return rep("f(a)(b).c[d]\n", n/13) + "f(a b)" },
	"calls-bad":      func(n int) string { return rep("f(", 190) + rep("a,", n/2) + "a b" + rep(")", 190) },
	"callchain-bad":  func(n int) string { return rep("x"+rep("(a)", 900)+"\n", n/2700+1) + "x" + rep("(a)", 900) + "(a b)" },
	"subs-bad":       func(n int) string { return rep("x"+rep("[a]", 900)+"\n", n/2700+1) + "x" + rep("[a]", 900) + "[a b]" },
	"lambda-bad":     func(n int) string { return rep("lambda:", min(n/7, 2900)) + "x y" + rep("\na", n/2) },
	"lambda2-bad":    func(n int) string { return rep("(lambda x=", 190) + "x y" + rep("\na", n/2) },
	"lambda-par":     func(n int) string { return "lambda " + rep("a,", n/2) + "b c: d" },
	"lambda-def":     func(n int) string { return "lambda " + rep("a=1,", n/4) + "b: d e" },
	"ifexp-bad":      func(n int) string { return "(" + rep("a if b else ", min(n/12, 2900)) + "c d)" + rep("\na", n/2) },
	"ifexp2-bad":     func(n int) string { return rep("(a if b else c, ", n/16) + "c d)" },
	"ifexp3-bad":     func(n int) string { return rep("a if b ", n/7) },
	"fstr":           func(n int) string { return rep("f'{a}{b!r:{c}}'\n", n/16) },
	"fstr-bad":       func(n int) string { return rep("f'{a}{b!r:{c}}'\n", n/16) + "f'{a b}'" },
	"fstr1-bad":      func(n int) string { return "f'" + rep("{a}", n/3) + "{a b}'" },
	"fstr-nest-bad":  func(n int) string { return rep("f'{f\"{f1}\"}' ", n/13) + " f'{f\"{a b}\"}'" },
	"fstr-deep":      func(n int) string { return "f'{" + rep("(", 100) + rep("a,", n/2) + "b" + rep(")", 100) + "}'" },
	"fstr-spec":      func(n int) string { return "f'" + rep("{a:{b}}", n/7) + "{c:{d e}}'" },
	"fstr-triple":    func(n int) string { return "f'''" + rep("\n{a}\n", n/5) + "{b c}'''" },
	"fstr-concat":    func(n int) string { return "(" + rep("f'{a}'\n", n/7) + "f'{b c}')" },
	"fstr-braces":    func(n int) string { return "f'" + rep("{{}}", n/4) + "}'" },
	"fstr-open":      func(n int) string { return "f'" + rep("{", n) + "'" },
	"fstr-many-open": func(n int) string { return rep("f'{' ", n/5) },
	"fstr-lambda":    func(n int) string { return "f'" + rep("{(lambda x:1)}", n/14) + "{lambda x:1}'" },
	"fstr-eq":        func(n int) string { return "f'" + rep("{a=}", n/4) + "{=}'" },
	"strings-bad":    func(n int) string { return rep("'a' ", n/4) + "b" },
	"bytes-mix":      func(n int) string { return rep("b'a' ", n/5) + "'b'" },
	"list":           func(n int) string { return "[" + rep("1,", n/2) + "]" },
	"list-bad":       func(n int) string { return "[" + rep("1,", n/2) + "1 2]" },
	"list-unclosed":  func(n int) string { return "[" + rep("1,", n/2) },
	"tuple-star":     func(n int) string { return rep("*a,", n/3) + "b c" },
	"dict-bad":       func(n int) string { return "{" + rep("a:b,", n/4) + "a b}" },
	"dict2-bad":      func(n int) string { return "{" + rep("a:b,", n/4) + "a:}" },
	"dict3-bad":      func(n int) string { return "{" + rep("a:b,", n/4) + "a:*b}" },
	"dict4-bad":      func(n int) string { return "{" + rep("**a,", n/4) + "a:b for c in d e}" },
	"dict-nest":      func(n int) string { return rep("{a:", 190) + rep("b,c:", n/4) + "d e" + rep("}", 190) },
	"set-bad":        func(n int) string { return "{" + rep("a,", n/2) + "a b}" },
	"decor-bad":      func(n int) string { return rep("@a\n", n/3) + "x" },
	"decor2-bad":     func(n int) string { return rep("@a(b)\n", n/6) + "def f(: pass" },
	"elif-bad": func(n int) string {
		return "if a: b\n" + rep("elif a: b\n", min(n/10, 2900)) + "elif a b: c" + rep("\na", n/2)
	},
	"elif2-bad": func(n int) string { return rep("if a: b\nelif c: d\nelse: e\n", n/24) + "elif a: b" },
	"indent-bad": func(n int) string {
		s := ""
		for i := range 99 {
			s += rep(" ", i) + "if a:\n"
		}
		return s + rep(rep(" ", 99)+"b\n", n/101) + rep(" ", 99) + "b c"
	},
	"indents": func(n int) string {
		s := ""
		for i := range 99 {
			s += rep(" ", i) + "if a:\n"
		}
		s += rep(" ", 99) + "b\n"
		return rep(s, n/len(s)+1) + "b c"
	},
	"dedent-bad": func(n int) string { return rep("if a:\n    b\n  c\n", n/14) },
	"try-bad": func(n int) string {
		return rep("try:\n a\nexcept b as c:\n d\nelse:\n e\nfinally:\n f\n", n/46) + "try:\n a\nb"
	},
	"try2-bad":      func(n int) string { return "try:\n a\n" + rep("except b as c:\n d\n", n/18) + "except* e: f" },
	"try3-bad":      func(n int) string { return "try:\n a\n" + rep("except b, c:\n d\n", n/16) },
	"unterminated":  func(n int) string { return rep("'a\n", n/3) },
	"unterminated3": func(n int) string { return "'''" + rep("a\n", n/2) },
	"quotes":        func(n int) string { return rep("\"\"\"'''", n/6) },
	"quotes1":       func(n int) string { return rep("'", n) },
	"quotes2":       func(n int) string { return rep("''\"", n/3) },
	"unbal":         func(n int) string { return rep("a)\n", n/3) },
	"unbal2":        func(n int) string { return rep("(]", n/2) },
	"unbal3":        func(n int) string { return rep("(\n", 190) + rep("a\n", n/2) },
	"unbal4":        func(n int) string { return rep("[(", 95) + rep("a b ", n/4) },
	"match":         func(n int) string { return rep("match a:\n case b: pass\n", n/24) },
	"match-bad":     func(n int) string { return rep("match a:\n case b: pass\n", n/24) + "match a:\n case b c: pass" },
	"match-name":    func(n int) string { return rep("match(a, b)\n", n/12) + "match(a b)" },
	"match-name2":   func(n int) string { return rep("match[a]=b\n", n/11) + "match[a b]" },
	"match-name3":   func(n int) string { return rep("match * a\nmatch -a\n", n/19) + "match a b" },
	"match-long":    func(n int) string { return "match " + rep("a, ", n/3) + "b c" },
	"match-long2":   func(n int) string { return "match (" + rep("a, ", n/3) + "b c):\n case d: e" },
	"match-nest":    func(n int) string { return rep("match(", 190) + rep("a,", n/2) + " b c" + rep(")", 190) },
	"match-cases":   func(n int) string { return "match a:\n" + rep(" case [b, *c]: pass\n", n/20) + " case [b, *c c]: pass" },
	"case-or":       func(n int) string { return "match a:\n case " + rep("b()|", n/4) + "c d: pass" },
	"case-as":       func(n int) string { return "match a:\n case " + rep("b() as c, ", n/10) + "c d: pass" },
	"case-nest": func(n int) string {
		return "match a:\n case " + rep("[", 180) + rep("b, ", n/3) + "c d" + rep("]", 180) + ": pass"
	},
	"case-paren": func(n int) string {
		return "match a:\n case " + rep("(", 180) + rep("b| ", n/3) + "c d" + rep(")", 180) + ": pass"
	},
	"case-class": func(n int) string {
		return "match a:\n case " + rep("C(", 180) + rep("b, ", n/3) + "c=d, e" + rep(")", 180) + ": pass"
	},
	"case-class2": func(n int) string { return "match a:\n case C(" + rep("b=c, ", n/5) + "d): pass" },
	"case-map":    func(n int) string { return "match a:\n case {" + rep("'b': c, ", n/8) + "**d, 'e': f}: pass" },
	"case-map-nest": func(n int) string {
		return "match a:\n case " + rep("{'b':", 180) + rep("c| ", n/3) + "d e" + rep("}", 180) + ": pass"
	},
	"case-star":   func(n int) string { return "match a:\n case " + rep("*b, ", n/4) + "*c d: pass" },
	"case-attr":   func(n int) string { return "match a:\n case b" + rep(".c", n/2) + " d: pass" },
	"case-num":    func(n int) string { return "match a:\n case " + rep("-1+2j|", n/6) + "-1+2: pass" },
	"case-guard":  func(n int) string { return "match a:\n" + rep(" case b if c: pass\n", n/19) + " case b if c d: pass" },
	"case-kw":     func(n int) string { return rep("case = match = _ = 1\n", n/21) + "case _ : b" },
	"walrus-bad":  func(n int) string { return "(" + rep("(a:=b),", n/7) + "c d)" },
	"walrus2-bad": func(n int) string { return rep("(a:=", 190) + rep("b,", n/2) + "c d" + rep(")", 190) },
	"walrus3-bad": func(n int) string { return rep("a:=b\n", n/5) },
	"walrus-call": func(n int) string { return "f(" + rep("a:=b,", n/5) + "c d)" },
	"cont":        func(n int) string { return rep("a\\\n", n/3) + " b" },
	"cont2":       func(n int) string { return rep("\\\n", n/2) + "b c" },
	"cont3":       func(n int) string { return rep("a = b + \\\n c\n", n/13) + "a b" },
	"nfc":         func(n int) string { return rep("e\u0301=", n/4) + "b c" },
	"nfc2":        func(n int) string { return "e" + rep("\u0301", n/2) + " b c" },
	"nfc3":        func(n int) string { return rep("\u1e9b\u0323 = ", n/8) + "b c" },
	"nfc-marks":   func(n int) string { return "e" + rep("\u0301\u0323\u0316", n/6) },
	"nul":         func(n int) string { return rep("a\n", n/2) + "\x00" },
	"bytes-all": func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteByte(byte(i * 7))
		}
		return b.String()
	},
	"ctrl":        func(n int) string { return rep("\x01\x02", n/2) },
	"emoji":       func(n int) string { return rep("\U0001f600", n/4) },
	"del-bad":     func(n int) string { return "del " + rep("a, ", n/3) + "f()" },
	"del2-bad":    func(n int) string { return "del " + rep("(a, [", 90) + rep("a, ", n/3) + "f()" + rep("])", 90) },
	"assign-bad":  func(n int) string { return rep("a = ", n/4) + "f() = b" },
	"assign2-bad": func(n int) string { return rep("a, ", n/3) + "f() = b" },
	"assign3-bad": func(n int) string { return rep("(a, [", 90) + rep("a, ", n/3) + "f()" + rep("])", 90) + " = b" },
	"assign4-bad": func(n int) string { return rep("f() = ", n/6) + "b" },
	"aug-bad":     func(n int) string { return rep("a, ", n/3) + "b += c" },
	"ann-bad":     func(n int) string { return rep("a, ", n/3) + "b: c" },
	"for-bad":     func(n int) string { return "for " + rep("a, ", n/3) + "f() in b: pass" },
	"for2-bad":    func(n int) string { return rep("for a in b: c\n", n/14) + "for a in b c: d" },
	"with-bad":    func(n int) string { return "with (" + rep("a as b, ", n/8) + "c d): pass" },
	"with2-bad":   func(n int) string { return "with " + rep("a as b, ", n/8) + "c d: pass" },
	"with3-bad": func(n int) string {
		return "with " + rep("(", 180) + rep("a, ", n/3) + "c d" + rep(")", 180) + ": pass"
	},
	"with4-bad":       func(n int) string { return "with (" + rep("a, ", n/3) + "b) as c, d e: pass" },
	"with5-bad":       func(n int) string { return rep("with (a, b): c\n", n/15) + "with (a, b) c: d" },
	"import-bad":      func(n int) string { return "from a import (" + rep("b as c, ", n/8) + "d e)" },
	"import2-bad":     func(n int) string { return "import " + rep("a.b, ", n/5) + "d e" },
	"import3-bad":     func(n int) string { return "import a" + rep(".b", n/2) + " c" },
	"import4-bad":     func(n int) string { return "from " + rep(".", n) + " import a b" },
	"global-bad":      func(n int) string { return "global " + rep("a, ", n/3) + "d e" },
	"def-bad":         func(n int) string { return "def f(" + rep("a, ", n/3) + "b c): pass" },
	"def2-bad":        func(n int) string { return "def f(" + rep("a: b=c, ", n/8) + "d): pass" },
	"def3-bad":        func(n int) string { return "def f(" + rep("*a, ", n/4) + "b): pass" },
	"def4-bad":        func(n int) string { return rep("def f(a): pass\n", n/15) + "def f(a b): pass" },
	"def5-bad":        func(n int) string { return "def f(" + rep("(a), ", n/5) + "b): pass" },
	"class-bad":       func(n int) string { return rep("class A(b): pass\n", n/17) + "class A(b c): pass" },
	"args-bad":        func(n int) string { return "f(" + rep("a=b, ", n/5) + "c)" },
	"args2-bad":       func(n int) string { return "f(" + rep("a=b, ", n/5) + "c d)" },
	"args3-bad":       func(n int) string { return "f(" + rep("**a, ", n/5) + "*c)" },
	"args4-bad":       func(n int) string { return "f(" + rep("a.b=c, ", n/7) + "d)" },
	"args5-bad":       func(n int) string { return "f(" + rep("a for b in c, ", n/14) + "d)" },
	"args6-bad":       func(n int) string { return "f(" + rep("True=1, ", n/8) + "d)" },
	"comp-bad":        func(n int) string { return "[" + rep("[a for b in c], ", n/16) + "a for b c]" },
	"comp2-bad":       func(n int) string { return "[a " + rep("for b in c ", n/11) + "d e]" },
	"comp3-bad":       func(n int) string { return "[a for b in c " + rep("if d ", n/5) + "e f]" },
	"comp4-bad":       func(n int) string { return rep("[a for b in ", 190) + rep("c,", n/2) + "d e" + rep("]", 190) },
	"comp5-bad":       func(n int) string { return "[" + rep("a, ", n/3) + "b for c in d]" },
	"comp6-bad":       func(n int) string { return rep("{a:b for c in ", 190) + "d e" + rep("}", 190) + rep("\na", n/2) },
	"yield-bad":       func(n int) string { return rep("(yield ", 190) + rep("a,", n/2) + "b c" + rep(")", 190) },
	"await-bad":       func(n int) string { return rep(rep("await a\n", 1), n/8) + "await a b" },
	"slice-bad":       func(n int) string { return "a[" + rep("b:c:d,", n/6) + "e f]" },
	"slice2-bad":      func(n int) string { return rep("a[b:", 190) + rep("c,", n/2) + "d e" + rep("]", 190) },
	"semi-bad":        func(n int) string { return rep("a;", n/2) + "b c" },
	"stmts-bad":       func(n int) string { return rep("a\n", n/2) + "b c" },
	"stmts-bad-first": func(n int) string { return "b c\n" + rep("a\n", n/2) },
	"raise-bad":       func(n int) string { return rep("raise a from b\n", n/15) + "raise a from b c" },
	"print-bad":       func(n int) string { return rep("a\n", n/2) + "print a" },
	"print2-bad":      func(n int) string { return rep("print a, b; ", n/12) },
	"exec-bad":        func(n int) string { return "print " + rep("a, ", n/3) + "b" },
	"names-bad":       func(n int) string { return rep("a ", n/2) },
	"names-nl":        func(n int) string { return "(" + rep("a\n", n/2) + ")" },
	"numbers":         func(n int) string { return rep("1 ", n/2) },
	"numbers2":        func(n int) string { return rep("1if 2else 3 ", n/12) },
	"number-long":     func(n int) string { return "0x" + rep("f", n) + "g" },
	"number-us":       func(n int) string { return rep("1_", n/2) },
	"float-long":      func(n int) string { return "1" + rep("0", n) + ".0e5 a" },
	"ops":             func(n int) string { return rep("+-*/", n/4) },
	"dots":            func(n int) string { return rep("...", n/3) + " a b" },
	"colons":          func(n int) string { return rep(":", n) },
	"commas":          func(n int) string { return rep(",", n) },
	"stars":           func(n int) string { return rep("*", n) },
	"bangs":           func(n int) string { return rep("!", n) },
	"arrows":          func(n int) string { return rep("->", n/2) },
	"eqs":             func(n int) string { return rep("=", n) },
	"ltgt":            func(n int) string { return rep("a <> ", n/5) },
	"comments":        func(n int) string { return rep("#a\n", n/3) + "a b" },
	"blank":           func(n int) string { return rep("\n", n) + "a b" },
	"tabs":            func(n int) string { return rep("if a:\n\tb\n        c\n", n/20) },
	"spaces":          func(n int) string { return rep(" ", n) + "a b" },
	"deco-lambda": func(n int) string {
		return "@" + rep("(", 190) + rep("a,", n/2) + "b c" + rep(")", 190) + "\ndef f(): pass"
	},
	"else-bad":      func(n int) string { return rep("for a in b: c\nelse: d\n", n/22) + "else: e" },
	"while-bad":     func(n int) string { return rep("while a: b\n", n/11) + "while a b: c" },
	"type-cm":       func(n int) string { return rep("a = [] # type: b\n", n/17) + "a b" },
	"mix-brackets":  func(n int) string { return rep("([{", 60) + rep("a b,", n/4) + rep("}])", 60) },
	"opt-call-for":  func(n int) string { return rep("f(a for b in ", 190) + rep("c,", n/2) + " d" + rep(")", 190) },
	"kw-nest":       func(n int) string { return rep("f(a=", 190) + rep("b,c=", n/4) + "d e" + rep(")", 190) },
	"star-nest":     func(n int) string { return rep("f(*", 190) + rep("b,*", n/3) + "d e" + rep(")", 190) },
	"starstar-nest": func(n int) string { return rep("f(**", 190) + rep("b,**", n/4) + "d e" + rep(")", 190) },
	"sub-nest":      func(n int) string { return rep("a[", 190) + rep("b,", n/2) + "c d" + rep("]", 190) },
	"ternary-nest":  func(n int) string { return rep("(a if ", 190) + rep("b,", n/2) + "c d" + rep(")", 190) },
	"lambda-nest":   func(n int) string { return rep("(lambda:", 190) + rep("b,", n/2) + "c d" + rep(")", 190) },
	"cmp-nest":      func(n int) string { return rep("(a<", 190) + rep("b,", n/2) + "c d" + rep(")", 190) },
	"arith-nest":    func(n int) string { return rep("(-a**", 190) + rep("b,", n/2) + "c d" + rep(")", 190) },
	"not-nest":      func(n int) string { return rep("(not ", 190) + rep("b,", n/2) + "c d" + rep(")", 190) },
	"await-nest":    func(n int) string { return rep("(await ", 190) + rep("b,", n/2) + "c d" + rep(")", 190) },
	"assign-nest":   func(n int) string { return rep("a = (", 1) + rep("(b=", 180) + rep("b,", n/2) + "c d" + rep(")", 181) },
	"for-nest": func(n int) string {
		return rep("for a in (", 1) + rep("(", 180) + rep("b,", n/2) + "c d" + rep(")", 181) + ": pass"
	},
	"fstr-in-fstr":       func(n int) string { return "f'''" + rep("{f\"{", 1) + rep("a,", n/2) + "b c" + rep("}\"}", 1) + "'''" },
	"fstr-parens":        func(n int) string { return "f'{" + rep("(", 180) + rep("a,", n/2) + "b c" + rep(")", 180) + "}'" },
	"fstr-in-parens":     func(n int) string { return rep("(", 180) + rep("f'{a}',", n/7) + "f'{b c}'" + rep(")", 180) },
	"fstr-bad-in-parens": func(n int) string { return rep("(", 180) + rep("f'{a}',", n/7) + "b c" + rep(")", 180) },
	"str-bad-in-parens":  func(n int) string { return rep("(", 180) + rep("'a' 'b',", n/8) + "b c" + rep(")", 180) },
}

// TestWorkIsLinear: twice the source is at most 1.3 times twice the work, until the search for a message gives up, and
// large sources of f-strings are not more than a few searches' work.
//
// Spec: WP "The Cowboy Actor VM (PVM)".
func TestWorkIsLinear(t *testing.T) {
	names := make([]string, 0, len(shapes))
	for name := range shapes {
		names = append(names, name)
	}
	sort.Strings(names)
	work := func(name string, n int) int {
		p := &parser{}
		_, err := p.parse([]byte(shapes[name](n)))
		if e, ok := err.(*SyntaxError); err != nil && (!ok || e.Msg == "") {
			t.Errorf("%s: %v", name, err)
		}
		return p.work + n
	}
	const base = 512
	for _, name := range names {
		last := work(name, base)
		for n := 2 * base; n <= 8*base; n *= 2 {
			now := work(name, n)
			if now > pegStepsMax {
				break
			}
			if 10*now > 26*last {
				t.Errorf("%s: %d steps for %d bytes, %d for twice as many", name, last, n/2, now)
			}
			last = now
		}
		const large = 1 << 16
		if !testing.Short() && strings.HasPrefix(name, "fstr") { // where one parser is inside another
			if now := work(name, large); now > 2*pegStepsMax+8*large {
				t.Errorf("%s: %d steps for %d bytes", name, now, large)
			}
		}
	}
}

// TestPlainWork: without an explanation a source takes a step for each token that is passed, a few times over at most, is refused where Parse refuses it, and
// the error has a line and a text.
//
// Spec: WP "The Cowboy Actor VM (PVM)".
func TestPlainWork(t *testing.T) {
	for name, shape := range shapes {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{512, 16_384} {
				source := []byte(shape(n))
				p := &parser{plain: true}
				_, err := p.parse(source)
				if most := 6*len(source) + 1_000; p.work > most {
					t.Errorf("%d steps for %d bytes, want at most %d", p.work, len(source), most)
				}
				if e, ok := err.(*SyntaxError); err != nil && (!ok || e.Msg == "" || e.Line == 0) {
					t.Errorf("%+v", err)
				}
				if n == 512 {
					if _, full := Parse(source); (err == nil) != (full == nil) {
						t.Errorf("%v, and with an explanation %v", err, full)
					}
				}
			}
		})
	}
}
