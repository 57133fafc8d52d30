package netfault

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Attack is an actor whose handler "attack" is to keep the validators busy.
type Attack struct{ Name, Source string }

// Struck is what an attack did.
type Struck struct {
	Attack
	Before Pace   // of quietBlocks before anything was sent
	Pace   Pace   // from sending on until two blocks after the last transaction that was mined
	Mined  int    // of Strikes, within waitBlocks blocks
	Ended  int    // turns that a proposer ended since they took too much of its time, by all nodes together
	Cycles uint64 // used by those that were mined
	Ending string // of one of them
}

// Pace is how blocks followed each other on the first node.
type Pace struct {
	Blocks        uint64
	Mean, Longest time.Duration
}

// String is the pace in seconds.
func (p Pace) String() string {
	return fmt.Sprintf("%.2f s a block, %.2f s longest", p.Mean.Seconds(), p.Longest.Seconds())
}

// Strikes is how many transactions of strikeCycles cycles an attack sends at once, each from an account of its own: together all that a block may hold.
const (
	Strikes      = int(params.BlockCycles / strikeCycles)
	strikeCycles = 20_000_000
	strikeCells  = 4_000_000
	deployCycles = 5_000_000
	deployCells  = 200_000
	strikeFee    = 1_000_000 // of a cycle and of a cell
	strikeWithin = 3 * time.Minute
	quietBlocks  = 8
	waitBlocks   = 12
	batch        = 16 // as many as one account may have waiting
)

// Attacks deploys actors on a network of processes and sends one after the other a full block of transactions, as anyone could with an ordinary client. told is
// called after each. Blocks without an attack just before each show what else the machine does.
//
// Spec: WP §6.1 (a block a second), §4.3.
func Attacks(c Config, list []Attack, told func(Struck)) (Result, error) {
	r := &course{Config: c}
	err := r.watched(func(ctx context.Context) error {
		r.witness.able(true)
		senders, receipts, err := r.prepare(ctx, list)
		for i := 0; err == nil && i < len(list); i++ {
			s := Struck{Attack: list[i]}
			if err = r.strike(ctx, senders[i*Strikes:][:Strikes], receipts[i], &s); err != nil {
				return fmt.Errorf("%s: %w", s.Name, err)
			}
			told(s)
		}
		return err
	})
	return r.result, err
}

// prepare gives accounts enough for a transaction of an attack each, and deploys the actors.
func (r *course) prepare(ctx context.Context, list []Attack) ([]*sig.PrivateKey, []wire.Receipt, error) {
	keys := make([]*sig.PrivateKey, len(list)*Strikes)
	var gifts, actors []tx.Instruction
	for i := range keys {
		raw := genesis.DevKey(fmt.Sprintf("attack %d", i), 0)
		k, err := sig.ParsePrivateKey(raw[:])
		if err != nil {
			return nil, nil, err
		}
		keys[i] = k
		gifts = append(gifts, &tx.Transfer{To: k.Address(), Amount: strikeFee * (strikeCycles + strikeCells)})
	}
	for i, a := range list {
		actors = append(actors, &tx.Deploy{Code: []byte(a.Source), Salt: fmt.Append(nil, i)})
	}
	if _, err := r.mined(ctx, gifts, 21_000, 0); err != nil {
		return nil, nil, err
	}
	receipts, err := r.mined(ctx, actors, deployCycles, deployCells)
	return keys, receipts, err
}

// mined sends instructions from the faucet, a batch at a time, and waits for their receipts.
func (r *course) mined(ctx context.Context, list []tx.Instruction, cycles unit.Cycles, cells unit.Cells) (receipts []wire.Receipt, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(1+len(list)/batch)*strikeWithin)
	defer cancel()
	for len(list) > 0 {
		n := min(batch, len(list))
		hashes, err := r.send(ctx, genesis.DevFaucet(), cycles, cells, list[:n]...)
		if err != nil {
			return nil, err
		}
		for _, hash := range hashes {
			x, err := r.nodes[0].client.Receipt(ctx, hash, lookEvery)
			for ; err != nil && ctx.Err() == nil; x, err = r.nodes[0].client.Receipt(ctx, hash, lookEvery) {
				time.Sleep(lookEvery) // a machine that is busy does not answer
			}
			if err != nil {
				return nil, err
			}
			receipts = append(receipts, x)
		}
		list = list[n:]
	}
	return receipts, nil
}

