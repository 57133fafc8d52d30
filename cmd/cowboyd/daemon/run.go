package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/actors/executor"
	"github.com/cowboyinc/cowboy-go/actors/format"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/node"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/actors/replica/shares"
	"github.com/cowboyinc/cowboy-go/actors/rpc"
	"github.com/cowboyinc/cowboy-go/actors/rpc/admin"
	"github.com/cowboyinc/cowboy-go/actors/rpc/dev"
	"github.com/cowboyinc/cowboy-go/actors/rpc/explorer"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/cmd/internal/version"
)

const (
	startWithin = time.Minute
	stopWithin  = 20 * time.Second
	// haltFile tells whoever looks at the data directory why the node stopped by itself.
	haltFile     = "HALTED"
	evidenceFile = "EVIDENCE"
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
	if s.rpcPort < 0 || s.rpcPort > math.MaxUint16 {
		return usageError{fmt.Errorf("--rpc-port is 0 to 65535, not %d", s.rpcPort)}
	}
	if s.workers < 1 {
		return usageError{fmt.Errorf("--pvm-workers is at least 1, not %d", s.workers)}
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
	s.last.reached = make(chan struct{})
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
	if err := errors.Join(s.kept.check(), s.runners.check(), s.proxies.check(), s.stores.check(), s.portal.check()); err != nil {
		return usageError{err}
	}
	if _, err := s.serving.limits(); err != nil {
		return err
	}
	spec, err := s.spec(s.validators)
	if err != nil {
		return err
	}
	if err := s.serving.open(log); err != nil {
		return err
	}
	defer s.reloadOnHangup()()
	return live(ctx, s, spec, listener, log)
}

// serve runs one node until it is told to stop or stops itself; task is what a developer wants done before it is opened again.
func serve(
	ctx context.Context, s *settings, spec *genesis.Spec, listener net.Listener, log zerolog.Logger, controls *dev.Controls,
) (task *dev.Task, err error) {
	defer s.endTraces()
	defer func() { err = errors.Join(err, s.portal.end()) }()
	n, err := assemble(s, spec, listener, log, controls)
	if err != nil {
		return nil, notOpened{explain(s, err)}
	}
	s.last.watch(n, log)
	starting, cancel := context.WithTimeout(ctx, startWithin)
	defer cancel()
	if err := n.Start(starting); err != nil && ctx.Err() == nil {
		return nil, notOpened{errors.Join(explain(s, err), end(n))}
	} else if err != nil { // told to stop before it was up
		log.Info().Msg("stopping")
		return nil, end(n)
	}
	if err := s.last.check(n.Ledger.Tip().Header.Height); err != nil {
		return nil, errors.Join(err, end(n))
	}
	var tasks <-chan dev.Task
	if controls != nil {
		if err := controls.Opened(); err != nil {
			return nil, errors.Join(err, end(n))
		}
		tasks = controls.Tasks()
	}
	at := s.serving.scheme() + "://" + listener.Addr().String()
	log.Info().Uint64("chain", s.chainID).Str("rpc", at).Str("explorer", at+explorer.Path).Str("data", where(s)).Msg("cowboyd " + version.Version + " is up")
	select {
	case <-ctx.Done():
		log.Info().Msg("stopping")
		return nil, end(n)
	case <-s.last.reached:
		log.Info().Uint64("height", uint64(s.last.height)).Msg("stopping at --halt-height")
		return nil, end(n)
	case t := <-tasks:
		log.Info().Msg(t.Name)
		return &t, end(n)
	case halt := <-n.Halted():
		log.Error().Str("subsystem", halt.Subsystem).Msg(halt.Reason)
		if !s.memory {
			writeHalt(s.dataDir, halt)
		}
		return nil, haltedError{errors.Join(errors.New(halt.String()+advice(s.dataDir, halt.Reason)), end(n))}
	}
}

// advice says what a person does about a halt; finalized blocks are safe after every one.
func advice(dir, reason string) string {
	switch {
	case strings.Contains(reason, replica.ErrJournal.Error()):
		return "\n  " + journalAdvice(dir)
	case strings.Contains(reason, shares.ErrDamaged.Error()):
		return "\n  " + sharesAdvice(dir)
	case strings.Contains(reason, "corrupt "):
		return "\n  start the node again: what it can make anew it does; `cowboyd doctor` says what else is damaged"
	}
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
	var other *format.Error
	switch {
	case errors.As(err, &other):
		return fmt.Errorf("%s cannot be read by cowboyd %s: %w\n  nothing was changed; `cowboyd version --formats` lists what this one reads",
			s.dataDir, version.Version, err)
	case errors.As(err, &foreign):
		return fmt.Errorf("%s belongs to another chain (%w)\n  use another --data-dir, or the --chain-id it was made with", s.dataDir, err)
	case errors.As(err, &corrupt):
		return fmt.Errorf("%s is damaged: %w\n  nothing was changed; %s", s.dataDir, err, chainAdvice(s.dataDir))
	case errors.Is(err, replica.ErrJournal):
		return fmt.Errorf("%w\n  %s", err, journalAdvice(s.dataDir))
	case errors.Is(err, shares.ErrDamaged):
		return fmt.Errorf("%w\n  %s", err, sharesAdvice(s.dataDir))
	case errors.Is(err, disk.ErrLocked):
		return fmt.Errorf("%s is in use by another cowboyd\n"+
			"  stop that process first; two nodes with one validator's keys would be punished for double signing", s.dataDir)
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("%w\n  end what uses the port, or choose another: --rpc-port, --p2p-port, --gateway, --admin", err)
	case says(err, disk.ErrFull):
		return fmt.Errorf("no space left for %s: %w\n  free some space and start the node again; no finalized block was lost", s.dataDir, err)
	}
	return err
}

// chainAdvice is what to do about a chain that is damaged where it cannot be made anew.
func chainAdvice(dir string) string {
	return "keep the directory, and restore " + filepath.Join(dir, "chain") + " from a copy; or, where others have the chain, move it away and start again: " +
		"the node fetches it from its peers.\n  Leave keys, journal and shares where they are"
}

// open gives the chain's store, the validator's journal and the place of its shares.
func open(s *settings, spec *genesis.Spec, log zerolog.Logger) (chain ledger.Store, journal, shares disk.Disk, err error) {
	if s.memory {
		chain, err = ledger.NewMemory(spec, state.Config{})
		return chain, disk.NewMemory(), disk.NewMemory(), err
	}
	kept, err := openStore(s, spec, false, func(n format.Note) { log.Warn().Msg(n.String()) })
	if err != nil {
		return nil, nil, nil, err
	}
	if why := kept.Rebuilt(); why != nil {
		log.Warn().Err(why).Msg("the file of checkpoints was made anew from the log")
	}
	chain = kept
	if journal, err = disk.NewDirectory(filepath.Join(s.dataDir, "journal")); err == nil {
		shares, err = disk.NewDirectory(filepath.Join(s.dataDir, "shares"))
	}
	if err != nil {
		return nil, nil, nil, errors.Join(err, chain.Close())
	}
	return chain, journal, shares, nil
}

// openStore opens the chain of a data directory and brings its files to their present formats, which told hears of. looking leaves what is damaged as it
// is.
func openStore(s *settings, spec *genesis.Spec, looking bool, told format.Told) (*ledger.Disk, error) {
	path := filepath.Join(s.dataDir, "chain")
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, err
	}
	d, err := disk.NewDirectory(path)
	if err != nil {
		return nil, err
	}
	o := storing(s.kept.options(), s.shares)
	o.KeepImage, o.Told = looking, told
	return ledger.OpenDisk(d, filepath.Join(path, "image"), spec, o)
}

