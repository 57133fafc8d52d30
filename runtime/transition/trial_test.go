package transition

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

var trialScript = script{
	"ok": func(c *call) *block.Fault { c.use(777, 33); c.set("k", "v"); return nil },
	"bad": func(c *call) *block.Fault {
		c.use(555, 5)
		return &block.Fault{Code: drain.FaultException, Text: "bad"}
	},
	"round": func(c *call) *block.Fault {
		b := c.turn.Block
		c.out.Return = fmt.Appendf(nil, "%v after view %d, the beacon is of %v, %d bytes", b.Round, b.ParentView, b.Seed.Round, len(b.Beacon))
		return nil
	},
	"post round": func(c *call) *block.Fault { return must(c, c.send(actorAt(2), "round", "")) },
	"post":       func(c *call) *block.Fault { return must(c, c.send(actorAt(2), "ok", "")) },
}

// What is tried leaves the receipt that the same transaction leaves in the next block, and nothing in the state.
func TestTriedAsExecuted(t *testing.T) {
	for name, in := range map[string]tx.Instruction{
		"transfer":   &tx.Transfer{To: person(2), Amount: 7},
		"no actor":   &tx.FundActor{Actor: person(3), Amount: 7},
		"success":    &tx.Execute{To: actorAt(1), Handler: []byte("ok"), Amount: unit.CBY},
		"fault":      &tx.Execute{To: actorAt(1), Handler: []byte("bad"), Amount: unit.CBY},
		"no handler": &tx.Execute{To: actorAt(1), Handler: []byte("none")},
		"sends":      &tx.Execute{To: actorAt(1), Handler: []byte("post")},
		"round":      &tx.Execute{To: actorAt(1), Handler: []byte("round")},
	} {
		t.Run(name, func(t *testing.T) {
			c := newChain(t, trialScript)
			c.mine(c.execute(person(9), actorAt(9), "post")) // its message is delivered first in the next block, and in no trial
			root := c.tip.State.Root()
			v := c.sign(person(1), in)
			trial, err := Try(c.tip, v.Tx(), 0, c.script, nil)
			if err != nil || trial.Refused != nil || trial.Ahead != 0 {
				t.Fatalf("%s: %+v, %v", name, trial, err)
			}
			if c.tip.State.Root() != root {
				t.Errorf("%s: the trial changed the state", name)
			}
			if sends := trial.Enqueued > 0; sends != (name == "sends") {
				t.Errorf("%s: %d are enqueued", name, trial.Enqueued)
			}
			for _, x := range c.mine(v).Receipts {
				if x.ID == v.Hash() && !bytes.Equal(x.AppendRecord(nil), trial.Receipt.AppendRecord(nil)) {
					t.Errorf("%s: tried %+v, executed %+v", name, trial.Receipt, x)
				}
			}
		})
	}
}

// What a transaction leads to is assessed in the rounds behind it.
func TestAssessedRounds(t *testing.T) {
	c := newChain(t, trialScript)
	c.mine()
	v := c.execute(person(1), actorAt(1), "post round")
	e, err := Assess(c.tip, v.Tx(), 0, c.script, nil)
	if err != nil || len(e.Follows) != 1 {
		t.Fatalf("%+v, %v", e, err)
	}
	c.mine(v)
	r := c.mine()
	if len(r.Receipts) != 1 || len(r.Receipts[0].ReturnData) == 0 || !bytes.Equal(r.Receipts[0].ReturnData, e.Follows[0].ReturnData) {
		t.Errorf("assessed %s, executed %+v", e.Follows[0].ReturnData, r.Receipts)
	}
}

