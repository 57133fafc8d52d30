package host_test

import (
	"fmt"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/host"
)

// heavy is a source whose weight is a third of what one turn may load: assignments of four tokens each under a condition that never holds, so that its top
// level costs next to nothing. Each number gives another program.
func heavy(number int) []byte {
	const lines = params.FreshPerTurn / 3 / 4
	return []byte(fmt.Sprintf("x = %d\nif x < 0:\n", number) + strings.Repeat(" x=1\n", lines) + "def ping() -> int:\n    return x\n")
}

// A turn may call actors whose programs nobody loaded in the block until they weigh FreshPerTurn; then further calls are refused, while those that were
// loaded, by itself or by a turn before it, are called as ever. Every builder and verifier, whatever it has compiled, agrees (mine).
//
// Spec: CIP-3 §2.2.1.
func TestTurnLoadsBoundedPrograms(t *testing.T) {
	w := newWorld(t)
	deploy := func(source []byte, salt byte) account.Address {
		canonical, err := pvm.CanonicalSource(source)
		if err != nil {
			t.Fatal(err)
		}
		x := w.mine(w.sign(person(9), &tx.Deploy{Code: canonical, Salt: []byte{salt}}))[0]
		if x.Status != block.Success {
			t.Fatalf("deploying: %d %s", x.Fault.Code, x.Fault.Text)
		}
		return *x.Created
	}
	var list []string
	for i := range 5 {
		program, err := host.Compile(heavy(i))
		if err != nil {
			t.Fatal(err)
		}
		if weight := program.Weight(); weight < params.FreshPerTurn/3 || weight > params.FreshPerTurn/3+100 {
			t.Fatalf("a program weighs %d", weight)
		}
		a := deploy(heavy(i), byte(i+1))
		list = append(list, fmt.Sprintf("bytes.fromhex(%q)", strings.TrimPrefix(strings.ToLower(a.String()), "0x")))
	}
	caller := deploy([]byte(`
from pvm_host import call
targets = [`+strings.Join(list, ", ")+`]
def visit(first: int, last: int):
    said = ""
    for i in range(first, last):
        try:
            said += str(call(targets[i], "ping", [], cycles_limit=300000))
        except Exception as e:
            said += "!" if "as many programs as one may" in str(e) else "?"
    return said
def all():
    return visit(0, 5) + visit(0, 5)
def few():
    return visit(3, 5)
`), 9)
	execute := func(handler string) tx.Verified {
		return w.sign(person(9), &tx.Execute{To: caller, Handler: []byte(handler)})
	}
	// The caller weighs a little itself, so the third program passes the bound and the fourth is one too many. Those that were loaded are called again.
	said := func(x *block.Receipt) string {
		t.Helper()
		if x.Status != block.Success {
			t.Fatalf("%d %s", x.Fault.Code, x.Fault.Text)
		}
		return string(x.ReturnData)
	}
	if got := said(w.mine(execute("all"))[0]); !strings.Contains(got, "012!!012!!") {
		t.Errorf("one turn: %q", got)
	}
	both := w.mine(execute("few"), execute("all"))
	if first, second := said(both[0]), said(both[1]); !strings.Contains(first, "34") || !strings.Contains(second, "0123401234") {
		t.Errorf("the turn before loads two of five: %q, %q", first, second)
	}
}
