package tx

import (
	"bytes"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// A recovery id as wallets write it is accepted at the edges, of the sender and of every other signer, and nowhere else.
//
// Spec: commonware §0 (its vector with v = 28); WP §2.2 (c).
func TestFromEdge(t *testing.T) {
	plain := appendixA()
	plain.Signature = testKey(t, 0x11).Sign(plain.SigningHash())
	want := plain.Encode()
	edge := *plain
	edge.Signature[64] += 27
	raw := edge.Encode()
	if got := digest.Keccak256(raw).Hex(); got != "81201debde1ba9de308156dec6503eb43e39af11e3dafdcb85bce2f720cda987" {
		t.Fatalf("hash of the published bytes %s", got)
	}
	if _, err := Verify(mustDecode(t, raw), 42, sig.Default()); err == nil {
		t.Error("v = 28 on the wire is valid")
	}
	if got := FromEdge(raw).Raw; !bytes.Equal(got, want) {
		t.Errorf("v = 28\n%x, want\n%x", got, want)
	}
	if got := FromEdge(want).Raw; !bytes.Equal(got, want) {
		t.Error("the wire form changed")
	}
	for _, v := range []byte{2, 26, 29, 255} {
		bad := edge
		bad.Signature[64] = v
		if raw := bad.Encode(); !bytes.Equal(FromEdge(raw).Raw, raw) {
			t.Errorf("v = %d was made something else", v)
		}
	}
	signer := testKey(t, 0x33)
	many := appendixA()
	many.AdditionalSigners = []Signer{{Address: signer.Address()}}
	many.Signature = testKey(t, 0x11).Sign(many.SigningHash())
	many.AdditionalSigners[0].Signature = signer.Sign(many.SigningHash())
	want = many.Encode()
	many.AdditionalSigners[0].Signature[64] += 27
	got := FromEdge(many.Encode())
	if !bytes.Equal(got.Raw, want) {
		t.Error("an additional signer's")
	}
	if got.Tx == nil || !bytes.Equal(got.Tx.Encode(), want) {
		t.Error("what was read is not what the bytes say")
	}
	if got := FromEdge([]byte("no transaction")); string(got.Raw) != "no transaction" || got.Tx != nil {
		t.Errorf("other bytes became %x", got.Raw)
	}
}
