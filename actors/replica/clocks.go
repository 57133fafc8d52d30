package replica

import (
	"slices"
	"time"
)

// ClockDrift is how far ahead of this node's clock a proposal may be before it has to wait.
const ClockDrift = 500 * time.Millisecond

// clockProposals are how many of a leader's newest proposals tell of its clock.
const clockProposals = 4

// Clock is what the proposals of a leader tell of its clock.
type Clock struct {
	Rank uint32
	// Ahead is how far the leader's clock is at least ahead of this node's: the most, of its newest proposals, by which the timestamp was ahead when this node
	// was asked about the block. Below zero the leader's clock is behind, or its blocks take that long to come.
	Ahead time.Duration
	At    time.Time // of the newest one, by this node's clock

	newest [clockProposals]time.Duration
	count  int
}

// told takes the clock of a block's proposer down, once for each block whose proof verified.
func (s *state) told(n *node) {
	rank := n.block.Header.ProposerIndex
	if n.timed || rank == s.epoch.self {
		return
	}
	n.timed = true
	list := slices.Clone(s.epoch.clocks) // others read the one that was published
	at, found := slices.BinarySearchFunc(list, rank, func(c Clock, rank uint32) int { return int(c.Rank) - int(rank) })
	if !found {
		list = slices.Insert(list, at, Clock{Rank: rank})
	}
	c := &list[at]
	c.newest[c.count%clockProposals] = time.UnixMilli(int64(n.block.Header.TimestampMs)).Sub(n.asked)
	c.count++
	c.Ahead, c.At = slices.Max(c.newest[:min(c.count, clockProposals)]), n.asked
	s.epoch.clocks = list
}
