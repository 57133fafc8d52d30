package bank_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/bank"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// An agent submits a job with its card as the payer: the card pays what the transaction used and gets the rest of its reserve back; price and tip of the job
// are the agent's own, and come back to the agent when nobody does the job. What it may cost is measured by the same transaction of an account without a card,
// to which naming a payer adds 3,000 cycles.
//
// Spec: gateway-payments-streams §G.3; runner-marketplace §5.2.
func TestJobsOnACard(t *testing.T) {
	c := testkit.NewChain(t)
	ann, agent, plain, worker := c.Account("ann"), c.Account("agent"), c.Account("plain"), c.Account("r1")
	for _, who := range []*testkit.Account{ann, agent, plain, worker} {
		c.SetBalance(who.Address(), 100_000*unit.CBY)
	}
	for _, one := range []*testkit.Account{worker, c.Account("r2"), c.Account("r3")} {
		c.SetBalance(one.Address(), 100_000*unit.CBY)
		x := one.Do(&tx.RunnerRegister{
			PublicKey: one.PublicKey(), Stake: params.RunnerStakeFloor, RateCard: runner.RateCard{MaxJobValue: 1_000 * unit.CBY},
			Capabilities: runner.Capabilities{JobTypes: []runner.Name{{Name: "llm"}}, MaxConcurrentJobs: 4},
		}, 100_000, 5_000)
		if x.Status != block.Success {
			t.Fatal(testkit.Describe(x))
		}
	}
	x := ann.Do(&tx.IssueCard{BankID: 1, Agent: agent.Address()}, 100_000, 5_000)
	if x.Status != block.Success {
		t.Fatal(testkit.Describe(x))
	}
	card := account.Address(x.ReturnData)
	ann.Do(&tx.Deposit{Card: card, Amount: unit.Wide(uint64(10 * unit.CBY))}, 100_000, 5_000)
	spec := &job.Spec{
		Kind: job.LLM, LLM: &job.LLMJob{Prompt: "Why?", MaxTokens: 100},
		Bounds: job.ResourceBounds{MaxOutputTokens: 100, MaxWallTimeSeconds: 30}, Schema: job.ResultSchema{MaxReturnBytes: 1_000},
		MaxPrice: 5 * unit.CBY, Tip: unit.CBY, TimeoutBlocks: 20,
		Verification: job.Verification{Mode: job.ModeMajorityVote, Runners: 3, Threshold: 2, DisputeBlocks: 75},
	}
	ask := &tx.JobSubmit{Spec: spec.Append(nil)}
	// What the same transaction costs an account that pays for itself.
	before := c.Balance(plain.Address())
	own := plain.Do(ask, 100_000, 5_000)
	if own.Status != block.Success {
		t.Fatal(testkit.Describe(own))
	}
	fee := before - c.Balance(plain.Address()) - 6*unit.CBY
	agent.Payer(card)
	mine, full := c.Balance(agent.Address()), c.Balance(card)
	x = agent.Do(ask, 100_000, 5_000)
	if x.Status != block.Success {
		t.Fatal(testkit.Describe(x))
	}
	const naming = 3_000 // cycles for naming a payer
	if x.CyclesUsed != own.CyclesUsed+naming {
		t.Errorf("%d cycles, %d without a card", x.CyclesUsed, own.CyclesUsed)
	}
	if got := mine - c.Balance(agent.Address()); got != 6*unit.CBY {
		t.Errorf("the agent paid %d, and the job holds 6 CBY", got)
	}
	if got := full - c.Balance(card); got < fee || got > 2*fee || c.Balance(bank.Home()) != 0 {
		t.Errorf("the card paid %d, an account %d; %d are still held", got, fee, c.Balance(bank.Home()))
	}
	id := digest.Hash(x.ReturnData)
	for range 40 { // nobody does it: it fails
		c.Mine()
	}
	j, err := market.Load(c.State(), id)
	if err != nil || j.Status != market.Failed {
		t.Fatal(j, err)
	}
	if got := c.Balance(agent.Address()); got != mine {
		t.Errorf("the agent has %d of %d back", got, mine)
	}
}
