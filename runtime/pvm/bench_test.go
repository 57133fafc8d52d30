package pvm_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// actor is a module of the size that actors have.
const actor = `
import json

LIMIT = 100

class Token:
    def __init__(self):
        self.total = 0
        self.balances = {}

    def mint(self, to, amount):
        if amount <= 0:
            raise ValueError("amount")
        self.balances[to] = self.balances.get(to, 0) + amount
        self.total += amount

    def transfer(self, sender, to, amount):
        have = self.balances.get(sender, 0)
        if have < amount:
            raise ValueError("insufficient")
        self.balances[sender] = have - amount
        self.balances[to] = self.balances.get(to, 0) + amount
        return True

token = Token()

def mint(payload):
    token.mint(payload["to"], payload["amount"])
    return b"ok"

def transfer(payload):
    return token.transfer(payload["from"], payload["to"], payload["amount"])

def balance(who):
    return token.balances.get(who, 0)

def nothing(payload):
    return payload
`

func compiled(b *testing.B, source string) *pvm.Program {
	b.Helper()
	p, err := pvm.Compile("actor", []byte(source))
	if err != nil {
		b.Fatal(err)
	}
	return p
}

// BenchmarkLoad measures a new machine and a module from compiled code.
func BenchmarkLoad(b *testing.B) {
	for _, c := range []struct{ name, source string }{
		{"module=actor", actor},
		{"module=actor_without_json", strings.Replace(actor, "import json", "", 1)},
		{"module=empty", ""},
	} {
		p := compiled(b, c.source)
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m := pvm.New(pvm.Config{Meter: pvm.NewMeter(1<<40, 0)})
				if _, fault := m.Load(p); fault != nil {
					b.Fatal(fault)
				}
			}
		})
	}
}

// BenchmarkCall measures a handler call through the facade.
func BenchmarkCall(b *testing.B) {
	m := pvm.New(pvm.Config{Meter: pvm.NewMeter(1<<60, 0)})
	mod, fault := m.Load(compiled(b, actor))
	if fault != nil {
		b.Fatal(fault)
	}
	for _, name := range []string{"nothing", "balance"} {
		fn, _ := mod.Lookup(name)
		b.Run("handler="+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, fault := m.Call(fn, object.None); fault != nil {
					b.Fatal(fault)
				}
			}
		})
	}
}

// BenchmarkCompile measures source to code.
func BenchmarkCompile(b *testing.B) {
	b.SetBytes(int64(len(actor)))
	for b.Loop() {
		compiled(b, actor)
	}
}

// BenchmarkProgram runs the workloads of testdata/bench. testdata/bench.txt has
// what CPython 3.11 took for them.
func BenchmarkProgram(b *testing.B) {
	files, err := filepath.Glob("testdata/bench/*.py")
	if err != nil {
		b.Fatal(err)
	}
	for _, path := range files {
		source, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		p, err := pvm.CompileFile("__main__", path, source)
		if err != nil {
			b.Fatal(err)
		}
		b.Run("file="+strings.TrimSuffix(filepath.Base(path), ".py"), func(b *testing.B) {
			var used uint64
			for b.Loop() {
				meter := pvm.NewMeter(1<<60, 0)
				m := pvm.New(pvm.Config{Meter: meter})
				if _, fault := m.Load(p); fault != nil {
					b.Fatal(fault, fault.Traceback)
				}
				used = meter.Used()
			}
			b.ReportMetric(float64(used), "cycles/op")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(used), "ns/cycle")
		})
	}
}
