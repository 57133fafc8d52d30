package recorded

import (
	"bytes"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/rent"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// one draws of a list of identities, newer ones more often; none where there is none.
func (p *player) one(list []digest.Hash) digest.Hash {
	if len(list) == 0 {
		return digest.Hash{1}
	}
	return list[len(list)-1-p.draw.IntN(min(len(list), 6))]
}

// token draws an instruction about tokens.
func (p *player) token() tx.Instruction {
	id, who, amount := p.one(p.tokens), p.people[p.draw.IntN(4)].Address(), unit.Wide(uint64(p.draw.IntN(100)))
	switch p.draw.IntN(18) {
	case 0, 1:
		p.made++
		in := &tx.TokenCreate{Name: []byte("Hay"), Symbol: fmt.Appendf(nil, "H%d", p.made), Decimals: 2, InitialSupply: unit.Wide(1_000)}
		if hook := p.actor(); p.draw.IntN(3) == 0 {
			in.TransferHook = &hook
		}
		return in
	case 2:
		return &tx.TokenTransferFrom{TokenID: id, Owner: p.people[p.draw.IntN(2)].Address(), To: who, Amount: amount}
	case 3:
		return &tx.TokenApprove{TokenID: id, Spender: who, Amount: amount}
	case 4:
		return &tx.TokenIncreaseAllowance{TokenID: id, Spender: who, Amount: amount}
	case 5:
		return &tx.TokenDecreaseAllowance{TokenID: id, Spender: who, Amount: amount}
	case 6, 7:
		return &tx.TokenMint{TokenID: id, To: who, Amount: amount}
	case 8:
		return &tx.TokenBurn{TokenID: id, Amount: amount}
	case 9:
		return &tx.TokenFreeze{TokenID: id, Account: who}
	case 10:
		return &tx.TokenUnfreeze{TokenID: id, Account: who}
	case 11:
		return &tx.TokenSetHook{TokenID: id}
	case 12:
		return &tx.TokenTransferOwnership{TokenID: id, NewOwner: who}
	case 13:
		return &tx.TokenTransferBatch{Transfers: []tx.TokenLeg{{TokenID: id, To: who, Amount: amount}, {TokenID: p.one(p.tokens), To: who, Amount: amount}}}
	case 14:
		return &tx.TokenPermit{TokenID: id, Owner: p.person().Address(), Spender: who, Value: amount, Deadline: p.chain.Height() + 9}
	}
	return &tx.TokenTransfer{TokenID: id, To: who, Amount: amount}
}

// entitlement draws an instruction of the Entitlement Registry.
func (p *player) entitlement() tx.Instruction {
	who := p.person().Address()
	until := uint64(p.chain.Height()) + uint64(p.draw.IntN(300))
	scope, action := grant.ActorScope(p.actor()), grant.Action{Kind: grant.UseOwnerBalance}
	switch p.draw.IntN(7) {
	case 0:
		return &tx.EntitlementRevoke{ID: p.one(p.grants)}
	case 1:
		return &tx.EntitlementDelegate{ID: p.one(p.grants), Delegatee: who, Constraints: grant.Terms{ValidUntil: &until, MaxUses: 1, Revocable: true}}
	case 2:
		p.made++
		return &tx.CreateRole{Name: fmt.Appendf(nil, "r%d", p.made), Scopes: []grant.Scope{scope}, Actions: []grant.Action{action}}
	case 3:
		return &tx.AssignRole{Role: p.one(p.roles), Assignee: who}
	case 4:
		return &tx.RevokeRole{Role: p.one(p.roles), Assignee: who}
	}
	terms := grant.Terms{ValidUntil: &until, MaxUses: uint64(p.draw.IntN(3)), Revocable: p.draw.IntN(2) == 0}
	if p.draw.IntN(2) == 0 {
		terms.Delegatable, terms.DelegationDepthMax = true, 3
	}
	return &tx.EntitlementGrant{Grantee: who, Scope: scope, Action: action, Constraints: terms}
}

// rent draws an instruction about what actors' bytes cost. A dormant actor is given back what it stored when it was last seen awake.
func (p *player) rent() tx.Instruction {
	addr := p.actor()
	if p.draw.IntN(2) == 0 {
		addr = p.actors[p.draw.IntN(3)]
	}
	if a := p.chain.Record(addr); a.Dormant {
		return p.restore(addr)
	}
	p.stored[addr] = p.entries(addr)
	switch p.draw.IntN(4) {
	case 0:
		return &tx.SettleActorRent{Actor: addr}
	case 1:
		return &tx.SetActorQuota{Actor: addr, QuotaBytes: 1<<20 + p.draw.Uint64N(1<<10)}
	}
	return &tx.PayRent{Actor: addr, Epochs: p.draw.Uint64N(3)}
}

func (p *player) entries(addr account.Address) (list []rent.Entry) {
	prefix := account.Key(account.KindStorage, addr)
	if err := p.chain.State().Scan(prefix, nil, 0, func(key, value []byte) bool {
		list = append(list, rent.Entry{Key: bytes.Clone(key[len(prefix):]), Value: bytes.Clone(value)})
		return true
	}); err != nil {
		p.t.Fatal(err)
	}
	return list
}

// runner draws an instruction of the Runner Registry. A registration names the key of whoever sends it, or of another.
func (p *player) runner() tx.Instruction {
	card := runner.RateCard{LLMInputToken: unit.Amount(p.draw.IntN(9)), MaxJobValue: unit.CBY}
	switch p.draw.IntN(4) {
	case 0:
		return &tx.UpdateRateCard{RateCard: card}
	case 1:
		return &tx.Heartbeat{Accepting: p.draw.IntN(3) > 0}
	case 2:
		if p.draw.IntN(8) == 0 {
			return &tx.Deregister{}
		}
	}
	who, stake := p.person(), unit.Amount(p.draw.IntN(100))
	if _, ok, err := runner.Load(p.chain.State(), who.Address()); err == nil && !ok && p.draw.IntN(2) == 0 {
		stake += params.RunnerStakeFloor
	}
	return &tx.RunnerRegister{PublicKey: who.PublicKey(), Stake: stake, RateCard: card, Capabilities: runner.Capabilities{
		JobTypes: []runner.Name{{Name: "http"}, {Name: "llm"}}, MaxConcurrentJobs: 3,
	}}
}

func (p *player) restore(addr account.Address) tx.Instruction {
	in := &tx.RestoreActor{Actor: addr, PayFrom: p.draw.Uint64N(2)}
	list := p.stored[addr]
	if len(list) == 0 {
		return in
	}
	proof, err := rent.Prove(list, 0, len(list))
	if err != nil {
		p.t.Fatal(err)
	}
	in.Entries, in.Proof = rent.AppendEntries(nil, list), proof.Append(nil)
	return in
}

// keep keeps what an instruction made.
func (p *player) keep(op tx.Opcode, made []byte) {
	list := map[tx.Opcode]*[]digest.Hash{
		tx.OpTokenCreate: &p.tokens, tx.OpEntitlementGrant: &p.grants, tx.OpEntitlementDelegate: &p.grants, tx.OpCreateRole: &p.roles,
		tx.OpTimerSchedule: &p.timers, tx.OpJobSubmit: &p.jobs,
	}[op]
	if list != nil {
		*list = append(*list, digest.Hash(made))
	}
}
