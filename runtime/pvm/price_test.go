package pvm_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/cost"
)

// TestCostsOfMaking measures prices of ours as the difference between two statements that do the same but for what is priced.
//
// Spec: CIP-3 §2.2.1 (cycles are a measure of work).
func TestCostsOfMaking(t *testing.T) {
	p := cost.First()
	const head = `
from abc import ABC, abstractmethod
class C:
    x = __len__ = lambda self: 0
class D(C): pass
class Shape(ABC):
    @abstractmethod
    def area(self): pass
class Square(Shape):
    def __init__(self): pass
    def area(self): pass
class Plain:
    def __init__(self): pass
def none(): pass
def two(*, a=1, b=2): pass
def get(*, a, b): pass
def f(C, D, l, o, e):
  `
	const tail = "\nf(C, D, [1, 2], C(), {})\n"
	for _, c := range []struct {
		name, more, less string
		want             int
	}{
		{"a list of the elements of another", "list(l)", "list()", p.Display + 1 + 8*16>>p.ByteShift + p.Move}, // 1 for two elements; room for eight
		{"a list by a call and by a display", "list()", "[]", p.Name + p.Call},
		{"a dict by a call and by a display", "dict()", "{}", p.Name + p.Call},
		{"a dict of the items of an empty one", "dict(e)", "dict()", p.Mapping + p.Move},
		{"a special method of a class and of one below it", "C.__len__ = none", "C.x = none", 2 * 40},
		{"an attribute of a class with one below it", "C.x = none", "D.x = none", 16},
		{"keyword-only parameters left to their defaults", "two()", "none()", 2 * p.DictAccess},
		{"an instance of an abstract class's subclass", "Square()", "Plain()", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			more, less := cycles(t, head+c.more+tail), cycles(t, head+c.less+tail)
			if got := int(more) - int(less); got != c.want {
				t.Errorf("%s costs %d cycles more than %s, want %d", c.more, got, c.less, c.want)
			}
		})
	}
}

// TestCostsOfRareOperands measures what operands cost for which an operation leaves its short way, each beside one that does not.
//
// Spec: CIP-3 §2.2.1 (max(bitlen(a), bitlen(b)) / 64; cycles are a measure of work).
func TestCostsOfRareOperands(t *testing.T) {
	p := cost.First()
	const head = "from collections import OrderedDict\ndef f(a, b, w, s, t, d, o, x, y):\n  "
	const tail = "\nf((1 << 127) - 1, (1 << 66) - 1, (1 << 500) - 1, 7, 3, {1: 1}, OrderedDict(), 1.5, 2.5)\n"
	for _, c := range []struct {
		name, more, less string
		want             int
	}{
		// Three for four of the quotient's words times two more than the divisor's, and 15 for a result that is a word.
		{"a quotient of two words by two", "a // b", "s // t", 127/64 + 1*(2+2)*3/4 + 15},
		{"a remainder of two words by one", "a % s", "s % t", 127/64 + 2*(1+2)*3/4 + 15},
		{"a remainder of a word by two", "s % b", "s % t", 66/64 + 0 + 15},
		// Of eight words four are beyond 256 bits: two for each of them, and their products. The result has 16.
		{"a product of eight words by eight", "w * w", "s * t", 500/64 + 2*(4+4) + 4*4/p.BigWords + p.BigInt + (40+16*8)>>p.ByteShift},
		{"a quotient of ints, beside floats", "s / t", "x / y", p.Float},
		{"a quotient of zero", "0 / -1", "1 / -1", 0},
		{"a key that is no text and no int", "1.5 in d", "1 in d", 2*p.Compare + 4}, // its hash 4
		{"a key of a dict of another class", "1 in o", "1 in d", 2*p.Compare + p.Operand},
	} {
		t.Run(c.name, func(t *testing.T) {
			more, less := cycles(t, head+c.more+tail), cycles(t, head+c.less+tail)
			if got := int(more) - int(less); got != c.want {
				t.Errorf("%s costs %d cycles more than %s, want %d", c.more, got, c.less, c.want)
			}
		})
	}
}

// TestCostsOfSteps holds what iterators cost for each value that they give to native code: a step is two cycles and two of its own, and more where it makes
// a pair or looks for an item.
//
// Spec: CIP-3 §2.2.1 (cycles are a measure of work).
func TestCostsOfSteps(t *testing.T) {
	p := cost.First()
	pair := p.Display + p.Operand + (40+2*16)>>p.ByteShift // and the memory of a tuple of two
	const head = "import collections\ndef f(n):\n  i = iter(%s)\n  %s\nf(%d)\n"
	steps := func(source string) int { // of 32 more values, without what making them costs
		used := func(what string, n int) int { return int(cycles(t, fmt.Sprintf(head, source, what, n))) }
		const few, many, loop, none = 16, 48, "for x in i: pass", "pass"
		return used(loop, many) - used(none, many) - used(loop, few) + used(none, few)
	}
	list := steps("[0] * n")
	for _, c := range []struct {
		name, source string
		want         int // more than a step over a list
	}{
		{"bytes", "bytes(n)", 0}, {"bytearray", "bytearray(n)", 0}, {"tuple", "(0,) * n", 0}, {"text", "'a' * n", 0},
		{"text beyond ASCII", "'é' * n", 0}, {"keys", "dict.fromkeys(range(n))", 0}, {"set", "set(range(n))", 0},
		{"view", "memoryview(bytes(n))", 5}, {"deque", "collections.deque([0] * n)", p.Operand},
		{"text from its end", "reversed('a' * n)", 8}, {"keys from the end", "reversed(dict.fromkeys(range(n)))", 4},
		{"pairs of two", "zip([0] * n, [0] * n)", pair + 2*2}, {"numbered", "enumerate([0] * n)", pair},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := steps(c.source) - list; got != 32*c.want {
				t.Errorf("32 steps cost %d cycles more than over a list, want %d each", got, c.want)
			}
		})
	}
}

