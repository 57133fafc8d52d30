package sdk_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/testkit"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// checker checks a published signature (RFC 8032 §7.1, test 2), and many that are none.
const checker = `
from cowboy_sdk import actor, call, runtime

KEY = bytes.fromhex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
SIGNATURE = bytes.fromhex("92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                          "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00")

@actor
class Checker:
    def check(self, payload):
        return repr([runtime.verify_signature("ed25519", KEY, payload, SIGNATURE),
                     runtime.verify_signature(scheme="ed25519", public_key=KEY, message=bytearray(payload), signature=SIGNATURE[:63])]).encode()
    def spoil(self, payload):
        pairings, others = payload.split()
        for _ in range(int(pairings)):
            runtime.verify_signature("bls", b"", b"", b"")
        for _ in range(int(others)):
            runtime.verify_signature("secp256k1", b"", b"", b"")
        raise ValueError("all the same")
    def nested(self, payload):
        try:
            call(runtime.get_actor_address(), "spoil", [b"2 0"], cycles_limit=100_000)
        except Exception:
            pass
        return self.check(payload)
`

// permit takes the word of a wallet, as its page would send it.
const permit = `
import json
from cowboy_sdk import actor, public, runtime

@actor
class Permit:
    @public
    def check(self, payload):
        asked = json.loads(payload)
        signature = bytes.fromhex(asked["signature"][2:])
        return repr([runtime.verify_typed_data(asked["typed"], signature, asked["signer"]),
                     runtime.verify_typed_data(asked["typed"], signature, bytes(20)),
                     runtime.verify_typed_data(typed_data=asked["typed"], signature=b"", address=asked["signer"])]).encode()
    @public
    def more(self, payload):
        asked = json.loads(payload)
        asked["typed"]["message"]["unsigned"] = 1
        try:
            return runtime.verify_typed_data(asked["typed"], bytes(65), asked["signer"])
        except Exception as e:
            return str(e).encode()
`

// Actors verify what wallets sign as typed data: the addresses that ethers signed for, and no other.
//
// Spec: WP §16.1 (EIP-712 signed data against an Ethereum address; one key for accounts of both).
func TestVerifyTypedDataInABlock(t *testing.T) {
	var list []json.RawMessage
	if golden.Recorded(t, "../../chain/eip712/testdata/vectors.json", &list); len(list) != 80 {
		t.Fatal(len(list))
	}
	c := testkit.NewChain(t)
	alice := c.Account("alice")
	a := alice.Deploy(permit, nil)
	for i, one := range list[:20] {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := alice.Call(a, "check", string(one)); got != "[True, False, False]" {
				t.Errorf("%s", got)
			}
			if got := alice.Call(a, "more", string(one)); !strings.Contains(got, "is an object of") {
				t.Errorf("%s", got)
			}
		})
	}
}

// Actors check signatures, and the block's bound holds over its transactions, with their faults and with calls that were undone; the next block begins
// anew.
//
// Spec: WP §17.3 (verify_signature).
func TestVerifySignatureInABlock(t *testing.T) {
	c := testkit.NewChain(t)
	alice := c.Account("alice")
	a := alice.Deploy(checker, nil)
	if got := alice.Call(a, "check", "r") + alice.Call(a, "nested", "r"); got != "[True, False][True, False]" {
		t.Error(got)
	}
	// 202 pairings and 16 others in a transaction that fails, two pairings in a call that is undone and two checks of Ed25519 are all of a block's
	// weight: 204 · 25 + 16 + 2 · 2 = 5,120.
	send := func(handler, payload string) [32]byte {
		return alice.Send(&tx.Execute{To: a, Handler: []byte(handler), Payload: []byte(payload)}, 3_000_000, testkit.ExecuteCells)
	}
	for i, x := range []struct {
		first string
		fault uint16
	}{{"202 16", 0}, {"202 17", 1208}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			one, two := send("spoil", x.first), send("nested", "r")
			c.Mine()
			if r := c.Receipt(one); r.Fault.Code != 1210 {
				t.Errorf("%s: %s", x.first, testkit.Describe(r))
			}
			if r := c.Receipt(two); r.Fault.Code != x.fault || (x.fault == 0) != (r.Status == block.Success) {
				t.Errorf("after %s: %s, want %d", x.first, testkit.Describe(r), x.fault)
			}
		})
	}
	if got := alice.Call(a, "check", "r"); got != "[True, False]" {
		t.Error(got)
	}
}
