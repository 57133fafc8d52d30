package host_test

import (
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// None that is called with is what a handler of one parameter gets, and nothing for one of none.
//
// Spec: sdk §3.3 (delivery rule).
func TestCalledWithNone(t *testing.T) {
	w := newWorld(t)
	callee := w.deployText("def one(msg):\n    return repr(msg)\n\ndef nothing():\n    return 'nothing'\n")
	a := w.deployText("from cowboy_sdk import call\n\ndef run(payload):\n    return call(payload[:20], payload[20:].decode(), None)\n")
	for handler, want := range map[string]string{"one": "None", "nothing": "nothing"} {
		t.Run(handler, func(t *testing.T) {
			x := w.call(1, a, "run", append(callee[:], handler...))
			if x.Status != block.Success || !strings.HasSuffix(string(x.ReturnData), want) {
				t.Errorf("%s: %d %q, %s", handler, x.Fault.Code, x.Fault.Text, x.ReturnData)
			}
		})
	}
}

// A message to a resume step that answers no call, with whatever identifier, is refused like any other caller's.
//
// Spec: sdk §5.4, §10.7.
func TestResumeIsNobodysButAnswers(t *testing.T) {
	w := newWorld(t)
	a := w.deploy("access", "init")
	b := w.deployText("from cowboy_sdk import send\n\ndef run(payload):\n    for cid in (None, 1, 'x', 'x:y', b'x'):\n" +
		"        send(payload, {'handler': 'step__resume', 'cid': cid})\n    send(payload, {'handler': 'step__resume'})\n")
	w.ok(1, b, "run", a[:])
	receipts := w.mine()
	if len(receipts) != 6 {
		t.Fatalf("%d receipts", len(receipts))
	}
	for i, x := range receipts {
		if x.Kind != block.Message || x.Status != block.Faulted || x.Fault.Code != drain.FaultPermission {
			t.Errorf("%d: %v %v %d %s", i, x.Kind, x.Status, x.Fault.Code, x.Fault.Text)
		}
	}
}
