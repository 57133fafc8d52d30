// Package push delivers jobs to runners over connections that each runner keeps to some of the validators, and takes results back over them. A job that is not
// delivered this way is still found by polling.
//
// # What it does, as upon-event bullets
//
//   - upon a connection: the runner's Hello is held to the version, to what its address may ask for, to the registry and to its subset, in that order, before
//     anything is verified. Then both sign what is bound to the connection. A runner that connects anew takes the place of its older connection.
//   - upon a final block: of each runner that is present and takes more, jobs it is selected for and was not told of are sent, on a stream each. Jobs it was
//     told of and need not do any more are cancelled. A runner of which nothing was heard for 3 blocks is absent.
//   - upon no answer to an assignment within 15 blocks: the runner is absent until its next heartbeat, and is then told again.
//   - upon another set of validators: runners whose subset this node leaves may stay for 32 blocks.
//   - upon a runner's transaction: it goes into the pool, and again 2 blocks later.
//   - upon what a runner says of how far it is with a job it took: it is kept for whoever asks this node, while the runner is connected and the job is its own.
//   - upon the start of a validator: it invites runners, by a frame that peers pass on. Each node keeps the newest invitation of each validator, and tells
//     them to whoever asks its interface.
//
// # Parts
//
// The actor decides (state.go), from the newest final state. A host (host.go) has a goroutine for each connection, which reads frames one after the other, and
// the next one when the actor is done with the last; it verifies what they sign. Package protocol has the frames, package mutual the connections.
//
// # On a restart
//
// All connections end, and runners come back. Nothing is kept between.
//
// # Bounds
//
// Connections, those of one address, those that have not said who they are; Hellos of an address; frames of a connection a second; assignments that wait for an
// answer; memory of frames and of transactions that are sent again, from a share of the node's (budget.Runners). A flood costs other runners their place, not
// the node its blocks.
//
// Deliberately absent: presence in the rules. It is this node's alone: the draw of committees knows nothing of it.
//
// Spec: runner-marketplace §9.
package push
