package daemon

import (
	"fmt"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/node"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// lingerFor is how long a node that reached its last height goes on answering others: who is a vote behind gets the certificates from it.
const lingerFor = 5 * time.Second

// last stops a node at a height.
type last struct {
	height  unit.Height // 0: none
	reached chan struct{}
}

// watch has reached closed some time after the height is durable.
func (l *last) watch(n *node.Node, log zerolog.Logger) {
	if l.height == 0 {
		return
	}
	reached := sync.OnceFunc(func() {
		log.Info().Uint64("height", uint64(l.height)).Msgf("the last block is durable; stopping in %s", lingerFor)
		time.AfterFunc(lingerFor, func() { close(l.reached) })
	})
	n.Ledger.Subscribe(func(f *ledger.Final) {
		if f.Height() >= l.height {
			reached()
		}
	})
}

// check refuses a chain that was at the height when the node started, or beyond.
func (l *last) check(at unit.Height) error {
	if l.height == 0 || at < l.height {
		return nil
	}
	return fmt.Errorf("--halt-height is %d, and the chain is at block %d already\n  start without it to go on", l.height, at)
}
