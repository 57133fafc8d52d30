package tx

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

// A body of governance that could never do anything is refused before it has a place in a block.
//
// Spec: governance-staking B5, B10.
func TestGovernanceBodies(t *testing.T) {
	for name, x := range map[string]struct {
		in    Instruction
		fails bool
	}{
		"abstain":                  {&CastVote{Choice: 2}, false},
		"a fourth choice":          {&CastVote{Choice: 3}, true},
		"no signatures":            {&SubmitProposal{}, false},
		"a signature":              {&SubmitProposal{Signatures: make([]byte, 65)}, false},
		"half a signature":         {&SubmitProposal{Signatures: make([]byte, 64)}, true},
		"a cancellation":           {&CouncilAct{Proposal: 1}, false},
		"one of an actor":          {&CouncilAct{Actor: account.Address{1}}, true},
		"a pause of a proposal":    {&CouncilAct{Act: ActPause, Proposal: 1}, true},
		"a third act":              {&CouncilAct{Act: 2}, true},
		"half a signature, paused": {&CouncilAct{Act: ActPause, Signatures: make([]byte, 66)}, true},
		"a rollback":               {&UpgradeSystemActor{Act: ActRollback}, false},
		"a rollback to code":       {&UpgradeSystemActor{Act: ActRollback, Code: []byte{0, 1}}, true},
		"a rollback with a delay":  {&UpgradeSystemActor{Act: ActRollback, Delay: 1}, true},
		"a third act of upgrades":  {&UpgradeSystemActor{Act: 2}, true},
		"a split of 10,000":        {&UpdateSettlementConfig{Split: params.Split{RunnerBPS: 9_000, BurnBPS: 999, TreasuryBPS: 1}}, false},
		"a split of 9,999":         {&UpdateSettlementConfig{Split: params.Split{RunnerBPS: 9_000, BurnBPS: 999}}, true},
		"a split of 10,001":        {&UpdateSettlementConfig{Split: params.Split{RunnerBPS: 9_000, BurnBPS: 999, TreasuryBPS: 2}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			if err := checkInstruction(x.in); errors.Is(err, ErrInstruction) != x.fails || (err != nil) != x.fails {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	list := Signatures(append(make([]byte, 65), []byte("x")...))
	if len(list) != 1 {
		t.Errorf("%d signatures", len(list))
	}
}

func split() Instruction {
	return &UpdateSettlementConfig{TargetPool: 3, Split: params.Split{RunnerBPS: 8_900, BurnBPS: 1_000, TreasuryBPS: 100}}
}

func exchange() Instruction {
	return &UpgradeSystemActor{Actor: account.Address{19: 8}, Code: []byte{0, 2}, Delay: 7, Window: 300, Handler: []byte("take_over"), Cycles: 9}
}

func takeBack() Instruction {
	return &UpgradeSystemActor{Act: ActRollback, Actor: account.Address{19: 8}, Code: []byte{}, Handler: []byte{}}
}
