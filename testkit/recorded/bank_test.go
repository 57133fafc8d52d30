package recorded

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/bank"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// aCard draws a card that there is, with its owner; nobody's where there is none yet.
func (p *player) aCard() bank.Card {
	owner := p.person().Address()
	list, err := bank.OwnedBy(p.chain.State(), owner, nil, 1_000)
	if err != nil {
		p.t.Fatal(err)
	}
	if len(list) == 0 {
		return bank.Card{Owner: owner}
	}
	c, err := bank.LoadCard(p.chain.State(), list[p.draw.IntN(len(list))])
	if err != nil {
		p.t.Fatal(err)
	}
	return c
}

// bank draws an instruction about cards, which the owner of one sends more often than not.
func (p *player) bank() tx.Instruction {
	c, who, amount := p.aCard(), p.person().Address(), unit.Wide(uint64(p.draw.IntN(1_000)))
	for _, one := range p.people {
		if one.Address() == c.Owner && p.draw.IntN(4) > 0 {
			p.from = one
		}
	}
	until := uint64(p.chain.Height()) + uint64(p.draw.IntN(300))
	most := unit.Wide(uint64(p.draw.IntN(1_000_000_000)))
	switch p.draw.IntN(11) {
	case 0:
		return &tx.IssueCard{BankID: 1, Agent: who, ExpiresAt: &until, Policy: bank.Policy{PerHourCap: &most}}
	case 1:
		return &tx.IssueCardV2{BankID: 1, Agent: p.actor(), Policy: bank.Policy{AllowedSyscallKinds: []bank.Kind{{Family: bank.Send}}}}
	case 2, 3:
		return &tx.Deposit{Card: c.Address, Amount: unit.Wide(uint64(unit.CBY))}
	case 4:
		return &tx.Withdraw{Card: c.Address, To: who, Amount: amount}
	case 5:
		return &tx.CloseCard{Card: c.Address, RefundTo: who}
	case 6:
		if p.draw.IntN(3) == 0 {
			return &tx.SetDefaultCard{Agent: c.Agent}
		}
		return &tx.SetDefaultCard{Agent: c.Agent, Card: &c.Address}
	case 7:
		return &tx.SetPolicy{Card: c.Address, Policy: bank.Policy{PerDayCap: &most, LockedAfterTransfer: p.draw.IntN(2) == 0}}
	case 8:
		return &tx.RenewCard{Card: c.Address, ExpiresAt: &until}
	case 9:
		return &tx.TransferOwnership{Card: c.Address, NewOwner: who}
	default:
		v := tx.MintFromFiatVoucher{BankID: 1, CardAddress: c.Address, Amount: amount, VoucherID: [32]byte{byte(p.draw.IntN(256))}, ExpiresAtBlock: until}
		voucher := v.Voucher()
		v.Signature = sig.Signature(keyOf(0).Sign(voucher.Digest(p.chain.Blocks()[0].Header.ChainID)))
		return &v
	}
}

// banks draws an instruction of the operator of bank 1, which is governance.
func (p *player) banks() tx.Instruction {
	c, who := p.aCard(), p.person().Address()
	switch p.draw.IntN(8) {
	case 0:
		return &tx.Freeze{Card: c.Address, Reason: []byte("drawn")}
	case 1:
		return &tx.Unfreeze{Card: c.Address}
	case 2:
		return &tx.PauseBank{BankID: 1}
	case 3:
		return &tx.UnpauseBank{BankID: 1}
	case 4:
		return &tx.SettleProvider{BankID: 1, Provider: who, Amount: unit.Wide(1)}
	case 5:
		return &tx.RegisterBank{Name: []byte("Another Bank"), Operator: who}
	case 6:
		return &tx.SetBankOperator{BankID: 1, Operator: account.System(account.Governance)}
	default:
		signer := keyOf(0).Address()
		return &tx.SetBankFiatMintSigner{BankID: 1, Signer: &signer}
	}
}
