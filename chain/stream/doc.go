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
// A content key is wrapped to the release key of the publisher for its stream and key epoch (cbss.StreamIdentity), so that fewer proxies than the threshold,
// and validators, open nothing.
//
// # SealRequests
//
//	Emitted  the committee is to give partials for at most 32 key epochs, sealed to a key of the beneficiary
//	Sealed   as many of it as it takes have shown that they do
//	Expired  they have not within one key epoch, or 100 blocks
//	Void     the beneficiary's keys have changed since
//
// Expired and Void are told from the record and the height: nothing sweeps. Fees of receipts are held from the start: a purchase takes them from the
// publisher's part, if the epochs bring as much; a request for epochs that were bought before is paid by whoever asks. Raised again, a request that expired
// costs nothing, and its receipts count; any other one costs what is missing. A request that nobody paid for is answered by nobody.
//
// # Layout, records of 0x0D: 0x0D ‖ tag ‖ keccak256 of what names it
//
//	01  Config, by stream_id                     02  Keys, by account
//	03  an authorization, by account, actor and stream; and their number, by account and stream
//	04  an entitlement, by stream and beneficiary: UInt first epoch, UInt last epoch + 1
//	05  a content key, by stream ‖ epoch(8)      06  SealRequest, by its number
//	07  what is held for receipts                08  an open one, paid for, by its last block(8) ‖ number(8)
//	09  SealRequests of an account, by account ‖ number(8)
//
// # Invariants
//
//   - An entitlement only grows; what is paid for it reaches publisher and Treasury in the same turn, to the unit, less what is held for the committee.
//   - What is held is the sum of the fees of the receipts that are missing, of all requests.
//   - What is listed as open is paid for and not void; an account has at most MaxOpen of it.
//   - An account has at most MaxKeys active keys and MaxAuthorized records of authorizations a stream.
//
// Deliberately absent: streams themselves, which are actors; encryption; the committee, whose receipts package secret holds to their proofs.
//
// Spec: gateway-payments-streams §E; WP §9 (0x0D).
package stream
