package stream_test

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	chainstream "github.com/cowboyinc/cowboy-go/chain/stream"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system/stream"
	"github.com/cowboyinc/cowboy-go/testkit"
)

const publisher = `from pvm_host import *

MANAGER = b"\x00" * 19 + b"\x0d"

def init(p):
    pass

def ask(p):
    what = cbor_decode(p)
    return repr(call(MANAGER, what[0], what[1])).encode()
`

func encoded(t *testing.T, list ...any) string {
	t.Helper()
	data, err := cbor.Append(nil, list)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// An actor configures a stream and registers content keys, an account buys access and gives it to an actor: every call, what it answers, every code, and the
// coins. The chain of the kit checks the supply at each block.
//
// Spec: gateway-payments-streams §E.2.
func TestAStreamOnAChain(t *testing.T) {
	c := testkit.NewChain(t)
	ann, ben, till := c.Account("ann"), c.Account("ben"), c.Account("till")
	actor := ben.Deploy(publisher, []byte{})
	home := account.System(account.StreamKeys)
	addr := func(a account.Address) []byte { return a[:] }
	id := chainstream.ID(actor, []byte("news"))
	other := digest.Hash{9}
	ask := func(who *testkit.Account, handler string, list ...any) *block.Receipt {
		return who.Try(actor, "ask", encoded(t, handler, list))
	}
	r := ask(ben, "configure_stream", []byte("news"), 7, 333, addr(till.Address()), 1_000_000, 3)
	if r.Status != block.Success {
		t.Fatalf("%+v", r.Fault)
	}
	for _, step := range []struct {
		name, handler string
		list          []any
		code          uint16
		topic         string
	}{
		{"a key", "register_account_key", []any{append(make([]byte, 31), 1)}, 0, chainstream.TopicKey},
		{"no key", "register_account_key", []any{make([]byte, 32)}, stream.FaultKey, ""},
		{"two arguments", "register_account_key", []any{make([]byte, 32), 1}, drain.FaultInput, ""},
		{"for another's coins", "acquire_epoch_access", []any{id[:], addr(ann.Address()), addr(ben.Address()), 2}, stream.FaultOwner, ""},
		{"too few", "acquire_epoch_access", []any{id[:], addr(ann.Address()), addr(ann.Address()), 1}, stream.FaultMinimum, ""},
		{"of nothing", "acquire_epoch_access", []any{other[:], addr(ann.Address()), addr(ann.Address()), 2}, stream.FaultManaged, ""},
		{"beyond all", "acquire_epoch_access", []any{id[:], addr(ann.Address()), addr(ann.Address()), uint64(1 << 63)}, stream.FaultTarget, ""},
		{"too dear", "acquire_epoch_access", []any{id[:], addr(ann.Address()), addr(ann.Address()), uint64(1 << 58)}, stream.FaultFunds, ""},
		{"a short address", "acquire_epoch_access", []any{id[:], []byte{1}, addr(ann.Address()), 2}, drain.FaultInput, ""},
		{"a negative one", "acquire_epoch_access", []any{id[:], addr(ann.Address()), addr(ann.Address()), -1}, drain.FaultInput, ""},
		{"bought", "acquire_epoch_access", []any{id[:], addr(ann.Address()), addr(ann.Address()), 15}, 0, chainstream.TopicPurchased},
		{"and again", "acquire_epoch_access", []any{id[:], addr(ann.Address()), addr(ann.Address()), 15}, 0, chainstream.TopicIdempotent},
		{"authorized", "authorize_actor", []any{addr(actor), id[:]}, 0, chainstream.TopicGranted},
		{"no more", "revoke_actor", []any{addr(actor), id[:]}, 0, chainstream.TopicRevoked},
		{"not the publisher", "register_content_keys", []any{id[:], []any{[]any{1, []byte("k")}}}, stream.FaultOwner, ""},
		{"not pairs", "register_content_keys", []any{id[:], []any{1}}, drain.FaultInput, ""},
		{"without a committee", "request_seal", []any{id[:], 0, 15}, stream.FaultCommittee, ""},
		{"before all", "request_seal", []any{id[:], 1, 0}, stream.FaultBatch, ""},
		{"not bought", "request_seal", []any{id[:], 0, 16}, stream.FaultEntitled, ""},
		{"still open", "request_seal_again", []any{0}, stream.FaultRequest, ""},
		{"the key goes", "revoke_account_key", []any{1}, 0, chainstream.TopicKeyRevoked},
		{"it is gone", "revoke_account_key", []any{1}, stream.FaultRevoked, ""},
		{"read from outside", "get_access", []any{id[:], addr(ann.Address())}, drain.FaultUnavailable, ""},
	} {
		t.Run(step.name, func(t *testing.T) {
			before := len(c.Events(home, step.topic))
			r := ann.Try(home, step.handler, encoded(t, step.list...))
			if r.Fault.Code != step.code || step.topic != "" && len(c.Events(home, step.topic)) != before+1 {
				t.Errorf("%v %+v %d events, want %d", r.Status, r.Fault, len(r.Events), step.code)
			}
		})
	}
	if got := c.Balance(till.Address()); got != testkit.StartBalance+112 { // 16 epochs, 0 to 15
		t.Errorf("the publisher has %d more", got-testkit.StartBalance)
	}
	for _, step := range []struct {
		handler string
		list    []any
		want    string
	}{
		{"register_content_keys", []any{id[:], []any{[]any{1, []byte("one")}, []any{2, []byte("two")}}}, "True"},
		{"get_content_key", []any{id[:], 2}, "b'two'"},
		{"get_content_key", []any{id[:], 3}, "None"},
		{"get_access", []any{id[:], addr(ann.Address())}, "15"},
		{"get_access", []any{id[:], addr(ben.Address())}, "None"},
		{"is_authorized", []any{addr(ann.Address()), addr(actor), id[:]}, "False"},
		{"is_authorized", []any{addr(ben.Address()), addr(actor), id[:]}, "True"}, // who deployed it
		{"get_seal_request", []any{5}, "None"},
	} {
		t.Run(fmt.Sprint(step.handler, " ", step.want), func(t *testing.T) {
			if r := ask(ben, step.handler, step.list...); string(r.ReturnData) != step.want {
				t.Errorf("%q %+v, want %q", r.ReturnData, r.Fault, step.want)
			}
		})
	}
	if q, status, err := chainstream.LoadRequest(c.State(), 0, c.Height()); err != nil || status != chainstream.Void || q.To != 15 {
		t.Errorf("%+v %v %v", q, status, err)
	}
	ben.Fund(actor, unit.CBY)
	before := c.Balance(actor)
	if r := ask(ben, "acquire_epoch_access", id[:], addr(ben.Address()), addr(actor), 3); r.Status != block.Success || before-c.Balance(actor) != 28 {
		t.Errorf("an actor that pays: %+v, %d", r.Fault, before-c.Balance(actor))
	}
}
