// Package receipt is the Receipt Registry at 0x10: what became of the requests that gateways brought to actors. Its rules are functions over a state.Store.
//
// # Life of a receipt
//
//	─opened with the request─► PENDING ─the handler answers, or the actor completes it─► COMPLETED
//	                              └─────the handler fails──────────────────────────────► FAILED
//	any ─expires─► expired ─KeptBlocks later, in the order of their times─► gone
//
// An answer with status 202 leaves a receipt PENDING: the actor completes it later. A handler that answers with something else than a response leaves it
// COMPLETED without an envelope. An expired receipt says so until it is removed.
//
// # Identities
//
// A request has an identity of 16 bytes, which its gateway chooses. One that is pending is not taken again; one that was used and is not gone yet is replaced
// by one made of the transaction.
//
// # Layout, records of 0x10
//
//	receipt:id/ ‖ id(16)                   Receipt
//	receipt:message/ ‖ message(32)         id(16): the request that a message brings to its actor, until the message has ended
//	receipt:due/ ‖ be8 height ‖ id(16)     message(32): receipts by the block they are removed in
//
// # Bounded work
//
// A block removes at most SweepPerBlock receipts, however many there are and wait; each costs three removals and reads nothing but its own entry of the index.
//
// Spec: gateway-payments-streams §C; WP §9 (0x10).
package receipt
