package system_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system"
	"github.com/cowboyinc/cowboy-go/runtime/system/staking"
)

// founded is a turn on the state of a development network of two validators, by the first of them.
func founded(t *testing.T, in tx.Instruction) (*drain.Turn, []genesis.DevValidator) {
	t.Helper()
	x := turn(in, account.System(account.Governance))
	spec, err := genesis.Devnet(1, 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := spec.Build(x.Overlay); err != nil {
		t.Fatal(err)
	}
	set, _, err := genesis.DevValidators(2)
	if err != nil {
		t.Fatal(err)
	}
	x.Block.ChainID, x.Sender = 1, set[0].Account.Address()
	x.Limit = fee.Use{Cycles: 1_000_000, Cells: 1_000_000}
	return x, set
}

// Every instruction of a validator answers with its event or with the fault of its rule. An exit pays for paying the members: 300 cycles each; evidence for the
// keys of those who accuse as well: 1,200 each.
//
// Spec: WP "Validator Set", "Slashing"; governance-staking A1, A3.
func TestValidators(t *testing.T) {
	most := uint64(genesis.DevnetStake)
	for name, x := range map[string]struct {
		in     tx.Instruction
		by     func(t *drain.Turn)
		event  string
		fault  uint16
		cycles unit.Cycles
	}{
		"register again":     {in: &tx.ValidatorRegister{Stake: params.MinimumValidatorStake}, fault: drain.FaultExists},
		"register too low":   {in: &tx.ValidatorRegister{Stake: 1}, by: stranger, fault: drain.FaultValue},
		"register, no proof": {in: &tx.ValidatorRegister{Key: sig.BLSPublicKey{1}, Stake: params.MinimumValidatorStake}, by: stranger, fault: drain.FaultInput},
		"add":                {in: &tx.ValidatorAddStake{Amount: 5}, event: stake.TopicAdded},
		"add nothing":        {in: &tx.ValidatorAddStake{}, fault: drain.FaultInput},
		"add, a stranger":    {in: &tx.ValidatorAddStake{Amount: 5}, by: stranger, fault: drain.FaultMissing},
		"exit":               {in: &tx.ValidatorExit{}, event: stake.TopicExit, cycles: 600},
		"exit below minimum": {in: &tx.ValidatorExit{Amount: &most}, fault: drain.FaultValue, cycles: 600},
		"exit, short limit":  {in: &tx.ValidatorExit{}, by: short, fault: drain.FaultCycles, cycles: 599},
		"withdraw":           {in: &tx.ValidatorWithdraw{}, fault: drain.FaultForbidden},
		"unjail":             {in: &tx.ValidatorUnjail{}, fault: drain.FaultForbidden},
		"no evidence":        {in: &tx.SubmitMisbehaviour{Evidence: []byte{1}}, fault: drain.FaultInput, cycles: 600},
		"empty words":        {in: &tx.SubmitMisbehaviour{Evidence: words(3)}, fault: drain.FaultInput, cycles: 600 + 3*1_200},
		"words, short limit": {in: &tx.SubmitMisbehaviour{Evidence: words(3)}, by: func(t *drain.Turn) { t.Limit.Cycles = 4_199 }, fault: drain.FaultCycles,
			cycles: 4_199},
		"no ceremony": {in: &tx.SystemDkg{Log: []byte{1}}, fault: drain.FaultForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			u, _ := founded(t, x.in)
			if x.by != nil {
				x.by(u)
			}
			out, err := system.Run(u, nil)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			switch {
			case out.Used.Cycles != x.cycles:
				t.Errorf("%s: %d cycles", name, out.Used.Cycles)
			case x.fault != 0 && (out.Fault == nil || out.Fault.Code != x.fault):
				t.Errorf("%s: fault %+v, want %d", name, out.Fault, x.fault)
			case x.fault == 0 && (out.Fault != nil || len(out.Events) != 1 || string(out.Events[0].Topic) != x.event):
				t.Errorf("%s: %+v", name, out)
			}
		})
	}
}

// words is the unsigned word of n validators against another.
func words(n int) []byte {
	e := simplex.Evidence{Offence: simplex.InvalidProposal, Found: &simplex.Finding{Flaw: simplex.FlawedBlock, Signers: sig.NewSigners(n + 1)}}
	for i := range n {
		e.Found.Signers.Add(i)
	}
	return e.Encode()
}

func stranger(t *drain.Turn) { t.Sender = account.Address{0: 7} }

func short(t *drain.Turn) { t.Limit.Cycles = 599 }

// A withdrawal returns its amount, eight bytes big-endian. Spec: governance-staking A1.
func TestWithdrawReturns(t *testing.T) {
	amount := uint64(300)
	u, _ := founded(t, &tx.ValidatorExit{Amount: &amount})
	if out, err := system.Run(u, nil); err != nil || out.Fault != nil {
		t.Fatal(out.Fault, err)
	}
	u.Block.Height = params.Calendar{}.Last(0)
	g := staking.Registry(u.Block, u.Overlay)
	if _, err := g.EndBlock(&block.Header{Height: u.Block.Height}); err != nil {
		t.Fatal(err)
	}
	u.Block.Height = params.Calendar{}.First(1) + params.UnbondingBlocks
	u.Payload.Instruction = &tx.ValidatorWithdraw{}
	out, err := system.Run(u, nil)
	if err != nil || out.Fault != nil || fmt.Sprintf("%x", out.Return) != "000000000000012c" {
		t.Errorf("%+v %v", out, err)
	}
}

// A state without a registry answers that it has none. Spec: WP §9.
func TestNoRegistry(t *testing.T) {
	out, err := system.Run(turn(&tx.ValidatorExit{}, account.System(account.Governance)), nil)
	if err != nil || out.Fault == nil || out.Fault.Code != drain.FaultUnavailable {
		t.Errorf("%+v %v", out, err)
	}
}

// Every reject of the registry has a code; an error that is none is a failure. Spec: node-rpc-cli §2.2.
func TestStakeFaults(t *testing.T) {
	c := staking.New()
	for _, err := range []error{
		stake.ErrRegistered, stake.ErrKeyTaken, stake.ErrKey, stake.ErrMinimum, stake.ErrAmount, stake.ErrNoValidator, stake.ErrStatus,
		stake.ErrJailed, stake.ErrUnbonding, stake.ErrNothing, stake.ErrPenalty, stake.ErrEvidence, stake.ErrPunished, stake.ErrCeremony,
		&stake.LogError{Reason: errors.New("x")},
	} {
		if f, ok := c.FaultOf(fmt.Errorf("wrapped: %w", err)); !ok || f.Code == 0 {
			t.Errorf("%v has no code", err)
		}
	}
	if _, ok := c.FaultOf(errors.New("disk")); ok {
		t.Error("a failure became a fault")
	}
}
