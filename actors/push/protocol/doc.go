// Package protocol defines the messages between runners and the validators that push jobs to them: frames, the challenge of the handshake, which validators a
// runner connects to, and the invitations by which it finds them. It is data alone; package mutual carries it.
//
//	frame   length u32, big-endian, of what follows ‖ type u8 ‖ payload, a map of canonical CBOR with text keys
//
//	0x01  Hello            block_height, nonce (32 bytes), public_key (33), role, version
//	0x02  HelloAck         signature (65)
//	0x10  Ping             block_height, nonce, signature (65)
//	0x11  Pong             likewise
//	0x12  Backpressure     accepting_new, active_jobs, max_concurrent, reason?
//	0x13  CapabilityDelta  added, removed: lists of text
//	0x20  Assignment       block_height, deadline_block, job_id, job_spec, signature (64)
//	0x21  Ack              job_id, reason?, status: 0 accepted, 1 duplicate, 2 rejected
//	0x22  Progress         detail?, fraction, job_id
//	0x23  Result           job_id, transaction
//	0x24  Cancel           job_id, reason: 0 reassigned, 1 expired, 2 failed, signature (64)
//	0xf0  Goodbye          reason
//
// The runner dials, and opens the stream on which both speak. Each says Hello, the runner first; each answers the other's with a HelloAck, the runner first.
// An assignment comes on a stream of its own, which its Ack answers.
//
// # What is signed
//
// The keccak256 of a domain, of the chain's id as be8, and of what is meant. The challenge has beside it the 32 bytes that TLS exports for this connection
// alone, the signer's Hello and the other's, so that no signature is of use on another connection, on another chain, in the other role, or again.
//
// # Choices where the sources are silent
//
// The length counts the type. A validator's party key is 0xed and the Ed25519 key of its node's network identity, which TLS proves, and its signature 64 bytes
// and 0xed; a runner's is its compressed secp256k1 key, and r ‖ s ‖ v. The chain knows validators by their voting keys, so these order a runner's subset.
// An optional field that is empty is absent. What a map has that its frame does not know makes it none.
//
// Spec: runner-marketplace §9.
package protocol
