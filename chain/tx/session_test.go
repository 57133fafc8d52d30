package tx

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// sessionSamples has one instruction of every built opcode of sessions.
func sessionSamples() []Instruction {
	return []Instruction{
		&SessionOpen{
			Runner: account.Address{1}, MaxAmount: unit.Uint128{Hi: 1, Lo: 2}, Deposit: 500, ExpiresAt: 3_600, PriceAdvertDigest: digest.Hash{3},
		},
		&SessionDeposit{SessionID: digest.Hash{4}, Amount: 1<<64 - 1},
		&SessionSettle{
			SessionID: digest.Hash{4}, CumulativeAmount: unit.Wide(300), Nonce: 5, ExpiresAt: 1<<64 - 1, UsageDigest: digest.Hash{6},
			Signature: sig.Signature{7},
		},
		&SessionClose{SessionID: digest.Hash{4}},
		&SessionFinalize{SessionID: digest.Hash{4}},
	}
}

// Each costs 10,000 cycles beside the base, a settlement a check of a signature more, and an opening the cells of its record.
//
// Spec: gateway-payments-streams §D (costs); WP §17.2, §17.3, §17.4.
func TestCostsOfSessions(t *testing.T) {
	want := []Cost{{31_000, 256}, {31_000, 0}, {41_000, 0}, {31_000, 0}, {31_000, 0}}
	for i, in := range sessionSamples() {
		row, _ := RowOf(in.Opcode())
		t.Run(row.Name, func(t *testing.T) {
			if got := CostOf(in); got != want[i] {
				t.Errorf("%+v, want %+v", got, want[i])
			}
		})
	}
}

// Spec: gateway-payments-streams §D (57: deferred, rejected).
func TestSlashingASessionIsRefused(t *testing.T) {
	if row, ok := RowOf(Opcode(System)<<8 | 57); !ok || row.Built() {
		t.Errorf("%+v %v", row, ok)
	}
}
