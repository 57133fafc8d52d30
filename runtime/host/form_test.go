package host

import (
	"fmt"
	"testing"
)

// Any bytes have a form, those too that end in the middle of something.
func TestFormOfAnything(t *testing.T) {
	whole := "from cowboy_sdk import public\n"
	for _, end := range []string{"\\", "''", `""`, "'", `"`, "'''", `""""`, "#", "'\\", "'''\\", "'''''", "a", "1"} {
		for _, source := range []string{end, whole + end, "x = " + end} {
			if got := FormOf([]byte(source)); got.Modes || got.Permissions != (len(source) > len(whole)) {
				t.Errorf("%q: %+v", source, got)
			}
		}
	}
}

// Spec: README "Permissions", "Handler modes"; sdk §19.3.
func TestFormOf(t *testing.T) {
	for i, c := range []struct {
		source string
		want   Form
	}{
		{"", Form{}},
		{"from cowboy_sdk import actor, runtime\n@actor\nclass A:\n  def public(self): pass\n", Form{}},
		{"from cowboy_sdk import actor, public\n", Form{Permissions: true}},
		{"from cowboy_sdk import (\n    actor,  # public\n    deferred,\n)\n", Form{Modes: true}},
		{"from cowboy_sdk import callable_by as cb, pure\n", Form{Permissions: true, Modes: true}},
		{"from cowboy_sdk import actor as public\n", Form{}},
		{"import cowboy_sdk\n@cowboy_sdk.public\ndef f(): pass\n", Form{Permissions: true}},
		{"import json, cowboy_sdk as c\n@c.actor\nclass A:\n  @c.deferred\n  def f(self): pass\n", Form{Modes: true}},
		{"import json as c\nc.deferred\n", Form{}},
		{"x.cowboy_sdk.public\n", Form{}},
		{"from cowboy_sdk import *\n@public\ndef f(): pass\n", Form{Permissions: true}},
		{"from cowboy_sdk import *\n'public'\n", Form{}},
		{"from json import public, pure\n", Form{}},
		{"\"\"\"from cowboy_sdk import public\"\"\"\nx = 'from cowboy_sdk import pure'\n", Form{}},
		{"from cowboy_sdk import actor; OWNER = 1\n", Form{}},
		{"from cowboy_sdk import actor \\\n   , OWNER\n", Form{Permissions: true}},
		{"from cowboy_sdk.permissions import SELF\n", Form{Permissions: true}},
		{"from cowboy_sdk import actor, routes\n", Form{Routes: true}},
		{"from cowboy_sdk.routes import get\n", Form{Routes: true}},
		{"import cowboy_sdk.routes as r\n", Form{Routes: true}},
		{"import cowboy_sdk as c\nc.mount('/', 'v')\n", Form{Routes: true}},
		{"from cowboy_sdk import http\nroutes = mount = 1\n", Form{}},
		{"s = '''\nfrom cowboy_sdk import public", Form{}},
		{"s = 'open", Form{}},
		{"from cowboy_sdk import publicA, pureZ, deferreda, OWNERz, SELF0, public9, pure_, deferred\u00e9\n", Form{}},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := FormOf([]byte(c.source)); got != c.want {
				t.Errorf("%q: %+v, want %+v", c.source, got, c.want)
			}
		})
	}
}

func FuzzFormOf(f *testing.F) {
	f.Add([]byte("from cowboy_sdk import (public"))
	f.Add([]byte("import cowboy_sdk as"))
	f.Add([]byte("from cowboy_sdk."))
	f.Fuzz(func(t *testing.T, source []byte) { FormOf(source) })
}
