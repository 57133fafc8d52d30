package system_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system"
	"github.com/cowboyinc/cowboy-go/runtime/system/develop"
	"github.com/cowboyinc/cowboy-go/runtime/system/dispatcher"
)

// submission turns a development call into the delivery of an actor's job, of a type and a cid, to 0x02.
func submission(t *testing.T, x *drain.Turn, kind, cid string) *drain.Turn {
	t.Helper()
	data, err := cbor.Append(nil, cbor.Map{{Key: "job_type", Value: kind}, {Key: "cid", Value: cid}})
	if err != nil {
		t.Fatal(err)
	}
	y := *x
	y.Kind, y.Target, y.Sender = block.Message, account.System(account.JobDispatcher), account.Address{0xac}
	y.Payload = drain.Payload{Data: data, Structured: true}
	return &y
}

// TestRunners: an administrator of a network with one validator scripts its runners and answers the jobs that wait; a mistake is a fault, and everybody
// else, and every other network, is told that the chapter is not built.
//
// Spec: governance-staking B10; sdk §9.6; WP §9.
func TestRunners(t *testing.T) {
	yes := dispatcher.Reply{Ending: dispatcher.OK, Results: [][]byte{{0x01}}, Copies: 1}
	script := (&dispatcher.Script{Scope: dispatcher.Scope{Type: "llm"}, Reply: yes}).Append(nil)
	scope := (&dispatcher.Scope{}).Append(nil)
	byHand := (&dispatcher.ByHand{Job: "cid", Reply: yes}).Append(nil)
	for _, c := range []struct {
		name       string
		validators int
		handler    string
		payload    []byte
		edit       func(*drain.Turn)
		fault      uint16
		returns    string
	}{
		{"set", 1, develop.HandlerSetRunner, script, nil, 0, "0000000000000000"},
		{"clear", 1, develop.HandlerClearRunner, scope, nil, 0, "0000000000000000"},
		{"no such job", 1, develop.HandlerAnswerJob, byHand, nil, drain.FaultMissing, ""},
		{"two validators", 2, develop.HandlerSetRunner, script, nil, drain.FaultUnavailable, ""},
		{"a stranger", 1, develop.HandlerSetRunner, script, func(x *drain.Turn) { x.Sender = account.Address{0xb0} }, drain.FaultUnavailable, ""},
		{"half a script", 1, develop.HandlerSetRunner, script[:3], nil, drain.FaultInput, ""},
		{"a script that ends in no way", 1, develop.HandlerSetRunner, (&dispatcher.Script{Reply: dispatcher.Reply{Ending: dispatcher.OK}}).Append(nil), nil,
			drain.FaultInput, ""},
		{"bytes behind a scope", 1, develop.HandlerClearRunner, append(scope, 0), nil, drain.FaultInput, ""},
		{"half an answer", 1, develop.HandlerAnswerJob, byHand[:4], nil, drain.FaultInput, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := development(t, c.validators, c.handler, c.payload)
			if c.edit != nil {
				c.edit(x)
			}
			out, err := system.Run(x, nil)
			if err != nil || (c.fault == 0) != (out.Fault == nil) || out.Fault != nil && out.Fault.Code != c.fault ||
				fmt.Sprintf("%x", out.Return) != c.returns {
				t.Errorf("%s: %+v %v, want %d", c.name, out, err, c.fault)
			}
		})
	}

	x := development(t, 1, develop.HandlerAnswerJob, byHand)
	x.Block.Limits.Capacity = params.MailboxBytes
	out, err := system.Run(submission(t, x, "llm", "cid"), nil)
	if err != nil || out.Fault != nil || len(out.Events) != 1 || string(out.Events[0].Data) != "cid" {
		t.Errorf("a job waits: %+v %v", out, err)
	}
	if out, err := system.Run(x, nil); err != nil || out.Fault != nil {
		t.Errorf("it is answered: %+v %v", out, err)
	}
	if lates, err := dispatcher.Lates(x.Overlay); err != nil || len(lates) != 1 || lates[0].Due != x.Block.Height {
		t.Errorf("%+v %v", lates, err)
	}
	y := submission(t, development(t, 2, "", nil), "llm", "cid")
	if out, err := system.Run(y, nil); err != nil || out.Fault == nil || out.Fault.Code != drain.FaultUnavailable || !strings.Contains(out.Fault.Text, "job") {
		t.Errorf("a job elsewhere: %+v %v", out, err)
	}
}
