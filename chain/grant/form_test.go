package grant_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

const hex20 = "0102030405060708090a0b0c0d0e0f1011121314"

const stake258 = "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x02"

var twenty = account.Address{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}

// Scopes and actions in text and in bytes, the bytes made by hand: the kind's number in the document's order, and its operand.
//
// Spec: CIP-2 §7.1; entitlement-extras §5.
func TestForms(t *testing.T) {
	for _, c := range []struct {
		text  string
		scope grant.Scope
		raw   string
	}{
		{"global", grant.Scope{}, "\x00"},
		{"actor:0x" + hex20, grant.ActorScope(twenty), "\x01" + string(twenty[:])},
		{"token:0x" + strings.Repeat("ab", 32), grant.Scope{Kind: grant.OfToken, Value: strings.Repeat("\xab", 32)}, "\x02" + strings.Repeat("\xab", 32)},
		{"runner:0x" + hex20, runnerScope(twenty), "\x03" + string(twenty[:])},
		{"pool:eu:tee", grant.PoolScope("eu:tee"), "\x04\x06eu:tee"},
		{"pool:0x3078", grant.PoolScope("0x"), "\x04\x020x"},
		{"pool:0x" + hex20 + "2078", grant.PoolScope(grant.OwnedName(twenty, " x")), "\x04\x16" + string(twenty[:]) + " x"},
		{"namespace:app", grant.Scope{Kind: grant.OfNamespace, Value: "app"}, "\x05\x03app"},
	} {
		t.Run(c.text, func(t *testing.T) {
			if got, err := grant.ParseScope(c.text); got != c.scope || err != nil || c.scope.String() != c.text {
				t.Errorf("%s: %v, %v", c.text, got, err)
			}
			r := codec.NewReader([]byte(c.raw))
			if got := grant.ReadScope(r); string(c.scope.Append(nil)) != c.raw || got != c.scope || r.Finish() != nil {
				t.Errorf("%s: encoded %x", c.text, c.scope.Append(nil))
			}
		})
	}
	for _, c := range []struct {
		text   string
		action grant.Action
		raw    string
	}{
		{"all", grant.Action{}, "\x00"},
		{"token-transfer-ownership", grant.Action{Kind: grant.TokenTransferOwnership}, "\x06"},
		{"actor-deploy", grant.Action{Kind: grant.ActorDeploy}, "\x07"},
		{"actor-execute-handler:run", run, "\x09\x03run"},
		{"runner-register", grant.Action{Kind: grant.RunnerRegister}, "\x0a\x00"},
		{"runner-register:258", grant.Action{Kind: grant.RunnerRegister, Value: stake258}, "\x0a\x01" + stake258},
		{"runner-join-pool:eu", grant.JoinPool("eu"), "\x0d\x02eu"},
		{"system-upgrade", grant.Action{Kind: grant.SystemUpgrade}, "\x10"},
		{"custom:ingress.http", grant.Action{Kind: grant.Custom, Value: "ingress.http"}, "\x11\x0cingress.http"},
		{"use-owner-balance", grant.Action{Kind: grant.UseOwnerBalance}, "\x12"},
	} {
		t.Run(c.text, func(t *testing.T) {
			if got, err := grant.ParseAction(c.text); got != c.action || err != nil || c.action.String() != c.text {
				t.Errorf("%s: %v, %v", c.text, got, err)
			}
			r := codec.NewReader([]byte(c.raw))
			if got := grant.ReadAction(r); string(c.action.Append(nil)) != c.raw || got != c.action || r.Finish() != nil {
				t.Errorf("%s: encoded %x", c.text, c.action.Append(nil))
			}
		})
	}
}

