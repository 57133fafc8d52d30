package tx

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/bank"
)

// The limits of the bank's fields, one below each, at it, and one above.
//
// Spec: gateway-payments-streams §G.1 (names 1 to 32, receivers ≤ 64, kinds ≤ 16, references ≤ 64), §G.2 (reasons ≤ 256).
func TestLimitsOfCards(t *testing.T) {
	receivers := func(n int) bank.Policy {
		p := bank.Policy{}
		for i := range n {
			p.AllowedReceivers = append(p.AllowedReceivers, bank.Receiver{Address: account.Address{byte(i + 1)}})
		}
		return p
	}
	kinds := func(n int) bank.Policy {
		p := bank.Policy{}
		for i := range n {
			p.AllowedSyscallKinds = append(p.AllowedSyscallKinds, bank.Kind{Family: bank.Custom, Opcode: uint16(i + 1)})
		}
		return p
	}
	text := func(n int) []byte { return []byte(strings.Repeat("x", n)) }
	for name, x := range map[string]struct {
		most int
		make func(n int) Instruction
	}{
		"name":      {32, func(n int) Instruction { return &RegisterBank{Name: text(n)} }},
		"receivers": {64, func(n int) Instruction { return &SetPolicy{Policy: receivers(n)} }},
		"kinds":     {16, func(n int) Instruction { return &IssueCard{BankID: 1, Policy: kinds(n)} }},
		"reason":    {256, func(n int) Instruction { return &Freeze{Reason: text(n)} }},
		"reference": {64, func(n int) Instruction { return &MintFromFiatVoucher{BankID: 1, FiatReference: text(n)} }},
	} {
		for _, n := range [...]int{x.most - 1, x.most, x.most + 1} {
			t.Run(fmt.Sprint(name, " ", n), func(t *testing.T) {
				in, err := DecodeInstruction(EncodeInstruction(x.make(n)))
				if err == nil {
					err = checkInstruction(in)
				}
				if (err == nil) != (n <= x.most) {
					t.Errorf("%v", err)
				}
			})
		}
	}
	for n, good := range map[int]bool{0: false, 1: true} {
		t.Run(fmt.Sprint("a name of ", n), func(t *testing.T) {
			if err := checkInstruction(&RegisterBank{Name: text(n)}); (err == nil) != good {
				t.Error(err)
			}
		})
	}
}
