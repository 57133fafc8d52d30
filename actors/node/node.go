package node

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cowboyinc/cowboy-go/actors/attendant"
	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/actors/catchup"
	"github.com/cowboyinc/cowboy-go/actors/executor"
	"github.com/cowboyinc/cowboy-go/actors/lanes"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/proposer"
	"github.com/cowboyinc/cowboy-go/actors/push"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/actors/replica/shares"
	"github.com/cowboyinc/cowboy-go/actors/system"
	"github.com/cowboyinc/cowboy-go/actors/timers"
	"github.com/cowboyinc/cowboy-go/actors/verifier"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// ErrConfig is wrapped by the errors of New that name a mistake in the configuration.
var ErrConfig = errors.New("node: bad configuration")

// Node is a node's tree and the handles others may use.
type Node struct {
	Ledger  *ledger.Handle
	Lanes   *lanes.Handle
	Replica *replica.Handle
	Timers  *timers.Handle
	Catchup *catchup.Handle
	// Attendant is the validator's part in key ceremonies and its evidence.
	Attendant *attendant.Handle
	// Push speaks with runners; it does not run without Config.Runners.
	Push *push.Handle

	config     Config
	identity   replica.Identity
	committees replica.Committees
	shares     *shares.Store // nil for an observer
	executor   *executor.Handle
	signatures *verifier.Handle // of proposed blocks
	proposer   *proposer.Handle
	verifier   *verifier.Handle
	memory     *verifier.Memory // of both verifiers
	workers    []*executor.Worker
	table      []*system.Handle
	reserved   *system.Handle
	performers executor.Performers
	supervisor *supervision.Tree
}

// New wires a node. Nothing runs before Start.
func New(config Config) (*Node, error) {
	config = config.withDefaults()
	if config.Genesis == nil || config.Store == nil || config.Journal == nil || config.NewRunner == nil {
		return nil, fmt.Errorf("%w: genesis, store, journal and runner are needed", ErrConfig)
	}
	n := &Node{
		Ledger: ledger.NewHandle(), Lanes: lanes.NewHandle(), Replica: replica.NewHandle(), Timers: timers.NewHandle(),
		Catchup: catchup.NewHandle(), Attendant: attendant.NewHandle(), Push: push.NewHandle(), config: config,
		executor: executor.NewHandle(), signatures: verifier.NewHandle(), proposer: proposer.NewHandle(), verifier: verifier.NewHandle(),
		memory: verifier.NewMemory(config.Recoverer),
	}
	if err := n.identify(); err != nil {
		return nil, err
	}
	n.perform()
	n.share()
	n.Ledger.Subscribe(n.Timers.Finalized)
	n.Ledger.Subscribe(n.Lanes.Included)
	n.Ledger.Subscribe(n.Catchup.Finalized)
	n.Ledger.Subscribe(n.Attendant.Finalized)
	if config.Runners != nil {
		n.Ledger.Subscribe(n.Push.Finalized)
	}
	config.Link.Attach(&receiver{n})
	tree, err := supervision.New(n.tree(), config.Supervision)
	if err != nil {
		return nil, err
	}
	n.supervisor = tree
	return n, nil
}

// identify finds the chain and the validator's place in it.
func (n *Node) identify() error {
	spec, v := n.config.Genesis, n.config.Validator
	hash, err := genesisHash(n.config.Store)
	if err != nil {
		return err
	}
	calendar, err := spec.Calendar()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	n.identity = replica.Identity{ChainID: spec.ChainID, Genesis: hash, Calendar: calendar, Rejoin: v.Rejoin, Started: n.config.Supervision.Clock.Now()}
	registered := &replica.Registered{Namespace: sig.NewNamespace(spec.ChainID), State: func() *state.Commit { return n.Ledger.Tip().State }}
	if v.Vote != nil {
		if registered.Shares, err = n.openShares(); err != nil {
			return err
		}
		registered.Vote, registered.First, n.shares = v.Vote, v.Share, registered.Shares
	}
	n.committees = registered
	if n.config.Committees != nil {
		n.committees = n.config.Committees(registered)
	}
	return nil
}

