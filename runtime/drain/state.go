package drain

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Phase is a part of a block in which one kind of work runs.
type Phase uint8

// The phases, in order.
const (
	Messages Phase = iota
	Fires
	Transactions
	Timers
	Deferred
	Jobs
	Closed
)

// String names the phase.
func (p Phase) String() string {
	return [...]string{"messages", "fires", "transactions", "timers", "deferred", "jobs", "closed"}[min(p, Closed)]
}

// Limits of the drain.
const (
	// TurnsPerPhase bounds the injected turns of a phase. Spec: scheduler-timers §10 (list size).
	TurnsPerPhase = params.MaxDeferredList
	// MessageCycles is the largest share of the User lane messages take.
	MessageCycles = params.LaneUserCycles / 2
	// DeferredCycles is held back for deferred calls while any are pending.
	DeferredCycles = params.LaneUserCycles / 4
	// FireCycles is the most that hooks which earlier emits left to the block use of the System lane.
	FireCycles = params.LaneSystemCycles / 4
	// itemsPerPhase bounds what a phase looks at, set aside and dropped items included.
	itemsPerPhase = 4 * TurnsPerPhase
	// Batch is how many items a Load asks for.
	Batch = 256
)

// Item is one piece of work, named by its place: the index of a transaction in the block, or the caller's own number for an injected item.
type Item struct {
	Place uint64
	Actor account.Address // whose cycles are counted
	Lane  params.Lane     // of a transaction
	Limit unit.Cycles     // the most the turn can use
}

// Event is an input of the machine: Start, Loaded, Ran or Dropped.
type Event interface{ event() }

// Start opens the block.
type Start struct {
	// Claims are the sums of the limits of the block's transactions by lane.
	Claims [params.LaneCount]unit.Cycles
	// DeferredPending says that deferred calls were pending when the block began.
	DeferredPending bool
	// TimerDemand is what the timers due in the block may use, at most the lane's budget.
	TimerDemand unit.Cycles
	// Greedy says that timers come in order of score, not of time: one that does not fit the lane is passed over instead of ending
	// the phase.
	Greedy bool
	// ActorCycles is the governed per_actor_per_block_cycles.
	ActorCycles unit.Cycles
}

// TurnCycles is the most one message or deferred call may use: per_actor_per_block_cycles, but never more than an empty phase has.
//
// Spec: WP §12.1.
func TurnCycles(actorCycles unit.Cycles) unit.Cycles { return min(actorCycles, DeferredCycles) }

// Loaded answers Load. More says that the phase has further items; it needs at least one item with it.
type Loaded struct {
	Items []Item
	More  bool
}

// Ran answers Deliver: the turn ran and used this many cycles.
type Ran struct {
	Turn  uint32
	Used  unit.Cycles
	Hooks unit.Cycles // used beside it, at most the room
	Fresh uint32      // weight of the programs it was the first of the block to load
	Cells unit.Cells  // used, those of hooks too
}

// Dropped answers Deliver: there was nothing to run. It also answers Refuse.
type Dropped struct{ Turn uint32 }

func (Start) event()   {}
func (Loaded) event()  {}
func (Ran) event()     {}
func (Dropped) event() {}

// Effect is an output of the machine: Load, Deliver, Refuse or Finished.
type Effect interface{ effect() }

// Load asks for up to Limit items of a phase: its first ones, or those after the last ones given.
type Load struct {
	Phase Phase
	Limit int
}

// Deliver asks for an item to be run with at most Item.Limit cycles.
type Deliver struct {
	Turn  uint32 // counts the deliveries and refusals of the block
	Phase Phase
	Item  Item
	// Room is what hooks of events may use beside it: what neither the item nor anything that is to come in the phase of transactions could use.
	Room unit.Cycles
}

// Refuse says that a transaction does not fit its lane.
type Refuse struct {
	Turn uint32
	Item Item
	Left unit.Cycles // what the lane has
}

// Finished says that all phases are over.
type Finished struct{}

func (Load) effect()     {}
func (Deliver) effect()  {}
func (Refuse) effect()   {}
func (Finished) effect() {}

