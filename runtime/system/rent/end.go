package rent

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/rent"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
)

// What the end of one block does. The sweep bills 22 million actors within a rent epoch of a day; eight MiB of storage are gone after 32 blocks.
//
// Spec: rent §6 (some K a block), §8 (bounded pieces).
const (
	sweptPerBlock    = 256
	evictedEntries   = 4_096
	evictedBytes     = 256 << 10
	evictedTimers    = 256
	evictingPerBlock = 64
)

// end announces what billing has caused in the block, goes on with evictions and with the sweep, and begins the next rent epoch when it is due.
//
// Spec: rent §6, §8.
func end(b *chapter.Boundary) error {
	c, err := rent.At(b.State)
	if err != nil {
		return err
	}
	if b.Block.Rent == nil {
		return nil
	}
	changed := c.Start(b.Block.Params, b.Header.Height)
	if err := evict(b); err != nil {
		return err
	}
	swept, err := sweep(b, c)
	if err != nil {
		return err
	}
	if began := c.Advance(b.Block.Params, b.Header.Height); changed || swept || began {
		c.Save(b.State)
	}
	for _, e := range b.Rent.Events {
		b.Emit(e.Topic, e.Data)
	}
	b.Burn(flow.Rent, b.Rent.Burned-b.Rent.Bonds)
	b.Burn(flow.Bonds, b.Rent.Bonds)
	return nil
}

// evict removes storage and timers of evicted actors, within the block's budget.
func evict(b *chapter.Boundary) error {
	list, err := rent.Evicting(b.State, evictingPerBlock)
	if err != nil {
		return err
	}
	budget := rent.Budget{Entries: evictedEntries, Bytes: evictedBytes}
	timers := evictedTimers
	for _, addr := range list {
		if timers > 0 {
			n, err := timer.PruneOwner(b.State, addr, timers)
			if err != nil {
				return err
			}
			if timers -= n; timers <= 0 { // some may be left: the storage waits
				return nil
			}
		}
		if budget.Entries <= 0 || budget.Bytes <= 0 {
			return nil
		}
		n, err := rent.Evict(b.State, addr, &budget)
		if err != nil {
			return err
		}
		b.Rent.Add(n)
	}
	return nil
}

// sweep bills the next actors of the list and reports whether the clock has changed.
func sweep(b *chapter.Boundary, c *rent.Clock) (bool, error) {
	if _, ok := c.Billing(); !ok {
		return false, nil
	}
	var list []account.Address
	err := rent.Listed(b.State, c.Cursor, sweptPerBlock, func(addr account.Address) bool {
		list = append(list, addr)
		return true
	})
	if err != nil {
		return false, err
	}
	for _, addr := range list {
		a, err := account.Load(b.State, addr)
		if err != nil {
			return false, err
		}
		n, err := b.Block.Rent.Settle(b.State, addr, &a)
		if err != nil {
			return false, err
		}
		b.Rent.Add(n)
		c.Met(addr, &a)
	}
	if len(list) < sweptPerBlock {
		c.Done()
	}
	return true, nil
}
