package ledger

import (
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

const (
	// groupMax bounds the blocks of a group.
	groupMax = 160
	// groupTransactions bounds the transactions of a group; one block always fits.
	groupTransactions = 4_096
)

// group is blocks that were asked to be committed and are not durable yet. Nobody was told of any of them.
type group struct {
	list         []Commit
	fresh        []*Final // those of list that the store does not hold, ascending
	transactions int
}

// last gives the newest block: of the group, or else the tip.
func (g *group) last(tip *Tip) (*block.Header, digest.Hash) {
	if n := len(g.fresh); n > 0 {
		return &g.fresh[n-1].Block.Header, g.fresh[n-1].Hash
	}
	return tip.Header, tip.Hash
}

func (g *group) take(c Commit, fresh bool) {
	g.list = append(g.list, c)
	g.transactions += len(c.Final.Block.Txs)
	if fresh {
		g.fresh = append(g.fresh, c.Final)
	}
}

func (g *group) full() bool { return len(g.list) == groupMax || g.transactions >= groupTransactions }

// at gives the fresh block at a height, or nil.
func (g *group) at(height unit.Height) *Final {
	if len(g.fresh) == 0 || height < g.fresh[0].Height() || height > g.fresh[len(g.fresh)-1].Height() {
		return nil
	}
	return g.fresh[height-g.fresh[0].Height()]
}