// openShares opens the validator's shares. A founder's first one comes with the configuration.
func (n *Node) openShares() (*shares.Store, error) {
	v := n.config.Validator
	if n.config.Shares == nil {
		return nil, fmt.Errorf("%w: a validator needs a place for its shares", ErrConfig)
	}
	sharing, err := bls.DecodeSharing(n.config.Genesis.Sharing)
	if err != nil {
		return nil, fmt.Errorf("%w: sharing: %w", ErrConfig, err)
	}
	rank := slices.IndexFunc(n.config.Genesis.Validators, func(g genesis.Validator) bool { return g.PublicKey == v.Vote.PublicKey().Bytes() })
	if v.Share.Key != nil && (rank < 0 || int(v.Share.Index) != rank || !sharing.Holds(v.Share)) {
		return nil, fmt.Errorf("%w: the share is not that of the voting key", ErrConfig)
	}
	switch key := v.Vote.(type) {
	case *bls.PrivateKey:
		return shares.Open(n.config.Shares, n.identity.Genesis, key)
	case replica.Elsewhere:
		return shares.OpenSealed(n.config.Shares, n.identity.Genesis, key.Sealing())
	default:
		return nil, fmt.Errorf("%w: %T is no voting key", ErrConfig, key)
	}
}

// share gives the subsystems that others can fill their shares of the memory.
func (n *Node) share() {
	frames := n.config.Memory.Of(budget.Frames)
	n.Replica.Share(frames)
	n.Catchup.Share(frames)
	n.Attendant.Share(frames)
	n.Lanes.Share(n.config.Memory.Of(budget.Submissions))
}

func genesisHash(s ledger.Store) (digest.Hash, error) {
	b, err := s.Block(0)
	if err != nil {
		return digest.Hash{}, err
	}
	return b.Hash(), nil
}

func (n *Node) perform() {
	for i := range n.config.Workers {
		w := executor.NewWorker(i)
		n.workers = append(n.workers, w)
		var p executor.Performer = w
		if n.config.Perform != nil {
			p = n.config.Perform(w)
		}
		n.performers.Workers = append(n.performers.Workers, p)
	}
	n.table, n.reserved = system.NewHandles()
	n.performers.System = map[account.Address]executor.Performer{}
	for _, h := range n.table {
		n.performers.System[h.Address] = h
	}
	n.performers.Reserved = n.reserved
}

// Start brings the tree up; the first block follows without waiting for an interval.
func (n *Node) Start(ctx context.Context) error { return n.supervisor.Start(ctx) }

// Stop takes the tree down in order and closes the store. It may be called after a halt, and more than once.
func (n *Node) Stop(ctx context.Context) error {
	err := n.supervisor.Stop(ctx)
	if errors.Is(err, supervision.ErrHung) || errors.Is(err, ctx.Err()) && err != nil {
		return err // somebody may still use the store
	}
	if n.shares != nil {
		err = errors.Join(err, n.shares.Close())
	}
	return errors.Join(err, n.config.Store.Close())
}

// Halted delivers the one halt of a node that could not be sure of something. The tree stops itself; Stop waits for it.
func (n *Node) Halted() <-chan supervision.Halt { return n.supervisor.Halted() }

// Tree is the supervision tree. It is for status, and for tests that drive it step by step.
func (n *Node) Tree() *supervision.Tree { return n.supervisor }

// Status is a snapshot of the tree.
func (n *Node) Status() supervision.Status { return n.supervisor.Status() }

// DevValidator is the validator of a rank in a development network of n.
func DevValidator(rank, n int) (Validator, error) {
	set, _, err := genesis.DevValidators(n)
	if err != nil {
		return Validator{}, err
	}
	return Validator{Vote: set[rank].Vote, Share: set[rank].Share, Account: set[rank].Account}, nil
}
