package sim

import (
	"fmt"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/lanes"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/check"
)

const (
	joinersMax   = 8
	joinerPurse  = 200_000 * unit.CBY
	joinerStake  = 60_000 * unit.CBY
	resendCycles = 100_000 // cycles beyond the intrinsic
	resendFees   = 20_000  // base units
)

// EpochPlanOf draws a network that lives through many short epochs: validators join and leave, and one may be Byzantine. Of the first set at least four
// remain, so that with one Byzantine no set is without its quorum of honest members.
func EpochPlanOf(seed uint64) Plan {
	p := PlanOf(seed)
	p.Validators += 1
	p.Epoch, p.Joiners, p.Leavers = 20, 1+int(seed%2), 1
	p.Interval, p.Chaos = 100*time.Millisecond, 20*time.Second
	p.Delay = [2]time.Duration{time.Millisecond, 20 * time.Millisecond}
	if p.Crash > 0 {
		p.Crash += 2 * time.Second
	}
	for i, rank := range p.ranks() {
		if i > 0 || int(rank) >= p.Validators-p.Leavers {
			delete(p.Faulty, rank)
		}
	}
	return p
}

// joinerKeys are those of a machine that is in no set yet.
func joinerKeys(i int) (*genesis.DevValidator, error) {
	raw := genesis.DevKey("joiner", byte(i))
	key, err := sig.ParsePrivateKey(raw[:])
	if err != nil {
		return nil, err
	}
	raw = genesis.DevKey("joiner vote", byte(i))
	vote, err := bls.ParsePrivateKey(raw[:])
	return &genesis.DevValidator{Account: key, Vote: vote}, err
}

// migrate sends joiners and leavers on their way: in the first epoch, or in a later one.
func (w *World) migrate() {
	for i, m := range w.joiners {
		keys := m.keys
		possession := keys.Vote.ProvePossession(w.setup.namespace)
		w.resend(m.id, keys.Account, time.Duration(i)*4*time.Second,
			func() tx.Instruction {
				return &tx.ValidatorRegister{Key: keys.Vote.PublicKey().Bytes(), Possession: possession, Stake: joinerStake}
			},
			func(v *stake.Validator) bool { return v != nil })
	}
	for i := range w.plan.Leavers {
		m := w.machines[0]
		for _, x := range w.machines {
			if x.rank == w.plan.Validators-1-i {
				m = x
			}
		}
		w.resend(m.id, m.keys.Account, time.Duration(1+i)*3*time.Second,
			func() tx.Instruction { return &tx.ValidatorExit{} },
			func(v *stake.Validator) bool {
				return v == nil || v.Status == stake.Exiting || v.Status == stake.Unbonding
			})
	}
}

// resend sends an instruction of an account again and again, each time to some machine, until the account's record as a validator says that it is done.
func (w *World) resend(id uint64, key *sig.PrivateKey, start time.Duration, in func() tx.Instruction, done func(*stake.Validator) bool) {
	acts := uint64(0)
	var act func()
	act = func() {
		record, ok, err := stake.Load(w.chain.State(), key.Address())
		if err != nil {
			panic(err)
		}
		if !ok {
			record = nil
		}
		if done(record) {
			return
		}
		acts++
		w.after(clientEvery, act)
		m := w.machines[w.draw(drawResend, id, acts)%uint64(len(w.machines))]
		if m.life != nil && m.life.node != nil {
			raw := w.sign(key, in())
			m.life.node.Lanes.Admit(lanes.Submit{Raw: [][]byte{raw}, Reply: func([]lanes.Result) {}})
		}
	}
	w.after(start, act)
}

// sign makes an account's next transaction.
func (w *World) sign(key *sig.PrivateKey, in tx.Instruction) []byte {
	a := w.account(key.Address())
	cost := tx.CostOf(in)
	t := &tx.Tx{
		ChainID: chainID, Nonce: a.Nonce, Instruction: in, CyclesLimit: cost.Cycles + resendCycles, CellsLimit: cost.Cells, From: key.Address(),
		MaxFeePerCycle: resendFees, MaxFeePerCell: resendFees,
	}
	t.Signature = key.Sign(t.SigningHash())
	return t.Encode()
}

func (w *World) account(addr account.Address) account.Account {
	a, err := account.Load(w.chain.State(), addr)
	if err != nil {
		panic(err)
	}
	return a
}

// addJoiners adds the machines that are in no set yet.
func (w *World) addJoiners() error {
	for i := range w.plan.Joiners {
		keys, err := joinerKeys(i)
		if err != nil {
			return err
		}
		m := w.addMachine(fmt.Sprintf("joiner-%d", i), -1, "")
		m.keys, m.public, m.signed = keys, nil, check.NewSigned()
		w.joiners = append(w.joiners, m)
	}
	return nil
}
