package pyjson

import (
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"strconv"
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

func native(name string, f func(m *object.Machine, x object.Value) (object.Value, *object.Exception)) object.Value {
	return object.NewBuiltin(object.Method{Name: name, Sig: "x", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
		return f(m, a.V[0])
	}}).Value()
}

var handlers = map[string]object.Value{
	"wrap": native("wrap", func(m *object.Machine, x object.Value) (object.Value, *object.Exception) {
		return m.List(m.Str("wrapped"), object.Int(1)), nil
	}),
	"loop": native("loop", func(m *object.Machine, x object.Value) (object.Value, *object.Exception) { return x, nil }),
	"show": native("show", func(m *object.Machine, x object.Value) (object.Value, *object.Exception) {
		s, e := m.StrText(x)
		return m.Str("<" + s + ">"), e
	}),
}

// opaque is a type without a form in JSON, with the name the recorder's class has.
var typeOpaque object.Type

var _ = object.Define(&typeOpaque, object.Spec{Name: "Opaque", Layout: object.LayoutOf[object.Object](object.KindLeaf)})

func decodeValue(t *testing.T, m *object.Machine, x any) object.Value {
	t.Helper()
	switch x := x.(type) {
	case nil:
		return object.None
	case bool:
		return object.Bool(x)
	case string:
		return m.Str(x)
	case float64:
		return object.Int(int64(x))
	}
	list := x.([]any)
	tag, rest := list[0].(string), list[1:]
	var items []object.Value
	if tag == "t" || tag == "l" {
		for _, i := range rest {
			items = append(items, decodeValue(t, m, i))
		}
	}
	switch tag {
	case "b":
		var b []byte
		for _, r := range rest[0].(string) {
			b = append(b, byte(r))
		}
		return m.Bytes(b)
	case "f":
		bits, _ := strconv.ParseUint(rest[0].(string), 16, 64)
		return object.Float(bits)
	case "i":
		i, _ := new(big.Int).SetString(rest[0].(string), 10)
		v, _ := m.IntOf(i)
		return v
	case "u":
		var runes []rune
		for _, c := range rest {
			runes = append(runes, rune(c.(float64)))
		}
		return m.StrOf(runes)
	case "t":
		return m.Tuple(items...)
	case "l":
		return m.List(items...)
	case "o":
		return object.Of(object.Alloc[object.Object](m, &typeOpaque, 0))
	case "h":
		return handlers[rest[0].(string)]
	default:
		d := m.NewDict()
		for _, pair := range rest {
			p := pair.([]any)
			if e := d.Set(m, decodeValue(t, m, p[0]), decodeValue(t, m, p[1])); e != nil {
				t.Fatal("dict")
			}
		}
		return d.Value()
	}
}

func answer(t *testing.T, m *object.Machine, v object.Value, e *object.Exception) any {
	t.Helper()
	if e == nil {
		s, bad := m.ReprText(v)
		if bad != nil {
			t.Fatal("broken repr")
		}
		return s
	}
	if e.Fatal != object.NotFatal {
		return "fatal"
	}
	text, bad := m.StrText(e.Value())
	if bad != nil {
		t.Fatal("broken message")
	}
	out := []any{e.Type().Name, text}
	if e.Is(&typeDecodeError) {
		for _, name := range []string{"msg", "pos", "lineno", "colno"} {
			v, bad := m.Attr(e.Value(), name)
			if bad != nil {
				t.Fatal(name)
			}
			if s, ok := v.AsStr(); ok {
				out = append(out, s.String())
			} else {
				out = append(out, v.Int64())
			}
		}
	}
	return out
}

func call(t *testing.T, m *object.Machine, name string, args object.Args) any {
	t.Helper()
	fn, ok := m.Modules[Name].Lookup(name)
	if !ok {
		t.Fatal(name)
	}
	v, e := m.Call(fn, args)
	return answer(t, m, v, e)
}

