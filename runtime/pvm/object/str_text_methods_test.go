package object

import (
	"encoding/json"
	"math/big"
	"os"
	"strconv"
	"testing"
)

// testMachine is a machine without an evaluator, for native code alone.
func testMachine() *Machine {
	return NewMachine(Settings{Meter: NewMeter(1<<40, 1<<40), MemoryLimit: 10 << 20, RecursionLimit: 256})
}

func latin1Bytes(s string) []byte {
	out := []byte{}
	for _, r := range s {
		out = append(out, byte(r))
	}
	return out
}

// decodeValue makes a value of what gen/text_methods.py wrote.
func decodeValue(t *testing.T, m *Machine, x any) Value {
	t.Helper()
	switch x := x.(type) {
	case nil:
		return None
	case bool:
		return Bool(x)
	case string:
		return m.Str(x)
	case float64:
		return Int(int64(x))
	}
	list := x.([]any)
	tag, rest := list[0].(string), list[1:]
	var items []Value
	if tag == "t" || tag == "l" {
		for _, i := range rest {
			items = append(items, decodeValue(t, m, i))
		}
	}
	switch tag {
	case "b":
		return m.Bytes(latin1Bytes(rest[0].(string)))
	case "ba":
		return m.ByteArray(latin1Bytes(rest[0].(string)))
	case "mv":
		return m.newMemoryView(m.Bytes(latin1Bytes(rest[0].(string))), flat(len(latin1Bytes(rest[0].(string)))))
	case "f":
		bits, _ := strconv.ParseUint(rest[0].(string), 16, 64)
		return Float(bits)
	case "c":
		re, _ := strconv.ParseUint(rest[0].(string), 16, 64)
		im, _ := strconv.ParseUint(rest[1].(string), 16, 64)
		return m.Complex(re, im)
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
	default:
		d := m.NewDict()
		for _, pair := range rest {
			p := pair.([]any)
			if e := d.Set(m, decodeValue(t, m, p[0]), decodeValue(t, m, p[1])); e != nil {
				t.Fatal(e)
			}
		}
		return d.Value()
	}
}

// answerOf shows a result as the recorder does.
func answerOf(m *Machine, recv, r Value, e *Exception) string {
	if e == nil && r.ref.typ == &TypeMemoryView {
		b, bad := Trust[MemoryView](r).bytes(m)
		if e = bad; e == nil {
			r = m.Bytes(b)
		}
	}
	if e != nil {
		if e.Fatal != NotFatal {
			return "fatal"
		}
		s, bad := m.StrText(e.Value())
		if bad != nil {
			return "broken message"
		}
		return e.typ.Name + ": " + s
	}
	out, bad := m.ReprText(r)
	if bad != nil {
		return "broken repr"
	}
	if recv.ref.kind == KindByteArray {
		after, _ := m.ReprText(recv)
		out += " " + after
	}
	return out
}

// Spec: Python 3.11 library reference, String Methods, Bytes and Bytearray Operations, memoryview.
func TestTextMethodsAgreeWithCPython(t *testing.T) {
	raw, err := os.ReadFile("testdata/text_methods.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows [][5]any
	if err := json.Unmarshal(raw, &rows); err != nil {
		t.Fatal(err)
	}
	m := testMachine()
	failures := 0
	for _, row := range rows {
		recv := decodeValue(t, m, row[0])
		var args Args
		for _, x := range row[2].([]any) {
			args.V = append(args.V, decodeValue(t, m, x))
		}
		for _, x := range row[3].([]any) {
			pair := x.([]any)
			args.Names = append(args.Names, m.name(pair[0].(string)))
			args.V = append(args.V, decodeValue(t, m, pair[1]))
		}
		want := row[4].(string)
		fn, e := m.Attr(recv, row[1].(string))
		var r Value
		if e == nil {
			r, e = m.Call(fn, args)
		}
		got := answerOf(m, recv, r, e)
		if got == want || deviates(row[1].(string), want, got) {
			continue
		}
		shown, _ := json.Marshal(row[:4])
		t.Errorf("%s\n got %s\nwant %s", shown, got, want)
		if failures++; failures > 40 {
			t.Fatal("too many failures")
		}
	}
}

// deviates names the answers that differ on purpose: __add__ answers NotImplemented for operands of other types, where CPython's
// sequences raise what the operator + then raises here.
func deviates(method, want, got string) bool { return method == "__add__" && got == "NotImplemented" }