// State is the machine. Its zero value awaits Start.
type State struct {
	phase   Phase
	started bool
	turn    uint32
	turns   int // turns of the phase that ran

	queue  []Item
	next   int
	loaded int // items of the phase seen so far
	more   bool
	aside  []Item
	burst  bool // the queue holds what was set aside
	full   bool

	running Item
	room    unit.Cycles
	awaits  bool // an answer to Deliver or Refuse is due

	used    [params.LaneCount]unit.Cycles
	user    unit.Cycles // capacity of the User lane, spill included
	demand  unit.Cycles // of the Timer lane
	reserve unit.Cycles
	sent    unit.Cycles // used by messages
	claims  unit.Cycles // limits of the User lane's transactions that have not run
	fires   unit.Cycles // of the System lane, for the phase of fires
	fresh   uint64      // weight of the programs injected turns were the first to load
	cells   unit.Cells  // used so far
	greedy  bool
	allowed unit.Cycles // per actor and block
	actors  map[account.Address]unit.Cycles
}

// Step takes one event and returns the next effect. An event that does not answer the last effect is a bug and panics.
//
// Spec: WP "The State Transition Function"; scheduler-timers §6.
func (s *State) Step(event Event) Effect {
	switch e := event.(type) {
	case Start:
		s.start(e)
		return s.load()
	case Loaded:
		s.loaded += len(e.Items)
		s.queue, s.next, s.more = e.Items, 0, e.More && len(e.Items) > 0 && (s.phase == Transactions || s.loaded < itemsPerPhase)
	case Ran:
		s.answer(e.Turn)
		s.settle(e)
	case Dropped:
		s.answer(e.Turn)
	}
	return s.take()
}

func (s *State) start(e Start) {
	if s.started {
		panic("drain: started twice")
	}
	s.started = true
	s.actors = map[account.Address]unit.Cycles{}
	s.allowed, s.greedy = e.ActorCycles, e.Greedy
	s.demand = min(e.TimerDemand, params.LaneTimerCycles)
	s.user = params.LaneUserCycles + params.LaneTimerCycles - s.demand
	s.claims = e.Claims[params.LaneUser]
	s.fires = min(FireCycles, params.LaneSystemCycles-min(params.LaneSystemCycles, e.Claims[params.LaneSystem]))
	for _, lane := range [...]params.Lane{params.LaneSystem, params.LaneRunner} {
		s.user += lane.Budget() - min(lane.Budget(), e.Claims[lane])
	}
	if e.DeferredPending {
		s.reserve = DeferredCycles
	}
}

func (s *State) answer(turn uint32) {
	if !s.awaits || turn != s.turn {
		panic("drain: answer to a turn that is not running")
	}
	s.awaits = false
	s.turn++
}

// settle counts what the running item used.
func (s *State) settle(e Ran) {
	used := e.Used
	if used > s.running.Limit {
		panic("drain: turn used more than its limit")
	}
	if e.Hooks > s.room {
		panic("drain: hooks used more than there is room for")
	}
	s.actors[s.running.Actor] += used
	s.turns++
	s.cells += e.Cells
	if s.phase != Transactions {
		s.fresh += uint64(e.Fresh)
	}
	switch s.phase {
	case Fires: // what they use of the System lane, the User lane does not get
		all := used + e.Hooks
		s.fires -= min(s.fires, all)
		s.user -= min(s.user, all)
		s.used[params.LaneSystem] += all
		return
	case Messages:
		s.sent += used + e.Hooks
		s.used[params.LaneUser] += used
	case Transactions:
		s.used[s.running.Lane] += used
	case Timers:
		s.used[params.LaneTimer] += used
	default:
		s.used[params.LaneUser] += used
	}
	s.used[params.LaneUser] += e.Hooks
}

