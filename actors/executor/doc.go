// Package executor runs blocks. It holds one block's transition machine and hands its turns out: a Python turn to a PVM
// worker, a native one to the system actor that owns the address. Plain transfers never leave the machine and pay no command.
//
// # Commands
//
//   - Execute: build or verify a block on a parent state, or on the block executed just before; answered once with Executed.
//   - outcome: a worker or system actor finished its turn.
//   - lost: whoever held the turn failed while running it.
//   - interrupted: a turn ended because it was told to, without an outcome.
//   - spent, overrun: a build's time is over, and all patience with it.
//   - Abandon: a job is taken back; it is answered with ErrAbandoned.
//
// # Rules
//
//   - The overlay travels with the turn: between a turn's departure and its outcome nobody else touches it.
//   - The machine decides what runs next; the order in which commands arrive decides nothing. One turn is out at a time.
//   - A lost turn makes its overlay unknown: it is dropped and the block executed again from the parent state. When the same block
//     fails a second time, or a state source fails, the subsystem ends with a supervision.Fatal and the evidence. Over a block whose version of the
//     protocol, or whose native code of a system actor, this program does not have, it ends at once, and says what is lacking.
//   - A build that fails a second time since whoever ran a turn panicked is answered with the evidence, which names the turn: another block may do without it.
//
// # Time
//
// Every turn is measured: by the processor time of its worker's thread where that is known, so that a turn is not blamed for what else the machine does, by the
// clock otherwise. One that takes more than half of the time for a block is reported with its actor (Report).
//
// A build has a budget. When it is spent the transaction whose turn is out is told to end, undone and left out; no further one is taken; what the block has
// to hold runs. A PVM worker looks every few thousand cycles whether its turn is to end. One that does not end within an eighth of the budget is not waited
// for: the overlay is dropped with it, the block built again without transactions, and the next worker takes the turns that follow. A build
// that is executed again after its budget was spent takes no transaction either. A check has no budget, since a vote depends on it; whoever asked takes it back
// once none does.
//
// # What a restart loses
//
// The block being executed and the jobs behind it. Nothing durable lives here; whoever asked is restarted after it
// (rest-for-one) and asks again. A worker's restart loses its compiled programs, which are compiled anew.
//
// Spec: WP "The State Transition Function"; ARCHITECTURE "One block, from bytes to root".
package executor
