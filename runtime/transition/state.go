package transition

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/protocol"
	"github.com/cowboyinc/cowboy-go/chain/rent"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// Parent is what a block stands on.
type Parent struct {
	Header *block.Header
	// Hash is that of Header if the caller has it; zero has it computed.
	Hash  digest.Hash
	State *state.Commit
	// Known is what the caller knows of State, from the Result that State is of.
	Known Known
}

// Mode says what a State is for.
type Mode uint8

// The modes.
const (
	Verify Mode = iota
	Build
)

// Job is a block to execute.
type Job struct {
	Mode Mode
	// Header is complete for Verify. For Build everything is set but the roots, counts, basefees and use.
	Header block.Header
	// Txs are the body in its order for Verify; candidates in any order for Build.
	Txs []tx.Verified
	// Protocol is the versions of the protocol that the chain's schedule names; nil is all this program knows.
	Protocol *protocol.Table
	// Rewards shares out inflation where the state has no validator registry; nil gives all of it to the proposer.
	Rewards Rewards
}

// Payout is a share of inflation.
type Payout struct {
	To     account.Address
	Amount unit.Amount
}

// Rewards shares amount among the validators of a block whose state has no validator registry; with one, the registry does. What the shares
// leave over is the proposer's; shares above amount are a bug.
//
// Spec: WP "Staking and Rewards", §8.2.
type Rewards func(header *block.Header, amount unit.Amount) []Payout

// Refusal is a transaction that Build left out. Reason is a class of package tx, ErrLane, ErrCells, or what Stop and Forgo were given.
type Refusal struct {
	Tx     tx.Verified
	Reason error
}

// Result is an executed block.
type Result struct {
	Header   block.Header // complete
	Txs      []tx.Verified
	Refused  []Refusal // Build only
	Receipts []*block.Receipt
	State    *state.Commit
	Used     fee.Use
	Supply   fee.Supply
	Flows    *flow.Sheet     // what became of coins; for people alone
	Basefees params.Basefees // of the next block
	Known    Known
}

// Known is what a block read of a state and left as it was, so that the next block need not read it again. What may have changed is nil.
type Known struct {
	Params   *params.Params
	Proposer *stake.Proposer
}

// State is one block's work in progress. One goroutine uses it at a time.
type State struct {
	mode    Mode
	rewards Rewards
	parent  Parent
	header  block.Header
	txs     []tx.Verified

	protocol *protocol.Table
	version  *protocol.Version

	block   *drain.Block
	lanes   [params.LaneCount]fee.Rates // scaled
	limits  mailbox.Limits
	overlay *state.Overlay
	start   drain.Start
	drain   drain.State
	effect  drain.Effect

	migrating govern.Pointers // whose upgrade is due and has a migration

	messages queue
	calls    queue
	batches  batches
	timers   timers
	gcLeft   unit.Cycles
	proposer *stake.Proposer // nil: the state has no validator registry

	running *running
	refused []Refusal
	skipped []bool // per transaction: refused in this pass
	stopped error  // why no further transaction is taken; nil: they are

	receipts []*block.Receipt
	used     fee.Use
	checked  uint32 // weight of the signatures turns checked
	hashed   uint64 // bytes turns had the host hash
	fresh    *drain.Fresh
	sent     uint32 // by turns: messages, deferred calls and timers
	burned   unit.Amount
	tipped   unit.Amount
	sums     []drain.Sum
	rent     rent.Notes // of actors billed outside of turns
	flows    flow.Sheet
	finished bool
}

