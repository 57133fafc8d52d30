package recorded

import (
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/session"
	"github.com/cowboyinc/cowboy-go/chain/session/voucher"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// known are the newest sessions there are.
func (p *player) known() digest.Hash {
	const kept = 4
	var list []digest.Hash
	events := p.chain.Events(session.Home(), session.TopicOpened)
	for _, e := range events[max(len(events), kept)-kept:] {
		list = append(list, digest.Hash([]byte(e)[:32]))
	}
	if len(list) == 0 {
		return digest.Hash{}
	}
	return list[p.draw.IntN(len(list))]
}

// session draws an instruction about sessions of payment; from is who sends it.
func (p *player) session() (in tx.Instruction, from *testkit.Account) {
	id, who := p.known(), p.draw.IntN(len(p.people))
	s, err := session.Load(p.chain.State(), id)
	if err == nil {
		for i, one := range p.people {
			if one.Address() == s.Payer {
				who = i
			}
		}
	}
	switch n := p.draw.IntN(6); {
	case err != nil || n == 0:
		return &tx.SessionOpen{
			Runner: p.people[p.draw.IntN(runners)].Address(), MaxAmount: unit.Wide(2_000), Deposit: 1 + unit.Amount(p.draw.IntN(1_000)),
			ExpiresAt: uint64(p.chain.Height()) + 200,
		}, p.people[who]
	case n == 1:
		return &tx.SessionDeposit{SessionID: id, Amount: unit.Amount(p.draw.IntN(500))}, p.people[who]
	case n == 2:
		return &tx.SessionClose{SessionID: id}, p.people[who]
	case n == 3:
		return &tx.SessionFinalize{SessionID: id}, p.person()
	}
	v := voucher.Voucher{Session: id, Cumulative: unit.Wide(uint64(s.Spent) + uint64(p.draw.IntN(200))), Nonce: s.Nonce + 1, Expires: 1 << 40}
	settle := &tx.SessionSettle{
		SessionID: id, CumulativeAmount: v.Cumulative, Nonce: v.Nonce, ExpiresAt: uint64(v.Expires), Signature: keyOf(who).Sign(v.Digest(testkit.ChainID)),
	}
	for _, one := range p.people {
		if one.Address() == s.Runner {
			return settle, one
		}
	}
	return settle, p.person()
}
