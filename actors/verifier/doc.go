// Package verifier makes the stateless checks of transactions, above all signature recovery, over all cores.
//
// # Commands
//
// Verify: a batch of decoded transactions, answered once with one result each, in their order. A batch is split into pieces that
// run at the same time; the subsystem waits for all of them, which is pure work of known size.
//
// # State and restarts
//
// None but a Memory, if it is given one: whose signatures were recovered lately, by all verifiers of the node. It outlives a restart and holds
// nothing that could not be recovered again. A batch that was being verified is answered with supervision.ErrAbandoned and its sender may send it again.
//
// Spec: WP §2.2; node-rpc-cli §3 (recover signer).
package verifier
