package transition

import (
	"sync"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// tape is a fuzzer's input read as numbers.
type tape []byte

func (p *tape) next() uint64 {
	if len(*p) == 0 {
		return 0
	}
	b := (*p)[0]
	*p = (*p)[1:]
	return uint64(b)
}

// rest takes the remaining program for whoever runs later.
func (p *tape) rest(n uint64) string {
	k := min(int(n), len(*p))
	s := string((*p)[:k])
	*p = (*p)[k:]
	return s
}

// interpret runs a payload as a program of effects.
func interpret(c *call) *block.Fault {
	p := tape(c.turn.Payload.Data)
	for len(p) > 0 {
		var err error
		switch op := p.next(); op % 9 {
		case 0:
			c.use(unit.Cycles(p.next()*2_000), unit.Cells(p.next()))
		case 1:
			err = c.send(actorAt(byte(1+p.next()%9)), "do", p.rest(p.next()%32))
		case 2:
			err = c.later("do")
		case 3, 4:
			q := timer.Request{Height: c.turn.Block.Height + unit.Height(p.next()%4), Handler: "do", GasLimit: gas(unit.Cycles(1 + p.next()*2_200))}
			if op%9 == 4 {
				q.Every = 1 + p.next()%3
			}
			if p.next()%2 == 0 {
				q.Payer = c.turn.Signer
			}
			q.Payload = []byte(p.rest(p.next() % 16))
			_, err = c.schedule(q)
		case 5:
			return &block.Fault{Code: drain.FaultException}
		case 6:
			c.set(string(rune('a'+p.next()%8)), string(rune(p.next())))
		case 7:
			c.pay(actorAt(byte(1+p.next()%9)), unit.Amount(p.next())*unit.CBY)
		case 8:
			_, err = timer.PruneOwner(c.turn.Overlay, c.turn.Target, int(p.next()%3))
		}
		if err != nil {
			return must(c, err)
		}
	}
	return nil
}

func (c *call) pay(to account.Address, amount unit.Amount) {
	from := c.accountOf(c.turn.Target)
	if from.Balance < amount || to == c.turn.Target {
		return
	}
	target := c.accountOf(to)
	from.Balance -= amount
	target.Balance += amount
	c.turn.Overlay.Set(c.turn.Target.Key(), from.Encode())
	c.turn.Overlay.Set(to.Key(), target.Encode())
}

func (c *call) accountOf(addr account.Address) account.Account {
	data, _, _ := c.turn.Overlay.Lookup(addr.Key())
	if data == nil {
		return account.Account{}
	}
	a, err := account.Decode(data)
	if err != nil {
		panic(err)
	}
	return a
}

// founders are the validators of a fuzzed chain.
var founders = sync.OnceValue(func() *genesis.Spec {
	spec, err := genesis.Devnet(1, 2)
	if err != nil {
		panic(err)
	}
	return spec
})

// found gives a chain a validator registry, shortly before an epoch's boundary. The founders are persons 1 and 2.
func (c *chain) found() {
	c.t.Helper()
	spec := founders()
	next := params.Calendar{}.Last(0) - 2
	c.edit(func(s state.Store) {
		var members []stake.Founder
		total := unit.Amount(0)
		for i, v := range spec.Validators {
			members = append(members, stake.Founder{Address: person(byte(i + 1)), Key: v.PublicKey, Stake: v.Stake})
			total += v.Stake
		}
		stake.Found(s, members, spec.Sharing)
		home := account.Account{Balance: total, Kind: account.SystemActor}
		s.Set(account.System(account.Governance).Key(), home.Encode())
		supply, err := fee.LoadSupply(s)
		if err != nil {
			c.t.Fatal(err)
		}
		supply.Genesis += total
		supply.YearBase = supply.Genesis
		supply.Save(s)
	}, next)
}

// ofValidators is an instruction of a validator, or of somebody who is none.
func ofValidators(p *tape) tx.Instruction {
	amount := p.next()
	switch amount % 6 {
	case 0:
		v := founders().Validators[p.next()%2]
		return &tx.ValidatorRegister{Key: v.PublicKey, Possession: v.Possession, Stake: unit.Amount(p.next()) * 300 * unit.CBY}
	case 1:
		return &tx.ValidatorAddStake{Amount: unit.Amount(p.next())}
	case 2:
		return &tx.ValidatorExit{}
	case 3:
		amount = p.next() * uint64(unit.CBY)
		return &tx.ValidatorExit{Amount: &amount}
	case 4:
		return &tx.ValidatorWithdraw{}
	}
	return &tx.SubmitMisbehaviour{Evidence: []byte(p.rest(8))}
}

// Whatever transactions, handlers and validators do: a block that was built verifies, twice the same, and coin is conserved to the base unit.
//
// Spec: WP §8, "Staking and Rewards", "The State Transition Function".
func FuzzApply(f *testing.F) {
	f.Add([]byte{3, 0, 1, 5, 0, 9, 1, 2, 3, 0, 10, 20, 1, 3, 2, 0, 50, 1, 7, 2, 100})
	f.Add([]byte{2, 1, 1, 20, 3, 1, 200, 0, 5, 0, 9, 9, 4, 1, 90, 2, 0, 3, 8, 2, 5, 0, 1, 1, 8, 2, 2, 1, 4, 4, 0, 0, 1, 2})
	f.Add([]byte{1, 6, 3, 0, 255, 0, 4, 2, 1, 255, 0, 4, 1, 9, 0, 255, 0, 4, 3, 2})
	f.Add([]byte{1, 6, 2, 1, 255, 0, 4, 1, 77, 2, 255, 0, 4, 0, 1, 255})
	f.Add([]byte{8, 2, 1, 12, 4, 2, 255, 1, 1, 12, 1, 3, 8, 0, 200, 9, 1, 1, 6, 0, 1, 1, 5, 6, 1, 2, 7, 3, 90, 2, 2, 2, 2})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4_096 {
			t.Skip()
		}
		p := tape(data)
		c := newChain(t, script{"do": interpret})
		if p.next()%2 == 1 {
			c.found()
		}
		for range 1 + p.next()%8 {
			var txs []tx.Verified
			for range p.next() % 6 {
				from := person(byte(1 + p.next()%3))
				edit := func(x *tx.Tx) {
					x.CyclesLimit = 21_000 + unit.Cycles(p.next())*4_000
					x.MaxFeePerCycle = 9_990 + 20*p.next()
					x.MaxPriorityFeePerCycle = p.next()
				}
				var v tx.Verified
				switch p.next() % 5 {
				case 4:
					v = c.sign(from, ofValidators(&p), edit, func(x *tx.Tx) { x.CyclesLimit += 16_000 })
				case 0:
					v = c.sign(from, &tx.Transfer{To: person(byte(p.next() % 5)), Amount: unit.Amount(p.next()) * 40 * unit.CBY}, edit)
				case 1:
					limit := p.next() * 2_200
					v = c.sign(from, &tx.TimerSchedule{Actor: actorAt(1), Height: c.tip.Header.Height + unit.Height(p.next()%4),
						Handler: []byte("do"), Payload: []byte(p.rest(8)), CyclesPerFire: &limit}, edit)
				default:
					v = c.sign(from, &tx.Execute{To: actorAt(byte(1 + p.next()%4)), Handler: []byte("do"), Amount: unit.Amount(p.next()),
						Payload: []byte(p.rest(p.next()))}, edit)
				}
				txs = append(txs, v)
			}
			r := c.mine(txs...)
			for _, refused := range r.Refused { // their nonces are free again
				from := refused.Tx.Tx().From
				c.nonces[from] = min(c.nonces[from], refused.Tx.Tx().Nonce)
			}
		}
	})
}
