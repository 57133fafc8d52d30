package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/actors/executor"
	"github.com/cowboyinc/cowboy-go/actors/index"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/node"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/actors/rpc"
	"github.com/cowboyinc/cowboy-go/actors/rpc/admin"
	"github.com/cowboyinc/cowboy-go/actors/rpc/dev"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/internal/version"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/supervision"
)

const (
	startWithin = time.Minute
	stopWithin  = 20 * time.Second
	// haltFile tells whoever looks at the data directory why the node stopped by itself.
	haltFile     = "HALTED"
	evidenceFile = "EVIDENCE"
)

// networks with a faucet. Spec: node-rpc-cli §2.5.
const (
	chainLocal = 1
	chainDev   = 100
)

func envInt(name string, fallback int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil && n >= 0 {
		return n
	}
	return fallback
}

// run is the node's life from its first check to its orderly end.
func run(ctx context.Context, s *settings, out io.Writer) error {
	if s.blockTime <= 0 {
		return usageError{errors.New("--block-time is more than zero")}
	}
	if s.admin != "" {
		if err := admin.CheckAddress(s.admin); err != nil {
			return usageError{fmt.Errorf("--admin: %w", err)}
		}
	}
	log, err := newLog(out, s.logLevel, s.logFormat)
	if err != nil {
		return usageError{err}
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	listener, err := rpc.Listen(net.JoinHostPort(s.rpcHost, strconv.Itoa(s.rpcPort)))
	if err != nil {
		return explain(s, err)
	}
	defer listener.Close()
	if err := s.checkNetwork(); err != nil {
		return usageError{err}
	}
	if err := s.kept.check(); err != nil {
		return usageError{err}
	}
	spec, err := s.spec(s.validators)
	if err != nil {
		return err
	}
	return live(ctx, s, spec, listener, log)
}

// serve runs one node until it is told to stop or stops itself; task is what a developer wants done before it is opened again.
func serve(ctx context.Context, s *settings, spec *genesis.Spec, listener net.Listener, log zerolog.Logger, controls *dev.Controls) (task *dev.Task, err error) {
	defer s.endTraces()
	n, err := assemble(s, spec, listener, log, controls)
	if err != nil {
		return nil, notOpened{explain(s, err)}
	}
	starting, cancel := context.WithTimeout(ctx, startWithin)
	defer cancel()
	if err := n.Start(starting); err != nil && ctx.Err() == nil {
		return nil, notOpened{errors.Join(explain(s, err), end(n))}
	} else if err != nil { // told to stop before it was up
		log.Info().Msg("stopping")
		return nil, end(n)
	}
	var tasks <-chan dev.Task
	if controls != nil {
		if err := controls.Opened(); err != nil {
			return nil, errors.Join(err, end(n))
		}
		tasks = controls.Tasks()
	}
	log.Info().Uint64("chain", s.chainID).Str("rpc", "http://"+listener.Addr().String()).Str("data", where(s)).Msg("cowboyd " + version.Version + " is up")
	select {
	case <-ctx.Done():
		log.Info().Msg("stopping")
		return nil, end(n)
	case t := <-tasks:
		log.Info().Msg(t.Name)
		return &t, end(n)
	case halt := <-n.Halted():
		log.Error().Str("subsystem", halt.Subsystem).Msg(halt.Reason)
		if !s.memory {
			writeHalt(s.dataDir, halt)
		}
		return nil, haltedError{errors.Join(errors.New(halt.String()+advice(halt.Reason)), end(n))}
	}
}

// advice says what a person does about a halt; finalized blocks are safe after every one.
func advice(reason string) string {
	if strings.Contains(reason, disk.ErrFull.Error()) {
		return "\n  free some space and start the node again; no finalized block was lost"
	}
	return "\n  start the node again; if it halts again, keep the data directory and report what " + haltFile + " says"
}

func end(n *node.Node) error {
	ctx, cancel := context.WithTimeout(context.Background(), stopWithin)
	defer cancel()
	return n.Stop(ctx)
}

func where(s *settings) string {
	if s.memory {
		return "memory"
	}
	return s.dataDir
}

// explain adds what to do to the errors a person meets when starting.
func explain(s *settings, err error) error {
	var foreign *store.ForeignError
	var corrupt *store.CorruptError
	switch {
	case errors.As(err, &foreign):
		return fmt.Errorf("%s belongs to another chain (%w)\n  use another --data-dir, or the --chain-id it was made with", s.dataDir, err)
	case errors.As(err, &corrupt):
		return fmt.Errorf("%s is damaged: %w\n  nothing was changed; restore it from a copy, or remove it to start a new chain", s.dataDir, err)
	case errors.Is(err, disk.ErrLocked):
		return fmt.Errorf("%s is in use by another cowboyd\n  stop that process first; two nodes with one validator's keys would be punished for double signing", s.dataDir)
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("%w\n  end what uses the port, or choose another: --rpc-port, --p2p-port, --admin", err)
	case errors.Is(err, disk.ErrFull):
		return fmt.Errorf("no space left for %s: %w", s.dataDir, err)
	}
	return err
}

// open gives the chain's store, the validator's journal and the place of its shares.
func open(s *settings, spec *genesis.Spec) (chain ledger.Store, journal, shares disk.Disk, err error) {
	if s.memory {
		chain, err = ledger.NewMemory(spec, state.Config{})
		return chain, disk.NewMemory(), disk.NewMemory(), err
	}
	if chain, err = openStore(s, spec); err != nil {
		return nil, nil, nil, err
	}
	if journal, err = disk.NewDirectory(filepath.Join(s.dataDir, "journal")); err == nil {
		shares, err = disk.NewDirectory(filepath.Join(s.dataDir, "shares"))
	}
	if err != nil {
		return nil, nil, nil, errors.Join(err, chain.Close())
	}
	return chain, journal, shares, nil
}

func openStore(s *settings, spec *genesis.Spec) (*ledger.Disk, error) {
	path := filepath.Join(s.dataDir, "chain")
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, err
	}
	d, err := disk.NewDirectory(path)
	if err != nil {
		return nil, err
	}
	return ledger.OpenDisk(d, filepath.Join(path, "image"), spec, s.kept.options())
}

