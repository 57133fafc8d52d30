// Package drain decides what runs next in a block. It is a value-in, value-out state machine: the caller answers each effect
// with one event, and chain order depends on nothing else.
//
// # The order of a block
//
//	Messages      everything enqueued by earlier blocks, in the order it was sent: delivery is "at the start of the next block"
//	Fires         hooks that emits of earlier blocks left, in the order of the emits: nothing that is sent overtakes them but messages
//	Transactions  in the order of the block; a synchronous call belongs to the turn that makes it
//	Timers        everything due, by height, then insertion: transactions before timers
//	Deferred      deferred calls of earlier blocks, in the order they were created
//	Jobs          nothing: the chapter of jobs resolves them in its end of the block
//	Closed        basefees, inflation, rewards: the transition's own steps
//
// What a turn sends is delivered in a later block, so every phase works on what existed when the block began, and a block ends.
//
// # The machine
//
//   - upon Start: open the first phase and ask for its items (Load).
//   - upon Loaded: queue the items; take the next one.
//   - upon taking a transaction: if its limit fits its lane, Deliver it; otherwise Refuse it (the block is invalid, or a proposer
//     leaves it out), and take the next one.
//   - upon taking an injected item (message, timer, deferred call) of an actor that has used its cycles of this block: set it aside.
//   - upon taking an injected item whose limit does not fit what is left to the phase: the phase is full. Items not run stay where
//     they are in state, which is the front of the next block's queue. (In the timers' fee-market phase, where order is by score and
//     not age, the item alone is passed over.)
//   - upon taking any other item: Deliver it.
//   - upon Ran: subtract what the turn used from lane, phase and actor; take the next item.
//   - upon Dropped (the item was gone, expired or unfunded): subtract nothing, count no turn; take the next item.
//   - upon the end of the queue with more to load: Load. With nothing more: take the items set aside, in order, until the phase is
//     full or they end. Then open the next phase.
//   - upon the end of the last phase: Finished.
//
// # Capacity
//
//   - System, Runner and Timer lanes have their budgets. User has its own plus what the System and Runner transactions of the
//     block and the timers due in it leave unclaimed (their limits, not their use, so that order inside the block does not matter).
//   - Timers have what was reserved for those that were live when the block began, and what the User lane has left, up to their own budget.
//   - Messages take from the User lane, at most half of its own budget. While deferred calls are pending a quarter of it is held back
//     from transactions for them; they also get what the User and Timer lanes have left at the end.
//   - Hooks of events that a turn emits use the room beside its limit: what is left of the User lane after everything that has claimed a part of it. They
//     count in the User lane, and for a message towards what messages take. Hooks that earlier emits left use what the System lane's transactions do not
//     claim, at most a quarter of that lane; the User lane gets as much less of it.
//   - One message or deferred call gets at most per_actor_per_block_cycles (1,000,000), so none is too large for an empty block.
//   - per_actor_per_block_cycles is burstable: an actor that has used it up in this block, in whatever phase, yields to everybody
//     else's injected work, and gets what the phase has left after them. Transactions bought their place by lane and price; they
//     count but never yield.
//   - Once injected turns have loaded programs of params.FreshPerBlock that nobody loaded in the block before, whatever phase it was in, each phase runs one
//     turn at most: a node that has none of them compiled needs time for each.
//   - Once a block has used params.InjectedCells, each phase of injected turns runs one turn at most, too.
//   - At most TurnsPerPhase injected turns run in a phase, however cheap, and at most four times as many items are looked at. Dead timers
//     are none of them: they leave before the machine hears of them (chain/timer).
//
// Invariants: cycles used in a block never exceed params.BlockCycles; the sequence of effects is a function of the sequence of
// events; a set-aside actor's items keep their order among themselves.
//
// Deliberately absent: reading state, money, running turns (runtime/transition, runtime/host, runtime/system).
//
// Spec: WP "The State Transition Function", §6.3, §12.1, §17.9; scheduler-timers §6, §10; sdk §7.
package drain
