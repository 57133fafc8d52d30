package pyre

import (
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

func machine(cycles uint64) *object.Machine {
	m := object.NewMachine(object.Settings{Meter: object.NewMeter(cycles, 1<<40), MemoryLimit: 10 << 20, RecursionLimit: 256})
	mod := m.NewModule(Name)
	m.Modules[Name] = mod
	Fill(m, mod)
	return m
}

func latin1Bytes(s string) []byte {
	out := []byte{}
	for _, r := range s {
		out = append(out, byte(r))
	}
	return out
}

var bracket = object.NewBuiltin(object.Method{Name: "bracket", Sig: "match", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	g, e := m.CallMethod(a.V[0], object.StaticName("group"))
	if e != nil {
		return object.Value{}, e
	}
	if b, ok := g.AsBytes(); ok {
		return m.Bytes([]byte("[" + string(b.Data()) + "]")), nil
	}
	s, _ := g.AsStr()
	return m.Str("[" + s.String() + "]"), nil
}})

func decodeValue(m *object.Machine, x any) object.Value {
	switch x := x.(type) {
	case nil:
		return object.None
	case string:
		return m.Str(x)
	case float64:
		if x > 1<<62 {
			v, _ := m.IntOf(new(big.Int).Lsh(big.NewInt(1), 100))
			return v
		}
		return object.Int(int64(x))
	}
	list := x.([]any)
	switch list[0] {
	case "b":
		return m.Bytes(latin1Bytes(list[1].(string)))
	default:
		return bracket.Value()
	}
}

func repr(t *testing.T, m *object.Machine, v object.Value) string {
	t.Helper()
	s, e := m.ReprText(v)
	if e != nil {
		t.Fatal("broken repr")
	}
	return s
}

// show presents a result as the recorder does.
func show(t *testing.T, m *object.Machine, v object.Value) any {
	t.Helper()
	if _, ok := object.Cast[MatchObject](v, &typeMatch); ok {
		out := []any{repr(t, m, v)}
		call := func(name string, args ...object.Value) object.Value {
			r, e := m.CallMethod(v, object.StaticName(name), args...)
			if e != nil {
				t.Fatal(name)
			}
			return r
		}
		attr := func(name string) object.Value {
			r, e := m.Attr(v, name)
			if e != nil {
				t.Fatal(name)
			}
			return r
		}
		first, e := m.GetItem(v, object.Int(0))
		if e != nil {
			t.Fatal("item 0")
		}
		for _, r := range []object.Value{call("groups"), call("groupdict", m.Str("?")), call("span"), attr("regs"), attr("lastindex"), attr("lastgroup"),
			m.Tuple(attr("pos"), attr("endpos")), first, call("group", object.Int(0))} {
			out = append(out, repr(t, m, r))
		}
		return out
	}
	if v.Type() == &typeFinder {
		out := []any{}
		if e := m.Iterate(v, func(x object.Value) (bool, *object.Exception) {
			out = append(out, show(t, m, x))
			return true, nil
		}); e != nil {
			return failure(t, m, e)
		}
		return out
	}
	return repr(t, m, v)
}

func failure(t *testing.T, m *object.Machine, e *object.Exception) any {
	t.Helper()
	if e.Fatal != object.NotFatal {
		return "fatal"
	}
	text, bad := m.StrText(e.Value())
	if bad != nil {
		t.Fatal("broken message")
	}
	if !e.Is(&typeError) {
		return []any{e.Type().Name, text}
	}
	out := []any{"re.error", text}
	for _, name := range []string{"msg", "pattern", "pos", "lineno", "colno"} {
		v, bad := m.Attr(e.Value(), name)
		if bad != nil {
			t.Fatal(name)
		}
		if s, ok := v.AsStr(); ok && name == "msg" {
			out = append(out, s.String())
		} else if v.IsInt() {
			out = append(out, v.Int64())
		} else if v.IsNone() && name != "pattern" {
			out = append(out, nil)
		} else {
			out = append(out, repr(t, m, v))
		}
	}
	return out
}

