package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/node"
	"github.com/cowboyinc/cowboy-go/actors/rpc"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/cmd/internal/version"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// devnetCommand runs several validators in one process.
func devnetCommand(s *settings, out io.Writer) *cobra.Command {
	// Flags of their own: registering one writes its default, and these are not those of a node that is alone.
	var processes bool
	var validators, port int
	var own runners
	var keys proxies
	var disks stores
	c := &cobra.Command{
		Use: "devnet", Short: "Run a development network of several validators on this machine", Args: cobra.NoArgs,
		Long: "Run a development network of several validators on this machine, connected by QUIC over loopback. Each has its own tree, data directory\n" +
			"(node-0, node-1, …), HTTP interface and peer-to-peer port: the first on --rpc-port and --p2p-port, the others on those after them.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			s.validators, s.p2pPort, s.runners, s.proxies, s.stores = validators, port, own, keys, disks
			if err := errors.Join(s.kept.check(), own.check(), keys.check(), disks.check(), s.portal.check()); err != nil {
				return usageError{err}
			}
			if err := s.checkNetwork(); err != nil {
				return usageError{err}
			}
			if processes && own.count > 0 {
				return usageError{errRunners}
			}
			if processes && keys.count > 0 {
				return usageError{errProxies}
			}
			if processes && disks.count > 0 {
				return usageError{errRelays}
			}
			if processes && s.portal.wanted() {
				return usageError{errGateway}
			}
			if processes {
				return runProcesses(cmd.Context(), s, out)
			}
			return runDevnet(cmd.Context(), s, out)
		},
	}
	nodeFlags(c, s)
	c.Flags().IntVar(&validators, "validators", 4, "number of validators")
	c.Flags().StringVar(&s.p2pHost, "p2p-host", "127.0.0.1", "address the peer-to-peer ports are bound to")
	c.Flags().IntVar(&port, "p2p-port", 4300, "UDP port of the first validator")
	own.flags(c.Flags())
	keys.flags(c.Flags())
	disks.flags(c.Flags())
	c.Flags().BoolVar(&processes, "processes", false, "one process per validator instead of one for all")
	return c
}

// devnet is the nodes of this process.
type devnet struct {
	nodes   []*node.Node
	settled []*settings
	halted  chan halted
}

// halted says which node stopped itself.
type halted struct {
	node int
	halt supervision.Halt
}

// runDevnet is the life of all nodes.
func runDevnet(ctx context.Context, s *settings, out io.Writer) (err error) {
	if s.blockTime <= 0 {
		return usageError{errors.New("--block-time is more than zero")}
	}
	log, err := newLog(out, s.logLevel, s.logFormat)
	if err != nil {
		return usageError{err}
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	spec, err := genesis.Devnet(s.chainID, s.validators)
	if err != nil {
		return err
	}
	d := &devnet{halted: make(chan halted, s.validators)}
	defer func() { err = errors.Join(err, s.stopServices()) }()
	for i := 0; i < s.validators && ctx.Err() == nil; i++ {
		if err := d.start(ctx, s, spec, i, log); err != nil {
			return errors.Join(explain(s, err), d.stop())
		}
	}
	log.Info().Uint64("chain", s.chainID).Int("validators", s.validators).Str("data", where(s)).Msg("cowboyd " + version.Version + " devnet is up")
	select {
	case <-ctx.Done():
		log.Info().Msg("stopping")
		return d.stop()
	case h := <-d.halted:
		log.Error().Int("node", h.node).Str("subsystem", h.halt.Subsystem).Msg(h.halt.Reason)
		if !s.memory {
			writeHalt(d.settled[h.node].dataDir, h.halt)
		}
		return haltedError{errors.Join(fmt.Errorf("node %d: %s%s", h.node, h.halt.String(), advice(d.settled[h.node].dataDir, h.halt.Reason)), d.stop())}
	}
}

// start brings one node up and connects it.
func (d *devnet) start(ctx context.Context, s *settings, spec *genesis.Spec, i int, log zerolog.Logger) error {
	own := *s
	own.rank, own.p2pPort = i, s.p2pPort+i
	own.dataDir = filepath.Join(s.dataDir, fmt.Sprintf("node-%d", i))
	if i > 0 {
		own.admin, own.portal = "", portal{} // the first node's
	}
	if s.rpcPort != 0 {
		own.rpcPort = s.rpcPort + i
	}
	listener, err := rpc.Listen(net.JoinHostPort(own.rpcHost, strconv.Itoa(own.rpcPort)))
	if err != nil {
		return err
	}
	if i == 0 {
		if err := s.startServices(ctx, listener.Addr(), log); err != nil {
			return errors.Join(err, listener.Close())
		}
		own.runners = s.runners
	}
	log = log.With().Int("node", i).Logger()
	if i > 0 && log.GetLevel() == zerolog.InfoLevel {
		log = log.Level(zerolog.WarnLevel) // every node finalizes the same blocks
	}
	if err := own.serving.open(log); err != nil {
		return errors.Join(err, listener.Close())
	}
	n, err := assemble(&own, spec, listener, log, nil)
	if err != nil {
		return errors.Join(err, listener.Close(), own.portal.end())
	}
	starting, cancel := context.WithTimeout(ctx, startWithin)
	defer cancel()
	if err := n.Start(starting); err != nil && ctx.Err() == nil {
		return errors.Join(err, end(n))
	} else if err != nil { // told to stop before it was up
		return end(n)
	}
	d.nodes, d.settled = append(d.nodes, n), append(d.settled, &own)
	go func() {
		if h, ok := <-n.Halted(); ok {
			d.halted <- halted{i, h}
		}
	}()
	return nil
}

// stop takes the nodes down, the last first.
func (d *devnet) stop() error {
	var err error
	for i := len(d.nodes) - 1; i >= 0; i-- {
		err = errors.Join(err, end(d.nodes[i]))
		err = errors.Join(err, d.settled[i].portal.end())
		d.settled[i].endTraces()
	}
	return err
}