// strike lets one attack happen.
func (r *course) strike(ctx context.Context, senders []*sig.PrivateKey, receipt wire.Receipt, s *Struck) error {
	if !receipt.Success {
		s.Ending = "not deployed: " + receipt.Error.Why
		return nil
	}
	actor, err := account.ParseAddress(receipt.ActorAddress)
	if err != nil {
		return err
	}
	if s.Before, err = r.during(func() error { return r.advance(quietBlocks, strikeWithin) }); err != nil {
		return err
	}
	ended := r.ended(actor)
	s.Pace, err = r.during(func() error { return r.hit(ctx, senders, actor, s) })
	s.Ended = r.ended(actor) - ended
	return err
}

// ended counts how often the nodes ended a turn of an actor for the time it took.
func (r *course) ended(actor account.Address) (n int) {
	for _, node := range r.nodes {
		text, err := os.ReadFile(node.logPath())
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, " a turn was ended") && strings.Contains(line, actor.String()) {
				n++
			}
		}
	}
	return n
}

// hit sends a full block of transactions to an attack's actor and waits until two blocks after the last of them, or for waitBlocks blocks.
func (r *course) hit(ctx context.Context, senders []*sig.PrivateKey, actor account.Address, s *Struck) error {
	var waiting []string
	for _, k := range senders {
		hashes, err := r.send(ctx, k, strikeCycles, strikeCells, &tx.Execute{To: actor, Handler: []byte("attack"), Payload: []byte("x")})
		if err != nil {
			return err
		}
		waiting = append(waiting, hashes...)
	}
	last := r.height()
	for end := last + waitBlocks; len(waiting) > 0 && r.height() < end; {
		if err := r.advance(1, strikeWithin); err != nil {
			return err
		}
		left := waiting[:0]
		for _, hash := range waiting {
			var x wire.Receipt
			if err := r.nodes[0].client.Read(ctx, "/transaction/"+hash+"/receipt", &x); err != nil { // not yet, or nobody answered
				left = append(left, hash)
				continue
			}
			s.Mined, s.Cycles, last = s.Mined+1, s.Cycles+x.CyclesUsed, max(last, x.BlockHeight)
			s.Ending = x.Status
			if x.Error != nil {
				s.Ending = strings.SplitN(x.Error.Why, "\n", 2)[0]
			}
		}
		waiting = left
	}
	return r.advance(last+2-min(r.height(), last+2), strikeWithin)
}

// during lets events happen and gives the pace of the blocks meanwhile.
func (r *course) during(events func() error) (Pace, error) {
	watched, done := make(chan Pace), make(chan struct{})
	go func() { watched <- r.pace(done) }()
	err := events()
	close(done)
	return <-watched, err
}

// pace watches the first node until done is closed.
func (r *course) pace(done <-chan struct{}) (p Pace) {
	tick := time.NewTicker(lookEvery / 5)
	defer tick.Stop()
	var first, height uint64
	var began, moved time.Time
	for {
		select {
		case <-done:
			if p.Blocks = height - first; p.Blocks > 0 {
				p.Mean = moved.Sub(began) / time.Duration(p.Blocks)
			}
			return p
		case <-tick.C:
		}
		if h, err := r.nodes[0].height(); err == nil && h > height {
			now := time.Now()
			if height == 0 {
				first, began = h, now
			} else {
				p.Longest = max(p.Longest, now.Sub(moved))
			}
			height, moved = h, now
		}
	}
}

// send sends instructions from one account and gives the transactions' hashes.
func (r *course) send(ctx context.Context, from *sig.PrivateKey, cycles unit.Cycles, cells unit.Cells, list ...tx.Instruction) ([]string, error) {
	client := r.nodes[0].client
	owner, err := client.Account(ctx, from.Address().String())
	if err != nil {
		return nil, err
	}
	data := codec.AppendLen([]byte{1}, len(list))
	for i, in := range list {
		t := &tx.Tx{
			ChainID: chainID, Nonce: owner.Nonce + uint64(i), Instruction: in, CyclesLimit: cycles, CellsLimit: cells,
			From: from.Address(), MaxFeePerCycle: strikeFee, MaxFeePerCell: strikeFee,
		}
		t.Signature = from.Sign(t.SigningHash())
		data = append(data, t.Encode()...)
	}
	reply, err := client.Submit(ctx, data)
	for _, refused := range reply.Errors {
		if refused != nil {
			return nil, fmt.Errorf("not taken: %s", refused.Why)
		}
	}
	return reply.Hashes, err
}
