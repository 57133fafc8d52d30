package pvm_test

import (
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