// assemble wires node, index and HTTP interface.
func assemble(s *settings, spec *genesis.Spec, listener net.Listener, log zerolog.Logger, controls *dev.Controls) (*node.Node, error) {
	validator, err := s.validator(spec)
	if err != nil {
		return nil, err
	}
	clients, operators, err := s.crowds()
	if err != nil {
		return nil, err
	}
	chain, journal, shares, err := open(s, spec)
	if err != nil {
		return nil, err
	}
	genesisBlock, err := chain.Block(0)
	if err != nil {
		return nil, errors.Join(err, chain.Close())
	}
	if controls != nil {
		controls.Opening(chain.Header().TimestampMs)
	}
	activity := index.NewHandle()
	indexPath, err := indexFile(s)
	if err != nil {
		return nil, errors.Join(err, chain.Close())
	}
	rpcInbox := rpc.NewInbox()
	levels := admin.NewLevels(log.GetLevel())
	var metrics *admin.Metrics
	started := time.Now()
	first := &handover{listener: listener}
	network, err := newNetwork(s, genesisBlock.Hash(), log)
	if err != nil {
		return nil, errors.Join(err, chain.Close())
	}
	traces, err := s.traces()
	if err != nil {
		return nil, errors.Join(err, chain.Close())
	}
	lost := &views{log: levels.Logger(log, "core/replica")} // its status comes with the node
	slow := &slows{log: levels.Logger(log, "core/executor")}
	n, err := node.New(node.Config{
		Genesis: spec, Validator: validator, Interval: s.blockTime, Store: chain, Journal: journal, Shares: shares, Link: network.link,
		Snapshot:  s.kept.behind(),
		Network:   network.members,
		NewRunner: func() drain.Runner { return traces.around(host.New(host.NewPrograms())) },
		Proposed:  traces.proposed(),
		Workers:   max(s.workers, 1), Cores: runtime.NumCPU(),
		Evidence: func(e *executor.Evidence) { writeEvidence(s, e, log) },
		Accuse: func(e *simplex.Evidence) {
			log.Warn().Uint32("validator", e.Signer).Str("kind", e.Offence.String()).Msg("misbehaviour proven")
		},
		Suspect: func(p *replica.Suspect) { keepSuspect(s, p, log) },
		Disputed: func(a *simplex.Accusation) {
			log.Error().Uint32("validator", a.Accused).Str("block", a.Subject.BlockHash.String()).Uint64("height", a.Subject.Height).
				Msg("more than a third of the validators accuse another of a block that is valid here: they lie, or this node errs")
		},
		GaveUp: lost.gaveUp, Slow: slow.turn, Dropped: slow.dropped, Processor: executor.Processor, Budget: s.budget,
		Supervision: developed(controls, supervision.Config{
			Seed: uint64(started.UnixNano()), Observe: func(e supervision.Event) { observe(levels.Logger(log, e.Subsystem), e) },
		}),
		Intake: func(n *node.Node) []supervision.Spec {
			backend := &rpc.Node{
				ChainID: s.chainID, Version: version.Version, Ledger: n.Ledger, Index: activity, Pool: n.Lanes,
				Committed: func() unit.Height { return n.Replica.Status().Committed }, Status: n.Status, Started: started,
				Duties: n.Attendant.Status,
			}
			traces.follow(backend)
			if faucet := genesis.DevFaucet().Address(); spec.Faucet != nil && *spec.Faucet == faucet && (s.chainID == chainLocal || s.chainID == chainDev) {
				backend.Funds = &rpc.Faucet{Key: genesis.DevFaucet()}
			}
			backend.Doubts = fetching(n.Catchup.Status, network.doubts(n.Ledger.Tip, s.blockTime))
			limits := rpc.DefaultLimits()
			limits.RequestsPerSecond = s.rpcRate
			if s.rpcRate == 0 {
				limits.FaucetPerMinute = 0
			}
			handler := rpc.NewHandler(rpc.Config{Backend: backend, Limits: limits, Faucet: backend.Funds != nil})
			if controls != nil {
				handler = controls.Handler(backend, handler)
			}
			members := []supervision.Spec{
				{Name: "index", Inbox: activity.Inbox(), New: func() actor.Actor {
					return &index.Subsystem{Path: indexPath, Chain: genesisBlock.Hash(), Source: n.Ledger, Handle: activity, Damaged: func(err error) {
						l := levels.Logger(log, "intake/index")
						l.Warn().Err(err).Msg("the index is made anew from the chain")
					}}
				}},
				{Name: "rpc", Inbox: rpcInbox, New: func() actor.Actor {
					return &rpc.Service{Address: listener.Addr().String(), Handler: handler, Inbox: rpcInbox, First: first.take(), Crowd: clients}
				}},
			}
			if s.admin != "" {
				metrics = admin.NewMetrics(backend, version.Version)
				metrics.Follow(n.Replica)
				metrics.Time(&slow.Slows)
				if network.peers != nil {
					metrics.Watch(network.peers)
				}
				members = append(members, adminPort(s.admin, admin.New(backend, metrics, levels), operators))
			}
			return members
		},
	})
	if err != nil {
		return nil, errors.Join(err, chain.Close())
	}
	lost.status = n.Replica.Status
	n.Ledger.Subscribe(func(f *ledger.Final) { activity.Finalized(f.Height()) })
	traces.subscribe(n)
	if validator.Rejoin && !s.memory {
		log.Warn().Msg(rejoinText[:len(rejoinText)-1])
		n.Ledger.Subscribe(s.rejoined(started))
	}
	blocks := levels.Logger(log, "core/ledger")
	now := time.Now
	if controls != nil {
		now = controls.Clock.Now
	}
	n.Ledger.Subscribe(func(f *ledger.Final) { blockLine(blocks, f, now()) })
	if metrics != nil {
		n.Ledger.Subscribe(func(f *ledger.Final) {
			metrics.Observe(&f.Block.Header, len(f.Block.Txs), len(f.Block.Encode()), f.Receipts)
		})
	}
	return n, nil
}

