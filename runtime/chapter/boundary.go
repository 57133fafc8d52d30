package chapter

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/rent"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// Boundary is the beginning or the end of a block as a chapter meets it.
type Boundary struct {
	Block  *drain.Block
	Header *block.Header // of the block; roots, counts and use are not known yet
	State  *state.Overlay
	Home   account.Address // the chapter's first
	Opens  bool            // it is the beginning

	// Events go into one receipt of the chapter.
	Events []block.Event
	// Burned is coin the chapter destroyed, in base units, and Flows are its causes: see Burn.
	Burned unit.Amount
	Flows  []flow.Line

	// Sums are what the turns of the block added to the chapter's sums, in the order in which each was first added to; nil at the beginning.
	Sums []drain.Sum
	// Rent is what billing actors outside of turns has caused in the block so far; the chapter of rent announces it.
	Rent *rent.Notes
	// Release counts one item an origin's pool was held open for as done, when done, and so many messages as pending that were sent in its stead.
	Release func(origin digest.Hash, sent uint32, done bool) error
}

// Bill has an actor pay the rent of the epochs that have begun, before anything changes its balance or its size.
//
// Spec: rent §6.
func (b *Boundary) Bill(addr account.Address) error {
	n, err := b.Block.Rent.Touch(b.State, addr)
	if err == nil {
		b.Rent.Add(n)
	}
	return err
}

// Param reads a parameter group of a chapter: what the state has, or the default.
//
// Spec: WP §13.1.
func (b *Boundary) Param(p *Param) ([]byte, error) { return paramOf(b.State, p) }

// Emit adds an event of the chapter's first home.
func (b *Boundary) Emit(topic string, data []byte) {
	b.Events = append(b.Events, block.Event{Actor: b.Home, Topic: []byte(topic), Data: data})
}

// Burn destroys coins that were taken from an account, for a cause of package flow.
func (b *Boundary) Burn(cause string, amount unit.Amount) {
	b.Burned += amount // coins of balances, which together fit
	if amount > 0 {
		b.Flows = append(b.Flows, flow.Line{Kind: flow.Burned, Label: cause, Amount: amount})
	}
}

// Sum is what the turns of the block added to one of the chapter's sums.
func (b *Boundary) Sum(name string) int64 {
	for _, s := range b.Sums {
		if s.ID.Name == name {
			return s.Delta
		}
	}
	return 0
}

// Receipt is what the chapter's events of the block stand in; nil where there are none.
func (b *Boundary) Receipt(c *Chapter) *block.Receipt {
	if len(b.Events) == 0 {
		return nil
	}
	domain := c.Domain
	if domain == "" {
		domain = "cowboy-chapter-" + string(c.Name) + ":"
	}
	if b.Opens { // a block may have both
		domain += "begin:"
	}
	id := digest.Keccak256([]byte(domain), binary.BigEndian.AppendUint64(nil, uint64(b.Header.Height)))
	return &block.Receipt{Kind: block.System, ID: id, Target: b.Home, Events: b.Events}
}