// running is the turn that is out, and what its settlement needs.
type running struct {
	turn      *drain.Turn
	number    uint32     // of the drain's delivery
	index     int        // of a transaction
	entry     state.Mark // before anything of it
	rent      rent.Notes // of the block, before anything of it
	mark      state.Mark
	fresh     int // mark of the programs loaded before it
	receipt   *block.Receipt
	intrinsic fee.Use
	limit     fee.Use // intrinsic included
	price     fee.Price
	payer     account.Address
	card      *carded        // where a card pays
	fired     *timer.Verdict // of a timer's fire
	drawn     *grant.Drawn   // where the payer is not the sender: what counted as used of its grant
	pool      *mailbox.Pool  // of a message or deferred call
	carried   unit.Amount    // coins of a message: the sender's again after a fault
	bid       fee.Bid
	passing   entitle.Passing // the target of a transaction whose value it may not keep
}

var errOrder = errors.New("transition: Next, Take and Finish called out of order")

// Begin opens a block. Errors: *Invalid for a header or body that breaks a rule; anything else is a failing source.
//
// Spec: WP "The State Transition Function" (1); §2.2, §6.
func Begin(parent Parent, job Job) (*State, error) {
	s := &State{mode: job.Mode, rewards: job.Rewards, parent: parent, header: job.Header, txs: job.Txs, protocol: job.Protocol}
	if s.protocol == nil {
		s.protocol = protocol.All()
	}
	if err := s.open(); err != nil {
		return nil, err
	}
	return s, nil
}

// open reads what the block needs of the parent state, checks header and body, and starts the drain.
func (s *State) open() error {
	s.overlay = s.parent.State.Overlay()
	p := s.parent.Known.Params
	if p == nil {
		var err error
		if p, err = params.Load(s.overlay); err != nil {
			return err
		}
	}
	if err := s.choose(p); err != nil {
		return err
	}
	fees, err := fee.LoadBasefees(s.overlay)
	if err != nil {
		return err
	}
	for lane := range params.LaneCount {
		if s.lanes[lane], err = p.Lanes.Scale(fees, lane); err != nil {
			return err
		}
	}
	if err := s.timers.open(s.overlay, p, fees, s.header.Height); err != nil {
		return err
	}
	demand, due, err := s.timers.terms.Demand(s.overlay, params.LaneTimerCycles)
	if err != nil {
		return err
	}
	s.timers.none = !due
	if err := s.check(p, fees, demand); err != nil {
		return err
	}
	counters, err := mailbox.LoadCounters(s.overlay)
	if err != nil {
		return err
	}
	s.messages = queue{list: mailbox.Pending, before: counters.Sent, none: counters.Waiting == 0}
	s.calls = queue{list: mailbox.PendingDeferred, before: counters.Created, none: counters.DeferredLeft == 0}
	if s.batches, err = openBatches(s.overlay, s.header.Height); err != nil {
		return err
	}
	s.limits = limitsOf(p)
	s.gcLeft = p.Timer.GCCyclesPerBlock
	s.block, s.rent, s.flows = s.context(p, fees), rent.Notes{}, flow.Sheet{}
	s.block.Rent = s.timers.terms.Rent
	if err := s.admitProposer(); err != nil {
		return err
	}
	s.receipts = make([]*block.Receipt, 0, len(s.txs))
	s.skipped, s.stopped = make([]bool, len(s.txs)), nil
	s.start = drain.Start{
		DeferredPending: counters.DeferredLeft > 0,
		TimerDemand:     demand,
		Greedy:          s.timers.terms.Market != nil,
		ActorCycles:     p.Limits.PerActorPerBlockCycles,
	}
	for _, v := range s.txs {
		s.start.Claims[v.Lane()] += v.Tx().CyclesLimit
	}
	return s.upgrade()
}

// choose takes the version of the protocol that holds in the block, and holds the transactions to it.
func (s *State) choose(p *params.Params) (err error) {
	if s.version, err = s.protocol.At(p, s.header.Height); err != nil {
		return err
	}
	if s.mode == Build {
		s.header.Version = uint64(s.version.Number)
	}
	held := make([]tx.Verified, 0, len(s.txs))
	for _, v := range s.txs {
		now, err := v.Under(s.version.Rows)
		switch {
		case err == nil:
			held = append(held, now)
		case s.mode == Build:
			s.refused = append(s.refused, Refusal{v, err})
		default:
			return invalid(err)
		}
	}
	s.txs = held
	return nil
}