// adminPort is the operator's server.
func adminPort(address string, handler http.Handler, crowd rpc.Crowd) supervision.Spec {
	inbox := rpc.NewInbox()
	return supervision.Spec{Name: "admin", Inbox: inbox, New: func() actor.Actor {
		return &rpc.Service{Address: address, Handler: handler, Inbox: inbox, Crowd: crowd}
	}}
}

// handover gives the listener that was opened before the tree to the first instance of the server.
type handover struct {
	mu       sync.Mutex
	listener net.Listener
}

func (h *handover) take() net.Listener {
	h.mu.Lock()
	defer h.mu.Unlock()
	l := h.listener
	h.listener = nil
	return l
}

// indexFile is where the auxiliary index lives; a node in memory has one in a temporary file.
func indexFile(s *settings) (string, error) {
	if !s.memory {
		return filepath.Join(s.dataDir, "index.db"), nil
	}
	dir, err := os.MkdirTemp("", "cowboyd-index-")
	return filepath.Join(dir, "index.db"), err
}

func writeHalt(dir string, halt supervision.Halt) {
	text, err := json.MarshalIndent(halt, "", "  ")
	if err == nil {
		_ = os.WriteFile(filepath.Join(dir, haltFile), append(text, '\n'), 0o644)
	}
}

// writeEvidence keeps what is known about a block that failed twice.
func writeEvidence(s *settings, e *executor.Evidence, log zerolog.Logger) {
	log.Error().Uint64("height", uint64(e.Height)).Strs("failures", e.Failures).Msg("a block failed twice")
	if s.memory {
		return
	}
	text, err := json.MarshalIndent(e, "", "  ")
	if err == nil {
		err = os.WriteFile(filepath.Join(s.dataDir, evidenceFile), append(text, '\n'), 0o644)
	}
	if err != nil {
		log.Error().Err(err).Msg("the evidence could not be written")
	}
}
