package tx

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/bank"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// policySample has something in every field.
func policySample() bank.Policy {
	return bank.Policy{
		PerHourCap: &unit.Uint128{Lo: 5}, PerMonthCap: &unit.Uint128{Hi: 1},
		AllowedReceivers:    []bank.Receiver{{Address: account.Address{3}}, {Address: account.Address{4}}},
		AllowedSyscallKinds: []bank.Kind{{Family: bank.Send}, {Family: bank.Custom, Opcode: 91}}, LockedAfterTransfer: true,
	}
}

// bankSamples has one instruction of every built opcode about banks and cards.
func bankSamples() []Instruction {
	card, id, height := account.Address{7}, digest.Hash{8}, uint64(300)
	return []Instruction{
		&IssueCard{BankID: 1, Agent: account.Address{2}},
		&IssueCard{BankID: 1<<32 - 1, Agent: account.Address{2}, ExpiresAt: &height, Policy: policySample()},
		&IssueCardV2{BankID: 1, Agent: account.Address{2}, Token: &id, Policy: policySample()},
		&Deposit{Card: card, Amount: unit.Wide(9)}, &Withdraw{Card: card, To: account.Address{5}, Token: &id, Amount: unit.Wide(9)},
		&Withdraw{Card: card, To: account.Address{5}, Amount: unit.Uint128{Hi: 1}}, &CloseCard{Card: card, RefundTo: account.Address{5}},
		&SetDefaultCard{Agent: account.Address{2}, Card: &card}, &SetDefaultCard{Agent: account.Address{2}},
		&SetPolicy{Card: card, Policy: policySample()}, &SetPolicy{Card: card}, &Freeze{Card: card, Reason: []byte("lost")}, &Unfreeze{Card: card},
		&PauseBank{BankID: 1}, &UnpauseBank{BankID: 2},
		&MintFromFiatVoucher{
			BankID: 1, CardAddress: card, Token: &id, Amount: unit.Wide(1_000), VoucherID: [32]byte{9}, ExpiresAtBlock: 77, FiatReference: []byte("wire 1"),
			Signature: sig.Signature{1},
		},
		&SettleProvider{BankID: 1, Provider: account.Address{5}, Amount: unit.Wide(4)}, &RenewCard{Card: card, ExpiresAt: &height}, &RenewCard{Card: card},
		&TransferOwnership{Card: card, NewOwner: account.Address{6}, SetLocked: true},
		&RegisterBank{Name: []byte("Second Bank"), Operator: account.Address{5}, FiatMintSigner: &card},
		&SetBankOperator{BankID: 2, Operator: account.Address{5}}, &SetBankFiatMintSigner{BankID: 2, Signer: &card}, &SetBankFiatMintSigner{BankID: 2},
	}
}

// What an instruction of the bank costs, and which are never valid.
//
// Spec: gateway-payments-streams §G.1 (bounds), §G.4 (costs: issuing 20,000 cycles, others 5,000); WP §17.2 (21,000 for every instruction it does not list).
func TestCostOfCards(t *testing.T) {
	for name, x := range map[string]struct {
		in     Instruction
		cycles unit.Cycles
		valid  bool
	}{
		"issue":              {&IssueCard{BankID: 1}, 41_000, true},
		"issue with a token": {&IssueCardV2{BankID: 1}, 41_000, true},
		"deposit":            {&Deposit{}, 26_000, true},
		"a voucher":          {&MintFromFiatVoucher{BankID: 1}, 36_000, true},
		"a bank too far":     {&IssueCard{BankID: 1 << 32}, 41_000, false},
		"to pause one":       {&PauseBank{BankID: 1 << 32}, 26_000, false},
		"no name":            {&RegisterBank{}, 26_000, false},
		"a name of 33":       {&RegisterBank{Name: make([]byte, 33)}, 26_000, false},
		"a name not ASCII":   {&RegisterBank{Name: []byte("Bänk")}, 26_000, false},
		"receivers twice":    {&SetPolicy{Policy: bank.Policy{AllowedReceivers: make([]bank.Receiver, 2)}}, 26_000, false},
		"an opcode too much": {&SetPolicy{Policy: bank.Policy{AllowedSyscallKinds: []bank.Kind{{Family: bank.Send, Opcode: 1}}}}, 26_000, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := CostOf(x.in).Cycles; got != x.cycles {
				t.Errorf("%d cycles, want %d", got, x.cycles)
			}
			if err := checkInstruction(x.in); (err == nil) != x.valid {
				t.Error(err)
			}
		})
	}
}

// What an instruction is to a card's policy: its kind, whom it concerns, and the cards and banks it is about.
//
// Spec: gateway-payments-streams §G.1 (kinds of system calls), §G.3.
func TestUseOf(t *testing.T) {
	me, to, card := account.Address{1}, account.Address{2}, account.Address{3}
	for name, x := range map[string]struct {
		in        Instruction
		kind      bank.Kind
		receivers []account.Address
		cards     int
		banks     int
	}{
		"transfer":       {&Transfer{To: to}, bank.Kind{Family: bank.Send}, []account.Address{to}, 0, 0},
		"execute":        {&Execute{To: to}, bank.Kind{Family: bank.Send}, []account.Address{to}, 0, 0},
		"tokens":         {&TokenTransfer{To: to}, bank.Kind{Family: bank.Token}, []account.Address{to}, 0, 0},
		"another's":      {&TokenTransferFrom{To: to, Owner: card}, bank.Kind{Family: bank.Token}, []account.Address{to}, 0, 0},
		"mint":           {&TokenMint{To: to}, bank.Kind{Family: bank.Token}, []account.Address{to}, 0, 0},
		"batch":          {&TokenTransferBatch{Transfers: []TokenLeg{{To: to}, {To: card}}}, bank.Kind{Family: bank.Token}, []account.Address{to, card}, 0, 0},
		"burn":           {&TokenBurn{}, bank.Kind{Family: bank.Token}, []account.Address{account.System(6)}, 0, 0},
		"deploy":         {&Deploy{}, bank.Kind{Family: bank.DeployActor}, []account.Address{me}, 0, 0},
		"heartbeat":      {&Heartbeat{}, bank.Kind{Family: bank.Custom, Opcode: 4}, []account.Address{account.System(1)}, 0, 0},
		"withdraw":       {&Withdraw{Card: card, To: to}, bank.Kind{Family: bank.Custom, Opcode: 202}, []account.Address{account.System(0x13)}, 1, 0},
		"settle a bank":  {&SettleProvider{BankID: 1}, bank.Kind{Family: bank.Custom, Opcode: 211}, []account.Address{account.System(0x13)}, 0, 1},
		"a new default":  {&SetDefaultCard{Card: &card}, bank.Kind{Family: bank.Custom, Opcode: 204}, []account.Address{account.System(0x13)}, 1, 0},
		"schedule timer": {&TimerSchedule{Actor: to}, bank.Kind{Family: bank.Custom, Opcode: uint16(OpTimerSchedule)}, []account.Address{to}, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			u := UseOf(x.in, me)
			if u.Kind != x.kind || len(u.Cards) != x.cards || len(u.Banks) != x.banks || len(u.Receivers) != len(x.receivers) {
				t.Fatalf("%+v, want %+v", u, x)
			}
			for i := range x.receivers {
				if u.Receivers[i] != x.receivers[i] {
					t.Errorf("%+v, want %+v", u, x)
				}
			}
		})
	}
}