func (s *State) check(p *params.Params, fees params.Basefees, demand unit.Cycles) error {
	h := &s.header
	if s.mode == Build {
		h.CycleBasefee, h.CellBasefee = fees.Cycle, fees.Cell
		s.txs = block.Order(s.txs, h.VRFOutput)
	}
	hash := s.parent.Hash
	if hash.IsZero() {
		hash = s.parent.Header.Hash()
	}
	if err := block.CheckHeader(h, s.parent.Header, hash, s.version.Number, p.Calendar, fees); err != nil {
		return invalid(err)
	}
	if s.mode == Build {
		if err := block.CheckBudgets(s.txs, block.ProtocolBudgets(), demand); err != nil {
			return invalid(err)
		}
		return nil
	}
	if err := block.CheckBody(h, s.txs, demand); err != nil {
		return invalid(err)
	}
	return nil
}

func limitsOf(p *params.Params) mailbox.Limits {
	return mailbox.Limits{
		Capacity:       params.MailboxBytes,
		Depth:          uint8(p.Limits.MaxMessageDepth),
		DedupBlocks:    params.DedupWindowBlocks,
		FinalityBlocks: params.FinalityBlocks,
		DeferredActor:  params.MaxDeferredPerActor,
		DeferredList:   params.MaxDeferredList,
		DeferredAge:    params.DeferredMaxAgeBlocks,
	}
}

func (s *State) context(p *params.Params, fees params.Basefees) *drain.Block {
	h := &s.header
	b := &drain.Block{
		ChainID: h.ChainID, Height: h.Height, TimestampMs: h.TimestampMs, ParentHash: h.ParentHash, Proposer: h.Proposer,
		Protocol: s.version, Params: p, Basefees: fees, Limits: s.limits, Round: h.Round(), ParentView: h.ParentView,
	}
	if h.ParentSeed != nil {
		b.Beacon, b.Seed = h.ParentSeed.Signature[:], *h.ParentSeed
	} else {
		b.Beacon = h.ParentHash[:] // the first round: its parent is genesis
		copy(b.Seed.Signature[:], h.ParentHash[:])
	}
	return b
}

// Next returns the next turn to run, or nil when the block is over. Plain transfers and work that turns out not to run happen
// inside. Errors: *Invalid; anything else is a failing source.
func (s *State) Next() (*drain.Turn, error) {
	if s.running != nil || s.finished {
		return nil, errOrder
	}
	for {
		if len(s.migrating) > 0 {
			return s.migration()
		}
		switch e := s.effect.(type) {
		case drain.Finished:
			again, err := s.settleRefusals()
			if err != nil || !again {
				return nil, err
			}
		case drain.Load:
			items, more, err := s.load(e)
			if err != nil {
				return nil, err
			}
			s.effect = s.drain.Step(drain.Loaded{Items: items, More: more})
		case drain.Refuse:
			if err := s.refuse(int(e.Item.Place), ErrLane); err != nil {
				return nil, err
			}
			s.effect = s.drain.Step(drain.Dropped{Turn: e.Turn})
		case drain.Deliver:
			if err := s.deliver(e); err != nil {
				return nil, err
			}
			if s.running != nil {
				s.running.turn.Room = e.Room
				s.running.turn.Checked, s.running.turn.Sent, s.running.turn.Hashed = s.checked, s.sent, s.hashed
				s.running.turn.Fresh, s.running.fresh = s.fresh, s.fresh.Mark()
				return s.running.turn, nil
			}
		}
	}
}

