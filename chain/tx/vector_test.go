package tx

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func testKey(t testing.TB, b byte) *sig.PrivateKey {
	t.Helper()
	k, err := sig.ParsePrivateKey(bytes.Repeat([]byte{b}, 32))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// appendixA is the shared transaction of both vectors.
func appendixA() *Tx {
	return &Tx{
		ChainID: 42,
		Instruction: &Transfer{
			To: account.Address(bytes.Repeat([]byte{0x22}, 20)), Amount: 1,
		},
		CyclesLimit: 50_000, CellsLimit: 50_000, MaxFeePerCycle: 1, MaxFeePerCell: 1,
		From: account.Address{0x19, 0xe7, 0xe3, 0x76, 0xe7, 0xc2, 0x13, 0xb7, 0xe7, 0xe7, 0xe4, 0x6c, 0xc7, 0x0a, 0x5d, 0xd0, 0x86, 0xda, 0xff, 0x2a},
	}
}

const (
	vectorHead = "2a00000122222222222222222222222222222222222222220000000000000001d08603d086030101000019e7e376e7c213b7e7e7e46cc70a5dd086daff2a0000000000"
	vectorSig  = "f0dc586dcb01db4f7507163068728c49d112610bfbcf3516ed32bd0fa05a45553f8e8a695b94f6d9aa7d34657002746f30ce22cadc141bceea3129610de3035b01"
	vectorHash = "203b9aa5435ad7de1164fa534c9d72de46e734a9d99703790756380c67b8304a"
)

// Spec: WP Appendix A (vector 1); commonware §0.
func TestAppendixAVector1(t *testing.T) {
	want := vectorHead + strings.Repeat("00", 65) + "00"
	tr := appendixA()
	if got := hex.EncodeToString(tr.Encode()); got != want {
		t.Errorf("encoding\n%s, want\n%s", got, want)
	}
	if got := tr.SigningHash().Hex(); got != vectorHash {
		t.Errorf("signing hash %s", got)
	}
	back, err := Decode(unhex(t, want))
	if err != nil || !bytes.Equal(back.Encode(), unhex(t, want)) {
		t.Errorf("decoding: %v", err)
	}
}

// Spec: WP Appendix A (vector 2); commonware §0.
func TestAppendixAVector2(t *testing.T) {
	tr := appendixA()
	tr.Signature = testKey(t, 0x11).Sign(tr.SigningHash())
	raw := tr.Encode()
	if got := hex.EncodeToString(raw); got != vectorHead+vectorSig+"00" {
		t.Errorf("signed\n%s", got)
	}
	if got := digest.Keccak256(raw).Hex(); got != "07b8d77d055085d65109a3c47da3c6bf7cb6e0603181453341aecffed030a5f0" {
		t.Errorf("hash of the signed bytes %s", got)
	}
	if got := tr.SigningHash().Hex(); got != vectorHash {
		t.Errorf("the signature changes the identity: %s", got)
	}
	v, err := Verify(mustDecode(t, raw), 42, sig.Default())
	if err != nil || v.Hash().Hex() != vectorHash || v.Size() != 133 {
		t.Errorf("verified %v, %d bytes, %v", v.Hash(), v.Size(), err)
	}
}

func mustDecode(t testing.TB, raw []byte) *Tx {
	t.Helper()
	tr, err := Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}
