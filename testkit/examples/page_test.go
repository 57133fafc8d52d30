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
	sign := func(path string) *block.Receipt {
		return c.Dispatch(page, "http.request", envelope("POST", path, "", cbor.Map{}))
	}
	if got := browse(t, c, page, "/", cbor.Map{}); !strings.Contains(got, "<p>0 visitors") {
		t.Error(got)
	}
	if x := sign("/visitors"); x.Status != block.Success || answer(t, x.ReturnData) != `201 {"visitor":1}` {
		t.Error(testkit.Describe(x))
	}
	if got := browse(t, c, page, "/", cbor.Map{}); !strings.Contains(got, "<p>1 visitors") {
		t.Error(got)
	}
	if x := sign("/broken"); x.Status != block.Faulted {
		t.Error(testkit.Describe(x))
	}
}
