// Package bind keeps the binding of a runner on the chain as its configuration has it: which environments its jobs run in.
//
// # What it does, as upon-event bullets
//
//   - every 10 seconds: what the chain has is read from the runner's node. Where it is another binding than the configured one, or has to be renewed within
//     172,800 blocks, which is twice as long as a job may take, a nonce is asked for; once the chain tells the nonce, the environment signs it, and the binding
//     is set or renewed.
//   - upon a nonce that it used: it is not used again, and no other is asked for within 15 blocks of what was sent last.
//   - upon a failure: it is told with the status, and tried again 10 seconds later.
//
// # On a restart
//
// Nothing is kept: the chain tells how far it is.
//
// Spec: tee §2.3, §5 (binding renewal).
package bind
