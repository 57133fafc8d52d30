package daemon

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/actors/node"
	"github.com/cowboyinc/cowboy-go/actors/rpc"
	"github.com/cowboyinc/cowboy-go/actors/rpc/dev"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// notOpened is a node that did not come up.
type notOpened struct{ error }

func (e notOpened) Unwrap() error { return e.error }

// alone tells whether a node is of a development network of its own: one validator whose keys everybody knows, and no way to peers.
func (s *settings) alone(spec *genesis.Spec) bool {
	return s.config == nil && s.genesisFile == "" && s.p2pPort == 0 && len(s.peers) == 0 && len(s.boot) == 0 &&
		s.developing() && dev.Allowed(spec)
}

// live is the node's life: one run, or several where a developer takes snapshots and goes back to them.
func live(ctx context.Context, s *settings, spec *genesis.Spec, listener net.Listener, log zerolog.Logger) (err error) {
	defer func() { err = errors.Join(err, s.stopServices()) }()
	var controls *dev.Controls
	if !s.alone(spec) && s.mining != "" {
		return usageError{errors.New("--mining is for a development network of one validator; others make a block each --block-time")}
	}
	if s.alone(spec) {
		if s.mining == "" {
			s.mining = dev.Auto
			if s.paced {
				s.mining = dev.Interval
			}
		}
		dir := s.dataDir
		if s.memory {
			dir = ""
		}
		controls = dev.New(s.blockTime, s.mining, dir)
		if controls.Snapshots != nil {
			if err := controls.Snapshots.Undo(); err != nil { // a revert that did not end
				return explain(s, err)
			}
		}
	}
	if s.runners.count > 0 && !s.alone(spec) {
		return usageError{errRunners}
	}
	if s.proxies.count > 0 && !s.alone(spec) {
		return usageError{errProxies}
	}
	if s.stores.count > 0 && !s.alone(spec) {
		return usageError{errRelays}
	}
	if err := s.startServices(ctx, listener.Addr(), log); err != nil {
		return explain(s, err)
	}
	if s.runners.running != nil {
		controls.Fleet = s.runners.running
	}
	address := listener.Addr().String()
	var last *dev.Task
	for {
		next, err := serve(ctx, s, spec, listener, log, controls)
		var closed notOpened
		switch {
		case errors.As(err, &closed) && ctx.Err() == nil && last != nil:
			log.Error().Err(err).Msg(last.Name + " is undone")
			if err := controls.Failed(*last, err); err != nil {
				return explain(s, err)
			}
			last = nil
		case err != nil || next == nil:
			return err
		default:
			controls.Perform(*next)
			last = next
		}
		if listener, err = rpc.Listen(address); err != nil {
			return explain(s, err)
		}
	}
}

// interval is the replica's: a development network that is mined by hand has none.
func (s *settings) interval(controls *dev.Controls) time.Duration {
	if controls != nil {
		return controls.Pacing()
	}
	return s.blockTime
}

// developed puts a developer's clock and panics under the tree.
func developed(controls *dev.Controls, c supervision.Config) supervision.Config {
	if controls != nil {
		c.Clock, c.Inject = controls.Clock, controls.Panics.Inject
	}
	return c
}

// controlled has traces follow the node, and a developer's controls say when blocks are made.
func controlled(t traces, controls *dev.Controls, backend *rpc.Node, n *node.Node) {
	t.follow(backend)
	if controls != nil {
		controls.Mine(backend, n.Replica)
		n.Ledger.Subscribe(controls.Final)
	}
}