// roomFor is what hooks may use beside an item that is about to run.
//
// Spec: gateway-payments-streams §H.2 (the first part in the user lane, the deferred in the system lane).
func (s *State) roomFor(item Item) unit.Cycles {
	free := s.left(item)
	switch s.phase {
	case Fires:
		return free
	case Messages:
		user := s.user - min(s.user, s.used[params.LaneUser])
		free = min(free, user-min(user, s.reserve+s.claims))
	case Transactions:
		user := s.user - min(s.user, s.used[params.LaneUser])
		free = user - min(user, s.reserve+s.claims)
		if item.Lane != params.LaneUser {
			return free
		}
	case Timers: // what is reserved stays for the timers that come after it
		free = s.spare()
	}
	return free - min(free, item.Limit)
}

// left is what an item of the phase could still use.
func (s *State) left(item Item) unit.Cycles {
	user := s.user - min(s.user, s.used[params.LaneUser])
	switch s.phase {
	case Messages:
		return min(user, MessageCycles-s.sent)
	case Fires:
		return s.fires
	case Transactions:
		if item.Lane == params.LaneUser {
			return user - min(user, s.reserve)
		}
		return item.Lane.Budget() - min(item.Lane.Budget(), s.used[item.Lane])
	case Timers:
		// What was reserved, and of what the others left as much as the lane holds: a payer may have been funded in this block.
		reserved := s.demand - min(s.demand, s.used[params.LaneTimer])
		return min(params.LaneTimerCycles-s.used[params.LaneTimer], reserved+s.spare())
	}
	all := s.user + s.demand // deferred calls may use what either lane left, so the two count together
	return all - min(all, s.used[params.LaneUser]+s.used[params.LaneTimer])
}

// spare is what the User lane has left for timers beyond those that were live when the block began, less what such timers have used.
func (s *State) spare() unit.Cycles {
	timers := s.used[params.LaneTimer]
	taken := s.used[params.LaneUser] + s.reserve + timers - min(timers, s.demand)
	return s.user - min(s.user, taken)
}

// take yields the effect for the next item of the phase, or moves on.
func (s *State) take() Effect {
	for s.next < len(s.queue) && !s.full {
		item := s.queue[s.next]
		s.next++
		if s.phase == Transactions {
			if item.Lane == params.LaneUser {
				s.claims -= min(s.claims, item.Limit)
			}
			if left := s.left(item); item.Limit > left {
				s.awaits = true
				return Refuse{Turn: s.turn, Item: item, Left: left}
			}
			return s.deliver(item)
		}
		switch {
		case !s.burst && s.actors[item.Actor] >= s.allowed:
			s.aside = append(s.aside, item)
		case s.turns >= TurnsPerPhase || s.turns > 0 && (s.fresh >= params.FreshPerBlock || s.cells >= params.InjectedCells):
			s.full = true
		case item.Limit > s.left(item):
			s.full = s.phase != Timers || !s.greedy
		default:
			return s.deliver(item)
		}
	}
	return s.advance()
}

func (s *State) deliver(item Item) Effect {
	s.awaits, s.running, s.room = true, item, s.roomFor(item)
	return Deliver{Turn: s.turn, Phase: s.phase, Item: item, Room: s.room}
}

// advance is called at the end of the queue.
func (s *State) advance() Effect {
	if !s.full && s.more {
		return Load{Phase: s.phase, Limit: Batch}
	}
	if !s.full && !s.burst && len(s.aside) > 0 {
		s.burst = true
		s.queue, s.next, s.aside = s.aside, 0, nil
		return s.take()
	}
	s.phase++
	s.queue, s.next, s.more, s.aside = nil, 0, false, nil
	s.burst, s.full, s.turns, s.loaded = false, false, 0, 0
	return s.load()
}

// load opens the phase.
func (s *State) load() Effect {
	if s.phase == Jobs {
		s.phase = Closed
	}
	if s.phase == Closed {
		return Finished{}
	}
	return Load{Phase: s.phase, Limit: Batch}
}

// Phase is the phase the machine is in.
func (s *State) Phase() Phase { return s.phase }

// Used is what the turns of a lane have used so far. Messages and deferred calls count in the User lane.
func (s *State) Used(lane params.Lane) unit.Cycles { return s.used[lane] }