// Spec: WP "The Cowboy Actor VM (PVM)" (module list); Python 3.11 library reference, re.
func TestRecordedCalls(t *testing.T) {
	raw, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows [][4]any
	if err := json.Unmarshal(raw, &rows); err != nil {
		t.Fatal(err)
	}
	m := machine(1 << 50)
	mod := m.Modules[Name]
	failures := 0
	for _, row := range rows {
		path := row[0].([]any)
		fn, _ := mod.Lookup(path[0].(string))
		var e *object.Exception
		if len(path) == 3 {
			var args object.Args
			for _, x := range path[1].([]any) {
				args.V = append(args.V, decodeValue(m, x))
			}
			var p object.Value
			if p, e = m.Call(fn, args); e == nil {
				fn, e = m.Attr(p, path[2].(string))
			}
		}
		var got any
		if e == nil {
			var args object.Args
			for _, x := range row[1].([]any) {
				args.V = append(args.V, decodeValue(m, x))
			}
			kw := row[2].(map[string]any)
			for _, name := range []string{"maxsplit", "count", "flags"} {
				if x, ok := kw[name]; ok {
					args.Names = append(args.Names, object.StaticName(name))
					args.V = append(args.V, decodeValue(m, x))
				}
			}
			var r object.Value
			if r, e = m.Call(fn, args); e == nil {
				got = show(t, m, r)
			}
		}
		if e != nil {
			got = failure(t, m, e)
		}
		g, _ := json.Marshal(got)
		w, _ := json.Marshal(row[3])
		if string(g) != string(w) {
			shown, _ := json.Marshal(row[:3])
			t.Errorf("%s\n got %s\nwant %s", shown, g, w)
			if failures++; failures > 15 {
				t.Fatal("too many failures")
			}
		}
	}
}

// Spec: CIP-3 §2.2 (cycles bound every execution).
func TestHostilePatternRunsOutOfCycles(t *testing.T) {
	m := machine(1_000_000)
	search, _ := m.Modules[Name].Lookup("search")
	_, e := m.Call(search, object.Positional(m.Str("(a+)+$"), m.Str(strings.Repeat("a", 40)+"!")))
	if e == nil || e.Fatal != object.OutOfCycles {
		t.Fatalf("exception %v", e)
	}
	if m.Meter().Left() != 0 {
		t.Fatalf("%d cycles left", m.Meter().Left())
	}
}

// Whether a program was kept from an earlier use must not show in the cycles.
func TestKeptProgramsCostTheSame(t *testing.T) {
	m := machine(1 << 40)
	search, _ := m.Modules[Name].Lookup("search")
	purge, _ := m.Modules[Name].Lookup("purge")
	var costs []uint64
	for i := range 4 {
		if i == 3 {
			if _, e := m.Call(purge, object.Args{}); e != nil {
				t.Fatal("purge")
			}
		}
		before := m.Meter().Used()
		if _, e := m.Call(search, object.Positional(m.Str(`(\w+)@(\w+)`), m.Str("to user@host"))); e != nil {
			t.Fatal("search")
		}
		costs = append(costs, m.Meter().Used()-before)
	}
	for _, c := range costs {
		if c != costs[0] {
			t.Fatalf("cycles %v", costs)
		}
	}
}

func TestFlagsLookLikeAnEnum(t *testing.T) {
	m := machine(1 << 40)
	flag := func(name string) object.Value {
		v, ok := m.Modules[Name].Lookup(name)
		if !ok {
			t.Fatal(name)
		}
		return v
	}
	op := func(o object.Operator, a, b object.Value) object.Value {
		v, e := m.BinaryOp(o, a, b)
		if e != nil {
			t.Fatal("operator")
		}
		return v
	}
	inverted, _ := m.InvertBits(flag("I"))
	// Recorded from CPython 3.11, but for the order of an inverted flag's parts.
	for i, c := range []struct {
		v    object.Value
		want string
	}{
		{flag("I"), "re.IGNORECASE"}, {op(object.Or, flag("I"), flag("MULTILINE")), "re.IGNORECASE|re.MULTILINE"}, {flag("NOFLAG"), "re.NOFLAG"},
		{op(object.And, flag("I"), flag("M")), "re.NOFLAG"}, {op(object.Or, object.Int(2), flag("M")), "re.IGNORECASE|re.MULTILINE"},
		{op(object.Or, flag("I"), object.Int(1024)), "re.IGNORECASE|0x400"}, {op(object.Xor, flag("I"), flag("S")), "re.IGNORECASE|re.DOTALL"},
		{inverted, "re.ASCII|re.LOCALE|re.UNICODE|re.MULTILINE|re.DOTALL|re.VERBOSE|re.TEMPLATE|re.DEBUG"}, {op(object.Add, flag("I"), object.Int(0)), "2"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := repr(t, m, c.v); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
