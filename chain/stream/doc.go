// Package stream is the rules of the Stream Key Manager, 0x0D: who pays for access to a stream of whom, for which epochs of keys, and which keys open what.
// Its rules are functions over a state.Store. What a stream carries is encrypted outside of the chain; the manager keeps records, bills, and raises
// SealRequests, which the committee of the secrets answers.
//
// # A managed stream
//
// The actor that publishes a stream configures its paid access under a name; the stream's identity is keccak256(actor ‖ name), so that nobody takes another's.
// The current key epoch is height / key_epoch_blocks. Access is bought up to an epoch: from the bound there is, or else from the current epoch on, for a fee an
// epoch to the publisher's treasury, and basis points of it on top for the Treasury. The bound only grows. Who pays gains no keys: they are sealed for the
// beneficiary's newest key.
//
// # SealRequests
//
//	Emitted  the committee is to seal the keys of the epochs for a key of the beneficiary
//	Sealed   0x04 says that it has
//	Expired  it was not within one key epoch; whoever has access raises it again, for nothing but the call's price
//	Void     the beneficiary's keys have changed since
//
// Expired and Void are told from the record and the height: nothing sweeps.
//
// # Layout, records of 0x0D: 0x0D ‖ tag ‖ keccak256 of what names it
//
//	01  Config, by stream_id                     02  Keys, by account
//	03  an authorization, by account, actor and stream; and their number, by account and stream
//	04  an entitlement, by stream and beneficiary: UInt last epoch + 1
//	05  a content key, by stream ‖ epoch(8)      06  SealRequest, by its number
//
// # Invariants
//
//   - An entitlement only grows; what is paid for it reaches publisher and Treasury in the same turn, to the unit.
//   - An account has at most MaxKeys active keys and MaxAuthorized records of authorizations a stream.
//
// Deliberately absent: streams themselves, which are actors; encryption; the committee.
//
// Spec: gateway-payments-streams §E; WP §9 (0x0D).
package stream
