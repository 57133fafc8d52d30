package bank_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/bank"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	systembank "github.com/cowboyinc/cowboy-go/runtime/system/bank"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// Each instruction of the bank, with its event where it succeeds and its code where it does not.
//
// Spec: gateway-payments-streams §G.2, §G.4 (errors, events); WP §9 (0x13).
func TestInstructions(t *testing.T) {
	c := testkit.NewChain(t)
	ann, agent, bob, admin := c.Account("ann"), c.Account("agent"), c.Account("bob"), c.Impersonate(genesis.DevFaucet().Address())
	for _, who := range []*testkit.Account{ann, agent, bob} {
		c.SetBalance(who.Address(), 1_000*unit.CBY)
	}
	card := bank.AddressOf(2, ann.Address(), agent.Address(), 0)
	signer := bob.Address()
	key, err := sig.ParsePrivateKey(append(make([]byte, 31), 7))
	if err != nil {
		t.Fatal(err)
	}
	voucher := tx.MintFromFiatVoucher{BankID: 2, CardAddress: card, Amount: unit.Wide(5), ExpiresAtBlock: 1_000}
	word, mint := voucher.Voucher(), key.Address()
	voucher.Signature = key.Sign(word.Digest(1))
	reserve := bank.ReserveOf(2)
	for _, x := range []struct {
		name  string
		from  *testkit.Account
		in    tx.Instruction
		code  uint16
		topic string
	}{
		{"no such bank", ann, &tx.IssueCard{BankID: 2, Agent: agent.Address()}, systembank.FaultBank, ""},
		{"a bank", admin, &tx.RegisterBank{Name: []byte("Second"), Operator: bob.Address(), FiatMintSigner: &signer}, 0, bank.TopicRegistered},
		{"a card", ann, &tx.IssueCard{BankID: 2, Agent: agent.Address()}, 0, bank.TopicIssued},
		{"coins on it", bob, &tx.Deposit{Card: card, Amount: unit.Wide(100)}, 0, bank.TopicDeposited},
		{"more than there are", bob, &tx.Deposit{Card: card, Amount: unit.Uint128{Lo: 1 << 63}}, systembank.FaultFunds, ""},
		{"beyond coins", bob, &tx.Deposit{Card: card, Amount: unit.Uint128{Hi: 1}}, drain.FaultInput, ""},
		{"by a stranger", bob, &tx.Withdraw{Card: card, To: bob.Address(), Amount: unit.Wide(1)}, drain.FaultPermission, ""},
		{"to a system actor", ann, &tx.Withdraw{Card: card, To: account.System(9), Amount: unit.Wide(1)}, drain.FaultInput, ""},
		{"coins off it", ann, &tx.Withdraw{Card: card, To: bob.Address(), Amount: unit.Wide(1)}, 0, bank.TopicWithdrawn},
		{"a default", agent, &tx.SetDefaultCard{Agent: agent.Address(), Card: &card}, 0, bank.TopicDefault},
		{"closed as one", ann, &tx.CloseCard{Card: card, RefundTo: ann.Address()}, systembank.FaultDefault, ""},
		{"no default", ann, &tx.SetDefaultCard{Agent: agent.Address()}, 0, bank.TopicDefault},
		{"a policy", ann, &tx.SetPolicy{Card: card}, 0, bank.TopicPolicy},
		{"frozen", bob, &tx.Freeze{Card: card, Reason: []byte("lost")}, 0, bank.TopicFrozen},
		{"frozen again", bob, &tx.Freeze{Card: card}, systembank.FaultFrozen, ""},
		{"unfrozen", bob, &tx.Unfreeze{Card: card}, 0, bank.TopicUnfrozen},
		{"paused", bob, &tx.PauseBank{BankID: 2}, 0, bank.TopicPaused},
		{"a deposit meanwhile", bob, &tx.Deposit{Card: card, Amount: unit.Wide(1)}, systembank.FaultPaused, ""},
		{"not paused", bob, &tx.UnpauseBank{BankID: 2}, 0, bank.TopicUnpaused},
		{"renewed", ann, &tx.RenewCard{Card: card}, 0, bank.TopicRenewed},
		{"another's voucher", bob, &voucher, systembank.FaultVoucher, ""},
		{"its signer", admin, &tx.SetBankFiatMintSigner{BankID: 2, Signer: &mint}, 0, bank.TopicSigner},
		{"the bank has nothing", bob, &voucher, systembank.FaultFunds, ""},
		{"the bank gets coins", bob, &tx.Transfer{To: reserve, Amount: 50}, 0, ""},
		{"a voucher", bob, &voucher, 0, bank.TopicMinted},
		{"again", bob, &voucher, systembank.FaultUsed, ""},
		{"a provider", bob, &tx.SettleProvider{BankID: 2, Provider: ann.Address(), Amount: unit.Wide(45)}, 0, bank.TopicProviderPaid},
		{"another operator", bob, &tx.SetBankOperator{BankID: 2, Operator: ann.Address()}, 0, bank.TopicOperator},
		{"another owner", ann, &tx.TransferOwnership{Card: card, NewOwner: bob.Address()}, 0, bank.TopicTransferred},
		{"closed", bob, &tx.CloseCard{Card: card, RefundTo: bob.Address()}, 0, bank.TopicClosed},
		{"closed again", bob, &tx.CloseCard{Card: card, RefundTo: bob.Address()}, systembank.FaultClosed, ""},
		{"a token nobody pays in", ann, &tx.IssueCardV2{BankID: 1, Agent: agent.Address(), Token: &bank.TokenID{1}}, systembank.FaultToken, ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			before := len(c.Events(bank.Home(), x.topic))
			r := x.from.Do(x.in, 100_000, 5_000)
			if x.code != 0 {
				if r.Status != block.Faulted || r.Fault.Code != x.code || len(r.Events) != 0 {
					t.Fatalf("%v %+v, want fault %d", r.Status, r.Fault, x.code)
				}
				return
			}
			if r.Status != block.Success || x.topic != "" && len(c.Events(bank.Home(), x.topic)) != before+1 {
				t.Fatalf("%v %+v, events %v", r.Status, r.Fault, r.Events)
			}
		})
	}
	if c.Balance(card) != 0 || c.Balance(reserve) != 0 {
		t.Errorf("%d on the card, %d at the bank", c.Balance(card), c.Balance(reserve))
	}
}