// Spec: WP "The Cowboy Actor VM (PVM)" (module list); Python 3.11 library reference, json.
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
	failures := 0
	for _, row := range rows {
		var args object.Args
		for _, x := range row[1].([]any) {
			args.V = append(args.V, decodeValue(t, m, x))
		}
		for _, x := range row[2].([]any) {
			pair := x.([]any)
			args.Names = append(args.Names, object.NewStatic(pair[0].(string)))
			args.V = append(args.V, decodeValue(t, m, pair[1]))
		}
		g, _ := json.Marshal(call(t, m, row[0].(string), args))
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

// Spec: WP "The Cowboy Actor VM (PVM)" (sort_keys=True, separators=(",", ":")); WP-January "Serialization" (ensure_ascii=False).
func TestOutputIsCanonicalByDefault(t *testing.T) {
	m := machine(1 << 40)
	dict := func(items ...object.Value) object.Value {
		d := m.NewDict()
		for i := 0; i < len(items); i += 2 {
			if e := d.Set(m, items[i], items[i+1]); e != nil {
				t.Fatal("dict")
			}
		}
		return d.Value()
	}
	s, n := m.Str, object.Int
	for i, c := range []struct {
		v    object.Value
		want string
	}{
		{dict(s("b"), n(1), s("a"), m.List(n(1), n(2))), `'{"a":[1,2],"b":1}'`},
		{dict(s("\U0001f600"), n(1), s("\uffff"), n(2), s("é"), n(3)), "'{\"é\":3,\"\uffff\":2,\"\U0001f600\":1}'"},
		{dict(n(10), n(1), n(9), n(2)), `'{"9":2,"10":1}'`},
		{dict(n(10), n(1), s("9"), n(2), object.None, n(3)), `'{"10":1,"9":2,"null":3}'`},
		{s("é\u2028"), `'"é\u2028"'`},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			// repr escapes what is not printable.
			want := strings.NewReplacer("\u2028", `\u2028`, "\uffff", `\uffff`).Replace(c.want)
			if got := call(t, m, "dumps", object.Positional(c.v)); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
	indented := object.Args{V: []object.Value{dict(s("b"), n(1), s("a"), n(2)), n(1)}, Names: []*object.Str{object.StaticName("indent")}}
	if got := call(t, m, "dumps", indented); got != `'{\n "a": 2,\n "b": 1\n}'` {
		t.Errorf("with indent: %s", got)
	}
}

func TestNestingIsBounded(t *testing.T) {
	m := machine(1 << 40)
	for doc, want := range map[string]string{
		strings.Repeat("[", 200) + strings.Repeat("]", 200): "",
		strings.Repeat("[", 100_000):                        "RecursionError",
		strings.Repeat(`{"a":`, 100_000):                    "RecursionError",
	} {
		t.Run(doc, func(t *testing.T) {
			got := call(t, m, "loads", object.Positional(m.Str(doc)))
			if list, failed := got.([]any); failed != (want != "") || failed && list[0] != want {
				t.Errorf("%.10s...: %.60v", doc, got)
			}
		})
	}
	v := m.List()
	for range 1000 {
		v = m.List(v)
	}
	if got, ok := call(t, m, "dumps", object.Positional(v)).([]any); !ok || got[0] != "RecursionError" {
		t.Errorf("deep list: %v", got)
	}
	l := m.NewList(nil)
	l.Append(m, l.Value())
	if got, ok := call(t, m, "dumps", object.Positional(l.Value())).([]any); !ok || got[0] != "ValueError" || got[1] != "Circular reference detected" {
		t.Errorf("circular list: %v", got)
	}
}

// Spec: CIP-3 §2.2.1 (Object Serialization Determinism: 20 + total_bytes).
func TestCharges(t *testing.T) {
	m := machine(1 << 40)
	text := m.Str(strings.Repeat("x", 1000))
	used := func(name string, v object.Value) uint64 {
		fn, _ := m.Modules[Name].Lookup(name)
		before := m.Meter().Used()
		if _, e := m.Apply(fn, object.Positional(v)); e != nil {
			t.Fatal(name)
		}
		return m.Meter().Used() - before
	}
	if got := used("dumps", text); got != dumpsCost+20+intCost+1002 {
		t.Errorf("dumps: %d cycles, want 20 and what it asks for, that of one string, and one for each of 1,002 bytes", got)
	}
	if got := used("loads", m.Str(`"`+strings.Repeat("x", 1000)+`"`)); got != 20+1002+valueCost {
		t.Errorf("loads: %d cycles, want 20, one for each of 1,002 characters and those of one value", got)
	}
	poor := machine(500)
	fn, _ := poor.Modules[Name].Lookup("dumps")
	if _, e := poor.Call(fn, object.Positional(text)); e == nil || e.Fatal != object.OutOfCycles {
		t.Errorf("500 cycles do not pay for 1,000 characters: %v", e)
	}
}

func FuzzLoads(f *testing.F) {
	f.Add(`{"a":[1,2.5e3,"\u00e9",null,true,NaN]}`)
	f.Fuzz(func(t *testing.T, doc string) {
		m := machine(1_000_000)
		fn, _ := m.Modules[Name].Lookup("loads")
		v, e := m.Call(fn, object.Positional(m.Str(strings.ToValidUTF8(doc, "?"))))
		if e != nil {
			return
		}
		dumps, _ := m.Modules[Name].Lookup("dumps")
		text, e := m.Call(dumps, object.Positional(v))
		if e != nil {
			return
		}
		again, e := m.Call(fn, object.Positional(text))
		if e != nil {
			t.Fatalf("%q is not read again", doc)
		}
		twice, e := m.Call(dumps, object.Positional(again))
		if e != nil {
			return
		}
		a, _ := text.AsStr()
		b, _ := twice.AsStr()
		if a.String() != b.String() {
			t.Fatalf("%q: %q and %q", doc, a.String(), b.String())
		}
	})
}
