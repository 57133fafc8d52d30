package examples

import (
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// TestPage is read by a query, signed through the gateway, and fails as its author says. Spec: sdk §19.2, §19.3.
func TestPage(t *testing.T) {
	c := testkit.NewChain(t)
	page := c.Account("alice").Deploy(source(t, "page.py"), []byte{})
	post := func(handler, path string) *block.Receipt {
		return c.Dispatch(page, handler, envelope("POST", path, "", cbor.Map{}))
	}
	if got := browse(t, c, page, "/", cbor.Map{}); !strings.Contains(got, "<p>0 visitors") {
		t.Error(got)
	}
	if x := post("http.request", "/visitors"); x.Status != block.Success || answer(t, x.ReturnData) != `201 {"visitor":1}` {
		t.Error(testkit.Describe(x))
	}
	if got := browse(t, c, page, "/", cbor.Map{}); !strings.Contains(got, "<p>1 visitors") {
		t.Error(got)
	}
	if x := post("sign", "/visitors"); x.Status != block.Success || answer(t, x.ReturnData) != `201 {"visitor":2}` {
		t.Error(testkit.Describe(x))
	}
	if x := post("broken", "/broken"); x.Status != block.Faulted {
		t.Error(testkit.Describe(x))
	}
	for handler, path := range map[string]string{"page": "/", "greedy": "/greedy"} {
		t.Run(handler, func(t *testing.T) {
			data, err := cbor.Append(nil, envelope("GET", path, "", cbor.Map{}))
			if err != nil {
				t.Fatal(err)
			}
			if out := c.Query(page, handler, data, nil); (out.Fault != nil) != (handler == "greedy") {
				t.Errorf("%+v", out)
			}
		})
	}
}