// deliver prepares one item: it leaves a running turn, or answers the drain itself.
func (s *State) deliver(e drain.Deliver) error {
	switch e.Phase {
	case drain.Transactions:
		return s.transaction(e)
	case drain.Messages:
		return s.message(e)
	case drain.Timers:
		return s.fire(e)
	case drain.Deferred:
		return s.deferred(e)
	case drain.Fires:
		return s.hooks(e)
	}
	return errOrder
}

// ran answers the drain for a turn that was executed inside Next or given to Take.
func (s *State) ran(number uint32, used unit.Cycles) {
	s.effect = s.drain.Step(drain.Ran{Turn: number, Used: used})
}

func (s *State) dropped(number uint32) {
	s.effect = s.drain.Step(drain.Dropped{Turn: number})
}

// Take receives the outcome of the turn Next returned.
func (s *State) Take(o drain.Outcome) error {
	r := s.running
	if r == nil || o.Turn != r.turn.Number {
		return errOrder
	}
	s.running = nil
	if r.turn.Migration != nil {
		return s.migrated(r, &o)
	}
	s.checked += o.Checked
	s.hashed += o.Hashed
	s.sent += o.Sent
	if err := s.settle(r, &o); err != nil {
		return err
	}
	if err := s.prepayNext(r.fired); err != nil {
		return err
	}
	used := r.receipt.CyclesUsed
	if r.turn.Batch != nil {
		used = 0
	}
	s.effect = s.drain.Step(drain.Ran{Turn: r.number, Used: used, Hooks: o.Hooks.Cycles, Fresh: o.Fresh, Cells: r.receipt.CellsUsed + o.Hooks.Cells})
	return nil
}

// Stop has a block that is being built take no further transactions: each is refused for the reason. What the block has to hold runs all the same. A block
// that starts over for the sake of its order runs in full what it held.
func (s *State) Stop(reason error) {
	if s.mode == Build {
		s.stopped = reason
	}
}

// Forgo undoes the transaction whose turn is out and refuses it for the reason, in a block that is being built. The turn is over and has no outcome.
func (s *State) Forgo(reason error) error {
	r := s.running
	if r == nil || s.mode != Build || r.turn.Kind != block.Transaction {
		return errOrder
	}
	s.running = nil
	s.overlay.Revert(r.entry)
	s.rent = r.rent
	s.fresh.Revert(r.fresh)
	if err := s.refuse(r.index, reason); err != nil {
		return err
	}
	s.dropped(r.number)
	return nil
}

// load gives the drain the next items of a phase.
func (s *State) load(e drain.Load) ([]drain.Item, bool, error) {
	switch e.Phase {
	case drain.Transactions:
		items := make([]drain.Item, len(s.txs))
		for i, v := range s.txs {
			items[i] = drain.Item{Place: uint64(i), Lane: v.Lane(), Limit: v.Tx().CyclesLimit, Actor: actorOf(v.Tx())}
		}
		return items, false, nil
	case drain.Messages:
		return s.messages.load(s, e.Limit)
	case drain.Timers:
		return s.timers.load(s, e.Limit)
	case drain.Deferred:
		return s.calls.load(s, e.Limit)
	case drain.Fires:
		return s.batches.load(s, e.Limit)
	}
	return nil, false, nil
}

// Run drives a State with a runner and finishes it.
func (s *State) Run(runner drain.Runner) (*Result, error) {
	for {
		turn, err := s.Next()
		if err != nil {
			return nil, err
		}
		if turn == nil {
			return s.Finish()
		}
		outcome, err := runner.Run(turn)
		if err != nil {
			return nil, err
		}
		if err := s.Take(outcome); err != nil {
			return nil, err
		}
	}
}

// Apply executes a block in one goroutine: Begin and Run. It is for tests, tools and light use; the executor drives the
// machine itself.
func Apply(parent Parent, job Job, runner drain.Runner) (*Result, error) {
	s, err := Begin(parent, job)
	if err != nil {
		return nil, err
	}
	return s.Run(runner)
}

func (s *State) record(r *block.Receipt) { s.receipts = append(s.receipts, r) }