// Spec: CIP-2 §7.1; entitlement-extras §6.
func TestFormsThatAreRefused(t *testing.T) {
	long := strings.Repeat("n", grant.MaxNameBytes+1)
	for _, text := range []string{
		"", "Global", "global:", "global:x", "actor", "actor:", "actor:0x" + hex20[2:], "actor:0x" + hex20 + "15", "token:0x" + hex20, "pool", "pool:",
		"pool:" + long, "pool:0xzz", "pool:0x1", "namespace:", "everything",
	} {
		if s, err := grant.ParseScope(text); !errors.Is(err, grant.ErrScope) {
			t.Errorf("scope %q: %v", text, s)
		}
	}
	for _, text := range []string{
		"", "All", "all:", "token-mint:x", "actor-execute-handler", "actor-execute-handler:", "actor-execute-handler:" + strings.Repeat("h", 257),
		"runner-register:", "runner-register:-1", "runner-register:01", "runner-register:340282366920938463463374607431768211456", "custom:", "custom:" + long,
	} {
		if a, err := grant.ParseAction(text); !errors.Is(err, grant.ErrScope) {
			t.Errorf("action %q: %v", text, a)
		}
	}
	if _, err := grant.ParseAction("runner-register:340282366920938463463374607431768211455"); err != nil {
		t.Errorf("2^128-1: %v", err)
	}
	for _, raw := range []string{"", "\x06", "\x01" + string(twenty[:19]), "\x04\x00", "\x04\x41" + long, "\x05\x02x"} {
		r := codec.NewReader([]byte(raw))
		if s := grant.ReadScope(r); r.Err() == nil {
			t.Errorf("%x is read as scope %v", raw, s)
		}
	}
	for _, raw := range []string{"", "\x13", "\x09\x00", "\x0a", "\x0a\x02", "\x0a\x01\x00", "\x0d\x00", "\x11\x41" + long} {
		r := codec.NewReader([]byte(raw))
		if a := grant.ReadAction(r); r.Err() == nil {
			t.Errorf("%x is read as action %v", raw, a)
		}
	}
	g := registry(t)
	for _, s := range []grant.Scope{{Kind: 6}, {Value: "x"}, {Kind: grant.OfActor, Value: "short"}, {Kind: grant.OfPool}} {
		if _, err := g.Grant(governing, bob, s, run, revocable); !errors.Is(err, grant.ErrScope) {
			t.Errorf("granted in %v: %v", s, err)
		}
		if err := g.Use(bob, s, run, unit.Wide(0)); !errors.Is(err, grant.ErrScope) {
			t.Errorf("used in %v: %v", s, err)
		}
	}
	if _, err := grant.Check(g.State, bob, grant.Scope{}, grant.Action{Kind: 19}, 1); !errors.Is(err, grant.ErrScope) {
		t.Errorf("checked for no action: %v", err)
	}
}

// The bytes of terms, made by hand; a rate limit of nothing has one encoding only.
//
// Spec: CIP-2 §7.1; entitlement-extras §5.
func TestTerms(t *testing.T) {
	for raw, terms := range map[string]grant.Terms{
		"\x00\x00\x00\x00\x00\x00\x00\x01\x00": revocable,
		"\x01\x05\x01\x80\x01\x03\x01\x00\x01\x07\x01\x02\x0a\x01\x00\xff": {
			ValidFrom: n(5), ValidUntil: n(128), MaxUses: 3, MaxAmountPerUse: n(0), MaxTotalAmount: n(7), MaxCalls: 2, PerBlocks: 10, Delegatable: true,
			DelegationDepthMax: 255,
		},
	} {
		t.Run(fmt.Sprintf("%x", raw), func(t *testing.T) {
			r := codec.NewReader([]byte(raw))
			if got := grant.ReadTerms(r); !bytes.Equal(got.Append(nil), []byte(raw)) || !bytes.Equal(terms.Append(nil), []byte(raw)) || r.Finish() != nil {
				t.Errorf("%x: %+v", raw, got)
			}
		})
	}
	r := codec.NewReader([]byte("\x00\x00\x00\x00\x00\x01\x00\x00\x00\x01\x00"))
	if grant.ReadTerms(r); r.Err() == nil {
		t.Error("two encodings of no limit")
	}
}

// Identities are hashes of the parts one after the other, made by hand.
//
// Spec: CIP-2 §7.1; entitlement-extras §5.
func TestIdentities(t *testing.T) {
	g := registry(t)
	root := given1(t, g, ann, bob, grant.ActorScope(ann), run, deep(1))
	what := append(append([]byte{1}, ann[:]...), "\x09\x03run"...)
	if want := digest.Keccak256(bob[:], what); root != want {
		t.Errorf("%v, want %v", root, want)
	}
	child, err := g.Delegate(bob, root, who(4), deep(0))
	four := who(4)
	if want := digest.Keccak256(four[:], what, root[:]); child != want || err != nil {
		t.Errorf("%v, want %v; %v", child, want, err)
	}
	if got := string(g.Events[1].Data); got != string(child[:])+string(four[:])+string(bob[:])+string(root[:]) {
		t.Errorf("the event of a delegation: %x", got)
	}
	if got := string(g.Events[0].Data); got != string(root[:])+string(bob[:])+string(ann[:])+string(what) {
		t.Errorf("the event of a grant: %x", got)
	}
}
