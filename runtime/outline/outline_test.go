package outline

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// names are the handlers, each with who may call it and its mode.
func names(d *Document) (list []string) {
	for _, h := range d.Handlers {
		list = append(list, h.Name+" "+h.Access+" "+h.Mode)
	}
	return list
}

func of(t *testing.T, source string) *Document {
	t.Helper()
	d, err := Of([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// The rules by which handlers are found, admitted and run are those of the host; here they are read off the text.
//
// Spec: sdk §3.1, §3.5, §5, §6; README "Permissions", "Handler modes".
func TestHandlers(t *testing.T) {
	for _, c := range []struct {
		name, source string
		want         []string
		complete     bool
	}{
		{"functions", "def increment(payload): pass\ndef _helper(): pass\nx = 1\n", []string{"increment anyone deferred"}, true},
		{"class Actor",
			"class Actor:\n  def go(self): pass\n  def _no(self): pass\n  @staticmethod\n  def s(): pass\nclass Other:\n  def not_me(self): pass\n",
			[]string{"go anyone deferred"}, true},
		{"older form", "from cowboy_sdk import actor\n@actor\nclass A:\n  def init(self, payload): pass\n  def go(self, payload): pass\n",
			[]string{"init anyone deferred", "go anyone deferred"}, true},
		{"permissions",
			"from cowboy_sdk import actor, public, callable_by, OWNER\n@actor\nclass A:\n  def init(self, p): pass\n  @public\n  def a(self, p): pass\n" +
				"  @callable_by(OWNER, '0x01')\n  def b(self, p): pass\n  def c(self, p): pass\n",
			[]string{"init once deferred", "a anyone deferred", "b listed deferred", "c itself deferred"}, true},
		{"modes",
			"import cowboy_sdk as c\n@c.actor\nclass A:\n  @c.pure\n  def a(self): pass\n  @c.deferred\n  def b(self): pass\n  def d(self): pass\n" +
				"  @c.runner.continuation\n  def e(self): pass\n  def e__resume(self, r): pass\n",
			[]string{"a anyone pure", "b anyone deferred", "d anyone pure", "e anyone deferred"}, true},
		{"bases", "class B:\n  def inherited(self): pass\n  def own(self, x, y): pass\nclass Actor(B, B):\n  def own(self): pass\n",
			[]string{"own anyone deferred", "inherited anyone deferred"}, true},
		{"base from elsewhere", "from x import B\nclass Actor(B):\n  pass\n", nil, false},
		{"circle of bases", "class B(Actor): pass\nclass Actor(B):\n  def go(self): pass\n", []string{"go anyone deferred"}, true},
		{"named",
			"from cowboy_sdk import actor\n@actor.handler('http.request')\ndef serve(ctx, payload): pass\n@actor.handler(x)\ndef other(): pass\n",
			[]string{"http.request anyone deferred", "other anyone deferred"}, false},
		{"perhaps", "if x:\n  def go(payload): pass\n", nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := of(t, c.source); !reflect.DeepEqual(names(d), c.want) || d.Complete != c.complete {
				t.Errorf("%q, complete %v, want %q, %v", names(d), d.Complete, c.want, c.complete)
			}
		})
	}
}

// Spec: sdk §3.3 (delivery rule).
func TestParameters(t *testing.T) {
	for text, payload := range map[string]bool{ // order-free: each alone
		"": true, "payload": true, "a, b": false, "a, b=1": true, "*args": true, "a, *, b": false, "a, *, b=2": true, "*, b": false, "**kw": true, "a, /": true,
	} {
		t.Run(text, func(t *testing.T) {
			if h := of(t, "def go("+text+"): pass\n").Handlers[0]; h.Payload != payload {
				t.Errorf("go(%s) takes a payload: %v", text, h.Payload)
			}
		})
	}
	h := of(t, "class Actor:\n  def go(self, a: dict[str, int], b: 'X' = -1, *rest, c=None, **kw) -> list[bytes]: pass\n").Handlers[0]
	want := []*Parameter{
		{Name: "a", Type: "dict[str, int]"}, {Name: "b", Type: "'X'", Default: "-1"}, {Name: "rest", Variadic: true},
		{Name: "c", Default: "None", Keyword: true},
		{Name: "kw", Keyword: true, Variadic: true},
	}
	if !reflect.DeepEqual(h.Parameters, want) || h.Returns != "list[bytes]" {
		text, _ := json.Marshal(h)
		t.Errorf("%s", text)
	}
}

// The expected texts are what CPython 3.11's inspect.getdoc gives.
func TestDocs(t *testing.T) {
	for source, want := range map[string]string{ // order-free: each alone
		`"""One."""`: "One.",
		"\"\"\"  One.\n\n        Two\n          three\n        \"\"\"": "One.\n\nTwo\n  three",
		"'a' 'b'": "ab", "b'x'": "", "f'x'": "", "x = 'y'": "", "1": "",
		"\"\"\"\n    First\n\tSecond\n    \"\"\"": "First\n    Second",
	} {
		t.Run(source, func(t *testing.T) {
			if got := of(t, source+"\n").Doc; got != want {
				t.Errorf("%q: %q, want %q", source, got, want)
			}
		})
	}
}

// Every example has a document; the golden file is read when it changes.
func TestGoldenExamples(t *testing.T) {
	files, err := filepath.Glob("../../testkit/examples/*.py")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var out strings.Builder
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		d, err := Of(source)
		if err != nil {
			t.Fatal(file, err)
		}
		text, err := json.MarshalIndent(d, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		out.WriteString("-- " + filepath.Base(file) + " --\n" + string(text) + "\n")
	}
	golden.File(t, "testdata/examples.txt", []byte(out.String()))
}

// What nobody can parse is an error with a line; nothing a text holds makes a document fail.
func FuzzOf(f *testing.F) {
	for _, seed := range []string{"def f(", "class A(A): pass", "@a.b(*c)\ndef f(x=y, *, z): 'd'", "class Actor(B.C, *D): pass"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		d, err := Of(source)
		if (d == nil) == (err == nil) {
			t.Fatal(d, err)
		}
	})
}