// TestCostsOfGeneratedClasses holds what a field or member more costs to the least that the library's code asks for it.
//
// Spec: CIP-3 §2.2.1 (cycles are a measure of work).
func TestCostsOfGeneratedClasses(t *testing.T) {
	for _, c := range []struct {
		name, less, more string
		least            uint64
	}{
		{"a field of a dataclass", "import dataclasses\n@dataclasses.dataclass\nclass A:\n    a: int\n", "    b: int\n", 1000},
		{"a member of an enumeration", "import enum\nclass A(enum.Enum):\n    a = 1\n", "    b = 2\n", 1200},
		{"a dataclass", "import dataclasses\n", "@dataclasses.dataclass\nclass A: pass\n", 2200},
		{"an enumeration", "import enum\n", "class A(enum.Enum): pass\n", 7000},
		{"a named tuple", "import collections\n", "collections.namedtuple('A', '')\n", 1700},
		{"a wrapper that looks like its function", "import functools\ndef f(): pass\ndef g(): pass\n", "functools.wraps(f)(g)\n", 700},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := cycles(t, c.less+c.more) - cycles(t, c.less); got < c.least {
				t.Errorf("%s costs %d cycles, want %d at least", c.name, got, c.least)
			}
		})
	}
}

// TestCostsOfMoves counts what stands beside no other operation, by the list of prices: a move 1, a name 2, a branch or comparison 2, the step of a loop 2.
//
// Spec: CIP-3 §2.2.1 (cycles are a measure of work).
func TestCostsOfMoves(t *testing.T) {
	names := func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprint("v", i)
		}
		return strings.Join(list, ", ")
	}
	defaults := strings.ReplaceAll(names(30), ",", "=0,") + "=0"
	head := "def f(a, b, g, h):\n  "
	tail := "\ndef many(): " + strings.ReplaceAll(names(200), ", ", " = ") + " = 0\ndef left(" + defaults + "): pass\nf(7, 3, many, left)\n"
	none := cycles(t, head+"pass"+tail)
	for _, c := range []struct {
		statement string
		want      uint64
	}{
		{"()", 0}, {"a = ()", 1}, {"a = b", 1}, {"a = b + 1", 1 + 1}, {"a += 1", 1 + 1},
		{"a = b = 1", 1 + 1 + 1},                  // the value, and each target
		{"while 1: break", 1},                     // the jump
		{"match a:\n    case c: pass", 1 + 1 + 1}, // the subject, the name, the way out
		{"a = b if a else b", 2 + 1 + 1 + 1},      // the test; a value, the jump past the other, the name
		{"for a in (): pass", 1 + 4 + 1 + 2},      // the literal, its iterator, the way to the first step, and that
		{"h()", 10 + 1 + (30-4)*3},                // the call, the function put in place, all defaults but four
		{"g()", 10 + 1 + (200+1-32)/2 + 1 + 200},  // likewise; two of the variables and of the value's place beyond 32, a cycle; the value, and each target
	} {
		t.Run(c.statement, func(t *testing.T) {
			if got := cycles(t, head+c.statement+tail) - none; got != c.want {
				t.Errorf("%s costs %d cycles, want %d", c.statement, got, c.want)
			}
		})
	}
}

// TestWorkOfTheLibrary calls what the library's own code pays with: nothing that a program hands it gives cycles back.
//
// Spec: CIP-3 §2.2.1 (cycles are a measure of work).
func TestWorkOfTheLibrary(t *testing.T) {
	const head = "import enum\nw = enum._work\n"
	none := cycles(t, head+"w(0)")
	for _, c := range []struct {
		argument string
		want     uint64
	}{{"1", 1}, {"1000", 1000}, {"1 << 20", 1 << 20}, {"1 << 60", 1 << 20}, {"-1", 0}, {"-(1 << 60)", 0}} {
		t.Run(c.argument, func(t *testing.T) {
			argument := cycles(t, "import enum\nw = enum._work\nx = "+c.argument) - cycles(t, "import enum\nw = enum._work\nx = 0")
			if got := cycles(t, head+"w("+c.argument+")") - none; got != c.want+argument {
				t.Errorf("_work(%s) takes %d cycles, want %d", c.argument, got, c.want)
			}
		})
	}
}
