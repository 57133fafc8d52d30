package host

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// The modules for tests are refused wherever a source imports them, and the place is told.
//
// Spec: sdk §21.
func TestTestModulesAreRefused(t *testing.T) {
	for source, line := range map[string]int{
		"import cowboy_sdk.testing\n":                                                                              1,
		"from cowboy_sdk import testing\n":                                                                         1,
		"def f():\n    pass\n\n\nfrom cowboy_sdk.mock_host import x\n":                                             5,
		"def f():\n    if 1:\n        import cowboy_sdk.testing\n":                                                 3,
		"class A:\n    def f(self):\n        pass\n\n    def g(self):\n        from cowboy_sdk import mock_host\n": 6,
		"testing = 1\n":            0,
		"import json as testing\n": 0,
	} {
		t.Run(strings.ReplaceAll(source, "\n", ";"), func(t *testing.T) {
			_, err := Compile([]byte(source))
			var refused *TestOnlyError
			if errors.As(err, &refused) != (line > 0) || line > 0 && refused.Line != line {
				t.Errorf("%q: %v", source, err)
			}
		})
	}
}

// Tools make values of canonical CBOR, and an exception of anything else.
//
// Spec: sdk §15.
func TestDecodeForTools(t *testing.T) {
	machine, err := NewPrograms().Offline(Offline{})
	if err != nil {
		t.Fatal(err)
	}
	m := machine.Inner()
	v, e := Decode(m, []byte{0x82, 0x01, 0x61, 'a'})
	list, ok := v.AsList()
	if e != nil || !ok || len(list.Items()) != 2 {
		t.Errorf("a list: %v", e)
	}
	for _, bad := range [][]byte{nil, {0x18, 0x01}, {0x01, 0x01}, {0x9f, 0xff}} {
		if _, e := Decode(m, bad); e == nil {
			t.Errorf("%x is taken", bad)
		}
	}
}

// An event nests lists and dicts to a depth and no deeper, whichever they are.
func TestEventsNestSoDeep(t *testing.T) {
	machine, err := NewPrograms().Offline(Offline{})
	if err != nil {
		t.Fatal(err)
	}
	m := machine.Inner()
	for _, dicts := range []bool{false, true} {
		for depth, ok := range map[int]bool{jsonDepth: true, jsonDepth + 1: false} {
			t.Run(fmt.Sprintf("%d deep, dicts %v", depth, dicts), func(t *testing.T) {
				v := object.None
				for range depth {
					if !dicts {
						v = m.NewList([]object.Value{v}).Value()
						continue
					}
					d := m.NewDict()
					key, _ := m.Str("k").AsStr()
					d.SetStr(m, key, v)
					v = d.Value()
				}
				w := jsonWriter{m: m}
				e := w.value(v, 0)
				if (e == nil) != ok {
					t.Errorf("%d deep, dicts %v: %v", depth, dicts, e)
				}
				if e == nil && strings.Count(string(w.out), "k") != map[bool]int{true: depth}[dicts] {
					t.Errorf("%s", w.out)
				}
			})
		}
	}
}