// proven tells of a validator that is convicted by what it signed.
func proven(e *simplex.Evidence, log zerolog.Logger) {
	log.Warn().Uint32("validator", e.Signer).Str("kind", e.Offence.String()).Msg("misbehaviour proven")
}

// disputed tells of an accusation this node knows to be false.
func disputed(a *simplex.Accusation, log zerolog.Logger) {
	log.Error().Uint32("validator", a.Accused).Str("block", a.Subject.BlockHash.String()).Uint64("height", a.Subject.Height).
		Msg("more than a third of the validators accuse another of a block that is valid here: they lie, or this node errs")
}

// measured counts the blocks this node puts together, and tells of them.
func measured(w *admin.Work, tell func(digest.Hash, time.Duration)) func(digest.Hash, time.Duration) {
	return func(hash digest.Hash, took time.Duration) {
		w.Proposed(took)
		if tell != nil {
			tell(hash, took)
		}
	}
}

// disk is the directory whose disk the node depends on; "" for one in memory.
func (s *settings) disk() string {
	if s.memory {
		return ""
	}
	return s.dataDir
}

// indexFile is where the auxiliary index lives. A node in memory has one in a temporary file, whose name is taken away as soon as it is open, so that nothing
// stays behind however the node ends.
func indexFile(s *settings) string {
	if !s.memory {
		return filepath.Join(s.dataDir, "index.db")
	}
	return filepath.Join(os.TempDir(), fmt.Sprintf("cowboyd-index-%d-%d.db", os.Getpid(), time.Now().UnixNano()))
}

// writeEvidence keeps what is known about a block that failed twice.
func writeEvidence(s *settings, e *executor.Evidence, log zerolog.Logger) {
	line := log.Error().Uint64("height", uint64(e.Height)).Strs("failures", e.Failures)
	if t := e.Turn; t != nil {
		line = line.Stringer("kind", t.Kind).Stringer("id", t.ID).Stringer("actor", t.Actor)
	}
	line.Msg("a block failed twice")
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

// meter counts a final block.
func meter(metrics *admin.Metrics, f *ledger.Final) {
	metrics.Observe(&f.Block.Header, len(f.Block.Txs), len(f.Block.Encode()), f.Receipts)
	metrics.ObserveFlows(f.Flows)
}
