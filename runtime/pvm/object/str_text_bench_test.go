package object

import (
	"strings"
	"testing"
)

// One call of a text method, with the time a cycle of it takes.
func BenchmarkText(b *testing.B) {
	m := testMachine()
	m.meter = NewMeter(1<<61, 0)
	m.heapLimit = 1 << 50
	s := m.Str
	words := m.List(s("alpha"), s("beta"), s("gamma"), s("delta"), s("epsilon"))
	long := s(strings.Repeat("the quick brown fox ", 500))
	wide := s(strings.Repeat("größe ", 100))
	for _, c := range []struct {
		name   string
		recv   Value
		method string
		args   []Value
	}{
		{"split", s("alpha,beta,gamma,delta,epsilon"), "split", []Value{s(",")}},
		{"split-space", s("alpha beta gamma delta epsilon"), "split", nil},
		{"join", s(","), "join", []Value{words}},
		{"upper", s("alpha beta gamma"), "upper", nil},
		{"upper-wide", wide, "upper", nil},
		{"upper-long", long, "upper", nil},
		{"find", s("alpha beta gamma"), "find", []Value{s("gamma")}},
		{"find-long", long, "find", []Value{s("lazy")}},
		{"replace", s("alpha beta gamma"), "replace", []Value{s("beta"), s("zeta")}},
		{"replace-long", long, "replace", []Value{s("fox"), s("dog")}},
		{"strip", s("  alpha beta  "), "strip", nil},
		{"startswith", s("alpha beta"), "startswith", []Value{s("alpha")}},
		{"isalpha", s("alphabetagamma"), "isalpha", nil},
		{"encode", s("alpha beta gamma"), "encode", nil},
		{"decode", m.Bytes([]byte("alpha beta gamma")), "decode", nil},
		{"hex", m.Bytes([]byte("alpha beta gamma")), "hex", nil},
		{"format", s("{} is {:>5} and {x!r}"), "format", []Value{s("a"), Int(3)}},
		{"percent", s("%s is %05d, %.2f"), "__mod__", []Value{m.Tuple(s("a"), Int(3), Float(0x3FF8000000000000))}},
		{"format-int", Int(1234567), "__format__", []Value{s(",")}},
		{"format-float", Float(0x40091EB851EB851F), "__format__", []Value{s(".2f")}},
		{"repr", long, "__repr__", nil},
		{"translate", s("alpha beta gamma"), "translate", []Value{dictOf(m, Int('a'), s("4"))}},
	} {
		b.Run("method="+c.name, func(b *testing.B) {
			name := m.name(c.method)
			args := c.args
			fn, e := m.GetAttr(c.recv, name)
			if e != nil {
				b.Fatal(c.method)
			}
			call := Args{V: args}
			if c.name == "format" {
				call = Args{V: append(append([]Value(nil), args...), s("y")), Names: []*Str{m.name("x")}}
			}
			before := m.meter.Used()
			for b.Loop() {
				if _, e := m.Call(fn, call); e != nil {
					b.Fatal(c.method)
				}
				m.heap = 0
			}
			cycles := float64(m.meter.Used()-before) / float64(b.N)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(cycles+10), "ns/cycle")
		})
	}
}

func dictOf(m *Machine, k, v Value) Value {
	d := m.NewDict()
	_ = d.Set(m, k, v)
	return d.Value()
}
