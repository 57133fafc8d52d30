package session_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	chainsession "github.com/cowboyinc/cowboy-go/chain/session"
	"github.com/cowboyinc/cowboy-go/chain/session/voucher"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system/session"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// keyOf is the key of an account of the kit.
func keyOf(t *testing.T, name string) *sig.PrivateKey {
	secret := digest.Keccak256([]byte("testkit account " + name))
	key, err := sig.ParsePrivateKey(secret[:])
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// A session on a chain: every instruction, every code of a fault, and the runner's coins to the unit. The chain of the kit checks the supply at each block.
//
// Spec: gateway-payments-streams §D (52 to 57, errors); WP §9 (0x0C).
func TestASessionOnAChain(t *testing.T) {
	c := testkit.NewChain(t)
	payer, taker := c.Account("payer"), c.Account("taker")
	c.SetBalance(taker.Address(), 30_000*unit.CBY)
	register := taker.Do(&tx.RunnerRegister{
		PublicKey: taker.PublicKey(), Stake: 20_000 * unit.CBY, RateCard: runner.RateCard{LLMOutputToken: 3, MaxJobValue: 100 * unit.CBY},
		Capabilities: runner.Capabilities{JobTypes: []runner.Name{{Name: "llm"}}, MaxConcurrentJobs: 2},
	}, 100_000, 5_000)
	if register.Status != block.Success {
		t.Fatalf("%+v", register.Fault)
	}
	open := &tx.SessionOpen{Runner: taker.Address(), MaxAmount: unit.Wide(5_000), Deposit: 2_000, ExpiresAt: 1 << 40}
	r := payer.Do(open, 100_000, 5_000)
	if r.Status != block.Success {
		t.Fatalf("%+v", r.Fault)
	}
	id := digest.Hash(r.ReturnData)
	signed := func(amount, nonce uint64, change func(v *voucher.Voucher)) *tx.SessionSettle {
		v := voucher.Voucher{Session: id, Cumulative: unit.Wide(amount), Nonce: nonce, Expires: 1 << 40}
		s := keyOf(t, "payer").Sign(v.Digest(testkit.ChainID))
		change(&v)
		return &tx.SessionSettle{SessionID: v.Session, CumulativeAmount: v.Cumulative, Nonce: v.Nonce, ExpiresAt: uint64(v.Expires), Signature: s}
	}
	plain := func(*voucher.Voucher) {}
	noRunner, nothing, gone := *open, *open, *open
	noRunner.Runner, nothing.Deposit, gone.ExpiresAt = payer.Address(), 0, 1
	expired := &tx.SessionSettle{SessionID: id, CumulativeAmount: unit.Wide(2_000), Nonce: 2, ExpiresAt: 1}
	for _, step := range []struct {
		name string
		by   *testkit.Account
		in   tx.Instruction
		code uint16
		paid unit.Amount // to the runner
	}{
		{"towards nobody", payer, &noRunner, session.FaultRunner, 0},
		{"with nothing", payer, &nothing, drain.FaultInput, 0},
		{"expired", payer, &gone, session.FaultExpired, 0},
		{"more", payer, &tx.SessionDeposit{SessionID: id, Amount: 3_000}, 0, 0},
		{"too much", payer, &tx.SessionDeposit{SessionID: id, Amount: 1}, drain.FaultInput, 0},
		{"by another", taker, &tx.SessionDeposit{SessionID: id, Amount: 1}, drain.FaultPermission, 0},
		{"nothing there", payer, &tx.SessionDeposit{Amount: 1}, session.FaultUnknown, 0},
		{"settled", taker, signed(1_009, 1, plain), 0, 899}, // 1,009: 100 burned, 10 to the treasury
		{"settled again", taker, signed(1_009, 1, plain), session.FaultStale, 0},
		{"no more", taker, signed(1_009, 2, plain), session.FaultAmount, 0},
		{"above the deposit", taker, signed(5_001, 2, plain), session.FaultDeposit, 0},
		{"another amount than signed", taker, signed(2_000, 2, func(v *voucher.Voucher) { v.Cumulative = unit.Wide(3_000) }), session.FaultSignature, 0},
		{"too late", taker, expired, session.FaultExpired, 0},
		{"too early", taker, &tx.SessionFinalize{SessionID: id}, session.FaultEarly, 0},
		{"closed", payer, &tx.SessionClose{SessionID: id}, 0, 0},
		{"closed again", payer, &tx.SessionClose{SessionID: id}, session.FaultStatus, 0},
		{"settled while closing", taker, signed(1_109, 2, plain), 0, 89},
	} {
		t.Run(step.name, func(t *testing.T) {
			before := c.Balance(taker.Address())
			r := step.by.Do(step.in, 100_000, 5_000)
			if step.code != r.Fault.Code || step.code != 0 && len(r.Events) != 0 {
				t.Fatalf("%v %+v, want fault %d", r.Status, r.Fault, step.code)
			}
			if step.by == taker {
				before -= r.FeeBurned + r.FeeTipped
			}
			if got := c.Balance(taker.Address()); got != before+step.paid {
				t.Errorf("the runner has %d, want %d and %d", got, before, step.paid)
			}
		})
	}
	for range chainsession.ClosingBlocks {
		c.Mine()
	}
	before := c.Balance(payer.Address())
	if r := taker.Do(&tx.SessionFinalize{SessionID: id}, 100_000, 5_000); r.Status != block.Success {
		t.Fatalf("%+v", r.Fault)
	}
	if got := c.Balance(payer.Address()) - before; got != 3_891 {
		t.Errorf("%d came back, want 3891", got)
	}
	if s, err := chainsession.Load(c.State(), id); err != nil || s.Status != chainsession.Settled {
		t.Errorf("%+v %v", s, err)
	}
}
