// Package executor runs blocks. It holds one block's transition machine and hands its turns out: a Python turn to a PVM
// worker, a native one to the system actor that owns the address. Plain transfers never leave the machine and pay no command.
//
// # Commands
//
//   - Execute: build or verify a block on a parent state, or on the block executed just before; answered once with Executed.
//   - outcome: a worker or system actor finished its turn.
//   - lost: whoever held the turn failed while running it.
//
// # Rules
//
//   - The overlay travels with the turn: between a turn's departure and its outcome nobody else touches it.
//   - The machine decides what runs next; the order in which commands arrive decides nothing. One turn is out at a time.
//   - A lost turn makes its overlay unknown: it is dropped and the block executed again from the parent state. When the same block
//     fails a second time, or a state source fails, the subsystem ends with a supervision.Fatal and the evidence.
//
// # What a restart loses
//
// The block being executed and the jobs behind it. Nothing durable lives here; whoever asked is restarted after it
// (rest-for-one) and asks again. A worker's restart loses its compiled programs, which are compiled anew.
//
// Spec: WP "The State Transition Function"; ARCHITECTURE "One block, from bytes to root".
package executor
