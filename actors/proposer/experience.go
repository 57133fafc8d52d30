package proposer

import (
	"slices"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/executor"
	"github.com/cowboyinc/cowboy-go/actors/recent"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

const (
	// asideMost bounds the transactions that are put aside, and the senders whose are.
	asideMost = 4096
	// asideFor is for how many blocks one stays aside that was not tried.
	asideFor = 3_600
	// senderFor is for how many blocks the transactions of a sender whose last one was dropped are put aside from the start.
	senderFor = 600
	// quickMost bounds the transactions that are known to have been executed in time.
	quickMost = 8192
	// littleOf is which part of the budget a transaction may take without being what a proposal is lost for.
	littleOf = 8
	// aloneEvery is how many proposals of this node come to one that is made for a transaction which was put aside.
	aloneEvery = 8
)

// choice is how a proposal picks its transactions.
type choice uint8

const (
	common choice = iota // all but those that are put aside
	single               // one that was put aside, if there is one to try; otherwise common
	cheap                // those that are known to take little time
	none
)

// experience is what this node has seen of the time that transactions take. It decides what this node proposes and nothing else; another node may have seen
// other things. What is put aside is looked up by the lanes while they offer.
type experience struct {
	aside   recent.Table[digest.Hash, unit.Height]     // up to this height
	senders recent.Table[account.Address, unit.Height] // of dropped ones, likewise
	quick   recent.Table[digest.Hash, struct{}]
	until   unit.Height   // up to which something may be put aside
	since   int           // proposals since the last one that was made for one transaction
	tried   *tx.Verified  // for which the latest of those was
	longest executor.Slow // of the latest block that was built here
	heavy   *tx.Verified  // that took longest in the latest proposal, unless it took little
	alone   bool          // which was made for it
	emptied bool          // the latest block that was built here holds nothing, since the turn of a transaction was ended
	idle    bool          // the last proposal found nothing else to hold
	owed    time.Duration // what the latest block had to hold behind its transactions
}

// choose says how the next proposal picks, after so many views in a row that were lost although their leader was waited for.
func (c *experience) choose(stalled uint64, now unit.Height) choice {
	c.since++
	emptied := c.emptied
	c.emptied = false
	switch {
	case stalled >= 2:
		return none
	case stalled == 1 || emptied:
		return cheap
	case now < c.until && (c.idle || c.since >= aloneEvery):
		return single
	}
	return common
}

// budget is how much of the time for a block its transactions may take: the rest is for what comes behind them, but half of it at most.
func (c *experience) budget(whole time.Duration) time.Duration { return whole - min(c.owed, whole/2) }

// plain says whether a transaction hands no turn out.
func plain(v tx.Verified) bool {
	row, _ := tx.RowOf(v.Tx().Instruction.Opcode())
	return row.Payment != tx.NoPayment
}

// suspect says whether a transaction is put aside.
func (c *experience) suspect(v tx.Verified, now unit.Height) bool {
	if until, found := c.aside.Find(v.Hash()); found && now < until {
		return true
	}
	until, found := c.senders.Find(v.Tx().From)
	return found && now < until && !plain(v)
}

// takes says which transactions the lanes are to offer. The result may be called anywhere; nil takes all.
func (c *experience) takes(how choice, now unit.Height) func(tx.Verified) bool {
	switch how {
	case common:
		if now >= c.until {
			return nil
		}
		return func(v tx.Verified) bool { return !c.suspect(v, now) }
	case cheap:
		return func(v tx.Verified) bool {
			_, quick := c.quick.Find(v.Hash())
			return (plain(v) || quick) && !c.suspect(v, now)
		}
	}
	return nil
}

// trial picks the transaction to try alone among those that can be executed: the first of its sender, another one each time. It gives nil where none is put
// aside.
func (c *experience) trial(candidates []tx.Verified, now unit.Height) []tx.Verified {
	var found []tx.Verified
	for i, v := range candidates { // by sender and nonce
		if (i == 0 || candidates[i-1].Tx().From != v.Tx().From) && c.suspect(v, now) {
			found = append(found, v)
		}
	}
	if len(found) == 0 {
		return nil
	}
	at := int(uint64(now) % uint64(len(found)))
	c.since, c.tried = 0, &found[at]
	return found[at : at+1]
}

// learn takes what the executor saw of a block, this node's or another's. It gives the transaction that is to be dropped: it had a block of this node to
// itself, and had to be ended all the same.
func (c *experience) learn(r executor.Report) (dropped *tx.Verified) {
	c.owed = r.Owed
	if r.Mode == transition.Build {
		ended := func(s executor.Slow) bool { return s.Kind == block.Transaction && s.Ended }
		c.emptied = len(r.Txs) == 0 && (r.Cut != (digest.Hash{}) || slices.ContainsFunc(r.Slow, ended))
		c.longest = r.Longest
	}
	for _, v := range r.Txs {
		if !plain(v) {
			c.quick.Put(v.Hash(), struct{}{}, quickMost)
		}
	}
	if r.Cut != (digest.Hash{}) { // others are to have a block, too; it is not dropped, since another node or hour may be less busy
		c.quick.Take(r.Cut)
		c.putAside(r.Cut, r.Height)
	}
	for i := range r.Slow {
		s := &r.Slow[i]
		switch {
		case s.Kind != block.Transaction:
		case s.Ended && r.Mode == transition.Build && c.tried != nil && c.tried.Hash() == s.ID:
			dropped, c.tried = c.tried, nil
			c.drop(dropped, s.Height)
		default:
			c.quick.Take(s.ID)
			c.putAside(s.ID, s.Height)
		}
	}
	return dropped
}

// drop forgets a transaction and puts what else its sender executes aside.
func (c *experience) drop(v *tx.Verified, now unit.Height) {
	c.aside.Take(v.Hash())
	c.senders.Put(v.Tx().From, now+senderFor, asideMost)
	c.until = max(c.until, now+senderFor)
}

// review looks what became of the latest proposal, at the state the next one stands on. If it was lost, others may have needed longer for it than this
// node: the transaction that took longest is put aside, or given to be dropped if it was alone. An error is a failing state source.
func (c *experience) review(parent state.Reader, now unit.Height) (dropped *tx.Verified, err error) {
	v := c.heavy
	if v == nil {
		return nil, nil
	}
	c.heavy = nil
	sender, err := account.Load(parent, v.Tx().From)
	if err != nil || sender.Nonce > v.Tx().Nonce {
		return nil, err
	}
	c.quick.Take(v.Hash())
	if c.alone {
		c.drop(v, now)
		return v, nil
	}
	c.putAside(v.Hash(), now)
	return nil, nil
}

func (c *experience) putAside(hash digest.Hash, now unit.Height) {
	if until, found := c.aside.Find(hash); !found || now >= until {
		c.aside.Put(hash, now+asideFor, asideMost)
		c.until = max(c.until, now+asideFor)
	}
}

// settle takes what became of a block that was built: a transaction that was tried alone and is in it is put aside no longer. One that took little is not
// what the proposal is lost for.
func (c *experience) settle(w *work, result *transition.Result, little time.Duration) {
	asked := (w.how == common || w.how == single) && !w.empty // for everything there is
	c.idle = asked && len(result.Txs) == 0 && w.trial == nil
	if w.trial != nil && len(result.Txs) > 0 {
		c.aside.Take(w.trial.Hash())
	}
	c.tried, c.heavy, c.alone = nil, nil, w.trial != nil
	for i, v := range result.Txs {
		if c.longest.Took > little && v.Hash() == c.longest.ID {
			c.heavy = &result.Txs[i]
		}
	}
}
