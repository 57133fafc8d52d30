package payment

import (
	"encoding/hex"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

func raw(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The signature of x402's own example, made by somebody else's client for USDC on Base Sepolia, is its payer's over what is computed here.
//
// Source: x402, specs/transports-v2/http.md.
//
// Spec: gateway-payments-streams §F (x402, exact).
func TestTheExampleOfX402IsSigned(t *testing.T) {
	a := Authorization{
		From: account.Address(raw(t, "857b06519e91e3a54538791bdbb0e22373e36b66")), To: account.Address(raw(t, "209693bc6afc0c5328ba36faf03c514ef312287c")),
		Value: unit.Wide(10_000), ValidAfter: 1_740_672_089, ValidBefore: 1_740_672_154,
		Nonce: digest.Hash(raw(t, "f3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480")),
	}
	copy(a.Signature[:], raw(t, "2d6a7588d6acca505cbf0d9a4a227e0c52c6c34008c8e8986a1283259764173608"+
		"a2ce6496642e377d6da8dbbf5836e9bd15092f9ecab05ded3d6293af148b571c"))
	a.Signature[64] -= 27
	usdc := account.Address(raw(t, "036cbd53842c5426634e7929541ec2318f3dcf7e"))
	if by, err := sig.Default().Recover(a.typed("USDC", "2", 84_532, usdc), a.Signature); err != nil || by != a.From {
		t.Errorf("%v %v", by, err)
	}
}
