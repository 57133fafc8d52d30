package daemon

import (
	"errors"
	"net"
	"net/http"
	"runtime"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/actors/executor"
	"github.com/cowboyinc/cowboy-go/actors/index"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/node"
	"github.com/cowboyinc/cowboy-go/actors/query"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/actors/rpc"
	"github.com/cowboyinc/cowboy-go/actors/rpc/admin"
	"github.com/cowboyinc/cowboy-go/actors/rpc/dev"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/internal/version"
	"github.com/cowboyinc/cowboy-go/net/door"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// assembly is what the parts of a node are put together from.
type assembly struct {
	settings *settings
	spec     *genesis.Spec
	listener net.Listener
	log      zerolog.Logger
	controls *dev.Controls // of a developer; nil: the clock makes the blocks

	validator          node.Validator
	clients, operators door.ConnectionLimits
	started            time.Time

	chain          ledger.Store
	journal, dealt disk.Disk
	genesisHash    digest.Hash

	activity *index.Handle
	levels   *admin.Levels
	metrics  *admin.Metrics // nil without an operator's port
	work     *admin.Work
	network  *network
	traces   traces
	lost     *views
	slow     *slows
	standing *standing
	failed   error // of a member that could not be made
}

// assemble wires node, index and HTTP interface.
func assemble(s *settings, spec *genesis.Spec, listener net.Listener, log zerolog.Logger, controls *dev.Controls) (*node.Node, error) {
	a := &assembly{settings: s, spec: spec, listener: listener, log: log, controls: controls, started: time.Now()}
	if err := a.limit(); err != nil {
		return nil, err
	}
	var err error
	if a.chain, a.journal, a.dealt, err = open(s, spec, log); err != nil {
		return nil, err
	}
	n, err := a.node()
	if err != nil {
		return nil, errors.Join(err, a.chain.Close())
	}
	a.follow(n)
	return n, nil
}

// limit reads the validator's keys and divides connections and memory.
func (a *assembly) limit() (err error) {
	s := a.settings
	if a.validator, err = s.validator(a.spec); err != nil {
		return err
	}
	if a.clients, a.operators, err = s.connectionLimits(); err != nil {
		return err
	}
	if s.shares, err = s.divide(); err != nil {
		return err
	}
	a.clients = s.portal.share(within(a.clients, s.shares.Of(budget.Clients)))
	return nil
}

// node makes the node on the opened store.
func (a *assembly) node() (*node.Node, error) {
	first, err := a.chain.Block(0)
	if err != nil {
		return nil, err
	}
	a.genesisHash = first.Hash()
	if a.controls != nil {
		a.controls.Opening(a.chain.Header().TimestampMs)
	}
	a.settings.reportFailures(a.log)
	a.activity, a.levels, a.work = index.NewHandle(), admin.NewLevels(a.log.GetLevel()), admin.NewWork()
	if a.network, err = newNetwork(a.settings, a.genesisHash, a.log); err != nil {
		return nil, err
	}
	if a.traces, err = a.settings.traces(); err != nil {
		return nil, err
	}
	a.lost = &views{log: a.levels.Logger(a.log, "core/replica")} // its status comes with the node
	a.slow = &slows{log: a.levels.Logger(a.log, "core/executor")}
	n, err := node.New(a.config())
	return n, errors.Join(err, a.failed)
}

// config is what the node is made of.
func (a *assembly) config() node.Config {
	s, log := a.settings, a.log
	return node.Config{
		Genesis: a.spec, Validator: a.validator, Interval: s.interval(a.controls), Store: a.chain, Journal: a.journal, Shares: a.dealt,
		Link: a.network.link, Snapshot: s.kept.behind(), Last: s.last.height,
		Network: a.network.members, Memory: s.shares, Runners: a.network.runners,
		NewRunner: func() drain.Runner { return a.work.Runner(a.traces.around(host.New(programs(s.shares)))) },
		Proposed:  measured(a.work, a.traces.proposed()), Recoverer: a.work.Recoverer(sig.Default()), Workers: s.workers, Cores: runtime.NumCPU(),
		Evidence:    func(e *executor.Evidence) { a.slow.broke(e); writeEvidence(s, e, log) },
		Accuse:      func(e *simplex.Evidence) { proven(e, log) },
		BadProposal: func(p *replica.BadProposal) { saveAccused(s, p, log) },
		Disputed:    func(x *simplex.Accusation) { disputed(x, log) },
		GaveUp:      a.lost.gaveUp, Slow: a.slow.turn, Dropped: a.slow.dropped, Processor: executor.Processor, Budget: s.budget,
		Supervision: developed(a.controls, supervision.Config{
			Seed: uint64(a.started.UnixNano()), Observe: func(e supervision.Event) { observe(a.levels.Logger(log, e.Subsystem), e) },
		}),
		Intake: a.intake,
	}
}

// intake lists the subsystems that clients and operators meet: the index, the HTTP interface, and the operator's port where there is one.
func (a *assembly) intake(n *node.Node) []supervision.Spec {
	s := a.settings
	backend := &rpc.Node{
		ChainID: s.chainID, Version: version.Version, Ledger: n.Ledger, Index: a.activity, Pool: n.Lanes,
		Committed: func() unit.Height { return n.Replica.Status().Committed }, Status: n.Status, Started: a.started,
		Duties: n.Attendant.Status, Pages: s.shares.Of(budget.Pages).Limit() / 2, Service: query.New(s.queries(s.shares)), Prints: s.developing(),
	}
	controlled(a.traces, a.controls, backend, n)
	if faucet := genesis.DevFaucet().Address(); a.spec.Faucet != nil && *a.spec.Faucet == faucet && s.developing() {
		backend.Funds = &rpc.Faucet{Key: genesis.DevFaucet(), Pending: a.controls.Asked}
	}
	a.standing = s.standing(n, a.validator)
	a.standing.publish(backend, a.network)
	handler := s.handler(backend, n, s.shares.Of(budget.Clients))
	if a.controls != nil {
		handler = a.controls.Handler(backend, handler)
	}
	handler = a.work.Clients(s.runners.commanded(a.controls, handler))
	inbox, first := rpc.NewInbox(), &handover{listener: a.listener}
	members := []supervision.Spec{
		s.index(a.genesisHash, n.Ledger, a.activity, a.levels.Logger(a.log, "intake/index")),
		{Name: "rpc", Inbox: inbox, New: func() actor.Actor {
			return &rpc.Service{
				Address: a.listener.Addr().String(), Handler: handler, Inbox: inbox, First: first.take(), Limits: a.clients, TLS: s.serving.certificate,
			}
		}},
	}
	door, ok, err := a.gateway(backend)
	if a.failed = err; ok {
		members = append(members, door)
	}
	if s.admin != "" {
		a.metrics = s.measures(n, backend, a.work, a.standing)
		a.metrics.Time(&a.slow.Slows)
		pages := a.network.pages(admin.New(backend, a.metrics, a.levels), a.metrics, a.standing)
		members = append(members, adminPort(s.admin, s.tools(a.genesisHash, n.Ledger, a.chain, a.activity, pages), a.operators))
	}
	return members
}

// follow has log, index, traces and metrics hear of the node's final blocks.
func (a *assembly) follow(n *node.Node) {
	a.lost.status, a.network.status = n.Replica.Status, n.Replica.Status
	a.network.tick = (&statusLog{log: a.log, standing: a.standing}).tick
	n.Ledger.Subscribe(func(f *ledger.Final) { a.activity.Finalized(f.Height()) })
	a.traces.subscribe(n)
	if a.validator.Rejoin && !a.settings.memory {
		a.log.Warn().Msg(rejoinText[:len(rejoinText)-1])
		n.Ledger.Subscribe(a.settings.rejoined(a.started))
	}
	blocks := a.levels.Logger(a.log, "core/ledger")
	now := time.Now
	if a.controls != nil {
		now = a.controls.Clock.Now
	}
	n.Ledger.Subscribe(func(f *ledger.Final) { blockLine(blocks, f, now()) })
	if a.metrics != nil {
		n.Ledger.Subscribe(func(f *ledger.Final) {
			a.work.Finalized(now().Sub(time.UnixMilli(int64(f.Block.Header.TimestampMs))))
			meter(a.metrics, f)
		})
	}
}

// limits are those of clients.
func (s *settings) limits() rpc.Limits {
	limits := rpc.DefaultLimits()
	limits.RequestsPerSecond = s.rpcRate
	limits.Each, _ = s.serving.limits()                           // checked before
	limits.FeedBytes = int(s.shares.Of(budget.Pages).Limit() / 4) // and as much again for what they were made of
	if s.rpcRate == 0 {
		limits.FaucetPerMinute = 0
	}
	return limits
}

// index is the member of the tree that keeps the auxiliary index.
func (s *settings) index(chain digest.Hash, source index.Source, handle *index.Handle, log zerolog.Logger) supervision.Spec {
	path := indexFile(s)
	damaged := func(err error) { log.Warn().Err(err).Msg("the index is made anew from the chain") }
	return supervision.Spec{Name: "index", Inbox: handle.Inbox(), New: func() actor.Actor {
		return &index.Subsystem{Path: path, Temporary: s.memory, Chain: chain, Source: source, Handle: handle, Damaged: damaged}
	}}
}

// measures are the numbers of a node.
func (s *settings) measures(n *node.Node, source admin.Source, work *admin.Work, standing *standing) *admin.Metrics {
	metrics := admin.NewMetrics(source, version.Version)
	metrics.Follow(n.Replica)
	metrics.Divided(s.shares)
	metrics.Spend(work)
	metrics.Refuse(n.Lanes.Refusals)
	metrics.Push(n.Push.Status)
	metrics.Machine(s.disk())
	metrics.Stand(standing.Standing)
	metrics.Rents((&rents{tip: n.Ledger.Tip}).look)
	return metrics
}

// adminPort is the operator's server.
func adminPort(address string, handler http.Handler, limits door.ConnectionLimits) supervision.Spec {
	inbox := rpc.NewInbox()
	return supervision.Spec{Name: "admin", Inbox: inbox, New: func() actor.Actor {
		return &rpc.Service{Address: address, Handler: handler, Inbox: inbox, Limits: limits}
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