// A trial says why no block could hold a transaction: the classes that admission gives.
//
// Spec: WP §2.2.
func TestTriedAndRefused(t *testing.T) {
	c := newChain(t, trialScript)
	c.mine(c.sign(person(1), &tx.Transfer{To: person(2), Amount: 1}))
	for name, one := range map[string]struct {
		edit func(*tx.Tx)
		want error
	}{
		"an older nonce":    {func(t *tx.Tx) { t.Nonce = 0 }, tx.ErrNonce},
		"value":             {func(t *tx.Tx) { t.Instruction = &tx.Transfer{To: person(2), Amount: 10_000 * unit.CBY} }, tx.ErrValue},
		"no coins for fees": {func(t *tx.Tx) { t.MaxFeePerCycle = uint64(unit.CBY) }, tx.ErrFunds},
		"below the basefee": {func(t *tx.Tx) { t.MaxFeePerCycle = 1 }, tx.ErrBelowBasefee},
		"below the base":    {func(t *tx.Tx) { t.CyclesLimit = 20_999 }, tx.ErrCycles},
		"another chain":     {func(t *tx.Tx) { t.ChainID = 2 }, tx.ErrWrongChain},
		"governed":          {func(t *tx.Tx) { t.Instruction = &tx.CancelTimer{} }, tx.ErrNotPrivileged},
	} {
		t.Run(name, func(t *testing.T) {
			x := &tx.Tx{ChainID: 1, Nonce: 1, Instruction: &tx.Transfer{To: person(2), Amount: 1}, CyclesLimit: 1_000_000, CellsLimit: 1_000,
				MaxFeePerCycle: 20_000, MaxFeePerCell: 20_000, From: person(1)}
			one.edit(x)
			if trial, err := Try(c.tip, x, 0, c.script, nil); err != nil || !errors.Is(trial.Refused, one.want) || trial.Receipt != nil {
				t.Errorf("%s: %+v, %v; want %v", name, trial, err, one.want)
			}
		})
	}
}

// A nonce that is not the next one counts the transactions before it.
func TestTriedAhead(t *testing.T) {
	c := newChain(t, trialScript)
	v := c.execute(person(1), actorAt(1), "ok", func(t *tx.Tx) { t.Nonce = 3 })
	trial, err := Try(c.tip, v.Tx(), 0, c.script, nil)
	if err != nil || trial.Ahead != 3 || trial.Receipt == nil || trial.Receipt.Status != block.Success {
		t.Errorf("%+v, %v", trial, err)
	}
}

// A final block is executed again, messages and all, up to what is asked for, with the outcomes it had.
func TestReplayed(t *testing.T) {
	c := newChain(t, trialScript)
	c.mine(c.execute(person(1), actorAt(1), "post"))
	parent := c.tip
	txs := []tx.Verified{c.execute(person(1), actorAt(1), "bad"), c.execute(person(2), actorAt(1), "ok"), c.execute(person(3), actorAt(3), "bad")}
	r := c.mine(txs...)
	b := &block.Block{Header: r.Header}
	for _, v := range r.Txs {
		b.Txs = append(b.Txs, v.Tx())
	}
	for i := range r.Receipts {
		var seen []digest.Hash
		err := Replay(Parent{Header: parent.Header, State: parent.State}, b, c.script, nil, func(turn *drain.Turn, o *drain.Outcome) bool {
			x := r.Receipts[len(seen)]
			seen = append(seen, turn.ID)
			if x.ID != turn.ID || (o.Fault != nil) != (x.Status != block.Success) {
				t.Errorf("execution %d is %v with fault %v; its receipt is %+v", len(seen), turn.ID, o.Fault, x)
			}
			return turn.ID == r.Receipts[i].ID
		})
		if err != nil || len(seen) != i+1 {
			t.Errorf("up to receipt %d: %d executions, %v", i, len(seen), err)
		}
	}
	if len(r.Receipts) != 4 {
		t.Errorf("%d receipts", len(r.Receipts))
	}
}

type atOnce struct{}

func (atOnce) Raised() bool { return true }

func TestReplayEnds(t *testing.T) {
	c := newChain(t, trialScript)
	parent := c.tip
	r := c.mine(c.execute(person(1), actorAt(1), "ok"))
	b := &block.Block{Header: r.Header, Txs: []*tx.Tx{r.Txs[0].Tx()}}
	err := Replay(parent, b, c.script, atOnce{}, func(*drain.Turn, *drain.Outcome) bool { return false })
	if !errors.Is(err, drain.ErrInterrupted) {
		t.Errorf("the replay ended with %v", err)
	}
}
